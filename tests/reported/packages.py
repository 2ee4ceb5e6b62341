"""Models of this package and of others under one set of names, so that one check can be asked of each of them."""

import importlib
from dataclasses import dataclass

__all__ = ["PACKAGES", "Maker", "NotThereError"]

_UMAP = {"updates": "n_epochs", "neighbors": "n_neighbors", "metric": "metric", "init": "init", "jobs": "n_jobs"}
_OURS = {"updates": "max_iter", "metric": "metric", "init": "init", "jobs": "n_jobs"}
# The class of each model, what it is always given, and its names of the options that checks use.
PACKAGES = {
    "notebook_sne": {
        "TSNE": (
            "notebook_sne:TSNE", {"progress": False},
            _OURS | {"neighbors": "perplexity", "dof": "degrees_of_freedom"},
        ),
        "UMAP": ("notebook_sne:UMAP", {"progress": False}, _OURS | {"neighbors": "n_neighbors"}),
    },
    "scikit-learn": {
        "TSNE": ("sklearn.manifold:TSNE", {}, _OURS | {"neighbors": "perplexity"}),
    },
    "openTSNE": {
        "TSNE": (
            "openTSNE.sklearn:TSNE", {},
            {"updates": "n_iter", "neighbors": "perplexity", "metric": "metric", "init": "initialization",
             "jobs": "n_jobs", "dof": "dof"},
        ),
    },
    "umap-learn": {"UMAP": ("umap:UMAP", {}, _UMAP)},
}  # fmt: skip
_LEAST = {"scikit-learn": 250}  # updates
_COSTS = ("cost_", "kl_divergence_", "embedding_.kl_divergence")


class NotThereError(Exception):
    """The package has nothing of the kind that a check asks for."""


@dataclass(frozen=True)
class Maker:
    """What makes the models of a package: ``Maker("umap-learn", "UMAP")(updates=50)``."""

    package: str
    model: str

    def __call__(self, seed=0, **options):
        where, always, names = PACKAGES[self.package][self.model]
        for name in options:
            if name not in names:
                raise NotThereError(f"no {name}")
        if "updates" in options:
            options["updates"] = max(options["updates"], _LEAST.get(self.package, 0))
        room, name = where.split(":")
        given = {names[option]: value for option, value in options.items()}
        return getattr(importlib.import_module(room), name)(random_state=seed, **always, **given)

    def cost(self, model):
        """Return what a fitted model says that its map costs."""
        for name in _COSTS:
            value = model
            for part in name.split("."):
                value = getattr(value, part, None)
            if value is not None:
                return float(value)
        raise NotThereError("no cost")

    def ours(self):
        """Return this package, if the model is of it; no other one draws by itself."""
        if self.package != "notebook_sne":
            raise NotThereError("no pictures")
        return importlib.import_module("notebook_sne")
