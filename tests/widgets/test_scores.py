"""Colors that a live view finds: neighbors kept, movement when perturbed, true distances; without a browser."""

import threading

import numpy as np
import pytest
import traitlets
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import kneighbors_graph

import notebook_sne as ns
from notebook_sne.browser.widgets.background_call import BackgroundCall
from notebook_sne.browser.widgets.neighbors import distances_from
from notebook_sne.browser.widgets.player import watch
from notebook_sne.browser.widgets.score_kinds import KeptNeighbors
from notebook_sne.browser.widgets.scores import refusals
from notebook_sne.models.family import relatives, successor
from notebook_sne.quality import object_scores, perturbation_scores
from tests.standins import Drifting, until

DIGITS = ns.datasets.load_digits()
FEW = DIGITS.X[:80]
D = np.sqrt(np.square(FEW[:, None] - FEW).sum(-1))
P = ns.affinities.joint(ns.affinities.conditional(FEW, 8))


def model(**settings):
    return ns.TSNE(**{"perplexity": 8, "random_state": 0, "max_iter": 60, **settings})


def show(browser, made, X=FEW):
    player = browser.show(watch(made, X))
    assert until(lambda: player.status == "finished" and player.uncolored)
    return player


def of(browser, color):
    """What was sent of a color: contents, and scores, the last one last."""
    sent = [item for item in list(browser.sent) if item[0]["kind"] == "scores" and item[0]["of"] == color]
    return [(content, np.frombuffer(packed, "<f4")) for content, (packed,) in sent]


def ask(player, i):
    player._handle_message(player, {"kind": "request", "what": "distances", "index": i}, [])


def test_the_neighbors_kept_are_the_recall_of_each_object_counted_again_as_a_run_goes_on(browser):
    player = show(browser, model())
    player.color = "recall"
    assert until(lambda: of(browser, "recall"))
    content, shares = of(browser, "recall")[-1]
    assert (content["iteration"], content["k"], content["low"], content["high"]) == (60, 10, 0.0, 1.0)
    wanted = object_scores(FEW, player.run.state.Y[0])["recall"]
    np.testing.assert_allclose(shares, wanted, atol=1e-6)
    player._handle_message(player, {"kind": "hello"}, [])  # a page that opens later is sent the scores again
    assert until(lambda: len(of(browser, "recall")) > 1)
    player.run.step(5)
    assert until(lambda: of(browser, "recall")[-1][0]["iteration"] == 65)
    n = len(of(browser, "recall"))
    player.color = "none"
    player.run.step(5)
    assert until(lambda: player.iteration == 70)
    assert len(of(browser, "recall")) == n


def test_objects_without_neighbors_have_no_share():
    P = np.zeros((30, 30))
    P[:29, :29] = 1 - np.eye(29)
    P[3, 4:] = 0  # three neighbors alone
    kept = KeptNeighbors(P / P.sum(), "joint")
    shares = kept.shares(np.random.default_rng(0).normal(size=(30, 2)))
    assert np.isnan(shares[29]) and not np.isnan(shares[:29]).any()
    assert (kept.there[3], kept.there[29]) == (3, 0)
    assert shares[3] * 3 == pytest.approx(round(shares[3] * 3))


def test_points_in_one_place_are_each_others_neighbors():
    X = np.arange(24.0).reshape(12, 2)
    shares = KeptNeighbors(X, "vectors").shares(np.zeros((12, 2)))
    assert ((shares >= 0) & (shares <= 1)).all()
    np.testing.assert_array_equal(KeptNeighbors(X, "vectors").shares(3 * X), 1.0)


def test_movement_comes_part_by_part_when_the_run_rests_and_is_found_anew_for_another_moment(browser, monkeypatch):
    monkeypatch.setattr("notebook_sne.browser.widgets.score_kinds.SLICE", 0.0)  # sixteen objects each time
    player = show(browser, model())
    player.color = "perturbation"
    assert until(lambda: of(browser, "perturbation") and of(browser, "perturbation")[-1][0]["done"] == 80)
    parts = of(browser, "perturbation")
    assert [content["done"] for content, _ in parts] == [16, 32, 48, 64, 80]
    assert [int((~np.isnan(scores)).sum()) for _, scores in parts] == [16, 32, 48, 64, 80]
    content, scores = parts[-1]
    assert content["iteration"] == 60 and content["high"] == pytest.approx(scores.max())
    wanted = perturbation_scores(FEW, player.run.state.Y[0], 8)
    np.testing.assert_allclose(scores, wanted, rtol=1e-3, atol=1e-3)
    player.run.seek(20)
    assert until(lambda: any(len(scores) == 0 for _, scores in of(browser, "perturbation")))
    assert until(lambda: of(browser, "perturbation")[-1][0].get("done") == 80)
    assert of(browser, "perturbation")[-1][0]["iteration"] == 20


@pytest.mark.parametrize(("input", "X", "at_once"), [("vectors", FEW, 1e6), ("distances", D, 1e6), ("vectors", FEW, 0)])
def test_distances_are_those_of_the_data_also_where_they_are_found_beside_the_sending(
    browser, monkeypatch, input, X, at_once
):
    monkeypatch.setattr("notebook_sne.browser.widgets.scores._AT_ONCE", at_once)
    player = show(browser, model(input=input), X)
    player.color = "distance"
    for i in (3, 70):
        ask(player, i)
        assert until(lambda i=i: of(browser, "distance") and of(browser, "distance")[-1][0]["index"] == i)
    ask(player, 999)  # nobody
    content, far = of(browser, "distance")[-1]
    np.testing.assert_allclose(far, D[70], rtol=1e-5, atol=1e-5)
    ends = np.delete(D[70], 70).min(), D[70].max()
    assert (content["low"], content["high"]) == pytest.approx(ends, rel=1e-5)
    assert content["iteration"] is None


def test_what_cannot_be_found_is_refused_with_a_reason(browser):
    player = show(browser, model(input="joint"), P)
    assert player.uncolored["distance"] == "no distances given" and not player.uncolored["recall"]
    with pytest.raises(traitlets.TraitError, match=r"got 'distance' \(no distances given\)"):
        player.color = "distance"
    with pytest.raises(traitlets.TraitError, match=r"got 'perturbation' \(needs vectors\)"):
        player.color = "perturbation"
    ask(player, 3)
    player.color = "recall"
    assert until(lambda: of(browser, "recall"))
    assert not of(browser, "distance")


def test_a_color_that_another_model_lacks_gives_way(browser):
    player = show(browser, model())
    player.color = "perturbation"
    player.run.switch(ns.SNE(perplexity=8, max_iter=70))
    player.run.step()
    assert until(lambda: player.color == "none")
    assert player.uncolored["perturbation"] == "of t-SNE and symmetric SNE only"


def test_reasons_are_those_of_the_model():
    state = next(model(degrees_of_freedom=2.0).iterate(FEW))
    assert refusals(model(), state)["perturbation"] == "of t-SNE and symmetric SNE only"
    assert not refusals(ns.SymmetricSNE(), None)["perturbation"]
    assert refusals(Drifting(), None)["perturbation"] and not refusals(Drifting(), None)["recall"]
    several = next(ns.AspectMaps(n_maps=2, perplexity=8).iterate(FEW))
    assert set(refusals(ns.AspectMaps(), several).values()) == {"of one map only", ""}


@pytest.mark.parametrize("metric", ["cosine", "manhattan"])
def test_colors_are_measured_by_the_metric_of_the_run(browser, metric):
    X = FEW * np.random.default_rng(0).uniform(0.1, 90, size=(80, 1))
    true = pairwise_distances(X, metric=metric)
    true = np.sqrt(2 * true) if metric == "cosine" else true
    player = show(browser, model(metric=metric), X)
    assert player.uncolored["perturbation"] == "needs Euclidean distances"
    player.color = "recall"
    assert until(lambda: of(browser, "recall"))
    order = np.argsort(true + 1e9 * np.eye(80), axis=1)[:, :10]
    on_map = pairwise_distances(player.run.state.Y[0]) + 1e9 * np.eye(80)
    kept = [len(np.intersect1d(a, b)) / 10 for a, b in zip(order, np.argsort(on_map, axis=1)[:, :10], strict=True)]
    np.testing.assert_allclose(of(browser, "recall")[-1][1], kept, atol=1e-6)
    player.color = "distance"
    ask(player, 3)
    assert until(lambda: of(browser, "distance"))
    np.testing.assert_allclose(of(browser, "distance")[-1][1], true[3], rtol=1e-4, atol=1e-5)


def test_distances_of_sparse_vectors_are_those_of_dense_ones():
    np.testing.assert_allclose(distances_from(sparse.csr_array(FEW), "vectors", 7), D[7])


def test_sparse_precomputed_distances_are_those_of_neighbors_in_views(tmp_path):
    graph, told = kneighbors_graph(FEW, 30, mode="distance"), []
    for said in ({"input": "neighbors"}, {"metric": "precomputed"}):
        player = watch(model(**said), graph, autoplay=False)
        player.to_html(tmp_path / "page.html", live=True)
        player.run.switch(successor(player.run.model, "SNE", 80))
        player.run.step(1)
        assert until(lambda run=player.run: run.state.model == "SNE") and player.run.error is None
        near = player.describe().neighbors.tolist()
        told.append((near, refusals(model(**said), None, graph), relatives(model(**said), graph)))
        player.discard()
        with pytest.raises(ValueError, match="bootstrap needs objects that can be drawn"):
            ns.refits(model(**said), graph, 2, bootstrap=True)
    assert told[0] == told[1]
    assert sorted(told[0][0][0]) == sorted(np.argsort(D[0])[1:9])
    assert refusals(model(), None, sparse.csr_array(FEW))["perturbation"] == "needs dense vectors"


def test_whole_numbers_are_measured_without_wrapping_around():
    X = np.array([[0], [255], [3]], np.uint8)
    np.testing.assert_array_equal(distances_from(X, "vectors", 0), [0, 255, 3])


def test_a_call_beside_gives_back_what_it_raised():
    call, gate = BackgroundCall(), threading.Event()
    call.start(gate.wait)
    assert call.busy and call.fetch() is None
    gate.set()
    assert until(lambda: call.fetch() is True) and not call.busy
    call.start(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        until(lambda: call.fetch())
    assert not call.busy


def test_while_scores_are_found_the_page_is_asked_whether_it_is_there(browser, monkeypatch):
    """A page says nothing by itself while a run rests; unasked, it would be taken for closed before all is found."""
    monkeypatch.setattr("notebook_sne.browser.widgets.score_kinds.SLICE", 0.0)
    monkeypatch.setattr("notebook_sne.browser.widgets.sender.HEARTBEAT", 0.0)
    gate = threading.Event()
    scores = ns.quality.perturbations.Perturbations.scores
    monkeypatch.setattr(
        "notebook_sne.quality.perturbations.Perturbations.scores", lambda *given: gate.wait() and scores(*given)
    )
    player = show(browser, model())
    player.color = "perturbation"
    asked = lambda: [c for c, _ in list(browser.sent) if c["kind"] == "heartbeat" and c["wants_ack"]]  # noqa: E731
    before = len(asked())
    assert until(lambda: len(asked()) > before + 3)
    gate.set()
    assert until(lambda: of(browser, "perturbation") and of(browser, "perturbation")[-1][0]["done"] == 80)
