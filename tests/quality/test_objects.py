import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.quality import continuity, knn_error, neighbor_recall, object_costs, object_scores, trustworthiness
from tests.quality.slow import slow_trust

RANDOM = np.random.default_rng(0)
X, Y, LABELS = RANDOM.normal(size=(60, 5)), RANDOM.normal(size=(60, 2)), np.arange(60) % 4


def test_the_means_of_the_objects_scores_are_those_of_the_map():
    scores = object_scores(X, Y, 6, labels=LABELS)
    wanted = {
        "recall": neighbor_recall(X, Y, 6),
        "trustworthiness": trustworthiness(X, Y, 6),
        "continuity": continuity(X, Y, 6),
        "knn_error": knn_error(Y, LABELS, 6),
    }
    assert list(scores.columns) == list(wanted) and list(scores.index) == list(range(60))
    for name, value in wanted.items():
        assert scores[name].mean() == pytest.approx(value, abs=1e-12)
    np.testing.assert_allclose(scores["trustworthiness"], slow_trust(X, Y, 6), atol=1e-13)
    assert ((scores >= 0) & (scores <= 1)).all(axis=None)
    assert list(object_scores(X, Y).columns) == list(wanted)[:3]


def test_an_object_without_a_label_has_no_error():
    labels = LABELS.astype(object)
    labels[[3, 5]] = None
    errors = object_scores(X, Y, 4, labels=labels)["knn_error"]
    assert list(np.flatnonzero(errors.isna())) == [3, 5]
    assert errors.mean() == pytest.approx(knn_error(Y, labels, 4))


def test_the_player_and_the_figures_color_by_them():
    P = ns.affinities.joint(ns.affinities.conditional(X, 10))
    scores = object_scores(X, Y, 6, labels=[None, *LABELS[1:]])
    for values in (scores["recall"], scores["knn_error"], object_costs(Y, P)):
        low, high = np.float32(np.nanmin(values)), np.float32(np.nanmax(values))
        with ns.Run(ns.TSNE(perplexity=10, random_state=0), X) as run:
            run.steps(1)
            player = ns.Player(run, labels=LABELS, values=values)
            np.testing.assert_array_equal(np.frombuffer(player.values, "<f4"), np.asarray(values, "<f4"))
            assert player.value_range == [low, high]
            player.color = "value"
            player.close()
        figure = ns.views.map_points(Y, labels=np.asarray(values))
        (drawn,) = [r for r in figure.renderers if r.name == "objects"]
        there = ~np.isnan(np.asarray(values))
        np.testing.assert_array_equal(drawn.data_source.data["value"], np.asarray(values)[there])
