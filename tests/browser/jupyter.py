"""A real Jupyter on loopback, a real Chromium, and notebooks as files."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from tests.standins.waiting import PATIENCE, until

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-angle=swiftshader --enable-unsafe-swiftshader"
).split()
TOKEN = "only-for-tests"

# Close what is open, saved or not, and open another notebook; a page that was loaded anew has its commands only then.
OPEN = """async (name) => {
    await window.jupyterapp.restored;
    const { commands, shell } = window.jupyterapp;
    for (const open of [...shell.widgets("main")]) {
        if (open.context) open.context.model.dirty = false;
        open.close();
    }
    await commands.execute("docmanager:open", { path: name, factory: "Notebook" });
    document.activeElement?.blur();
}"""


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
    """A Jupyter server of its own in a folder, with nothing of the user's settings; `variables` of its environment.

    Its kernels are `warm`, forked from a process that has imported what they import, where the system forks.
    """

    def __init__(self, app, folder, warm=True, **variables):
        self.folder, self.port, self.app = folder, free_port(), app
        self.origin = f"http://127.0.0.1:{self.port}"
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
            "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"), "JUPYTER_PATH": str(own / "warm"),
            "PYTHONPATH": os.pathsep.join([sources, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
        } | variables  # fmt: skip
        python = os.environ.get("NOTEBOOK_SNE_BROWSER_PYTHON", sys.executable)
        command = [
            python, "-m", app, "--no-browser", "--allow-root",
            f"--port={self.port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}",
            f"--ServerApp.root_dir={folder}",
        ]  # fmt: skip
        if app == "jupyterlab":
            command.append("--LabApp.expose_app_in_browser=True")  # for `show`
        self.log = open(folder / "server.log", "w")
        self.forks = None
        if warm and hasattr(os, "fork"):
            self.warm(python, own, environment)
        self.process = subprocess.Popen(
            command, env=environment, stdout=self.log, stderr=self.log, start_new_session=True, cwd=folder
        )
        self.wait_until_up()

    def warm(self, python, own, environment):
        """Start the process that forks kernels, and describe to Jupyter how to ask it for one."""
        self.warmth = Path(tempfile.mkdtemp(prefix="nsne-"))  # the name of a socket has to be short
        address = str(self.warmth / "socket")
        spec = own / "warm" / "kernels" / "python3"
        spec.mkdir(parents=True)
        argv = [python, "-S", str(Path(__file__).with_name("warm_kernels.py")), address, "{connection_file}"]
        (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
        with socket.socket(socket.AF_UNIX) as ear:  # listens at once: what asks before all is imported waits
            ear.bind(address)
            ear.listen(64)
            command = [python, "-m", "tests.browser.warm_kernels"]
            self.forks = subprocess.Popen(
                command, env=environment, stdin=ear, stdout=self.log, stderr=self.log, start_new_session=True,
                cwd=self.folder,
            )  # fmt: skip

    def wait_until_up(self):
        def up():
            with suppress(OSError):
                return self.process.poll() is not None or self.ask("status")

        if not until(up) or self.process.poll() is not None:
            raise RuntimeError("Jupyter did not start:\n" + (self.folder / "server.log").read_text()[-3000:])

    def ask(self, what, method="GET"):
        """Ask the server's interface, and return the answer's text."""
        request = urllib.request.Request(f"{self.origin}/api/{what}?token={TOKEN}", method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read()

    def address(self, name):
        page = "doc" if self.app == "jupyterlab" else "notebooks"
        tree = f"{page}/tree/{name}" if page == "doc" else f"{page}/{name}"
        return f"{self.origin}/{tree}?token={TOKEN}" + ("&reset" if page == "doc" else "")

    def show(self, page, name):
        """Open a notebook on a page: within the JupyterLab that is open there, which takes a third of the time."""
        if page.url.startswith(self.origin) and page.evaluate("Boolean(window.jupyterapp)"):
            page.evaluate(OPEN, name)
        else:
            page.goto(self.address(name))

    def sessions(self):
        return json.loads(self.ask("sessions"))

    def end_sessions(self):
        """End the kernels of earlier tests."""
        end(self, self.sessions())

    def forget_sessions(self):
        """End the kernels of earlier tests, while the next one begins."""
        threading.Thread(target=end, args=(self, self.sessions()), daemon=True).start()

    def restart_kernel(self, name):
        """Restart the kernel of a notebook behind the page's back, as another window does."""
        (kernel,) = [session["kernel"]["id"] for session in self.sessions() if session["path"] == name]
        self.ask(f"kernels/{kernel}/restart", "POST")

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
        if self.forks is not None:
            self.forks.kill()
            self.forks.wait()
            shutil.rmtree(self.warmth)
        self.log.close()


def end(jupyter, sessions):
    for session in sessions:
        with suppress(urllib.error.HTTPError):  # it has ended by itself
            jupyter.ask(f"sessions/{session['id']}", "DELETE")


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
