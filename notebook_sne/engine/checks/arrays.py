"""Types of arguments and results; their shapes are in the docstrings."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "Floats", "Ints", "Matrix"]

Array: TypeAlias = NDArray[Any]
"""An array of whatever numbers."""
Floats: TypeAlias = NDArray[np.float64]
"""An array in double precision, which is what functions return."""
Ints: TypeAlias = NDArray[np.integer[Any]]
"""An array of whole numbers."""
if TYPE_CHECKING:
    from scipy import sparse

    Matrix: TypeAlias = ArrayLike | sparse.sparray | sparse.spmatrix
    """What may be dense, a list of lists included, or sparse."""
else:
    Matrix = Any  # data sets name it, and are quick to import: SciPy is not
