"""What a network does with the speaker, on vowels that stand in for the speech of [Hinton2013].

The lecture maps windows of speech of six speakers, and the first and the eighth hidden layer of a network that was
trained to tell phonemes, to ask whether its layers get rid of the speaker. Neither speech nor network is published.
Here 15 people say eleven English vowels six times each, ten numbers a time [Deterding 1989]. A network with three
hidden layers learns the vowels of eight speakers; the vowels of the other seven are mapped by t-SNE, as they come and
as each layer has them. Of every object the nearest map point that is not of the same speaker's same vowel is asked for
its vowel and its speaker.

    python -m benchmarks.laboratory.vowels vowel-context.data

The file is that of the UCI repository (Connectionist Bench, Vowel Recognition; CC BY 4.0), a line an object, with
blanks or commas: 0 or 1 for training or test, speaker, sex, ten numbers and the vowel.
"""

import hashlib
import os
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

import notebook_sne as ns
from benchmarks.record import keep, spread

SEEDS = range(5)
LAYERS, PERPLEXITY = (100, 100, 100), 30


def read(path):
    """Return X, vowel, speaker, is_test and the file's checksum."""
    text = Path(path).read_text(encoding="ascii")
    table = np.array([line.replace(",", " ").split() for line in text.splitlines() if line.strip()], dtype=float)
    if table.shape != (990, 14) or (np.bincount(table[:, 13].astype(int)) != 90).any():
        raise ValueError(f"{path} must hold 990 lines of 14 numbers, 90 of each vowel, got shape {table.shape}")
    flags = table[:, [13, 1, 0]].astype(int)
    return table[:, 3:13], *flags.T, hashlib.sha256(text.encode()).hexdigest()


def activations(network, X):
    """Return X and what each hidden layer makes of it."""
    found = [X]
    for weights, bias in zip(network.coefs_[:-1], network.intercepts_[:-1], strict=True):
        found.append(np.maximum(found[-1] @ weights + bias, 0))
    return found


def alike(Y, vowel, speaker):
    """Return how often the nearest point that is not of the same speaker's same vowel has that vowel, or speaker."""
    D = np.linalg.norm(Y[:, None] - Y, axis=2)
    D[(vowel[:, None] == vowel) & (speaker[:, None] == speaker)] = np.inf
    nearest = D.argmin(axis=1)
    return np.mean(vowel[nearest] == vowel), np.mean(speaker[nearest] == speaker)


def main():
    """Measure, print and keep."""
    X, vowel, speaker, is_test, checksum = read(sys.argv[1])
    test = is_test == 1
    X = StandardScaler().fit(X[~test]).transform(X)
    names = ["input", *(f"hidden layer {k}" for k in range(1, len(LAYERS) + 1))]
    found, right = {name: [] for name in names}, []
    for seed in SEEDS:
        network = MLPClassifier(LAYERS, max_iter=1000, random_state=seed).fit(X[~test], vowel[~test])
        right.append(network.score(X[test], vowel[test]))
        for name, layer in zip(names, activations(network, X[test]), strict=True):
            began = time.perf_counter()
            Y = ns.TSNE(perplexity=PERPLEXITY, random_state=seed, n_jobs=1, progress=False).fit_transform(layer)
            seconds = time.perf_counter() - began
            found[name].append(
                (*alike(layer, vowel[test], speaker[test]), *alike(Y, vowel[test], speaker[test]), seconds)
            )
            print(seed, name, *(f"{value:.3f}" for value in found[name][-1]), flush=True)
    columns = ("same vowel, layer", "same speaker, layer", "same vowel, map", "same speaker, map")
    rows = [
        {"what is mapped": name, "seeds": len(SEEDS), **spread(columns, values, 3, 2)} for name, values in found.items()
    ]
    n = {"vowels": 11, "speakers in training": 8, "speakers mapped": 7, "objects": int(test.sum())}
    settings = {**n, "perplexity": PERPLEXITY, "layers": list(LAYERS), "seeds": list(SEEDS), "sha256": checksum}
    settings |= {"vowels told right, median": round(float(np.median(right)), 3), "chance": [36 / 456, 60 / 456]}
    keep("vowels", {**settings, "threads": os.environ.get("NUMBA_NUM_THREADS", "all")}, rows)


if __name__ == "__main__":
    main()
