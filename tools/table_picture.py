"""Make the picture of the guide's page on the table below a map: ``python -m tools.table_picture``.

It needs playwright and a Chromium. 1,500 functions are mapped by what they do, and two filters are set by hand.
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

import notebook_sne as ns

PICTURE = Path(__file__).parents[1] / "docs" / "_static" / "find" / "table.png"
COUNT = 1500  # of the functions, in their order: four libraries
COLORS = 255


def write_page(path):
    """Write the page of a map whose table is open."""
    functions = ns.datasets.load_docstrings()
    columns = functions.columns[:COUNT]
    columns = columns.assign(
        letters=columns["sentence"].str.len(), library=[name.split(".")[0] for name in columns["function"]]
    )
    run = ns.Run(ns.TSNE(max_iter=300, random_state=0), functions.X[:COUNT])
    given = {"names": functions.names[:COUNT], "labels": functions.labels[:COUNT], "columns": columns}
    player = ns.Player(run, title="Functions by what they do", **given)
    player.show_table, player.show_names = True, "none"
    run.step(300)
    run.wait()
    player.to_html(path)
    player.discard()


def main():
    """Open the page, filter, and keep a picture of it, with few colors, which makes it a third as large."""
    from playwright.sync_api import sync_playwright

    PICTURE.parent.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as program:
        path = Path(folder) / "page.html"
        write_page(path)
        where = shutil.which("chromium") or shutil.which("google-chrome")
        browser = program.chromium.launch(executable_path=where, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(path.as_uri())
        bars = page.locator("[data-facet='column:letters'] .nsne-facet-bars svg")
        bars.scroll_into_view_if_needed()
        box = bars.bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + 0.1 * box["width"], middle)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.4 * box["width"], middle, steps=4)
        page.mouse.up()
        page.locator("[data-facet='label'] [data-control='filter-kind'][title='scipy']").click()
        page.wait_for_timeout(600)
        page.screenshot(path=PICTURE, full_page=True)
        browser.close()
    picture = Image.open(PICTURE).convert("RGB")
    picture.quantize(COLORS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
