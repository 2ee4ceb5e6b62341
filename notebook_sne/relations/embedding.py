"""Linear relational embedding as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_choice
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.maps import check_start
from notebook_sne.engine.checks.numbers import WrongTypeError, show
from notebook_sne.engine.fitting.inputs import Target
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.mathematics.evaluation import Evaluation, penalized
from notebook_sne.engine.objects.triples import Triples, read_triples
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import WithoutP
from notebook_sne.relations.asking import Asking, name_some
from notebook_sne.relations.cost import Facts, evaluation, facts_of
from notebook_sne.relations.layout import RelationalLayout, begin, frame

__all__ = ["LRE"]

_RATE, _MOMENTUM = 0.02, 0.9


class _Known(NamedTuple):
    """What the cost is measured against, and where theta has vectors and matrices."""

    facts: Facts
    layout: RelationalLayout

    @property
    def size(self) -> int:
        return self.facts.size


@estimator
class LRE(Asking, WithoutP):
    """Linear relational embedding: objects are vectors, relations are matrices, and R a lands on what a is related to.

    It is given triples, as (Colin, mother, Victoria), and learns to tell the third term from the other two:

    .. math::

        q_{b|aR} = exp(-|R a - b|^2) / sum_c exp(-|R a - c|^2)

        C = sum_aR sum_b p_{b|aR} log(p_{b|aR} / q_{b|aR})

    where p is 1/k for each of the k answers to (a, R) that the triples hold.  [Paccanaro2001; Hinton2013]  To make only
    R a like b would put all vectors in one place: R a has to be nearer to b than to every other c. Relations that were
    told of some objects then hold for others, since few dimensions leave no room to learn each triple by itself.

    Parameters
    ----------
    n_components : int, default=6
        Number of dimensions of the vectors.
    matrices : {"free", "identity"}, default="free"
        Whether the relations have matrices that are learned, or all have the identity. With "identity", one relation
        and ``reflexive=False`` this is SNE.  [Hinton2002, section 6]
    reflexive : bool, default=True
        Whether an object may be the answer to a question about itself; otherwise it is left out of the sum over c.
    penalty : float, schedule or None, default=0.1
        lambda, the pull of each entry of vectors and matrices toward 0, (lambda / 2) (|V|^2 + |R|^2) nats in the
        objective. Without it every triple is memorized, and vectors grow without end.
    max_iter : int, default=500
        Most updates that `fit` makes, and after which a `Run` has finished. A fit stops earlier once 50 updates have
        lowered the objective by less than 1e-5 of itself.
    optimizer : {"auto", "momentum", "lbfgs", "conjugate"}, default="auto"
        L-BFGS, which is "auto", conjugate gradients, or gradient descent with momentum, rate and jitter.
    learning_rate : float, schedule or "auto", default="auto"
        With ``optimizer="momentum"``, the length of a step along the gradient; "auto" is 0.02.
    momentum : float, schedule or "auto", default="auto"
        Share of the last step that is kept, 0 <= momentum < 1; "auto" is 0.9.
    adaptive_step : bool, default=False
        Whether the learning rate grows with each update that lowers the objective and shrinks with each that raises it;
        with ``optimizer="momentum"`` only.
    jitter : float or schedule, default=0
        Standard deviation of the noise added to each coordinate of a vector after each update; with
        ``optimizer="momentum"`` only.
    init : "random" or array, default="random"
        Where the vectors start: at random, or at given ones, shape (N, n_components). Matrices start at random.
    random_state : int, RandomState or None, default=None
        Seed of the start and of the jitter.
    n_jobs : int or None, default=None
        Threads, as of all models; their number doesn't change a single bit of a sum.
    progress : {"auto", True, False}, default="auto"
        Whether `fit` shows a progress bar; "auto" shows it after a second, in a notebook or a terminal.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (N, n_components)
        The vectors: of the states, the best. They are turned so that the first two coordinates are those of the map
        that the state shows; the cost doesn't know of turns.
    matrices_ : ndarray of float64, shape (K, n_components, n_components)
        The matrices, in the same coordinates: R a is ``matrices_[r] @ embedding_[a]``.
    triples_ : Triples
        What was learned; its `objects` and `relations` name the rows of both.
    cost_ : float
        C in nats, 0 where every answer is right.
    objective_ : float
        What was minimized: the cost and the penalty.
    n_iter_ : int
        Updates made.
    state_ : State
        The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
    trace_ : pandas.DataFrame
        One row a state: iteration, phase, cost, objective, gradient_norm, seconds, and one column a knob.

    Notes
    -----
    X are `Triples`, a data set that has some, or what can be read as triples: tuples, an array or a table with three
    columns, or four with weights. Its objects are the rows of a map.

    A state shows two dimensions at most: of vectors with more, the plane of their first two principal components, in
    which the axes lie as near to the first two coordinates as they can, so that the map doesn't jump. An object that
    is moved by hand moves within this plane. The positions of another model become the first coordinates of vectors.

    An update takes a time that grows with N times the number of pairs (a, R) with a known answer. There are
    local minima: fit from several seeds and keep the lowest ``objective_``.

    See Also
    --------
    notebook_sne.SNE
        The same with one relation, to be near, whose matrix is the identity.

    References
    ----------
    [Paccanaro2001]
        Alberto Paccanaro, Geoffrey Hinton. Learning distributed representations of concepts using linear relational
        embedding. IEEE Transactions on Knowledge and Data Engineering 13, 2001.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> families = ns.datasets.load_family_trees()
    >>> kept, held_out = families.triples.hold_out(8, random_state=1)
    >>> model = ns.relations.LRE(random_state=0).fit(kept)
    >>> model.predict([("Colin", "mother"), ("Alfonso", "mother")]).tolist()
    ['Victoria', 'Lucia']
    >>> print(model.rank(held_out).max() < 24)
    True
    """

    n_components: int = 6
    matrices: Literal["free", "identity"] = "free"
    reflexive: bool = True
    penalty: Any = 0.1  # type: ignore[misc]
    max_iter: int = 500
    init: Literal["random"] | ArrayLike = "random"

    input: ClassVar[Literal["triples"]] = "triples"  # type: ignore[misc, assignment]
    _inputs = ("triples",)
    _inits = ("random",)
    _results = ("embedding_", "matrices_", "triples_", "cost_", "objective_", "n_iter_", "state_", "_trace")

    def fit_transform(self, X: Any, y: object = None) -> Floats:
        """Fit to the triples X and return the vectors, shape (N, n_components), also as `embedding_`; y isn't read."""
        return self.fit(X).embedding_

    def _read(self, X: Any) -> Any:
        check_choice("matrices", self.matrices, ("free", "identity"))
        if not isinstance(self.reflexive, bool | np.bool_):
            raise WrongTypeError(f"reflexive must be True or False, got {show(self.reflexive)}")
        triples = read_triples(X)
        N = len(triples.objects)
        if N < 2:
            raise ValueError("X must name at least 2 objects, got 1; there is nothing to choose from")
        a, r, b = triples.numbers.T
        for known, kind, terms in ((np.union1d(a, b), "object", triples.objects), (r, "relation", triples.relations)):
            without = np.setdiff1d(np.arange(len(terms)), known)
            if len(without):
                raise ValueError(
                    f"each {kind} must be in a triple, but there is none for {name_some(terms, without)}; leave "
                    f"it out of the {kind}s"
                )
        if not self.reflexive and (a == b).any():
            raise ValueError(
                f"no object may be its own answer with reflexive=False, but triple {int((a == b).argmax())} says so; "
                "leave it out, or give reflexive=True"
            )
        return triples

    def _layout(self, X: Triples, n_components: int) -> Layout:
        return RelationalLayout(len(X.objects), len(X.relations), n_components, self.matrices == "free")

    def _target(self, X: Triples, perplexity: float | None = None, least_p: float | None = None) -> Target:
        facts = facts_of(X.numbers, X.weights, len(X.objects), len(X.relations), self.reflexive)
        layout = RelationalLayout(facts.n_objects, facts.n_relations, self.n_components, self.matrices == "free")
        return Target(_Known(facts, layout), 0.0, np.empty(0, np.int64))

    def _checked_positions(self, init: ArrayLike, layout: Layout) -> Floats:
        return check_start("init", init, layout.shape[1], self.n_components)

    def _start(self, layout: Any, positions: Floats | None, rng: np.random.Generator) -> tuple[Floats, Floats | None]:
        theta = begin(layout, rng)
        if positions is not None:
            layout.parts(theta)[0][:] = positions
        return layout.split(theta)

    def _principal(self, X: Any, n_components: int) -> None:
        return None

    def _evaluation(self, pairs: Any, Y: Floats, W: Any, knobs: Mapping[str, float]) -> Evaluation:
        V, matrices = pairs.layout.parts(W)
        here = evaluation(pairs.facts, V, matrices, pairs.layout.free)
        return penalized(here, W, knobs["penalty"]) if "penalty" in knobs else here

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return pairs.facts.uniform_cost

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        schedules = self._steps(lambda: _RATE, _MOMENTUM)
        return schedules if self.penalty is None else {**schedules, "penalty": self.penalty}

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        super()._keep(problem, state, rows)
        V, matrices = problem.layout.parts(state.memory["weights"])  # type: ignore[attr-defined]
        basis = frame(V)
        self.triples_ = problem.X
        self.embedding_, self.matrices_ = V @ basis, basis.T @ matrices @ basis

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.positive_only = tags.input_tags.sparse = False
        tags.input_tags.string = tags.input_tags.categorical = True
        tags.input_tags.two_d_array = False  # facts, not features: what scikit-learn's checks fit says nothing of it
        return tags
