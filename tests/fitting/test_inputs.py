"""What a model is given is what it is read as: distances, a P or neighbors given as vectors are not passed over."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform

import notebook_sne as ns
from tests.tables import in_one_test

X = np.random.default_rng(0).normal(size=(40, 4))
D = squareform(pdist(X))
QUICK = {"max_iter": 2, "progress": False, "random_state": 0}


@in_one_test(
    "model",
    [
        ns.SNE(perplexity=5, **QUICK),
        ns.TSNE(perplexity=5, metric="cosine", **QUICK),
        ns.AspectMaps(n_maps=2, perplexity=5, **QUICK),
        ns.networks.ParametricMap(model=ns.TSNE(perplexity=5), **QUICK),
        ns.baselines.Sammon(**QUICK),
        ns.baselines.Isomap(n_neighbors=10),
        ns.baselines.PCA(),
        ns.baselines.GTM(max_iter=2),
    ],
    ids=lambda model: type(model).__name__,
)
def test_distances_given_as_vectors_are_warned_of_once(model):
    with pytest.warns(UserWarning) as told:
        model.fit(D)
    told = [each for each in told if "as distances of 40 objects have" in str(each.message)]
    assert len(told) == 1 and "say input='distances'" in str(told[0].message)


@pytest.mark.parametrize("kind", [pd.DataFrame, lambda D: np.round(100 * D).astype(int), np.float32, list])
def test_distances_of_any_kind_are_seen(kind):
    with pytest.warns(UserWarning, match="as distances of 40 objects have"):
        ns.SNE(perplexity=5, **QUICK).fit(kind(D))


@pytest.mark.parametrize(
    "change",
    [
        lambda D: D + np.eye(40),
        lambda D: D - 2 * (D == D[3, 5]) * D,
        lambda D: np.where(np.arange(40)[:, None] < np.arange(40), 1.1, 1.0) * D,
        lambda D: D[:, :39],
    ],
    ids=["a diagonal", "a negative entry", "no symmetry", "not square"],
)
def test_other_square_tables_are_vectors(change):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ns.SNE(perplexity=5, **QUICK).fit(change(D))
        ns.SNE(perplexity=5, input="distances", **QUICK).fit(D)


def test_a_p_given_as_a_table_of_vectors_is_refused():
    P = ns.affinities.conditional(X, 5)
    for given in (P, pd.DataFrame(P), ns.affinities.joint(P)):
        for model in (ns.SNE(), ns.baselines.MetricMDS(), ns.baselines.PCA()):
            with pytest.raises(ValueError, match="X looks like a P"):
                model.fit(given)
