"""Each listed model has the cost of its formula and the gradient of its cost, at every setting of `tests/costs.py`."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.fitting.knobs import KNOBS
from notebook_sne.engine.fitting.sums import sums_of
from notebook_sne.engine.mathematics import aspects, images
from notebook_sne.models import MODELS, base, family
from notebook_sne.models.several import SeveralMaps
from tests import reference
from tests.costs import COSTS
from tests.mathematics.test_costs import random_p
from tests.tables import in_one_test

SETTINGS = [
    pytest.param(
        name,
        options,
        knobs,
        id="-".join([name, *map(str, options.values()), *(f"{k}={v:g}" for k, v in knobs.items())]),
    )
    for name, row in COSTS.items()
    for options in row.options
    for knobs in row.settings
]


# Knobs that all models have, whose objective is P's, the optimizer's or `mathematics.evaluation.penalized`'s.
COMMON = {"perplexity", "least_p", "penalty", "learning_rate", "momentum", "jitter"}


def test_every_listed_model_has_its_formula():
    assert set(COSTS) == set(MODELS)


@in_one_test("name", MODELS)
def test_each_knob_of_its_own_is_tried_at_several_values(name):
    own = (set(family.class_of(name)().get_params()) & set(KNOBS)) - COMMON
    for knob in own:
        tried = {knobs[knob] for knobs in COSTS[name].settings if knob in knobs}
        assert len(tried) > 1, f"tests/costs.py has no settings of {knob} for {name}"


@pytest.fixture
def double(monkeypatch):
    """Let models sum in double precision, in which a cost has more digits than a central difference wants."""
    monkeypatch.setattr(base, "sums_of", lambda kernel, sums: partial(sums_of(kernel, "exact"), dtype=np.float64))
    for module in (aspects, images):
        monkeypatch.setattr(module, "cost_and_gradient", partial(module.cost_and_gradient, dtype=np.float64))
    return None


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize(("name", "options", "knobs"), SETTINGS)
def test_the_cost_is_that_of_the_formula_and_the_gradient_that_of_the_cost(double, name, options, knobs, n_components):
    model = family.class_of(name)(n_components=n_components, **options)
    rng, several = np.random.default_rng(1), isinstance(model, SeveralMaps)
    P = random_p(10, model._convention == "joint", density=0.5)
    if model._convention == "joint":
        P[7] = P[:, 7] = 0.0  # an isolated object
        P /= P.sum()
    pairs = model._attractive_pairs(sparse.csr_array(P))
    if "density" in knobs:
        pairs = pairs._replace(radii=np.where(np.arange(10) == 7, np.nan, rng.normal(size=10)))
    maps = rng.normal(size=(3 if several else 1, 10, n_components))
    weights = rng.normal(size=(3, 10)) if several else None
    theta = np.concatenate([maps.ravel(), weights.ravel()]) if several else maps.ravel()

    def evaluate(theta):
        W = theta[maps.size :].reshape(3, 10) if several else None
        return model._evaluation(pairs, theta[: maps.size].reshape(maps.shape), W, knobs)

    here, tolerance = evaluate(theta), COSTS[name].tolerance
    assert here.cost == pytest.approx(COSTS[name].formula(P, maps, weights, knobs), rel=tolerance)
    numeric = reference.central_difference(lambda theta: evaluate(theta).objective, theta)
    # At a step of 1e-5, rounding and the third derivative leave some ten digits of a difference.
    assert np.linalg.norm(here.gradient - numeric) < 1e-6 * np.linalg.norm(numeric)
