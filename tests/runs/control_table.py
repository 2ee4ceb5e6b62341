"""The table of commands and answers that the run of Python and that of a page both obey: `tests/control.json`.

Each case is a list of steps, a command and the answer to it. An answer names what has changed since the one before:
the status, where the run stands, what it has done of how many updates, what is recorded of it, which knobs and objects
are held, or why the command was refused. Beside the commands of a reader, three words play the part of what works:
``take`` begins the next task, ``make`` ends it (``make 3``: three), ``fail`` ends it with an error.

    python -m tests.runs.control_table          # tell which answers would change
    python -m tests.runs.control_table --write  # write them down, and draw the random walks anew

Cases "by hand" keep their commands; those of walks are drawn again, from their seeds.
"""

import json
import re
import sys
import threading
from pathlib import Path

import numpy as np

from notebook_sne.engine.runs.commands import Begin, Seek
from notebook_sne.engine.runs.run import Run
from tests.standins.steered import Rowing, Sailing, Steered

PLACE = Path(__file__).parents[1] / "control.json"
MOST_SEEDS, LENGTH = 48, 26
ENDED = threading.Thread(target=lambda: None)
ENDED.start()


class Machine:
    """A run whose thread the test plays, so that the order of all that happens is known."""

    def __init__(self, table):
        self.refusals = table["refusals"]
        kinds = {"Sailing": Sailing, "Rowing": Rowing}
        self.models = {name: kinds[name](facts["max_iter"], facts["knobs"]) for name, facts in table["models"].items()}
        self.run = Run(next(iter(self.models.values())), np.zeros((table["objects"], 2)))
        self.worker = self.run._worker
        self.worker.thread = ENDED  # which keeps the worker from making one
        self.run.wait_for_start = lambda: self.run  # no reader waits here for what the test itself will do
        self.task, self.held = None, {}

    @property
    def control(self):
        return self.worker.control

    def do(self, step):
        """Do a step and return the answer."""
        name, *rest = step.split()
        try:
            getattr(self, f"do_{name}", getattr(self.run, name, None))(*rest)
        except (ValueError, RuntimeError) as error:
            return {**self.facts(), "refused": self.reason(str(error))}
        return self.facts()

    def reason(self, text):
        return next(name for name, words in self.refusals.items() if re.search(words, text))

    # ---- what a reader says ----

    def do_step(self, n="1"):
        self.run.step(int(n))

    def do_preset(self, name):
        self.run.restart(self.models[name].again())

    def do_switch(self, name):
        self.run.switch(self.models[name].again())

    def do_seek(self, iteration):
        self.run.seek(int(iteration))

    def do_set(self, *knobs):
        self.run.set(**{name: float(value) for name, value in (knob.split("=") for knob in knobs)})

    def do_move(self, *words):
        places = [word.split("=") for word in words]
        objects = np.array([int(i) for i, _ in places], dtype=int)
        self.run.move(objects, np.array([[float(x), 1.0] for _, x in places]).reshape(-1, 2))

    def do_pin(self, *objects):
        self.run.pin([int(i) for i in objects])

    def do_unpin(self, *objects):
        self.run.unpin([int(i) for i in objects])

    # ---- what works ----

    def do_take(self):
        self.forget()
        if self.task is None and self.control.has_task and not self.control.closed:
            self.task, self.held = self.control.take(), self.run.knobs.turned()

    def do_make(self, n="1"):
        for _ in range(int(n)):
            self.do_take()
            if self.task is not None:
                self.deliver()

    def do_fail(self):
        Steered.fails = True
        try:
            self.do_make()
        finally:
            Steered.fails = False

    def forget(self):
        """What is under way and of no use any more comes back now, and is dropped."""
        if self.task is not None and self.control.current is not self.task:
            self.deliver()

    def deliver(self):
        """Do the task. An update has the knobs that were held when it was taken: the thread reads them then."""
        knobs, now = self.run.knobs, self.run.knobs.turned()
        task, self.task = self.task, None
        if isinstance(task.command, Begin | Seek):
            self.worker.do(task)
        else:
            knobs.replace(self.held)
            self.worker.do(task)
            knobs.replace(now)

    # ---- what there is to see ----

    def facts(self):
        control, recording = self.control, self.run.recording
        state = control.state
        return {
            "status": control.status,
            "iteration": None if state is None else state.iteration,
            "model": type(control.model).__name__,
            "done": control.done,
            "limit": control.limit,
            "recorded": [] if recording.recorded_to is None else list(control.recorded()),
            "kept": [state.iteration for state in recording.states],
            "marks": [f"{mark.iteration} {mark.kind}: {mark.text}" for mark in recording.marks],
            "knobs": dict(sorted(self.run.knobs.turned().items())),
            "pins": [] if state is None else state.pins[:, 0].tolist(),
            "refused": None,
        }


def play(table, steps, machine=Machine):
    """Yield each step with its answer, as what has changed since the one before."""
    own, before = machine(table), table["first"]
    for step in steps:
        now = own.do(step)
        yield [step, {name: value for name, value in now.items() if before[name] != value}]
        before = {**now, "refused": None}


def walk(table, seed):
    """Return the steps of a random walk: commands between takes and makes, most of them sensible."""
    rng = np.random.default_rng(seed)
    own, steps = Machine(table), []
    names = [*table["models"]]
    knobs = sorted({name for facts in table["models"].values() for name in facts["knobs"]})
    draws = {
        "make": (9, lambda: f"make {rng.integers(1, 9)}"),
        "take": (5, lambda: "take"),
        "fail": (1, lambda: "fail"),
        "play": (3, lambda: "play"),
        "pause": (2, lambda: "pause"),
        "step": (4, lambda: f"step {rng.integers(0, 7)}"),
        "restart": (1, lambda: "restart"),
        "preset": (1, lambda: f"preset {rng.choice(names)}"),
        "switch": (3, lambda: f"switch {rng.choice(names)}"),
        "seek": (4, lambda: f"seek {rng.integers(-1, (own.run.recording.recorded_to or 0) + 2)}"),
        "set": (3, lambda: f"set {rng.choice(knobs)}={rng.choice([0.05, 0.1, 0.2])}"),
        "release": (1, lambda: f"release {rng.choice(knobs)}"),
        "move": (2, lambda: f"move {rng.integers(0, table['objects'] + 1)}={rng.integers(-3, 4)}"),
        "pin": (2, lambda: f"pin {rng.integers(0, table['objects'])}"),
        "unpin": (1, lambda: f"unpin {rng.integers(0, table['objects'])}"),
    }
    weights = np.array([weight for weight, _ in draws.values()], float)
    for k in range(LENGTH):
        step = "step 3" if k == 0 and seed % 2 else draws[rng.choice([*draws], p=weights / weights.sum())][1]()
        # A model that has not begun knows no knobs: the first one fails then, where a page refuses at once.
        if step.startswith("set") and own.worker.maker.model is None:
            continue
        own.do(step)
        steps.append(step)
    return steps


def load():
    return json.loads(PLACE.read_text(encoding="utf-8"))


def answered(table):
    """Return the table with the answers of Python's run, and walks drawn anew."""
    cases = [{**case} for case in table["cases"] if "seed" not in case]
    for seed in range(MOST_SEEDS):
        cases.append({"name": f"walk {seed}", "seed": seed, "steps": [[step, {}] for step in walk(table, seed)]})
    table = {**table, "first": Machine(table).facts()}
    for case in cases:
        case["steps"] = list(play(table, [step for step, _ in case["steps"]]))
    return {**table, "cases": cases}


def written(table):
    """Return the table as JSON, one step a line."""
    lines = ["{"]
    for name, value in table.items():
        if name != "cases":
            lines.append(f'  "{name}": {json.dumps(value)},')
    lines.append('  "cases": [')
    for k, case in enumerate(table["cases"]):
        own = ", ".join(f'"{name}": {json.dumps(value)}' for name, value in case.items() if name != "steps")
        lines.append(f'    {{{own}, "steps": [')
        lines.append(",\n".join(f"      {json.dumps(step)}" for step in case["steps"]))
        lines.append("    ]}" + ("," if k + 1 < len(table["cases"]) else ""))
    return "\n".join([*lines, "  ]", "}", ""])


if __name__ == "__main__":
    table = load()
    new = answered(table)
    if "--write" in sys.argv:
        PLACE.write_text(written(new), encoding="utf-8")
    else:
        known = {case["name"]: case for case in table["cases"]}
        print("\n".join(case["name"] for case in new["cases"] if case != known.get(case["name"])) or "all as it is")
