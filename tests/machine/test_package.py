"""The package in a zip: it finds its own files there, and shows and writes what it does elsewhere."""

import zipfile
from pathlib import Path

import pytest

import notebook_sne
from tests.standins.process import printed

pytestmark = pytest.mark.slow
PACKAGE = Path(notebook_sne.__file__).parent
USE = """
import sys
sys.path.insert(0, sys.argv[1])
import notebook_sne as ns
assert ns.__file__.startswith(sys.argv[1]), ns.__file__

words = ns.datasets.load_common_words()
assert [len(getattr(ns.datasets, f"load_{name}")()) for name in ("mnist_5000", "docstrings")] == [5000, 2000]
assert len(ns.datasets.load_word_relations())
player = ns.watch(ns.SNE(perplexity=3, max_iter=2, progress=False), words.X[:12], names=words.names[:12])
for live in (False, True):
    page = player.to_html(sys.argv[2] + "/page.html", live=live)
    print(page.stat().st_size)
player.select("x > y")
ns.replay(player.run.recording)
print(sorted(player._repr_mimebundle_()))
player.discard()

from notebook_sne.cli.errors import CommandError
from notebook_sne.cli.tutorials import tutorials_folder
from notebook_sne.course.teaching import told_of
from notebook_sne.browser.jupyter import settings
from notebook_sne.engine.machine import compiled
print(told_of(1), settings().keys(), compiled.folder())
try:
    tutorials_folder()
except CommandError as error:
    print(error)
"""


def archive(place, more=b""):
    """Write the package as a zip, with a comment at the end of one module."""
    with zipfile.ZipFile(place, "w") as file:
        for path in sorted(PACKAGE.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                extra = more if path.name == "stored_pairs.py" else b""
                file.writestr(f"notebook_sne/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes() + extra)
    return place


@pytest.fixture(scope="module")
def used(tmp_path_factory):
    """Return what the program above prints, out of two zips that differ in one module."""
    folder = tmp_path_factory.mktemp("zip")
    # Compiled by Python alone: what is compiled for a processor is kept elsewhere, and asked for below.
    places = [archive(folder / "one.zip"), archive(folder / "two.zip", b"\n# changed\n")]
    return [printed(USE, place, folder, NUMBA_DISABLE_JIT="1").splitlines() for place in places]


def test_a_player_is_shown_and_written_out_of_a_zip(used):
    film, live, shown, *_ = used[0]
    assert int(film) > 100_000 and int(live) > int(film) + 150_000
    assert "text/html" in shown and "widget-view" in shown
    assert "cannot be read out of" in used[0][-1] and "install notebook_sne in a folder" in used[0][-1]


def test_code_that_was_compiled_out_of_another_zip_is_not_taken(used):
    one, two = (lines[-2].split()[-1] for lines in used)
    assert one != two, "the sources in the zip are not looked at"
