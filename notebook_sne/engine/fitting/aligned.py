"""The descent of aligned maps: T problems, whose maps move together as one vector.

Each problem has its own P, knobs and learning rate; all have the same schedules. `mathematics.aligned` has the springs
between the maps, and the coordinates in which one step is right for maps and springs alike.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.fitting.problem import SETTLED, WINDOW, Problem, jumps
from notebook_sne.engine.machine.parallel import threads
from notebook_sne.engine.mathematics.aligned import Coordinates, Springs
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers import descent
from notebook_sne.engine.optimizers.iterate import Evaluate, Iterate, read_only
from notebook_sne.engine.optimizers.schedules import Schedule, last_change, value_at

__all__ = ["Moment", "Together"]


class Moment(NamedTuple):
    """The maps after some updates."""

    Y: Floats  # (sum N_t, d)
    now: Iterate  # the same in the coordinates of the descent


class _Stage(NamedTuple):
    """What holds for some updates."""

    settings: list[dict[str, float]]  # of each step
    springs: Springs
    coordinates: Coordinates


class Together:
    """T problems, the pairs of rows that are one object in neighboring steps, and the strength of their springs."""

    def __init__(
        self, problems: Sequence[Problem], pairs: Sequence[tuple[Ints, Ints]], alignment: float | Schedule
    ) -> None:
        self._problems, self._pairs, self._alignment = problems, pairs, alignment
        sizes = np.array([problem.n_objects for problem in problems])
        self._ends = np.concatenate([[0], np.cumsum(sizes)])
        # Of 1 nat per squared map unit and object: a joint cost averages over the objects that a conditional one sums.
        units = np.array([problem.cost_scale for problem in problems]) / sizes
        self._units = np.minimum(units[:-1], units[1:])
        self._steady_from = max(*(problem.steady_from for problem in problems), last_change(alignment))
        self._stage(0, None)  # the strength is part of the checks at the edge

    def parts(self, Y: Floats) -> list[Floats]:
        """Return the map of each step, shapes (N_t, d)."""
        return np.split(Y, self._ends[1:-1])

    def springs(self, t: int) -> Springs:
        """Return the springs after t updates."""
        alignment = check_number("alignment", value_at(self._alignment, t), 0)
        return Springs(self._ends, self._pairs, self._units * alignment)

    def settings(self, t: int) -> list[dict[str, float]]:
        """Return the value of each knob of each step, after t updates."""
        return [problem.settings(t, {}) for problem in self._problems]

    def each(self, Y: Floats, settings: Sequence[Mapping[str, float]]) -> list[Evaluation]:
        """Return the Evaluation of each step's own objective, its gradient flat."""
        return [
            problem.evaluation(at)(read_only(part.ravel()))
            for problem, at, part in zip(self._problems, settings, self.parts(Y), strict=True)
        ]

    def evaluate(self, Y: Floats, settings: Sequence[Mapping[str, float]], springs: Springs) -> Evaluation:
        """Return the Evaluation of all steps and the springs between them, its gradient in the shape of Y."""
        energy, gradient = springs.energy(Y)
        here = self.each(Y, settings)
        gradient += np.concatenate([one.gradient for one in here]).reshape(Y.shape)
        return Evaluation(energy + sum(one.objective for one in here), gradient, float(sum(one.cost for one in here)))

    def start(self) -> Floats:
        """Return the first places: each object where it is in the step before, new ones by the step's own start.

        Maps that began each on principal components of its own could be mirrored from one step to the next, which no
        spring undoes later.
        """
        parts = [problem.first_positions(problem.seed)[0][0] for problem in self._problems]
        for t, (now, then) in enumerate(self._pairs):
            old, new = parts[t][now - self._ends[t]], then - self._ends[t + 1]
            left, _, right = np.linalg.svd(parts[t + 1][new].T @ old)
            parts[t + 1] = parts[t + 1] @ (left @ right)
            parts[t + 1][new] = old
        return np.concatenate(parts)

    def run(self) -> Iterator[Moment]:
        """Yield the start, then the maps after every update, without end."""
        model, slack = self._problems[0].model, 1e-3 * sum(problem.cost_scale for problem in self._problems)
        Y, now, stage = self.start(), None, self._stage(0, None)
        n_threads = max(problem.n_threads for problem in self._problems)
        for t in itertools.count():
            with threads(n_threads):
                before, stage = stage, self._stage(t, stage)
                if now is None or stage is not before:
                    now = self._begin(t, Y, now, before, stage)
                    if t == 0:
                        yield Moment(Y, now)
                now = descent.step(
                    now, self._evaluation(stage), learning_rate=1.0, momentum=stage.settings[0]["momentum"],
                    gains=model._gains, rising=model._rises, slack=slack,
                )  # fmt: skip
                Y = stage.coordinates.places(now.theta.reshape(Y.shape))
            yield Moment(Y, now)

    def _stage(self, t: int, before: _Stage | None) -> _Stage:
        """Return what holds after t updates: the stage before, where nothing has changed."""
        settings, springs = self.settings(t), self.springs(t)
        if before is not None and settings == before.settings:
            if np.array_equal(springs.strengths, before.springs.strengths):
                return before
        rates = np.array([values["learning_rate"] for values in settings])
        return _Stage(settings, springs, Coordinates(springs, rates))

    def _evaluation(self, stage: _Stage) -> Evaluate:
        def evaluate(z: Floats) -> Evaluation:
            Y = stage.coordinates.places(z.reshape(self._ends[-1], -1))
            here = self.evaluate(Y, stage.settings, stage.springs)
            return here._replace(gradient=stage.coordinates.gradient(here.gradient).ravel())

        return evaluate

    def _begin(self, t: int, Y: Floats, now: Iterate | None, before: _Stage, stage: _Stage) -> Iterate:
        """Return the iterate at Y in the coordinates of a stage, with the velocity and gains of the one before."""
        memory = None
        if now is not None:
            velocity = before.coordinates.places(now.memory["velocity"].reshape(Y.shape))
            memory = {**descent.forget(now.memory), "velocity": read_only(stage.coordinates.of(velocity).ravel())}
            if any(itertools.starmap(jumps, zip(before.settings, stage.settings, strict=True))):
                memory["steps"] = 0
        return descent.begin(t, stage.coordinates.of(Y).ravel(), self._evaluation(stage), memory)

    def comparable(self, moment: Moment) -> bool:
        """Tell whether a moment minimizes what all later ones do."""
        return moment.now.iteration > self._steady_from

    def settled(self, past: Sequence[Iterate]) -> bool:
        """Tell whether a fit may stop: schedules over, and hardly any progress, as for a single map.

        `past` are the iterates of the last updates, at most one more than the window of such a fit.
        """
        if past[-1].iteration <= self._steady_from + WINDOW:
            return False
        if any(b.memory["rate_scale"] <= 0.5 * a.memory["rate_scale"] for a, b in itertools.pairwise(past)):
            return False  # it has just gone back to its best place
        knobs = self.settings(past[-1].iteration)
        uniform = sum(problem.uniform_cost(at) for problem, at in zip(self._problems, knobs, strict=True))
        now, then = past[-1], past[0]
        return now.cost < 0.95 * uniform and abs(then.objective - now.objective) < SETTLED * abs(now.objective)
