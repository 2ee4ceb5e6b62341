"""A page is one file that holds everything, takes no text for markup, and lets nothing run but its own script."""

import base64
import hashlib
import json
import os
import re
import zlib
from html.parser import HTMLParser
from itertools import islice

import numpy as np
import pytest

from notebook_sne.browser.frontend import film_page as film_page_module
from notebook_sne.browser.frontend import page as page_text
from notebook_sne.browser.frontend.bundle import EXPLORER_MODULES, FOLDER, PLAYER_MODULES, join_modules, scope_of
from notebook_sne.browser.frontend.film import pack_film
from notebook_sne.browser.frontend.film_page import axes_note
from notebook_sne.browser.frontend.page import write_page
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.objects import traits as traits_module
from notebook_sne.engine.runs.recording import Recording
from tests.standins import Drifting

HOSTILE = [
    "</script><img src=x onerror='window.hacked=1'>",
    "</title><script>window.hacked=1</script>",
    "<!--<script>",
    "]]> &lt; &amp; \" ' ` ${window.hacked=1}",
    "\u202egnirts\u2066 \u200f",
    "a\x00b\u2028c\u2029d",
    "half \ud83d of a pair, and the other \ude00",
    "ünïcödé 数字 😀",
]


class Reader(HTMLParser):
    """The elements of a page: their names and attributes, and the text inside each."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append([tag, dict(attributes), ""])
        self.inside = True

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.elements and self.inside:
            self.elements[-1][2] += data

    def find(self, tag, **wanted):
        (found,) = [e for e in self.elements if e[0] == tag and wanted.items() <= e[1].items()]
        return found


def read(path):
    return Reader(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("kind", "modules"), [("film", PLAYER_MODULES), ("explorer", EXPLORER_MODULES)])
def test_a_page_holds_the_module_of_the_notebook_and_needs_nothing_else(tmp_path, kind, modules):
    page = read(write_page(tmp_path / "a.html", kind=kind, traits={"key": "k"}, title="A map"))
    assert page.find("html")[1]["lang"] == "en" and page.find("title")[2] == "A map"
    assert "width=device-width" in page.find("meta", name="viewport")[1]["content"]
    assert "Allow scripts" in page.find("noscript")[2]
    script = page.find("script", type="module")[2]
    notebooks, own = join_modules(*modules), (FOLDER / modules[-1]).read_text(encoding="utf-8")
    begin = notebooks.rindex("\n})();\n")  # there the last module begins, which exports what the page shows
    assert notebooks[:begin] in script and own.splitlines()[-1] in script
    assert f"\nopenPage({scope_of(modules[-1])}.default);" in script
    assert not re.search(r"^import ", script, re.MULTILINE)
    for tag, attributes, _ in page.elements:
        assert "src" not in attributes and not any(name.startswith("on") for name in attributes), tag
        assert attributes.get("href", "data:,").startswith("data:,"), tag
    assert {tag for tag, _, _ in page.elements} == {
        "html", "head", "meta", "link", "title", "style", "body", "main", "noscript", "script",
    }  # fmt: skip


def test_the_policy_names_the_checksums_of_what_is_there_and_allows_nothing_else(tmp_path):
    page = read(write_page(tmp_path / "a.html", kind="film", traits={}, title="x"))
    policy = page.find("meta", **{"http-equiv": "Content-Security-Policy"})[1]["content"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))

    def checksum(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules["script-src"] == checksum(page.find("script", type="module")[2])
    assert rules["style-src"] == checksum(page.find("style")[2])
    for name in ("default-src", "connect-src", "base-uri", "form-action"):
        assert rules[name] == "'none'"
    assert "unsafe" not in policy and rules["img-src"] == "data: blob:"
    names = [tag for tag, _, _ in page.elements]
    before = page.elements[: names.index("style")]
    assert any(attributes.get("http-equiv") for _, attributes, _ in before)  # it holds for what comes after it


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
def test_hostile_text_arrives_as_it_was_and_is_no_markup(tmp_path, text):
    traits = {"title": text, "names": [text, text + "2"], "marks": [{"text": text, text: 1}]}
    path = write_page(tmp_path / "a.html", kind="film", traits=traits, title=text)
    page = read(path)
    data = page.find("script", type="application/json")[2]
    assert json.loads(data)["traits"] == traits
    assert data.isascii() and not set(data) & set("<>&")
    assert sum(tag == "script" for tag, _, _ in page.elements) == 2
    assert not any(tag == "img" for tag, _, _ in page.elements)
    title = page.find("title")[2]
    assert title and not re.search("[\x00\ud800-\udfff\u202e\u2066]", title)
    for word in ("window.hacked", "ünïcödé"):
        assert (word in title) == (word in text)


def test_bytes_and_numbers_arrive(tmp_path):
    traits = {
        "classes": bytes(range(256)), "images": b"", "film": b"", "cost": float("inf"),
        "present": {"jitter": float("nan")}, "value_range": [0.1, 2.0], "iteration": None, "live": False,
    }  # fmt: skip
    page = read(write_page(tmp_path / "a.html", kind="film", traits=traits, title="x"))
    data = json.loads(page.find("script", type="application/json")[2])
    packed = {name: zlib.decompress(base64.b64decode(value)) for name, value in data["bytes"].items()}
    assert packed == {"classes": bytes(range(256)), "images": b"", "film": b""} and "film" not in data
    assert data["traits"] == {
        "cost": None, "present": {"jitter": None}, "value_range": [0.1, 2.0], "iteration": None, "live": False
    }  # fmt: skip


def test_a_page_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "a.html"
    path.write_text("what was there before")
    with monkeypatch.context() as patch, pytest.raises(OSError, match="disk is full"):

        def fail(file):
            raise OSError("the disk is full")

        patch.setattr(os, "fsync", fail)
        write_page(path, kind="film", traits={}, title="x")
    assert path.read_text() == "what was there before" and os.listdir(tmp_path) == ["a.html"]
    with pytest.raises(TypeError):
        write_page(path, kind="film", traits={"marks": [object()]}, title="x")
    assert path.read_text() == "what was there before" and os.listdir(tmp_path) == ["a.html"]
    assert write_page(str(path), kind="film", traits={}, title="x") == path.resolve()
    assert path.read_text().startswith("<!DOCTYPE html>") and os.listdir(tmp_path) == ["a.html"]


def test_bad_input_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"kind must be one of film, live, explorer, .*, .*, got 'song'"):
        write_page(tmp_path / "a.html", kind="song", traits={}, title="x")
    assert read(write_page(tmp_path / "b.html", kind="film", traits={}, title=" \n")).find("title")[2] == "notebook_sne"


def test_a_module_that_would_end_its_script_is_refused(tmp_path, monkeypatch):
    for text in ("const a = '</SCRIPT>';", "// <!-- "):
        monkeypatch.setattr(page_text.bundle, "join_modules", lambda *names, text=text: text)
        with pytest.raises(ValueError, match="nothing that ends or hides a script"):
            write_page(tmp_path / "a.html", kind="film", traits={}, title="x")


# ---- films ----


def recorded(n_objects=12, iterations=30, **more):
    recording = Recording()
    for state in islice(Drifting(**more).iterate(np.zeros((n_objects, 3))), iterations + 1):
        recording.add(state)
    return recording


def data_of(path):
    data = json.loads(read(path).find("script", type="application/json")[2])
    packed = {name: zlib.decompress(base64.b64decode(value)) for name, value in data["bytes"].items()}
    if "film" in data:
        begin, stride = data["film"]["begin"], data["film"]["stride"]
        steps = np.frombuffer(packed["film"], "<i2", offset=begin).reshape(-1, stride)
        packed["film"] = packed["film"][:begin] + np.cumsum(steps, axis=0, dtype="<i2").tobytes()
    return data["traits"], packed


def test_a_film_arrives_as_it_was_packed(tmp_path):
    recording = recorded(iterations=300)
    traits, packed = data_of(recording.to_html(tmp_path / "a.html", frames=40))
    assert packed["film"] == pack_film(recording, most_frames=40)
    assert (traits["live"], traits["status"], traits["iteration"]) == (False, "recorded", 300)
    assert traits["marks"][0]["kind"] == "start" and traits["n_objects"] == 12 and traits["model_name"] == "Drifting"
    trace = np.frombuffer(packed["trace"], "<f8").reshape(-1, 2)
    assert trace[:, 0].tolist() == list(range(301))  # all that is known of the cost, not only at the frames


def test_a_film_knows_of_the_objects_what_is_recorded_or_given(tmp_path):
    recording = recorded().describe(
        labels=list("ab") * 6, values=range(12), names=[f"n{i}" for i in range(12)], title="recorded",
        images=np.arange(48).reshape(12, 2, 2), neighbors=[[(i + 1) % 12] for i in range(12)],
    )  # fmt: skip
    path = recording.to_html(tmp_path / "a.html")
    traits, packed = data_of(path)
    assert read(path).find("title")[2] == traits["title"] == "recorded"
    assert traits["class_names"] == ["a", "b"] and traits["value_range"] == [0, 11] and traits["names"][2] == "n2"
    assert np.frombuffer(packed["neighbors"], "<u4").tolist() == [*range(1, 12), 0]
    assert traits["has_images"] and traits["image_size"] == [2, 2] and len(packed["images"]) == 48
    traits, _ = data_of(recording.to_html(path, labels=["c"] * 12, names=range(12), title="given"))
    assert traits["class_names"] == ["c"] and traits["names"][2] == "2" and traits["title"] == "given"
    assert traits["value_range"] == [0, 11]
    assert read(recorded().to_html(path)).find("title")[2] == "Drifting: a map of 12 objects"


def test_a_film_with_hostile_text_can_be_written(tmp_path):
    names = [f"{i} {text}" for i, text in enumerate(HOSTILE)]
    recording = recorded(n_objects=len(HOSTILE)).describe(names=names, labels=HOSTILE, title=HOSTILE[-2])
    path = recording.to_html(tmp_path / "a.html", names=names)
    traits, _ = data_of(path)
    assert traits["names"] == names and traits["title"] == HOSTILE[-2] and set(traits["class_names"]) == set(HOSTILE)
    assert sum(tag == "script" for tag, _, _ in read(path).elements) == 2


def test_a_page_of_2000_objects_and_100_frames_is_below_1_5_megabytes(tmp_path):
    rng = np.random.default_rng(0)
    recording = recorded(n_objects=2000, iterations=120)
    jitter = rng.normal(size=(121, 1, 2000, 2))  # harder to compress than any run: without it these maps are smooth
    noisy = Recording()
    for k, frame in enumerate(recording.frames):
        Y = frame.Y + jitter[k] * (0.2 if k else 1)
        noisy.add(State(k, "drift", 1.0, 1.0, Y, None, 1.0, {"learning_rate": 0.1, "momentum": 0.8}, "Drifting", {}))
    noisy.describe(
        labels=rng.integers(0, 10, 2000), names=[f"handwritten digit number {i}" for i in range(2000)],
        neighbors=(np.arange(2000)[:, None] + np.arange(1, 9)) % 2000,
    )  # fmt: skip
    path = noisy.to_html(tmp_path / "a.html")
    film = data_of(path)[1]["film"]
    assert len(json.loads(film[4 : 4 + int.from_bytes(film[:4], "little")])["frames"]) == 100
    assert path.stat().st_size < 1_500_000


def test_a_film_that_cannot_be_shown_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.html"
    with pytest.raises(ValueError, match="recording must hold something to show, but nothing is recorded yet"):
        Recording().to_html(path)
    with pytest.raises(ValueError, match="names must hold one entry for each of the 12 objects, got 3"):
        recorded().to_html(path, names=list("abc"))
    with pytest.raises(ValueError, match="labels must hold one entry for each of the 12 objects, got 3"):
        recorded().to_html(path, labels=[1, 2, 3])
    monkeypatch.setattr(traits_module, "MOST_IMAGE_BYTES", 40)
    with pytest.raises(ValueError, match=r"at most 40 bytes in all here, .* got 12 of 2 x 2 = 48; give smaller ones"):
        recorded().to_html(path, images=np.zeros((12, 2, 2)))
    assert not path.exists()


def test_a_film_too_long_for_a_page_has_fewer_frames(tmp_path, monkeypatch):
    monkeypatch.setattr(film_page_module, "MOST_FILM_BYTES", 4000)
    _, packed = data_of(recorded(iterations=60).to_html(tmp_path / "a.html"))
    assert len(packed["film"]) <= 4000


def test_what_is_drawn_of_more_than_two_coordinates_is_said(tmp_path):
    traits, _ = data_of(recorded(n_components=3).to_html(tmp_path / "a.html"))
    assert traits["axes_note"] == "first 2 of 3 coordinates"
    assert axes_note(np.zeros((2, 5, 2))) == "map 1 of 2" and axes_note(np.zeros((1, 5, 2))) == ""
