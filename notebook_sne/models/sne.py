"""SNE as an estimator."""

from notebook_sne.mathematics import sne
from notebook_sne.models.base import SingleMap
from notebook_sne.optimizers.schedules import Steps

__all__ = ["SNE"]


class SNE(SingleMap):
    """Stochastic neighbour embedding.

    Every object i chooses a neighbour, j with probability p_{j|i} in the data and q_{j|i} in the map; the map
    is arranged so that the second choice is as much like the first as it can be:
    C = sum_i KL(P_i || Q_i).  [Hinton2002, Eq. 3-5]
    """

    _convention = "conditional"

    def __init__(
        self,
        *,
        perplexity=30.0,
        n_components=2,
        max_iter=500,
        optimizer="auto",
        learning_rate="auto",
        momentum=0.8,
        jitter=0.0,
        init="auto",
        input="vectors",
        sums="auto",
        random_state=None,
        n_jobs=None,
        progress="auto",
    ):
        self.perplexity = perplexity
        self.n_components = n_components
        self.max_iter = max_iter
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.jitter = jitter
        self.init = init
        self.input = input
        self.sums = sums
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @classmethod
    def paper(cls, **changes):
        """Return SNE with the recipe of its paper: rate 0.2, jitter 0.3 for 3500 updates and none for 500 more.

        [Hinton2002, section 4]; perplexity 15, no momentum. `changes` are hyperparameters to set otherwise.
        """
        recipe = {
            "perplexity": 15.0,
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

    def _schedules(self, n_objects):
        return {
            "perplexity": self.perplexity,
            "learning_rate": 0.05 if self.learning_rate == "auto" else self.learning_rate,
            "momentum": self.momentum,
            "jitter": self.jitter,
        }
