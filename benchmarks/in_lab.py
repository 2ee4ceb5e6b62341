"""A JupyterLab and a Chromium for what is measured or drawn in a notebook, and figures under their names."""

import tempfile
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.jupyter import FLAGS, Jupyter, chromium_path, write_notebook
from tests.browser.pages import Notebook

__all__ = ["PACKAGES", "opened", "noted"]

PACKAGES = ("jupyterlab", "ipykernel", "anywidget", "playwright")
"""Whose versions are kept beside what is measured here."""


@contextmanager
def opened(cells, width, height, **options):
    """Open a notebook of these cells; give its page, made with `options` of Playwright, and the notebook."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_notebook(Path(folder) / "measured.ipynb", cells)
        jupyter = Jupyter("jupyterlab", Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": width, "height": height}, **options)
            yield page, Notebook(page, jupyter, "measured.ipynb")
        finally:
            browser.close()
            jupyter.close()


def noted():
    """Return rows that are empty, and what adds a figure to them and prints it."""
    rows = []

    def add(what, value):
        rows.append({"what": what, "value": value})
        print(what, value, flush=True)

    return rows, add
