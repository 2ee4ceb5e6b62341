"""Names of other packages, of parameters and of results, which are refused with an error that gives our name.

No name silently stands for another: `n_iter=500` may count updates differently from `max_iter=500`.
"""

import difflib
import functools
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine.lazy import near_name

__all__ = ["lacking_attribute", "names_checked", "refuse_names"]

_METRIC = (
    "measures vectors by their Euclidean distance; for another one give distances, such as "
    "squareform(pdist(X, 'cosine')) of scipy.spatial.distance, with input='distances'"
)
_FUNCTION = (
    "has the parameters of a metric set in a function, such as metric=functools.partial(minkowski, p=3) of "
    "scipy.spatial.distance; or give distances, such as squareform(pdist(X, 'cosine')), with input='distances'"
)
_ENDS = "ends a fit by itself once 50 updates lower the cost by less than 1e-5 of it; the most updates are max_iter"

# What a parameter of scikit-learn, openTSNE, UMAP, Multicore-TSNE or the like is called here, or what stands for it.
_PEERS = {
    **dict.fromkeys(("n_iter", "n_iterations", "num_iter", "iterations", "max_iterations", "n_epochs"), "max_iter"),
    **dict.fromkeys(("njobs", "n_threads", "num_threads", "n_workers", "num_workers", "workers"), "n_jobs"),
    **dict.fromkeys(("seed", "random_seed", "rng", "rand_seed"), "random_state"),
    **dict.fromkeys(("no_dims", "n_dims", "n_dim", "dims", "dim", "ndim"), "n_components"),
    **dict.fromkeys(("initialization", "init_coords", "Y_init", "initial_embedding"), "init"),
    **dict.fromkeys(("verbose", "verbosity", "disable_progress"), "progress"),
    **dict.fromkeys(("lr", "eta"), "learning_rate"),
    **dict.fromkeys(("method", "angle", "theta", "negative_gradient_method", "sum_method"), "sums"),
    **dict.fromkeys(("final_momentum", "initial_momentum"), "momentum"),
    **dict.fromkeys(("n_neighbors", "perplexities", "perplexity_list"), "perplexity"),
    **dict.fromkeys(("dof", "alpha"), "degrees_of_freedom"),
    **dict.fromkeys(("densmap", "dens_lambda", "dens_frac"), "density"),
    "early_exaggeration": "exaggeration",
    "early_exaggeration_iter": "exaggeration",
}
_HOW = {
    "progress": "False shows no bar",
    "sums": "'exact' or 'mesh'",
    "final_momentum": "such as Steps(0.5, 0.8, at=250)",
    "initial_momentum": "such as Steps(0.5, 0.8, at=250)",
    "densmap": "lambda in nats, such as density=0.5",
    "dens_frac": "such as Steps(0, 0.5, at=500)",
    "perplexities": "and takes a list",
    "perplexity_list": "and takes a list",
    "perplexity": "the effective number of neighbors, a third of what a search is given",
    "early_exaggeration_iter": "such as Steps(12, 1, at=250)",
}
_NOTHING = {
    **dict.fromkeys(("metric", "metric_params", "metric_kwds", "distance", "affinity", "square_distances"), _METRIC),
    **dict.fromkeys(("n_iter_without_progress", "min_grad_norm", "tol", "patience", "early_stopping"), _ENDS),
    "degrees_of_freedom": "has a kernel without degrees of freedom; that of TSNE has them",
    **dict.fromkeys(
        ("knn",),
        "finds neighbors by itself, as many as three times the perplexity; others are given to "
        "affinities.from_neighbors(indices, distances, perplexity), whose P to a model with input='probabilities'",
    ),
    **dict.fromkeys(
        ("initial_dims", "pca_components", "pca_dims"),
        "takes X as it is; to reduce it first, give sklearn.decomposition.PCA(50).fit_transform(X)",
    ),
    **dict.fromkeys(
        ("callbacks", "callback", "callbacks_every_iters"),
        "calls nobody; its states come one by one from iterate(X), as in: for state in model.iterate(X)",
    ),
}
# What a result of theirs is called here: the first of these names that a model has.
_COST, _MAP, _P = ("cost_",), ("embedding_", "maps_"), ("affinities_",)
_RESULTS = {
    **dict.fromkeys(("kl_divergence_", "kl_divergence", "kl_", "loss_", "loss", "cost", "error_"), _COST),
    **dict.fromkeys(("stress_", "stress", "reconstruction_error_", "reconstruction_error"), _COST),
    **dict.fromkeys(("embedding_", "embedding", "embeddings_", "embeddings", "Y_", "Y", "map_", "coords_"), _MAP),
    **dict.fromkeys(("maps_", "maps"), ("maps_", "embedding_")),
    **dict.fromkeys(("affinities", "affinity_matrix_", "graph_", "P_", "P", "p_", "p_ij"), _P),
    **dict.fromkeys(("history_", "history", "learning_rate_", "losses_", "log_"), ("trace_",)),
    **dict.fromkeys(("n_iterations_", "n_epochs_", "n_updates_"), ("n_iter_",)),
    **dict.fromkeys(("X_", "X_fit_", "training_data_"), ("objects_",)),
}


def lacking_attribute(model: object, name: str) -> AttributeError:
    """Return the error that says that a model has no such attribute, and which one it has instead."""
    cls = type(model)
    text = f"{cls.__name__!r} object has no attribute {name!r}"
    if name.startswith("_"):
        return AttributeError(text)
    described = (inspect.cleandoc(base.__doc__ or "") for base in cls.__mro__)
    results = {found: None for text in described for found in re.findall(r"^(\w+_) : ", text, re.MULTILINE)}
    if name in results:
        return AttributeError(f"{text} before it is fitted; call fit(X) first")
    ours = next((one for one in _RESULTS.get(name, ()) if one in results), None)
    if ours is None and name in _PEERS and hasattr(cls, _PEERS[name]):
        ours = _PEERS[name]
    if ours:
        return AttributeError(f"{text}; here it is {ours}")
    near = near_name(name, [*results, *(one for one in dir(cls) if not one.startswith("_"))])
    return AttributeError(f"{text}; did you mean {near}?" if near else text)


def refuse_names(model: str, names: Iterable[str], known: Sequence[str], error: type[Exception] = TypeError) -> None:
    """Raise an error where one of `names` is no parameter of a model, and say which one is.

    `model` is the name of the model's class, `known` what its parameters are called.
    """
    for name in names:
        if name in known:
            continue
        problem = f"{model} has no parameter {show(name)}"
        if name in _NOTHING:
            way = _FUNCTION if "metric" in known and _NOTHING[name] is _METRIC else _NOTHING[name]
            raise error(f"{problem}: it {way}")
        if name in _PEERS:
            ours = _PEERS[name]
            if ours in known:
                how = _HOW.get(name) or _HOW.get(ours)
                raise error(f"{problem}: it is called {ours} here{f', {how}' if how else ''}")
            raise error(f"{problem}, nor {ours}, which stands for it where there is one, as in TSNE; leave it out")
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise error(f"{problem}; {hint}it has {', '.join(known)}")


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
