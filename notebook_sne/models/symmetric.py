"""Symmetric SNE as an estimator."""

from notebook_sne.mathematics import unisne
from notebook_sne.models.base import SingleMap
from notebook_sne.optimizers.schedules import Decay, Steps

__all__ = ["SymmetricSNE"]


class SymmetricSNE(SingleMap):
    """Symmetric SNE: one distribution over pairs of objects instead of one for each object.

    """

    _convention = "joint"

    def __init__(
        self,
        *,
        perplexity=30.0,
        n_components=2,
        max_iter=1000,
        optimizer="auto",
        learning_rate="auto",
        momentum="auto",
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
        """Return symmetric SNE with the recipe of [Cook2007, section 6]: 1100 updates with fading jitter.

        The paper gives neither the rate, N / 10 here, nor how fast the jitter fades, 0.3 exp(-t / 86) here. `changes`
        are hyperparameters to set otherwise.
        """
        recipe = {"perplexity": 30.0, "jitter": Decay(0.3, 86.0), "max_iter": 1100}
        return cls(**{**recipe, **changes})

    def _springs(self, P):
        return unisne.springs(P)

    def _evaluate(self, pairs, Y, knobs):
        return unisne.cost_and_gradient(pairs, Y)

    def _schedules(self, n_objects):
        return {
            "perplexity": self.perplexity,
            "learning_rate": n_objects / 10 if self.learning_rate == "auto" else self.learning_rate,
            "momentum": Steps(0.5, 0.8, at=100) if self.momentum == "auto" else self.momentum,
            "jitter": self.jitter,
        }
