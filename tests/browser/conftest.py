"""One Jupyter and one Chromium for all tests of a process; a fresh page for each."""

from pathlib import Path

import pytest

from tests.browser.jupyter import FLAGS, Jupyter, chromium_path, write_notebook
from tests.browser.pages import Notebook, Opened


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    path = chromium_path()
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(browser, tmp_path_factory):
    pytest.importorskip("jupyterlab", reason="the browser tests need JupyterLab")
    jupyter = Jupyter("jupyterlab", tmp_path_factory.mktemp("lab"))
    yield jupyter
    jupyter.close()


@pytest.fixture(scope="session")
def notebook7(browser, tmp_path_factory):
    pytest.importorskip("notebook", reason="the browser tests need Notebook 7")
    jupyter = Jupyter("notebook", tmp_path_factory.mktemp("notebook"))
    yield jupyter
    jupyter.close()


@pytest.fixture
def page(browser):
    """A fresh page that lets nothing out but to loopback, and whose own errors fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60000)
    yield page
    context.close()


@pytest.fixture
def open_notebook(page):
    """Write a notebook of the given cells and open it: open_notebook(jupyter, [source, ...])."""

    opened = []

    def open_one(jupyter, cells, name="test.ipynb"):
        if not opened:
            jupyter.end_sessions()
        opened.append(name)
        write_notebook(jupyter.folder / name, cells)
        return Notebook(page, jupyter, name)

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
