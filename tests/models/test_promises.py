"""What all promise that can be stepped through, models, baselines and networks: one run, however it is made."""

import pickle

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import notebook_sne as ns
from notebook_sne.models import BASELINES, NETWORKS, family
from tests.models.test_models import clusters, same, states

MODELS, NETS = family.members(), ("SOM", "GTM")
NAMES = [*MODELS, *BASELINES, *NETWORKS]
OWN = {
    **{key: {"perplexity": 8, "max_iter": 60} for key in MODELS},
    **{key: {"grid": (6, 5)} for key in NETS},
    "ParametricMap": {"hidden": (10, 6), "model": ns.SNE(perplexity=8)},
    "NNCA": {"hidden": (5,), "strength": 0.5},
    "Autoencoder": {"hidden": (10, 6), "regularizer": ns.SNE(perplexity=8), "strength": 2.0},
}
OPTIMIZERS = {name: ["momentum", "lbfgs", "spectral"] for name in MODELS} | {name: ["alternating"] for name in NETS}
WITHOUT_COSTS = {*NETS, "Autoencoder", "Heavy"}  # the last is the example of CONTRIBUTING.md
each = pytest.mark.parametrize("name", NAMES)


def objects(n_each=20):
    X = clusters(n_each)
    return (X - X.min()) / np.ptp(X)  # from 0 to 1, as of logistic units


def quick(name, n_each=20, **options):
    own = {"random_state": 0, "max_iter": 40, "progress": False, **OWN.get(name, {})}
    if name in ("NCA", "NNCA"):
        own["labels"] = np.repeat(["a", "b", "c"], n_each)
    if name in NETS:
        options = {key: value for key, value in options.items() if key not in ("optimizer", "jitter", "n_jobs")}
    return family.class_of(name)(**{**own, **options})


@each
def test_fit_is_a_loop_over_iterate(name):
    X = objects()
    fitted = quick(name).fit(X)
    run = states(quick(name), X, fitted.n_iter_)
    ended = min((state for state in run if state.knobs == run[-1].knobs), key=lambda state: state.objective)
    ended = run[-1] if name == "SOM" else ended
    assert fitted.cost_ == ended.cost
    assert list(fitted.trace_.cost) == [state.cost for state in run]
    assert set(run[0].knobs) <= set(fitted.trace_.columns)
    assert np.array_equal(quick(name).fit_transform(X), fitted.embedding_)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("middle", [0, 1, 13, 24])  # 24 is the last update before UNI-SNE opens
@pytest.mark.parametrize(
    ("name", "optimizer"),
    [(name, one) for name in NAMES for one in OPTIMIZERS.get(name, ["momentum", "lbfgs", "conjugate"])],
)
def test_a_run_continued_from_any_state_is_the_run_that_never_stopped(name, optimizer, middle):
    X, jitter = objects(), 0.01 if optimizer == "momentum" else 0.0
    # Another seed, as the state carries its own.
    one, other = (quick(name, optimizer=optimizer, jitter=jitter, random_state=seed) for seed in (0, 9))
    whole = states(one, X, 30)
    again = states(other, X, 30 - middle, start=pickle.loads(pickle.dumps(whole[middle])))
    assert all(same(one, two) for one, two in zip(whole[middle:], again, strict=True))
    assert [state.phase for state in whole[middle:]] == [state.phase for state in again]


@each
def test_the_bits_do_not_depend_on_the_number_of_threads(name):
    found = []
    for n in (1, 2):
        with threadpool_limits(n):
            found.append(states(quick(name, 100, n_jobs=n, init="random"), objects(100), 30)[-1])
    assert same(*found)


@each
def test_the_same_seed_gives_the_same_map_and_another_seed_another(name):
    first, second, third = (
        quick(name, init="random", max_iter=5, random_state=seed).fit_transform(objects()) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, second) and not np.array_equal(first, third)


@each
def test_a_run_is_paused_recorded_and_sent_back_and_has_made_the_updates_of_one_that_was_not(name):
    expected = states(quick(name), objects(), 12)
    with ns.Run(quick(name), objects()) as run:
        run.steps(5)
        assert same(run.steps(3), expected[8])
        run.seek(4)
        run.wait()
        assert same(run.state, expected[4])
        assert same(run.steps(8), expected[12]) and run.recording.recorded_to == 12
        if name in WITHOUT_COSTS:
            with pytest.raises(NotImplementedError, match="does not tell its costs"):
                run.costs()
        else:
            np.testing.assert_allclose(run.costs().sum(), run.state.cost, rtol=1e-5, atol=1e-12)
