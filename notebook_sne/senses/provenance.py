"""The sources of senses, so that a table, a page or a picture of them can be cited and made again."""

from collections.abc import Sequence
from typing import Any

import notebook_sne

__all__ = ["begin_alike", "made_of"]


def made_of(data: Any, fits: Sequence[Any]) -> dict[str, Any]:
    """Return what senses were made of: the norms `data`, as far as they are told, the fits, and this package."""
    made: dict[str, Any] = {}
    if getattr(data, "title", ""):
        made["norms"] = {"title": data.title, "words": len(data), **(getattr(data, "made", None) or {})}
        if data.citation:
            made["norms"]["citation"] = data.citation
    if told := [_fit(fit) for fit in fits]:
        made["fits"] = told
    return made | {"package": f"notebook_sne {notebook_sne.__version__}"}


def _fit(fit: Any) -> dict[str, Any]:
    """Return what is told of a fit: its class, and each of its hyperparameters that is not as it is by default."""
    parameters = _parameters(fit)
    usual = _parameters(type(fit)()) if parameters else {}
    told = {name: value for name, value in parameters.items() if isinstance(value, (str, int, float, type(None)))}
    return {"model": getattr(fit, "model", None) or type(fit).__name__} | {
        name: value for name, value in told.items() if name in ("n_maps", "random_state") or value != usual[name]
    }


def _parameters(fit: Any) -> dict[str, Any]:
    return fit.get_params() if hasattr(fit, "get_params") else {}


def begin_alike(fits: Sequence[Any]) -> bool:
    """Tell whether two of the fits began with groups of the norms, which differ by a seed alone."""
    return sum(hasattr(fit, "_grouped") and fit._grouped() for fit in fits) > 1
