"""The plan of a page that computes: what it holds beside what it shows.

It says where the run stands, with all that its next update needs; the models that it may go on under or begin anew
with; and the data, either the objects, from which a page makes P at any perplexity, or P alone.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from notebook_sne.affinities.metrics import DIRECTIONS, check_metric, input_of, unit_vectors
from notebook_sne.browser.pages.packing import pack_objects, pack_probabilities
from notebook_sne.browser.pages.recipes import FIXED_BY_P, KEPT, graph_of, recipe_of, why_not
from notebook_sne.browser.pages.run_state import Standing
from notebook_sne.engine.checks.arguments import check_choice
from notebook_sne.engine.checks.scales import scales_at
from notebook_sne.engine.fitting.inputs import MOST_SEARCHED_OBJECTS, PERPLEXITY, target
from notebook_sne.engine.fitting.knobs import KNOBS
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.models import family

__all__ = ["MOST_OBJECTS", "Plan", "plan_of"]

MOST_OBJECTS = 5000
"""A page sums over all pairs on one core: of so many objects some 20 times a second on a desktop, for UMAP some 10."""

MOST_PAIRS = 250_000_000
"""The same of several maps, n_maps N^2, which take longer: so many once a second. Meanwhile a page does not answer."""

_SLOW = 5e8
"""Products of coordinates, N^2 n_features, from which on a page takes more than a second to make a P of the objects: it
then holds the present one as well."""

_ONLY_P = "this page holds P alone, not the objects, so that it cannot make another P"
_GIVEN_P = "P was given, so that there is nothing to search for"


class Plan(NamedTuple):
    """All that a page needs to go on."""

    facts: dict[str, Any]  # as JSON takes it; its shape is in frontend/live_page/types.d.ts
    arrays: dict[str, bytes]  # little-endian: objects or P, positions, the optimizer's memory
    choices: list[dict[str, str]]  # as the trait `models` of a view, with the reason `cannot` where a page cannot
    phase: str  # the schedule's, where the run stands


def plan_of(X: Any, standing: Standing, data: str | None = None, shows: str = "map") -> Plan:
    """Return the Plan of a run of the objects X, as the models take them, from where it stands.

    `data` says whether a page is to hold the objects, "X", or P alone, "P". Left out, the objects where it can make P
    of them. `shows` says whether a page shows the first map, "map", as a player does, or all of them, "maps", as an
    explorer. Raises a ValueError if a page can't compute the model at work, or there are too many objects or maps, or
    `data` doesn't fit.
    """
    model, state = standing.model, standing.state
    for kind in (model, standing.origin):
        if why := why_not(kind):
            raise ValueError(f"live=True needs a model that a page can compute, but {why}; leave live out")
    problem = Problem(model, X)
    N = problem.n_objects
    if N > MOST_OBJECTS:
        raise ValueError(
            f"live=True needs at most {MOST_OBJECTS:,} objects, as a page sums over all their pairs, got {N:,}; take a "
            "part of them, as by sample(), or leave live out"
        )
    n_maps = problem.layout.shape[0]
    if n_maps > 1 and n_maps * N**2 > MOST_PAIRS:
        raise ValueError(
            f"live=True needs n_maps N^2 to be at most {MOST_PAIRS:,}, as a page sums over all pairs of each map, got "
            f"{n_maps} maps of {N:,} objects; take {int((MOST_PAIRS / n_maps) ** 0.5):,} of the objects or "
            f"{MOST_PAIRS // N**2} of the maps, or leave live out"
        )
    vectors = _vectors(problem)
    data = _checked_data(data, problem, vectors)

    def why_not_here(kind: Any) -> str:
        """Return why this page can't compute a model: that none can, or that it holds another P, and no objects."""
        other_p = data == "P" and (graph_of(kind) is None) != (graph_of(model) is None)
        return why_not(kind) or (_ONLY_P if other_p else "")

    if why := why_not_here(standing.origin):
        raise ValueError(
            f"live=True needs a model to restart with that a page can compute, but {why}; begin a run with "
            f"{type(model).__name__}, or leave live out"
        )
    starts = _Starts()
    # A random state that is drawn, or a restart of a fit, has another seed than a problem made anew.
    seed = state.memory.get("seed", problem.seed) if model is standing.origin else problem.seed
    at_work = recipe_of(problem, starts.of(problem, seed), seed)
    recipe = {
        id(kind): recipe_of(other := Problem(kind, X), starts.of(other, other.seed))
        for kind in (standing.origin, *(kind for _, kind in standing.chapters))
        if kind is not model and not why_not_here(kind)
    }
    recipe[id(model)] = at_work
    facts: dict[str, Any] = {
        "shows": shows,
        "origin": recipe[id(standing.origin)],
        "present": at_work,
        "keeps": KEPT,
        "knobs": {name: knob.facts(N, problem.scales) for name, knob in KNOBS.items()},
        "turned": {name: float(value) for name, value in standing.turned.items() if name in problem.schedules},
        "at": _moment(state, problem),
        "chapters": [
            [int(begun), recipe.get(id(kind)) or f"{why_not_here(kind)}"] for begun, kind in standing.chapters
        ],
        "plays": bool(standing.plays),
        "done": int(standing.done),
        "limit": int(standing.limit),
        "data": data,
        "searched": MOST_SEARCHED_OBJECTS,
        "perplexity": min(PERPLEXITY, (N - 1) / 3),
        "fixed": {},
        "uncolored": _uncolored(model, data, n_maps),
    }
    choices: list[dict[str, str]] = []
    for group, make in (("successors", family.successor), ("presets", family.recipe)):
        facts[group] = {}
        for name in family.relatives(model, X):
            listed = family.listed(name)
            if group == "presets" and not listed.source:
                continue
            what, shown = ("go on", listed.what) if group == "successors" else ("paper", listed.source)
            choice = {"id": name, "label": listed.label, "group": what, "what": shown}
            made = make(model, name, N)
            if why := why_not_here(made):
                choice["cannot"] = f"{why[0].upper()}{why[1:]}"
            else:
                other = Problem(made, X)
                facts[group][name] = recipe_of(other, 0 if group == "successors" else starts.of(other, other.seed))
            choices.append(choice)
    if data == "X" and vectors is not None:
        told, arrays = pack_objects(vectors)
        # Of equally near objects, a page may take others into UMAP's few neighbors than Python did, by the last digit.
        if N * vectors.size > _SLOW or graph_of(model) is not None:
            facts["made"], more = _packed_target(problem, state)
            facts["made"] |= {name: state.knobs.get(name) for name in FIXED_BY_P}
            arrays |= more
    else:
        told, arrays = _packed_target(problem, state)
        _hold_at_p(facts, state)
        facts["fixed"] = dict.fromkeys(
            FIXED_BY_P, _GIVEN_P if input_of(model) in ("probabilities", "joint") else _ONLY_P
        )
    facts["objects"] = told
    arrays |= {"starts": b"".join(starts.made), **_memory(state, problem)}
    return Plan(facts, arrays, choices, str(state.phase))


def _vectors(problem: Problem) -> np.ndarray | None:
    """Return the vectors of which a page makes the P of a run, or None where it cannot."""
    X = problem.X
    model: Any = problem.model
    metric = check_metric(model.metric, model.input)
    by_search = problem.n_objects > MOST_SEARCHED_OBJECTS and model._recall() not in (0.0, 1.0)
    if input_of(model) != "vectors" or sparse.issparse(X) or metric not in ("euclidean", *DIRECTIONS) or by_search:
        return None
    return unit_vectors(X, metric) if metric in DIRECTIONS else X


def _uncolored(model: Any, data: str, n_maps: int) -> dict[str, str]:
    """Return why a page cannot color by scores of its objects, in a few words each."""
    measured = "the page holds P alone" if data == "P" else "needs Python"
    those = () if data == "X" and check_metric(model.metric, model.input) == "euclidean" else ("recall", "distance")
    why = {"perturbation": "needs Python", **dict.fromkeys(those, measured)}
    return why | (dict.fromkeys(("cost", "recall", "perturbation"), "of one map only") if n_maps > 1 else {})


def _checked_data(data: str | None, problem: Problem, X: np.ndarray | None) -> str:
    if data is None:
        return "P" if X is None else "X"
    check_choice("data", data, ("X", "P"))
    if data == "X" and X is None:
        model: Any = problem.model
        raise ValueError(
            "data must be 'P' here, as a page makes P of dense vectors and of Euclidean distances, cosines and "
            f"correlations alone, got 'X' with input={input_of(model)!r}, metric={model.metric!r}"
        )
    return data


class _Starts:
    """Positions that models begin at, each once, as bytes."""

    def __init__(self) -> None:
        self.made: list[bytes] = []

    def of(self, problem: Problem, seed: int) -> int:
        """Return the number of the positions that a problem begins at, with the weights of several maps behind them."""
        packed = _in_pairs(problem.layout.join(*problem.first_positions(seed)))
        if packed not in self.made:
            self.made.append(packed)
        return self.made.index(packed)


def _in_pairs(theta: np.ndarray) -> bytes:
    """Return what an optimizer moves as a page has it: a number behind the last one of an odd count."""
    return np.pad(theta, (0, theta.size % 2)).astype("<f8").tobytes()


def _moment(state: State, problem: Problem) -> dict[str, Any]:
    own = state.memory.get("own", {})
    best = own.get("best_objective", math.inf)
    rate = state.memory.get("rate")
    return {
        "iteration": int(state.iteration),
        "cost": float(state.cost),
        "objective": float(state.objective),
        "knobs": {name: float(value) for name, value in state.knobs.items() if name in problem.schedules},
        "origin": int(state.memory.get("origin", 0)),
        "rate": None if rate is None else float(rate),
        "pins": sorted((state.pins[:, 1] * problem.n_objects + state.pins[:, 0]).tolist()),
        "bestObjective": float(best) if own.get("best_theta") is not None and math.isfinite(best) else None,
        "scale": float(own.get("rate_scale", 1.0)),
        "steps": int(own.get("steps", 0)),
    }


def _memory(state: State, problem: Problem) -> dict[str, bytes]:
    """Return positions, weights behind them, and what an optimizer remembers of both, float64, or nothing."""
    theta = problem.layout.theta_of(state, own=True, seed=problem.seed)
    own = state.memory.get("own", {})

    def remembered(name: str) -> bytes:
        value = own.get(name)
        return b"" if value is None or np.size(value) != theta.size else _in_pairs(np.asarray(value))

    return {
        "Y": _in_pairs(theta),
        "velocity": remembered("velocity"),
        "gains": remembered("gains"),
        "best": remembered("best_theta"),
    }


def _packed_target(problem: Problem, state: State) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the P of a run, from which those of the models follow that have it: conditional, unless it is joint."""
    model: Any = problem.model
    if input_of(model) == "joint" or graph_of(model) is not None:
        P, convention = problem.target(state.knobs).P, "joint"
    else:
        perplexity, least_p = (state.knobs.get(name) for name in FIXED_BY_P)
        metric = check_metric(model.metric, model.input)
        scales = scales_at(problem.scales, perplexity)
        made = target(problem.X, input_of(model, problem.X), scales, "conditional", least_p, model._recall(), metric)
        P, convention = made.P, "conditional"
    facts, arrays = pack_probabilities(P)
    return {**facts, "convention": convention}, arrays


def _hold_at_p(facts: dict[str, Any], state: State) -> None:
    """Let all models have the P that there is."""
    recipes = [facts["origin"], facts["present"], *facts["successors"].values(), *facts["presets"].values()]
    recipes += [recipe for _, recipe in facts["chapters"] if not isinstance(recipe, str)]
    for recipe in recipes:
        for name in FIXED_BY_P:
            if name in recipe["schedules"] and name in state.knobs:
                recipe["schedules"][name] = float(state.knobs[name])
        if recipe["n_neighbors"] is not None:
            recipe["n_neighbors"] = facts["present"]["n_neighbors"]
    for name in FIXED_BY_P:
        facts["turned"].pop(name, None)
