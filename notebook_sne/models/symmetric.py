"""Symmetric SNE as an estimator."""

from notebook_sne.mathematics import close_up, unisne
from notebook_sne.models.base import SingleMap
from notebook_sne.optimizers.schedules import Decay, Steps

__all__ = ["SymmetricSNE"]


class SymmetricSNE(SingleMap):
    """Symmetric SNE: one distribution over pairs of objects instead of one for each object.

    With a joint P, which averages the two conditional probabilities of a pair, and

        q_ij = exp(-d_ij) / sum_{k != l} exp(-d_kl),   d_ij = |y_i - y_j|^2

    the cost is C = KL(P || Q), and the force between two objects is proportional to p_ij - q_ij.
    [Cook2007, section 2 and Eq. 4-6]

    Parameters
    ----------
    {common}

    Attributes
    ----------
    {results}

    Notes
    -----
    What "auto" means:

    ============= ============================================
    learning_rate N / 10
    momentum      0.5 for 100 updates, then 0.8
    max_iter      1000
    ============= ============================================

    The joint P averages conditionals, so that every object has its share of the mass. For one global sigma, and the
    lonely objects that come with it, give ``affinities.joint_with_one_sigma(X, perplexity)`` with ``input="joint"``.
    """

    _convention = "joint"

    @classmethod
    def paper(cls, **changes):
        """Return symmetric SNE with the recipe of [Cook2007, section 6]; `changes` set hyperparameters otherwise.

        Perplexity 30, a random start, 1100 updates with fading jitter. The paper gives neither the rate, N / 10 here,
        nor how fast the jitter fades, 0.3 exp(-t / 86) here.
        """
        recipe = {"perplexity": 30.0, "init": "random", "jitter": Decay(0.3, 86.0), "max_iter": 1100}
        return cls(**{**recipe, **changes})

    def _springs(self, P):
        return unisne.springs(P)

    def _evaluate(self, pairs, Y, knobs):
        return unisne.cost_and_gradient(pairs, Y)

    def _forces(self, P, Y, i, knobs):
        return close_up.uniform_forces(P, Y, i)

    def _costs(self, P, Y, knobs):
        return close_up.uniform_costs(P, Y)

    def _schedules(self, n_objects):
        schedules = super()._schedules(n_objects)
        if self.learning_rate == "auto":
            schedules["learning_rate"] = n_objects / 10
        if self.momentum == "auto":
            schedules["momentum"] = Steps(0.5, 0.8, at=100)
        return schedules
