"""Copies that move while a model with several maps is fitted."""

import pickle
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import notebook_sne as ns
from tests.models import test_several_maps as several

# From communities, which overlap, hardly any copy is left to move.
FROM_NOISE = {"init": "random"}
MODELS = {
    "aspect maps": lambda **options: ns.AspectMaps(**FROM_NOISE, **options),
    "joint aspect maps": lambda **options: ns.AspectMaps(normalization="joint", penalty=0.005, **FROM_NOISE, **options),
    "multiple maps t-SNE": lambda **options: ns.MultipleMapsTSNE(**options),
}
each_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def groups(n_objects=60, size=5, each=3, seed=0):
    """P of objects that belong to `each` groups of `size`, and are alike where they share one."""
    rng = np.random.default_rng(seed)
    P = np.zeros((n_objects, n_objects))
    for _ in range(each):
        for group in rng.permutation(n_objects).reshape(-1, size):
            P[np.ix_(group, group)] += 1
    np.fill_diagonal(P, 0)
    return P / P.sum(axis=1, keepdims=True)


GROUPS = groups()


def quick(make, **options):
    return make(
        **{"n_maps": 4, "input": "probabilities", "random_state": 0, "max_iter": 40, "progress": False, **options}
    )


def states(model, n, **options):
    return list(islice(model.iterate(GROUPS, **options), n + 1))


def same(one, two):
    return several.same(one, two) and np.array_equal(one.copies, two.copies)


@pytest.mark.sampled(4)
@each_model
@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs", "conjugate"])
def test_copies_move_as_in_the_run_that_never_stopped(make, optimizer):
    model = quick(make, optimizer=optimizer, copy_moves=5)
    film = states(model, 44)
    rounds = [state.iteration for state in film if len(state.copies)]
    assert rounds and set(rounds) <= {21, 26, 31, 36, 41}
    for t in (0, 19, 21, rounds[0] - 1, rounds[0], rounds[-1]):
        start = pickle.loads(pickle.dumps(film[t]))
        assert np.array_equal(start.copies, film[t].copies)
        rest = states(model, 44 - t, start=start)
        assert all(same(one, two) for one, two in zip(film[t:], rest, strict=True))
        assert all(np.array_equal(one.copies, two.copies) for one, two in zip(film[t:], rest, strict=True))


def test_a_round_lowers_the_objective_by_new_places_and_proportions_of_what_it_names():
    film = states(quick(ns.AspectMaps, **FROM_NOISE), 21)
    before, after = film[20:]
    assert after.objective < before.objective
    assert len(after.copies) and not len(before.copies)
    objects, maps = after.copies.T
    changed = (after.Y != before.Y).any(axis=2)
    assert set(zip(*np.nonzero(changed), strict=True)) == set(zip(maps, objects, strict=True))
    assert np.all(after.mixing[maps, objects] > 0.09)
    others = np.setdiff1d(np.arange(30), objects)
    assert np.array_equal(after.mixing[:, others], before.mixing[:, others])


@pytest.mark.slow
def test_moves_come_while_a_fit_lasts_and_are_counted():
    fitted = quick(ns.AspectMaps, **FROM_NOISE, max_iter=400).fit(GROUPS)
    assert fitted.n_iter_ > 20 + 5 * 9 + 50  # it does not stop before the last round has shown what it is worth
    moved = fitted.trace_.set_index("iteration").copies
    assert moved[21] > 0 and set(moved.index[moved > 0]) <= set(range(21, 67, 5))
    without = quick(ns.AspectMaps, **FROM_NOISE, max_iter=400, copy_moves=0).fit(GROUPS)
    assert not without.trace_.copies.any()


@pytest.mark.slow
@pytest.mark.sampled(3)
@each_model
def test_moves_lead_to_lower_objectives(make):
    def mean(rounds):
        options = {"n_maps": 8, "max_iter": 300, "copy_moves": rounds}
        return np.mean([quick(make, random_state=seed, **options).fit(GROUPS).objective_ for seed in range(5)])

    assert mean(10) < 0.98 * mean(0)


@pytest.mark.parametrize("options", [{"copy_moves": 0}, {"mixing": "equal"}, {"n_maps": 1}])
def test_no_copies_move_where_none_are_wanted_or_possible(options):
    film = states(quick(ns.AspectMaps, **{"n_maps": 3, **options}), 32)
    assert not any(len(state.copies) for state in film)


def test_a_state_of_a_time_without_moves_goes_on_with_them():
    model = quick(ns.AspectMaps)
    film = states(model, 21)
    old = {name: value for name, value in film[20].memory.items() if name != "copies"}
    start = replace(film[20], memory=old)
    assert start.copies.shape == (0, 2)
    assert same(states(model, 1, start=start)[1], film[21])


@pytest.mark.sampled(3)
@each_model
@pytest.mark.parametrize("sums", ["auto", "exact"])
def test_copies_of_very_many_objects_move_by_fields(monkeypatch, make, sums):
    monkeypatch.setattr("notebook_sne.models.aspects._MANY", 50)
    monkeypatch.setattr("notebook_sne.engine.mathematics.copies.move_copies", None)  # which would fail
    film = states(quick(make, sums=sums), 40)
    moved = [k for k, state in enumerate(film) if len(state.copies)]
    assert moved and set(moved) <= {21, 26, 31, 36}
    assert all(film[k].objective < film[k - 1].objective for k in moved)
    again = states(quick(make, sums=sums), len(film) - 26, start=film[25])
    assert same(film[-1], again[-1])
