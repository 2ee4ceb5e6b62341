"""MNIST by the stopping rule of the paper, [Cook2007, section 6, Fig. 7-8].

The samples of `benchmarks.experiments.e2_mnist`: 500 MNIST images a class, 30 principal components, perplexity 30. The
paper runs symmetric SNE with exponentially decaying jitter, stops after 1100 updates, when the divergence changes by
less than .0001 an update, and goes on as UNI-SNE for 1500 updates with a background of 0.2 and without jitter: KL 2.47,
then 1.48. `UNISNE.paper` has these counts; rate, momentum and how fast the jitter fades are ours. Does the rule hold
where it stops? Kept: the change in the last update of the first part, the first update from which 100 in a row all
changed by less than .0001, and the divergence there, after 1100 and at the end. P has 90 neighbors an object; over all
pairs, one run with these counts is among the rows of that experiment.
"""

import time

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep

SEEDS, ENOUGH, IN_A_ROW, FIRST, LAST = range(1), 1e-4, 100, 1100, 2600


def main():
    """Measure, print and keep."""
    mnist, found = ns.datasets.fetch_mnist(), []
    pca = PCA(30, random_state=0).fit(mnist.X)
    for seed in SEEDS:
        X = pca.transform(mnist.sample(500, random_state=seed).X)
        began = time.perf_counter()
        model = ns.UNISNE.paper(random_state=seed, n_jobs=1, progress=False).fit(X)
        seconds = time.perf_counter() - began
        costs = model.trace_.set_index("iteration").cost
        first = costs.loc[:FIRST].to_numpy()
        small = np.abs(np.diff(first)) < ENOUGH
        settled = next(t for t in range(len(small) - IN_A_ROW) if small[t : t + IN_A_ROW].all())
        found.append((abs(first[-1] - first[-2]), settled, first[settled], first[-1], costs.loc[LAST], seconds))
        print(seed, *(f"{value:.5g}" for value in found[-1]), flush=True)
    columns = ("last change", "settled at update", "KL there", "KL after 1100", "KL at the end", "seconds")
    row = {"settings": "paper's recipe, 90 neighbors", "seeds": len(SEEDS)}
    for name, series in zip(columns, np.array(found).T, strict=True):
        row[f"{name}, median"] = float(f"{np.median(series):.4g}")
        if name != "seconds":
            row[f"{name}, range"] = f"{series.min():.4g} to {series.max():.4g}"
    keep("stopping", {"seeds": list(SEEDS), "objects": 5000, "perplexity": 30, "paper": [2.47, 1.48]}, [row])


if __name__ == "__main__":
    main()
