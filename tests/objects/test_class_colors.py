"""Classes have the colors that a user, or the file of somebody else, gives them."""

import io
from itertools import islice

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import notebook_sne as ns
from notebook_sne.engine.objects.class_colors import MOST_COLORED, read_class_colors
from notebook_sne.engine.objects.labels import UNLABELED
from notebook_sne.views import palette
from notebook_sne.views.raster import png
from tests.tables import in_one_test

N = 24
X = np.random.default_rng(0).normal(size=(N, 3))
KINDS = pd.Categorical(["T"] * 8 + ["B"] * 15 + [None], categories=["T", "none of these", "B"])
BOTH = ["#1f77b4", "#d62728"]  # of T and B, as the categories are ordered


def cells(colors=("#1f77b4", "black", "#d62728ff"), name="kind_colors"):
    made = type("AnnData", (), {"__module__": "anndata._core.anndata", "shape": X.shape, "__len__": lambda self: N})()
    made.X, made.obs, made.obsm, made.obsp = X, pd.DataFrame({"kind": KINDS, "count": range(N)}), {}, {}
    made.uns = {name: colors}
    return made


def colors_of(given, **facts):
    player = ns.watch(ns.TSNE(perplexity=3, max_iter=2, random_state=0), given, autoplay=False, **facts)
    found = player.class_colors
    player.close()
    return found


@pytest.mark.parametrize(
    ("colors", "expected"),
    [
        ({"b": "orange", "a": "#ABC", "z": "no color, and no class"}, ["#aabbcc", "#ffa500", ""]),
        (["#1f77b4", "#1f77b4ff", "rgb(1, 2, 3)"], ["#1f77b4", "#1f77b4", "#010203"]),
        (np.array(["red", "lime", "blue"]), ["#ff0000", "#00ff00", "#0000ff"]),
        (None, []),
    ],
)
def test_colors_are_read(colors, expected):
    assert read_class_colors(colors, ("a", "b", "c")) == expected


@in_one_test(
    ("colors", "names", "error", "told"),
    [
        (["red"], ("a", "b"), ValueError, "one for each of the 2 classes, got 1"),
        ({"a": "<script>"}, ("a", "b"), ValueError, "colors such as .*, got '<script>' for the class 'a'"),
        ({"a": "url(x)"}, ("a", "b"), ValueError, r"got 'url\(x\)'"),
        ({"a": "rgb(999, 0, 0)"}, ("a", "b"), ValueError, r"got 'rgb\(999, 0, 0\)' for the class 'a'"),
        ("red", ("a", "b"), TypeError, "must be a dict of classes to colors, or a list, got 'red'"),
        ({"a": "red"}, (), ValueError, "must belong to labels that are classes"),
        ({"c": "red", 1: "red"}, ("a", "b"), ValueError, r"must name a class, which are 'a', 'b', got \['c', '1'\]"),
        ({}, tuple(map(str, range(MOST_COLORED + 1))), ValueError, "at most 50 classes, got 51"),
    ],
)
def test_what_is_no_color_is_refused(colors, names, error, told):
    with pytest.raises(error, match=told):
        read_class_colors(colors, names)


def test_cells_bring_the_colors_of_their_classes():
    assert colors_of(cells(), labels="kind") == BOTH
    assert colors_of(cells(("#1f77b4", "black", "#d62728ff", "red")), labels="kind") == BOTH  # of a class that has gone
    given = cells()
    assert colors_of(given, labels=given.obs["kind"]) == BOTH
    assert colors_of(given, labels="kind", label_colors={"B": "red"}) == ["", "#ff0000"]
    # In another order it is put in order by its index; others than the column itself are no column.
    assert colors_of(given, labels=given.obs["kind"].iloc[::-1]) == BOTH
    assert colors_of(given, labels=list(given.obs["kind"])) == []
    assert colors_of(given, labels="count") == []
    with ns.Run(ns.TSNE(perplexity=3), given) as run:
        assert ns.Player(run, labels="kind").class_colors == BOTH
    both = ns.compare({"a": ns.TSNE(perplexity=3), "b": ns.SNE(perplexity=3)}, given, labels="kind", autoplay=False)
    assert [player.class_colors for player in both.players.values()] == [BOTH, BOTH]
    both.close()


def test_colors_of_cells_that_are_too_few_are_not_taken_and_others_are_checked():
    assert colors_of(cells(["#1f77b4", "#d62728"]), labels="kind") == []
    assert colors_of(cells(name="other_colors"), labels="kind") == []
    assert colors_of(cells({"T": "red", "B": "blue", "none of these": "red"}), labels="kind") == []
    assert colors_of(cells("#1f77b4"), labels="kind") == []
    with pytest.raises(ValueError, match="got '<b>' for the class 'T'"):
        colors_of(cells(["<b>", "red", "red"]), labels="kind")


def test_a_page_and_the_recording_of_a_player_have_these_colors(tmp_path):
    player = ns.watch(ns.TSNE(perplexity=3, max_iter=2, random_state=0), cells(), labels="kind", autoplay=False)
    player.run.steps(2)
    page = player.to_html(tmp_path / "film.html").read_text()
    assert '"class_colors":["#1f77b4","#d62728"]' in page.replace(", ", ",").replace(": ", ":")
    assert player.describe().label_colors == dict(zip("TB", BOTH, strict=True))
    player.close()


def test_a_recording_keeps_these_colors(tmp_path):
    recording = ns.Recording()
    for state in islice(ns.TSNE(perplexity=3, max_iter=2, random_state=0).iterate(X), 3):
        recording.add(state)
    plain = recording.describe(labels=KINDS)._repr_html_()
    recording.describe(label_colors={"T": "#1f77b4"})
    assert recording._repr_html_() != plain  # in pictures and in their legend
    kept = ns.Recording.load(recording.save(tmp_path / "run.npz"))
    assert kept.label_colors == recording.label_colors == kept.fresh().label_colors == {"T": "#1f77b4"}
    view = ns.replay(kept)
    assert view.class_colors == ["#1f77b4", ""]
    assert ns.replay(kept, label_colors=["red", "lime"]).class_colors == ["#ff0000", "#00ff00"]
    assert ns.replay(kept, labels=range(N)).class_colors == []  # others, which have none of these
    assert kept.describe(labels=range(N)).label_colors is None
    with pytest.raises(ValueError, match="label_colors must belong to labels that are classes"):
        ns.Recording().describe(label_colors={"T": "red"})


def test_a_still_picture_has_these_colors():
    Y = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    drawn = Image.open(io.BytesIO(png(Y, classes=[0, 1, 2, UNLABELED], colors=[*BOTH, ""], size=200))).convert("RGB")
    seen = {color for _, color in drawn.getcolors(10_000)}
    wanted = [*BOTH, palette.color(2), palette.color(UNLABELED)]
    assert {tuple(bytes.fromhex(one[1:])) for one in wanted} <= seen
    assert tuple(bytes.fromhex(palette.color(0)[1:])) not in seen
    most = [f"#0000{k:02x}" for k in range(MOST_COLORED)]
    places = np.random.default_rng(0).normal(size=(MOST_COLORED + 1, 2))
    drawn = Image.open(io.BytesIO(png(places, classes=[*range(MOST_COLORED), UNLABELED], colors=most, size=480)))
    assert {(0, 0, k) for k in range(MOST_COLORED)} <= {color for _, color in drawn.convert("RGB").getcolors(10_000)}
