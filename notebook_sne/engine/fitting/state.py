"""A state: everything about one moment of a run, frozen.

A run is a sequence of states. Each one carries its positions, the cost of these positions, the knobs as they
stood, and the optimizer's memory. So a run continued from any state equals, bit for bit, the run that never
stopped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.machine.lazy import from_above

__all__ = ["NO_PINS", "State"]

NO_PINS = np.empty((0, 2), np.int64)
"""Object and map of each held point, where none is."""
NO_PINS.flags.writeable = False


def _freeze(value: Any) -> Any:
    """Return value with read-only arrays and mappings, through tuples and mappings."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, Mapping):
        return MappingProxyType({name: _freeze(item) for name, item in value.items()})
    elif isinstance(value, tuple):
        return tuple(_freeze(item) for item in value)
    return value


def _thaw(value: Any) -> Any:
    """Return value with plain dictionaries, which pickle knows."""
    if isinstance(value, Mapping):
        return {name: _thaw(item) for name, item in value.items()}
    return value


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class State:
    """One moment of a run.

    States compare by identity, may be weakly referenced and survive pickling. Their arrays are read-only, so that a
    list of states is a film.

    Attributes
    ----------
    iteration : int
        Number of updates since the run began; it goes on rising when a run is continued under another model.
    phase : str
        Name of the schedule's present phase, such as ``"exaggeration"``.
    cost : float
        Kullback-Leibler divergence of Q from P in nats at these positions, never exaggerated.
    objective : float
        What the optimizer lowers, in nats: the cost with exaggeration and penalties.
    Y : ndarray of float64, shape (M, N, d)
        Map points; M = 1 for the single-map models.
    mixing : ndarray of float64, shape (M, N), or None
        Mixing proportions, where the model has them.
    gradient_norm : float
        Euclidean norm of the objective's gradient.
    knobs : mapping of str to float
        Every knob as it stood when this state was made: the schedule's value, or the lecturer's.
    model : str
        Class name of the model; a state of another model gives a run its positions only.
    memory : mapping
        The optimizer's own memory. Its keys are private to the optimizer that wrote it.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> from itertools import islice
    >>> rings = ns.datasets.load_two_rings(60)
    >>> model = ns.SymmetricSNE(perplexity=5, random_state=0)
    >>> film = list(islice(model.iterate(rings.X), 11))
    >>> film[-1].iteration, film[-1].phase, film[-1].embedding.shape
    (10, 'descent', (60, 2))
    >>> again = model.iterate(rings.X, start=film[5])       # goes on from there, bit for bit
    """

    iteration: int
    phase: str
    cost: float
    objective: float
    Y: np.ndarray
    mixing: np.ndarray | None
    gradient_norm: float
    knobs: Mapping[str, float]
    model: str
    memory: Mapping[str, Any] = field(repr=False)

    def __post_init__(self) -> None:
        for name in ("Y", "mixing", "knobs", "memory"):
            object.__setattr__(self, name, _freeze(getattr(self, name)))

    @property
    def embedding(self) -> Floats:
        """ndarray, shape (N, d): the map points of the only map; an AttributeError where there are several."""
        if len(self.Y) != 1:
            raise AttributeError(f"this state holds {len(self.Y)} maps: read state.Y, shape (M, N, d)")
        return self.Y[0]

    @property
    def copies(self) -> np.ndarray:
        """Copies moved by the update before this state, shape (K, 2): object and map, the most useful first."""
        moved = self.memory.get("copies")
        return np.empty((0, 2), np.int64) if moved is None else moved

    @property
    def pins(self) -> np.ndarray:
        """Points that are held where they are, shape (K, 2): object and map, in rising order."""
        return self.memory.get("pins", NO_PINS)

    @property
    def ratios(self) -> Floats:
        """Ratios in the fast pass of `Annealed`, shape (K, 2): noise, and cost over that of the shuffled map."""
        seen = self.memory.get("ratios", np.empty((0, 2)))
        return seen[~np.isnan(seen[:, 1])]  # one row an update of the pass, those to come empty

    @property
    def emerged(self) -> float | None:
        """Noise at which the fast pass of `Annealed` found structure: a float, NaN if it found none, or None."""
        return self.memory.get("emerged")

    def _repr_html_(self) -> str:
        return from_above("browser.widgets.repr_html", "html_of_state")(self)

    # Written out because pickle forgets that an array was read-only, and knows no read-only mapping.
    def __getstate__(self) -> dict[str, Any]:
        return {f.name: _thaw(getattr(self, f.name)) for f in fields(self)}

    def __setstate__(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self.__post_init__()
