"""When copies are moved.

A round stands in the place of an update. When it comes depends on nothing but the number of updates since the schedules
began, so that a run that goes on from any of its states meets the same rounds. A round that moves nothing, or that the
sums over all pairs don't confirm, is left out, and an ordinary update is made.
"""

import numpy as np

from notebook_sne.engine.optimizers.iterate import read_only

__all__ = ["NO_MOVES", "is_round", "last_round"]

# A thousand words in 50 maps end 1 to 2 % higher where they wait until update 30; those that move at 10 stand higher,
# too, after 120 updates. After ten rounds little moves.
_FIRST, _EVERY = 20, 5

NO_MOVES = read_only(np.empty((0, 2), np.int64))
"""Object and map of each copy moved by an ordinary update."""


def is_round(t: int, rounds: int) -> bool:
    """Tell whether the update after t updates is one of so many rounds of moves."""
    return t >= _FIRST and (t - _FIRST) % _EVERY == 0 and (t - _FIRST) // _EVERY < rounds


def last_round(rounds: int) -> int:
    """Return the number of updates after which no round comes any more."""
    return _FIRST + (rounds - 1) * _EVERY + 1 if rounds else 0
