"""Each failure is there, by its number, on seeds that it was not chosen for one by one; and it can be drawn."""

import re
from html import escape

import numpy as np
import pytest
from bokeh.embed import file_html
from bokeh.resources import INLINE

from notebook_sne import baselines, failures

CASES = [name for name in failures.__all__ if name != "Failure"]
SLOW = ("sammon_ball", "pca_without_colors", "lle_collapse", "mvu_held")


def numbers(name, seed):
    return getattr(failures, name)(seed).numbers


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in CASES])
def test_a_case_has_its_data_maps_and_numbers_and_can_be_drawn(name):
    case = getattr(failures, name)()
    N = len(case.X)
    assert len(case.labels) == N and len(case.maps) >= 2 and case.title
    assert list(case.maps) == list(case.numbers.index) and np.isfinite(case.numbers.to_numpy()).all()
    assert all(Y.shape == (N, 2) and np.isfinite(Y).all() for Y in case.maps.values())
    layout = case.draw(size=240)
    title, figures = layout.children
    assert title.elements[0].html == escape(case.title)
    for name, figure in zip(case.maps, figures.children, strict=True):
        assert figure.title.text.text.startswith(f"{name}\n") and not re.search(r"\de[-+]", figure.title.text.text)
        marks = [r for r in figure.renderers if "object" in r.data_source.data]
        assert sum(len(r.data_source.data["x"]) for r in marks) == N
        assert (len(marks) == 1 and "label" not in marks[0].data_source.data) or name not in case.plain
    assert "<script" in file_html(layout, INLINE)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", [0, 1])
def test_one_object_holds_mvu(seed):
    told = numbers("mvu_held", seed)
    assert told["correlation"]["MVU"] > 0.98 and told["correlation"]["MVU, one more object"] < 0.7
    assert told["variance"]["MVU, one more object"] < 0.8 * told["variance"]["MVU"]


@pytest.mark.parametrize("seed", [0, 1])
def test_lle_puts_most_digits_into_the_middle(seed):
    share = numbers("lle_collapse", seed)["in the middle"]
    assert share["LLE"] > 0.15 and share["PCA"] < 0.06


@pytest.mark.parametrize("seed", [0, 1])
def test_lle_makes_a_point_of_each_part(seed):
    width = numbers("lle_disconnected", seed)["width of a cluster"]
    assert width["LLE"] < 1e-6 and width["PCA"] > 0.05


def test_our_lle_refuses_the_graph_in_parts():
    with pytest.raises(ValueError, match="has 3 parts"):
        baselines.LLE(n_neighbors=8).fit(failures.lle_disconnected().X)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_object_spoils_isomap(seed):
    told = numbers("short_circuit", seed)
    assert told["longest path"]["Isomap, one more object"] < 0.75 * told["longest path"]["Isomap"]
    assert told["correlation"]["Isomap, one more object"] < 0.6 and told["correlation"]["Isomap"] > 0.98


@pytest.mark.parametrize("seed", range(4))
def test_distances_that_are_cut_off_make_a_second_axis(seed):
    told = numbers("spurious_axes", seed)
    assert told["second axis"]["distances cut off"] > 0.25 and told["negative"]["distances cut off"] > 0.08
    assert told.loc["all distances"].max() < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_a_sammon_map_is_round_and_even(seed):
    told = numbers("sammon_ball", seed)
    assert told["uneven"]["Sammon"] < 0.21 < told["uneven"][["PCA", "t-SNE"]].min()
    assert told["round"]["Sammon"] > 0.94


@pytest.mark.slow
def test_without_colors_little_is_found_in_a_pca():
    told = numbers("pca_without_colors", 0)
    assert told["found"]["PCA"] < 0.55 < told["found"]["t-SNE"]
    assert told["1-NN error"]["PCA"] > 0.3 and told["1-NN error"]["t-SNE"] < 0.1
    assert told.loc["PCA without colors"].equals(told.loc["PCA"])
