"""The control of a run under any sequence of commands, the thread being played by the test itself.

A task is taken at one point and done at another, so that commands come before, between and after, in a known order.
What is expected is written down in another way than in the control: as iterations that will be reached, and as states
that a plain `iterate` makes.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs import control as control_module
from notebook_sne.engine.runs.commands import Begin, Close, Move, Pause, Pin, Play, Restart, Seek, Step, Switch, Update
from notebook_sne.engine.runs.control import BUSY, STATUSES, Control
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.stepper import Maker
from tests.runs.coasting import FAULTS, Coasting, Gliding
from tests.runs.recorded import same

X = np.zeros((5, 3))


def transitions():
    """The table in the docstring, as {(event, status): the statuses that may follow}."""
    lines = [line.split() for line in control_module.__doc__.splitlines()]
    rules = [k for k, line in enumerate(lines) if line and set(line[0]) == {"="}]
    head = lines[rules[0] + 1]
    table = {}
    for event, *cells in lines[rules[1] + 1 : rules[2]]:
        for status, cell in zip(head[1:], cells, strict=True):
            words = {"same": {status}, "busy": set(BUSY), "rest": {"paused", "finished"}, "no": {"no"}, "-": set()}
            table[event, status] = set().union(*(words.get(word, {word}) for word in cell.split(",")))
    return table


TABLE = transitions()


def test_what_needs_a_state_is_refused_before_there_is_one():
    control = Control(Coasting(), None, Knobs(), Recording())
    for command, error in ((Seek(0), ValueError), (Move({(0, 0): np.zeros(2)}), RuntimeError), (Pin({}), RuntimeError)):
        with pytest.raises(error, match="play or step first"):
            control.put(command)
    assert control.status == "idle" and control.version == 0 and not control.has_task


def test_the_table_names_every_status_and_every_command():
    commands = (Play, Pause, Step, Restart, Switch, Seek, Move, Pin, Close)
    assert {status for _, status in TABLE} == set(STATUSES)
    assert {event for event, _ in TABLE} == {command.__name__.lower() for command in commands} | {"made", "failed"}
    assert set().union(*TABLE.values()) == set(STATUSES) | {"no"}


def knobs_of(held):
    knobs = Knobs()
    knobs.replace(held)
    return knobs


@dataclass
class Shot:
    """A state as the test has seen it, and what it came from."""

    state: State
    model: Coasting
    begun: int
    """Where that model began."""
    held: dict


class Commands(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.models = [Coasting(), Gliding()]
        self.knobs = Knobs()
        self.control = Control(self.models[0], None, self.knobs, Recording())
        self.maker = Maker(X, self.knobs)
        self.task = self.wanted = None  # what the thread has in hand, and whether anybody wants it
        self.film = {}  # iteration: Shot
        self.first = self.model = self.models[0]  # where a restart begins, and the one that is expected
        self.base = self.asked = self.begun = 0  # iterations: where it is or is bound for, will rest, the model began
        self.stop = self.first.max_iter  # the iteration at which play ends
        self.end, self.failed, self.starts = "idle", False, False

    # ---- commands ----

    def put(self, command):
        """Give a command. Return whether it was taken; the table says what the status may be then."""
        control, before = self.control, self.control.status
        allowed, version = TABLE[type(command).__name__.lower(), before], control.version
        try:
            control.put(command)
        except (ValueError, RuntimeError):
            # A seek or a move also comes to nothing where there is no state yet, or no such iteration.
            assert (
                "no" in allowed or isinstance(command, Seek) or (isinstance(command, Move | Pin) and not control.state)
            )
            assert control.status == before and control.version == version
            return False
        assert control.status in allowed, (command, before, control.status)
        assert control.version > version
        return True

    def begin(self, model):
        self.model, self.begun, self.failed, self.starts = model, self.base, False, True
        self.stop = self.begun + model.max_iter
        self.end = "paused" if self.end == "idle" else self.end
        self.asked = self.stop if self.end == "finished" else self.base

    @initialize(n=st.integers(0, 8), tasks=st.integers(0, 18))
    def some_film(self, n, tasks):
        """Most commands mean little before there is something recorded."""
        if n:
            self.step(n)
            self.work(tasks)

    @rule()
    def play(self):
        if self.put(Play()):
            if self.base >= self.stop:
                self.stop = self.base + self.model.max_iter
            self.asked, self.end, self.failed, self.starts = self.stop, "finished", False, True

    @rule()
    def pause(self):
        if self.put(Pause()) and self.end != "idle":
            self.asked, self.end = self.base, "paused"

    @rule(n=st.integers(0, 6))
    def step(self, n):
        if self.put(Step(n)):
            self.asked = (self.asked if self.end == "paused" else self.base) + n
            self.end, self.failed, self.starts = "paused", False, True

    @precondition(lambda self: len(self.film) != 1)
    @rule(which=st.sampled_from([None, 0, 1]))
    def restart(self, which):
        model = self.first if which is None else self.models[which]
        if self.put(Restart(None if which is None else model)):
            assert self.control.state is None and len(self.control.past.recording) == 0
            self.film, self.wanted, self.base, self.first = {}, False, 0, model
            self.begin(model)

    @rule(which=st.sampled_from([0, 1]))
    def switch(self, which):
        if self.put(Switch(self.models[which])):
            if self.task is not None and isinstance(self.task.command, Update | Begin):
                self.wanted = False
            self.begin(self.models[which])

    @precondition(lambda self: self.film or self.control.closed)
    @rule(data=st.data())
    def seek(self, data):
        iteration = data.draw(st.sampled_from([*self.film, *self.film, -1]))
        if self.put(Seek(iteration)):
            shot = self.film[iteration]
            self.base = self.asked = iteration
            self.model, self.begun = shot.model, shot.begun
            self.stop = max(shot.begun + shot.model.max_iter, iteration)
            self.end, self.failed, self.wanted = "paused", False, False
            assert self.knobs.turned() == shot.held
        else:
            assert self.control.closed or iteration not in self.film

    @precondition(lambda self: self.film or self.control.closed)
    @rule(i=st.integers(0, 4), x=st.floats(-3, 3))
    def move(self, i, x):
        self.put(Move({(0, i): np.array([x, 1.0])}))

    @precondition(lambda self: self.film or self.control.closed)
    @rule(i=st.integers(0, 4))
    def unpin(self, i):
        self.put(Pin({}, frozenset({(0, i)})))

    @precondition(lambda self: self.control.state is not None)
    @rule(value=st.sampled_from([0.0, 0.01, 0.3]))
    def turn(self, value):
        self.knobs.set(jitter=value)

    @rule()
    def release(self):
        self.knobs.release()

    @rule(fault=st.sampled_from(FAULTS), ahead=st.integers(1, 3), which=st.sampled_from([0, 1]))
    def spoil(self, fault, ahead, which):
        # A seek makes a recorded state again and records nothing: such a one cannot turn into one that is refused.
        last = max([self.base, *self.film]) if fault == "is not recorded" else self.base
        self.models[which].fault, self.models[which].fails_at = fault, last + ahead

    @rule()
    def mend(self):
        for model in self.models:
            model.fails_at = None

    @precondition(lambda self: len(self.film) > 6)
    @rule()
    def close(self):
        self.put(Close())
        self.wanted = False

    # ---- the thread ----

    @precondition(lambda self: self.task is None and self.control.has_task)
    @rule()
    def take(self):
        before = self.control.status
        self.task, self.wanted = self.control.take(), True
        assert self.control.status == before and not self.control.closed

    @precondition(lambda self: self.task is not None or self.control.has_task)
    @rule(n=st.integers(1, 12))
    def work(self, n):
        """Take and do tasks, as the thread does while no command comes."""
        for _ in range(n):
            if self.task is not None:
                self.deliver()
            elif self.control.has_task:
                self.take()

    @precondition(lambda self: self.task is not None)
    @rule()
    def deliver(self):
        task, control, before, wanted = self.task, self.control, self.control.state, self.wanted
        status, event, held = control.status, "made", self.knobs.turned()
        try:
            made = self.maker.do(task, control.past.recording, lambda: control.current is not task)
            if made is not None:
                control.publish(task, *made)
        except (ArithmeticError, RuntimeError, ValueError) as error:
            event = "failed"
            self.maker.forget()
            control.fail(task, error)
        self.task = self.wanted = None
        assert control.status in (TABLE[event, status] if wanted else {status}), (event, task, status, control.status)
        if not wanted:
            assert control.state is before  # it belongs to the past
        elif event == "failed":
            assert control.state is before and control.error is not None and control.look().message
            self.go_back()
        else:
            assert control.state is not before and made is not None
            self.check(task, before, held)

    def go_back(self):
        """It failed: the last good state stays, under its model."""
        self.base = self.asked = self.control.state.iteration if self.control.state else 0
        shot = self.film.get(self.base)
        self.model, self.begun = (shot.model, shot.begun) if shot else (self.model, self.base)
        self.stop = max(self.begun + self.model.max_iter, self.base)
        self.end, self.failed = "paused", True

    def check(self, task, before, held):
        """What was made is, bit for bit, what a plain `iterate` makes."""
        now, command = self.control.state, task.command
        if isinstance(command, Seek):
            assert same(now, self.film[command.iteration].state)
            return
        last = None if before is None else self.film[before.iteration]
        for iteration in [i for i in self.film if last is not None and i > before.iteration]:
            del self.film[iteration]  # it goes on in another way from here
        if isinstance(command, Update):
            states = last.model.iterate(X, before, knobs_of(held))
            next(states)
            shot = Shot(next(states), last.model, last.begun, held)
            self.base += 1
            self.asked = max(self.asked, self.base)
        else:
            # No update has made it, so that what was held is what was held before.
            held = {} if last is None else last.held
            model, begun, start = task.model, 0 if before is None else before.iteration, before
            if isinstance(command, Move):
                model, begun, Y = last.model, last.begun, before.Y.copy()
                for (m, i), place in command.places.items():
                    Y[m, i] = place
                start = replace(before, Y=Y)
            elif isinstance(command, Pin):
                model, begun = last.model, last.begun
            shot = Shot(next(iter(model.iterate(X, start, Knobs()))), model, begun, held)
        assert same(now, shot.state)
        self.film[now.iteration] = shot
        self.failed = False

    # ---- what always holds ----

    @invariant()
    def the_status_is_known_and_closed_is_final(self):
        control = self.control
        assert control.status in STATUSES
        assert control.look() == (
            control.version, control.status, control.state, control.look().message,
            any(isinstance(waiting, Seek) for waiting in control.queue)
            or (self.task is not None and self.wanted and isinstance(self.task.command, Seek)),
            control.compiling,
        )  # fmt: skip

    @invariant()
    def the_model_is_the_one_expected(self):
        assert self.control.closed or self.control.model is self.model

    @invariant()
    def the_recording_is_in_order(self):
        past, state = self.control.past, self.control.state
        recording = past.recording
        assert list(self.film) == sorted(self.film)
        assert recording.recorded_to == (max(self.film) if self.film else None)
        assert (np.diff(recording.iterations) > 0).all()
        for frame in recording.frames:
            shot = self.film[frame.iteration]
            assert np.array_equal(frame.Y, shot.state.Y.astype(np.float32)) and frame.model == shot.state.model
        for iteration, shot in self.film.items():
            assert recording.model_at(iteration) is shot.model and recording.turned_at(iteration) == shot.held
        iterations, costs = past.costs.up_to(state)
        assert list(iterations) == [i for i in self.film if i <= state.iteration]
        assert list(costs) == [self.film[i].state.cost for i in iterations]

    @precondition(lambda self: self.task is None and not self.control.has_task)
    @invariant()
    def at_rest_all_that_was_asked_for_is_done(self):
        control = self.control
        assert control.rests
        if control.closed:
            assert control.status == "closed"
        elif not self.starts:
            assert control.status == "idle"
        else:
            assert control.status == ("error" if self.failed else self.end)
            assert self.base == self.asked
            assert control.state is None if not self.film else control.state.iteration == self.asked

    def teardown(self):
        """Whatever is left to do is done, and comes to an end."""
        for _ in range(2000):
            if self.task is None and not self.control.has_task:
                break
            self.take() if self.task is None else self.deliver()
        assert self.task is None and not self.control.has_task
        self.at_rest_all_that_was_asked_for_is_done()


Commands.TestCase.settings = settings(
    max_examples=200, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
TestCommands = pytest.mark.slow(pytest.mark.filterwarnings("ignore")(Commands.TestCase))
