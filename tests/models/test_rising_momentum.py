"""The momentum of t-SNE that rises: what it is after which updates, and when it begins anew."""

from itertools import islice, pairwise

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.optimizers.schedules import Steps, value_at

DIGITS = ns.datasets.load_digits().sample(30, random_state=0).X


def values(model, N, t):
    schedules = model._schedules(N)
    return tuple(float(value_at(schedules[name], t)) for name in ("exaggeration", "learning_rate", "momentum"))


@pytest.mark.parametrize("N", [200, 70_000])
def test_what_auto_stands_for(N):
    model = ns.TSNE()
    end = 187 if N < 600 else 125
    assert model.max_iter == 750 and values(model, N, end - 1) == pytest.approx((12, N / 12, 0.9))
    assert values(model, N, end) == (1, N / 2, 0.98)
    assert values(ns.TSNE(max_iter=100), N, 25) == (1, N / 2, 0.98)  # a quarter of the updates
    assert values(ns.TSNE(exaggeration=Steps(4.0, 1.0, at=50)), N, 50) == (1, N / 2, 0.98)
    assert values(ns.TSNE(exaggeration=Steps(4.0, 4.0, at=0)), N, 0) == (4, N / 4, 0.98)
    assert values(ns.TSNE(exaggeration=1.0), N, 0)[1] == N / 2


def test_gains_come_with_a_momentum_of_ones_own():
    assert ns.TSNE()._gains is None and ns.TSNE(learning_rate=200.0)._gains is None
    for model in (ns.TSNE(momentum=0.8), ns.TSNE.paper()):
        assert model._gains == (0.2, 0.8, 0.01, 20.0) and not model._rises
    last = list(islice(ns.TSNE(max_iter=40, random_state=0).iterate(DIGITS), 31))[-1]
    assert (last.memory["own"]["gains"] == 1).all()


def steps(states):
    return [state.memory["own"]["steps"] for state in states]


def test_updates_are_counted_anew_where_the_objective_jumps():
    model, knobs = ns.TSNE(max_iter=40, learning_rate=12.5, random_state=0), ns.Knobs()
    run = model.iterate(DIGITS, knobs=knobs)
    assert steps(islice(run, 1, 14)) == [*range(1, 11), 1, 2, 3]  # the exaggeration ends after 10
    knobs.set(perplexity=31.5)
    assert steps(islice(run, 1)) == [4]
    knobs.set(perplexity=20.0)
    assert steps(islice(run, 2)) == [1, 2]
    knobs.set(momentum=0.5, learning_rate=10.0)
    assert steps(islice(run, 1)) == [3]


def test_an_update_is_that_of_its_formula():
    model = ns.TSNE(max_iter=400, exaggeration=1.0, learning_rate=60.0, random_state=0)
    states = list(islice(model.iterate(DIGITS), 8))
    for k, (now, there) in enumerate(pairwise(states)):
        own = now.memory["own"]
        gradient = model._evaluation(Problem(model, DIGITS).made_at(now.knobs).pairs, now.Y, None, now.knobs).gradient
        velocity = k / (k + 3) * own["velocity"] - 60.0 * gradient
        np.testing.assert_allclose(there.Y.ravel(), now.Y.ravel() + velocity, rtol=1e-9, atol=1e-15)


def test_going_back_counts_anew():
    model = ns.TSNE(max_iter=40, learning_rate=3e4, random_state=0)
    states = list(islice(model.iterate(DIGITS), 60))
    halved = [b.memory["own"]["rate_scale"] < a.memory["own"]["rate_scale"] for a, b in pairwise(states)]
    assert any(halved)
    assert all(count == 0 for count, back in zip(steps(states[1:]), halved, strict=True) if back)


@pytest.mark.slow
def test_it_ends_lower_than_gains_after_as_many_updates():
    custom = {"exaggeration": Steps(12.0, 1.0, at=125), "momentum": Steps(0.5, 0.8, at=125)}
    costs = []
    for seed in range(5):
        X = ns.datasets.load_digits().sample(60, random_state=seed).X
        rate = Steps(len(X) / 12, len(X) / 4, at=125)
        settings = {"max_iter": 300, "random_state": seed, "n_jobs": 1, "progress": False}
        models = ns.TSNE(**settings), ns.TSNE(learning_rate=rate, **custom, **settings)
        costs.append([model.fit(X).cost_ for model in models])
    # By 1.5 %; on one sample of so few digits either may be lower, by how the processor rounds.
    accelerated, gains = np.mean(costs, axis=0)
    assert accelerated < gains


def hard(name):
    """Return what t-SNE may find hard, and how it is given."""
    rng = np.random.default_rng(0)
    if name == "one pair":
        P = np.zeros((50, 50))
        P[0, 1] = P[1, 0] = 0.5
        return P, {"input": "joint", "init": "random"}
    if name == "copies":
        return np.vstack([np.zeros((300, 5)), rng.normal(size=(50, 5))]), {}
    return rng.normal(size=(3 if name == "three objects" else 100, 3)), {
        "perplexity": 1.5 if name != "near N" else 95.0
    }


@pytest.mark.sampled(5)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", ["three objects", "near N", "one pair", "copies", "a rate far too large"])
def test_what_is_hard_ends_finite_and_below_where_it_began(name):
    X, options = hard(name)
    rate = 1e6 if name == "a rate far too large" else "auto"
    model = ns.TSNE(random_state=0, n_jobs=1, learning_rate=rate, progress=False, **options).fit(X)
    assert np.isfinite(model.embedding_).all() and model.cost_ < model.trace_.cost[0]
