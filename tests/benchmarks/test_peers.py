"""The measures of the benchmark beside peers, each by itself: costs, errors, turns, layouts, memory."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from benchmarks import record
from benchmarks.peers import fits, iterations, layouts, one_fit, ours, rounds, theirs
from notebook_sne.models.tsne import TSNE
from tests import reference
from tests.benchmarks.pages import tables

KINDS = {
    "t-SNE": reference.tsne,
    "SNE": reference.sne,
    "symmetric SNE": reference.unisne,
    "UNI-SNE": lambda P, Y: reference.unisne(P, Y, 0.2),
}


@pytest.fixture(scope="module")
def data():
    """Objects, conditional and joint P, and a map."""
    X = ns.datasets.load_clusters((20, 30), widths=1.0, n_features=5).X
    P = ns.affinities.conditional(X, 8, neighbors=24)
    return X, P, ns.affinities.joint(P), 3.0 * np.random.default_rng(0).standard_normal((50, 2))


# one formula for all maps


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_cost_of_a_map_is_that_of_the_formula_in_double_precision(data, kind):
    _, conditional, joint, Y = data
    P = conditional if kind == "SNE" else joint
    expected, _ = KINDS[kind](P.toarray(), Y)
    assert ours.exact_cost(kind, P, Y) == pytest.approx(expected, rel=1e-12)
    # What a peer returns may be of single precision; its map is judged as it is.
    assert ours.exact_cost(kind, P, Y.astype(np.float32)) == pytest.approx(expected, rel=1e-5)


def test_the_exact_forces_are_those_of_the_formula(data):
    _, _, P, Y = data
    gradient, push = iterations.exact_forces(P, Y)
    _, expected = reference.tsne(P.toarray(), Y)
    _, without_pull = reference.tsne(sparse.csr_array(P.shape).toarray(), Y)
    np.testing.assert_allclose(gradient, expected, rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(-push, without_pull, rtol=1e-10, atol=1e-15)


# peers and ours at one place


@pytest.mark.parametrize("peer", theirs.PEERS)
def test_a_peers_gradient_is_that_of_the_formula(data, peer):
    pytest.importorskip({"openTSNE": "openTSNE", "scikit-learn": "sklearn"}[peer])
    _, _, P, Y = data
    kept = Y.copy(), P.copy()
    expected = reference.tsne(P.toarray(), Y)[1]
    gradients = theirs.gradients(P, Y, 1, [peer])
    assert len(gradients) == 2
    for name, code in gradients.items():
        found = code.factor * np.reshape(code.call(), (-1, 2))
        # Trees and grids err by a few per cent.
        assert np.linalg.norm(found - expected) < (1e-10 if "exact" in name else 0.1) * np.linalg.norm(expected), name
        np.testing.assert_array_equal(found, code.factor * np.reshape(code.call(), (-1, 2)))
    np.testing.assert_array_equal(Y, kept[0])
    assert abs(P - kept[1]).max() == 0


def test_no_dense_matrix_is_made_of_many_objects(data, monkeypatch):
    _, _, P, Y = data
    monkeypatch.setattr(theirs, "_MOST_DENSE", 49)
    assert list(theirs.gradients(P, Y, 1, ["scikit-learn"])) == ["scikit-learn, Barnes-Hut"]


def test_our_gradient_is_that_of_a_fit_at_its_place(data):
    _, _, P, Y = data
    model = TSNE(input="joint", init=Y, exaggeration=1.0, random_state=0, progress=False)
    here = ours.gradient(model, P, 1)()
    cost, gradient = reference.tsne(P.toarray(), Y)
    assert here.cost == pytest.approx(cost, rel=1e-6)
    scale = reference.attraction_norm(P.toarray(), Y, "tsne")
    assert np.linalg.norm(here.gradient.reshape(-1, 2) - gradient) < 1e-5 * scale
    # The place of a state, weights included, is taken from it.
    state = ns.SymmetricSNE(input="joint", max_iter=3, random_state=0, progress=False).fit(P).state_
    again = ours.gradient(ns.SymmetricSNE(input="joint", random_state=1), P, 1, state)()
    assert again.cost == state.cost


def test_a_whole_update_moves_on(data):
    _, _, P, Y = data
    update = ours.update(TSNE(input="joint", init=Y, exaggeration=1.0, random_state=0), P)
    assert [update().iteration for _ in range(3)] == [1, 2, 3]


def test_the_conditional_p_of_a_joint_one_keeps_its_pairs(data):
    _, _, P, _ = data
    C = ours.as_conditional(P)
    np.testing.assert_allclose(C.sum(axis=1), 1.0)
    np.testing.assert_array_equal(C.indices, P.indices)


# turns


def test_calls_take_turns_and_each_round_begins_with_another(monkeypatch):
    made = []
    monkeypatch.setattr(rounds, "_seconds", lambda call, repeats: call() or 1.0)
    calls = {name: lambda name=name: made.append(name) for name in "abc"}
    times = rounds.in_turns(calls, 4)
    assert "".join(made[:6]) == "aabbcc"  # to compile, and to see how long it takes
    assert "".join(made[6:]) == "abcbcacababc"
    assert {name: list(series) for name, series in times.items()} == dict.fromkeys("abc", [1.0] * 4)


def test_a_short_call_is_repeated_and_a_long_one_is_not(monkeypatch):
    asked = []

    def seconds(call, repeats):
        asked.append((call(), repeats))
        return {"short": 0.01, "long": 3.0}[call()]

    monkeypatch.setattr(rounds, "_seconds", seconds)
    rounds.in_turns({name: lambda name=name: name for name in ("short", "long")}, 1)
    assert asked == [("short", 1), ("long", 1), ("short", 10), ("long", 1)]


def test_ratios_are_taken_within_rounds():
    # In the second round the machine was four times slower for both.
    assert rounds.times_as_long([2.0, 8.0, 2.0], [1.0, 4.0, 1.0]) == 2.0
    assert rounds.spread([0.003, 0.001, 0.0012345]) == {"ms, median": 1.234, "ms, least": 1.0, "ms, greatest": 3.0}


# layouts


def test_a_layout_is_that_of_a_fit_and_the_same_again():
    said = []
    made = layouts.case("clusters", 203, 60, 1, said.append)
    assert made.name == "10 clusters" and made.X.shape == (203, 30) and made.Y.shape == (203, 2)
    assert np.bincount(made.labels).tolist() == [21] * 3 + [20] * 7
    assert made.P.has_sorted_indices
    assert made.P.sum() == pytest.approx(1.0) and abs(made.P - made.P.T).max() < 1e-18
    assert len(said) == 2
    again = layouts.case("clusters", 203, 60, 1, said.append)
    np.testing.assert_array_equal(again.Y, made.Y)
    assert abs(again.P - made.P).max() == 0


def test_what_a_fit_makes_of_the_p_is_that_p():
    case = layouts.case("clusters", 160, 30, 1, print)
    model = TSNE(input="joint", max_iter=1, progress=False).fit(case.P)
    np.testing.assert_array_equal(model.affinities_.indices, case.P.indices)
    np.testing.assert_allclose(model.affinities_.data, case.P.data, rtol=1e-12)


def test_a_map_of_the_gaussian_models_has_their_size():
    Y = np.random.default_rng(0).standard_normal((3000, 2)) * [5, 40] + 1000
    scaled = layouts.gaussian_layout(Y)
    assert np.ptp(scaled, axis=0).max() == pytest.approx(np.sqrt(np.pi * 3000 / 30))
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-9)
    assert ns.quality.procrustes_disparity(Y, scaled) < 1e-12


# whole fits


@pytest.mark.parametrize("code", fits.GAUSSIAN)
def test_the_gaussian_models_are_fitted_and_judged(code, monkeypatch):
    def within(code, objects_file, map_file, updates, threads):
        """In this process, which has all that is compiled."""
        text = io.StringIO()
        options = [] if updates is None else ["--updates", str(updates)]
        with redirect_stdout(text):
            one_fit.main([code, str(objects_file), str(map_file), *options, "--threads", str(threads)])
        return fits.json.loads(text.getvalue())

    monkeypatch.setattr(fits, "_run", within)
    monkeypatch.setattr(fits, "GAUSSIAN", (code,))
    (row,) = fits.rows("clusters", [], [150], 300, 40, 1, [], print)
    assert row["fit"] == code and row["updates"] == 40
    model = {"SNE": ns.SNE, "symmetric SNE": ns.SymmetricSNE, "UNI-SNE": ns.UNISNE}[code]
    X = layouts.objects("clusters", 150)[1]
    own = model(perplexity=30, max_iter=40, random_state=0, progress=False).fit(X)
    assert row["KL"] == pytest.approx(own.cost_, rel=1e-4)
    assert row["neighbor recall"] == pytest.approx(ns.quality.neighbor_recall(X, own.embedding_), abs=1e-3)


@pytest.mark.slow
def test_a_fit_that_fails_is_told(tmp_path):
    with pytest.raises(RuntimeError, match="the fit by SNE ended with exit code 1"):
        fits._run("SNE", tmp_path / "missing.npy", tmp_path / "map.npy", 5, 1)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the peak includes that of the imports")
def test_the_peak_is_that_of_the_fit_and_not_of_the_process_that_started_it(tmp_path):
    """A fit that takes 80 MB, started by a process that holds 400."""
    objects, program = tmp_path / "objects.npy", tmp_path / "fit.py"
    np.save(objects, np.zeros((10, 2)))
    program.write_text(
        "import numpy as np\nfrom benchmarks.peers import one_fit\n"
        "def big(X):\n    held = np.ones(10_000_000)\n    return X, held[0], held[1], 1\n"
        "one_fit.CODES['big'] = lambda updates, threads: big\n"
        f"one_fit.main(['big', {str(objects)!r}, {str(tmp_path / 'map.npy')!r}])\n"
    )
    starter = (
        "import subprocess, sys\nheld = b'x' * 400_000_000\n"
        f"sys.exit(subprocess.run([sys.executable, {str(program)!r}]).returncode)"
    )
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", starter],
        env={**os.environ, "PYTHONPATH": root}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    peak = fits.json.loads(done.stdout)["peak above imports, MB"]
    assert 75 < peak < 120  # 80 million bytes, or 76.3 MB, and what Python gives back or needs around them
    np.testing.assert_array_equal(np.load(tmp_path / "map.npy"), np.zeros((10, 2)))


# the record


def test_a_table_has_a_column_for_every_key():
    lines = tables.table([{"a": 1, "b": 0.125}, {"a": "x|y", "c": None}]).splitlines()
    assert lines == ["| a | b | c |", "| --- | --- | --- |", "| 1 | 0.125 |  |", "| x\\|y |  |  |"]


def test_what_seeds_gave_becomes_medians_with_their_ranges():
    found = [(0.12344, 3, 5.06), (0.5, 1, 1), (0.25, 2, 7)]
    cells = {"error, median": 0.25, "error, range": "0.123-0.500", "n, median": 2, "n, range": "1.000-3.000"}
    assert record.spread(("error", "n"), found, 3) == {**cells, "seconds, median": 5.1}
    assert record.extremes([0.12346, 2, 1e-5], 4) == {"median": 0.1235, "least": 1e-5, "greatest": 2}


def test_no_record_holds_what_json_cannot(tmp_path):
    kept = record.result({"n": 1}, [{"ms": 1.0}], ["numpy"])
    record.write(tmp_path / "new" / "a.json", kept)
    assert list(kept["packages"]) == ["notebook_sne", "numpy", "scipy", "numba", "scikit-learn"]
    with pytest.raises(ValueError):
        record.write(tmp_path / "b.json", {"rows": [{"ms": float("nan")}]})
