"""Do slant, orientation and stroke thickness vary smoothly within a class?  [Hinton2002, section 3 and Fig. 1]

The digits of Fig. 1: 3000 USPS images, 600 each of 0-4, 256 raw pixels, SNE at perplexity 15, others for every seed.
USPS images were deslanted before they were published: by the first measure below nearly all stand upright within two
degrees, and what is left is noise. So the same is asked of as many MNIST images, which were not. Of the ink of each
image, with mu its second moments about its center:

- *skew*, arctan(mu_xy / mu_yy): the angle by which upright strokes lean;
- *orientation*, the two numbers (mu_xx - mu_yy, 2 mu_xy) / (mu_xx + mu_yy): where its long axis points, and how much
  longer it is;
- *thickness*, 2 ink / sum |gradient of the ink|: that of a stroke of even width is the width, in pixels.

What varies smoothly over a map can be told from the neighborhood: each digit's number is guessed as the mean of the ten
nearest places of its class, its own left out. The share of the variance within the class that is told so, R2, is
averaged over the five classes; it is -0.1 for numbers dealt at random.
"""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

import notebook_sne as ns
from benchmarks.record import extremes, keep

SEEDS, K = range(5), 10


def properties(images):
    """Return {property: numbers of each image, shape (N, n)} of ink from 0 to 1, shape (N, rows, columns)."""
    y, x = np.mgrid[: images.shape[1], : images.shape[2]].astype(float)
    ink = images.sum(axis=(1, 2))

    def mean(values):
        return (images * values).sum(axis=(1, 2)) / ink

    along, down = (v - mean(v)[:, None, None] for v in (x, y))
    xx, xy, yy = mean(along * along), mean(along * down), mean(down * down)
    edge = np.hypot(*np.gradient(np.pad(images, ((0, 0), (2, 2), (2, 2))), axis=(1, 2))).sum(axis=(1, 2))
    return {
        "skew": np.degrees(np.arctan(xy / yy))[:, None],
        "orientation": np.column_stack([xx - yy, 2 * xy]) / (xx + yy)[:, None],
        "thickness": (2 * ink / edge)[:, None],
    }


def told(Y, labels, values):
    """Return R2 of values, shape (N, n), told by the nearest places of the class, averaged over classes."""
    found = []
    for label in np.unique(labels):
        places, own = Y[labels == label], values[labels == label]
        nearest = NearestNeighbors(n_neighbors=K).fit(places).kneighbors(return_distance=False)
        missed = np.square(own - own[nearest].mean(axis=1)).sum()
        found.append(1 - missed / np.square(own - own.mean(axis=0)).sum())
    return np.mean(found)


def main():
    """Measure, print and keep."""
    sets, found, lean = {"USPS": ns.datasets.fetch_usps(), "MNIST": ns.datasets.fetch_mnist()}, {}, {}
    for data, everything in sets.items():
        for seed in SEEDS:
            digits = everything.sample(600, labels=range(5), random_state=seed)
            sne = ns.SNE(perplexity=15, random_state=seed, n_jobs=1, progress=False).fit_transform(digits.X)
            maps = {"SNE": sne, "PCA": PCA(2).fit_transform(digits.X), "none: the pixels": digits.X}
            maps["SNE, places dealt at random"] = np.random.default_rng(seed).permutation(sne)
            side = int(np.sqrt(digits.X.shape[1]))
            ink = (digits.X - digits.X.min()) / np.ptp(digits.X)
            for prop, values in properties(ink.reshape(-1, side, side)).items():
                for name, Y in maps.items():
                    found.setdefault((data, prop, name), []).append(told(Y, digits.labels, values))
                if prop == "skew":
                    lean.setdefault(data, []).append(np.subtract(*np.quantile(values, [0.95, 0.05])))
            print(data, seed, {key: round(float(series[-1]), 3) for key, series in found.items()}, flush=True)
    rows = [
        {"data": data, "property": prop, "map": name, "seeds": len(series), **extremes(series, 3)}
        for (data, prop, name), series in found.items()
    ]
    settings = {"seeds": list(SEEDS), "objects": 3000, "perplexity": 15, "neighbors": K}
    settings["degrees between which nine of ten digits lean, median"] = {
        data: round(float(np.median(series)), 2) for data, series in lean.items()
    }
    keep("smooth_digits", settings, rows)


if __name__ == "__main__":
    main()
