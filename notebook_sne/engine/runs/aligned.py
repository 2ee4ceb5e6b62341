"""Aligned maps: maps of several steps, such as years, perplexities or versions, in which an object stays where it can.

The descent is in `fitting.aligned`, the equations in `mathematics.aligned`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Ints
from notebook_sne.engine.checks.numbers import as_list, is_missing, show
from notebook_sne.engine.fitting.aligned import Moment, Together
from notebook_sne.engine.fitting.problem import WINDOW, Problem
from notebook_sne.engine.fitting.progress import progress_bar
from notebook_sne.engine.optimizers import descent
from notebook_sne.engine.optimizers.iterate import DivergedError, Iterate
from notebook_sne.engine.optimizers.schedules import Schedule
from notebook_sne.engine.runs.aligned_maps import AlignedMaps
from notebook_sne.models.single import SingleMap

__all__ = ["aligned"]

# What all steps have in common, as they are fitted in one descent.
_SHARED = ("n_components", "max_iter", "random_state", "init", "learning_rate", "momentum", "exaggeration", "penalty")
_REFUSED = {"jitter": 0.0, "extra_dimensions": 0, "adaptive_step": False}  # and what each must be


def aligned(
    model: Any,
    Xs: Sequence[Any],
    *,
    alignment: float | Schedule = 0.01,
    ids: Sequence[Sequence[Hashable]] | None = None,
    steps: Sequence[Any] | None = None,
) -> AlignedMaps:
    """Return maps of several steps, in which each object stays near its place in the steps before and after.

    The steps may be years, perplexities, or versions of an embedding. All maps are fitted together and lower

    .. math::

        sum_t C_t(Y^t) + (alignment / 2) sum_t (1 / N_t) sum_{i in t and t + 1} |y_i^t - y_i^{t+1}|^2

    with the cost C_t of the model. This is dynamic t-SNE [Rauber2016], for any model with one map and for
    objects that come and go. For a model whose cost is a sum over objects, such as `SNE`, the factor 1 / N_t is left
    out; where neighboring steps have different numbers of objects, N_t is the larger one.

    Parameters
    ----------
    model : estimator, or sequence of them
        A model with one map and the optimizer "momentum", such as `TSNE`; or one for each step, all of one class, for
        several perplexities. It isn't changed.
    Xs : sequence of array-like
        At least two sets of objects, each as `fit` of the model takes it: ``[X] * 3`` for three models of one.
    alignment : float or schedule, default=0.01
        Strength of the springs between the places of an object, in nats per squared map unit: 0 leaves the maps as they
        are by themselves, from a common start; at 100, there is practically one map.
    ids : sequence of sequences, optional
        The id of each object of each step, such as a name, once in each step. By default, all steps have the same
        objects in the same order.
    steps : sequence, optional
        The name of each step, such as a year; by default its number from 1.

    Returns
    -------
    found : AlignedMaps
        The maps and their costs; ``found.film()`` moves from each map to the next.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two steps, models have several maps, are of different classes or disagree in what one
        descent needs; if ids are missing, repeated or too few, or two neighboring steps have no object in common; or
        if a step's data break a rule of the model.
    DivergedError
        If the positions are no longer finite.

    Notes
    -----
    All maps begin at the places of the first, and an object that comes later at its own, turned to them. The same seed
    gives the same bits with any number of threads. As in a fit, the result is that of the lowest objective.

    The distance of places in two steps is small because it is asked for: an object that hardly moves hasn't
    necessarily kept its neighbors. Compare `costs` with those at ``alignment=0``.

    Keys such as [Rauber2016] are spelled out in `notebook_sne.engine.mathematics`.

    See Also
    --------
    quality.procrustes_align
        Turns a map that is already there to lie on another one.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(20, random_state=0)
    >>> models = [ns.TSNE(perplexity=perplexity, max_iter=100) for perplexity in (5, 20, 50)]
    >>> found = ns.aligned(models, [digits.X] * 3, steps=(5, 20, 50))
    >>> found
    AlignedMaps(3 steps, 200 objects, 100 updates)
    >>> found.movement.shape
    (2, 200)
    """
    if isinstance(Xs, Mapping):
        raise TypeError("Xs must be a list, got a dict; write aligned(model, list(Xs.values()), steps=list(Xs))")
    sets = as_list("Xs", Xs)
    if len(sets) < 2:
        raise ValueError(f"Xs must hold at least two sets of objects, got {len(sets)}; fit a single one by model.fit")
    problems = _problems(model, sets)
    sizes = [problem.n_objects for problem in problems]
    objects, rows = _read_ids(ids, sizes)
    names = tuple(map(str, as_list("steps", range(1, len(sets) + 1) if steps is None else steps)))
    if len(names) != len(sets):
        raise ValueError(f"steps must hold a name for each of the {len(sets)} steps, got {len(names)}")
    if len(set(names)) < len(names):
        raise ValueError(f"steps must have different names, got {show([*names])}; a film tells them by these")
    together = Together(problems, _pairs(rows, sizes, names), alignment)
    lead: Any = problems[0].model
    max_iter = problems[0].max_iter
    best: Moment | None = None
    past: deque[Iterate] = deque(maxlen=WINDOW + 1)
    with progress_bar(lead.progress, max_iter, "aligned maps") as bar:
        for moment in islice(_said(together.run()), max_iter + 1):
            past.append(moment.now)
            if best is None or moment.now.objective <= best.now.objective or not together.comparable(best):
                best = moment
            bar.update(bool(moment.now.iteration))
            if together.settled(past):
                bar.total = bar.n
                break
    assert best is not None
    costs = np.array([one.cost for one in together.each(best.Y, together.settings(past[-1].iteration))])
    maps = tuple(np.array(part) for part in together.parts(best.Y))
    n_iter, kind = past[-1].iteration, type(lead).__name__
    return AlignedMaps(names, maps, objects, rows, costs, best.now.objective, n_iter, kind)


def _said(moments: Iterator[Moment]) -> Iterator[Moment]:
    """Yield the moments; where they diverge, say what to lower."""
    try:
        yield from moments
    except DivergedError as error:
        raise DivergedError(
            "the aligned maps diverged: positions or cost are no longer finite; lower the learning rate of the model"
        ) from error


def _problems(model: Any, sets: Sequence[Any]) -> list[Problem]:
    """Return each model on its data, checked, all with the same schedules."""
    models = [model] * len(sets) if hasattr(model, "get_params") else as_list("model", model)
    if len(models) != len(sets):
        raise ValueError(f"model must be one, or one for each of the {len(sets)} steps, got {len(models)}")
    for t, one in enumerate(models):
        where = "model" if one is model else f"model[{t}]"
        if not isinstance(one, SingleMap):
            raise ValueError(
                f"{where} must have one map and a P, got "
                f"{f'the class {one.__name__}' if isinstance(one, type) else type(one).__name__}; give a model such as "
                "TSNE(), or one for each step"
            )
        if type(one) is not type(models[0]):
            raise ValueError(
                f"{where} must be of the class of the others, got {type(one).__name__} beside "
                f"{type(models[0]).__name__}: distances in their maps have different units"
            )
        for name in _SHARED:
            value, first = getattr(one, name, None), getattr(models[0], name, None)
            if value is not first and (isinstance(value, np.ndarray) or value != first):
                raise ValueError(
                    f"{name} must be the same for all steps, got {show(first)} and {show(value)}; one descent moves all"
                )
        for name, wanted in _REFUSED.items():
            if (value := getattr(one, name)) != wanted:
                raise ValueError(f"{name} must be {wanted} in aligned maps, got {show(value)}; leave it out")
        if not isinstance(one.init, str):
            raise ValueError(
                f"init must be 'auto', 'pca' or 'random' in aligned maps, got {show(one.init)}: all begin at the "
                "places of the first"
            )
    problems = [_problem(one, X, t) for t, (one, X) in enumerate(zip(models, sets, strict=True))]
    if problems[0].optimizer is not descent:
        raise ValueError(
            f"optimizer must be 'momentum' in aligned maps, got {problems[0].optimizer_name!r}; write "
            f"{type(models[0]).__name__}(optimizer='momentum')"
        )
    if hasattr(models[0], "exaggeration"):  # how long one holds may depend on the number of objects
        from sklearn.base import clone

        lead = max(problems, key=lambda problem: problem.n_objects)
        if schedule := lead.schedules.get("exaggeration"):
            own = [clone(one).set_params(exaggeration=schedule) for one in models]
            problems = [_problem(one, X, t) for t, (one, X) in enumerate(zip(own, sets, strict=True))]
    return problems


def _problem(model: Any, X: Any, t: int) -> Problem:
    try:
        return Problem(model, X)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Xs[{t}]: {error}") from error


def _read_ids(ids: Any, sizes: Sequence[int]) -> tuple[tuple[Any, ...], tuple[Ints, ...]]:
    """Return the ids of all objects, and which of them each step has."""
    if ids is None:
        if len(set(sizes)) > 1:
            raise ValueError(
                f"Xs must hold the same objects in the same order without ids, got {show([*sizes])} of them; give ids, "
                "one for each object of each step"
            )
        return tuple(range(sizes[0])), tuple(np.arange(sizes[0]) for _ in sizes)
    given = [as_list(f"ids[{t}]", one) for t, one in enumerate(as_list("ids", ids))]
    if [len(one) for one in given] != [*sizes]:
        raise ValueError(
            f"ids must hold one id for each object of each step, got {show([*map(len, given)])} for "
            f"{show([*sizes])} objects"
        )
    number: dict[Any, int] = {}
    rows = []
    for t, one in enumerate(given):
        for i, name in enumerate(one):
            if not isinstance(name, Hashable) or is_missing(name):
                raise ValueError(
                    f"ids[{t}] must hold a name or a number for each object, got {show(name)} for object {i}; "
                    "give it one"
                )
        if len(set(one)) < len(one):
            twice = next(name for name in one if one.count(name) > 1)
            raise ValueError(f"ids[{t}] must name each object once, got {show(twice)} {one.count(twice)} times")
        rows.append(np.array([number.setdefault(name, len(number)) for name in one]))
    return tuple(number), tuple(rows)


def _pairs(rows: Sequence[Ints], sizes: Sequence[int], names: Sequence[str]) -> list[tuple[Ints, Ints]]:
    """Return the rows of each step and of the next, among the rows of all steps, that are the same objects."""
    ends, pairs = np.concatenate([[0], np.cumsum(sizes)]), []
    for t in range(len(rows) - 1):
        _, now, then = np.intersect1d(rows[t], rows[t + 1], assume_unique=True, return_indices=True)
        if not len(now):
            raise ValueError(
                f"neighboring steps must have objects in common, got none in steps {show(names[t])} and "
                f"{show(names[t + 1])}; give such objects the same id, or map the steps before and after separately"
            )
        pairs.append((ends[t] + now, ends[t + 1] + then))
    return pairs
