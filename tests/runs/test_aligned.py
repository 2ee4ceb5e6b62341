"""Aligned maps: the objective beside plain NumPy, both ends of the alignment, objects that come and go, the film."""

import itertools

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting.aligned import Together
from notebook_sne.engine.mathematics.aligned import Coordinates, Springs
from notebook_sne.engine.runs.aligned import _pairs, _problems, _read_ids
from notebook_sne.engine.runs.aligned_maps import AlignedMaps
from tests import reference
from tests.tables import in_one_test

DIGITS = ns.datasets.load_digits().sample(6, random_state=0).X
RNG = np.random.default_rng(0)
IDS = [list("abcdefghij"), list("jihgfedxyz")[:9], list("bdfhxjqrstuvw")]


def together(model, ids, alignment=0.3):
    sets = [RNG.standard_normal((len(one), 5)) for one in ids]
    problems = _problems(model, sets)
    sizes = [len(one) for one in ids]
    return Together(problems, _pairs(_read_ids(ids, sizes)[1], sizes, "123"), alignment)


def plain(models, ids, maps, alignment):
    """The objective by loops straight from the definition; P is that of each model."""
    total = 0.0
    for model, Y in zip(models, maps, strict=True):
        P = model._problem.target(model._knobs).P.toarray()
        total += reference.joint_cost(P, reference.log_student(Y))
    for t in range(len(ids) - 1):
        for i, name in enumerate(ids[t]):
            for j, other in enumerate(ids[t + 1]):
                if name == other:
                    stretched = np.square(maps[t][i] - maps[t + 1][j]).sum()
                    total += alignment / 2 * stretched / max(len(ids[t]), len(ids[t + 1]))
    return total


class Held:
    """A problem beside its knobs."""

    def __init__(self, problem, knobs):
        self._problem, self._knobs = problem, knobs


@pytest.mark.parametrize("d", [1, 2, 3])
def test_objective_and_gradient_are_those_of_the_definition(d):
    model = ns.TSNE(perplexity=3, n_components=d, exaggeration=1, sums="exact", random_state=0)
    whole = together(model, IDS)
    settings, springs = whole.settings(0), whole.springs(0)
    Y = np.random.default_rng(d).standard_normal((sum(map(len, IDS)), d))
    here = whole.evaluate(Y, settings, springs)
    held = [Held(problem, at) for problem, at in zip(whole._problems, settings, strict=True)]

    def formula(Y):
        return plain(held, IDS, whole.parts(Y), 0.3)

    assert here.objective == pytest.approx(formula(Y), rel=1e-7)  # hot sums are in single precision
    numeric = reference.central_difference(formula, Y)
    np.testing.assert_allclose(here.gradient, numeric, atol=1e-5 * np.abs(numeric).max())


@pytest.mark.parametrize("name", ["SNE", "SymmetricSNE", "UNISNE", "UMAP", "NegTSNE", "ElasticEmbedding"])
def test_each_model_is_held_by_springs_in_its_own_unit(name):
    model = getattr(ns, name)(perplexity=3, optimizer="momentum", random_state=0)
    whole = together(model, IDS)
    Y = np.random.default_rng(1).standard_normal((sum(map(len, IDS)), 2))
    settings, springs = whole.settings(10**6), whole.springs(0)
    here = whole.evaluate(Y, settings, springs)
    alone = whole.each(Y, settings)
    gradient = np.concatenate([one.gradient for one in alone]).reshape(Y.shape)
    places = [{name: k for k, name in enumerate(one)} for one in IDS]
    ends, energy = (0, 10, 19), 0.0
    for t, strength in enumerate([0.3, 0.3] if name == "SNE" else [0.3 / 10, 0.3 / 13]):
        for one in {*IDS[t]} & {*IDS[t + 1]}:
            i, j = ends[t] + places[t][one], ends[t + 1] + places[t + 1][one]
            energy += strength / 2 * np.square(Y[i] - Y[j]).sum()
            gradient[i] += strength * (Y[i] - Y[j])
            gradient[j] += strength * (Y[j] - Y[i])
    np.testing.assert_allclose(here.gradient, gradient, rtol=1e-10, atol=1e-10)
    assert here.objective == pytest.approx(energy + sum(one.objective for one in alone), rel=1e-10)
    assert here.cost == pytest.approx(sum(one.cost for one in alone), rel=1e-10)


def test_coordinates_are_those_of_the_dense_factor():
    _, rows = _read_ids(IDS, [len(one) for one in IDS])
    pairs = _pairs(rows, [len(one) for one in IDS], "123")
    ends = np.array([0, 10, 19, 32])
    springs, rates = Springs(ends, pairs, np.array([0.7, 3.0])), np.array([2.0, 5.0, 0.1])
    H = np.diag(1 / np.repeat(rates, np.diff(ends)))
    for (now, then), w in zip(pairs, springs.strengths, strict=True):
        for a, b in zip(now, then, strict=True):
            H[a, a] += w
            H[b, b] += w
            H[a, b] -= w
            H[b, a] -= w
    R = np.linalg.cholesky(H).T
    Y, coordinates = np.random.default_rng(3).standard_normal((32, 2)), Coordinates(springs, rates)
    np.testing.assert_allclose(coordinates.of(Y), R @ Y, atol=1e-12)
    np.testing.assert_allclose(coordinates.places(Y), np.linalg.solve(R, Y), atol=1e-12)
    np.testing.assert_allclose(coordinates.gradient(Y), np.linalg.solve(R.T, Y), atol=1e-12)


def test_without_alignment_each_map_is_that_of_its_model():
    model = ns.TSNE(perplexity=8, max_iter=30, random_state=0)
    # Two equal steps begin at the same places and have nothing that moves them apart.
    found = ns.aligned(model, [DIGITS, DIGITS], alignment=0)
    alone = model.fit(DIGITS)
    for Y in found.maps:
        np.testing.assert_allclose(Y, alone.embedding_, rtol=1e-6, atol=1e-9 * np.abs(alone.embedding_).max())
    np.testing.assert_allclose(found.costs, alone.cost_, rtol=1e-6)


@pytest.mark.slow
def test_the_stronger_the_springs_the_less_moves():
    models = [ns.TSNE(perplexity=perplexity, max_iter=300) for perplexity in (4, 15)]
    found = [ns.aligned(models, [DIGITS] * 2, alignment=alignment) for alignment in (0, 0.01, 1, 1000)]
    moved = [np.median(one.movement) for one in found]
    assert moved == sorted(moved, reverse=True) and moved[-1] < 1e-3 * moved[0]
    assert all(np.isfinite(one.costs).all() for one in found)
    assert found[0].costs.sum() < found[-1].costs.sum()


def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads():
    X = ns.datasets.load_digits().sample(40, random_state=0).X
    noisy = X + np.random.default_rng(0).standard_normal(X.shape)
    maps = [
        ns.aligned(ns.TSNE(perplexity=10, init="random", random_state=1, max_iter=60, n_jobs=n), [X, noisy]).maps
        for n in (1, 2)
    ]
    for one, other in zip(*maps, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_a_schedule_ends_as_strong_as_it_says():
    models = [ns.TSNE(perplexity=perplexity, max_iter=200) for perplexity in (4, 15)]
    late, always, never = (
        ns.aligned(models, [DIGITS] * 2, alignment=alignment) for alignment in (ns.Steps(0, 10.0, at=80), 10.0, 0)
    )
    assert np.median(late.movement) < 0.2 * np.median(never.movement)
    assert np.median(always.movement) < 0.2 * np.median(never.movement)


def test_objects_come_and_go():
    rng = np.random.default_rng(4)
    sets = [rng.standard_normal((len(one), 4)) for one in IDS]
    found = ns.aligned(ns.TSNE(perplexity=3, max_iter=50), sets, ids=IDS, steps=(1990, 1991, 1992))
    assert [Y.shape for Y in found.maps] == [(10, 2), (9, 2), (13, 2)]
    assert found.steps == ("1990", "1991", "1992")
    for one, rows in zip(IDS, found.rows, strict=True):
        assert [found.objects[row] for row in rows] == one
    both = [{*a} & {*b} for a, b in itertools.pairwise(IDS)]
    for moved, names in zip(found.movement, both, strict=True):
        assert {name for name, far in zip(found.objects, moved, strict=True) if far == far} == names
    film = found.film(between=8)
    assert len(film.frames) == 3 + 2 * (8 + 2)
    columns = {column.name: list(column.entries) for column in film.columns}
    first = {name: next(t for t, one in enumerate(IDS, 1) if name in one) for name in found.objects}
    assert columns["first_step"] == [first[name] for name in found.objects]


def test_a_film_stands_on_each_map_and_tells_its_step():
    found = ns.aligned(ns.TSNE(perplexity=5, max_iter=20), [DIGITS, DIGITS[:, ::2]], steps=("all", "half"))
    film = found.film(between=10)
    frames = film.frames
    np.testing.assert_allclose(frames[0].Y[0], found.maps[0], rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(frames[-1].Y[0], found.maps[1], rtol=1e-5, atol=1e-9)
    middle = frames[2 + 5]
    np.testing.assert_allclose(middle.Y[0], (found.maps[0] + found.maps[1]) / 2, rtol=1e-5, atol=1e-9)
    assert [mark.text for mark in film.marks] == ["start with t-SNE", "all → half"]
    assert ns.replay(film).recording is film


def test_a_bare_name_shows_maps_of_steps_and_none_between():
    maps, rows = np.arange(24.0).reshape(4, 3, 2), (np.arange(3),) * 4
    found = AlignedMaps(("a", "b", "c", "d"), (*maps,), (0, 1, 2), rows, np.arange(1.0, 5.0), 0.0, 1, "TSNE")
    text = found._repr_html_()
    assert text.count('alt="the map at step ') == 3 and "4 frames of 3 objects; drawn: steps 1, 3, 4" in text
    assert "a: 1; b: 2; c: 3; d: 4" in text


def test_names_of_steps_are_no_html():
    found = ns.aligned(ns.TSNE(perplexity=5, max_iter=2), [DIGITS] * 2, steps=("<script>", "b"))
    assert "<script>" not in found._repr_html_()


MODEL = ns.TSNE(perplexity=5, max_iter=5)


@in_one_test(
    ("model", "sets", "more", "message"),
    [
        (MODEL, [DIGITS], {}, "Xs must hold at least two sets of objects, got 1; fit a single one"),
        ([MODEL], [DIGITS] * 2, {}, "model must be one, or one for each of the 2 steps, got 1"),
        ([MODEL, ns.SNE()], [DIGITS] * 2, {}, r"model\[1\] must be of the class of the others, got SNE beside TSNE"),
        (ns.AspectMaps(), [DIGITS] * 2, {}, "model must have one map and a P, got AspectMaps"),
        ([MODEL, ns.TSNE(max_iter=7)], [DIGITS] * 2, {}, "max_iter must be the same for all steps, got 5 and 7"),
        (ns.TSNE(jitter=0.1), [DIGITS] * 2, {}, "jitter must be 0.0 in aligned maps, got 0.1; leave it out"),
        (ns.TSNE(init=np.zeros((60, 2))), [DIGITS] * 2, {}, "init must be 'auto', 'pca' or 'random' in aligned maps"),
        (ns.TSNE(optimizer="lbfgs"), [DIGITS] * 2, {}, r"'lbfgs'; write TSNE\(optimizer='momentum'\)"),
        (MODEL, [DIGITS, DIGITS[:50]], {}, r"got \[60, 50\] of them; give ids"),
        (MODEL, [DIGITS, DIGITS * np.nan], {}, r"Xs\[1\]: X must be finite"),
        (MODEL, [DIGITS] * 2, {"ids": [range(60)]}, "ids must hold one id for each object of each step"),
        (MODEL, [DIGITS] * 2, {"ids": [range(60), [*range(59), 0]]}, r"ids\[1\] must name each object once, got 0 2"),
        (MODEL, [DIGITS] * 2, {"ids": [range(60), [*range(59), [0]]]}, r"ids\[1\] must .* got \[0\] for object 59"),
        (MODEL, [DIGITS] * 2, {"ids": [[np.nan, *range(59)], range(60)]}, r"ids\[0\] must .* got nan for object 0"),
        (MODEL, [DIGITS] * 2, {"ids": [range(60), [None, *range(59)]]}, r"ids\[1\] must .* got None for object 0"),
        (MODEL, [DIGITS] * 2, {"ids": [range(60), range(60, 120)]}, "got none in steps '1' and '2'; give such objects"),
        (MODEL, {1990: DIGITS, 1991: DIGITS}, {}, r"a dict; write aligned\(model, list\(Xs.values\(\)\), steps="),
        (ns.TSNE, [DIGITS] * 2, {}, r"got the class TSNE; give a model such as TSNE\(\)"),
        (MODEL, [DIGITS] * 2, {"steps": [1]}, "steps must hold a name for each of the 2 steps, got 1"),
        (MODEL, [DIGITS] * 2, {"steps": ["a", "a"]}, "steps must have different names"),
        (MODEL, [DIGITS] * 2, {"alignment": -1}, "alignment must satisfy 0 <= alignment and be finite, got -1"),
    ],
)
def test_what_is_wrong_is_named_with_the_way_out(model, sets, more, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ns.aligned(model, sets, **more)
