import itertools

import numpy as np
import pytest
from bokeh.embed import file_html
from bokeh.models import HoverTool
from bokeh.resources import INLINE

import notebook_sne as ns
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.views import springs
from tests.tables import in_one_test
from tests.views.drawn import data, renderer

Y = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [-3.0, 0.0], [0.0, -4.0]])
# Net forces, as strength times length: 2 pulled, 4 pushed, 1.5 pulled, 4 pushed in the other direction.
PULL = np.array([0.0, 3.0, 1.0, 0.5, 0.0])
PUSH = np.array([0.0, 1.0, 3.0, 0.0, 1.0])
FORCES = Forces(PULL, PUSH, PULL / 10, PUSH / 10)


def legend(figure):
    return [item.label.value for item in figure.legend[0].items]


def test_pulls_lead_to_the_neighbor_and_pushes_away_from_it():
    figure = springs(Y, 0, FORCES)
    pulls, pushes = data(figure, "pull"), data(figure, "push")
    assert list(pulls["object"]) == [3, 1]  # the strongest last, on top
    np.testing.assert_allclose(pulls["force"], [1.5, 2])
    np.testing.assert_array_equal(np.column_stack([pulls["x1"], pulls["y1"]]), Y[[3, 1]])
    assert sorted(pushes["object"]) == [2, 4]
    np.testing.assert_allclose(pushes["force"], [-4, -4])
    np.testing.assert_array_equal(np.column_stack([pushes["x0"], pushes["y0"]]), Y[pushes["object"]])
    np.testing.assert_array_equal(np.column_stack([pushes["x1"], pushes["y1"]]), Y[[0, 0]])


def test_springs_differ_in_color_and_dash_and_their_width_is_the_root_of_the_force():
    figure = springs(Y, 0, FORCES)
    assert renderer(figure, "pull").glyph.line_color != renderer(figure, "push").glyph.line_color
    assert renderer(figure, "pull").glyph.line_dash != renderer(figure, "push").glyph.line_dash
    pulls, pushes = data(figure, "pull"), data(figure, "push")
    assert pulls["width"][1] / pushes["width"][0] == pytest.approx(np.sqrt(2 / 4))
    assert legend(figure) == ["pull", "push", "net force", "object 0"]


def test_only_the_strongest_are_drawn():
    figure = springs(Y, 0, FORCES, most=3)
    assert list(data(figure, "pull")["object"]) == [1]
    assert sorted(data(figure, "push")["object"]) == [2, 4]


def test_the_net_force_is_that_of_all_springs_and_lies_inside():
    figure = springs(Y, 0, FORCES, most=1)
    net = data(figure, "net force")
    # Pulls (2, 0) and (-1.5, 0); pushes (0, -4) and (0, 4).
    assert net["force"][0] == pytest.approx(0.5)
    assert net["x1"][0] > net["x0"][0] == 0
    assert net["y1"][0] == pytest.approx(0)
    edge = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]])
    outward = springs(edge, 0, Forces(*np.array([[0, 0, 0], [0, 9, 9], [0, 0.1, 0.1], [0, 0.1, 0.1]])))
    end = data(outward, "net force")
    assert outward.x_range.start < end["x1"][0] < 0
    assert outward.y_range.start < end["y1"][0] < 0
    assert outward.x_range.reset_start == outward.x_range.start


def test_a_negligible_net_force_is_not_drawn():
    balanced = Forces(*np.array([[0, 1.0, 0, 1 / 3, 0], [0, 0, 1, 0, 0.5], [0] * 5, [0] * 5]))
    assert legend(springs(Y, 0, balanced)) == ["pull", "push", "object 0"]


def test_all_objects_are_there_and_show_p_q_and_the_force():
    names = [f"n{i}" for i in range(5)]
    figure = springs(Y, 0, FORCES, labels=["a", "b", "a", "b", "a"], names=names, title="Springs")
    b = data(figure, "b")
    np.testing.assert_array_equal(np.column_stack([b["x"], b["y"]]), Y[[1, 3]])
    np.testing.assert_allclose(b["p"], PULL[[1, 3]] / 10)
    np.testing.assert_allclose(b["q"], PUSH[[1, 3]] / 10)
    np.testing.assert_allclose(b["force"], [2, 1.5])
    (tool,) = figure.select(HoverTool)
    assert [row for row, _ in tool.tooltips] == ["name", "label", "object", "p", "q", "force (pulls are positive)"]
    assert {"pull", "push", "a", "b"} == {r.name for r in tool.renderers}
    assert list(data(figure, "pull")["name"]) == ["n3", "n1"]
    assert legend(figure)[-3:] == ["n0", "a", "b"]
    assert set(data(figure, "names")["text"]) == set(names)


def test_the_object_itself_is_ringed():
    figure = springs(Y, 3, FORCES)
    ring = data(figure, "object 3")
    assert (ring["x"][0], ring["y"][0]) == (-3, 0)


@pytest.mark.parametrize("kind", [ns.SNE, ns.TSNE])
def test_the_forces_of_a_run_are_drawn(kind):
    X = np.random.default_rng(0).normal(size=(30, 4))
    states = kind(perplexity=5, random_state=0).iterate(X)
    state = next(itertools.islice(states, 5, None))
    figure = springs(state.embedding, 2, states.forces(state, 2))
    drawn = [*data(figure, "pull")["object"], *data(figure, "push")["object"]]
    assert len(drawn) == 12 and 2 not in drawn


def test_coincident_points_have_no_springs():
    figure = springs(np.ones((5, 2)), 0, FORCES)
    assert len(data(figure, "pull")["object"]) == len(data(figure, "push")["object"]) == 0
    assert legend(figure) == ["object 0"]
    file_html(figure, INLINE)


@pytest.mark.parametrize("scale", [1e-200, 1e12])
def test_a_map_may_have_any_extent(scale):
    with np.errstate(all="raise"):
        force = data(springs(scale * Y, 0, FORCES), "pull")["force"]
    np.testing.assert_allclose(np.sort(force), [1.5 * scale, 2 * scale])


@in_one_test(
    ("options", "error", "message"),
    [
        ({"Y": np.zeros((5, 3))}, ValueError, r"Y must have shape .* \(5, 2\), got \(5, 3\)"),
        ({"i": 5}, ValueError, "i must be an object from 0 to 4, got 5"),
        ({"i": -1}, ValueError, "i must be at least 0, got -1"),
        ({"i": 0.5}, TypeError, "i must be a whole number, got 0.5"),
        ({"most": 0}, ValueError, "most must be at least 1, got 0"),
        ({"forces": PULL}, TypeError, "forces must have pull, push, p, q, got ndarray without pull, push, p, q"),
        ({"forces": Forces(PULL[:4], PUSH, PULL, PUSH)}, ValueError, r"forces.pull must have shape \(N,\) = \(5,\)"),
        ({"forces": Forces(PULL, PUSH, PULL * np.nan, PUSH)}, ValueError, "forces.p must be finite, got nan at object"),
        ({"labels": ["a"]}, ValueError, "labels must hold one entry for each of the 5 objects, got 1"),
        ({"title": 3}, TypeError, "title must be a str, got 3"),
    ],
)
def test_errors_name_the_argument_and_the_rule(options, error, message):
    with pytest.raises(error, match=message):
        springs(**{"Y": Y, "i": 0, "forces": FORCES, **options})
