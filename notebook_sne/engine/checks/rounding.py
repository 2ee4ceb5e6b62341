"""Numbers that miss a rule by no more than they were rounded: a distance of -2e-16, rows that sum to 0.9999998.

Distances as 1 - cosine, or P in single precision, are such numbers. They are taken for what they were before they were
rounded; what misses a rule by more is refused.
"""

from typing import Any

import numpy as np

from notebook_sne.engine.checks.numbers import is_sparse

__all__ = ["AS_ROUNDED", "ROUNDING", "not_negative", "rounding_of", "zero_if_rounded"]

ROUNDING = 1e-6
"""Share of the largest number that rounding may be: what single precision leaves, also of what was once kept in it."""

AS_ROUNDED = (np.float64, np.float32, np.float16)
"""Types in which numbers are left until they have been checked, since the type says how they were rounded."""

_STEPS = 16  # of a number's last digit: what is left of a sum in lower precision


def rounding_of(A: Any) -> float:
    """Return which share of the largest number rounding may be in A, an array, a sparse matrix or a table."""
    dtype = A.dtype if is_sparse(A) or isinstance(A, np.ndarray) else np.asarray(A[:1]).dtype  # of a table
    return max(ROUNDING, _STEPS * float(np.finfo(dtype).eps)) if dtype.kind == "f" else ROUNDING


def zero_if_rounded(values: Any, rounding: float) -> Any:
    """Return values, an array, with 0 for those that are negative by no more than rounding; others stay."""
    least = -rounding * values.max(initial=0.0, where=np.isfinite(values))
    slightly = (values < 0) & (values >= least)
    return np.where(slightly, 0.0, values) if slightly.any() else values


def not_negative(name: str, A: Any, rounding: float) -> Any:
    """Return A, dense or CSR and finite, with 0 for what is negative by rounding; raise where more is negative.

    A isn't changed, and is returned as it is where nothing is negative.
    """
    if is_sparse(A):
        A = type(A)((zero_if_rounded(A.data, rounding), A.indices, A.indptr), shape=A.shape)
    else:
        A = zero_if_rounded(A, rounding)
    rows, columns = (A < 0).nonzero()
    if len(rows):
        i, j = int(rows[0]), int(columns[0])
        raise ValueError(
            f"{name} must not be negative, but {name}[{i}, {j}] is {A[i, j]:g} ({len(rows)} such entries), more than "
            f"{rounding:.1g} of the largest, as rounding may be; correct these entries, or set them to 0, as "
            f"{f'{name}.maximum(0)' if is_sparse(A) else f'numpy.maximum({name}, 0)'} does"
        )
    return A
