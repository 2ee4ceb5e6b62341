"""One update of t-SNE beside peers: time and accuracy of the gradient on a late layout; the Gaussian models besides.

The error of a gradient is that of its repulsion, as the attraction over stored pairs is exact in all codes; it is
measured over all objects against sums in double precision, as a share of the repulsion and of the whole gradient, root
mean squares of all.
"""

from functools import partial

import numpy as np

from benchmarks.peers import ours, theirs
from benchmarks.peers.layouts import gaussian_layout
from benchmarks.peers.rounds import in_turns, rounded, spread, times_as_long
from notebook_sne.engine.mathematics import tsne
from notebook_sne.engine.sums.pair_sums import student_sums
from notebook_sne.models.sne import SNE
from notebook_sne.models.symmetric import SymmetricSNE
from notebook_sne.models.tsne import TSNE
from notebook_sne.models.unisne import UNISNE

__all__ = ["OURS", "UPDATE", "exact_forces", "gaussian_rows", "student_rows"]

OURS, UPDATE = "notebook_sne", "notebook_sne, update"


def exact_forces(P, Y):
    """Return the gradient of t-SNE at Y and its part that pushes, both (N, 2), in double precision."""
    pushed = []

    def sums(Y):
        w, differences = student_sums(Y, dtype=np.float64)
        pushed.append(4.0 * differences / w.sum())
        return w, differences

    return tsne.cost_and_gradient(tsne.attractive_pairs(P), Y, sums=sums).gradient, pushed[0]


def _rms(forces):
    return np.sqrt(np.mean(np.square(forces)))


def student_rows(case, n_rounds, threads, names):
    """Measure the t-SNE gradient of all codes at the late layout of a Case; return a row, a dict, for each code.

    Each has `n_rounds` turns; `names` are those of the peers.
    """
    N = len(case.Y)
    still = {"input": "joint", "init": case.Y, "exaggeration": 1.0, "learning_rate": max(N / 12, 50.0)}
    still |= {"random_state": 0, "n_jobs": threads, "progress": False}
    codes = {
        OURS if sums == "auto" else f"{OURS}, {sums}": theirs.Gradient(
            ours.gradient(TSNE(sums=sums, **still), case.P, threads), 1.0
        )
        for sums in ("auto", "mesh", "exact")
    }
    codes |= theirs.gradients(case.P, case.Y, threads, names)
    calls = {name: code.call for name, code in codes.items()}
    calls[UPDATE] = ours.update(TSNE(momentum=0.8, **still), case.P)
    times = in_turns(calls, n_rounds)
    right, push = exact_forces(case.P, case.Y)
    rows = []
    for name in sorted(calls, key=lambda name: (not name.startswith(OURS), list(calls).index(name))):
        row = {"objects": N, "code": name, **spread(times[name])}
        row["times ours"] = times_as_long(times[name], times[OURS])
        row["times our update"] = times_as_long(times[name], times[UPDATE])
        if name in codes:
            error = _rms(codes[name].factor * _gradient_of(calls[name]()) - right)
            row["error / repulsion"] = rounded(error / _rms(push), 2)
            row["error / gradient"] = rounded(error / _rms(right), 2)
        rows.append({**row, "data": case.name})
    return rows


def _gradient_of(answer):
    """Return the gradient, shape (N, 2), that a code answered with: an array, or an Evaluation of ours."""
    return np.asarray(getattr(answer, "gradient", answer), dtype=np.float64).reshape(-1, 2)


def gaussian_rows(case, n_rounds, threads):
    """Measure the gradients of the models with a Gaussian beside that of t-SNE, each on a layout of its own size.

    The layout of t-SNE is scaled to the size of theirs. Return a row for each model and way to sum.
    """
    shared = {"random_state": 0, "n_jobs": threads, "progress": False}
    scaled = {"init": gaussian_layout(case.Y), **shared}
    makers = {
        "t-SNE": (partial(TSNE, input="joint", init=case.Y, exaggeration=1.0, **shared), case.P),
        "SNE": (partial(SNE, input="probabilities", **scaled), ours.as_conditional(case.P)),
        "symmetric SNE": (partial(SymmetricSNE, input="joint", **scaled), case.P),
        # The background comes late by itself; here it is there at once.
        "UNI-SNE": (partial(UNISNE, input="joint", background=_always, **scaled), case.P),
    }
    calls = {
        (name, sums): ours.gradient(make(sums=sums), P, threads)
        for name, (make, P) in makers.items()
        for sums in ("auto", "exact")
    }
    times = in_turns(calls, n_rounds)
    return [
        {
            "objects": len(case.Y),
            "model": name,
            "sums": sums,
            **spread(seconds),
            "times t-SNE": times_as_long(seconds, times["t-SNE", sums]),
            "data": case.name,
        }
        for (name, sums), seconds in times.items()
    ]


def _always(t):
    """Return the background of UNI-SNE's paper at any time."""
    return 0.2
