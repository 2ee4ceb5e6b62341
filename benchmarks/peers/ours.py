"""Gradients and updates of this package's models, made as a fit makes them, and their costs by exact sums."""

from functools import partial

import numpy as np

from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.machine.parallel import threads as at_most
from notebook_sne.engine.mathematics import sne, tsne, unisne
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums

__all__ = ["as_conditional", "exact_cost", "gradient", "recipe", "update"]


def recipe(updates):
    """Return the hyperparameters of t-SNE for so many updates; what else there is to choose is as by default."""
    return {"max_iter": updates, "random_state": 0, "progress": False}


def gradient(model, P, threads, start=None):
    """Return a callable without arguments that evaluates cost and gradient as a fit of `model` to P does.

    P is what the model's `input` says. The place is the model's `init`, or that of the State `start`. The callable
    returns an Evaluation, whose gradient is flat.
    """
    problem = Problem(model, P)
    with at_most(threads):
        moment = problem.begin(start)
    evaluate, theta = problem.evaluation(moment.run.settings), moment.now.theta

    def here():
        with at_most(threads):
            return evaluate(theta)

    return here


def update(model, P):
    """Return a callable without arguments that makes one whole update of a fit of `model` to P, each after the last."""
    states = model.iterate(P)
    next(states)
    return partial(next, states)


def as_conditional(P):
    """Return a conditional P with the stored pairs of a joint one: each row divided by its sum."""
    C = P.copy()
    C.data = C.data / np.repeat(P.sum(axis=1), np.diff(P.indptr))
    return C


def exact_cost(kind, P, Y):
    """Return the KL divergence of a map from P in nats, by sums over all pairs in double precision; never exaggerated.

    `kind` says which Q the map stands for: "t-SNE", "SNE", "symmetric SNE", or "UNI-SNE" with a background of 0.2. P is
    conditional for SNE, joint for the others; Y, shape (N, 2), is a map of any code.
    """
    Y = np.ascontiguousarray(Y, dtype=np.float64)
    gaussian, student = (partial(sums, dtype=np.float64) for sums in (gaussian_sums, student_sums))
    if kind == "t-SNE":
        here = tsne.cost_and_gradient(tsne.attractive_pairs(P), Y, sums=student)
    elif kind == "SNE":
        here = sne.cost_and_gradient(sne.attractive_pairs(P), Y, sums=gaussian)
    else:
        background = {"symmetric SNE": 0.0, "UNI-SNE": 0.2}[kind]
        here = unisne.cost_and_gradient(unisne.attractive_pairs(P), Y, background, sums=gaussian)
    return float(here.cost)
