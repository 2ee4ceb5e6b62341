"""Names of other packages, of parameters and of results, which are refused with an error that gives our name.

No name silently stands for another: `n_iter=500` may count updates differently from `max_iter=500`.
"""

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine.lazy import near_name

__all__ = ["LackingAttribute", "names_checked", "refuse_names"]

_OURS = {
    **dict.fromkeys(("n_iter", "n_iterations", "n_epochs"), "max_iter"),
    **dict.fromkeys(("seed", "random_seed"), "random_state"),
    **dict.fromkeys(("num_threads", "n_threads", "workers"), "n_jobs"),
    **dict.fromkeys(("n_neighbors", "perplexities"), "perplexity"),
    **dict.fromkeys(("method", "angle", "theta", "negative_gradient_method"), "sums"),
    **dict.fromkeys(("early_exaggeration", "early_exaggeration_iter"), "exaggeration"),
    **dict.fromkeys(("initial_momentum", "final_momentum"), "momentum"),
    **dict.fromkeys(("kl_divergence_", "kl_divergence", "stress_", "loss_"), "cost_"),
    **dict.fromkeys(("densmap", "dens_lambda"), "density"),
    **{"initialization": "init", "no_dims": "n_components", "verbose": "progress", "dof": "degrees_of_freedom"},
    **{"embedding_": "maps_", "maps_": "embedding_", "graph_": "affinities_", "affinities": "affinities_"},
    **{"transform": "place", "place": "transform"},
}


class LackingAttribute(AttributeError):
    """A model has no such attribute. Which one may be meant is found when the error is shown: `hasattr` shows none."""

    def __str__(self) -> str:
        return _lacking(*self.args)

    def __reduce__(self) -> tuple[Any, ...]:
        return AttributeError, (str(self),)


def _lacking(cls: type, name: str) -> str:
    text = f"{cls.__name__!r} object has no attribute {name!r}"
    if name.startswith("_"):
        return text
    described = (inspect.cleandoc(base.__doc__ or "") for base in cls.__mro__)
    results = {found: None for text in described for found in re.findall(r"^(\w+_) : ", text, re.MULTILINE)}
    if name in results:
        return f"{text} before it is fitted; call fit(X) first"
    meant = _meant(name, [*results, *(one for one in dir(cls) if not one.startswith("_"))])
    return f"{text}; did you mean {meant}?" if meant else text


def refuse_names(model: str, names: Iterable[str], known: Sequence[str], error: type[Exception] = TypeError) -> None:
    """Raise an error where one of `names` is no parameter of a model, and say which one may be meant.

    `model` is the name of the model's class, `known` what its parameters are called.
    """
    for name in names:
        if name not in known:
            meant = _meant(name, known)
            hint = f"did you mean {meant}? " if meant else ""
            raise error(f"{model} has no parameter {show(name)}; {hint}it has {', '.join(known)}")


def _meant(name: str, known: Sequence[str]) -> str | None:
    return ours if (ours := _OURS.get(name)) in known else near_name(name, known)


def names_checked(init: Callable[..., None]) -> Callable[..., None]:
    """Return an `__init__` that answers for wrong names; scikit-learn still reads the signature of the given one."""
    _, *parameters = inspect.signature(init).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return init  # a subclass that hands on what it gets: whoever is handed it checks the names
    known = [parameter.name for parameter in parameters]

    @functools.wraps(init)
    def checked(self: object, *values: Any, **named: Any) -> None:
        refuse_names(type(self).__name__, named, known)
        init(self, *values, **named)

    return checked
