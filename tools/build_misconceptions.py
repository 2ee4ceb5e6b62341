"""Draw the figures of the guide's page on misconceptions: ``python -m tools.build_misconceptions``.

Each figure has two or three maps of made or bundled data, with what was measured above them. It takes less than a
minute of one processor, and draws the same each time.
"""

import re
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import PCA

import notebook_sne as ns

FOLDER = Path(__file__).parents[1] / "docs" / "guide" / "misconceptions"
SIZE, TITLE = 300, 34  # the picture of a map is 28 wider than its frame


def tsne(X, perplexity=15, **settings):
    """Return a fitted t-SNE of 400 updates."""
    settings = {"max_iter": 400, "random_state": 0, "init": "random", **settings}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of perplexities that are meant to be too large
        return ns.TSNE(perplexity=perplexity, progress=False, n_jobs=1, **settings).fit(X)


def groups(widths, places, n=40, seed=0):
    """Return n objects of each group in ten dimensions, by the widths and places of their means, and the groups."""
    labels = np.repeat(np.arange(len(widths)), n)
    noise = np.random.default_rng(seed).normal(size=(len(labels), 10))
    return np.asarray(places, float)[labels] + np.asarray(widths)[labels, None] * noise, labels


def corners(n, distance):
    """Return n places at one distance from one another."""
    return distance / np.sqrt(2) * np.eye(10)[:n]


def widths_of(A, labels):
    """Return the root mean squared distance of each group from its mean."""
    parts = [A[labels == c] for c in np.unique(labels)]
    return np.array([np.sqrt(np.square(G - G.mean(axis=0)).sum(axis=1).mean()) for G in parts])


def plane(X):
    """Return the first two principal components."""
    return PCA(2, random_state=0).fit_transform(X)


def draw(name, *panels):
    """Write maps side by side, each (title, map, classes or None)."""
    made = []
    for at, (title, Y, labels) in enumerate(panels):
        inner = str(ns.views.svg(Y, labels, legend=False, size=SIZE - 40))
        # Names of parts within one picture must differ from panel to panel.
        inner = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>p{at}", inner)
        inner = re.sub(r"^.*?<svg ", f'<svg x="{at * SIZE + 6}" y="{TITLE}" ', inner, count=1, flags=re.DOTALL)
        words = title.replace("&", "&amp;").replace("<", "&lt;")
        made.append(f'<text x="{at * SIZE + SIZE / 2}" y="22" text-anchor="middle">{words}</text>{inner}')
    width, height = SIZE * len(panels), SIZE + TITLE
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = 'font-family="sans-serif" font-size="13" fill="#222"'
    text = f'{head} {style}><rect width="{width}" height="{height}" fill="white"/>{"".join(made)}</svg>\n'
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.svg").write_text(text, encoding="utf-8")
    print(name, [title for title, _, _ in panels], f"{len(text) / 1000:.0f} kB")


def gaps():
    """Three groups on a line, one of them far away."""
    X, labels = groups([1, 1, 1], np.array([0, 20, 200])[:, None] * np.eye(10)[0])
    maps = [tsne(X, random_state=seed).embedding_ for seed in (0, 1)]

    def ratio(A):
        means = np.array([A[labels == c].mean(axis=0) for c in range(3)])
        return np.linalg.norm(means[2] - means[1]) / np.linalg.norm(means[1] - means[0])

    titles = [f"second gap {ratio(A):.1f} x the first" for A in (X, *maps)]
    draw("gaps", *((f"{where}: {title}", A, labels) for where, title, A in
                   zip(("data", "t-SNE", "another start"), titles, (plane(X), *maps), strict=True)))  # fmt: skip


def widths():
    """Three groups of unequal width."""
    X, labels = groups([0.3, 1, 3], corners(3, 30))
    Y = tsne(X).embedding_
    told = [f"{w.max() / w.min():.1f}" for w in (widths_of(X, labels), widths_of(Y, labels))]
    draw("widths", (f"data: widest {told[0]} x the narrowest", plane(X), labels), (f"t-SNE: {told[1]} x", Y, labels))


def noise():
    """One cloud, at three perplexities."""
    X = np.random.default_rng(0).normal(size=(200, 10))
    draw("noise", *((f"one cloud, perplexity {k}", tsne(X, k).embedding_, None) for k in (2.5, 8, 30)))


def perplexities():
    """Six small groups, at perplexities below and above their size."""
    X, labels = groups([0.5] * 6, corners(6, 4), n=12)
    made = []
    for k in (5, 20, 60):
        Y = tsne(X, k).embedding_
        made.append((f"perplexity {k}: {ns.quality.neighbor_recall(X, Y, k=5):.0%} of 5 neighbors kept", Y, labels))
    draw("perplexities", *made)


def costs():
    """Noise at a low cost, digits at a higher one."""
    X = np.random.default_rng(0).normal(size=(150, 2))
    digits = ns.datasets.load_digits().sample(15, random_state=0)
    left, right = tsne(X, 45), tsne(digits.X, 5)
    draw("costs", (f"noise, perplexity 45: {left.cost_:.2f} nats", left.embedding_, None),
         (f"digits, perplexity 5: {right.cost_:.2f} nats", right.embedding_, digits.labels))  # fmt: skip


def seeds():
    """Six groups from two starts."""
    X, labels = groups([1] * 6, corners(6, 12), n=25)
    maps = [tsne(X, random_state=seed).embedding_ for seed in (0, 3)]
    shared = ns.quality.neighbor_recall(*maps, k=10)
    draw("seeds", ("one start", maps[0], labels), (f"another: shares {shared:.0%} of ten neighbors", maps[1], labels))


def axes():
    """One map, turned and mirrored."""
    digits = ns.datasets.load_digits().sample(20, random_state=0)
    P = ns.affinities.joint(ns.affinities.conditional(digits.X, 15))
    Y = tsne(digits.X).embedding_
    turn = np.array([[0.6, 0.8], [0.8, -0.6]])
    cost = [ns.quality.kl_divergence(A, P, kernel="student") for A in (Y, Y @ turn)]
    draw("axes", (f"a map: {cost[0]:.4f} nats", Y, digits.labels),
         (f"turned and mirrored: {cost[1]:.4f} nats", Y @ turn, digits.labels))  # fmt: skip


def alone():
    """A far object among others."""
    X = np.random.default_rng(1).normal(size=(100, 5))
    X[0] *= 15 / np.linalg.norm(X[0])
    marked = np.where(np.arange(100) == 0, "far", "others")
    Y = tsne(X).embedding_

    def times(A):
        D = np.sqrt(np.square(A[:, None] - A).sum(axis=2)) + np.diag(np.full(100, np.inf))
        return D[0].min() / np.median(D.min(axis=1))

    draw("alone", (f"data: nearest {times(X):.1f} x as far as usual", plane(X), marked),
         (f"t-SNE: {times(Y):.1f} x", Y, marked))  # fmt: skip


def order():
    """Five groups in a row, from two starts."""
    X, labels = groups([1] * 5, 8 * np.arange(5)[:, None] * np.eye(10)[0], n=25)
    made = []
    for name, init in (("random", "random"), ("PCA", "pca")):
        Y = tsne(X, init=init).embedding_
        made.append((f"{name} start: rank correlation {ns.quality.distance_rank_correlation(X, Y):.2f}", Y, labels))
    draw("order", *made)


def tears():
    """A rolled-up sheet that is whole."""
    roll = ns.datasets.load_swiss_roll(300, random_state=0)
    made = [(f"one sheet, perplexity {k}", tsne(roll.X, k).embedding_, roll.labels) for k in (5, 20)]
    draw("tears", *made)


def clumps(Y):
    """Return how many clumps there are, between which a twelfth of the map is empty."""
    reach = np.ptp(Y, axis=0).max() / 12
    return connected_components(squareform(pdist(Y)) < reach, directed=False)[0]


def clusters():
    """Two families of three groups, at three perplexities."""
    families = np.repeat([[0.0], [40.0]], 3, axis=0) * np.eye(10)[9]
    X, labels = groups([0.6] * 6, corners(3, 8)[[0, 1, 2, 0, 1, 2]] + families, n=20)
    maps = {k: tsne(X, k).embedding_ for k in (2.1, 10, 75)}
    draw("clusters", *((f"perplexity {k}: {clumps(Y)} clumps", Y, labels) for k, Y in maps.items()))


def neighbors():
    """Which points keep their neighbors."""
    digits = ns.datasets.load_digits().sample(20, random_state=0)
    Y = tsne(digits.X).embedding_
    kept = ns.quality.object_scores(digits.X, Y, k=10)["recall"].to_numpy()
    shares = f"{(kept >= 0.8).mean():.0%} keep 8 of 10 or more, {(kept <= 0.4).mean():.0%} keep 4 or fewer"
    draw("neighbors", ("digits", Y, digits.labels), (shares, Y, kept.astype(float)))


def main():
    """Draw all of them."""
    for one in (gaps, widths, noise, perplexities, costs, seeds, axes, alone, order, tears, clusters, neighbors):
        one()


if __name__ == "__main__":
    main()
