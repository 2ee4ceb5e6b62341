"""The cost of every listed model: its formula in plain NumPy, and the settings at which its gradient is checked.

A new model adds a row to `COSTS`; `tests/models/test_costs.py` does the rest. What a formula has in common with others
is in `tests/reference.py`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests import reference


class Cost(NamedTuple):
    """What a model is held to."""

    formula: Callable[..., float]
    """The cost, from P, map points (M, N, d), weights (M, N) or None, and the knobs, {name: value}."""
    settings: tuple[dict[str, float], ...] = ({},)
    """Knobs, each at its ends and in between: of those that the model alone has, all."""
    options: tuple[dict[str, Any], ...] = ({},)
    """Hyperparameters that choose another form of the cost."""
    tolerance: float = 1e-10
    """Relative error of the cost: that of sums over pairs in double precision, where a row gives no reason for more."""


EXAGGERATIONS = tuple({"exaggeration": factor} for factor in (0.25, 1.0, 12.0))


UMAP = {"min_dist": 0.1, "spread": 1.0, "negative_sample_rate": 5.0, "exaggeration": 1.0}


def _aspects(student):
    def formula(P, Y, W, knobs):
        joint = student or abs(P.sum() - 1.0) < 1e-6
        return reference.aspects(P, Y, W, joint=joint, student=student)[0]

    return formula


def _pairs(Y):
    return Y.shape[1] * (Y.shape[1] - 1.0)


COSTS = {
    "SNE": Cost(lambda P, Y, W, knobs: reference.sne(P, Y[0])[0], (*EXAGGERATIONS, {"penalty": 0.3})),
    "SymmetricSNE": Cost(lambda P, Y, W, knobs: reference.joint_cost(P, -reference.squared(Y[0])), EXAGGERATIONS),
    "UNISNE": Cost(
        lambda P, Y, W, knobs: reference.unisne(P, Y[0], knobs["background"])[0],
        [{"background": share} for share in (0.0, 1e-6, 0.2, 0.999)]
        + [{"background": 0.2, **e} for e in EXAGGERATIONS],
    ),
    "TSNE": Cost(
        lambda P, Y, W, knobs: reference.student_cost(P, Y[0], knobs.get("degrees_of_freedom", 1.0)),
        (
            *EXAGGERATIONS,
            *({"exaggeration": 1.0, "degrees_of_freedom": nu} for nu in (0.1, 0.3, 2.0, 30.0, 100.0)),
            {"exaggeration": 3.0, "degrees_of_freedom": 2.0},
            *({"exaggeration": 4.0, "density": strength} for strength in (0.0, 0.5, 10.0)),
        ),
    ),
    "NegTSNE": Cost(
        lambda P, Y, W, knobs: reference.negative_sampling(P, Y[0], knobs["z_bar"], knobs["n_negatives"])[0],
        tuple({"z_bar": z_bar, "n_negatives": m} for z_bar in (1e-5, 1e-3, 0.2, 5.0) for m in (1.0, 5.0, 500.0)),
        tolerance=1e-8,  # of the integral over maps drawn smaller
    ),
    "InfoNCTSNE": Cost(
        lambda P, Y, W, knobs: reference.infonce(P, Y[0], knobs["n_negatives"]),
        tuple({"n_negatives": m} for m in (0.1, 1.0, 5.0, 500.0)),
        tolerance=1e-8,  # of the splines that stand for functions of distance
    ),
    "UMAP": Cost(
        lambda P, Y, W, knobs: reference.umap(
            P, Y[0], *reference.umap_kernel(knobs["min_dist"], knobs["spread"]), knobs["negative_sample_rate"]
        ),
        (
            *({**UMAP, "min_dist": m} for m in (0.0, 0.1, 0.99)),
            *({**UMAP, "spread": s, "min_dist": 0.1 * s} for s in (0.3, 5.0)),
            *({**UMAP, "negative_sample_rate": m, "exaggeration": 4.0} for m in (0.5, 50.0)),
            {**UMAP, "exaggeration": 0.25},
            *({**UMAP, "density": strength} for strength in (0.0, 0.5, 10.0)),
        ),
        tolerance=1e-8,  # of the least squares by which a and b are found
    ),
    "ElasticEmbedding": Cost(
        lambda P, Y, W, knobs: reference.elastic(P, Y[0], knobs["repulsion"] / _pairs(Y))[0],
        tuple({"repulsion": strength} for strength in (0.0, 1e-3, 20.0, 1e3)),
    ),
    "AspectMaps": Cost(
        _aspects(student=False),
        ({}, {"penalty": 0.48}, {"exaggeration": 0.25, "penalty": 0.0}, {"exaggeration": 12.0}),
        ({"normalization": "conditional"}, {"normalization": "joint"}),
    ),
    "MultipleMapsTSNE": Cost(_aspects(student=True), ({}, {"penalty": 0.3}, *EXAGGERATIONS)),
    "MixtureSNE": Cost(
        lambda P, Y, W, knobs: reference.images(P, Y, W),
        ({"pull": 0.0}, {"pull": 0.3}, {"pull": 0.0, "penalty": 0.3}, *({"pull": 0.1, **one} for one in EXAGGERATIONS)),
    ),
}
"""The models of `notebook_sne.models.MODELS`, by the same names."""
