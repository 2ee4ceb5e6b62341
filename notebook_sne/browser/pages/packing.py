"""Objects and P as bytes, as small as they come without a loss that matters.

The objects lose nothing: a page makes the same P of them as Python does. Few different numbers, as those of images, are
written as a table and one place in it for each number. Of P, each entry is in single precision, which moves the forces
by less than 1e-7 of the largest.
"""

from typing import Any

import numpy as np
from scipy import sparse

from notebook_sne.engine.mathematics.distances import middle_of
from notebook_sne.engine.mathematics.perplexity import equal_share

__all__ = ["pack_objects", "pack_probabilities"]

_SAMPLE = 4096  # numbers that tell whether a table is worth making


def pack_objects(X: np.ndarray) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return what is to be known of the bytes of objects, shape (N, n_features), and these.

    From the table's numbers x a page makes what `unit_spread` does by the same three operations, (x / first - middle) /
    last, each of them rounded alike.
    """
    first = max(1.0, max(float(X.max()), -float(X.min())) * 1e-100)
    scaled = np.array(X, dtype=np.float64) / first
    middle = middle_of(scaled)
    scaled -= middle
    facts = {
        "shape": list(X.shape),
        "first": first,
        "last": float(max(scaled.max(), -scaled.min())),
        "equal": float(equal_share(X)),
    }
    arrays = {"X_middle": middle.astype("<f8").tobytes()}
    if (found := _table(X)) is not None:
        table, places = found
        kind = "u1" if len(table) <= 256 else "<u2"
        facts["type"] = "uint8" if kind == "u1" else "uint16"
        return facts, arrays | {"X": places.astype(kind).tobytes(), "X_table": table.astype("<f8").tobytes()}
    kind = "float32" if X.dtype == np.float32 else "float64"
    facts["type"] = kind
    return facts, arrays | {"X": X.astype("<f4" if kind == "float32" else "<f8").tobytes(), "X_table": b""}


def _table(X: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the different numbers, at most 65,536, and the place of each of X, if that is fewer bytes."""
    flat = X.ravel()
    few = min(65_536, len(flat) // 4)
    if len(np.unique(flat[:: max(1, len(flat) // _SAMPLE)])) > few:
        return None
    table, places = np.unique(flat, return_inverse=True)
    return (table, places) if len(table) <= few else None


def pack_probabilities(P: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the same of a sparse P, CSR of shape (N, N): counts of its rows, columns and values."""
    P = sparse.csr_array(P)
    N = P.shape[0]
    wide = N > 0xFFFF
    arrays = {
        "P_counts": np.diff(P.indptr).astype("<u4").tobytes(),
        "P_columns": P.indices.astype("<u4" if wide else "<u2").tobytes(),
        "P_values": P.data.astype("<f4").tobytes(),
    }
    return {"shape": [N, N], "type": "uint32" if wide else "uint16"}, arrays
