"""How heavy should the tails be? Student's t with other degrees of freedom, [Nabney].

The lecture defines Student's t with nu degrees of freedom and takes 1: the heavier its tails, the more room there is
for what is only moderately alike. 500 MNIST images, 50 a class of the 5000 that come along, 30 principal components,
perplexity 30, 500 updates, other images for every seed; t-SNE from one start for all, and symmetric SNE as that of
infinitely many. Judged by the hold-one-out 1-NN error and the share of ten nearest neighbors kept, which no kernel
favors by itself: costs of different kernels have different floors.
"""

import time

from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep, spread

SEEDS, FREEDOMS = range(3), (0.5, 1.0, 2.0, 5.0)


def main():
    """Measure, print and keep."""
    mnist, runs, rows = ns.datasets.load_mnist_5000(), {}, []
    for seed in SEEDS:
        digits = mnist.sample(50, random_state=seed)
        X = PCA(30, random_state=0).fit(mnist.X).transform(digits.X)
        shared = {"perplexity": 30, "max_iter": 500, "random_state": seed, "n_jobs": 1, "progress": False}
        models = {nu: ns.TSNE(degrees_of_freedom=nu, **shared) for nu in FREEDOMS}
        for nu, model in {**models, "infinitely many": ns.SymmetricSNE(**shared)}.items():
            began = time.perf_counter()
            Y = model.fit_transform(X)
            seconds = time.perf_counter() - began
            error, kept = ns.quality.knn_error(Y, digits.labels), ns.quality.neighbor_recall(X, Y, k=10)
            runs.setdefault(nu, []).append((error, kept, model.cost_, seconds))
            print(seed, nu, *(f"{value:.4g}" for value in runs[nu][-1]), flush=True)
    for nu, values in runs.items():
        cells = spread(("1-NN error", "neighbors kept", "KL"), values)
        rows.append({"degrees of freedom": nu, "seeds": len(values), **cells})
    keep("tails", {"seeds": list(SEEDS), "objects": 500, "perplexity": 30}, rows)


if __name__ == "__main__":
    main()
