"""SNE as an estimator."""

from notebook_sne.mathematics import close_up, sne
from notebook_sne.models.base import SingleMap
from notebook_sne.optimizers.schedules import Steps

__all__ = ["SNE"]


class SNE(SingleMap):
    """Stochastic neighbour embedding.

    Every object i chooses a neighbour: j with probability p_{j|i} in the data, and with

        q_{j|i} = exp(-d_ij) / sum_{h != i} exp(-d_ih),   d_ij = |y_i - y_j|^2

    in the map. The map is arranged so that the second choice is as much like the first as it can be, by lowering
    C = sum_i KL(P_i || Q_i). To show two near objects far apart is dear, to show two distant ones near is
    cheap: SNE keeps neighbourhoods.  [Hinton2002, Eq. 1-5]

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
    learning_rate 0.1
    momentum      0.5 for 50 updates, then 0.9
    max_iter      1000
    ============= ============================================

    The cost sums over objects, so it grows with their number; a uniform Q costs N log((N - 1) / perplexity) nats.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> Y = ns.SNE(perplexity=30).fit_transform(digits.X)
    """

    _convention = "conditional"

    @classmethod
    def paper(cls, **changes):
        """Return SNE with the recipe of its paper; `changes` are hyperparameters to set otherwise.

        Perplexity 15, a random start, rate 0.2 without momentum, jitter 0.3 for 3500 updates and none for 500 more
        [Hinton2002, section 4]. At this rate some runs end in poor optima; half of it, as if
        the gradient were meant without its factor 2, is steadier.
        """
        recipe = {
            "perplexity": 15.0,
            "init": "random",
            "learning_rate": 0.2,
            "momentum": 0.0,
            "jitter": Steps(0.3, 0.0, at=3500),
            "max_iter": 4000,
        }
        return cls(**{**recipe, **changes})

    def _springs(self, P):
        return sne.springs(P)

    def _evaluate(self, pairs, Y, knobs):
        return sne.cost_and_gradient(pairs, Y)

    def _forces(self, P, Y, i, knobs):
        return close_up.sne_forces(P, Y, i)

    def _costs(self, P, Y, knobs):
        return close_up.sne_costs(P, Y)

    def _schedules(self, n_objects):
        schedules = super()._schedules(n_objects)
        if self.learning_rate == "auto":
            schedules["learning_rate"] = 0.1
        if self.momentum == "auto":
            schedules["momentum"] = Steps(0.5, 0.9, at=50)
        return schedules
