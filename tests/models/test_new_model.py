"""A new model with one map: its mathematics, a short class and a place in the list are all that it takes."""

import inspect
import itertools
import re
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.utils.estimator_checks import check_estimator

import notebook_sne as ns
from notebook_sne import affinities, models
from notebook_sne.mathematics.evaluation import Evaluation
from notebook_sne.models import MODELS, Listed, family
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap
from notebook_sne.sums.stored_pairs import store, student_pull

X = ns.datasets.load_digits().X[:80]

# ---- what would be notebook_sne/mathematics/heavy.py ----


def attractive_pairs(P):
    """Return the stored pairs of a joint P."""
    return store(P, P)


def cost_and_gradient(pairs, Y):
    """Return the evaluation of q_ij = w_ij^2 / sum_{k != l} w_kl^2, w_ij = 1 / (1 + d_ij)."""
    differences = Y[:, None] - Y
    w = 1.0 / (1.0 + np.square(differences).sum(axis=2))
    np.fill_diagonal(w, 0.0)
    Z = np.square(w).sum()
    energy, pull = student_pull(pairs, Y)
    push = (w**3)[:, :, None] * differences
    cost = pairs.negentropy + 2.0 * energy + np.log(Z)
    return Evaluation(cost, 8.0 * (pull - push.sum(axis=1) / Z), cost)


# ---- what would be notebook_sne/models/heavy.py ----


class Heavy(SingleMap):
    """Symmetric SNE whose map is measured with the square of Student's t."""

    _convention = "joint"
    _kernel = "student"

    def _attractive_pairs(self, P):
        return attractive_pairs(P)

    def _evaluate(self, pairs, Y, knobs):
        return cost_and_gradient(pairs, Y)


@pytest.fixture
def listed(monkeypatch):
    """Put the model where `notebook_sne.models` lists them."""
    monkeypatch.setitem(sys.modules, "notebook_sne.models.heavy", SimpleNamespace(Heavy=Heavy))
    monkeypatch.setitem(MODELS, "Heavy", Listed("heavy", "heavy SNE", "with tails as heavy as lead"))


def test_its_gradient_is_that_of_its_cost():
    P = affinities.joint(affinities.conditional(X[:12], 4))
    pairs, Y = attractive_pairs(affinities.keep_large(P, whole=True)[0]), np.random.default_rng(0).normal(size=(12, 2))
    measured = approx_fprime(Y.ravel(), lambda y: cost_and_gradient(pairs, y.reshape(12, 2)).cost, 1e-6)
    np.testing.assert_allclose(cost_and_gradient(pairs, Y).gradient.ravel(), measured, atol=1e-5)


@pytest.mark.slow
def test_it_is_an_estimator_with_all_that_models_promise():
    results = check_estimator(
        Heavy(perplexity=2, max_iter=50),
        expected_failed_checks=dict.fromkeys(
            ("check_transformer_general", "check_transformer_data_not_an_array"), "as in test_models"
        ),
        on_skip=None,
    )
    assert {result["status"] for result in results} <= {"passed", "skipped", "xfail"}
    theirs = dict(inspect.signature(ns.SymmetricSNE).parameters)
    del theirs["exaggeration"]  # of its attraction, which each model writes by itself
    assert dict(inspect.signature(Heavy).parameters) == theirs
    with pytest.raises(TypeError, match="Heavy has no parameter 'n_iter': it is called max_iter here"):
        Heavy(n_iter=3)


def test_it_fits_resumes_and_places_new_objects():
    model = Heavy(perplexity=10, random_state=0, max_iter=300, progress=False).fit(X[:70])
    assert model.cost_ < 0.7 * model.trace_.cost[0]
    assert model.transform(X[70:]).shape == (10, 2)
    film = list(itertools.islice(model.iterate(X), 21))
    again = next(itertools.islice(model.iterate(X, start=film[10]), 10, None))
    assert np.array_equal(again.Y, film[20].Y)


def test_a_run_goes_on_under_it_and_from_it(listed):
    with ns.Run(ns.SNE(perplexity=10, random_state=0), X) as run:
        run.steps(5)
        assert "Heavy" in family.relatives(run.model)
        for name in ("Heavy", "SNE"):
            before = run.state
            run.switch(family.successor(run.model, name))
            run.steps(5)
            assert run.state.model == name and run.state.iteration == before.iteration + 5
        assert [mark.text for mark in run.recording.marks if mark.kind == "model"] == ["heavy SNE", "SNE"]
        assert repr(run.recording).startswith("<Recording of SNE → heavy SNE")


def test_it_is_watched(listed):
    player = ns.watch(Heavy(perplexity=10, random_state=0), X, autoplay=False)
    try:
        player.run.steps(3)
        offered = {choice["label"]: choice["group"] for choice in player.models}
        assert offered["heavy SNE"] == "go on"  # and no recipe, as it has none
        with pytest.raises(NotImplementedError, match="Heavy does not tell its forces"):
            player.run.forces(0)
    finally:
        player.close()


def test_it_is_compiled_ahead_with_the_others(listed, monkeypatch):
    from notebook_sne.cli.warm import warm

    assert "Heavy" in family.members()
    monkeypatch.setattr(family, "members", lambda: ["Heavy"])  # the others take their time
    assert next(warm()) == "Heavy"


def test_the_list_is_whole():
    """What tools read, what is public, and what the modules hold are the same."""
    read = re.findall(r"^    from notebook_sne\.models\.(\w+) import (\w+) as \2$", inspect.getsource(models), re.M)
    assert sorted(read) == sorted((model.module, name) for name, model in MODELS.items())
    assert ns.__all__[: len(MODELS)] == list(MODELS)
    for name in MODELS:
        kind = getattr(ns, name)
        assert kind is family.class_of(name) and kind.__name__ == name
        assert issubclass(kind, SingleMap) == (name in family.members())
        assert hasattr(kind, "paper") == bool(MODELS[name].source)


def test_the_page_for_contributors_adds_this_model():
    page = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = [textwrap.dedent(code) for code in re.findall(r"^ *```python\n(.*?)^ *```", page, re.M | re.S)]
    mathematics = {"np": np, "store": store, "student_pull": student_pull, "Evaluation": Evaluation}
    exec(blocks[0], mathematics)
    models_ = {"estimator": estimator, "SingleMap": SingleMap, "heavy": SimpleNamespace(**mathematics)}
    exec(blocks[1], models_)
    assert len(blocks) == 2
    theirs, ours = (
        kind(perplexity=10, random_state=0, max_iter=30, progress=False).fit(X) for kind in (models_["Heavy"], Heavy)
    )
    np.testing.assert_allclose(theirs.embedding_, ours.embedding_)
    assert theirs.cost_ == pytest.approx(ours.cost_)
