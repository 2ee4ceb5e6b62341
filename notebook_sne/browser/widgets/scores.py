"""Scores as colors of a live view, in place of labels: one for each object, found while the run goes on or rests.

=============== ================================================================= ================================
color           the score                                                         when
=============== ================================================================= ================================
cost            its share of the cost                                             twice a second at most
recall          the share of its nearest neighbors in the data that are among     every half second at most, in a
                its nearest in the map, as of `quality.object_scores`             thread
perturbation    how far its point goes as its object is moved in the data:        while the run rests, part by
                `quality.perturbation_scores`                                     part, in a thread
distance        its distance in the data from the object that is pointed at       when asked for
=============== ================================================================= ================================

Nothing here delays the run. Slow scores are computed by one thread beside the sending one (`BackgroundCall`), on one
core, and so seldom that it takes at most a tenth of that while the run goes on.
"""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from notebook_sne.affinities.metrics import input_of
from notebook_sne.browser.widgets.background_call import BackgroundCall
from notebook_sne.browser.widgets.map_view import COMPUTED
from notebook_sne.browser.widgets.neighbors import distances_from
from notebook_sne.browser.widgets.score_kinds import KeptNeighbors, Moves
from notebook_sne.engine.checks.arguments import check_vectors
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import is_sparse
from notebook_sne.engine.fitting.state import State
from notebook_sne.quality.perturbations import Perturbations

__all__ = ["Scores", "refusals"]

INTERVAL = 0.5  # least s between scores of all objects
_SHARE = {"cost": 0.05, "recall": 0.1}  # most of a core's time that is spent on them while a run goes on
_AT_ONCE = 20_000_000  # entries of the data that are read within some hundredths of a second
_NOTHING = np.empty(0)


def refusals(model: Any, state: State | None, X: Any = None) -> dict[str, str]:
    """Return why colors can't be computed of a run: for each of COMPUTED a few words, empty where it can.

    `model` is the model at work on X and `state` its latest, if there is one.
    """
    input = input_of(model, X)
    several = state is not None and len(state.Y) > 1
    there = dict.fromkeys(COMPUTED, "")
    kernel = getattr(model, "_left_out", None)
    if state is not None and state.knobs.get("degrees_of_freedom", 1.0) != 1.0:
        kernel = None
    if input != "vectors" or is_sparse(X):
        there["perturbation"] = "needs dense vectors" if input == "vectors" else "needs vectors"
    elif _metric_of(model) not in ("euclidean", "l2"):
        there["perturbation"] = "needs Euclidean distances"
    elif state is not None and state.memory.get("scales") is not None:
        there["perturbation"] = "of one perplexity only"
    elif kernel is None:
        there["perturbation"] = "of t-SNE and symmetric SNE only"
    if several:
        there |= dict.fromkeys(("cost", "recall", "perturbation"), "of one map only")
    if input not in ("vectors", "distances"):
        there["distance"] = "no distances given"
    return there


class Scores:
    """Decides which scores are due and finds them; keeps those that were sent last."""

    def __init__(self) -> None:
        self._finding, self._measuring = BackgroundCall(), BackgroundCall()
        self._at = -1e9  # when scores are due again
        self._of: tuple[str, State] | None = None  # what the last ones are of
        self._kept: KeptNeighbors | None = None
        self._perturbations: Perturbations | None = None
        self._moves: Moves | None = None
        self._from: int | None = None
        self._last: dict[str, tuple[dict[str, Any], Floats]] = {}

    def due(self, player: Any, state: State, rests: bool, now: float) -> Iterator[tuple[dict[str, Any], Floats]]:
        """Yield messages that are to be sent, and the scores that go with each.

        The player's color says what is wanted; the state is the latest, `rests` whether the run does, `now` in seconds.
        """
        color, done = player.color, self._finding.fetch()
        if isinstance(done, Moves) and done is self._moves and color == "perturbation":
            yield self._message("perturbation", done.state, done.scores, 0.0, done=done.done)
        elif isinstance(done, tuple):
            self._kept, scored, shares, seconds = done
            self._at = now + max(INTERVAL, seconds / _SHARE["recall"])
            if color == "recall":
                yield self._message("recall", scored, shares, 0.0, 1.0, k=self._kept.k)
        if color == "cost" and self._news(color, state, now):
            began = time.monotonic()
            try:
                costs = player.run.costs(state)
            except NotImplementedError:
                player.color = "none"
                raise
            except ValueError:  # the run has just switched to another model or P: wait for its next state
                self._of = None
                return
            seconds = time.monotonic() - began
            self._at = now + seconds + max(INTERVAL, seconds / _SHARE["cost"])
            yield self._message(color, state, costs)
        elif color == "recall" and not self._finding.busy and (rests or now >= self._at) and self._news(color, state):
            self._finding.start(_kept_of, self._kept, player.run, state)
        elif color == "perturbation":
            yield from self._go_on(player, state, rests)

    def _news(self, color: str, state: State, now: float | None = None) -> bool:
        """Return whether these scores are not those that were found last, and are due; they are about to be found."""
        if self._of is not None and self._of[0] == color and (self._of[1] is state or (now or self._at) < self._at):
            return False
        if not np.isfinite(state.Y[0]).all():
            return False
        self._of = color, state
        return True

    def _go_on(self, player: Any, state: State, rests: bool) -> Iterator[tuple[dict[str, Any], Floats]]:
        """Score the next objects while the run rests, and forget the scores of a run that began anew."""
        moves = self._moves
        if moves is not None and (state.model != moves.state.model or state.iteration < moves.state.iteration):
            self._moves = None
            yield self._message("perturbation", None, _NOTHING)
        kernel = None if refusals(player.run.model, state, player.run.X)["perturbation"] else player.run.model._left_out
        if not rests or self._finding.busy or kernel is None or not np.isfinite(state.Y[0]).all():
            return
        perplexity = float(state.knobs["perplexity"])
        if self._perturbations is None or self._perturbations.perplexity != perplexity:
            self._finding.start(self._look_at_data, player.run.X, perplexity)
            return
        if self._moves is None or self._moves.state is not state:
            self._moves = Moves(self._perturbations, state, kernel)
        if not self._moves.over:
            self._finding.start(self._moves.go_on)

    def _look_at_data(self, X: Any, perplexity: float) -> None:
        self._perturbations = Perturbations(check_vectors(X), perplexity)

    def measured(self, player: Any, wanted: int | None) -> Iterator[tuple[dict[str, Any], Floats]]:
        """Yield the distances that were asked for; of several objects those from the last one."""
        self._from = self._from if wanted is None else wanted
        if (done := self._measuring.fetch()) is not None:
            yield self._distances(*done)
        if self._from is None or self._measuring.busy or refusals(player.run.model, None, player.run.X)["distance"]:
            return
        i, self._from, X = self._from, None, player.run.X
        if np.size(X) <= _AT_ONCE:
            yield self._distances(i, distances_from(*_measured(player.run, i)))
        else:
            self._measuring.start(lambda: (i, distances_from(*_measured(player.run, i))))

    def _distances(self, i: int, far: Floats) -> tuple[dict[str, Any], Floats]:
        """Return a message of distances from object i; the scale begins at the nearest other one, far from 0."""
        return self._message("distance", None, far, float(np.delete(far, i).min()), index=i)

    def under_way(self) -> bool:
        """Return whether scores are being found, and are to be sent."""
        return self._finding.busy or self._measuring.busy

    def again(self, color: str) -> Iterator[tuple[dict[str, Any], Floats]]:
        """Yield what a new page has missed."""
        if color in self._last:
            yield self._last[color]

    def _message(
        self, of: str, state: State | None, scores: Floats, low: float | None = None, high: float | None = None,
        **more: int,
    ) -> tuple[dict[str, Any], Floats]:  # fmt: skip
        """Return a message and its scores, which may be NaN; low and high are those of the scale."""
        known = scores[~np.isnan(scores)]
        content: dict[str, Any] = {"kind": "scores", "of": of, **more}
        content["iteration"] = None if state is None else int(state.iteration)
        content["low"] = float(known.min(initial=np.inf) if low is None else low) if len(known) else 0.0
        content["high"] = float(known.max(initial=-np.inf) if high is None else high) if len(known) else 0.0
        self._last[of] = content, scores.astype("<f4")
        return self._last[of]


def _metric_of(model: Any) -> str:
    return getattr(model, "metric", "euclidean")


def _measured(run: Any, i: int) -> tuple[Any, str, int, str]:
    """Return what the distances from object i are measured of."""
    return run.X, input_of(run.model, run.X), i, _metric_of(run.model)


def _kept_of(kept: KeptNeighbors | None, run: Any, state: State) -> Any:
    """Return the neighbors in the data, the state, the shares and how many seconds those took."""
    kept = kept or KeptNeighbors(run.X, input_of(run.model, run.X), _metric_of(run.model))
    began = time.monotonic()
    shares = kept.shares(state.Y[0])
    return kept, state, shares, time.monotonic() - began
