"""The recording: bounded and even, with every mark in its place, and true to the run to the last bit."""

import itertools
import threading
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import notebook_sne as ns
from notebook_sne.browser.frontend.film import pack_film
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.objects.region_pairs import RegionPairs
from notebook_sne.engine.runs.recording import Frame, Mark, Recording, recorder, series
from tests.runs.recorded import recording_of, same, state
from tests.standins.waiting import PATIENCE
from tests.tables import in_one_test

digits = ns.datasets.load_digits().X[:60]


def texts(recording, kind=None):
    return [mark.text for mark in recording.marks if kind in (None, mark.kind)]


# ---- frames ----


def test_a_short_run_is_kept_whole_and_the_newest_state_is_the_last_frame():
    recording = Recording()
    for k in range(20):
        recording.add(state(k))
        assert list(recording.iterations) == list(range(k + 1)) and recording.recorded_to == k
    frame = recording.frames[7]
    assert isinstance(frame, Frame) and frame.Y.dtype == np.float32 and not frame.Y.flags.writeable
    np.testing.assert_array_equal(frame.Y, state(7).Y.astype(np.float32))
    assert (frame.iteration, frame.phase, frame.model, frame.turned) == (7, "descent", "TSNE", ())
    assert frame.knobs == {"jitter": 0.0, "exaggeration": 1.0} and frame.mixing is None


def test_nothing_is_there_before_the_first_state():
    recording = Recording()
    assert len(recording) == 0 and recording.frames == () and recording.states == () and recording.marks == ()
    assert recording.frame_at(3) is None and recording.state_at(3) is None and recording.model_at(3) is None
    assert not recording.reaches(0) and recording.recorded_to is None and pack_film(recording) == b""
    assert repr(recording) == "<Recording: nothing yet>"


@given(n=st.integers(1, 400), most=st.integers(2, 60), start=st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_a_long_run_is_thinned_evenly(n, most, start):
    recording = recording_of(range(start, start + n), most_frames=most)
    iterations = recording.iterations
    assert len(iterations) <= most and iterations[0] == start and iterations[-1] == start + n - 1
    gaps = np.diff(iterations)
    if len(gaps) > 1:
        stride = gaps[0]
        assert (gaps[:-1] == stride).all() and 1 <= gaps[-1] <= stride and stride & (stride - 1) == 0
    if n > most >= 4:
        assert len(iterations) >= most // 4  # and not thinner than the room asks for


def test_bytes_bound_the_frames_too():
    recording = recording_of(range(200), limit=40_000, states_limit=40_000)
    per_frame = 1000 + 4 * 10
    assert len(recording) * per_frame <= 40_000 and len(recording) > 12
    assert set(np.diff(recording.iterations)[:-1]) == {8}
    assert len(recording.states) * (1000 + 2 * 8 * 10) <= 40_000


def test_of_maps_as_large_as_the_limit_two_frames_and_two_states_stay():
    for limit in (500, 1500):  # less than one, and less than two
        recording = recording_of(range(300), limit=limit, states_limit=limit)
        assert len(recording) <= 2 and len(recording.states) <= 2
        assert recording.recorded_to == recording.iterations[-1] == 299


@given(
    steps=st.lists(st.tuples(st.integers(1, 30), st.booleans(), st.sampled_from("ab")), min_size=1, max_size=150),
    most=st.integers(2, 40),
)
@settings(max_examples=60, deadline=None)
def test_whatever_happens_the_frames_are_bounded_and_the_ends_stay(steps, most):
    recording, at = Recording(most_frames=most, most_states=most), 0
    for step, moved, phase in steps:
        at += step
        recording.add(state(at, phase=phase), moved=2 if moved else None)
        iterations = recording.iterations
        assert len(iterations) <= most and (np.diff(iterations) > 0).all()
        assert iterations[0] == steps[0][0] and iterations[-1] == at
        assert len(recording.states) <= most and recording.states[-1].iteration == at
        marked = {mark.iteration for mark in recording.marks}
        if len(marked) <= most // 4 - 1:
            assert marked <= set(iterations)
    for kept in (recording._frames, recording._states):
        assert kept.n_bytes == sum(kept._sizes) and len(kept.items) == len(kept.iterations) == len(kept._sizes)


def test_states_that_are_shown_every_tenth_iteration_only_are_thinned_as_well():
    recording = recording_of(range(5, 2000, 10), most_frames=20)
    gaps = np.diff(recording.iterations)
    assert len(recording) <= 20 and len(set(gaps[:-1])) == 1


def test_frames_may_change_their_shape():
    recording = Recording()
    recording.add(state(0, model="AspectMaps", shape=(3, 5, 4), mixing=True))
    recording.add(state(1, model="AspectMaps", shape=(3, 5, 2), mixing=True))
    recording.add(state(1, model="TSNE"))
    recording.add(state(2, model="TSNE"))
    assert [frame.Y.shape for frame in recording.frames] == [(3, 5, 4), (1, 5, 2), (1, 5, 2)]
    assert recording.frames[0].mixing.dtype == np.float32 and recording.frames[1].mixing is None
    with pytest.raises(ValueError, match="the 5 objects of this recording, got 6"):
        recording.add(state(3, shape=(1, 6, 2)))


def test_frame_at_and_state_at_look_back():
    recording = recording_of(range(3, 100))
    assert recording.frame_at(50).iteration == 50 and recording.state_at(50).iteration == 43
    assert recording.frame_at(1).iteration == 3 and recording.state_at(2) is None
    assert recording.frame_at(1000).iteration == 99 and recording.state_at(1000).iteration == 99
    assert recording.state_at(3) is recording.states[0]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"limit": 0}, ValueError, "limit must satisfy 0 < limit"),
        ({"states_limit": float("nan")}, ValueError, "states_limit"),
        ({"most_frames": 1}, ValueError, "most_frames must be at least 2, got 1"),
        ({"most_states": 2.5}, TypeError, "most_states must be a whole number"),
    ],
)
def test_wrong_limits_are_named(arguments, error, words):
    with pytest.raises(error, match=words):
        Recording(**arguments)


def test_what_is_not_finite_is_refused():
    recording = Recording()
    with pytest.raises(ValueError, match="finite cost and objective, got nan"):
        recording.add(state(0, cost=float("nan")))
    far = state(0)
    object.__setattr__(far, "Y", far.Y + 1e200)
    with pytest.raises(ValueError, match="finite in single precision, but at iteration 0"):
        recording.add(far)


# ---- marks ----


def test_marks_say_what_happened_and_when():
    recording = Recording()
    for k in range(40):
        turned = {"jitter": 0.1} if 10 <= k < 20 else {}
        knobs = {"jitter": 0.1 if turned else 0.0, "exaggeration": 12.0 if k < 5 else 1.0}
        recording.add(state(k, phase="exaggeration" if k < 5 else "descent", knobs=knobs), turned=turned)
    recording.add(state(39, model="UNISNE"))
    recording.add(state(40, model="UNISNE"), moved=[3, 1, 4])
    assert recording.marks == (
        Mark(0, "start", "start with t-SNE"),
        Mark(5, "phase", "exaggeration → descent"),
        Mark(10, "knob", "jitter 0.1 (turned)"),
        Mark(20, "knob", "jitter released"),
        Mark(39, "model", "UNI-SNE"),
        Mark(40, "moved", "moved 3 objects"),
    )
    assert recording.marks is recording.marks  # so that a viewer sees at once whether anything is new
    assert recording.frames[12].turned == ("jitter",) and recording.frames[25].turned == ()


def test_copies_that_move_are_marked_with_their_names_where_these_are_known():
    def moving(k, *copies):
        memory = {"copies": np.array(copies, dtype=np.int64).reshape(-1, 2)}
        return state(k, model="AspectMaps", shape=(9, 5, 2), mixing=True, memory=memory)

    recording = Recording()
    recording.add(moving(0))
    recording.add(moving(31, (2, 7)))
    recording.describe(names=["CAN", "{0}", "BANK", "", "FIELD"])
    recording.add(moving(41, (2, 7)))
    recording.add(moving(51, (2, 7), (1, 0), (3, 8)))
    recording.add(moving(51, (2, 7), (1, 0), (3, 8)))  # shown again, as after a hand has paused
    recording.add(moving(61, (2, 7), (1, 0), (3, 8), (0, 1), (4, 1)))
    recording.add(moving(62))
    assert recording.marks[1:] == (
        Mark(31, "copies", "a copy of object 2 moved to map 7"),
        Mark(41, "copies", "a copy of BANK moved to map 7"),
        Mark(51, "copies", "3 copies moved: BANK to map 7, {0} to map 0, object 3 to map 8"),
        Mark(61, "copies", "5 copies moved: BANK to map 7, {0} to map 0, object 3 to map 8, CAN to map 1, ..."),
    )


def test_several_knobs_turned_at_once_are_one_mark():
    recording = recording_of(range(3))
    knobs = {"jitter": 0.25, "exaggeration": 4.0}
    recording.add(state(3, knobs=knobs), turned=["jitter", "exaggeration"])
    recording.add(state(14, knobs={**knobs, "exaggeration": 5.0}), turned={"exaggeration": 5.0})
    assert texts(recording, "knob") == [
        "jitter 0.25, exaggeration 4 (turned)",
        "exaggeration 5 (turned); jitter released",
    ]


def test_a_dragged_slider_is_one_mark_every_ten_iterations_with_the_newest_value():
    recording = Recording()
    for k in range(200):
        value = k / 1000
        recording.add(state(k, knobs={"jitter": value}), turned={"jitter": value} if k else {})
    marks = [mark for mark in recording.marks if mark.kind == "knob"]
    assert 15 <= len(marks) <= 25 and marks[-1] == Mark(199, "knob", "jitter 0.199 (turned)")
    assert (np.diff([mark.iteration for mark in marks]) >= 9)[:-1].all()
    assert recording.turned_at(57) == {"jitter": 0.057}  # the history is whole


def test_a_knob_that_the_model_does_not_have_makes_no_mark_but_is_remembered():
    recording = recording_of(range(3))
    recording.add(state(3), turned={"pull": 0.5})
    assert texts(recording, "knob") == [] and recording.turned_at(3) == {"pull": 0.5}
    assert recording.frames[3].turned == ()


def test_another_model_object_of_the_same_class_is_another_chapter():
    one, two = ns.UNISNE(background=0.2), ns.UNISNE(background=0.5)
    recording = Recording()
    for k, model in enumerate([one, one, two, two]):
        recording.add(state(k, model="UNISNE"), model=model)
    assert texts(recording) == ["start with UNI-SNE", "UNI-SNE"]
    assert recording.model_at(1) is one and recording.model_at(2) is two and recording.model_at(99) is two
    assert [chapter.parameters["background"] for chapter in recording.chapters] == [0.2, 0.5]


# ---- cutting ----


def test_what_lies_after_a_cut_is_gone_and_the_recording_goes_on():
    recording = Recording()
    for k in range(100):
        recording.add(state(k, phase="early" if k < 60 else "late"), turned={"jitter": 0.0} if k >= 70 else {})
    recording.truncate(50)
    assert recording.iterations[-1] == 50 and recording.states[-1].iteration == 50 and recording.recorded_to == 50
    assert texts(recording) == ["start with t-SNE"] and recording.turned_at(99) == {}
    for k in range(51, 80):
        recording.add(state(k, phase="early"))
    assert list(recording.iterations) == list(range(80)) and texts(recording) == ["start with t-SNE"]
    recording.truncate(200)
    assert recording.recorded_to == 79
    recording.truncate(-1)
    assert len(recording) == 0 and recording.recorded_to is None


def test_a_knob_that_is_still_held_after_a_cut_is_marked_anew():
    recording = recording_of(range(30), lambda k: {"turned": {"jitter": 0.0} if k >= 10 else {}})
    recording.truncate(5)
    recording.add(state(5), turned={"jitter": 0.0})  # the start of a generator: no update has read the knobs
    assert texts(recording, "knob") == []
    recording.add(state(6), turned={"jitter": 0.0})
    assert [mark.iteration for mark in recording.marks if mark.kind == "knob"] == [6]
    assert recording.turned_at(5) == {} and recording.turned_at(6) == {"jitter": 0.0}


def test_an_earlier_state_cuts_by_itself_as_after_a_restart():
    recording = recording_of(range(50))
    recording.add(state(20))
    assert recording.iterations[-1] == 20 and len(recording) == 21
    recording.add(state(0))
    recording.add(state(1))
    assert list(recording.iterations) == [0, 1] and texts(recording) == ["start with t-SNE"]


def test_a_recording_that_was_cut_short_is_fine_again():
    recording = recording_of(range(5000), most_frames=50, most_states=20)
    recording.truncate(40)
    for k in range(41, 60):
        recording.add(state(k))
    assert list(recording.iterations[-10:]) == list(range(50, 60))
    assert all(b - a <= 10 for a, b in itertools.pairwise([s.iteration for s in recording.states][1:]))


@given(jumps=st.lists(st.tuples(st.integers(1, 40), st.floats(0, 1)), min_size=1, max_size=12), most=st.integers(2, 30))
@settings(max_examples=40, deadline=None)
def test_seeking_back_again_and_again_keeps_everything_in_order(jumps, most):
    recording, at = Recording(most_frames=most, most_states=most), -1
    for n, back in jumps:
        for _ in range(n):
            at += 1
            recording.add(state(at))
        at = int(back * at)
        recording.truncate(at)
        iterations = recording.iterations
        assert len(iterations) <= most and (np.diff(iterations) > 0).all() and iterations[-1] <= at
        assert recording.recorded_to == at and iterations[0] == 0
        assert recording.reaches(at) and recording.state_at(at).iteration <= at


# ---- the run again ----


def followed(model, X, plan, n, recording):
    """Run a model by hand as a Run does; return all its states. `plan` is {iteration: what happens before it}."""
    knobs, states, at = Knobs(), [], 0
    source = model.iterate(X, knobs=knobs)
    states.append(next(source))
    recording.add(states[-1], model=model)
    while at < n:
        kind, what = plan.get(at + 1, (None, None))
        if kind == "turn":
            knobs.replace(what)
        elif kind == "switch":
            model, source = what, what.iterate(X, start=states[-1], knobs=knobs)
            states[-1] = next(source)
            recording.add(states[-1], model=model, turned=knobs.turned())
        turned = knobs.turned()
        states.append(next(source))
        at += 1
        recording.add(states[-1], model=model, turned=turned)
    return states


def made_again(recording, X, iteration, model):
    """The state of an iteration, made from the recording and its model of that time."""
    start = recording.state_at(iteration)
    knobs = Knobs()
    source = model.iterate(X, start=start, knobs=knobs)
    now = next(source)
    while now.iteration < iteration:
        knobs.replace(recording.turned_at(now.iteration + 1))
        now = next(source)
    return now


PLANS = {
    "t-SNE": (
        ns.TSNE(perplexity=8, random_state=0, jitter=ns.Decay(0.1, 0.97)),
        {
            13: ("turn", {"learning_rate": 20.0}),
            17: ("turn", {"learning_rate": 20.0, "exaggeration": 3.0}),
            31: ("turn", {"jitter": 0.1}),
            44: ("turn", {}),
        },
    ),
    "L-BFGS": (ns.SNE(perplexity=8, random_state=0, optimizer="lbfgs"), {12: ("turn", {"perplexity": 5.0})}),
    "conjugate": (ns.SNE(perplexity=8, random_state=0, optimizer="conjugate"), {12: ("turn", {"perplexity": 5.0})}),
    "aspect maps": (
        ns.AspectMaps(n_maps=3, perplexity=8, random_state=0, extra_dimensions=2, max_iter=60),
        {23: ("turn", {"penalty": 0.1}), 45: ("turn", {})},
    ),
    "mixture": (ns.MixtureSNE(perplexity=8, random_state=0), {}),
    "switched": (
        ns.TSNE(perplexity=8, random_state=0),
        {
            15: ("turn", {"jitter": 0.05}),
            26: ("switch", ns.UNISNE(perplexity=8, random_state=1)),
            38: ("turn", {"background": 0.4}),
        },
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_any_state_is_made_again_bit_for_bit_also_from_a_file(name, tmp_path):
    model, plan = PLANS[name]
    recording = Recording()
    states = followed(model, digits, plan, 60, recording)
    assert [frame.iteration for frame in recording.frames] == list(range(61))
    for kept in (recording, Recording.load(recording.save(tmp_path / "run.npz"))):
        for iteration in (0, 1, 12, 13, 17, 25, 26, 33, 38, 49, 60):
            assert kept.reaches(iteration)
            again = made_again(kept, digits, iteration, recording.model_at(iteration))
            assert same(again, states[iteration]), iteration


def test_a_file_with_more_than_the_usual_room_holds_is_kept_whole_where_objects_are_moved(tmp_path):
    made = Recording(most_frames=1200)
    for k in range(1100):
        made.add(state(k, memory={}))
    again = Recording.load(made.save(tmp_path / "long.npz"))
    again.add(state(1099, memory={}), moved=1)
    assert len(again) == len(made) == 1100


def test_moves_that_had_to_be_forgotten_are_not_passed_off_as_known():
    recording = recording_of(range(400), lambda k: {"moved": 1 if k % 10 == 5 else None}, most_states=8)
    known = [k for k in range(400) if recording.reaches(k)]
    assert 0 < len(known) < 400 and 399 in known
    for k in known:
        start = recording.state_at(k).iteration
        assert not any(start < moved <= k for moved in range(5, 400, 10))


@pytest.mark.slow
def test_turns_are_whole_up_to_ten_thousand_and_their_loss_is_known():
    recording = Recording()
    for k in range(10_050):
        recording.add(state(k, memory={}), turned={"jitter": k / 2})
    assert 5000 <= len(recording.turns) <= 10_000
    assert recording.turned_at(10_000) == {"jitter": 5000.0} and recording.reaches(10_000)
    assert not recording.reaches(77)


# ---- threads ----


def test_readers_see_frames_in_order_while_the_run_adds_and_seeks_back(tmp_path):
    recording, stop, faults = Recording(most_frames=40, most_states=10), threading.Event(), []
    laps = Counter()

    def read(look):
        try:
            while not stop.is_set():
                look()
                laps[look] += 1
        except BaseException as error:  # whatever it is, the test must show it
            faults.append(error)

    def check_frames():
        iterations = [frame.iteration for frame in recording.frames]
        assert iterations == sorted(set(iterations)) and len(iterations) <= 40
        for frame in recording.frames[-3:]:
            assert frame.Y[0, 0, 0] == frame.iteration

    def check_rest():
        at = recording.recorded_to
        if at is not None:
            now = recording.state_at(10**9)
            assert now is None or now.Y[0, 0, 0] == now.iteration
        marked = [mark.iteration for mark in recording.marks]
        assert marked == sorted(marked)
        pack_film(recording, most_frames=5)
        repr(recording)

    def check_files():
        if len(recording):
            back = Recording.load(recording.save(tmp_path / "film.npz"))
            assert all(frame.Y[0, 0, 0] == frame.iteration for frame in back.frames)

    looks = (check_frames, check_rest, check_files)
    readers = [threading.Thread(target=read, args=(look,)) for look in looks]
    for reader in readers:
        reader.start()
    at = 0
    while not faults and min(laps[look] for look in looks) < 15:
        recording.add(state(at, phase=f"{at // 50}"), moved=1 if at % 20 == 0 else None)
        at += 1
        if at % 333 == 0:
            recording.truncate(at := at // 2)
            at += 1
    stop.set()
    for reader in readers:
        reader.join(PATIENCE)
    assert not faults, faults


def test_a_state_that_is_not_due_is_neither_copied_nor_measured(monkeypatch):
    recording = recording_of([0])
    recording._frames.stride = recording._states.stride = 10**9
    for module, name in ((recorder, "frame_of"), (series, "size_of")):
        monkeypatch.setattr(module, name, lambda *given: pytest.fail("a state that is not due is not looked into"))
    for k in range(1, 100):
        recording.add(state(k), turned={})
    monkeypatch.undo()
    assert list(recording.iterations) == [0, 99]


# ---- facts ----


def test_facts_are_checked_and_kept_small():
    recording = recording_of(range(3))
    images = np.linspace(-1, 1, 5 * 12).reshape(5, 3, 4)
    neighbors = (np.arange(5)[:, None] + [1, 2]) % 5
    told = recording.describe(labels=list("abcab"), names=[f"n{i}" for i in range(5)], images=images, title="five")
    assert told is recording
    recording.describe(neighbors=neighbors, values=[0.5, 1, 2, 3, 4])
    assert recording.labels.tolist() == list("abcab") and recording.names == ("n0", "n1", "n2", "n3", "n4")
    assert recording.images.dtype == np.uint8 and (recording.images.min(), recording.images.max()) == (0, 255)
    np.testing.assert_allclose(recording.images, 255 * (images + 1) / 2, atol=0.51)
    assert recording.neighbors.dtype == np.uint32 and recording.title == "five" and recording.values[1] == 1
    assert not recording.images.flags.writeable and recording.n_objects == 5


def test_objects_of_one_name_stay_so_in_a_file(tmp_path):
    recording = recording_of(range(3)).describe(names=["a", "a", "b", None, "a"])
    assert Recording.load(recording.save(tmp_path / "a.npz")).names == ("a", "a", "b", "", "a")


@in_one_test(
    ("facts", "error", "words"),
    [
        ({"labels": [1, 2]}, ValueError, "labels must hold one entry for each of the 5 objects, got 2"),
        ({"images": np.zeros((5, 3))}, ValueError, r"shape \(N, height, width\)"),
        ({"title": 5}, TypeError, "title must be a str"),
        ({"title": "x" * 1001}, ValueError, "at most 1000 characters, got 1001"),
        ({"neighbors": np.zeros((4, 2), int)}, ValueError, "N = 5"),
        ({"neighbors": np.full((5, 2), 5)}, ValueError, "from 0 to N - 1 = 4, got 5 to 5"),
        ({"neighbors": np.full((5, 1), -1)}, ValueError, "got -1 to -1"),
        ({"neighbors": np.ones((5, 1))}, TypeError, "must be indices, got float64"),
        ({"neighbors": np.arange(5)[:, None]}, ValueError, "not name the object itself, but those of object 0 do"),
    ],
)
def test_facts_that_do_not_fit_are_refused_and_none_is_taken(facts, error, words):
    recording = recording_of(range(3))
    with pytest.raises(error, match=words):
        recording.describe(values=np.arange(5), **facts)
    assert recording.values is None


def test_facts_before_the_first_state_say_how_many_objects_there_are():
    recording = Recording().describe(labels=[0, 1, 1, 0])
    assert recording.n_objects == 4
    with pytest.raises(ValueError, match="the 4 objects of this recording, got 5"):
        recording.add(state(0))


def test_an_empty_twin_has_the_same_limits_and_facts():
    recording = recording_of(range(30), most_frames=12).describe(labels=list("abcab"), title="five")
    twin = recording.fresh()
    assert len(twin) == 0 and twin.labels is recording.labels and twin.title == "five" and twin.n_objects == 5
    for k in range(30):
        twin.add(state(k))
    assert list(twin.iterations) == list(recording.iterations)


def test_a_run_goes_on_from_a_frame_where_the_state_cannot_be_made_again():
    recording = recording_of(range(30), lambda k: {"moved": 1 if k in (3, 6, 9) else None}, most_states=2)
    assert not recording.reaches(7)
    start = recording.start_for(7)
    np.testing.assert_array_equal(start.Y, recording.frame_at(7).Y)
    assert start.iteration == 7 and start.Y.dtype == np.float64
    # The schedules, the seed and the optimizer of the nearest full state go on.
    assert start.model == recording.state_at(7).model
    assert {**start.memory, "weights": None} == {**recording.state_at(7).memory, "weights": None}
    assert recording.start_for(29) is recording.states[-1]


def test_it_says_what_it_is():
    recording = recording_of(range(30))
    recording.add(state(30, model="UNISNE"))
    assert repr(recording) == (
        "<Recording of t-SNE → UNI-SNE: 5 objects, iterations 0 to 30, 31 frames, 4 states, 2 marks, 0.0 MB>"
    )


# ---- pages ----


def test_a_page_is_written_with_what_is_told(monkeypatch, tmp_path):
    from notebook_sne.browser.frontend import film_page

    told = {}
    monkeypatch.setattr(film_page, "write_film", lambda *given, **named: told.update(given=given, named=named))
    recording = recording_of(range(3))
    recording.to_html(tmp_path / "page.html", frames=7, title="five")
    assert told["given"] == (recording, tmp_path / "page.html") and told["named"].pop("frames") == 7
    untold = "labels values names images columns importance certainty label_colors plan".split()
    assert told["named"] == {"title": "five", **dict.fromkeys(untold)}


def test_a_recording_keeps_pairs_of_regions_in_its_file(tmp_path):
    counts = np.array([[9, 1, 0], [4, 2, 4], [0, 1, 9]], dtype=np.uint32)
    pairs = RegionPairs(("a", "b\ud800", "c"), np.array([0, 1, 2, -1, 0]), counts, np.eye(5, dtype=np.uint8))
    recording = recording_of(range(3)).describe(certainty=pairs, labels=["a", "b\ud800", "c", None, "a"])
    recording.save(tmp_path / "pairs.npz")
    kept = Recording.load(tmp_path / "pairs.npz").certainty
    assert kept.regions == pairs.regions
    np.testing.assert_array_equal(kept.region, pairs.region)
    np.testing.assert_array_equal(kept.counts, counts)
    np.testing.assert_array_equal(kept.blurs, pairs.blurs)
    assert recording.fresh().certainty is recording.certainty
    with pytest.raises(ValueError, match="certainty must have the region of each object that labels say, got 'a' for"):
        recording.describe(certainty=pairs, labels=["b\ud800", "a", "c", None, "a"])
    assert recording.labels[0] == "a"  # none is taken
    with pytest.raises(ValueError, match="certainty must be of the 5 objects shown, got one of 4"):
        recording.describe(certainty=pairs._replace(region=pairs.region[:4]))
    assert recording.describe(title="t").certainty is not None
    assert recording.describe(labels=list("xyxyx")).certainty is None  # which was of the labels before
