"""How a model sums over all pairs: its hyperparameter `sums` as a function of map points."""

from functools import partial

from notebook_sne.engine.checks.arguments import check_choice
from notebook_sne.engine.fitting.hooks import Hooks, Kernel
from notebook_sne.engine.sums import Sums
from notebook_sne.engine.sums.mesh_sums import gaussian_mesh_sums, student_mesh_sums
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums

__all__ = ["by_mesh", "check_sums", "sums_of"]

_EXACT = {"gaussian": gaussian_sums, "student": student_sums}
_MESH = {"gaussian": gaussian_mesh_sums, "student": student_mesh_sums}


def sums_of(kernel: Kernel, sums: str) -> Sums:
    """Return a function of the form of `gaussian_sums` or `student_sums`, of a model's kernel.

    `sums` is "auto", "exact" or "mesh"; with "auto", every sum goes the way that its map points make the quicker one.
    """
    if sums == "exact":
        return _EXACT[kernel]
    return partial(_MESH[kernel], always=sums == "mesh")


def by_mesh(sums: str) -> bool | None:
    """Return whether sums with other kernels use a mesh; None if that depends on the map points."""
    return None if sums == "auto" else sums == "mesh"


def check_sums(model: Hooks, n_dimensions: int) -> None:
    """Raise a ValueError unless the `sums` of a model fit it; maps have at most `n_dimensions` dimensions."""
    check_choice("sums", model.sums, ("auto", "exact", "mesh"))
    if model.sums != "mesh":
        return
    if not model._sums_by_mesh:
        raise ValueError(
            f"sums='mesh' does not fit {type(model).__name__}, whose images see each other from several places; "
            "use sums='exact'"
        )
    if n_dimensions > 2:
        raise ValueError(
            f"sums='mesh' needs maps of one or two dimensions, got {n_dimensions}, extra ones included; "
            "use sums='auto', which sums exactly where there are more"
        )
