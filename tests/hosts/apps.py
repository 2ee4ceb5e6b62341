"""The apps of the guide, started as its page says, each in a folder of its own with the pages that it shows."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from tests.browser.jupyter import free_port
from tests.browser.pages import until
from tests.standins import waiting
from tests.standins.waiting import PATIENCE
from tests.test_guide import PAGES

BLOCKS = PAGES["guide/apps.md"]
MADE = next(text for _, file, text in BLOCKS if not file)  # what makes the pages
APPS = {file.removesuffix("_app.py"): text for _, file, text in BLOCKS if file}
FRAMED = ("streamlit", "gradio")  # which show no widgets
OWN = "ns.watch(ns.TSNE(random_state=0), digits, autoplay=False)"  # the widget in the other apps

ANYWIDGET = Path(sys.prefix) / "share" / "jupyter" / "nbextensions" / "anywidget" / "index.js"
OPTIONS = {
    "streamlit": "run {file} --server.port={port} --server.headless=true --server.fileWatcherType=none "
    "--browser.gatherUsageStats=false",
    "panel": "serve {file} --port={port}",
    "solara": "run {file} --port={port} --no-open --production",
    "shiny": "run {file} --port={port}",
}


def is_installed(host):
    """Return whether the tests of a host can run, with what shows widgets in it."""
    return all(
        find_spec(name) for name in (host, *{"panel": ["ipywidgets_bokeh"], "shiny": ["shinywidgets"]}.get(host, []))
    )


def environment():
    """Return the variables of a process that imports this checkout, and that tells nobody of it."""
    sources = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    quiet = {"GRADIO_ANALYTICS_ENABLED": "False", "SOLARA_TELEMETRY_MIXPANEL_ENABLE": "False", "DO_NOT_TRACK": "1"}
    return os.environ | {"PYTHONPATH": sources} | quiet


def make_pages(folder):
    """Make the pages of the guide in a folder, as a reader does."""
    (folder / "pages.py").write_text(MADE, "utf-8")
    subprocess.run([sys.executable, "pages.py"], cwd=folder, env=environment(), check=True)


class App:
    """An app of the guide at work; `widget` is what it shows instead of its own one, `page` instead of its last one."""

    def __init__(self, host, folder, widget=OWN, page="words.html"):
        file, port = folder / f"{host}_app.py", free_port()
        assert (OWN in APPS[host]) is (host not in FRAMED)
        assert "words.html" in APPS[host]
        file.write_text(APPS[host].replace(OWN, widget).replace("words.html", page), "utf-8")
        options = OPTIONS.get(host, "").format(file=file.name, port=port).split()
        command = [str(Path(sys.executable).with_name(host)), *options] if options else [sys.executable, file.name]
        self.address = f"http://127.0.0.1:{port}/" + ("panel_app" if host == "panel" else "")
        self.file = folder / "server.log"
        with open(self.file, "w") as log:
            variables = environment() | {"GRADIO_SERVER_PORT": str(port)}
            self.process = subprocess.Popen(command, cwd=folder, env=variables, stdout=log, stderr=log)
        if not waiting.until(self.answers) or self.process.poll() is not None:
            self.close()
            raise RuntimeError(f"{host} did not start:\n{self.log()[-3000:]}")

    def answers(self):
        """Tell whether the server answers, or has ended."""
        with suppress(OSError):  # a slow one is timed out, which is no URLError
            urllib.request.urlopen(self.address, timeout=PATIENCE).close()
            return True
        return self.process.poll() is not None

    def log(self):
        """Return what the server has said so far."""
        return self.file.read_text("utf-8", "replace")

    def close(self):
        """End the server."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def open_app(browser, app):
    """Open an app as a reader does, and return the page; it has what Panel would load from a public server."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(1000 * PATIENCE)
    script = {"path": ANYWIDGET, "content_type": "text/javascript", "headers": {"access-control-allow-origin": "*"}}
    page.route("https://unpkg.com/anywidget*/**", lambda route: route.fulfill(**script))
    page.goto(app.address)
    return page


def view_in(page, selector, framed):
    """Return the view of a selector on a page, or in one of its frames."""
    page.locator("iframe" if framed else selector).first.wait_for()
    if not framed:
        return page.locator(selector)

    def found():
        return [at for at in (frame.locator(selector) for frame in page.frames) if at.count()]

    until(page, found)
    return found()[0]
