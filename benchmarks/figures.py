"""Draw the figures of PAPERS.md from fits at seed 0: ``python -m benchmarks.figures``, or with the names of some.

One static picture for each figure of the papers that is reproduced, in part or whole, in benchmarks/figures/, and one
for DESCENT.md, from a kept result. All take a quarter of an hour on one core; the data come from the folder that
NOTEBOOK_SNE_DATA names, or are downloaded.
"""

import sys

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import Isomap, LocallyLinearEmbedding

import notebook_sne as ns
from benchmarks import drawing
from benchmarks.experiments.e6_hybrids import THRESHOLD
from benchmarks.experiments.e9_objects import DIMENSIONS, NEIGHBORS, PERPLEXITY, vectors
from benchmarks.experiments.e10_perplexity import PERPLEXITIES
from benchmarks.laboratory.two_maps import SHARED, STARTS, N
from benchmarks.record import kept

QUIET = {"random_state": 0, "progress": False}


def usps():
    """E1, [Hinton2002, Fig. 1]: digit images at their map points."""
    data = ns.datasets.fetch_usps().sample(600, labels=range(5), random_state=0)
    Y = ns.SNE(perplexity=15, **QUIET).fit_transform(data.X)
    drawing.digits("e1_usps", Y, data.images)


def authors():
    """E8, [Hinton2002, Fig. 2]: authors by their words."""
    data = ns.datasets.fetch_nips_authors()
    Y = ns.SNE(perplexity=25, init="random", **QUIET).fit_transform(data.X)
    order = np.argsort(-np.asarray(data.counts.sum(axis=1)).ravel(), kind="stable")[:260]
    names = [name.replace("_", " ") for name in data.names]
    lines = drawing.scatter(Y, side=900, width=3, names=names, order=order)
    drawing.sheet("e8_authors", [("676 NIPS authors, SNE on the words of their papers", lines)], columns=1, side=900)


def hybrids():
    """E6, [Hinton2002, section 4]: hybrid digits at two places."""
    data = ns.datasets.load_hybrid_digits(300, 100, digits=ns.datasets.fetch_usps(), random_state=0)
    model = ns.MixtureSNE.simplified(held=True, pull=0.2, **QUIET).fit(data.X)
    maps, hybrid = model.maps_, np.char.find(data.labels, "+") >= 0
    places = maps.reshape(-1, 2)
    radius = np.sqrt(np.square(places - places.mean(axis=0)).sum(axis=1).mean())
    apart = np.linalg.norm(maps[0] - maps[1], axis=1) > THRESHOLD * radius
    panels = []
    for title, chosen in (("hybrids at two places", hybrid & apart), ("other digits at two places", ~hybrid & apart)):
        # All places keep their scale: the hybrids stand last, as the class that is linked.
        labels = np.where(hybrid, "hybrid", data.labels)
        links = [(i, i + len(labels)) for i in np.flatnonzero(chosen)]
        lines = drawing.scatter(places, np.tile(labels, 2), side=440, width=3.5, links=links)
        group = hybrid if title.startswith("hybrids") else ~hybrid
        panels.append((f"{title}: {chosen.sum()} of {group.sum()}", lines))
    drawing.sheet("e6_hybrids", panels, columns=2, side=440)


def circle():
    """A circle on a line, [Hinton2002, section 4]: folded, or cut."""
    data = ns.datasets.load_circle(100)
    shared = {"n_components": 1, "perplexity": 10, "random_state": 1, "progress": False}
    step = np.arange(100)
    folded = ns.SNE(**shared).fit(data.X).embedding_[:, 0]
    cut = ns.MixtureSNE(n_images=2, init="random", **shared).fit(data.X)
    shown = cut.mixing_ >= 0.1
    panels = []
    for title, x, y in (
        ("one place each: folded", folded, step),
        ("two places each: cut", cut.maps_[..., 0][shown], np.broadcast_to(step, (2, 100))[shown]),
    ):
        scaled = np.column_stack([(x - x.min()) / np.ptp(x), y / 100])
        panels.append((f"{title}", drawing.scatter(scaled, side=360, width=3.5)))
    drawing.sheet("circle", panels, columns=2, side=360)


def two_maps():
    """E3, [Cook2007, Fig. 4]: two maps, and the two that come back from one P."""
    data = ns.datasets.load_two_maps(N, 0.3, random_state=0)
    model = ns.AspectMaps(**SHARED, optimizer="conjugate", n_restarts=STARTS, n_jobs=1, **QUIET).fit(data.P)
    near = [ns.quality.procrustes_disparity(data.maps[0], model.maps_[m]) for m in (0, 1)]
    found = model.maps_[[0, 1] if near[0] < near[1] else [1, 0]]
    panels = []
    for title, maps in (("made", data.maps), ("found", found)):
        for m in (0, 1):
            true, Y = data.maps[m] - data.maps[m].mean(axis=0), maps[m] - maps[m].mean(axis=0)
            left, _, right = np.linalg.svd(Y.T @ true)
            turned = Y @ left @ right  # a rigid motion changes no cost
            names = [str(i) for i in range(100)]
            lines = drawing.scatter(turned, side=300, width=4, names=names, order=range(100))
            panels.append((f"map {m + 1}, {title}", lines))
    drawing.sheet("e3_two_maps", panels, columns=2, side=300)


def senses():
    """E4, [Cook2007, Fig. 5-6]: some of 50 maps of words."""
    data = ns.datasets.fetch_usf_associations()
    model = ns.AspectMaps(input="probabilities", **QUIET).fit(data.P)
    panels = []
    for word in ("CAN", "FIELD"):
        shares = model.mixing_[:, list(data.names).index(word)]
        for m in [m for m in np.argsort(-shares, kind="stable")[:3] if shares[m] >= 0.1]:
            lines = drawing.words(model.maps_[m], model.mixing_[m], data.names, side=400, first=(word,))
            panels.append((f"map {m}: {word} has a proportion of {shares[m]:.2f}", lines))
    drawing.sheet("e4_words", panels, columns=2, side=400)
    drawing.sheet("e4_words", panels, columns=2, side=400, folder=drawing.FIGURES.parents[1] / "tutorials/figures")


def _mnist(n):
    """Return n digits of each class, and 30 principal components of MNIST for them."""
    mnist = ns.datasets.fetch_mnist()
    sample = mnist.sample(n, random_state=0)
    return sample, PCA(30, random_state=0).fit(mnist.X).transform(sample.X)


def background():
    """E2, [Cook2007, Fig. 7-8]: symmetric SNE and UNI-SNE of 5000 digits; and PCA, without colors and with."""
    sample, X = _mnist(500)
    panels = [
        (title, drawing.scatter(model.fit_transform(X), sample.labels, side=460, width=2.5))
        for title, model in (
            ("symmetric SNE", ns.SymmetricSNE(perplexity=30, **QUIET)),
            ("UNI-SNE, background 0.2", ns.UNISNE(perplexity=30, **QUIET)),
        )
    ]
    drawing.sheet("e2_mnist", panels, columns=2, side=460)
    some = np.random.default_rng(0).permutation(len(X))[:2000]
    plain = drawing.scatter(X[some, :2], side=360, width=3)
    colored = drawing.scatter(X[some, :2], sample.labels[some], side=360, width=3)
    panels = [("two principal components", plain), ("the same, colored by class", colored)]
    drawing.sheet("pca", panels, columns=2, side=360)


def collapse():
    """E11, [Cook2007, section 6]: of two maps, here of digits, one becomes a background."""
    sample, X = _mnist(60)
    model = ns.AspectMaps(n_maps=2, perplexity=30, penalty=0.0, normalization="joint", init="random", **QUIET).fit(X)
    maps = model.maps_ - model.maps_.mean(axis=1, keepdims=True)
    panels = []
    for m in np.argsort([-np.ptp(Y) for Y in maps]):
        title = f"mean proportion {model.mixing_[m].mean():.2f}, same scale"
        wide = np.ptp(maps[m]) > np.ptp(maps) / 2
        lines = drawing.scatter(maps[m], sample.labels, side=400, width=4, class_names=wide, frame=maps.reshape(-1, 2))
        panels.append((title, lines))
    drawing.sheet("e11_two_maps", panels, columns=2, side=400)


def common_words():
    """E5, a stand-in for [Cook2007, Fig. 9]: 500 common words."""
    data = ns.datasets.load_common_words()
    Y = ns.UNISNE(perplexity=10, **QUIET).fit_transform(data.X)
    lines = drawing.scatter(Y, side=900, width=2, names=data.names, order=range(len(data)))
    drawing.sheet("e5_common_words", [("500 common words, UNI-SNE", lines)], columns=1, side=900)


def springs():
    """[Maaten2008, Fig. 1]: the force between two objects, by their distances in data and map."""
    x, y = np.linspace(0, 4, 61)[:, None], np.linspace(0, 4, 61)[None]
    heavy = 1 / (1 + y**2)
    panels = [
        (title, drawing.heat(force.T, side=300, x_label="distance in the data, 0 to 4", y_label="in the map, 0 to 4"))
        for title, force in (
            ("SNE", 4 * (np.exp(-(x**2)) - np.exp(-(y**2))) * y),
            ("t-SNE", 4 * (np.exp(-(x**2)) - heavy) * heavy * y),
        )
    ]
    drawing.sheet("springs", panels, columns=2, side=300)


def objects():
    """E9, [Maaten2008, section 4]: faces and objects by four techniques."""
    panels = []
    for data in (ns.datasets.fetch_olivetti(), ns.datasets.fetch_coil20()):
        X, labels, title = vectors(data.images / 255), data.labels, data.title
        for name, technique in (
            ("t-SNE", ns.TSNE(perplexity=PERPLEXITY, **QUIET)),
            ("Sammon", ns.baselines.Sammon(**QUIET)),
            ("Isomap", Isomap(n_neighbors=NEIGHBORS)),
            ("LLE", LocallyLinearEmbedding(n_neighbors=NEIGHBORS, random_state=0)),
        ):
            Y = technique.fit_transform(X)
            lines = drawing.scatter(Y, labels, side=300, width=3, class_names=name == "t-SNE")
            panels.append((f"{title}, {name}", lines))
    assert DIMENSIONS == 30
    drawing.sheet("e9_objects", panels, columns=4, side=300)


def perplexities():
    """E10, [Nabney]: the same clusters at five perplexities."""
    data, panels = ns.datasets.load_clusters(random_state=0), []
    for perplexity in PERPLEXITIES:
        Y = ns.TSNE(perplexity=perplexity, init="random", **QUIET).fit_transform(data.X)
        panels.append((f"perplexity {perplexity}", drawing.scatter(Y, data.labels, side=230, width=3.5)))
    drawing.sheet("e10_perplexity", panels, columns=5, side=230)


def coauthors():
    """E14, [Maaten2012]: some of ten maps of authors by joint papers."""
    data = ns.datasets.fetch_nips_authors()
    data = data.select(data.counts.sum(axis=1) > 0)
    P = ns.affinities.from_counts(data.counts)
    model = ns.MultipleMapsTSNE(n_maps=10, input="probabilities", **QUIET).fit(P)
    names, panels = [name.replace("_", " ") for name in data.names], []
    # Of the twenty with the most shared papers the one who is most divided.
    busy = np.argsort(-np.asarray(data.counts.sum(axis=1)).ravel(), kind="stable")[:20]
    who = busy[model.mixing_[:, busy].max(axis=0).argmin()]
    shares, friends = model.mixing_[:, who], np.asarray(names)[data.counts[[who]].toarray()[0] > 0]
    for m in np.argsort(-shares, kind="stable")[: max(2, int((shares >= 0.1).sum()))]:
        lines = drawing.words(model.maps_[m], model.mixing_[m], names, side=400, first=(names[who], *friends))
        panels.append((f"map {m}: {names[who]} has a proportion of {shares[m]:.2f}", lines))
    drawing.sheet("e14_coauthors", panels, columns=2, side=400)


def two_hills():
    """[Nabney]: a p of two hills, and the one Gaussian that each divergence prefers."""
    x = np.linspace(-6, 6, 121)

    def hill(middle, width):
        return np.exp(-0.5 * ((x - middle) / width) ** 2) / (width * np.sqrt(2 * np.pi))

    p = 0.5 * (hill(-2, 0.5) + hill(2, 0.5))
    series = {"p": (x, p), "q by KL(p || q)": (x, hill(0, np.sqrt(4.25))), "q by KL(q || p)": (x, hill(2, 0.5))}
    drawing.sheet("two_hills", [("one Gaussian for two hills", drawing.curves(series, side=300))], columns=1, side=300)


def kl_against_seconds():
    """DESCENT.md: what is kept by benchmarks.against_seconds."""
    rows = kept("against_seconds")["settings"]["curves"]
    panels = []
    for title, what, frame, at, y_label in (
        ("KL divergence against seconds", "KL", (0, 180, 2.5, 3.5), (250, 24), "nats"),
        ("of ten nearest neighbors kept, against seconds", "neighbors kept", (0, 180, 0.1, 0.42), (280, 310), "share"),
    ):
        series = {}
        for fit in dict.fromkeys(row["fit"] for row in rows):
            own = [row for row in rows if row["fit"] == fit and row[what] is not None]
            seeds = [[row for row in own if row["seed"] == seed] for seed in sorted({row["seed"] for row in own})]
            if seeds:
                series[fit] = tuple([[row[key] for row in some] for some in seeds] for key in ("seconds", what))
        lines = drawing.curves(series, side=420, x_label="seconds", y_label=y_label, frame=frame, names_at=at)
        panels.append((title, lines))
    drawing.sheet("kl_against_seconds", panels, columns=2, side=420)


ALL = (usps, authors, hybrids, circle, two_maps, senses, background, collapse, common_words, springs, objects)
ALL = (*ALL, perplexities, coauthors, two_hills, kl_against_seconds)


def main():
    """Draw what is asked for."""
    for draw in ALL:
        if not sys.argv[1:] or draw.__name__ in sys.argv[1:]:
            draw()


if __name__ == "__main__":
    main()
