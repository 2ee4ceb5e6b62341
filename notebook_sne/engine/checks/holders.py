"""Objects that hold vectors, neighbors or a P: which of their arrays is taken. No package is imported for it.

An AnnData of single cells holds several. Of these, its principal components, ``obsm["X_pca"]``, are taken where there
are any, as most tools for single cells do, and otherwise X; and as neighbors ``obsp["distances"]``. Word vectors of
gensim, a KeyedVectors, hold one array, ``vectors``; their words are its ``index_to_key``. openTSNE's affinities and
the result of `affinities.from_graph` hold a ``P``.
"""

from typing import Any

__all__ = ["family_of", "matrix_held", "neighbors_held", "probabilities_held", "refuse_cells", "vectors_held"]

_CELLS, _DISTANCES = "X_pca", "distances"


def family_of(A: object) -> set[str]:
    """Return the names of the packages that an object's class and its bases come from."""
    return {base.__module__.partition(".")[0] for base in type(A).__mro__}


def vectors_held(name: str, A: Any) -> Any:
    """Return the vectors that A holds, or A itself, where it is nothing that is known here to hold any.

    Raises a ValueError if an AnnData has neither X nor components; the message says what it has.
    """
    family = family_of(A)
    if "anndata" in family and hasattr(A, "obsm"):
        if _CELLS in A.obsm:
            return A.obsm[_CELLS]
        if getattr(A, "X", None) is None:
            raise ValueError(
                f"{name} must hold vectors, but this AnnData has neither X nor obsm[{_CELLS!r}]; {_keys('obsm', A)}"
            )
        return A.X
    if "gensim" in family:
        held = getattr(A, "wv", A)  # a model that was trained holds its vectors there
        if hasattr(held, "index_to_key"):
            return held.vectors
    P = probabilities_held(A)
    return A if P is None else P


def matrix_held(name: str, A: Any, input: str) -> Any:
    """Return what A holds of that which a model with this `input` takes, or A itself."""
    if input == "neighbors":
        return neighbors_held(name, A)
    if input == "vectors":
        return vectors_held(name, A)
    P = probabilities_held(A)
    return A if P is None else P


def probabilities_held(A: Any) -> Any:
    """Return the P that A holds, of openTSNE's affinities or of a graph's; None where A is none of these."""
    family = family_of(A)
    if "openTSNE" in family or ("notebook_sne" in family and type(A).__name__ == "Graph"):
        return getattr(A, "P", None)
    return None


def neighbors_held(name: str, A: Any) -> Any:
    """Return the distances to neighbors that an AnnData holds, or A itself, where it is none.

    Raises a ValueError if it has none; the message says what it has.
    """
    if "anndata" in family_of(A) and hasattr(A, "obsp"):
        if _DISTANCES not in A.obsp:
            raise ValueError(
                f"{name} must hold distances to neighbors, but this AnnData has no obsp[{_DISTANCES!r}], which "
                f"scanpy.pp.neighbors makes; {_keys('obsp', A)}"
            )
        return A.obsp[_DISTANCES]
    return A


def refuse_cells(name: str, A: Any, input: str) -> None:
    """Raise a ValueError where A is an AnnData and its input isn't what it can be read as."""
    if "anndata" in family_of(A) and hasattr(A, "obsp"):
        raise ValueError(
            f"{name} must be a matrix with input={input!r}, got an AnnData, of which vectors and neighbors are read; "
            f"{_keys('obsp', A)}"
        )


def _keys(part: str, A: Any) -> str:
    keys = list(getattr(A, part))
    if not keys:
        return f"its {part} is empty"
    return f"its {part} has {', '.join(map(repr, keys))}: give one of them, such as {part}[{keys[0]!r}] of it, as it is"
