import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from notebook_sne.datasets import downloads


@pytest.fixture
def real_data():
    """real_data("mnist") is that folder of real data; the test is skipped where there is none."""

    def folder(name):
        named = os.environ.get("NOTEBOOK_SNE_DATA")
        if not named:
            pytest.skip("the environment variable NOTEBOOK_SNE_DATA is not set")
        if not (Path(named) / name).is_dir():
            pytest.skip(f"the folder that NOTEBOOK_SNE_DATA names has no folder {name}")
        return Path(named) / name

    return folder


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty cache folder, and no folder of real data."""
    monkeypatch.delenv("NOTEBOOK_SNE_DATA", raising=False)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")
    monkeypatch.setattr(downloads, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


class _Handler(SimpleHTTPRequestHandler):
    def end_headers(self):
        if self.path.startswith("/unpacked-on-the-way"):
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()

    def log_message(self, *_):
        pass


class Site:
    """A web site on this machine: what is written into its folder is published at its address."""

    def __init__(self, folder, port):
        self.folder = folder
        self.address = f"http://127.0.0.1:{port}/"

    def publish(self, path, content):
        """Write a file; return its address."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return self.address + path


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield Site(folder, server.server_port)
        server.shutdown()
        thread.join()


@pytest.fixture
def publish(monkeypatch):
    """publish(key, *addresses, sha256=None) says in the table of files where one is to be had."""

    def put(key, *addresses, sha256=None):
        monkeypatch.setitem(downloads.REMOTE_FILES, key, downloads.RemoteFile(addresses, sha256, "a test file"))

    return put


@pytest.fixture
def nowhere():
    """The address of a server that refuses every connection: nobody listens on port 1."""
    return "http://127.0.0.1:1/"
