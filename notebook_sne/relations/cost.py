"""Linear relational embedding: how well R a tells the objects that a has the relation R to.

.. math::

    q_{b|aR} = exp(-|R a - b|^2) / sum_c exp(-|R a - c|^2)                       [Hinton2013; Paccanaro2001]

    C = sum_aR KL(P_aR || Q_aR) = sum_aR sum_b p_{b|aR} log(p_{b|aR} / q_{b|aR})

    dC/dm = 2 sum_b (p_{b|aR} - q_{b|aR}) (m - b),   m = R a

    dC/dR = sum_a dC/dm a',   dC/da = sum_R R' dC/dm,   dC/db = -2 sum_aR (p_{b|aR} - q_{b|aR}) (m - b)

The sums run over the pairs (a, R) with a known answer, and p_{b|aR} is 1/k for each of the k known answers, or
in proportion to their weights. [Paccanaro2001] writes the same goodness as sum (1/k) log q over the triples: C is its
negative but for the constant sum_aR log k, so that it is 0 where every answer is right. The lecture [Hinton2013] prints
exp(+|...|^2), which would make the farthest object the most probable answer: the sign is missing.

With the identity as its only matrix, and without a among its own answers, this is SNE.  [Hinton2002, section 6]

All pairs (a, R) meet all objects, in double precision.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus
from notebook_sne.engine.machine.parallel import FAST, exclusive
from notebook_sne.engine.mathematics.distances import squared_distance
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.iterate import read_only

__all__ = ["Facts", "answers", "cost_and_gradient", "evaluation", "facts_of"]


class Facts(NamedTuple):
    """The known facts, one entry for each of the P pairs (a, R), and one for each of the T answers."""

    first: np.ndarray  # int64, shape (P,): a
    relation: np.ndarray  # int64, shape (P,): R
    pair: np.ndarray  # int64, shape (T,): the pair that an answer belongs to
    answer: np.ndarray  # int64, shape (T,): the object that it is
    p: np.ndarray  # float64, shape (T,): its probability; those of a pair sum to 1
    n_objects: int
    n_relations: int
    reflexive: bool  # whether a may be an answer to (a, R)

    @property
    def size(self):
        """How many numbers an update reads beside the map points: one for each pair and object."""
        return len(self.first) * self.n_objects

    @property
    def uniform_cost(self):
        """C where all objects are in one place, in nats."""
        return float(np.sum(self.p * np.log(self.p)) + len(self.first) * np.log(self.n_objects - (not self.reflexive)))


def facts_of(triples, weights, n_objects, n_relations, reflexive):
    """Return the Facts of triples, an int array of shape (n, 3), with weights above 0, shape (n,).

    A triple that comes again adds its weight.
    """
    keys, place = np.unique(triples, axis=0, return_inverse=True)
    weights = np.bincount(place.ravel(), weights=weights)
    pairs, inverse = np.unique(keys[:, :2], axis=0, return_inverse=True)
    pair = inverse.ravel()
    p = weights / np.bincount(pair, weights=weights)[pair]
    first, relation, of_pair, answer = (
        read_only(np.ascontiguousarray(part, np.int64)) for part in (*pairs.T, pair, keys[:, 2])
    )
    return Facts(first, relation, of_pair, answer, read_only(p), n_objects, n_relations, bool(reflexive))


def cost_and_gradient(facts: Facts, V: np.ndarray, matrices: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return C of the facts in nats, dC/dV, shape (N, d), and dC/dR, shape (K, d, d).

    V are the objects' vectors, `matrices` those of the relations, both float64.
    """
    predicted, costs, forces, log_z = _pairs(facts, V, matrices)
    incoming = np.empty(V.shape)
    own = facts.first if not facts.reflexive else np.full(len(facts.first), -1)
    _incoming(np.ascontiguousarray(V), predicted, own, log_z, incoming)
    apart = facts.p[:, None] * (V[facts.answer] - predicted[facts.pair])
    np.add.at(incoming, facts.answer, apart)
    of_vectors, on_predicted = 2.0 * incoming, 2.0 * forces
    np.add.at(of_vectors, facts.first, np.einsum("pij,pi->pj", matrices[facts.relation], on_predicted))
    of_matrices = np.zeros(matrices.shape)
    np.add.at(of_matrices, facts.relation, on_predicted[:, :, None] * V[facts.first][:, None, :])
    return float(costs.sum()), of_vectors, of_matrices


def evaluation(facts, V, matrices, free):
    """Return the Evaluation whose gradient is flat: that of the vectors, and of the matrices where these are free."""
    cost, of_vectors, of_matrices = cost_and_gradient(facts, V, matrices)
    parts = (of_vectors.ravel(), of_matrices.ravel()) if free else (of_vectors.ravel(),)
    return Evaluation(cost, np.concatenate(parts), cost)


def answers(predicted, V, own=None):
    """Return q_{b|aR} of each row R a of `predicted`, shape (n, d): an array of shape (n, N).

    `own` are the objects a, shape (n,), where they may be no answer to themselves.
    """
    D = np.square(predicted[:, None] - V).sum(axis=2)
    if own is not None:
        D[np.arange(len(D)), own] = np.inf
    q = np.exp(D.min(axis=1, keepdims=True) - D)
    return q / q.sum(axis=1, keepdims=True)


def _pairs(facts, V, matrices):
    """Return of each pair R a, its cost, the sum over b of (p - q)(R a - b), and the log of its sum over objects."""
    predicted = np.einsum("pij,pj->pi", matrices[facts.relation], V[facts.first])
    own = facts.first if not facts.reflexive else np.full(len(predicted), -1)
    forces, log_z = np.empty(predicted.shape), np.empty(len(predicted))
    _outgoing(np.ascontiguousarray(V), predicted, own, log_z, forces)
    apart = predicted[facts.pair] - V[facts.answer]
    pull = np.zeros(predicted.shape)
    np.add.at(pull, facts.pair, facts.p[:, None] * apart)
    terms = facts.p * (np.log(facts.p) + np.square(apart).sum(axis=1))
    return predicted, np.bincount(facts.pair, terms, minlength=len(predicted)) + log_z, pull - forces, log_z


@exclusive
@njit(**FAST)
def _outgoing(V, predicted, own, log_z, forces):
    """Write log sum_c exp(-|m - c|^2) and sum_c q_c (m - c) of every pair; its own object is left out, -1 for none."""
    N, n_dimensions = V.shape
    for i in prange(predicted.shape[0]):
        d = np.empty(N)
        nearest = np.inf
        for j in range(N):
            d[j] = squared_distance(predicted[i], V[j])
            if j != own[i] and d[j] < nearest:
                nearest = d[j]
        z = 0.0
        forces[i] = 0.0
        for j in range(N):
            if j != own[i]:
                q = exp_minus(d[j] - nearest)
                z += q
                for a in range(n_dimensions):
                    forces[i, a] += q * (predicted[i, a] - V[j, a])
        for a in range(n_dimensions):
            forces[i, a] /= z
        log_z[i] = np.log(z) - nearest


@exclusive
@njit(**FAST)
def _incoming(V, predicted, own, log_z, forces):
    """Write sum over pairs of q_c (m - c) for every object c: it is pushed away from the answers that it is not."""
    n_dimensions = V.shape[1]
    for j in prange(V.shape[0]):
        forces[j] = 0.0
        for i in range(predicted.shape[0]):
            if own[i] != j:
                # No answer is more probable than 1: by rounding alone an exponent would be above 0.
                q = exp_minus(max(squared_distance(predicted[i], V[j]) + log_z[i], 0.0))
                for a in range(n_dimensions):
                    forces[j, a] += q * (predicted[i, a] - V[j, a])
