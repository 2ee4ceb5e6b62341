import numpy as np
import pytest
from bokeh.embed import file_html
from bokeh.resources import INLINE

from notebook_sne.quality import distance_pairs
from notebook_sne.views import shepard

RANDOM = np.random.default_rng(0)


def renderer(figure, name):
    (found,) = [r for r in figure.renderers if r.name == name]
    return found


def test_every_pair_is_drawn_and_the_curve_is_the_median_in_bins():
    data = RANDOM.uniform(1, 9, 1000)
    mapped = np.sqrt(data) + 0.1 * RANDOM.normal(size=1000)
    figure = shepard(data, mapped, title="<b>roots</b>", width=300, height=200)
    points = renderer(figure, "pairs").data_source.data
    np.testing.assert_array_equal(points["data"], data)
    np.testing.assert_array_equal(points["map"], mapped)
    curve = renderer(figure, "median").data_source.data
    assert list(curve["pairs"]) == [50] * 20 and (np.diff(curve["data"]) > 0).all()
    order = np.argsort(data)
    np.testing.assert_allclose(curve["median"][3], np.median(mapped[order[150:200]]))
    assert (curve["low"] < curve["median"]).all() and (curve["median"] < curve["high"]).all()
    np.testing.assert_allclose(curve["median"], np.sqrt(curve["data"]), atol=0.1)
    assert figure.x_range.start == 0 and figure.x_range.end > data.max() and figure.y_range.end > mapped.max()
    assert "<b>roots" not in file_html(figure, INLINE).replace("\\u003c", "<").split("<body>")[0]
    assert (figure.title.text.text, figure.frame_width, figure.frame_height) == ("<b>roots</b>", 300, 200)


def test_it_draws_what_distance_pairs_returns_and_few_pairs():
    X = RANDOM.normal(size=(4, 3))
    pairs = distance_pairs(X, X[:, :2])
    assert list(renderer(shepard(pairs["data"], pairs["map"]), "median").data_source.data["pairs"]) == [6]
    shepard([0.0], [0.0])


@pytest.mark.parametrize(
    ("data", "mapped", "message"),
    [
        ([1.0, 2], [1.0], "data and mapped must be of the same pairs, got 2 and 1 distances"),
        ([1.0, -2], [1.0, 2], "data must be finite distances, not negative, got -2 for pair 1"),
        ([1.0, 2], [1.0, np.nan], "mapped must be finite distances, not negative, got nan for pair 1"),
        ([], [], r"data must have shape \(K,\) with 1 <= K <= 50000, got \(0,\); draw fewer pairs"),
        (np.ones((3, 3)), [1.0], r"got \(3, 3\)"),
    ],
)
def test_what_are_no_distances_is_refused(data, mapped, message):
    with pytest.raises(ValueError, match=message):
        shepard(data, mapped)
