"""Codes with pairs of one class, and attraction alone beside the reconstruction.  [Hinton2013]

The images, the network and the seeds of `fractured_codes`: 3,000 USPS training images, others and other weights for
each seed. What the lecture does not print was chosen on the images of seed 0.

- *Pairs*: each digit is paired with one other of its class, drawn at random, and the codes have two numbers, as in a
  picture. SNE of these pairs is added with a strength of 10 (1 was tried as well). Known digits have been told their
  class, so that what counts is the error of the 4,291 training images that were left out: each is guessed from the
  nearest code of the 3,000.
- *Attraction alone*: sum_ij p_ij |y_i - y_j|^2 is added without any sum over all pairs, with a strength of 0.1 (0.01, 1
  and 10 were tried), in 20 dimensions; p by the neighbors among the pixels, of perplexity 10, or by the classes.
  *Spread*: the standard deviation of the codes, which must not collapse.

Errors of known digits are hold-one-out, with 1 and with 20 neighbors.
"""

import sys
import time

import numpy as np
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier

import notebook_sne as ns
from benchmarks.record import extremes, keep
from benchmarks.relatives.fractured_codes import OPTIONS, draw, errors
from notebook_sne.networks import Autoencoder

SEEDS, N_TRAINING = range(1, 6), 7291
PULL = ns.ElasticEmbedding(repulsion=0, perplexity=10)


def partners(labels, seed):
    """Return the conditional P in which each object chooses one other of its class, drawn at random."""
    rng, chosen = np.random.default_rng(seed), np.empty(len(labels), int)
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        others = rng.integers(len(members) - 1, size=len(members))
        chosen[members] = members[others + (others >= np.arange(len(members)))]
    every = np.arange(len(labels))
    return sparse.csr_array((np.ones(len(labels)), (every, chosen)), shape=(len(labels), len(labels)))


def models(labels, seed):
    """Return {codes: autoencoder}."""
    two = {**OPTIONS, "n_components": 2}
    by_class = {"neighbors": "labels", "labels": labels}
    return {
        "2 numbers": Autoencoder(**two),
        "2 numbers, pairs of one class": Autoencoder(
            regularizer=ns.SNE(), neighbors=partners(labels, seed), strength=10, **two
        ),
        "20 numbers": Autoencoder(**OPTIONS),
        "20 numbers, attraction alone": Autoencoder(regularizer=PULL, strength=0.1, **OPTIONS),
        "20 numbers, attraction alone, by classes": Autoencoder(regularizer=PULL, strength=0.1, **by_class, **OPTIONS),
    }


def main():
    """Measure, print and keep."""
    usps, found = ns.datasets.fetch_usps(progress=False), {}
    for seed in SEEDS:
        X, labels = draw(seed)
        drawn = np.random.default_rng(seed).choice(N_TRAINING, len(X), replace=False)  # as `draw` does
        rest = np.setdiff1d(np.arange(N_TRAINING), drawn)
        new = ((usps.X[rest] + 1) / 2).astype(X.dtype)
        for name, model in models(labels, seed).items():
            began = time.perf_counter()
            Y = model.set_params(random_state=seed).fit(X).embedding_
            seconds = time.perf_counter() - began
            guesses = KNeighborsClassifier(1).fit(Y, labels).predict(model.transform(new))
            known = errors(Y, labels)
            found.setdefault(name, []).append(
                {
                    "error of known digits, 1 neighbor": known[0],
                    "error of known digits, 20 neighbors": known[-1],
                    "error of new digits": float(np.mean(guesses != usps.labels[rest])),
                    "spread": float(Y.std()),
                    "nats to redraw": model.reconstruction_,
                    "seconds": seconds,
                }
            )
            print(seed, name, found[name][-1], file=sys.stderr, flush=True)
    rows = [
        {"codes": name, "measure": measure, "seeds": len(series), **extremes([each[measure] for each in series], 3)}
        for name, series in found.items()
        for measure in series[0]
    ]
    pulled, plain = (found[name] for name in ("20 numbers, attraction alone", "20 numbers"))
    for measure in [name for name in pulled[0] if name.startswith("error")]:
        lower = sum(own[measure] < other[measure] for own, other in zip(pulled, plain, strict=True))
        rows.append({"codes": "20 numbers, attraction alone: lower than without", "measure": measure, "seeds": lower})
    keep("pulled_codes", {"seeds": list(SEEDS), "objects": 3000, "perplexity": 10}, rows, ["autograd"])


if __name__ == "__main__":
    main()
