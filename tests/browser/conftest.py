"""One Jupyter and one Chromium for all tests of a process, and one page on which notebooks are opened."""

from itertools import count
from pathlib import Path

import pytest

from tests.browser.jupyter import FLAGS, Jupyter, chromium_path, write_notebook
from tests.browser.pages import Notebook, Opened
from tests.standins.waiting import PATIENCE

NUMBERS = count()


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    path = chromium_path()
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        new_context = browser.new_context

        def patient(**how):  # Playwright's own 30 s are less than a busy machine takes
            context = new_context(**how)
            context.set_default_timeout(1000 * PATIENCE)
            return context

        browser.new_context = patient
        browser.new_page = lambda **how: patient(**how).new_page()
        yield browser
        browser.close()


def host(program):
    """A fixture: the host of notebooks of that name, with a folder of its own."""

    @pytest.fixture(scope="session")
    def opened(browser, tmp_path_factory):
        pytest.importorskip(program, reason=f"the browser tests need {program}")
        jupyter = Jupyter(program, tmp_path_factory.mktemp(program))
        yield jupyter
        jupyter.close()

    return opened


lab, notebook7 = host("jupyterlab"), host("notebook")


@pytest.fixture(scope="session")
def kept(browser):
    """The page that tests have one after the other, in a list that is empty where none is fit for the next."""
    pages = []
    yield pages
    for page in pages:
        page.context.close()


@pytest.fixture
def page(browser, kept):
    """A page to open notebooks on: a fresh one, but that JupyterLab may be loaded; after a failure, `kept` has none."""
    page = kept.pop() if kept else browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    yield page
    if page.is_closed() or not page.url.startswith("http"):
        page.context.close()
        return
    page.evaluate("localStorage.clear()")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.mouse.move(0, 0)
    kept.append(page)


@pytest.fixture
def open_notebook(page):
    """Write a notebook of the given cells, open it, and run so many: open_notebook(jupyter, [source, ...], run=2)."""

    opened = []

    def open_one(jupyter, cells, run=0):
        if not opened:
            jupyter.forget_sessions()
        opened.append(f"test-{next(NUMBERS)}.ipynb")  # under a new name, as the kernel of an old one may be ending
        write_notebook(jupyter.folder / opened[-1], cells)
        notebook = Notebook(page, jupyter, opened[-1])
        for number in range(run):
            notebook.run(number)
        return notebook

    return open_one


@pytest.fixture
def open_page(browser):
    """Open a page from disk: open_page(path, selector); after the test it must have been quiet."""
    pages = []

    def open_one(path, selector, **context):
        pages.append(Opened(browser, Path(path), selector, **context))
        return pages[-1].open()

    yield open_one
    try:
        for opened in pages:
            opened.check()
    finally:
        for opened in pages:
            opened.context.close()
