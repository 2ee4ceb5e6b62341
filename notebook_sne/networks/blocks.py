"""Objects by blocks: the same bits on any number of threads, which a BLAS with threads of its own doesn't give.

How a BLAS shares out a product, and with it in which order it sums, changes with the number of its threads: on one
thread and on two the gradient of a network differs in its last bits. So the objects are cut into blocks, in a way that
depends on their number alone; threads of Python take one block after the other, each with a BLAS that has no further
threads, and what belongs to the blocks is added in their order. It is no slower: see the table in `network`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from notebook_sne.engine.machine.parallel import number_of_threads, one_thread

__all__ = ["by_blocks"]

Result = TypeVar("Result")

_BLOCKS, _LEAST = 8, 64  # how many blocks at most, and how few objects each


def by_blocks(function: Callable[[slice], Result], n_objects: int) -> list[Result]:
    """Return what a function returns of each block of the objects, one result a block, in the order of the blocks.

    It is called with a slice of the objects, on one of as many threads as `number_of_threads` says.
    """
    n_blocks = max(1, min(_BLOCKS, n_objects // _LEAST))
    blocks = [slice(n_objects * i // n_blocks, n_objects * (i + 1) // n_blocks) for i in range(n_blocks)]
    most = min(number_of_threads(), n_blocks)
    with one_thread():
        if most <= 1:
            return [function(block) for block in blocks]
        with ThreadPoolExecutor(most) as pool:
            return list(pool.map(function, blocks))
