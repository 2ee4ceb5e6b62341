"""The run and its thread, which is not left behind; what each command leads to is in tests/control.json."""

import gc
import threading
from dataclasses import replace

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.machine import kept_code
from notebook_sne.engine.runs import worker
from notebook_sne.engine.runs.run import Run
from notebook_sne.engine.runs.trace import TRACE_LENGTH
from tests.runs.coasting import Gate
from tests.standins import Drawing, Drifting
from tests.standins.process import python
from tests.standins.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("no_thread_is_left")
X = np.zeros((12, 3))


def threads_of_runs():
    return [thread for thread in threading.enumerate() if thread.name == "notebook_sne run"]


def reaches(run, condition):
    """Wait until a condition of the run holds."""
    with run._worker.changed:
        return run._worker.changed.wait_for(condition, PATIENCE)


def test_a_run_is_idle_until_its_first_command_and_has_no_thread():
    run = Run(Drifting(), X)
    assert run.status == "idle" and run.state is None and not threads_of_runs()
    assert run.wait(0)  # it rests


def test_after_a_pause_only_the_update_under_way_follows():
    model = Gate()
    with Run(model, X) as run:
        run.play()
        assert model.reached.wait(PATIENCE)
        run.pause()
        assert run.status == "running" and run.state.iteration == 2
        model.open.set()
        assert run.wait(PATIENCE) and run.status == "paused" and run.state.iteration == 3


def test_the_status_is_compiling_until_the_first_step_is_out():
    model = Gate(at=1)
    with Run(model, X) as run:
        run.play()
        assert run.status == "compiling"
        assert model.reached.wait(PATIENCE)
        assert run.status == "compiling" and run.state.iteration == 0
        statuses, settle = [], run._worker.control._settle
        # A waiting thread may sleep through a short status, so each is noted where it is written down.
        run._worker.control._settle = lambda: (settle(), statuses.append(run.status))
        model.open.set()
        assert run.wait(PATIENCE)
        assert statuses[0] == "running" and statuses[-1] == "finished" and set(statuses) == {"running", "finished"}


def test_a_run_continues_from_a_given_state():
    with Run(Drifting(), X) as run, Run(Drifting(), X) as whole:
        middle = run.steps(5)
        with Run(Drifting(), X, start=middle) as second:
            np.testing.assert_array_equal(second.steps(5).Y, whole.steps(10).Y)


@pytest.mark.parametrize("fault", [{"fails_at": 6}, {"infinite_at": 6}, {"ends_at": 6}])
def test_an_error_keeps_the_reason_and_the_last_good_state(fault):
    with Run(Drifting(**fault), X) as run:
        run.play()
        with pytest.raises((ArithmeticError, RuntimeError)) as caught:
            run.wait(PATIENCE)
        assert run.status == "error" and run.error is caught.value and run.message
        assert run.state.iteration == 5 and np.isfinite(run.state.Y).all()
        with pytest.raises((ArithmeticError, RuntimeError)):
            run.steps(1)  # it goes on from the last state, and fails again
        assert run.status == "error" and run.state.iteration == 5
        run.restart()  # the last command was a step, so it stays at the start
        assert run.wait(PATIENCE) and run.status == "paused" and run.state.iteration == 0 and run.error is None


def test_an_error_before_the_first_state_is_kept_too():
    class Refusing(Drifting):
        def iterate(self, X, start=None, knobs=None):
            raise TypeError("these objects cannot be arranged")

    with Run(Refusing(), X) as run:
        with pytest.raises(TypeError):
            run.steps(1)
        assert run.status == "error" and run.message.startswith("TypeError") and run.state is None


def test_close_is_final_and_says_what_to_do():
    run = Run(Drifting(max_iter=10**6), X)
    run.play()
    run.close()
    run.close()
    assert run.status == "closed" and run.wait(PATIENCE)
    for command in (run.play, run.pause, run.step, run.restart):
        with pytest.raises(RuntimeError, match=r"start=run\.state"):
            command()


def test_the_thread_ends_when_nothing_refers_to_the_run():
    run = Run(Drifting(max_iter=10**6), X)
    run.play()
    assert threads_of_runs() and threads_of_runs()[0].daemon
    del run
    gc.collect()
    for thread in threads_of_runs():
        thread.join(PATIENCE)
    assert not threads_of_runs()


def test_two_runs_go_on_beside_each_other():
    with Run(Drifting(max_iter=300), X) as one, Run(Drawing(max_iter=200), X) as two:
        one.play()
        two.play()
        assert one.wait(PATIENCE) and two.wait(PATIENCE)
        assert (one.state.iteration, two.state.iteration) == (300, 200)


def test_commands_from_several_threads_leave_the_run_in_order():
    with Run(Drifting(max_iter=10**6), X) as run:

        def press(k):
            for i in range(100):
                [run.play, run.pause, run.step, run.restart][(i + k) % 4]()

        people = [threading.Thread(target=press, args=(k,)) for k in range(3)]
        for person in people:
            person.start()
        for person in people:
            person.join()
        run.pause()
        assert run.wait(PATIENCE) and run.status == "paused"
        at = run.state.iteration
        assert run.steps(1).iteration == at + 1


def test_a_viewer_can_wait_for_a_change_and_sees_the_latest():
    with Run(Drifting(max_iter=5), X) as run:
        nothing = run.look()
        assert run.wait_for_change(nothing.version, 0.05) == nothing
        seen = []
        viewer = threading.Thread(target=lambda: seen.append(run.wait_for_change(nothing.version, PATIENCE)))
        viewer.start()
        assert not seen
        run.play()
        viewer.join(PATIENCE)
        assert seen and seen[0].version > nothing.version
        moment = nothing
        while moment.status != "finished":
            moment = run.wait_for_change(moment.version, PATIENCE)
        assert moment.state is run.state


@pytest.mark.slow
def test_the_trace_is_bounded_even_and_ends_with_the_latest():
    with Run(Drifting(), X[:3]) as run:
        last = run.steps(3 * TRACE_LENGTH)
        iterations, costs = run.trace
        assert len(iterations) <= TRACE_LENGTH + 1 and len(costs) == len(iterations)
        assert iterations[0] == 0 and iterations[-1] == last.iteration and costs[-1] == last.cost
        assert set(np.diff(iterations[:-1])) == {4}


def test_what_is_not_a_model_or_a_number_of_steps_is_refused():
    with pytest.raises(TypeError, match=r"iterate\(X"):
        Run(object(), X)
    with pytest.raises(ValueError, match="max_iter"):
        Run(Drifting(max_iter=0), X)
    with pytest.raises(TypeError, match="Knobs"):
        Run(Drifting(), X, knobs={"jitter": 1})
    with pytest.raises(ValueError, match="at least 0"):
        Run(Drifting(), X).step(-1)
    with Run(Drifting(), X) as run:
        run.steps(5)
        with pytest.raises(TypeError, match=r"an integer from 0 to 5, got 2\.5"):
            run.seek(2.5)


@pytest.mark.slow
def test_the_interpreter_exits_while_a_run_plays():
    code = (
        "import numpy as np; from tests.standins import Drifting; from notebook_sne.engine.runs.run import Run\n"
        "run = Run(Drifting(max_iter=10**9), np.zeros((5, 2))); run.play(); run.steps; print(run.status)"
    )
    done = python(code)
    assert done.returncode == 0 and done.stderr == ""


def test_a_pace_is_the_mean_of_what_the_clock_says(monkeypatch):
    now = 100.0
    monkeypatch.setattr(worker.time, "monotonic", lambda: now)
    rest = Run(Drifting(), X, pace=20)._worker._rest
    assert rest() == 0  # the first update waits for none
    assert rest() == pytest.approx(0.05)
    now += 0.07
    assert rest() == 0 and rest() == pytest.approx(0.03)  # what is lost by less than an interval is caught up with
    now += 1.0
    assert rest() == 0 and rest() == pytest.approx(0.05)  # more is not


def test_a_pace_lets_commands_through():
    with Run(Drifting(max_iter=10_000), X, pace=20) as run:
        run.steps(3)
        run.play()
        run.pause()
        assert run.wait(PATIENCE)
        run.pace = None
        run.steps(300)
        assert run.status == "paused"


def test_a_pace_raised_from_very_slow_holds_at_once():
    with Run(Drifting(max_iter=10_000), X) as run:
        run.steps(2)
        run.pace = 0.01
        run.step(2)
        assert not run.wait(0.05)
        run.pace = 1000
        assert run.wait(PATIENCE)


@pytest.mark.parametrize("pace", [0, -1, float("inf"), float("nan")])
def test_a_wrong_pace_is_named(pace):
    with pytest.raises(ValueError, match="pace"):
        Run(Drifting(max_iter=10), X, pace=pace)


# ---- seeking, and moving by hand ----


def digits_run(**settings):
    X = ns.datasets.load_digits().X[:100]
    return Run(ns.TSNE(perplexity=8, random_state=0, max_iter=200, **settings), X)


def test_seek_makes_the_very_moment_again_with_the_knobs_as_they_stood():
    with digits_run() as run:
        run.steps(40)
        run.set(exaggeration=2.0)
        run.steps(17)
        wanted = run.state
        run.steps(3)
        run.release()
        end = run.steps(40)
        run.seek(57)
        assert run.wait(PATIENCE) and run.status == "paused"
        assert run.state.iteration == 57 and np.array_equal(run.state.Y, wanted.Y) and run.state.cost == wanted.cost
        assert run.knobs.turned() == {"exaggeration": 2.0}
        assert run.recording.iterations[-1] == 100  # looking back forgets nothing
        run.seek(100)
        assert run.wait(PATIENCE) and np.array_equal(run.state.Y, end.Y) and run.knobs.turned() == {}


def test_going_on_from_an_earlier_moment_makes_another_film_from_there():
    with Run(ns.SNE(perplexity=3, random_state=0), np.random.default_rng(0).normal(size=(12, 3))) as run:
        run.steps(60)
        run.seek(30)
        run.wait(PATIENCE)
        run.set(jitter=0.5)
        run.steps(5)
        assert run.state.iteration == 35 and run.recording.iterations[-1] == 35
        assert run.trace.iterations.max() == 35
        assert [mark.text for mark in run.recording.marks if mark.kind == "knob"] == ["jitter 0.5 (turned)"]


def test_a_moved_object_is_where_the_hand_put_it_and_the_rest_goes_on():
    with digits_run() as run:
        run.steps(30)
        before = run.state
        run.move([3, 7], [[50.0, -4.0], [51.0, -4.0]])
        assert reaches(run, lambda: run.state is not before) and run.status == "paused"
        moved = run.state
        assert moved.iteration == 30 and moved.cost != before.cost
        np.testing.assert_array_equal(moved.Y[0, [3, 7]], [[50, -4], [51, -4]])
        others = np.setdiff1d(np.arange(100), [3, 7])
        np.testing.assert_array_equal(moved.Y[0, others], before.Y[0, others])
        assert run.recording.marks[-1].text == "moved 2 objects"
        later = run.steps(20)
        assert later.iteration == 50
        run.seek(45)
        run.wait(PATIENCE)
        run.steps(5)
        assert np.array_equal(run.state.Y, later.Y)  # the film knows of the hand


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (([12], [[0, 0]]), ValueError, "from 0 to 11, got 12 to 12"),
        (([1], [[0, 0, 0]]), ValueError, r"shapes \(K,\), integers, and \(K, 2\), got \(1,\) and \(1, 3\)"),
        (([1.5], [[0, 0]]), ValueError, "integers"),
        (([1], [[np.nan, 0]]), ValueError, "places must be finite"),
        (([1], [[0, 0]], 1), ValueError, "m must be a map from 0 to 0, got 1"),
    ],
)
def test_a_wrong_move_is_refused(arguments, error, words):
    with Run(Drifting(), X) as run:
        with pytest.raises(RuntimeError, match="no map yet"):
            run.move([0], [[0, 0]])
        run.steps(2)
        before = run.state
        with pytest.raises(error, match=words):
            run.move(*arguments)
        assert run.state is before


def test_a_run_has_the_forces_and_costs_of_its_model_and_says_where_there_are_none():
    with digits_run() as run:
        with pytest.raises(RuntimeError, match="no state yet"):
            run.forces(0)
        state = run.steps(5)
        np.testing.assert_allclose(run.costs().sum(), state.cost, rtol=1e-6)
        assert run.forces(3).q.shape == (100,)
        for call in (run.costs, lambda state: run.forces(0, state)):
            with pytest.raises(TypeError, match=r"state must be a State of this run, got 3; give run\.state"):
                call(3)
    with Run(Drifting(), X) as run:
        run.steps(1)
        with pytest.raises(NotImplementedError, match="Drifting has none to show"):
            run.forces(0)


def test_restart_can_begin_with_another_model_and_leaves_the_earlier_film_alone():
    with digits_run() as run:
        run.steps(10)
        film = run.recording
        run.restart(ns.SNE(perplexity=8, random_state=0))
        run.steps(3)
        assert run.state.model == "SNE" and run.state.iteration == 3
        assert len(film) == 11 and film.frames[-1].model == "TSNE"
        assert {frame.model for frame in run.recording.frames} == {"SNE"}


def test_a_recording_of_the_reader_s_own_is_used():
    film = ns.Recording(most_frames=4)
    with Run(Drifting(), X, recording=film) as run:
        run.steps(20)
        assert run.recording is film and 2 <= len(film) <= 4
    with pytest.raises(TypeError, match=r"empty notebook_sne\.Recording"):
        Run(Drifting(), X, recording=film)


def test_a_moment_that_no_full_state_leads_to_is_gone_on_from_by_its_picture():
    film = ns.Recording(most_states=2)
    with Run(Drifting(max_iter=10**6), X, recording=film) as run:
        run.steps(5)
        for k in range(6):
            run.move([k], [[100.0 + k, 0.0]])
            run.steps(3)
        assert not film.reaches(12)
        picture = film.frame_at(12)
        run.seek(12)
        run.wait(PATIENCE)
        assert run.state.iteration == 12
        np.testing.assert_allclose(run.state.Y, picture.Y, atol=1e-4)
        run.steps(2)
        assert run.state.iteration == 14


def test_a_state_that_cannot_be_recorded_is_an_error_and_no_silent_end():
    class Unbounded(Drifting):
        def iterate(self, X, start=None, knobs=None):
            for state in super().iterate(X, start, knobs):
                yield state if state.iteration < 3 else replace(state, objective=np.inf)

    with Run(Unbounded(), X) as run:
        with pytest.raises(ValueError, match="finite cost and objective"):
            run.steps(5)
        assert run.status == "error" and run.state.iteration <= 3
        assert threads_of_runs()  # it is still there to be told something


# ---- commands in unfortunate order ----


def test_steps_of_none_wait_for_a_seek():
    with Run(Drifting(), X) as run:
        run.steps(30)
        run.seek(9)
        assert run.steps(0).iteration == 9


@pytest.mark.slow
def test_a_run_that_finishes_with_a_useless_map_says_why_until_it_goes_on():
    X = ns.datasets.load_circle(50).X
    with Run(ns.TSNE(perplexity=10, learning_rate=1e25, random_state=0), X) as run:
        run.play()
        assert run.wait(PATIENCE) and run.status == "finished"
        assert "lower the learning_rate" in run.message and "Run" in repr(run)
        run.step()
        assert run.wait(PATIENCE) and run.message == ""
    with Run(ns.TSNE(perplexity=10, max_iter=300, random_state=0), X) as run:
        run.play()
        assert run.wait(PATIENCE) and run.status == "finished" and run.message == ""


def test_a_run_says_that_code_is_compiled_before_its_next_state():
    def compile_something(run):
        for tell in kept_code.listeners[:]:  # as kept code does where it finds none
            tell()
        seen.append(run.look().compiling)

    class Compiling(Drifting):
        def iterate(self, X, start=None, knobs=None):
            for state in super().iterate(X, start, knobs):
                if state.iteration == 2:
                    compile_something(run)
                yield state

    seen = []
    with Run(Compiling(max_iter=4), X) as run:
        run.play()
        assert run.wait(PATIENCE) and seen == [True] and not run.look().compiling
        for tell in kept_code.listeners[:]:
            tell()  # in another thread: a cell that fits
        assert not run.look().compiling
