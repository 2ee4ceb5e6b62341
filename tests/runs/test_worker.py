"""The thread behind a run, under any sequence of commands that come when they come."""

import gc
import os
import threading
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.runs.control import BUSY, STATUSES
from notebook_sne.engine.runs.run import Run
from tests.runs.coasting import FAULTS, Coasting, Gate, Gliding
from tests.runs.recorded import same
from tests.standins.process import FORKS, python
from tests.standins.waiting import PATIENCE
from tests.tables import in_one_test

X = np.zeros((5, 3))


class Commands(RuleBasedStateMachine):
    """Hands on a run whose thread goes its own way."""

    def __init__(self):
        super().__init__()
        self.models = [Coasting(), Gliding()]
        self.run = Run(self.models[0], X)
        self.first = 0  # the iteration of the run's own start

    @rule(times=st.integers(1, 2))
    def play(self, times):
        for _ in range(times):
            self.run.play()
        assert self.run.status in (*BUSY, "finished", "error")

    @rule()
    def pause(self):
        self.run.pause()

    @rule(n=st.integers(0, 30))
    def step(self, n):
        self.run.step(n)

    @rule(which=st.sampled_from([None, 0, 1]))
    def restart(self, which):
        self.run.restart(None if which is None else self.models[which])
        if which is not None:
            self.first = 0

    @rule(which=st.sampled_from([0, 1]))
    def switch(self, which):
        self.run.switch(self.models[which])
        assert self.run.model is self.models[which] or self.run.status == "error"

    @rule(share=st.floats(0, 1))
    def seek(self, share):
        with suppress(ValueError):  # nothing is recorded, or no longer
            self.run.seek(int(share * (self.run.recording.recorded_to or 0)))

    @rule(i=st.integers(0, 4))
    def move(self, i):
        with suppress(RuntimeError):  # no map yet
            self.run.move([i], [[0.5, i]])

    @rule(value=st.sampled_from([0.0, 0.01, 0.3]))
    def set(self, value):
        self.run.set(jitter=value)

    @rule()
    def release(self):
        self.run.release()

    @rule(fault=st.sampled_from(FAULTS), at=st.integers(1, 20), which=st.sampled_from([0, 1]))
    def spoil(self, fault, at, which):
        self.models[which].fault, self.models[which].fails_at = fault, at

    @rule()
    def mend(self):
        for model in self.models:
            model.fails_at = None

    @rule(n=st.integers(0, 12))
    def settle(self, n):
        """It comes to rest, does a count of steps exactly, and its recording can be made again."""
        run = self.run
        self.mend()
        with suppress(ArithmeticError, RuntimeError, ValueError):
            assert run.wait(PATIENCE)
        assert run.status in STATUSES and run.status not in (*BUSY, "closed")
        assert (run.status == "error") == (run.error is not None)
        at = self.first if run.state is None else run.state.iteration
        assert run.steps(n).iteration == at + n and run.status == "paused" and not run.look().seeking
        assert run.trace.iterations[-1] == run.state.iteration and (np.diff(run.trace.iterations) > 0).all()
        check_recording(run)

    @rule()
    def close(self):
        """A closed run is at its end, and another one goes on from there."""
        self.teardown()
        assert self.run.wait(0)
        self.first = 0 if self.run.state is None else self.run.state.iteration
        self.run = Run(self.models[0], X, start=self.run.state)

    def teardown(self):
        thread = self.run._worker.thread
        self.run.close()
        assert self.run.status == "closed"
        if thread is not None:
            thread.join(PATIENCE)
            assert not thread.is_alive()


def check_recording(run):
    """Each full state of the recording comes from the one before, bit for bit, by a plain `iterate`."""
    recording, states = run.recording, run.recording.states
    breaks = {chapter.iteration for chapter in recording.chapters}
    breaks |= {mark.iteration for mark in recording.marks if mark.kind in ("moved", "model")}
    assert (np.diff([state.iteration for state in states]) > 0).all()
    for a, b in pairwise(states):
        if any(a.iteration < at <= b.iteration for at in breaks):
            continue
        knobs = Knobs()
        made = recording.model_at(a.iteration).iterate(X, a, knobs)
        state = next(made)
        while state.iteration < b.iteration:
            knobs.replace(recording.turned_at(state.iteration + 1))
            state = next(made)
        assert same(state, b)
    if run.state.iteration == recording.recorded_to:
        assert same(run.state, states[-1])


Commands.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestCommands = pytest.mark.slow(pytest.mark.filterwarnings("ignore")(Commands.TestCase))


@in_one_test(
    "command",
    [
        Run.play, Run.pause, Run.step, Run.restart, Run.look, Run.release, repr,
        lambda run: run.seek(1), lambda run: run.switch(Coasting()), lambda run: run.move([0], [[1.0, 1.0]]),
        lambda run: run.set(jitter=0.1), lambda run: setattr(run, "pace", 5), lambda run: run.wait(0),
        lambda run: run.recording.frames, lambda run: run.trace, Run.close,
    ],
)  # fmt: skip
def test_no_command_waits_for_the_update_under_way(command):
    model = Gate()
    with Run(model, X) as run:
        run.step(3)
        assert model.reached.wait(PATIENCE)
        hand = threading.Thread(target=command, args=(run,), daemon=True)
        hand.start()
        hand.join(PATIENCE)
        returned, inside = not hand.is_alive(), not model.open.is_set()
        model.open.set()
        assert returned and inside


def test_a_run_that_waits_for_its_pace_is_paused_at_once():
    with Run(Coasting(), X) as run:
        run.steps(2)
        run.pace = 1e-10
        run.steps(1)  # the first one waits for none
        run.play()
        run.pause()
        assert run.status == "paused" and run.wait(0) and run.state.iteration == 3


def test_a_run_without_references_is_closed_while_another_thread_holds_its_lock():
    run = Run(Coasting(), X)
    run.steps(1)
    worker, thread = run._worker, run._worker.thread
    held, leave = threading.Event(), threading.Event()

    def hold():
        with worker.changed:
            held.set()
            assert leave.wait(PATIENCE)

    holder = threading.Thread(target=hold, daemon=True)
    holder.start()
    assert held.wait(PATIENCE)
    del run
    gc.collect()  # the finalizer runs here, and does not wait for the lock
    leave.set()
    thread.join(PATIENCE)
    assert not thread.is_alive() and worker.control.closed


FORKED = """
import os, sys
import numpy as np
import notebook_sne as ns
from tests.standins import Drifting
X = np.zeros((12, 2))
going, resting, idle = [ns.Run(Drifting(max_iter=10**9), X) for _ in range(3)]
going.steps(3)
resting.steps(3)
going.play()
child = os.fork()
if not child:
    for run in (going, resting):
        assert run.status == "closed" and run.wait()
        assert run.recording.recorded_to >= run.state.iteration
        run.release()
        for command in (run.play, run.pause, run.step, run.restart, lambda: run.steps(2), lambda: run.seek(0)):
            try:
                command()
            except RuntimeError as error:
                said = str(error)
                assert said.startswith("this run goes on in the process that this one was forked from"), said
            else:
                raise AssertionError("a command was taken")
        run.close()
    with ns.Run(Drifting(), X, start=resting.state) as again:
        assert again.steps(2).iteration == resting.state.iteration + 2
    assert idle.steps(4).iteration == 4
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
assert going.status == "running"
at = going.state.iteration
assert going.steps(5).iteration >= at + 5
assert resting.steps(2).iteration == 5 and idle.steps(4).iteration == 4
print("on")
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_in_a_forked_child_a_run_is_closed_and_says_so_while_its_parent_goes_on():
    done = python(FORKED, flags=FORKS)
    assert (done.stdout.split(), done.stderr, done.returncode) == (["7", "on"], "", 0)
