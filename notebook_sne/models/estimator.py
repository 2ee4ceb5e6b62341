"""A model's hyperparameters, declared once: as the typed fields of a keyword-only dataclass.

The fields give the signature, what scikit-learn reads and sets, and the answers to names of others; help is below.
"""

import inspect
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar, dataclass_transform

from notebook_sne.engine.fitting.foreign_names import LackingAttribute, names_checked, refuse_names
from notebook_sne.engine.fitting.knobs import KNOBS
from notebook_sne.models.bases import BaseEstimator

__all__ = ["Estimator", "estimator", "sort_docstring"]

Class = TypeVar("Class", bound=type)


class Estimator(BaseEstimator):
    """Base of all estimators, whose errors explain names of other packages; not used by itself."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):  # a class made of an estimator answers for wrong names as well
            cls.__init__ = names_checked(cls.__init__)  # type: ignore[method-assign]

    if not TYPE_CHECKING:  # to which every attribute would be there

        def __getattr__(self, name: str) -> Any:
            raise LackingAttribute(type(self), name)

    @contextmanager
    def _replacing(self) -> Iterator[None]:
        """Drop the results of an earlier fit, never those of other data beside new ones; without any, they stay."""
        names = [name for name in vars(self) if name.endswith("_") or name in ("_trace", "_restarts", "_origin")]
        kept = {name: vars(self).pop(name) for name in names}
        try:
            yield
        finally:
            if "n_iter_" not in vars(self):
                self._forget([name for name in vars(self) if name.endswith("_")])
                vars(self).update(kept)

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            vars(self).pop(name, None)

    def set_params(self, **params: Any) -> Self:
        """Set hyperparameters, as of any estimator of scikit-learn.

        Parameters
        ----------
        **params
            Their new values, by name.

        Returns
        -------
        self
            The estimator.

        Raises
        ------
        ValueError
            If there is no such parameter; for a name of another package, the message gives ours.
        """
        refuse_names(type(self).__name__, params, self._get_param_names(), ValueError)
        return super().set_params(**params)


@dataclass_transform(kw_only_default=True, eq_default=False)
def estimator(cls: Class) -> Class:
    """Make a subclass of `Model` an estimator: its annotated names are hyperparameters with their defaults.

    They are shown in the order of use: what most fits set, what the model alone has, and the rest. A constant of it is
    a ``ClassVar``, or has no annotation. In its docstring, which is put into the same order, ``{common}`` stands for
    the inherited ones that all models share, ``{exaggeration}``, ``{results}`` and ``{results of several}`` for texts
    that some share, and ``{range of perplexity}`` for the values of a knob. Nothing is checked here: scikit-learn
    requires parameters to be stored as given, so a fit checks them.
    """
    dataclass(kw_only=True, eq=False, repr=False)(cls)
    init = vars(cls)["__init__"]
    this, *parameters = inspect.signature(init).parameters.values()
    order = _in_order_of_use([parameter.name for parameter in parameters], inspect.get_annotations(cls))
    parameters.sort(key=lambda parameter: order.index(parameter.name))
    # Without the types: those of an array fill half a screen, and the docstring has all of them in words.
    shown = [this, *(parameter.replace(annotation=parameter.empty) for parameter in parameters)]
    init.__signature__ = inspect.Signature([one.replace(annotation=one.empty) for one in shown])
    init.__annotations__ = {"return": None}
    cls.__init__ = names_checked(init)  # type: ignore[misc]
    # Without the indentation of the source, which Python 3.13 takes away by itself.
    cls.__doc__ = inspect.cleandoc(cls.__doc__ or "")
    described = re.findall(r"^(\w+) : ", cls.__doc__, re.MULTILINE)
    cls.__doc__ = cls.__doc__.replace("{common}", _entries(_COMMON, own=described))
    for name, text in _SHARED.items():
        cls.__doc__ = cls.__doc__.replace(name, text)
    cls.__doc__ = re.sub(r"\{range of (\w+)\}", lambda found: KNOBS[found[1]].range.rule(found[1]), cls.__doc__)
    sort_docstring(cls)
    return cls


_FIRST = ("n_maps", "n_images", "perplexity", "metric", "init", "max_iter", "random_state")
_PARAMETERS = re.compile(r"(^Parameters\n-+\n)(.*?)(?=\n\n\w+\n-+\n|\Z)", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"\n(?=\w)")


def _in_order_of_use(names: Sequence[str], own: Container[str]) -> list[str]:
    """Return the hyperparameters of a class in the order in which it shows them; `own` are those that it declares."""
    first = [name for name in _FIRST if name in names] if "perplexity" in names else []
    common = [entry.split(" : ")[0] for entry in _ENTRY.split(_COMMON)]
    special = sorted((name for name in names if name not in common), key=lambda name: name not in own)
    return list(dict.fromkeys([*first, *special, *(name for name in common if name in names)]))


def sort_docstring(cls: type) -> None:
    """Put the hyperparameters in the docstring of a class into the order in which its signature has them."""
    place = {name: k for k, name in enumerate(inspect.signature(cls).parameters)}

    def arranged(section: re.Match[str]) -> str:
        entries = _ENTRY.split(section[2])  # one name each, or several with commas
        return section[1] + "\n".join(sorted(entries, key=lambda entry: place.get(re.split(r"\W", entry)[0], -1)))

    cls.__doc__ = _PARAMETERS.sub(arranged, cls.__doc__ or "")


def _entries(text: str, own: Container[str]) -> str:
    """Return the entries of a numpydoc section but those of hyperparameters that a class describes itself."""
    entries = re.split(r"\n(?=\w)", text)
    return "\n".join(entry for entry in entries if entry.split(" : ")[0] not in own)


_COMMON = """\
perplexity : float, list of float, schedule, "auto", "multiscale" or None, default="auto"
    Effective number of neighbors of an object, {range of perplexity}: 2**H, with H the entropy of its row of P in bits;
    above N / 3 there is a warning. "auto" is 30, at most (N - 1) / 3, which a warning says, and with
    ``input="neighbors"`` at most two thirds of the neighbors that an object has. If more neighbors than that are
    nearest, all at one distance, they share the row
    evenly. Not used with probabilities; None, for distances only, uses them in their own unit. A schedule, such as
    ``Steps(100, 15, at=50)``, anneals it: each value needs a new search for P, and each cost refers to the P of its
    time. Of several, as in ``[10, 100]``, P is the mean of their probabilities, p = (1 / L) sum_h p_{j|i}(k_h), and
    the map has its one kernel [Kobak2019; deBodt2018]. "multiscale" takes 2, 4, 8, ... up to N / 2; of more than 2,000
    vectors, only as far as P then has 2^24 entries, and at least up to 32: 512 with 10,000, 64 with 70,000.
    Of given neighbors, it goes up to a third of their least number. The knob of several is the largest: turned, it
    takes those of a list along by the same factor, and there are as many powers of 2 as it has room for.
metric : str or callable, default="euclidean"
    How vectors are measured. "cosine" and "correlation" are the Euclidean distances of unit vectors, the square root of
    twice the usual distances, so that p_{j|i} is proportional to exp(-b (1 - cos)). scikit-learn and openTSNE have
    exp(-b (1 - cos)^2) under this name, and so does the table of usual distances with ``input="distances"``.
    scikit-learn's and SciPy's other names, such as "manhattan", "jensenshannon", "mahalanobis" or "jaccard", and
    functions of two rows measure all pairs, of at most 10,000 objects: "haversine" of latitude and longitude in
    radians, "mahalanobis" in units of the fitted objects' spread. A run still starts on principal components of X.
    "precomputed" is another name for ``input="distances"`` and, with a sparse X, for ``input="neighbors"``.
init : {"auto", "pca", "random"} or array, default="auto"
    Where the run starts: "pca", on the first principal components of vectors (random starts end 5% higher on digits);
    "random"; or at given map points, of shape (N, n_components), or (M, N, n_components) for M maps or images.
max_iter : int
    Largest number of updates of `fit` and of a `Run`; the table below has its default. A fit stops earlier once the
    schedules have ended, the cost is clearly below that of the uniform Q, and 50 updates have lowered it by less than a
    share of 1e-5.
random_state : int, RandomState or None, default=None
    Seed of a random start and of the jitter. None draws another seed for each fit. A start on principal components
    needs no seed: without jitter, such fits have the same bits each time.
n_components : int, default=2
    Number of dimensions of the map.
input : {"vectors", "distances", "neighbors", "probabilities", "joint"}, default="vectors"
    What X is. "vectors": objects, shape (N, n_features), also sparse, as counts are, if X isn't square. "distances":
    not squared, and not necessarily symmetric. "neighbors": the distances to neighbors from another search, not
    squared, and more per object than the perplexity. They are a sparse matrix, whose stored entries alone are
    neighbors, or a pair of arrays (indices, distances). "probabilities": a conditional P, dense or sparse, with rows
    that sum to 1. "joint": a joint P, symmetric, with sum 1, which only models of a joint P take. The result of
    `affinities.from_graph`, and openTSNE's affinities, are taken for the P that they hold. A row of a joint P
    may be empty: its object has no attraction and is only pushed, ever more weakly, so that it ends outside the others;
    its place there means nothing.
neighbors : {"auto", "exact"} or float, default="auto"
    How the nearest neighbors of vectors are found. "auto" finds all of them up to 30,000 objects; above that it finds
    about 99 of 100, in a fraction of the time. "exact" finds all; a number, 0.5 <= neighbors < 1, is the share to find,
    for more than 2,000 objects. `neighbor_recall_` is the share that was found.
n_jobs : int or None, default=None
    Most threads. None and -1 allow all cores that the process may use; None uses one if an update takes no longer than
    about a millisecond, as with a thousand objects in one map. Updates of up to 50 ms have one if that is quicker, as
    beside other programs. It never changes a bit. A forked child, as `multiprocessing` makes on Linux, always uses one.
progress : {"auto", True, False}, default="auto"
    Whether `fit`, and `transform` if there is one, show a progress bar; "auto" shows it after a second, in a notebook
    or a terminal.
optimizer : {"auto", "momentum", "lbfgs", "conjugate", "spectral"}, default="auto"
    "auto" is gradient descent with momentum; momentum 0 makes it steepest descent. The others are L-BFGS, conjugate
    gradients and, for one map, the spectral direction of `optimizers.spectral`, which have neither rate, momentum nor
    jitter.  [Cook2007; Vladymyrov2012]
learning_rate : float, schedule or "auto", default="auto"
    Length of a step along the gradient: how many map units a point moves for each nat per map unit. It is halved
    whenever the objective rises by more than 1%. A schedule, here and elsewhere, is a function of the number of
    updates made so far, such as `Steps` or `Decay`.
momentum : float, schedule or "auto", default="auto"
    Share of the last step that is kept, {range of momentum}.
sums : {"auto", "exact", "mesh"}, default="auto"
    How sums over all pairs are made. "exact" takes a time that grows with N^2. "mesh" takes a time that grows little
    faster than N, with errors of about 0.2% in the forces, at most 1%, for maps of one or two dimensions. "auto"
    takes the quicker way for the current map, which is the mesh from three to five thousand objects on.
adaptive_step : bool, default=False
    Whether to multiply the learning rate by a step. While there is no jitter, it grows by a twentieth with each update
    that lowers the objective, and shrinks by a fifth with each that raises it; `step` in the trace is their product.
    [Hinton2013]
jitter : float or schedule, default=0
    Standard deviation of the noise added to each coordinate after each update, in map units; `Annealed` cools in two
    passes.
penalty : float, schedule or None, default=None
    lambda, the pull of every map point toward the origin, (lambda / 2) |y|^2 nats in the objective. A schedule, such
    as ``Decay(0.1, 50)``, keeps the map small at first and breaks symmetry slowly.  [Hinton2013]
extra_dimensions : int, default=0
    Additional dimensions of the map during the first part of a run, at most half of it, so that objects can pass each
    other; a growing pull out of these dimensions, the knob `flattening`, ends this part.  [Hinton2002, section 5]
least_p : float, schedule or None, default=None
    Share of a row's mass below which an entry of P is left out, {range of least_p}; None means a millionth. Larger
    values make updates cheaper, but change P; `dropped_mass_` tells by how much.\
"""

_P = """\
dropped_mass_ : float
    Share of the mass of P that was left out with small entries.
n_tied_ : int
    Number of objects with more nearest neighbors at one distance than the perplexity, as among duplicates: these
    neighbors share their mass evenly, and a warning tells you.
neighbor_recall_ : float
    Share of the nearest neighbors that were found, measured on a sample of 300 objects; 1 if all were.
"""

_RESULTS = f"""\
embedding_ : ndarray, shape (N, n_components)
    The map, in single precision where X is: the best state after the end of the schedules.
objects_ : ndarray, shape (N, n_features), or None
    The vectors of the fit, from which `transform` measures new objects: the given array itself, not a copy, if it holds
    floating-point numbers. Pickles include it. None with any other input.
affinities_ : scipy.sparse.csr_array, shape (N, N)
    The P of the cost. Up to 2,000 objects, it covers all pairs, without entries below 1e-6 of a row's mass; above, it
    covers the 3 x perplexity nearest neighbors.
{_P}cost_ : float
    Kullback-Leibler divergence of Q from P in nats, never exaggerated.
objective_ : float
    The minimized function: the cost, with exaggeration if there is any.
n_iter_ : int
    Updates made.
state_ : State
    The state of the results; `iterate(X, start=model.state_)` continues from it.
trace_ : pandas.DataFrame
    One row per state: iteration, phase, cost, objective, gradient_norm, seconds, and one column per knob.\
"""

_RESULTS_OF_SEVERAL = f"""\
maps_ : ndarray, shape (M, N, n_components)
    The map points, in single precision if X is, of the best state after the end of the schedules in the best restart.
mixing_ : ndarray, shape (M, N)
    Mixing proportions; those of an object sum to 1 over the maps.
objects_ : ndarray, shape (N, n_features), or None
    The vectors of the fit, from which `place`, if there is one, measures new objects: the given array itself, not a
    copy, if it holds floating-point numbers. None with any other input.
affinities_ : scipy.sparse.csr_array, shape (N, N)
    The P of the cost.
{_P}cost_ : float
    Kullback-Leibler divergence of Q from P in nats.
objective_ : float
    The minimized function: the cost and the penalties.
restarts_ : pandas.DataFrame
    One row per restart: its cost, objective and number of updates, whether it diverged after its last finite state, and
    whether it was kept.
n_iter_ : int
    Updates made in the restart that was kept.
state_ : State
    The state of the results; `iterate(X, start=model.state_)` continues from it.
trace_ : pandas.DataFrame
    One row per state of the restart that was kept: iteration, phase, cost, objective, penalties (their difference),
    gradient_norm, seconds, and one column per knob.\
"""

_EXAGGERATION = """\
exaggeration : float, schedule or None, default=None
    Factor on the attraction, as in `TSNE`, which has 12. A number holds for the first 250 updates, or a quarter of
    `max_iter` if this is less, and divides the learning rate "auto" in this time; a schedule is used as it is. "Allow
    the probabilities to add up to 4": map points form clusters that can still pass each other.  [Hinton2013]\
"""

_DENSITY = """\
density : float, schedule or None, default=None
    lambda, how strongly the map keeps local densities of the data, in nats; 0.5 keeps most of them. lambda times
    the correlation of log local radii in data and map is taken from the objective, never from the cost; its
    equations are in `notebook_sne.engine.mathematics.density`. A number holds for the last 30% of `max_iter` updates,
    a schedule is used as it is. It needs vectors, distances or neighbors; 0 and None take no time.  [Narayan2021]\
"""

_SHARED = {
    "{exaggeration}": _EXAGGERATION,
    "{density}": _DENSITY,
    "{results}": _RESULTS,
    "{results of several}": _RESULTS_OF_SEVERAL,
}
