"""UNI-SNE as an estimator."""

from notebook_sne.mathematics import unisne
from notebook_sne.models.base import SingleMap
from notebook_sne.optimizers.schedules import Decay, Steps

__all__ = ["UNISNE"]


class UNISNE(SingleMap):
    """UNI-SNE: symmetric SNE in which a share of Q, the background, is spread evenly over all pairs.

    """

    _convention = "joint"

    def __init__(
        self,
        *,
        perplexity=30.0,
        n_components=2,
        max_iter=1500,
        optimizer="auto",
        learning_rate="auto",
        momentum="auto",
        jitter=0.0,
        background=0.2,
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
        self.background = background
        self.init = init
        self.input = input
        self.sums = sums
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @classmethod
    def paper(cls, **changes):
        """Return UNI-SNE with the recipe of [Cook2007, section 6].

        1100 updates of symmetric SNE with fading jitter, then 1500 with a background of 0.2 and none. The paper
        does not give the rate, N / 10 here, the momentum, 0.5, then 0.8, then 0.9 here, nor how fast
        the jitter fades, 0.3 exp(-t / 86) here. `changes` are hyperparameters to set otherwise.
        """
        recipe = {
            "perplexity": 30.0,
            "background": Steps(0.0, 0.2, at=1100),
            "jitter": Decay(0.3, 86.0),
            "max_iter": 2600,
        }
        return cls(**{**recipe, **changes})

    def _springs(self, P):
        return unisne.springs(P)

    def _evaluate(self, pairs, Y, knobs):
        return unisne.cost_and_gradient(pairs, Y, knobs["background"])

    def _phase(self, knobs):
        return "background" if knobs["background"] > 0 else "symmetric"

    def _schedules(self, n_objects):
        background = self.background
        if not callable(background):
            background = Steps(0.0, background, at=2 * self.max_iter // 5)
        return {
            "perplexity": self.perplexity,
            "learning_rate": n_objects / 10 if self.learning_rate == "auto" else self.learning_rate,
            "momentum": Steps(0.5, 0.8, at=100) if self.momentum == "auto" else self.momentum,
            "jitter": self.jitter,
            "background": background,
        }
