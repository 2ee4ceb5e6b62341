"""A real Jupyter on loopback and a real Chromium."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-angle=swiftshader --enable-unsafe-swiftshader"
).split()
TOKEN = "only-for-tests"


def unavailable(reason):
    """Skip; or fail, where a browser is promised."""
    if os.environ.get("NOTEBOOK_SNE_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def chromium_path():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    unavailable("no Chromium found; install one, such as with `apt-get install chromium`, to run the browser tests")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Jupyter:
    """A Jupyter server of its own in a folder, with nothing of the user's settings; `variables` of its environment."""

    def __init__(self, app, folder, **variables):
        self.folder, self.port, self.app = folder, free_port(), app
        for name in ("config", "data", "runtime", "ipython"):
            (folder / ".jupyter" / name).mkdir(parents=True, exist_ok=True)
        own = folder / ".jupyter"
        settings = own / "settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True, exist_ok=True)
        (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
        sources = str(Path(__file__).parents[2])  # for `tests.standins`
        environment = os.environ | {
            "JUPYTER_CONFIG_DIR": str(own / "config"), "JUPYTER_DATA_DIR": str(own / "data"),
            "JUPYTER_RUNTIME_DIR": str(own / "runtime"), "IPYTHONDIR": str(own / "ipython"),
            "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"),
            "PYTHONPATH": os.pathsep.join([sources, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
        } | variables  # fmt: skip
        command = [
            os.environ.get("NOTEBOOK_SNE_BROWSER_PYTHON", sys.executable), "-m", app, "--no-browser", "--allow-root",
            f"--port={self.port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}",
            f"--ServerApp.root_dir={folder}",
        ]  # fmt: skip
        self.log = open(folder / "server.log", "w")
        self.process = subprocess.Popen(
            command, env=environment, stdout=self.log, stderr=self.log, start_new_session=True, cwd=folder
        )
        self.wait_until_up()

    def wait_until_up(self):
        address = f"http://127.0.0.1:{self.port}/api/status?token={TOKEN}"
        for _ in range(300):
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(address, timeout=1):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("Jupyter did not start:\n" + (self.folder / "server.log").read_text()[-3000:])

    def address(self, name):
        page = "doc" if self.app == "jupyterlab" else "notebooks"
        tree = f"{page}/tree/{name}" if page == "doc" else f"{page}/{name}"
        return f"http://127.0.0.1:{self.port}/{tree}?token={TOKEN}" + ("&reset" if page == "doc" else "")

    def end_sessions(self):
        """End the kernels of earlier tests: a notebook of the same name would find one that is being shut down."""
        sessions = f"http://127.0.0.1:{self.port}/api/sessions"
        with urllib.request.urlopen(f"{sessions}?token={TOKEN}", timeout=30) as answer:
            running = json.load(answer)
        for session in running:
            request = urllib.request.Request(f"{sessions}/{session['id']}?token={TOKEN}", method="DELETE")
            with suppress(urllib.error.HTTPError):  # it has ended by itself
                urllib.request.urlopen(request, timeout=60).close()

    def restart_kernel(self):
        """Restart the only kernel behind the page's back, as another window does."""
        kernels = f"http://127.0.0.1:{self.port}/api/kernels"
        with urllib.request.urlopen(f"{kernels}?token={TOKEN}", timeout=30) as answer:
            (kernel,) = json.load(answer)
        request = urllib.request.Request(f"{kernels}/{kernel['id']}/restart?token={TOKEN}", method="POST")
        urllib.request.urlopen(request, timeout=60).close()

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.log.close()


class Notebook:
    """An open notebook: its cells, run by key as a reader runs them."""

    def __init__(self, page, jupyter, name):
        self.page = page
        page.goto(jupyter.address(name))
        self.settle()

    def settle(self, seconds=60):
        self.page.wait_for_selector(
            ".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=seconds * 1000, state="attached"
        )

    def cell(self, number):
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(number)

    def prompt(self, number):
        return self.cell(number).locator(".jp-InputPrompt").inner_text().strip()

    def run(self, number, wait=True, seconds=60):
        """Run a cell with Control+Enter; once more if nothing began, as focus or kernel may still be settling."""
        before = self.prompt(number)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            dialog = self.page.locator("dialog.jp-Dialog")
            if dialog.count():
                asked = dialog.first.inner_text()
                if not asked.startswith("Select Kernel"):  # which a busy server asks that lists its kernels too late
                    raise AssertionError(f"the host asks: {asked!r}")
                dialog.first.locator(".jp-mod-accept").click()
                self.settle()
            self.cell(number).locator(".cm-content").click()
            self.page.keyboard.press("Control+Enter")
            for _ in range(20):
                self.page.wait_for_timeout(50)
                if self.prompt(number) != before:
                    break
            while wait and "*" in self.prompt(number) and time.monotonic() < deadline:
                self.page.wait_for_timeout(50)
            if self.prompt(number) not in (before, "[ ]:"):
                return
        raise AssertionError(f"cell {number} did not run: its prompt is {self.prompt(number)}")

    def wait_done(self, number, seconds=60):
        for _ in range(seconds * 20):
            if "*" not in self.prompt(number):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"cell {number} did not end")

    def output(self, number):
        """What the cell printed."""
        return "\n".join(self.cell(number).locator(".jp-OutputArea-output pre").all_inner_texts()).strip()

    def player(self, number):
        return PlayerView(self.page, self.cell(number).locator(".nsne-player"))


class PlayerView:
    """A player on the page, read by its data attributes and used by its control names."""

    def __init__(self, page, root):
        self.page, self.root = page, root

    def read(self, name):
        return self.root.get_attribute(f"data-{name}", timeout=15000)

    @property
    def status(self):
        return self.read("status")

    @property
    def iteration(self):
        return int(self.read("iteration") or -1)

    @property
    def frames(self):
        return int(self.read("frames"))

    def control(self, name):
        return self.root.locator(f"[data-control='{name}']")

    def press(self, name):
        self.control(name).click()

    def part(self, name):
        return self.root.locator(f"[data-part='{name}']")

    def until(self, condition, seconds=15):
        """Wait until condition(self) holds; the failure says what was seen last."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition(self):
                return
            self.page.wait_for_timeout(40)
        raise AssertionError(f"not reached: status {self.status}, iteration {self.iteration}, frames {self.frames}")

    def until_status(self, *wanted, seconds=15):
        self.until(lambda view: view.status in wanted, seconds)

    def dots(self):
        """How many pixels of the map are painted, and a sum that changes when they move."""
        return self.root.locator(".nsne-stage > canvas").evaluate(
            """canvas => {
                const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
                const pixels = new Uint32Array(bytes.buffer);
                let [painted, sum] = [0, 0];
                for (let i = 0; i < pixels.length; i++) {
                    if (pixels[i] !== pixels[0]) { painted++; sum = (sum * 31 + i + pixels[i]) % 1000003; }
                }
                return [painted, sum];
            }"""
        )


class Opened:
    """A page opened from disk; every request, console message and error of it is kept."""

    def __init__(self, browser, path, selector, **context):
        self.context = browser.new_context(**{"viewport": {"width": 1366, "height": 768}, **context})
        self.context.set_offline(True)
        self.page = self.context.new_page()
        self.page.set_default_timeout(15000)
        self.said, self.requests = [], []
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.root, self.path = self.page.locator(selector), path

    def open(self):
        self.page.goto(self.path.as_uri())
        self.root.wait_for()
        return self

    def read(self, name):
        return self.root.get_attribute(f"data-{name}")

    def control(self, name):
        return self.root.locator(f"[data-control='{name}']:visible")

    def part(self, name):
        return self.root.locator(f"[data-part='{name}']")

    def until(self, condition, seconds=15):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition(self):
                return
            self.page.wait_for_timeout(30)
        seen = self.root.evaluate("root => JSON.stringify(root.dataset)")
        raise AssertionError(f"not reached: {seen}; {self.said}")

    def dots(self):
        """How many pixels of the map are painted, and a number that changes when they move."""
        return tuple(
            self.root.locator(".nsne-stage canvas").first.evaluate(
                """canvas => {
                    const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
                    const pixels = new Uint32Array(bytes.buffer);
                    let [painted, sum] = [0, 0];
                    for (let i = 0; i < pixels.length; i++) {
                        if (pixels[i] !== pixels[0]) { painted++; sum = (sum * 31 + i + pixels[i]) % 1000003; }
                    }
                    return [painted, sum];
                }"""
            )
        )

    def wind(self, frame):
        """Draw the slider of the film to a frame."""
        self.control("film").evaluate(
            "(e, at) => { e.value = at; e.dispatchEvent(new Event('input', {bubbles: true})); }", frame
        )

    def hover_something(self):
        """Move the pointer over the map until the card of an object appears."""
        box = self.root.locator(".nsne-stage").bounding_box()
        for k in range(1, 400):
            x, y = (k * 0.618034) % 1, (k * 0.754878) % 1
            self.page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
            self.page.wait_for_timeout(15)
            if self.part("card").is_visible():
                return True
        return False

    def check(self):
        """Nothing was asked of any network, nothing was complained of, and nothing of the data's ran."""
        self.page.wait_for_timeout(200)
        assert [url for url in self.requests if not url.startswith(("data:", "blob:"))] == [self.path.as_uri()]
        assert self.said == []
        assert self.page.evaluate("window.hacked") is None
        assert self.page.locator("main img, main script, main b, main i").count() == 0
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def write_notebook(path, cells):
    """Write a notebook of code cells."""
    document = {
        "cells": [
            {"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "execution_count": None, "outputs": [],
             "source": source}
            for i, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    path.write_text(json.dumps(document))


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
    page.set_default_timeout(30000)
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
