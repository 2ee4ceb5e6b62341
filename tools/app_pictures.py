"""Make the pictures of the guide's page on apps: ``python -m tools.app_pictures`` where ``.[hosts]`` is installed.

It needs a Chromium. Each app is the guide's own, started by the code that tests it, with its map after Play.
"""

import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.jupyter import FLAGS, chromium_path
from tests.browser.pages import PlayerView
from tests.hosts.apps import APPS, FRAMED, App, make_pages, open_app, view_in

PLACE = Path(__file__).parents[1] / "docs" / "_static" / "apps"
WIDTH = 720  # pixels: of a page of 1,280
COLORS = 256  # of a picture; with fewer, colors of classes run together


def keep(page, name):
    """Take a picture of a page, smaller and with few colors."""
    path = PLACE / f"{name}.png"
    page.screenshot(path=path)
    picture = Image.open(path).convert("RGB")
    picture = picture.resize((WIDTH, picture.height * WIDTH // picture.width), Image.Resampling.LANCZOS)
    picture.quantize(COLORS).save(path, optimize=True)


def main():
    """Start each app, press Play, and look at it when the run has ended."""
    PLACE.mkdir(exist_ok=True)
    with sync_playwright() as program, tempfile.TemporaryDirectory() as folder:
        make_pages(Path(folder))
        browser = program.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for host in APPS:
            app = App(host, Path(folder))
            page = open_app(browser, app)
            view = PlayerView(page, view_in(page, ".nsne-player", host in FRAMED))
            view.few = True
            view.until(lambda v: v.status == "paused")
            view.press("play")
            view.until_status("finished")
            page.wait_for_timeout(1500)  # the host's own movements
            keep(page, host)
            page.close()
            app.close()
        browser.close()


if __name__ == "__main__":
    main()
