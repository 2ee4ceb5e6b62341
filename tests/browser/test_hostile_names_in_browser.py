"""Names, labels and titles from anybody's data in a live notebook: texts that run nothing and break nothing."""

import pytest

from tests.browser.pages import errors_in

pytestmark = pytest.mark.browser

PREPARE = r"""
import numpy as np
import notebook_sne as ns
from itertools import islice
from types import SimpleNamespace
from tests.standins import Drifting
from notebook_sne.engine.runs.recording import Recording
N = 60
nasty = [
    "<img src=x onerror='window.hacked=1'>", "</script><script>window.hacked=2</script>",
    "<svg onload=window.hacked=3>",
    "<a href='javascript:window.hacked=4'>here</a>", "&lt;b&gt;bold&lt;/b&gt;", "<style>*{display:none}</style>",
    "${window.hacked=5}", "`);window.hacked=6;(`", "\u202eright to left\u2066",
    "lone \ud800 surrogate", "another \udc80",
    "nul \0 inside", "line\nbreak\ttab\r",
    "\u2028\u2029", "👩‍👩‍👧‍👦🏳️‍🌈", "__proto__", "constructor", "toString", " ",
    "z" + "\u0301" * 400, "x" * 10_000, "many words " * 1_000,
    "'\"<>&", "]]>--><!--", "\ufeff\u200b\u200d",
]
names = nasty + [f"{i} {nasty[i % len(nasty)]}" for i in range(len(nasty), N)]
labels = [nasty[i % 20] for i in range(N)]  # of more than 24 there is no legend
title = " ".join(nasty[:20])
X = np.zeros((N, 2))
"""
PLAYER = "player = ns.watch(Drifting(), X, labels=labels, names=names, title=title); player"
COMPARE = "ns.compare({title: Drifting(), title + '2': Drifting()}, X, labels=labels, names=names)"
REPLAY = r"""
recording = Recording()
for state in islice(Drifting().iterate(X), 40):
    recording.add(state)
recording.describe(labels=labels, names=names, title=title)
ns.replay(recording)"""
EXPLORER = r"""
rng = np.random.default_rng(4)
mixing = rng.random((3, N))
model = SimpleNamespace(maps_=rng.normal(0, 3, (3, N, 2)), mixing_=mixing / mixing.sum(axis=0))
ns.explore(model, names, title=title, word=20)"""


@pytest.fixture
def begin(open_notebook, page, lab):
    """Run a cell in JupyterLab; after the test nothing of the data's has run, was asked for, or stands out."""
    errors, asked = errors_in(page), []
    page.on("request", lambda request: asked.append(request.url))
    opened = []

    def open_one(cell):
        notebook = open_notebook(lab, [PREPARE, cell, "print('alive')"], run=2)
        opened.append(notebook)
        return notebook

    yield open_one
    (notebook,) = opened
    output = notebook.cell(1).locator(".jp-OutputArea-child").last
    assert page.evaluate("window.hacked") is None
    assert not errors
    own = (f"http://127.0.0.1:{lab.port}/", "data:", "blob:")
    assert not [url for url in asked if not url.startswith(own) or url.endswith("/x")]
    inside = output.locator(".nsne-player, .nsne-explorer")
    assert inside.locator("img, script, style, a, b, i").count() == 0
    for k in range(inside.count()):
        assert fits(inside.nth(k)) == []
    notebook.run(2)
    assert notebook.output(2) == "alive"


def fits(root):
    """What stands out of a view, or makes it very high: nothing."""
    return root.evaluate(
        """root => {
            const box = root.getBoundingClientRect();
            const out = [...root.querySelectorAll("*")].filter((e) => {
                const r = e.getBoundingClientRect();
                if (!r.width || !r.height || getComputedStyle(e).clipPath !== "none") return false;
                const clipped = e.closest("svg, aside, .nsne-e-tiles, [role=listbox], .nsne-classes");
                return !clipped && (r.right > box.right + 2 || r.left < box.left - 2);
            });
            const most = root.matches(".nsne-player") ? 900 : 3200;
            return [...out.map((e) => e.className), ...(box.height > most ? [`height ${box.height}`] : []),
                ...(root.scrollWidth > root.clientWidth + 2 ? [`width ${root.scrollWidth}`] : [])];
        }"""
    )


UNCUT = "card => [...card.querySelectorAll('div')].every((part) => part.scrollHeight <= part.clientHeight + 1)"


def walk(view):
    """Go through what a reader does: the card of objects, the search, a selection, the springs, a saved drawing."""
    page = view.page
    view.root.focus()
    for _ in range(24):
        page.keyboard.press("n")
        assert view.part("card").is_visible() and view.part("card").inner_text()
        assert view.part("card").evaluate(UNCUT)
        assert fits(view.root) == []
    page.keyboard.press("Enter")
    view.until(lambda v: v.read("selected") == "1")
    for text in ("<img", "</script>", "nul \0", "👩", "proto", "lone", "xxxxxxxx", "many words many"):
        view.control("search").fill(text)
        view.until(lambda v: v.part("search-results").locator("[role=option]").count() > 0)
        assert view.part("search-results").locator("[role=option]").last.bounding_box()["height"] < 100
        assert fits(view.root) == []
        page.keyboard.press("Enter")
        assert fits(view.root) == []
    page.keyboard.press("Escape")


def test_a_player_of_hostile_names_shows_them_as_texts(begin):
    notebook = begin(PLAYER)
    view = notebook.player(1)
    view.until_status("finished")
    assert "onerror" in view.part("title").inner_text() and "</script>" in view.part("legend").inner_text()
    walk(view)
    view.control("legend").nth(3).click()
    view.press("hide-labels")
    view.until(lambda v: not v.part("legend").is_visible())
    view.press("hide-labels")
    assert view.saved("svg")[0].endswith(".svg")
    view.root.press("m")
    view.until(lambda v: v.read("compact") == "true")
    assert fits(view.root) == []


def test_a_comparison_of_hostile_names_shows_them_as_texts(begin):
    notebook = begin(COMPARE)
    players = notebook.cell(1).locator(".nsne-player:not(.nsne-transport)")
    players.nth(1).wait_for()
    for k in (0, 1):
        view = type(notebook.player(1))(notebook.page, players.nth(k))
        view.until_status("finished")
        assert "onerror" in view.part("title").inner_text()


def test_a_replay_of_hostile_names_shows_them_as_texts(begin):
    notebook = begin(REPLAY)
    view = notebook.player(1)
    view.until(lambda v: v.read("film") == "40")
    assert "onerror" in view.part("title").inner_text()
    walk(view)


def test_an_explorer_of_hostile_words_shows_them_as_texts(begin):
    notebook = begin(EXPLORER)
    root = notebook.cell(1).locator(".nsne-explorer")
    root.wait_for()
    page = notebook.page
    search = root.locator("[data-control='search']")
    for text in ("<img", "</script>", "__proto__", "constructor", "xxxx", "👩"):
        search.fill(text)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert root.get_attribute("data-word")
        assert fits(root) == []
    root.locator("[data-control='map']").first.click()
    assert root.locator("[data-part='whole-map']").is_visible()
    search.fill("<script>window.hacked=7</script>")
    page.keyboard.press("Enter")
