"""How near contrastive losses as sums are to the sampled ones, and their maps to those of t-SNE and umap-learn.

The 5,000 bundled images of MNIST in 50 principal components, perplexity 30, PCA starts, one seed. `InfoNCTSNE` takes
the similarities of m drawn pairs at their mean: its loss in the map of t-SNE stands beside that of [Damrich2023], the
mean over 200,000 draws of a pair of P and m pairs of all (over 20,000 with 500), with its standard error. Of each map
the share of ten neighbors that is kept, the hold-one-out 1-NN error, and the share of ten neighbors that it has in
common with the map of umap-learn at its defaults, which no extra of this package installs: ``pip install umap-learn``.
"""

import time

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep

NEGATIVES = (5, 50, 500)
SHARED = {"perplexity": 30, "max_iter": 750, "random_state": 0, "n_jobs": 1, "progress": False}


def sampled(P, Y, m, draws=200_000):
    """Return the mean of InfoNCE over draws of a pair of P and m pairs of all, and its standard error."""
    rng, N, values = np.random.default_rng(0), len(Y), []
    P = P.tocoo()
    draws = min(draws, 10_000_000 // m)
    for _ in range(max(1, draws * m // 1_000_000)):
        n = min(draws, 1_000_000 // m)
        k = rng.choice(P.nnz, n, p=P.data / P.data.sum())
        i, j = rng.integers(N, size=(n, m)), rng.integers(N - 1, size=(n, m))
        j += j >= i
        w = similarity(Y[P.row[k]], Y[P.col[k]])
        values.append(-np.log(w / (w + similarity(Y[i], Y[j]).sum(axis=1))))
    values = np.concatenate(values)
    return values.mean(), values.std() / np.sqrt(len(values))


def similarity(a, b):
    """Return 1 / (1 + squared distance)."""
    return 1.0 / (1.0 + np.square(a - b).sum(axis=-1))


def main():
    """Measure, print and keep."""
    import umap

    digits = ns.datasets.load_mnist_5000()
    X = PCA(50, random_state=0, svd_solver="covariance_eigh").fit_transform(digits.X)
    models = {"t-SNE": ns.TSNE(**SHARED), "Neg-t-SNE, z_bar 0.2, m = 5": ns.NegTSNE(**SHARED)}
    models |= {f"InfoNC-t-SNE, m = {m}": ns.InfoNCTSNE(n_negatives=m, **SHARED) for m in NEGATIVES}
    theirs, rows = None, []
    for name, model in {"umap-learn": umap.UMAP(random_state=0), **models}.items():
        began = time.process_time()
        Y = model.fit_transform(X).astype(float)
        seconds = time.process_time() - began
        theirs = Y if theirs is None else theirs
        row = {"map": name, "of ten neighbors kept": round(float(ns.quality.neighbor_recall(X, Y)), 4)}
        row["1-NN error"] = round(float(ns.quality.knn_error(Y, digits.labels)), 4)
        if model in models.values():
            row["neighbors shared with umap-learn"] = round(float(ns.quality.neighbor_recall(theirs, Y)), 4)
        rows.append({**row, "processor seconds": round(seconds, 1)})
        print(rows[-1], flush=True)
    tsne = models["t-SNE"]
    for m in NEGATIVES:
        model = ns.InfoNCTSNE(n_negatives=m, perplexity=30, n_jobs=1, init=tsne.embedding_)
        summed = next(model.iterate(X)).cost
        mean, error = sampled(tsne.affinities_, tsne.embedding_, m)
        row = {"map": "t-SNE", "loss of InfoNCE, m": m, "as a sum": round(float(summed), 4)}
        rows.append({**row, "sampled": round(float(mean), 4), "its standard error": round(float(error), 5)})
    keep("contrastive", {"objects": len(X), "perplexity": 30, "updates": 750}, rows, ("umap-learn",))


if __name__ == "__main__":
    main()
