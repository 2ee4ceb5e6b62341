"""The family: which models a run can go on under, with what settings, and the papers' recipes for the same data.

A lecturer who goes from one model to the next wants the same objects, the same P where both know it, and the map as it
stands. So a successor keeps what says what the data are, and begins without what belongs to a start from nothing:
UNI-SNE has its background at once, as in the step from Fig. 7 to Fig. 8 of [Cook2007], and t-SNE exaggerates nothing.
"""

from importlib import import_module

from notebook_sne.given import show
from notebook_sne.optimizers.schedules import Steps

__all__ = ["MEMBERS", "recipe", "relatives", "successor"]

# name: (module, what it is called, what it does, source of its recipe)
MEMBERS = {
    "SNE": ("sne", "SNE", "one distribution for each object", "Hinton & Roweis 2002"),
    "SymmetricSNE": ("symmetric", "symmetric SNE", "one distribution over pairs", "Cook et al. 2007, Fig. 7"),
    "UNISNE": ("unisne", "UNI-SNE", "symmetric, with a uniform background", "Cook et al. 2007, Fig. 8"),
    "TSNE": ("tsne", "t-SNE", "symmetric, with heavy tails in the map", "van der Maaten & Hinton 2008"),
}
_DATA = ("n_components", "input", "sums", "random_state", "n_jobs", "progress")


def relatives(model):
    """Return the names of the members that can take over from a model, itself included; none for several maps."""
    if type(model).__name__ not in MEMBERS:
        return []
    return [name for name in MEMBERS if not (name == "SNE" and model.input == "joint")]


def successor(model, name):
    """Return the member `name`, made to go on from where a run of `model` stands.

    Parameters
    ----------
    model : estimator
        Of the family; its data settings and perplexity are kept.
    name : str
        One of ``relatives(model)``.

    Raises
    ------
    ValueError
        If no such member can take over.
    """
    settings = {**_settings(model, name), "perplexity": model.perplexity}
    if name == "UNISNE":
        b = model.background if name == type(model).__name__ else 0.2
        settings["background"] = b if callable(b) else Steps(b, b, at=0)
    elif name == "TSNE":
        settings["exaggeration"] = Steps(1.0, 1.0, at=0)
    return _class(name)(**settings)


def recipe(model, name, n_objects=None):
    """Return the member `name` with its paper's recipe, for the data that `model` takes.

    Parameters and errors are those of `successor`. With `n_objects`, a perplexity that so few objects cannot have is
    lowered to a third of the others.
    """
    settings = _settings(model, name)
    if model.perplexity is None:
        settings["perplexity"] = None  # distances in a unit of their own
    made = _class(name).paper(**settings)
    if n_objects is not None and made.perplexity is not None:
        made.perplexity = min(made.perplexity, (n_objects - 1) / 3)  # few objects have no 30 neighbors
    return made


def _settings(model, name):
    possible = relatives(model)
    if name not in possible:
        raise ValueError(
            f"model must be one of {', '.join(possible) or 'none'} here, got {show(name)}; "
            "with several maps, or a joint P, make another Run"
        )
    return {key: getattr(model, key) for key in _DATA}


def _class(name):
    return getattr(import_module(f"notebook_sne.models.{MEMBERS[name][0]}"), name)
