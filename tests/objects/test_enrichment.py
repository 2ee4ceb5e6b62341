"""What tells of a part of the objects, and regions of a map."""

import tracemalloc

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from notebook_sne.engine.objects.enrichment import telling_of, text_features
from notebook_sne.engine.objects.regions import divided


def test_the_ratio_is_that_of_the_test_of_a_table_of_two_by_two():
    parts = np.repeat([0, 1], [30, 70])
    has = np.r_[np.arange(30) < 20, np.arange(70) < 15]
    features = [text_features("text", ["yes" if one else None for one in has], whole=True)]
    (one,), others = telling_of(features, parts, 2, 5)
    expected = chi2_contingency([[20, 10], [15, 55]], correction=False, lambda_="log-likelihood").statistic
    assert one.ratio == pytest.approx(expected, rel=1e-12)
    assert (one.source, one.what, one.share, one.elsewhere) == ("text", "yes", 20 / 30, 15 / 70)
    assert not others


def test_as_many_parts_as_objects_take_no_square_of_memory():
    N = 5000
    features = [text_features("name", [f"word{i} other{i}" for i in range(N)])]
    tracemalloc.start()
    assert not any(telling_of(features, np.arange(N), N, 5))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 * N * N / 20  # bytes; counts of all parts by all words would be 8 for each


def test_a_map_is_divided_into_areas_the_largest_first():
    rng = np.random.default_rng(0)
    Y = np.concatenate([rng.normal((9, 0), 1, (60, 2)), rng.normal((-9, 0), 1, (140, 2))])
    found = divided(Y, 2)
    assert (found[:60] == 1).all() and (found[60:] == 0).all()
    assert np.array_equal(divided(Y + 3, 2), found)
    assert divided(np.zeros((5, 2)), 3).tolist() == [0] * 5
