"""Pins: objects that stay where they are, in every model and under every optimizer, in the film and in files."""

import numpy as np
import pytest

import notebook_sne as ns
from tests.archives.damage import header_of
from tests.standins import Drifting

CIRCLE = ns.datasets.load_circle(40).X
PLACES = [[-3.0, 0.0], [3.0, 0.5]]


def small(model, **options):
    return model(perplexity=5, random_state=0, **options)


def run_of(model, X=CIRCLE):
    return ns.Run(model, X)


@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs", "conjugate", "spectral"])
def test_held_points_do_not_move_under_any_optimizer_and_the_others_do(optimizer):
    with run_of(small(ns.SymmetricSNE, optimizer=optimizer, penalty=0.001)) as run:
        before = run.steps(5)
        run.pin([3, 20], at=PLACES)
        held = run.steps(0)
        assert held.embedding[[3, 20]].tolist() == PLACES and held.iteration == before.iteration
        after = run.steps(20)
        assert after.embedding[[3, 20]].tolist() == PLACES and after.pins.tolist() == [[3, 0], [20, 0]]
        moved = np.abs(after.embedding - held.embedding).max(axis=1) > 0
        assert not moved[[3, 20]].any() and moved.sum() == 38
        assert after.objective < held.objective
        run.unpin([3])
        free = run.steps(5)
        assert free.pins.tolist() == [[20, 0]]
        assert free.embedding[20].tolist() == PLACES[1] and free.embedding[3].tolist() != PLACES[0]


def test_jitter_gains_and_flattening_pass_held_points_by():
    model = small(ns.TSNE, jitter=0.1, extra_dimensions=1, max_iter=60)
    with run_of(model) as run:
        run.steps(10)
        run.pin([0], at=[[1.0, 2.0]])
        state = run.steps(10)
        assert state.Y.shape[2] == 3 and state.Y[0, 0].tolist() == [1.0, 2.0, 0.0]
        state = run.steps(60)
        assert state.Y.shape[2] == 2 and state.embedding[0].tolist() == [1.0, 2.0] and len(state.pins) == 1


@pytest.mark.parametrize("model", [ns.SNE, ns.UNISNE, ns.TSNE, ns.ElasticEmbedding])
def test_every_model_with_one_map_holds_objects_and_a_switch_keeps_them(model):
    with run_of(small(model)) as run:
        run.steps(5)
        run.pin([1])
        place = run.steps(0).embedding[1].tolist()
        assert run.steps(5).embedding[1].tolist() == place
        run.switch(small(ns.SymmetricSNE))
        assert run.steps(5).embedding[1].tolist() == place and run.state.pins.tolist() == [[1, 0]]


def test_of_several_maps_one_holds_and_the_others_move():
    model = small(ns.MultipleMapsTSNE, n_maps=3)
    with run_of(model) as run:
        run.steps(5)
        run.pin([7], at=[[2.0, 2.0]], m=1)
        before = run.steps(0)
        after = run.steps(10)
        assert after.Y[1, 7].tolist() == [2.0, 2.0] and after.pins.tolist() == [[7, 1]]
        assert (after.Y[[0, 2], 7] != before.Y[[0, 2], 7]).all()
        assert (after.mixing[:, 7] != before.mixing[:, 7]).any()  # its proportions are still found
        run.unpin(m=0)
        assert run.steps(0).pins.tolist() == [[7, 1]]
        run.unpin()
        assert not len(run.steps(0).pins)


def test_copies_of_held_points_are_not_moved_by_rounds():
    words = ns.datasets.load_word_relations()
    model = ns.AspectMaps(n_maps=4, input="probabilities", copy_moves=3, random_state=0, max_iter=60)
    with run_of(model, words.P) as run:
        run.steps(15)
        run.pin(range(words.P.shape[0]), m=2)
        before = run.steps(0).Y[2]
        after = run.steps(30)
        assert np.array_equal(after.Y[2], before) and not np.array_equal(after.Y[0], before)
        assert all(2 not in state.copies[:, 1] for state in run.recording.states)


def test_a_run_goes_on_from_a_state_with_pins_bit_for_bit():
    for optimizer in ("momentum", "lbfgs", "conjugate", "spectral"):
        model = small(ns.SymmetricSNE, optimizer=optimizer)
        with run_of(model) as run:
            run.steps(4)
            run.pin([3, 20], at=PLACES)
            middle = run.steps(4)
            end = run.steps(4)
            run.seek(9)
            assert run.wait() and np.array_equal(run.steps(3).Y, end.Y)
        states = model.iterate(CIRCLE, start=middle)
        for _ in range(5):
            again = next(states)
        assert again.iteration == end.iteration and np.array_equal(again.Y, end.Y)


def test_a_moved_pin_is_held_where_it_was_moved_to():
    with run_of(small(ns.SNE)) as run:
        run.steps(5)
        run.pin([2])
        run.move([2], [[4.0, 4.0]])
        assert run.steps(5).embedding[2].tolist() == [4.0, 4.0]


def test_the_film_knows_who_was_held_and_files_keep_it(tmp_path):
    with run_of(small(ns.SNE)) as run:
        run.steps(5)
        run.pin([3, 20], at=PLACES)
        run.steps(10)
        run.unpin([3])
        run.steps(10)
        recording = run.recording
    kept = ns.Recording.load(recording.save(tmp_path / "pins.npz"))
    for one in (recording, kept):
        assert [one.pins_at(t).tolist() for t in (4, 5, 14, 15, 25)] == [
            [], [[3, 0], [20, 0]], [[3, 0], [20, 0]], [[20, 0]], [[20, 0]],
        ]  # fmt: skip
        assert [mark.text for mark in one.marks if mark.kind == "pinned"] == [
            "held: object 3, object 20", "held: object 20",
        ]  # fmt: skip
        assert one.frame_at(14).Y[0, 3].tolist() == PLACES[0]
    start = kept.start_for(12)
    assert start.pins.tolist() == [[3, 0], [20, 0]]


def test_without_pins_a_recording_says_nothing_of_them(tmp_path):
    with run_of(small(ns.SNE)) as run:
        run.steps(3)
        path = run.recording.save(tmp_path / "plain.npz")
        assert "pins" not in run.state.memory and not len(run.state.pins)
    assert header_of(path)[1]["map"]["pins"] == {"tuple": []}


def test_maps_that_a_function_makes_or_that_were_solved_for_are_refused_in_words():
    rings = ns.datasets.load_digits().sample(5, random_state=0)
    with ns.Run(ns.baselines.NCA(labels=rings.labels, max_iter=5), rings.X) as run:
        run.steps(1)
        with pytest.raises(NotImplementedError, match=r"NCA cannot hold objects.*follow from the objects"):
            run.pin([0])
        run.unpin()
        assert run.wait() and run.status == "paused"
    with ns.Run(Drifting(), CIRCLE) as run:
        run.steps(1)
        with pytest.raises(NotImplementedError, match="Drifting cannot hold objects"):
            run.pin([0])
        run.unpin([0])
        assert run.wait() and run.state.iteration == 1
    with run_of(small(ns.SNE)) as run:
        run.steps(2)
        run.pin([0])
        run.steps(1)
        run.switch(ns.baselines.NCA(labels=np.arange(40) % 2))
        with pytest.raises(NotImplementedError, match="NCA cannot hold"):
            run.wait()
        assert run.state.pins.tolist() == [[0, 0]]  # the last good state stays


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"objects": [40]}, "objects must be from 0 to 39, got 40"),
        ({"objects": [0], "m": 1}, "m must be a map from 0 to 0"),
        ({"objects": [0], "at": [[np.nan, 0]]}, "finite"),
        ({"objects": [0, 1], "at": [[0, 0]]}, "a place for each object"),
        ({"objects": 3}, "a place for each object"),
    ],
)
def test_what_cannot_be_held_is_refused(arguments, match):
    with run_of(small(ns.SNE)) as run:
        with pytest.raises(RuntimeError, match="no map yet"):
            run.pin([0])
        run.steps(1)
        with pytest.raises(ValueError, match=match):
            run.pin(**arguments)
        run.pin([])
        assert not len(run.steps(0).pins)


def test_the_film_stands_still_where_objects_are_held():
    from notebook_sne.browser.frontend.film import pack_film
    from notebook_sne.browser.widgets.sender import map_points

    with run_of(small(ns.SNE)) as run:
        run.steps(3)
        run.pin([0, 1], at=[[5.0, 5.0], [6.0, 5.0]])
        state = run.steps(5)
        film = pack_film(run.recording)
    assert map_points(state.Y, state.pins)[:2].tolist() == [[5.0, 5.0], [6.0, 5.0]]
    assert b'"pins":[0,1]' in film
