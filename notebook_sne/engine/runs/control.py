"""The control of a run: what each command does, as a state machine without thread, lock or clock.

A command changes the plan at once: the queue of what the thread does first, one after the other (`Begin`, `Seek`,
`Move`, `Pin`), and how many updates come `ahead` after that. The thread takes one Task at a time and brings back a
state or an error. The Task under way is `current`; a command that makes it useless forgets it, and its result is then
dropped. The status follows from the plan and is written nowhere else:

* ``closed`` after `Close`, finally;
* ``running`` or ``compiling`` while there is an update, a begin or a seek to do or under way: ``compiling`` from a
  begin to the first update after it (affinities, compilation), else ``running``;
* ``error`` after a failure, until the next command but `Pause`, or the next good state;
* otherwise what the last command wants at its end: ``idle`` before the first one, ``finished`` after `Play`, else
  ``paused``.

So the status can change in these ways alone. "Busy" is ``compiling`` or ``running``, "rest" ``paused`` or
``finished``; "same" is no change, "no" a command that is refused and "-" what can't be.

========  ==========  ==========  ==========  ==========  ==========  ==========  ==========
event     idle        compiling   running     paused      finished    error       closed
========  ==========  ==========  ==========  ==========  ==========  ==========  ==========
play      compiling   busy        busy        busy        busy        busy        no
pause     same        same,rest   same,rest   same        paused      same        no
step      compiling   busy,rest   busy,rest   busy,rest   busy,rest   busy,rest   no
restart   compiling   compiling   compiling   compiling   compiling   compiling   no
switch    compiling   busy        busy        compiling   compiling   compiling   no
seek      no          running     running     running     running     running     no
move      no          same        same        same        same        same        no
pin       no          same        same        same        same        same        no
made      -           busy,rest   busy,rest   same        same        rest        -
failed    -           error       error       error       error       error       -
close     closed      closed      closed      closed      closed      closed      same
========  ==========  ==========  ==========  ==========  ==========  ==========  ==========

Longer than 300 lines because the table stands beside what it is a table of.
"""

from collections.abc import Callable, Mapping

from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.commands import (
    Begin,
    Close,
    Command,
    Move,
    Pause,
    Pin,
    Play,
    Restart,
    Seek,
    Step,
    Switch,
    Task,
    Update,
    Waiting,
)
from notebook_sne.engine.runs.protocols import Model, max_iter_of
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.snapshot import Snapshot, describe
from notebook_sne.engine.runs.trace import Past

__all__ = ["BUSY", "STATUSES", "Control"]

STATUSES = ("idle", "compiling", "running", "paused", "finished", "error", "closed")
BUSY = ("compiling", "running")


class Control:
    """All that a run is to do, is doing and has done. Not thread-safe: its callers hold the lock.

    It begins with the model, at `start` if there is one, instead of at the model's own. The reader turns the knobs; a
    seek turns them back. The recording is an empty one.
    """

    def __init__(self, model: Model, start: State | None, knobs: Knobs, recording: Recording) -> None:
        self.limit = max_iter_of(model)  # `play` ends after so many updates of the model
        self.origin = (model, start)
        self.model, self.knobs, self.past = model, knobs, Past(recording)
        self.queue: list[Waiting] = []
        self.current: Task | None = None
        self.ahead = 0  # updates to do once the queue is empty
        self.done = 0  # updates since the model began; those that it will have done, while it begins or seeks
        self.at_end = "idle"  # the status once nothing is left to do
        self.updated = False  # whether there was an update since the model began
        self.closed = ""  # how, once it is
        self.state: State | None = None
        self.error: BaseException | None = None
        self.remark = ""  # on the map of a run that has finished
        self.compiling = False
        self.status, self.version = "idle", 0

    # ---- commands ----

    def put(self, command: Command) -> None:
        """Take a command: change the plan, or raise an error that says why not."""
        if isinstance(command, Close):
            self.closed = self.closed or command.how
            self._drop()
        elif self.closed:
            raise RuntimeError(f"this run {self.closed}; make a new one, with start=run.state to go on from here")
        else:
            self._change_plan(command)
        self._settle()

    def _change_plan(self, command: Command) -> None:
        match command:
            case Play():
                if self.done >= self.limit:
                    self.limit = self.done + max_iter_of(self.model)
                self._go(self.limit - self.done, "finished")
            case Step(n):
                stepping = self.status in BUSY and self.at_end == "paused"
                self._go((self.ahead if stepping else 0) + n, "paused")
            case Pause():
                if self.at_end != "idle":
                    self.ahead, self.at_end = 0, "paused"
            case Restart(model):
                model, start = self.origin if model is None else (model, None)
                limit = max_iter_of(model)
                self._drop()
                self.origin, self.past, self.state = (model, start), self.past.fresh(), None
                self._begin(model, limit)
            case Switch(model):
                limit = max_iter_of(model)
                # It begins where a seek or a move leads to; an update or another beginning is of no use any more.
                self.queue = [waiting for waiting in self.queue if not isinstance(waiting, Begin)]
                if self.current is not None and isinstance(self.current.command, Begin | Update):
                    self.current = None
                self._begin(model, limit)
            case Seek(iteration):
                first, last = self.recorded()
                if not first <= iteration <= last:
                    raise ValueError(
                        f"iteration must be from {first} to {last}, got {iteration}; play on to go further"
                    )
                self._seek(command)
            case Move(places):
                if self.state is None:
                    raise RuntimeError("there is no map yet to move objects in; play or step first")
                newest = self.queue[-1] if self.queue else None
                if isinstance(newest, Move):
                    self.queue[-1] = Move({**newest.places, **places})
                elif places:
                    self.queue.append(command)
            case Pin(places, freed):
                if self.state is None:
                    raise RuntimeError("there is no map yet to hold objects in; play or step first")
                if places or freed:
                    self.queue.append(command)

    def _go(self, n: int, at_end: str) -> None:
        """Do n updates and then rest."""
        self.ahead, self.at_end, self.error = n, at_end, None
        if self.state is None and not self._has(Begin):
            self.queue.append(Begin(self.model))

    def _begin(self, model: Model, limit: int) -> None:
        """Begin with a model after what waits: a run that plays goes on playing, another one rests at the start."""
        self.queue.append(Begin(model))
        self.model, self.done, self.limit = model, 0, limit
        self.updated, self.error = False, None
        if self.at_end == "idle":
            self.at_end = "paused"
        self.ahead = self.limit if self.at_end == "finished" else 0

    def _seek(self, command: Seek) -> None:
        """Go to a recorded iteration, with the model and the knobs of that time."""
        recording = self.past.recording
        start = recording.start_for(command.iteration)
        begun, model = self.past.segment_at(command.iteration if start is None else start.iteration)
        done = command.iteration - begun
        limit = max(max_iter_of(model), done)
        self._drop()
        self.queue.append(command)
        self.model, self.done, self.limit = model, done, limit
        self.updated, self.error, self.at_end = True, None, "paused"
        self.knobs.replace(recording.turned_at(command.iteration))

    def _drop(self) -> None:
        """Forget what waits and what is under way."""
        self.queue, self.current, self.ahead = [], None, 0

    def _has(self, kind: type) -> bool:
        """Return whether a command of a kind waits or is under way."""
        if self.current is not None and type(self.current.command) is kind:
            return True
        return bool(self.queue) and kind in map(type, self.queue)

    # ---- what the thread takes and brings back ----

    @property
    def has_task(self) -> bool:
        """Whether there is something for the thread to do."""
        return bool(self.queue) or self.ahead > 0

    def take(self) -> Task:
        """Return the next Task, which is then under way; there must be one."""
        if not self.queue:
            self.current = Task(_UPDATE, self.model, self.state)
            return self.current
        command, start = self.queue.pop(0), self.state
        if isinstance(command, Begin):
            self.current = Task(command, command.model, self.origin[1] if start is None else start)
            return self.current
        if isinstance(command, Seek):
            start = self.past.recording.start_for(command.iteration)
        model = self.model if start is None else self.past.segment_at(start.iteration)[1]
        self.current = Task(command, model, start)
        return self.current

    def publish(
        self, task: Task, state: State, turned: Mapping[str, float], remark: Callable[[State], str] = lambda _: ""
    ) -> None:
        """Take the state that a Task led to, with the knobs that were held; drop it if the Task is of no use any more.

        `remark` says what is wrong with the state that a run has finished with, if anything.
        """
        self.compiling = False
        if task is not self.current:
            return
        command, ahead = task.command, self.ahead
        kind = type(command)
        if kind is not Seek:
            if kind is Update and ahead > 0:
                ahead -= 1
            if self.state is not None:
                self.past.cut(self.state.iteration)
            moved = len(command.places) if isinstance(command, Move) else None
            self.past.recording.add(state, model=task.model, moved=moved, turned=turned)
            self.past.costs.add(state.iteration, state.cost)
            if kind is Update:
                self.done, self.updated = self.done + 1, True
            elif kind is Begin:
                self.past.begin(state.iteration, task.model)
            if not ahead and not self.queue and self.at_end == "finished":
                self.remark = remark(state)
            self.ahead, self.error = ahead, None
        self.state, self.current = state, None
        self._settle()

    def fail(self, task: Task, error: BaseException) -> None:
        """Take the error that a Task ended with, unless the Task is of no use any more.

        Waiting tasks are forgotten. A later play or step goes on from the last good state, under its model, or tries
        the start again.
        """
        self.compiling = False
        if task is not self.current:
            return
        self._drop()
        if self.state is not None:
            begun, self.model = self.past.segment_at(self.state.iteration)
            self.done = self.state.iteration - begun
            self.limit = max(max_iter_of(self.model), self.done)
        self.error, self.at_end = error, "paused"
        self._settle()

    def note_compiling(self) -> None:
        """Note that code has to be compiled before the next state."""
        self.compiling = True
        self._settle()

    def _settle(self) -> None:
        """Write down the status that follows from the plan. No other place does."""
        if self.closed:
            status = "closed"
        elif self._has(Seek):
            status = "running"
        elif self.ahead or self._has(Update) or self._has(Begin):
            status = "running" if self.updated else "compiling"
        else:
            status = self.at_end if self.error is None else "error"
        self.status = status
        self.version += 1

    # ---- what there is to see ----

    @property
    def rests(self) -> bool:
        """Whether nothing is to be done or under way, not even a move."""
        return bool(self.closed) or not (self.queue or self.ahead or self.current)

    def recorded(self) -> tuple[int, int]:
        """Return the first and the last recorded iteration."""
        last = self.past.recording.recorded_to
        if last is None:
            raise ValueError("iteration must be a recorded one, but nothing is recorded yet; play or step first")
        return self.past.segments[0][0], last

    def look(self) -> Snapshot:
        """Return the present Snapshot."""
        if self.error is not None:
            message = describe(self.error)
        else:
            message = self.remark if self.status == "finished" else ""
        return Snapshot(self.version, self.status, self.state, message, self._has(Seek), self.compiling)


_UPDATE = Update()
