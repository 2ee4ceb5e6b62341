"""t-SNE as an estimator."""

from notebook_sne.mathematics import tsne
from notebook_sne.models.base import SingleMap
from notebook_sne.optimizers.schedules import Steps

__all__ = ["TSNE"]


class TSNE(SingleMap):
    """t-distributed stochastic neighbour embedding.

    """

    _convention = "joint"
    _auto_init = "pca"
    # Increment, factor, least, greatest gain, as is the custom with t-SNE.  [Maaten2008, section 3.4]
    _gains = (0.2, 0.8, 0.01, 20.0)

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
        exaggeration=12.0,
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
        self.exaggeration = exaggeration
        self.init = init
        self.input = input
        self.sums = sums
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @classmethod
    def paper(cls, **changes):
        """Return t-SNE with the recipe of [Maaten2008, section 3.4].

        Perplexity 40, 1000 updates, rate 100 with gains, momentum 0.5 for 250 updates and 0.8 from then on,
        exaggeration 4 for 50 updates, a random start. `changes` are hyperparameters to set otherwise.
        """
        recipe = {
            "perplexity": 40.0,
            "learning_rate": 100.0,
            "momentum": Steps(0.5, 0.8, at=250),
            "exaggeration": Steps(4.0, 1.0, at=50),
            "init": "random",
            "max_iter": 1000,
        }
        return cls(**{**recipe, **changes})

    def _springs(self, P):
        return tsne.springs(P)

    def _evaluate(self, pairs, Y, knobs):
        return tsne.cost_and_gradient(pairs, Y, knobs["exaggeration"])

    def _phase(self, knobs):
        return "descent" if knobs["exaggeration"] == 1 else "exaggeration"

    def _schedules(self, n_objects):
        exaggeration, until = self.exaggeration, min(250, self.max_iter // 4)
        if not callable(exaggeration):
            exaggeration = Steps(exaggeration, 1.0, at=until)
        first = exaggeration(0)
        return {
            "perplexity": self.perplexity,
            "learning_rate": max(n_objects / first, 50.0) if self.learning_rate == "auto" else self.learning_rate,
            "momentum": Steps(0.5, 0.8, at=until) if self.momentum == "auto" else self.momentum,
            "jitter": self.jitter,
            "exaggeration": exaggeration,
        }
