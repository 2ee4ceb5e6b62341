"""Pages of an explorer that compute: aspect maps and multiple maps t-SNE go on in them as in Python, in Node here."""

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.browser.widgets.explorer_maps import pack_maps
from notebook_sne.cli.command import main
from tests.widgets.test_explorer_page import data_of
from tests.widgets.test_live_page import STEP, goes_on, node

needs_node = pytest.mark.skipif(node is None, reason="no Node found; install it to run pages without a browser")

WORDS = ns.datasets.load_word_relations()
MODELS = {
    "aspects": ns.AspectMaps(n_maps=4),
    "joint": ns.AspectMaps(n_maps=3, normalization="joint", penalty=1e-3),
    "multiple": ns.MultipleMapsTSNE(n_maps=3),
}
each_model = pytest.mark.parametrize("name", MODELS)


def run_of(name, steps=0, X=WORDS.P, **settings):
    given = {"input": "probabilities", "random_state": 0, "max_iter": 100, **settings}
    run = ns.Run(MODELS[name].__sklearn_clone__().set_params(**given), X)
    if steps:
        run.steps(steps)
    return run


def page_of(run, path, **how):
    return ns.explore(run, WORDS).to_html(path / "page.html", live=True, **how)


def agree(told, state, tolerance=1e-6):
    """Assert that a page stands where a state of Python does, and shows it as Python would."""
    assert (told["iteration"], told["phase"], told["model"]) == (state.iteration, state.phase, state.model)
    assert told["knobs"] == pytest.approx(dict(state.knobs), rel=1e-12)
    M, N, _ = state.Y.shape
    theta, W = np.array(told["Y"]), state.memory["weights"]
    Y, weights = theta[: 2 * M * N].reshape(M, N, 2), theta[2 * M * N : 3 * M * N].reshape(M, N)
    assert np.abs(Y - state.Y).max() <= tolerance * np.abs(state.Y).max()
    assert np.abs(weights - W).max() <= tolerance * max(1, np.abs(W).max())  # these are logarithms
    assert told["cost"] == pytest.approx(state.cost, rel=max(1e-6, tolerance))
    wanted = np.frombuffer(pack_maps(state.Y, state.mixing), "<f4")
    np.testing.assert_array_equal(told["shown"][:3], wanted[:3])
    np.testing.assert_allclose(told["shown"], wanted, atol=3 * tolerance * np.abs(wanted).max(), rtol=0)


# Each update by itself is that of Python to 1e-6 (tests/portable/test_maps). In a row, last digits are multiplied by
# maps that leave a random start, and by gains: without both, fifty updates stay together, the less the larger the rate.
TOGETHER = {"aspects": 1e-6, "joint": 2e-5, "multiple": 2e-5}


@pytest.mark.slow
@pytest.mark.sampled(3)
@needs_node
@each_model
def test_fifty_updates_are_those_of_python(name, tmp_path, monkeypatch):
    monkeypatch.setattr(type(MODELS[name]), "_gains", None)
    run = run_of(name, 100, copy_moves=0)
    told = goes_on(page_of(run, tmp_path), *[STEP] * 50)
    for k in range(50):
        agree(told[k], run.steps(1), TOGETHER[name])


@pytest.mark.slow
@needs_node
@each_model
def test_gains_and_rounds_of_copy_moves_are_those_of_python(name, tmp_path):
    run = run_of(name, 20)  # the next update is a round
    told = goes_on(page_of(run, tmp_path), *[STEP] * 3)
    before = run.state
    now = run.steps(1)
    assert len(now.copies) > 5
    M, N, _ = now.Y.shape
    theta = np.array(told[0]["Y"])
    Y, W = theta[: 2 * M * N].reshape(M, N, 2), theta[2 * M * N : 3 * M * N].reshape(M, N)
    # A move that is barely worth while may be decided by a last digit, and the moves after it see what it did.
    moved = np.zeros((M, N), bool)
    moved[now.copies[:, 1], now.copies[:, 0]] = True
    same = np.isclose(Y, now.Y, rtol=1e-5, atol=1e-5).all(axis=2) & np.isclose(W, now.memory["weights"], atol=1e-5)
    assert same[moved].mean() > 0.95 and same[~moved].mean() > 0.99
    assert not np.isclose(Y, before.Y, rtol=1e-5, atol=1e-5).all(axis=2)[moved].any()
    assert told[0]["objective"] < before.objective
    assert [one["iteration"] for one in told] == [21, 22, 23] and told[2]["cost"] < told[0]["cost"]


@pytest.mark.slow
@needs_node
def test_a_fit_goes_on_from_its_p(tmp_path):
    model = ns.MultipleMapsTSNE(n_maps=3, input="probabilities", random_state=0, max_iter=30, copy_moves=0).fit(WORDS.P)
    page = ns.explore(model, WORDS).to_html(tmp_path / "page.html", live=True)
    told = goes_on(page, STEP, ("restart", {}), STEP)
    again = model.iterate(WORDS.P, start=model.state_)
    next(again)
    agree(told[0], next(again), 1e-5)
    afresh = model.iterate(WORDS.P)
    agree(told[1], next(afresh))
    agree(told[2], next(afresh))


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("data", ["X", "P"])
def test_words_as_vectors_go_on_from_either(data, tmp_path):
    X = ns.datasets.load_common_words().X[:475]
    run = run_of("aspects", 3, X=X, input="vectors", perplexity=12)
    page = page_of(run, tmp_path, data=data)
    agree(goes_on(page, STEP, STEP)[-1], run.steps(2), 1e-5)
    if data == "X":
        told = goes_on(page, STEP, STEP, ("set", {"knobs": {"perplexity": 8.0, "penalty": 0.3}}), STEP)
        run.set(perplexity=8, penalty=0.3)
        assert told[-1]["knobs"] == dict(run.steps(1).knobs)
        assert told[-1]["cost"] == pytest.approx(run.state.cost, rel=1e-4)


@needs_node
def test_a_player_of_several_maps_goes_on_with_the_first(tmp_path):
    run = run_of("aspects", 4)
    page = ns.Player(run, names=WORDS.names).to_html(tmp_path / "page.html", live=True)
    traits, packed, _ = data_of(page)
    assert traits["uncolored"]["cost"] == "of one map only" and traits["springless"]
    assert traits["plan"]["shows"] == "map" and traits["axes_note"] == "map 1 of 4" and packed["film"]
    told = goes_on(page, ("pin", {"objects": [3]}), STEP, ("move", {"objects": [5], "places": [1.0, 2.0]}), STEP)
    run.pin([3])
    run.wait()
    held = run.state.Y[0, 3]
    state = run.steps(1)
    assert np.abs(np.reshape(told[1]["shown"], (-1, 2)) - state.Y[0]).max() < 1e-5  # with a pin around the origin
    run.move([5], [[1.0, 2.0]])
    run.wait()
    state = run.steps(1)
    shown = np.reshape(told[3]["shown"], (-1, 2))
    assert np.abs(shown - state.Y[0]).max() < 1e-4
    np.testing.assert_allclose(shown[3], held, rtol=1e-6)


def test_a_page_holds_what_it_needs_and_says_so(tmp_path):
    run = run_of("multiple", 5)
    explorer = ns.explore(run, WORDS, word="bank", title="Words")
    traits, packed, text = data_of(explorer.to_html(tmp_path / "page.html", live=True))
    assert "'wasm-unsafe-eval'" in text and "openLivePage(" in text
    assert (traits["live"], traits["status"], traits["word"]) == (True, "paused", "bank")
    assert traits["plan"]["shows"] == "maps" and traits["plan"]["data"] == "P" and "X" not in traits["plan"]
    theta = np.frombuffer(packed["plan_Y"], "<f8")
    assert len(theta) == 3 * 475 * 3 + 1  # and one number more, as they come in pairs
    np.testing.assert_array_equal(theta[: 2 * 475 * 3], run.state.Y.ravel())
    assert len(packed["trace"]) == 16 * 6 and packed["kernels"].startswith(b"\x00asm") and packed["film"] == b""
    _, _, text = data_of(explorer.to_html(tmp_path / "page.html"))
    assert "'wasm-unsafe-eval'" not in text and '"plan"' not in text


@pytest.mark.slow
def test_what_a_page_cannot_go_on_with_is_refused_in_words(tmp_path, monkeypatch):
    place = tmp_path / "page.html"
    fits = [ns.AspectMaps(n_maps=2, input="probabilities", random_state=k, max_iter=2).fit(WORDS.P) for k in range(2)]
    with pytest.raises(ValueError, match="live=True needs one fit to go on with, got 2; give one of them"):
        ns.explore(fits, WORDS).to_html(place, live=True)
    one = ns.SNE(input="probabilities", max_iter=2, random_state=0).fit(WORDS.P)
    with pytest.raises(ValueError, match=r"a run, or a fit of several maps .* got SNE; give explore\(Run"):
        ns.explore(one, WORDS).to_html(place, live=True)
    conjugate = ns.AspectMaps(n_maps=2, input="probabilities", max_iter=2, optimizer="conjugate").fit(WORDS.P)
    with pytest.raises(ValueError, match=r"descends along the gradient, .* optimizer='conjugate'"):
        ns.explore(conjugate, WORDS).to_html(place, live=True)
    explorer = ns.explore(fits[0], WORDS)
    with pytest.raises(ValueError, match="data must be 'P' here"):
        explorer.to_html(place, live=True, data="X")
    with pytest.raises(ValueError, match="data must be left out without live=True"):
        explorer.to_html(place, data="P")
    with pytest.raises(TypeError, match="live must be True or False, got 1"):
        explorer.to_html(place, live=1)
    monkeypatch.setattr("notebook_sne.browser.pages.plan.MOST_PAIRS", 2 * 475**2 - 1)
    with pytest.raises(ValueError, match=r"n_maps N\^2 to be at most 451,249, .* got 2 maps of 475 objects; take 474"):
        explorer.to_html(place, live=True)
    run = run_of("aspects")
    explorer = ns.explore(run, WORDS)
    with pytest.raises(ValueError, match="no maps to write yet"):
        explorer.to_html(place, live=True)
    monkeypatch.undo()
    run.steps(1)
    explorer.discard()
    with pytest.raises(ValueError, match="needs the run, and this explorer is closed"):
        explorer.to_html(place, live=True)
    assert not place.exists()


@pytest.mark.slow
@pytest.mark.parametrize("dense", [False, True])
def test_the_command_writes_an_explorer_of_a_recording(dense, tmp_path, capsys):
    run = run_of("aspects", 7)
    run.recording.describe(names=WORDS.names)
    source = run.recording.save(tmp_path / "words.npz")
    objects = tmp_path / ("P.npy" if dense else "P.npz")
    if dense:
        np.save(objects, WORDS.P.toarray())
    else:
        sparse.save_npz(objects, sparse.csr_matrix(WORDS.P))
    assert main(["page", str(source), "--explorer", "--title", "Words"]) == 0
    traits, packed, _ = data_of(tmp_path / "words.html")
    assert traits["iteration"] == 7 and traits["model_name"] == "AspectMaps" and "plan" not in traits
    assert main(["page", str(source), "--explorer", "--live", str(objects)]) == 0
    assert "it computes, and holds P: who has the page has the data" in capsys.readouterr().out
    traits, packed, _ = data_of(tmp_path / "words.html")
    assert traits["names"] == list(WORDS.names) and traits["plan"]["shows"] == "maps"
    Y = np.frombuffer(packed["plan_Y"], "<f8")[: 2 * 4 * 475].reshape(4, 475, 2)
    np.testing.assert_allclose(Y, run.state.Y, rtol=1e-6)
    assert main(["page", str(source), "--live", str(objects)]) == 0
    assert data_of(tmp_path / "words.html")[0]["plan"]["shows"] == "map"
    if node is not None:
        told = goes_on(tmp_path / "words.html", STEP)
        assert told[0]["iteration"] == 8 and told[0]["cost"] == pytest.approx(run.steps(1).cost, rel=1e-3)


def test_the_command_needs_the_words_for_an_explorer(tmp_path, capsys):
    source = run_of("aspects", 1).recording.save(tmp_path / "words.npz")
    assert main(["page", str(source), "--explorer"]) == 1
    assert "--explorer needs the words; give them by recording.describe(names=...)" in capsys.readouterr().err
