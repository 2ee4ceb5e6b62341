"""UNI-SNE as an estimator."""

from notebook_sne.mathematics import close_up, unisne
from notebook_sne.models.base import SingleMap
from notebook_sne.models.knobs import check_knob
from notebook_sne.optimizers.schedules import Decay, Steps

__all__ = ["UNISNE"]


class UNISNE(SingleMap):
    """UNI-SNE: symmetric SNE in which a share of Q, the background, is spread evenly over all pairs.

    With a background b,

        q_ij = (1 - b) exp(-d_ij) / sum_{k != l} exp(-d_kl) + b / (N (N - 1)),   d_ij = |y_i - y_j|^2

    The many pairs that are not at all similar are explained by the background, so there is no reason any more to push
    them apart until the middle of the map is crushed. A run is first symmetric (b = 0), as clusters cannot pass
    each other once there is a background, then opens.  [Cook2007, section 6, Eq. 9]

    Parameters
    ----------
    background : float or schedule, default=0.2
        Share b of Q that is spread evenly, 0 <= b < 1. A number holds after the first two fifths of `max_iter`, which
        are symmetric; a schedule, such as ``Steps(0, 0.2, at=1100)``, is taken as it is.
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
    max_iter      1500
    ============= ============================================
    """

    _convention = "joint"

    def __init__(
        self,
        *,
        background=0.2,
        perplexity=30.0,
        n_components=2,
        max_iter=1500,
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
        super().__init__(
            perplexity=perplexity,
            n_components=n_components,
            max_iter=max_iter,
            optimizer=optimizer,
            learning_rate=learning_rate,
            momentum=momentum,
            jitter=jitter,
            init=init,
            input=input,
            sums=sums,
            random_state=random_state,
            n_jobs=n_jobs,
            progress=progress,
        )
        self.background = background

    @classmethod
    def paper(cls, **changes):
        """Return UNI-SNE with the recipe of [Cook2007, section 6]; `changes` are hyperparameters to set otherwise.

        Perplexity 30, a random start, 1100 updates of symmetric SNE with fading jitter, then 1500 with a background of
        0.2 and no jitter. The paper does not give the rate, N / 10 here, nor the momentum, 0.5, then 0.8 here, nor how
        fast the jitter fades, 0.3 exp(-t / 86) here.
        """
        recipe = {
            "perplexity": 30.0,
            "init": "random",
            "background": Steps(0.0, 0.2, at=1100),
            "jitter": Decay(0.3, 86.0),
            "max_iter": 2600,
        }
        return cls(**{**recipe, **changes})

    def _springs(self, P):
        return unisne.springs(P)

    def _evaluate(self, pairs, Y, knobs):
        return unisne.cost_and_gradient(pairs, Y, knobs["background"])

    def _forces(self, P, Y, i, knobs):
        return close_up.uniform_forces(P, Y, i, knobs["background"])

    def _costs(self, P, Y, knobs):
        return close_up.uniform_costs(P, Y, knobs["background"])

    def _phase(self, knobs):
        return "background" if knobs["background"] > 0 else "symmetric"

    def _schedules(self, n_objects):
        schedules = super()._schedules(n_objects)
        background = self.background
        if not callable(background):
            check_knob("background", background)
            background = Steps(0.0, background, at=2 * self.max_iter // 5)
        schedules["background"] = background
        if self.learning_rate == "auto":
            schedules["learning_rate"] = n_objects / 10
        if self.momentum == "auto":
            schedules["momentum"] = Steps(0.5, 0.8, at=100)
        return schedules
