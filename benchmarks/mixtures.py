"""Time of one gradient of 50 aspect maps beside plain NumPy, in one run.

Wanted on 1000 words: at least 20 times faster, at the start, where every word is in every map, and on the fitted
maps. NumPy computes the same sums in the same order of operations, with dense arrays in double precision; the error is
that of the gradient against it, as a share of the pull alone.
"""

from functools import partial
from itertools import islice

import numpy as np

import notebook_sne as ns
from benchmarks.peers.rounds import in_turns
from benchmarks.record import keep
from notebook_sne.mathematics import aspects
from notebook_sne.mathematics.mixing import log_proportions, weight_gradient
from notebook_sne.sums.stored_mixtures import mixture_pull

ROUNDS = 5


def plain(A, i, j, Y, W, penalty):
    """Return the gradient of aspect maps, from dense distances; A holds the strengths of the stored pairs (i, j)."""
    mixing = np.exp(log_proportions(W))
    near = []
    for points, shares in zip(Y, mixing, strict=True):
        square = np.square(points).sum(axis=1)
        D = np.maximum(square[:, None] + square[None] - 2 * points @ points.T, 0.0)
        E = np.exp(-D) * shares[:, None] * shares[None]
        np.fill_diagonal(E, 0.0)
        near.append(E)
    S = sum(near)
    inverse = 1.0 / S.sum(axis=1)
    stiffness = -(inverse[:, None] + inverse[None])
    stiffness[i, j] += A / S[i, j]
    maps, shares = np.empty(Y.shape), np.empty(W.shape)
    for m, E in enumerate(near):
        E *= stiffness
        shares[m] = -E.sum(axis=1)
        maps[m] = -2.0 * (shares[m][:, None] * Y[m] + E @ Y[m]) + penalty * Y[m]
    return maps, weight_gradient(shares, mixing)


def main():
    """Measure, print and keep."""
    words = ns.datasets.fetch_usf_associations()
    pairs = aspects.attractive_pairs(words.P)
    both = (words.P + words.P.T).tocoo()
    model = ns.AspectMaps(input="probabilities", random_state=0)
    rows = []
    for state in islice(model.iterate(words.P), 0, 301, 300):
        Y, W = state.Y, state.memory["weights"]
        calls = {
            "ours": partial(aspects.cost_and_gradient, pairs, Y, W, 0.48),
            "NumPy": partial(plain, both.data, both.row, both.col, Y, W, 0.48),
        }
        times = in_turns(calls, ROUNDS)
        ours, numpys = times["ours"], times["NumPy"]
        here, expected = calls["ours"](), calls["NumPy"]()
        _, pull, _ = mixture_pull(pairs, Y, log_proportions(W))
        rows.append(
            {
                "update": state.iteration,
                "ours, ms": round(1e3 * float(np.median(ours)), 1),
                "NumPy, ms": round(1e3 * float(np.median(numpys))),
                "times faster": round(float(np.median(numpys) / np.median(ours)), 1),
                "error of the map gradient": float(
                    f"{np.linalg.norm(here.maps - expected[0]) / np.linalg.norm(2 * pull):.1e}"
                ),
            }
        )
    keep("mixtures", {"words": len(words), "maps": 50, "rounds": ROUNDS}, rows)


if __name__ == "__main__":
    main()
