"""Knobs: what a lecturer turns while a model runs.

A knob that isn't turned follows the model's schedule. A turned knob wins over its schedule from the next
iteration on, and its value is written into every state.
"""

import inspect
import math
import threading
from collections.abc import Mapping
from itertools import starmap
from numbers import Real
from typing import Any, NamedTuple

from notebook_sne.engine.checks.arguments import check_number, check_perplexity
from notebook_sne.engine.checks.numbers import WrongTypeError, is_finite, show
from notebook_sne.engine.checks.ranges import LEAST_P, PERPLEXITY, Range
from notebook_sne.engine.checks.scales import Given, least_knob
from notebook_sne.engine.machine.process import free_in_children

__all__ = ["KNOBS", "Knob", "Knobs"]


class Knob(NamedTuple):
    """Facts about a knob."""

    range: Range
    """Its values: at momentum 1 nothing settles, at background 1 the data are forgotten."""
    what: str
    """What it does, in words."""
    unit: str
    """Of its values; empty for plain numbers and shares."""
    reach: tuple[float, float] | None
    """Useful values, as for a slider; None where they depend on the data, from a hundredth to a hundred times usual."""
    log: bool
    """Whether ratios matter rather than differences."""

    def facts(self, n_objects: int, scales: Given = None) -> dict[str, Any]:
        """Return what a control of it has to know, as JSON takes it; ends that depend on N are those for N objects.

        `scales` are those of a run with several perplexities, of which the knob is the largest.
        """
        if scales is not None and self.range is PERPLEXITY:
            least, closed = least_knob(scales)
            what = "largest of several effective numbers of neighbors: the others go along with it"
            own = self._replace(range=self.range._replace(low=least, closed=closed), what=what, reach=(least, 200.0))
            return own.facts(n_objects)
        reach, end = self.reach, self.range.end_of(n_objects)
        if reach and self.range.useful:
            reach = reach[0], max(reach[0], min(reach[1], self.range.useful(n_objects)))
        return {
            "least": self.range.low, "most": end if math.isfinite(end) else None, "closed": self.range.closed,
            "what": self.what, "unit": self.unit, "reach": reach and list(reach), "log": self.log,
        }  # fmt: skip


_ANY, _POSITIVE, _SHARE = Range(), Range(closed=False), Range(high=1.0)

KNOBS = {
    "perplexity": Knob(PERPLEXITY, "effective number of neighbors", "objects", (2.0, 200.0), True),
    "least_p": Knob(LEAST_P, "share of a row of P below which an entry is left out", "", (0.0, 1e-2), True),
    "min_dist": Knob(_ANY, "distance up to which objects may lie near at no cost", "map units", (0.0, 1.0), False),
    "spread": Knob(_POSITIVE, "by how much attraction falls off beyond min_dist", "map units", (0.2, 5.0), True),
    "negative_sample_rate": Knob(_POSITIVE, "random objects for each edge of the graph", "objects", (0.5, 50.0), True),
    "exaggeration": Knob(_POSITIVE, "factor on the attraction", "", (0.25, 32.0), True),
    "degrees_of_freedom": Knob(_POSITIVE, "of Student's t: the fewer, the heavier its tails", "", (0.25, 64.0), True),
    "background": Knob(_SHARE, "share of Q spread evenly over all pairs", "", (0.0, 0.9), False),
    "z_bar": Knob(_POSITIVE, "assumed mean similarity of all pairs", "", (1e-4, 1.0), True),
    "n_negatives": Knob(_POSITIVE, "random pairs for each pair of neighbors", "pairs", (1.0, 1e3), True),
    "repulsion": Knob(_ANY, "strength of the push between all pairs", "", (0.1, 1000.0), True),
    "strength": Knob(_ANY, "strength of the regularizer", "", (0.1, 1000.0), True),
    "penalty": Knob(_ANY, "strength of the pull toward the origin", "nats per squared map unit", (0.0, 1.0), True),
    "density": Knob(_ANY, "how strongly densities of the data are kept", "nats", (0.0, 10.0), True),
    "flattening": Knob(
        _ANY, "strength of the pull out of the extra dimensions", "nats per squared map unit", (0.0, 1.0), True
    ),
    "pull": Knob(_ANY, "force between the images of one object", "nats per map unit", (0.0, 1.0), False),
    "radius": Knob(_ANY, "width of the neighborhood on the grid", "steps of the grid", (0.2, 20.0), True),
    "alpha": Knob(_ANY, "how strongly the weights of the sheet are kept small", "", (1e-3, 100.0), True),
    "learning_rate": Knob(_POSITIVE, "length of a step along the gradient", "", None, True),
    "momentum": Knob(_SHARE, "share of the last step that is kept", "", (0.0, 0.99), False),
    "jitter": Knob(_ANY, "standard deviation of the noise added to each coordinate", "map units", (0.0, 1.0), False),
}
"""The knobs in the order in which they are shown. Their ranges, words and units stand here alone."""


def check_knob(name: str, value: Any, n_objects: int | None = None) -> float:
    """Return value as a float, or raise an error that names the knob, its rule and the value given.

    With a number of objects, it is held to the range that these leave as well.
    """
    if name not in KNOBS:
        raise ValueError(f"there is no knob {name!r}; the knobs are {', '.join(KNOBS)}")
    range = KNOBS[name].range
    low, high, closed = range[:3]
    if isinstance(value, bool) or not isinstance(value, Real):
        several = name == "perplexity" and isinstance(value, list | tuple | str)
        way = "; the knob of several is the largest" if several else ""
        raise WrongTypeError(f"{name} must be a number, got {show(value)}{way}")
    number = float(value) if is_finite(value) else math.inf
    if not (low <= number < high) or (number == low and not closed):
        sign = "<=" if closed else "<"
        raise ValueError(f"{name} must satisfy {low:g} {sign} {name} < {high:g}, got {show(value)}")
    if n_objects is None or range.end is None:
        return number
    if range is PERPLEXITY:  # which functions without knobs refuse in the same words
        return check_perplexity(number, n_objects)
    return check_number(name, number, low, range.end(n_objects), closed=closed)


class Knobs:
    """The turned knobs of a run; shared by the thread that turns and the one that iterates.

    Parameters
    ----------
    **values : float
        Value to hold each knob at, by its name, one of those in the table below. Leave out what should follow the
        model's schedule. A model refuses a knob that it doesn't have: ``state.knobs`` names those that it has.

    Raises
    ------
    ValueError, TypeError
        If a knob is unknown or its value is outside its range.

    Notes
    -----
    ==================== ==================================== ========================================================
    {knobs}
    ==================== ==================================== ========================================================

    Examples
    --------
    >>> from notebook_sne import Knobs
    >>> knobs = Knobs(jitter=0.1)
    >>> knobs.set(momentum=0.5)
    >>> knobs.release("jitter")
    >>> knobs.turned()
    {'momentum': 0.5}
    """

    def __init__(self, **values: float) -> None:
        self._lock = free_in_children(threading.Lock())
        self._values: dict[str, float] = {}
        self.set(**values)

    def set(self, **values: float) -> None:
        """Turn knobs, such as ``knobs.set(jitter=0.1, momentum=0.5)``; all of the values or, if one is wrong, none."""
        checked = {name: check_knob(name, value) for name, value in values.items()}
        with self._lock:
            self._values.update(checked)

    def release(self, *names: str) -> None:
        """Let the knobs with these names, or all of them where none is named, follow the schedule again."""
        for name in names:
            if name not in KNOBS:
                raise ValueError(f"there is no knob {name!r}; the knobs are {', '.join(KNOBS)}")
        with self._lock:
            for name in names or list(self._values):
                self._values.pop(name, None)

    def replace(self, values: Mapping[str, float]) -> None:
        """Turn exactly the given knobs, values being {name: value}, and release all others."""
        checked = {name: check_knob(name, value) for name, value in values.items()}
        with self._lock:
            self._values = checked

    def turned(self) -> dict[str, float]:
        """Return a copy of the knobs that are held, {name: value}."""
        with self._lock:
            return dict(self._values)

    def __repr__(self) -> str:
        return f"Knobs({', '.join(f'{name}={value:g}' for name, value in self.turned().items())})"


def _row(name: str, knob: Knob) -> str:
    """Return a row of the table above: the range of a knob, with its unit, and what it does."""
    values = ", ".join(filter(None, (knob.range.rule(name), knob.unit)))
    return f"{name:20} {values:36} {knob.what}"


Knobs.__doc__ = inspect.cleandoc(Knobs.__doc__ or "").replace("{knobs}", "\n".join(starmap(_row, KNOBS.items())))
