"""Take the README's picture: the player in a real JupyterLab, at rest after its last update, by a headless Chromium.

Run from the root of the repository as ``python -m benchmarks.picture``; needs the extra `test`.
"""

import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.jupyter import FLAGS, Jupyter, chromium_path, write_notebook
from tests.browser.pages import Notebook

PICTURE = Path(__file__).parents[1] / "tutorials" / "figures" / "player.png"
CELL = """import notebook_sne as ns

ns.watch(ns.SNE(perplexity=30, random_state=0), ns.datasets.load_digits(), title="1,797 handwritten digits")"""


def main():
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_notebook(Path(folder) / "picture.ipynb", [CELL])
        jupyter = Jupyter("jupyterlab", Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 1180, "height": 900}, device_scale_factor=1.5)
            notebook = Notebook(page, jupyter, "picture.ipynb")
            notebook.run(0)
            view = notebook.player(0)
            view.until_status("finished")
            view.few = True  # as a reader finds it
            view.press("hint-close")
            page.mouse.move(0, 0)
            view.rest()
            view.root.screenshot(path=PICTURE)
            # 256 colors are as good to the eye, in 0.4 of the bytes.
            Image.open(PICTURE).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
        finally:
            browser.close()
            jupyter.close()


if __name__ == "__main__":
    main()
