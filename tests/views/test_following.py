import gc
import json
import threading
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.views import live
from notebook_sne.views.following import _states_of
from notebook_sne.views.screen import Changes
from tests.standins import Drifting, until
from tests.standins.waiting import PATIENCE
from tests.tables import in_one_test

N = 30
X = np.random.default_rng(0).normal(size=(N, 3))
LABELS = np.arange(N) % 3


class Forced:
    """States that tell forces, as those of a model do."""

    def __init__(self, states):
        self.states = states

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.states)

    def forces(self, state, i):
        p = np.arange(N) / N**2
        return type("Forces", (), {"p": p, "q": p[::-1]})()


def watched(states, n=51, **options):
    """Read n states through the figures; return the states and the figures, the last one drawn."""
    followed = live(states, **options)
    seen = list(islice(followed, n))
    followed._feed.end()
    followed._thread.join(PATIENCE)
    assert not followed._thread.is_alive()
    return seen, followed, followed._feed.panels


def drawn_points(panels):
    points = np.full((N, 2), np.nan)
    for source in panels.sources:
        points[source.data["object"]] = np.column_stack([source.data["x"], source.data["y"]])
    return points


def curve(figure):
    (line,) = [r for r in figure.renderers if r.name == "curve"]
    return line.data_source.data


@pytest.mark.slow
def test_a_loop_gets_every_state_and_the_last_one_is_drawn_with_ranges_that_hold_it():
    seen, followed, panels = watched(Drifting().iterate(X), X=X, labels=LABELS, title="Drift")
    assert [state.iteration for state in seen] == list(range(51))
    last = seen[-1].embedding
    np.testing.assert_allclose(drawn_points(panels), last, rtol=1e-6)
    start = np.abs(seen[0].embedding).max()
    for shown, x in ((panels.map.x_range, last[:, 0]), (panels.map.y_range, last[:, 1])):
        assert shown.start < x.min() and x.max() < shown.end < 1.5 * x.max() and shown.end > 100 * start
    assert panels.map.title.text.text == "Drift" and panels.facts.text.text.startswith("iteration 50, drift: ")
    np.testing.assert_array_equal(curve(panels.cost_line)["iteration"], np.arange(51))
    np.testing.assert_allclose(curve(panels.cost_line)["value"], [state.cost for state in seen])
    assert panels.cost_line.x_range.end == 50 and panels.cost_line.y_range.end > seen[0].cost
    scores = curve(panels.score_line)
    assert scores["iteration"][-1] == 50
    assert scores["value"][-1] == pytest.approx(ns.quality.neighbor_recall(X, last, 10))
    assert panels.pairs is None and followed.error is None


@pytest.mark.slow
def test_what_is_kept_on_the_page_is_the_last_state():
    seen, followed, _ = watched(Drifting().iterate(X), labels=LABELS)
    document = json.loads(followed._feed.screen.document)
    assert document["version"] and document["roots"] and "iteration 50, drift" in followed._feed.screen.document
    assert len(seen) == 51


@pytest.mark.slow
def test_a_list_of_states_and_a_model_are_followed():
    states = list(islice(Drifting().iterate(X), 5))
    seen, _, panels = watched(states)
    assert seen == states and panels.score_line is None
    np.testing.assert_allclose(drawn_points(panels), states[-1].embedding, rtol=1e-6)
    model = ns.SNE(perplexity=8, random_state=0)
    seen, _, panels = watched(model.iterate(X), n=20, pairs_of=3)
    alone = list(islice(model.iterate(X), 20))
    assert seen[-1].Y.tobytes() == alone[-1].Y.tobytes()  # to be looked at changes nothing
    forces = model.iterate(X).forces(seen[-1], 3)
    sides = {name: source.data for name, source in panels.pairs.sides.items()}
    assert (sides["pulled"]["p"] >= sides["pulled"]["q"]).all() and (sides["pushed"]["p"] < sides["pushed"]["q"]).all()
    pairs = np.concatenate([side["pair"] for side in sides.values()]).astype(int)
    assert sorted(pairs) == [j for j in range(N) if j != 3]
    # A pair with p = 0 stands at the lower edge.
    low = min(forces.p[forces.p > 0].min(), forces.q[forces.q > 0].min())
    for name in "pq":
        wanted = np.maximum(getattr(forces, name)[pairs], low)
        np.testing.assert_allclose(np.concatenate([side[name] for side in sides.values()]), wanted)


@pytest.mark.slow
def test_pairs_with_tiny_probabilities_stand_at_the_edge():
    class Tiny(Forced):
        def forces(self, state, i):
            p, q = np.full(N, 1e-3), np.full(N, 1e-30)
            p[0] = q[1] = 0  # the first of these costs nothing either way
            return type("Forces", (), {"p": p, "q": q})()

    _, _, panels = watched(Tiny(Drifting().iterate(X)))
    q = panels.pairs.sides["pulled"].data["q"]
    assert len(q) == N and (q == 1e-13).all() and panels.pairs.figure.x_range.start < 1e-13


def test_at_most_five_states_a_second_are_drawn():
    followed = live(Drifting().iterate(X), measure=lambda Y: times.append(threading.get_ident()) or 1.0)
    times = []
    loop = iter(followed)
    next(loop)
    until(lambda: len(times) == 1)
    for _ in range(2000):  # far faster than that
        next(loop)
    followed.close()
    assert len(times) < 200 and len(set(times)) == 1 and times[0] != threading.get_ident()


def test_a_run_is_followed_through_pause_and_play_and_left_alone():
    with ns.Run(Drifting(), X) as run:
        followed = live(run, labels=LABELS)
        followed._repr_mimebundle_()
        run.steps(10)
        until(lambda: followed._feed.drawn is run.state)
        panels = followed._feed.panels
        np.testing.assert_array_equal(curve(panels.cost_line)["iteration"], np.arange(11))
        run.steps(5)
        until(lambda: followed._feed.drawn is run.state)
        np.testing.assert_array_equal(curve(panels.cost_line)["iteration"], np.arange(16))
        run.seek(4)
        run.wait()
        until(lambda: followed._feed.drawn is run.state)
        assert curve(panels.cost_line)["iteration"][-1] == 4
        followed.close()
        assert not followed._thread.is_alive() and run.status == "paused"
        run.steps(1)


def test_a_loop_over_a_run_plays_it_and_ends_with_it():
    with ns.Run(Drifting(), X) as run:
        for state in live(run):
            assert state.Y.shape == (1, N, 2)
        assert state.iteration == 50 and run.status == "finished"


def test_what_a_run_raises_comes_out_of_the_loop():
    with ns.Run(Drifting(fails_at=7), X) as run, pytest.raises(ArithmeticError, match="the map ran away"):
        for state in live(run):
            assert state.iteration < 7


@pytest.mark.slow
def test_the_end_of_the_states_and_their_error_are_drawn_too():
    followed = live(Drifting(ends_at=9).iterate(X))
    seen = list(followed)
    followed.close()
    assert len(seen) == 9 and followed._feed.drawn is seen[-1]
    followed = live(Drifting(fails_at=9).iterate(X))
    with pytest.raises(ArithmeticError):
        list(followed)
    followed.close()
    assert followed._feed.drawn.iteration == 8
    assert list(followed) == []


@pytest.mark.slow
def test_a_loop_that_is_left_draws_its_last_state_and_its_thread_ends():
    followed = live(Drifting().iterate(X))
    for state in followed:
        if state.iteration == 30:
            break
    thread, feed = followed._thread, followed._feed
    del followed
    gc.collect()
    thread.join(PATIENCE)
    assert not thread.is_alive() and feed.drawn is state


@pytest.mark.slow
def test_a_run_that_nobody_refers_to_ends_and_so_do_its_figures():
    run = ns.Run(Drifting(), X)
    followed = live(run)
    followed._repr_mimebundle_()
    run.steps(3)
    feed, thread, own = followed._feed, followed._thread, run._worker.thread
    until(lambda: feed.latest is not None)
    del run, followed
    gc.collect()
    until(lambda: gc.collect() >= 0 and not own.is_alive())
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.mark.slow
def test_several_maps_lines_and_more_dimensions_are_drawn():
    model = ns.AspectMaps(n_maps=3, perplexity=8, random_state=0)
    seen, _, panels = watched(model.iterate(X), n=3, m=2)
    np.testing.assert_allclose(drawn_points(panels), seen[-1].Y[2], rtol=1e-6)
    assert panels.map.title.text.text == "aspect maps, map 3 of 3" and panels.pairs is None
    for d in (1, 3):
        seen, _, panels = watched(Drifting(n_components=d).iterate(X), n=3)
        np.testing.assert_allclose(drawn_points(panels)[:, : min(d, 2)], seen[-1].embedding[:, :2], rtol=1e-6)


@pytest.mark.slow
def test_a_baseline_is_followed_without_a_unit_that_its_cost_does_not_have():
    for model, told, title in (
        (ns.baselines.Sammon(random_state=0), "", "cost, by iteration"),
        (ns.TSNE(perplexity=8, random_state=0), " nats", "cost in nats, by iteration"),
    ):
        seen, _, panels = watched(model.iterate(X), n=5)
        assert panels.facts.text.text.endswith(f": {seen[-1].cost:.5g}{told}")
        assert panels.cost_line.title.text.text == title
    assert panels.map.title.text.text == "t-SNE"


@pytest.mark.slow
def test_the_net_of_a_map_on_a_grid_is_drawn_beside_it():
    som = ns.baselines.SOM(grid=(4, 3), max_iter=20, random_state=0)
    seen, followed, panels = watched(som.iterate(X), 11, X=X, labels=LABELS, net=som)
    assert followed.error is None
    drawn = np.array([panels.net.nodes.data[name] for name in "xy"]).T
    np.testing.assert_allclose(drawn, (som.net(seen[-1], X).reshape(12, 3) - X.mean(axis=0)) @ panels.net._axes.T)
    assert len(panels.net.lines.data["x0"]) == 3 * 3 + 4 * 2


@pytest.mark.slow
def test_the_net_of_a_run_is_known_and_stays_when_another_model_takes_over():
    with ns.Run(ns.baselines.GTM(grid=(4, 3), max_iter=20, random_state=0), X) as run:
        run.steps(2)
        followed = live(run, labels=LABELS)
        followed._begin()
        until(lambda: followed._feed.drawn is run.state)
        panels = followed._feed.panels
        before = panels.net.nodes.data["x"].copy()
        run.switch(ns.SNE(perplexity=5, random_state=0))
        run.wait()
        run.steps(2)
        until(lambda: followed._feed.drawn is run.state)
        assert np.array_equal(panels.net.nodes.data["x"], before) and followed.error is None
        assert live(ns.Run(ns.SNE(perplexity=5), X))._feed.asked["net"] is None
        followed.close()


def test_a_state_that_is_not_finite_is_drawn_as_far_as_it_is():
    seen, followed, panels = watched(Drifting(infinite_at=20).iterate(X), n=21)
    assert np.isnan(seen[-1].embedding[0, 0]) and followed.error is None
    assert np.isfinite([panels.map.x_range.start, panels.map.x_range.end]).all()
    assert curve(panels.cost_line)["iteration"][-1] == 19


@pytest.mark.slow
def test_labels_without_objects_give_the_error_of_the_nearest_neighbor():
    seen, _, panels = watched(Drifting().iterate(X), labels=LABELS)
    assert panels.score_line.title.text.text == "1-NN error, by iteration"
    assert curve(panels.score_line)["value"][-1] == ns.quality.knn_error(seen[-1].embedding, LABELS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"X": X[:9]}, "X must hold the 30 objects of the states, got 9"),
        ({"labels": [0, 1]}, "labels must hold one entry for each of the 30 objects, got 2"),
        ({"m": 1}, "m must be one of the 1 maps, from 0 to 0, got 1"),
        ({"pairs_of": 30}, "pairs_of must be an object from 0 to 29, got 30"),
        ({"measure": lambda Y: 1 / 0}, "division by zero"),
    ],
)
def test_what_does_not_fit_the_states_is_said_below_the_figures_and_in_the_loop(options, message):
    followed = live(Drifting().iterate(X), **options)
    loop = iter(followed)
    next(loop)
    until(lambda: followed.error is not None)
    assert message in followed._feed.screen.note
    with pytest.raises(type(followed.error), match=message.replace("(", r"\(")):
        next(loop)


@in_one_test(
    ("states", "options", "error", "message"),
    [
        (None, {}, TypeError, "states must be states one after the other, got None; give model.iterate"),
        (ns.SNE(), {}, TypeError, "states must be states one after the other, got .*SNE"),
        (next(Drifting().iterate(X)), {}, TypeError, "states must be states one after the other"),
        ([], {"measure": 3}, TypeError, "measure must be a function of map points, got 3"),
        ([], {"measure_name": 3}, TypeError, "measure_name must be a str, got 3"),
        ([], {"title": 3}, TypeError, "title must be a str, got 3"),
        ([], {"m": -1}, ValueError, "m must be at least 0, got -1"),
        ([], {"pairs_of": -1}, ValueError, "pairs_of must be at least 0, got -1"),
        ([], {"size": 10}, ValueError, "size must"),
        ([], {"X": np.zeros((5, 2))}, ValueError, "X must not be constant"),
        ([], {"net": 3, "X": X}, TypeError, "net must be an estimator with a net, as baselines.SOM or baselines.GTM"),
        ([], {"net": ns.baselines.SOM()}, ValueError, "net must be drawn among objects: give X"),
    ],
)
def test_bad_arguments_are_refused_at_once(states, options, error, message):
    with pytest.raises(error, match=message):
        live(states, **options)


def test_what_are_no_states_is_said_with_the_first_of_them():
    with pytest.raises(TypeError, match=r"states must be of notebook_sne\.State, got an array of shape \(3, 2\)"):
        next(iter(live([np.zeros((3, 2))])))


def test_changes_travel_as_bytes_and_stay_in_the_figures():
    from bokeh.models import ColumnDataSource, Range1d

    source, shown, changes = ColumnDataSource({"x": [0.0], "name": ["a"]}), Range1d(0, 1), Changes()
    changes.replace(source, {"x": [2.5]}, single=True)
    changes.set(shown, start=3.0)
    assert changes.columns == [[source.id, "x", "f4"]] and changes.buffers == [np.float32(2.5).tobytes()]
    assert changes.values == {shown.id: {"start": 3.0}} and shown.start == 3
    assert source.data["name"] == ["a"] and source.data["x"][0] == 2.5


@pytest.mark.slow
def test_all_images_of_an_object_are_drawn_in_one_map_and_joined():
    model = ns.MixtureSNE(n_images=3, perplexity=8, random_state=0)
    seen, followed, panels = watched(model.iterate(X), n=3, X=X, labels=LABELS)
    assert followed.error is None and panels.score_line is None
    points = np.full((3 * N, 2), np.nan)
    for source in panels.sources:
        points[source.data["object"]] = np.column_stack([source.data["x"], source.data["y"]])
        assert set(source.data["label"]) == {str(LABELS[i % N]) for i in source.data["object"]}
    np.testing.assert_allclose(points.reshape(3, N, 2), seen[-1].Y, rtol=1e-6)
    (links,) = [r.data_source.data for r in panels.map.renderers if r.name == "links"]
    np.testing.assert_allclose(links["x0"], seen[-1].Y[:2, :, 0].ravel(), rtol=1e-6)
    np.testing.assert_allclose(links["y1"], seen[-1].Y[1:, :, 1].ravel(), rtol=1e-6)
    assert panels.map.title.text.text == "mixture of images"
    with pytest.raises(ValueError, match="m must be one of the 1 maps"):
        _, followed, _ = watched(model.iterate(X), n=2, m=1)
        raise followed.error


@pytest.mark.slow
def test_a_measure_of_several_images_is_given_all_of_them():
    model = ns.MixtureSNE(perplexity=8, random_state=0)
    _, followed, panels = watched(model.iterate(X), n=3, measure=len, measure_name="images")
    assert followed.error is None and curve(panels.score_line)["value"][-1] == 2 * N


def test_each_state_of_a_run_comes_once_however_often_something_else_changes():
    states = ["first", "second", "third"]

    class Talking:
        """A run of which two looks out of three find nothing new to see."""

        status, state = "running", None

        def wait_for_change(self, since, timeout):
            version = since + 1
            self.state = states[version // 3]
            self.status = "finished" if version == 8 else "running"
            return SimpleNamespace(version=version, state=self.state, status=self.status)

    assert list(_states_of(Talking())) == states
