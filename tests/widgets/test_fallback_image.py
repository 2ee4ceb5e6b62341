"""What a widget leaves where it cannot live: a still picture, its caption, and a word for it."""

import base64
import io
import re
import zlib
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import notebook_sne as ns
from notebook_sne.browser.widgets import fallback_image as still_module
from notebook_sne.browser.widgets import shared
from notebook_sne.browser.widgets.explorer_maps import pack_maps
from notebook_sne.engine.objects.region_pairs import RegionPairs
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.run import Run
from notebook_sne.views import palette
from tests.standins import Drawing, Drifting, until

pytestmark = pytest.mark.usefixtures("no_thread_is_left")
X = np.zeros((12, 3))
WIDGET = "application/vnd.jupyter.widget-view+json"
HOSTILE = "<img src=x onerror=alert(1)>\"'</div><script>\ud800\x00"


@pytest.fixture
def published(monkeypatch):
    """What reaches the notebook's outputs."""
    messages = []

    def publish(data, metadata=None, *, transient=None, update=False):
        messages.append(SimpleNamespace(data=data, id=(transient or {}).get("display_id"), update=update))

    monkeypatch.setattr(still_module, "publish_display_data", publish)
    return messages


class Parts(HTMLParser):
    """The elements, attributes and texts of some HTML."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts, self.images, self.signs = [], set(), [], [], []
        self.feed(text)
        self.text = "".join(self.texts)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attributes}
        if tag == "img":
            kind, data = re.fullmatch(r"data:image/(\S+);base64,(.*)", dict(attributes)["src"]).groups()
            alt = dict(attributes)["alt"]
            (self.signs if len(alt) == 1 else self.images).append((kind, base64.b64decode(data), alt))

    def handle_data(self, data):
        if self.tags[-1] != "style":
            self.texts.append(data)

    def handle_endtag(self, tag):
        if tag == "style":
            self.tags.append("/style")


def still_of(widget):
    return Parts(widget._repr_mimebundle_()["text/html"])


def finished(**more):
    player = ns.watch(Drifting(max_iter=30), X, **more)
    assert until(lambda: player.status == "finished" and player.snapshot)
    return player


def colors_in(picture):
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    return {"#%02x%02x%02x" % color for _, color in image.getcolors(2**24)}  # noqa: UP031


def fitted_words(n=8):
    rng = np.random.default_rng(0)
    mixing = rng.dirichlet(np.ones(3), n).T
    return SimpleNamespace(maps_=rng.normal(size=(3, n, 2)), mixing_=mixing, cost_=1.5)


def test_a_bundle_holds_the_live_view_a_picture_of_the_map_and_words():
    player = finished(labels=np.arange(12) % 3, title="points")
    bundle = player._repr_mimebundle_()
    assert bundle[WIDGET]["model_id"] == player.model_id
    assert (
        bundle["text/plain"] == repr(player) == f"Player of Drifting, step 30, cost {player.cost:.4g} nats, 12 objects"
    )
    parts = still_of(player)
    ((kind, picture, alt),) = parts.images
    assert kind == "png" and {palette.color(k) for k in range(3)} <= colors_in(picture)
    for words in ("points", f"Drifting, step 30, cost {player.cost:.4g} nats, 12 objects", "Run the cell again"):
        assert words in parts.text
    assert "step 30" in alt
    player.close()


def test_before_the_first_map_there_are_words_only(published):
    finished().close()  # never shown, it publishes nothing
    player = ns.Player(Run(Drifting(), X))
    player._ipython_display_()
    parts = Parts(published[0].data["text/html"])
    assert not parts.images and "Drifting, 12 objects, no map yet" in parts.text
    player.close()


def test_labels_that_are_hidden_are_not_in_the_still():
    player = finished(labels=["secret", "other"] * 6, hide_labels=True)
    parts = still_of(player)
    assert "secret" not in parts.text and palette.PLAIN in colors_in(parts.images[0][1])
    assert not {palette.color(0), palette.color(1)} & colors_in(parts.images[0][1])
    player.hide_labels = False
    assert "secret" in still_of(player).text
    player.color = "none"
    assert "secret" not in still_of(player).text
    player.close()


@pytest.mark.slow
def test_the_legend_keeps_its_colors_where_text_has_none_and_where_the_page_is_dark():
    player = finished(labels=np.arange(12))
    parts = still_of(player)
    assert [alt for _, _, alt in parts.signs[:8]] == ["●", "■", "▲", "◆", "▼", "✚", "★", "●"]
    assert len(parts.signs) == 12
    for k, (_, sign, _) in enumerate(parts.signs):
        assert {palette.color(k), palette.GROUND} <= colors_in(sign)  # on a ground of its own
    player.close()


def test_values_and_their_range_are_in_the_still():
    player = finished(values=np.arange(12.0))
    parts = still_of(player)
    assert {palette.VIRIDIS[0], palette.VIRIDIS[-1]} <= colors_in(parts.images[0][1])
    assert re.search(r"0\s+11", parts.text)
    assert [alt for _, _, alt in parts.signs] == ["●", "●"]
    for (_, sign, _), end in zip(parts.signs, (0, -1), strict=True):
        assert palette.VIRIDIS[end] in colors_in(sign)
    player.close()


def test_lines_between_regions_are_in_the_still_as_long_as_the_view_shows_them():
    pairs = RegionPairs(("a", HOSTILE), np.arange(12) % 2, np.array([[6, 3, 1]], dtype=np.uint32))
    player = finished(certainty=pairs)
    player.snapshot, player.snapshot_step = np.tile([-1, 0, 1, 0], 6).astype("<f4").tobytes(), None
    kind, content, words = still_of(player).images[0]
    title, *_ = [found.text for found in ElementTree.fromstring(content).iter("{http://www.w3.org/2000/svg}title")]
    assert kind == "svg+xml" and title.endswith("are joined in 6 of 10 fits, neighbors in 3, apart in 1")
    assert "dashed line: joined in some of 10 fits: in how many" in words and "dashed line" in still_of(player).text
    assert b"<script>" not in content
    player.show_pairs = False
    assert still_of(player).images[0][0] == "png" and "dashed" not in still_of(player).text
    player.show_pairs = player.hide_labels = True  # a line would tell of the labels
    assert still_of(player).images[0][0] == "png"
    player.close()


def test_maps_that_are_not_finite_have_no_picture_but_their_words():
    player = ns.watch(Drifting(infinite_at=5), X)
    assert until(lambda: player.status == "error")
    player.snapshot, player.snapshot_step = np.full((12, 2), np.nan, "<f4").tobytes(), None
    assert not still_of(player).images and "12 objects" in still_of(player).text
    player.close()
    explorer = ns.explore(fitted_words(2), ["a", "b"], word="a", threshold=0.01)
    assert still_of(explorer).images
    explorer.snapshot = pack_maps(np.full((3, 2, 2), np.nan), None)
    assert not still_of(explorer).images and "the word a" in still_of(explorer).text


def test_names_from_anybody_add_no_element():
    player = finished(labels=[HOSTILE, "b", "c"] * 4, title=HOSTILE)
    explorer = ns.explore(fitted_words(3), [HOSTILE.replace("\x00", ""), "b", "c"], title=HOSTILE, threshold=0.01)
    grid = ns.compare({HOSTILE: player, "two": ns.Player(Run(Drifting(), X), title=HOSTILE)})
    for widget in (player, explorer, grid):
        parts = still_of(widget)
        allowed = {"div", "style", "/style", "p", "b", "br", "img", "span", "small", "table", "tr", "td"}
        assert set(parts.tags) <= allowed
        assert parts.attributes <= {"class", "style", "src", "width", "height", "alt"}
        assert "<script>" in parts.text
        widget._repr_mimebundle_()["text/html"].encode()  # no half of a character is left
    grid.close()


def test_the_still_and_the_live_view_are_two_outputs_and_only_the_still_is_replaced(published):
    player = ns.watch(Drifting(max_iter=30, seconds=0.01), X)
    player._ipython_display_()
    still, live = published[:2]
    assert WIDGET not in still.data and not still.update and not live.update
    assert live.data[WIDGET]["model_id"] == player.model_id and "text/html" not in live.data and live.id is None
    assert until(lambda: player.status == "finished" and "step 30" in published[-1].data["text/plain"])
    assert all(message.update and message.id == still.id and WIDGET not in message.data for message in published[2:])
    n = len(published)
    player.hide_labels = True  # there is no label to hide: nothing has changed until the step
    player.run.steps(1)
    assert until(lambda: "step 31" in published[-1].data["text/plain"])
    assert not any("step 30" in message.data["text/plain"] for message in published[n:])
    player.close()


def test_while_a_run_goes_on_stills_are_rare_and_only_while_a_page_is_open(published, monkeypatch):
    for name in ("GOING", "FIRST"):
        monkeypatch.setattr(still_module, name, 1e9)
    player = ns.watch(Drifting(max_iter=10**6, seconds=0.001), X)
    player._ipython_display_()
    n = len(published)
    assert until(lambda: player.run.state and player.run.state.iteration > 300) and len(published) == n
    monkeypatch.setattr(still_module, "GOING", 0.0)
    assert until(lambda: len(published) > n)
    monkeypatch.setattr(still_module, "SILENT", -1.0)
    n, at = len(published) + 1, player.run.state.iteration  # one may be under way
    assert until(lambda: player.run.state.iteration > at + 300) and len(published) <= n
    player.close()
    assert until(lambda: f"step {player.run.state.iteration}," in published[-1].data["text/plain"])


def test_the_caption_describes_the_map_that_is_drawn():
    player = finished()
    player.iteration, player.cost = 99, 1e9  # as of a run that has gone on since
    assert "step 30," in still_of(player).text
    player.close()


def test_a_replay_has_a_still_of_its_last_map(published):
    recording = Recording()
    for state in Drifting(n_components=1).iterate(X):
        recording.add(state)
        if state.iteration == 20:
            break
    view = ns.replay(recording.describe(labels=["secret"] * 12))
    assert still_of(view).images and "step 20" in repr(view) and repr(view).startswith("Replay of Drifting")
    view._ipython_display_()
    view.hide_labels = True
    assert published[-1].update and "secret" not in published[-1].data["text/html"]


def test_a_comparison_shows_the_stills_of_its_players(published):
    grid = ns.compare({"one": Drifting(max_iter=5), "two": Drawing(max_iter=7)}, X, columns=1)
    grid._ipython_display_()
    assert until(lambda: "step 5" in published[-1].data["text/plain"] and "step 7" in repr(grid))
    assert until(lambda: "step 7" in published[-1].data["text/plain"])
    # Its words may be newer than its pictures, while the runs go on.
    assert until(lambda: len(Parts(published[-1].data["text/html"]).images) == 2)
    assert Parts(published[-1].data["text/html"]).tags.count("tr") == 2
    assert {message.id for message in published if message.id} == {
        published[0].id
    }  # its players show none of their own
    assert grid.players["one"].key in published[0].data["text/html"]  # their views are its own
    grid.close()


def test_an_explorer_shows_the_maps_of_its_word_with_the_neighbors_names(published):
    names = ["bank", "money", "river", "water", "credit", "fund", "shore", "stream"]
    explorer = ns.explore(fitted_words(), names, word="bank", threshold=0.05)
    parts = still_of(explorer)
    holding = np.flatnonzero(fitted_words().mixing_[:, 0] > 0.05)
    assert len(parts.images) == len(holding)
    for kind, picture, alt in parts.images:
        drawn = [text.text for text in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]
        assert kind == "svg+xml" and drawn[0] == "bank" and set(drawn) <= set(names) and len(drawn) > 3
        assert "proportion" in alt and "money" in alt
    assert repr(explorer) == "Explorer of SimpleNamespace, cost 1.5 nats, 8 words, 3 maps, the word bank"
    explorer._ipython_display_()
    explorer.word = "river"
    assert published[-1].update and "the word river" in published[-1].data["text/plain"]
    explorer.word = None
    assert len(Parts(published[-1].data["text/html"]).images) == 3


def test_an_explorers_maps_are_numbered_as_in_the_live_view_and_in_the_model():
    model, names = fitted_words(), list("abcdefgh")
    explorer = ns.explore(model, names, word="c", threshold=0.01)
    order = np.argsort(-model.mixing_[:, 2])
    wanted = [f"Map {m}, proportion {model.mixing_[m, 2]:.2f}" for m in order]
    assert [alt.partition(":")[0] for _, _, alt in still_of(explorer).images] == wanted
    explorer.word = None
    assert [alt.partition(":")[0] for _, _, alt in still_of(explorer).images] == ["Map 0", "Map 1", "Map 2"]
    explorer.close()


@pytest.mark.slow
def test_an_explorers_neighbors_are_those_of_the_reading():
    words = ns.datasets.load_word_relations()
    model = ns.AspectMaps(n_maps=4, max_iter=20, input="probabilities", random_state=0).fit(words.P)
    explorer = ns.explore(model, words, word="bank", threshold=0.2)
    table = ns.senses.read(model, words, threshold=0.2, n_neighbors=12).copies("bank")
    shown = [alt.partition(": ")[2].split(", ") for _, _, alt in still_of(explorer).images]
    assert shown == [group["neighbor"].tolist() for _, group in table.groupby("map", sort=False)]


def test_many_maps_are_counted_where_not_all_are_shown():
    rng = np.random.default_rng(0)
    model = SimpleNamespace(maps_=rng.normal(size=(9, 5, 2)), mixing_=np.full((9, 5), 1 / 9))
    for word in (None, "a"):
        parts = still_of(ns.explore(model, list("abcde"), word=word, threshold=0.05))
        assert len(parts.images) == 6 and "the first 6 of 9 maps" in parts.text


@pytest.mark.slow
def test_seventy_thousand_objects_leave_a_small_still():
    view = ns.Player(Run(Drifting(), np.zeros((70_000, 2))), labels=np.arange(70_000) % 10)
    other = ns.Player(Run(Drifting(), np.zeros((70_000, 2))), values=np.arange(70_000) % 99)
    for shown in (view, other):
        shown.snapshot = np.random.default_rng(0).normal(size=(70_000, 2)).astype("<f4").tobytes()
        shown.snapshot_step = None
    for widget in (view, other, grid := ns.compare({"one": view, "two": other})):
        assert 20_000 < len(widget._repr_mimebundle_()["text/html"]) < 210_000
    grid.close()


def test_in_a_kernel_widgets_of_a_kind_carry_one_front_end_together(monkeypatch):
    monkeypatch.setattr(shared, "has_kernel", lambda: True)
    players = [finished() for _ in range(3)]
    fronts = {id(player._front) for player in players}
    assert len(fronts) == 1 and players[0]._front.comm is not None
    for player in players:
        assert "nsne-player" not in player._esm and len(player._esm) < 2500 and not hasattr(player, "_css")
        assert player.get_state()["_front"] == f"IPY_MODEL_{player._front.model_id}"
    front = players[0]._front
    texts = [zlib.decompress(base64.b64decode(packed)).decode() for packed in (front.code, front.style)]
    assert "export default" in texts[0] and ".nsne-player" in texts[1]
    players[0]._front.close()
    players.append(finished())
    assert players[-1]._front.comm is not None
    for player in players:
        player.discard()


def test_outside_a_kernel_each_widget_carries_its_own_front_end():
    player = finished()
    assert player._front is None and "nsne-player" in player._esm and ".nsne-player" in player._css
    player.close()


@pytest.mark.slow
def test_a_still_is_colored_by_a_column_and_says_by_which_and_what_is_missing():
    dates = np.array(["2020-01-01", "NaT", "2022-03-04"] * 4, dtype="datetime64[D]")
    columns = {"<kind>": [None, "x", "y"] * 4, "when": dates, "year": [1990, 2001, np.nan] * 4, "gone": [None] * 12}
    player = finished(columns=columns)
    player.color = "column:<kind>"
    parts = still_of(player)
    assert {palette.color(0), palette.color(1)} <= colors_in(parts.images[0][1])
    assert "<kind>:" in parts.text and "missing (4)" in parts.text and "unlabeled" not in parts.text
    for name, ends in (("when", r"2020-01-01\s+2022-03-04"), ("year", r"1990\s+2001")):
        player.color = f"column:{name}"
        parts = still_of(player)
        assert {palette.VIRIDIS[0], palette.VIRIDIS[-1]} <= colors_in(parts.images[0][1])
        assert re.search(rf"{name}:.*{ends}.*missing \(4\)", parts.text, re.DOTALL)
    player.hide_labels = True
    assert "year" not in still_of(player).text
    player.close()
