"""E11: the origin of UNI-SNE, [Cook2007, section 6]: of two aspect maps, here of digits, one becomes a background.

600 MNIST images (60 a class) in 30 principal components, perplexity 30, two maps, free proportions, no penalty, every
seed with images of its own. The radius of a map is the root mean square distance of its points from their center. In a
map that has collapsed all pairs are about equally near, so that it adds the same little to each q_ij, which is the
background of UNI-SNE. Wanted: in each of five seeds one map has a radius at least 3 times that of the other. A penalty
pulls the wide map in, and is shown for comparison.
"""

import time

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(5)
RATIO = 3.0
# In the conditional form; a joint cost is an average over objects, so its penalty is 1 / N of that.
PENALTIES = (0.0, 0.1)


def radius(Y):
    """Return the root mean square distance of map points from their center."""
    return float(np.sqrt(np.square(Y - Y.mean(axis=0)).sum(axis=1).mean()))


def main():
    """Measure, print and keep."""
    mnist = ns.datasets.fetch_mnist()
    pca = PCA(30, random_state=0).fit(mnist.X)
    rows = []
    for normalization in ("joint", "conditional"):
        for penalty in PENALTIES if normalization == "joint" else PENALTIES[:1]:
            found = []
            for seed in SEEDS:
                sample = mnist.sample(60, random_state=seed)
                began = time.perf_counter()
                model = ns.AspectMaps(
                    n_maps=2,
                    init="random",
                    perplexity=30,
                    penalty=penalty / (len(sample) if normalization == "joint" else 1),
                    normalization=normalization,
                    random_state=seed,
                    n_jobs=1,
                    progress=False,
                ).fit(pca.transform(sample.X))
                seconds = time.perf_counter() - began
                wide, narrow = np.argsort([-radius(Y) for Y in model.maps_])
                radii = radius(model.maps_[wide]), radius(model.maps_[narrow])
                error = ns.quality.knn_error(model.maps_[wide], sample.labels)
                narrow_error = ns.quality.knn_error(model.maps_[narrow], sample.labels)
                found.append((*radii, model.mixing_[narrow].mean(), error, narrow_error, model.cost_, seconds))
                print(normalization, penalty, seed, *(f"{value:.4g}" for value in found[-1]), flush=True)
            values = np.array(found)
            ratio = values[:, 0] / values[:, 1]
            medians = np.median(values, axis=0)
            rows.append(
                {
                    "normalization": normalization,
                    "penalty": f"{penalty:g} / N" if penalty and normalization == "joint" else penalty,
                    "seeds": len(values),
                    "radii of the wide map": ", ".join(f"{value:.1f}" for value in values[:, 0]),
                    "radii of the narrow map": ", ".join(f"{value:.1f}" for value in values[:, 1]),
                    "least ratio": round(float(ratio.min()), 2),
                    "collapsed": f"{int((ratio > RATIO).sum())} of {len(values)}",
                    "mean proportion of the narrow map, median": round(float(medians[2]), 3),
                    "1-NN error, wide, median": round(float(medians[3]), 3),
                    "1-NN error, narrow, median": round(float(medians[4]), 3),
                    "KL, median": round(float(medians[5]), 3),
                    "seconds, median": round(float(medians[6]), 1),
                }
            )
    keep("e11_two_maps", {"seeds": list(SEEDS), "objects": 600, "perplexity": 30, "wanted ratio": RATIO}, rows)


if __name__ == "__main__":
    main()
