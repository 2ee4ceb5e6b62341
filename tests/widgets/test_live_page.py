"""Pages that compute: the run goes on in them as it does in Python. Node stands in for a browser."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import notebook_sne as ns
from tests.standins.waiting import LONG

node = shutil.which("node")
pytestmark = pytest.mark.skipif(node is None, reason="no Node found; install it to run pages without a browser")

OBJECTS = ns.datasets.load_digits().X[:200]
SCRIPT = Path(__file__).parents[1] / "js" / "live_states.mjs"
TOLERANCE = 1e-6  # of the widest distance from the middle; sums are in single precision, added in another order


def goes_on(page, *orders):
    """Give orders to a page; return where it stands after each."""
    asked = json.dumps([(name, more) for name, more in orders])
    done = subprocess.run([node, "--no-warnings", SCRIPT, page, asked], capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def agree(told, state, tolerance=TOLERANCE):
    """Assert that a page stands where a state of Python does."""
    assert (told["iteration"], told["phase"], told["model"]) == (state.iteration, state.phase, state.model)
    assert told["knobs"] == pytest.approx(dict(state.knobs), rel=1e-12)
    Y, there = np.array(told["Y"]).reshape(-1, 2), state.Y[0]
    assert np.abs(Y - there).max() <= tolerance * np.abs(there).max()
    assert told["cost"] == pytest.approx(state.cost, rel=1e-6)


def page_of(run, path, **how):
    player = ns.Player(run)
    return player.to_html(path / "page.html", live=True, **how)


STEP = ("step", {})
SNE = {"perplexity": 15, "random_state": 0}
ROWS = ns.affinities.conditional(OBJECTS, 15)
# The model, how it gets its P in the page, the update after which the page goes on, how many it makes, and how near.
GOING_ON = {
    **{
        f"{model.__name__}, {data}": (model(max_iter=100, **SNE), data, 30, 50, TOLERANCE)
        for model in (ns.SNE, ns.SymmetricSNE, ns.UNISNE, ns.ElasticEmbedding)
        for data in ("X", "P")
    },
    # A gain grows or shrinks by the sign of a product, so that a last digit is soon more: each update by itself is
    # compared in tests/portable.
    "gains": (ns.TSNE(**SNE), None, 5, 5, 1e-5),
    # The P of UMAP is packed, with seven digits.
    **{f"UMAP, {data}": (ns.UMAP(n_neighbors=10, max_iter=100, random_state=0), data, 70, 30, 1e-5) for data in "XP"},
    "jitter of NumPy": (ns.SNE(perplexity=15, random_state=3, jitter=ns.Decay(0.1, 20)), None, 2, 20, TOLERANCE),
    **{metric: (ns.SNE(metric=metric, **SNE), None, 5, 10, TOLERANCE) for metric in ("cosine", "manhattan")},
    "least P": (ns.SNE(least_p=1e-3, **SNE), None, 5, 10, TOLERANCE),
    "given rows": (ns.SNE(input="probabilities", random_state=0), None, 5, 10, TOLERANCE),
    "a given joint P": (ns.UNISNE(input="joint", random_state=0, max_iter=30), None, 15, 10, TOLERANCE),
}
GIVEN = {"probabilities": ROWS, "joint": ns.affinities.joint(ROWS)}


@pytest.mark.slow
@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", GOING_ON)
def test_updates_are_those_of_python(name, tmp_path):
    model, data, begun, n, tolerance = GOING_ON[name]
    run = ns.Run(model, GIVEN.get(model.input, OBJECTS))
    run.steps(begun)
    told = goes_on(page_of(run, tmp_path, **({} if data is None else {"data": data})), *[STEP] * n)
    for k in range(n):
        agree(told[k], run.steps(1), tolerance)


@pytest.mark.slow
def test_umap_from_its_start_to_its_end_is_that_of_python(tmp_path):
    # Long steps, as by default, multiply the last digit by 1e11 while the map unfolds; short steps keep it.
    run = ns.Run(ns.UMAP(random_state=0, max_iter=100, learning_rate=5.0, momentum=0.5), OBJECTS)
    run.steps(1)
    (told,) = goes_on(page_of(run, tmp_path), ("play", {}))
    run.play()
    run.wait()
    agree(told, run.state)


@pytest.mark.slow
def test_the_knobs_of_umap_are_turned_and_other_models_take_over(tmp_path):
    from notebook_sne.models import family

    run = ns.Run(ns.UMAP(n_neighbors=10, random_state=0, max_iter=100), OBJECTS)
    run.steps(65)
    told = iter(
        goes_on(
            page_of(run, tmp_path),
            ("set", {"knobs": {"min_dist": 0.4, "spread": 1.5, "negative_sample_rate": 8.0}}),
            *[STEP] * 3,
            *[("switch", {"model": "TSNE"}), STEP, ("switch", {"model": "UMAP"}), STEP],
            *[("restart", {}), STEP, ("preset", {"model": "SymmetricSNE"}), STEP],
        )
    )
    next(told)
    run.set(min_dist=0.4, spread=1.5, negative_sample_rate=8.0)
    for _ in range(3):
        agree(next(told), run.steps(1), 1e-5)
    for name in ("TSNE", "UMAP"):  # with a graph, then with a perplexity, and UMAP with that of t-SNE
        run.switch(family.successor(run.model, name, 200))
        run.wait()
        agree(next(told), run.state, 1e-5)
        agree(next(told), run.steps(1), 1e-5)
    assert run.state.knobs["perplexity"] == 30
    run.restart()
    run.wait()
    agree(next(told), run.state)
    agree(next(told), run.steps(1))
    run.restart(family.recipe(run.model, "SymmetricSNE", 200))
    run.wait()
    agree(next(told), run.state)
    agree(next(told), run.steps(1))


@pytest.mark.slow
def test_the_graph_of_umap_that_a_page_makes_is_that_of_python(tmp_path):
    X = OBJECTS + 0.1 * np.random.default_rng(0).normal(size=OBJECTS.shape)  # none are equally near
    run = ns.Run(ns.UMAP(n_neighbors=8, least_p=1e-5, random_state=0, max_iter=100), X)
    run.steps(65)
    told = goes_on(page_of(run, tmp_path), ("set", {"knobs": {"least_p": 1e-3}}), *[STEP] * 3)
    run.set(least_p=1e-3)
    for k in range(3):
        agree(told[1 + k], run.steps(1))


@pytest.mark.slow
def test_a_min_dist_above_the_spread_is_refused_in_the_words_of_python(tmp_path):
    run = ns.Run(ns.UMAP(random_state=0), OBJECTS)
    run.steps(2)
    page = page_of(run, tmp_path)
    run.set(min_dist=1.25)
    with pytest.raises(
        ValueError, match=r"min_dist must be at most spread, got min_dist=1\.25 and spread=1; "
    ) as refused:
        run.steps(1)
    with pytest.raises(AssertionError, match=re.escape(str(refused.value))):
        goes_on(page, ("set", {"knobs": {"min_dist": 1.25}}), STEP)


@pytest.mark.slow
def test_all_that_hands_do_is_done_as_in_python(tmp_path):
    run = ns.Run(ns.SNE(perplexity=15, random_state=0, max_iter=40), OBJECTS)
    run.steps(12)
    page = page_of(run, tmp_path)
    places = [[0.5, -0.25], [-1.0, 2.0]]
    told = goes_on(
        page,
        ("move", {"objects": [3, 7], "places": [0.5, -0.25, -1.0, 2.0]}),
        *[STEP] * 3,
        ("pin", {"objects": [7, 11]}),
        *[STEP] * 3,
        ("set", {"knobs": {"momentum": 0.2, "learning_rate": 0.05}}),
        *[STEP] * 3,
        ("switch", {"model": "UNISNE"}),
        *[STEP] * 3,
        ("unpin", {"objects": [11]}),
        ("release", {"knobs": ["learning_rate"]}),
        *[STEP] * 3,
        ("seek", {"iteration": 17}),
        STEP,
        ("preset", {"model": "SymmetricSNE"}),
        STEP,
        ("restart", {}),
        ("play", {}),
    )
    states = iter(told)
    run.move([3, 7], np.array(places) + run.state.Y[0].mean(axis=0))
    run.wait()
    agree(next(states), run.state)

    def steps(n):
        for _ in range(n):
            agree(next(states), run.steps(1))

    def then(act, *arguments, **named):
        act(*arguments, **named)
        run.wait()
        return next(states)

    steps(3)
    assert then(run.pin, [7, 11])["pins"] == [7, 11]
    steps(3)
    then(run.set, momentum=0.2, learning_rate=0.05)
    steps(3)
    from notebook_sne.models import family

    agree(then(run.switch, family.successor(run.model, "UNISNE", 200)), run.state)
    steps(3)
    assert then(run.unpin, [11])["pins"] == [7]
    then(run.release, "learning_rate")
    steps(3)
    agree(then(run.seek, 17), run.state)
    steps(1)
    agree(then(run.restart, family.recipe(run.model, "SymmetricSNE", 200)), run.state)
    steps(1)
    agree(then(run.restart), run.state)
    agree(then(run.play), run.state, 1e-4)


@pytest.mark.slow
def test_a_page_goes_on_from_a_recording(tmp_path):
    run = ns.Run(ns.UNISNE(perplexity=15, random_state=0, max_iter=50), OBJECTS)
    run.steps(25)
    again = type(run.recording).load(run.recording.save(tmp_path / "run.npz"))
    page = again.to_html(tmp_path / "page.html", live=True, X=OBJECTS)
    told = goes_on(page, *[STEP] * 10)
    agree(told[-1], run.steps(10))
    run = ns.Run(ns.UMAP(n_neighbors=8, min_dist=0.3, random_state=0, max_iter=90), OBJECTS)
    run.steps(70)
    again = type(run.recording).load(run.recording.save(tmp_path / "umap.npz"))
    told = goes_on(again.to_html(tmp_path / "page.html", live=True, X=OBJECTS), *[STEP] * 10)
    agree(told[-1], run.steps(10), 1e-5)


@pytest.mark.slow
def test_a_page_of_many_objects_goes_on_with_the_p_that_it_holds(tmp_path, monkeypatch):
    monkeypatch.setattr("notebook_sne.browser.pages.plan._SLOW", 0)
    run = ns.Run(ns.SNE(perplexity=15, random_state=0), OBJECTS)
    run.steps(5)
    page = page_of(run, tmp_path)
    told = goes_on(page, STEP, ("set", {"knobs": {"perplexity": 8.0}}), STEP)
    agree(told[0], run.steps(1))
    run.set(perplexity=8)
    agree(told[2], run.steps(1))


def test_bad_input_is_named(tmp_path):
    run = ns.Run(ns.SNE(perplexity=15, random_state=0), OBJECTS)
    run.steps(2)
    player = ns.Player(run)
    with pytest.raises(TypeError, match="live must be True or False, got 'yes'"):
        player.to_html(tmp_path / "page.html", live="yes")
    with pytest.raises(ValueError, match="data must be left out without live=True"):
        player.to_html(tmp_path / "page.html", data="P")
    with pytest.raises(ValueError, match="X must be given with live=True"):
        run.recording.to_html(tmp_path / "page.html", live=True)
    with pytest.raises(ValueError, match="X must be left out without live=True"):
        run.recording.to_html(tmp_path / "page.html", X=OBJECTS)
    with pytest.raises(TypeError, match="live must be True or False, got 1"):
        run.recording.to_html(tmp_path / "page.html", live=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_map_of_no_use_is_told_as_in_python(tmp_path):
    run = ns.Run(ns.SNE(perplexity=15, random_state=0, max_iter=80, learning_rate=1e-9, momentum=0.5), OBJECTS)
    run.steps(20)
    page = page_of(run, tmp_path)
    (told,) = goes_on(page, ("play", {}))
    run.play()
    run.wait()
    assert told["iteration"] == run.state.iteration and "tells no more of P" in run.message
    assert told["remark"] == run.message
