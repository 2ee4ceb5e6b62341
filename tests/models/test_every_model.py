"""A fit of each model that the package lists, from data to a map: also with the oldest versions of all libraries."""

import numpy as np

import notebook_sne as ns
from notebook_sne.models import MODELS
from tests.tables import in_one_test


@in_one_test("name", MODELS)
def test_a_fit_ends_in_a_finite_map(name):
    X = ns.datasets.load_digits().X[:120]
    model = getattr(ns, name)(max_iter=3, random_state=0, progress=False).fit(X)
    maps = model.maps_ if hasattr(model, "maps_") else model.embedding_
    assert maps.shape[-2] == 120 and np.isfinite(maps).all()
