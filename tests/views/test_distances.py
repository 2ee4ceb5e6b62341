import numpy as np
import pytest

from notebook_sne.views.distances import NetPanel
from notebook_sne.views.screen import Changes
from tests.views.drawn import data

RANDOM = np.random.default_rng(0)


def net(nodes, X, labels=None, names=None, title=None, size=560):
    panel = NetPanel(X, labels=labels, names=names, title=title, size=size)
    panel.show(Changes(), nodes)
    return panel.figure


def ends(figure):
    """Return the lines of a net, each from its left and lower end to the other."""
    lines = data(figure, "net")
    pairs = np.array([lines[name] for name in ("x0", "y0", "x1", "y1")]).T.reshape(-1, 2, 2)
    return np.array(sorted(sorted(pair) for pair in pairs.tolist()))


def test_a_net_is_drawn_by_lines_between_its_neighbors():
    X = RANDOM.uniform(size=(40, 2))
    nodes = np.stack(np.meshgrid([0.0, 1.0, 2.0], [0.0, 1.0], indexing="ij"), axis=2)
    figure = net(nodes, X, labels=np.arange(40) % 2, title="<i>net</i>", size=300)
    lines = ends(figure) + X.mean(axis=0)
    np.testing.assert_allclose(np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1), 1.0)
    assert len(lines) == 3 * 1 + 2 * 2
    points = data(figure, "nodes")
    np.testing.assert_allclose(np.array([points["x"], points["y"]]).T + X.mean(axis=0), nodes.reshape(-1, 2))
    shown = [figure.x_range.start, figure.x_range.end] + X.mean(axis=0)[0]
    assert shown[0] < 0 and shown[1] > 2
    assert figure.title.text.text == "<i>net</i>"
    assert {r.name for r in figure.renderers} == {"0", "1", "net", "nodes"}


def test_a_net_in_many_dimensions_is_seen_from_its_broadest_side():
    X = RANDOM.normal(size=(100, 5)) * [0.1, 4, 0.1, 2, 0.1] + 7
    nodes = 7 + np.zeros((4, 3, 5))
    nodes[:, :, 1], nodes[:, :, 3] = np.arange(4)[:, None], 10 * np.arange(3)
    lines = ends(net(nodes, X))
    lengths = np.sort(np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1))
    np.testing.assert_allclose(lengths, [1] * 9 + [10] * 8, rtol=0.01)


def test_a_line_of_nodes_and_one_feature_are_drawn():
    figure = net(np.arange(5.0).reshape(5, 1, 1), np.arange(30.0)[:, None])
    assert len(ends(figure)) == 4


@pytest.mark.parametrize(
    ("nodes", "X", "message"),
    [
        (np.zeros((3, 2)), np.eye(4), r"nodes must be finite, of shape \(n, m, n_features\) with the 4 features of X"),
        (np.zeros((3, 2, 3)), np.eye(4), r"got \(3, 2, 3\); give what som.net"),
        (np.full((3, 2, 4), np.nan), np.eye(4), "nodes must be finite"),
        (np.zeros((3, 2, 4)), np.full((4, 4), np.nan), "X must be finite"),
    ],
    ids=["two axes", "other features", "not finite", "objects not finite"],
)
def test_nets_that_do_not_fit_their_objects_are_refused(nodes, X, message):
    with pytest.raises(ValueError, match=message):
        net(nodes, X)
