"""[Hinton2013] and [Nabney]: what the two lectures show beyond the papers."""

from benchmarks.claims.claim import NOT_ATTEMPTED, PARTLY, REPRODUCED, Claim, ends, percent, shares, spread

__all__ = ["CLAIMS", "TITLE"]

TITLE = (
    "[Hinton2013] G. Hinton. Lecture 11 of CSC 2535, University of Toronto, 2013; [Nabney] I. Nabney. Lecture on "
    "stochastic neighbor embedding"
)


def _pca(kept):
    row = kept.row("e9_objects", data="MNIST", map="PCA")
    own = kept.row("e9_objects", data="MNIST", map="30 components")["1-NN error, median"]
    return f"1-NN error {shares(row, '1-NN error')} in two components, {percent(own)} in 30; {row['runs']} seeds"


def _perplexity(kept):
    rows = [row for row in kept["e10_perplexity"].rows if row["data"] == "clusters"]
    widths = ", ".join(f"{row['widths, median']:.2g}" for row in rows)
    gaps = ", ".join(f"{row['gaps, median']:.2g}" for row in rows)
    coil = [row for row in kept["e10_perplexity"].rows if row["data"] == "COIL-20"]
    kept_near = ", ".join(percent(row["neighbors kept, median"]) for row in coil)
    alike = ", ".join(f"{row['alike, median']:.2g}" for row in coil)
    return (
        f"at {', '.join(str(row['perplexity']) for row in rows)}: wide over narrow clusters {widths} (in the data 4), "
        f"greatest over least gap {gaps} (in the data 1); COIL-20: neighbors kept {kept_near}, disparity of maps from "
        f"two starts {alike}; medians of {kept['e10_perplexity'].seeds} seeds"
    )


def _perplexity_stands(kept):
    rows = [row for row in kept["e10_perplexity"].rows if row["data"] == "clusters"]
    return all(float(ends(row, "widths")[1]) < 2 and row["gaps, median"] > 1.5 for row in rows)


def _hills(kept):
    texts = []
    for name in ("KL(p || q)", "KL(q || p)"):
        place = kept.row("limits", measure=f"{name}: distance of q's center from the middle")["median"]
        width = kept.row("limits", measure=f"{name}: standard deviation of q")["median"]
        texts.append(f"{name}: {abs(place):.2f} from the middle, standard deviation {width:.2f}")
    return "; ".join(texts) + f"; the best of ten starts, the same in {kept['limits'].seeds} seeds"


def _hills_stand(kept):
    near, far = (
        kept.row("limits", measure=f"{name}: distance of q's center from the middle")
        for name in ("KL(p || q)", "KL(q || p)")
    )
    return near["greatest"] < 0.01 and far["least"] > 1.9


def _optimum(kept):
    texts = []
    for title, measure in (
        ("SNE, p and q made in one way", "SNE, p and q in one way: cost"),
        ("symmetric SNE, one sigma", "symmetric SNE, one sigma: least cost"),
        ("symmetric SNE, averaged conditionals", "symmetric SNE, averaged conditionals: least cost"),
    ):
        row = kept.row("limits", measure=measure)
        texts.append(f"{title} {row['median']:.2g} ({row['least']:.2g} to {row['greatest']:.2g})")
    return "least cost, nats: " + "; ".join(texts) + f"; {kept['limits'].seeds} seeds"


def _optimum_stands(kept):
    one = kept.row("limits", measure="symmetric SNE, one sigma: least cost")["greatest"]
    averaged = kept.row("limits", measure="symmetric SNE, averaged conditionals: least cost")["least"]
    return kept.row("limits", measure="SNE, p and q in one way: cost")["greatest"] < 1e-4 and averaged > 1000 * one


_INDEX = "{}: adjusted Rand index, {}"


def _sorted(kept):
    texts = []
    for data in ("two linked rings", "four clusters"):
        for name, title in (("aspect maps", "aspect maps"), ("spectral", "spectral clustering")):
            row = kept.row("limits", measure=_INDEX.format(data, name))
            texts.append(f"{data}, {title}: {row['median']:.2g} ({row['least']:.2g} to {row['greatest']:.2g})")
    return f"adjusted Rand index, 1 is right: {'; '.join(texts)}; {kept['limits'].seeds} seeds, best of 5 restarts"


def _joint(kept):
    row = kept.row("e11_two_maps", normalization="joint", penalty=0.0)
    return f"two maps of 600 digits: KL {row['KL, median']:.3g}, median of {row['seeds']} seeds, no spread kept"


def _product(kept):
    texts = []
    for data in dict.fromkeys(row["P of"] for row in kept["e15_mixture_or_product"].rows):
        rows = [
            kept["e15_mixture_or_product"].row(P_of=data, model=name)
            for name in ("two maps", "one map in 4-D, two projections")
        ]
        cost = " and ".join(spread(row, "KL") for row in rows)
        strange = " and ".join(percent(max(_strangers(row))) for row in rows)
        texts.append(f"{data}: strangers {strange}, KL {cost}")
    seeds = kept["e15_mixture_or_product"].seeds
    return f"mixture and product: {'; '.join(texts)}; strangers of the worse picture; medians of {seeds} seeds"


def _strangers(row):
    return [row[f"strangers, {picture} picture"] for picture in ("first", "second")]


def _pairs(kept):
    """Return (mixture, product), the rows of each data set."""
    rows = kept["e15_mixture_or_product"].rows
    mixtures = [row for row in rows if row["model"] == "two maps"]
    return list(zip(mixtures, [row for row in rows if row["model"].startswith("one map in 4-D")], strict=True))


def _product_stands(kept):
    return all(max(_strangers(mixture)) < min(_strangers(product)) for mixture, product in _pairs(kept))


def _product_reason(kept):
    pairs = _pairs(kept)
    better = sum(product["KL, median"] < mixture["KL, median"] for mixture, product in pairs)
    crowded = sum(max(_strangers(mixture)) > 0.5 for mixture, _ in pairs)
    return (
        f"In all {len(pairs)} sets each projection shows more strangers than each map of the mixture; but in {crowded} "
        "of them more than half of what is near in a map of the mixture is strange, too. The product imitates P better "
        f"in {better}: it is the pictures that mislead, not the model."
    )


CLAIMS = (
    Claim(
        where="[Hinton2013]; [Nabney]",
        what="PCA of digits, without colors and with",
        paper="Without colors no classes are to be seen in two principal components; colors show how they overlap",
        ours=_pca,
        data="MNIST, 6000 images",
        settings="PCA of the pixels",
        verdict=REPRODUCED,
        reason="The nearest neighbor in the picture is of another class more often than not.",
        results=("e9_objects",),
        holds=lambda kept: float(ends(kept.row("e9_objects", data="MNIST", map="PCA"), "1-NN error")[0]) > 0.5,
        figure="pca.svg",
        shows="Two thousand digits, the same picture twice.",
        tutorial="01",
    ),
    Claim(
        where="[Nabney]",
        what="The same data at five perplexities",
        paper="Maps at perplexity 2, 5, 30, 50 and 100 look different; sizes of clusters and gaps mean little",
        ours=_perplexity,
        data="four clusters of the package's own, 500 objects in 10 dimensions; COIL-20. The lecture's are not named",
        settings="t-SNE from random starts",
        seconds=lambda kept: f"{kept.row('e10_perplexity', data='clusters', perplexity=30)['seconds, median']:.1f}",
        verdict=PARTLY,
        reason="On data of our own: at no perplexity do the maps show which clusters are wide, nor that all gaps are "
        "equal.",
        results=("e10_perplexity",),
        holds=_perplexity_stands,
        figure="e10_perplexity.svg",
        shows="Seed 0. Clusters 0 and 2 are narrow, 1 and 3 four times as wide; all centers are equally far apart.",
        tutorial="08",
    ),
    Claim(
        where="[Hinton2013]; [Cook2007, section 1]",
        what="A mixture of two maps or a product",
        paper="Two projections of a 4-D map put near each other what is far apart in it; in a mixture near is near",
        ours=_product,
        data="maps and clouds of 100 objects, 300 digits, word relations, 1000 words, 624 co-authors",
        settings="two maps with equal proportions, or one map in 4-D shown as two projections; *strangers*: of the "
        "five nearest in a picture, those with a p below that of the uniform distribution",
        seconds=lambda kept: "{:.0f}".format(
            kept["e15_mixture_or_product"].row(P_of="1000 words, associations", model="two maps")["seconds"]
        ),
        verdict=PARTLY,
        reason=_product_reason,
        results=("e15_mixture_or_product",),
        holds=_product_stands,
        tutorial="09",
    ),
    Claim(
        where="[Hinton2013]",
        what="Why this divergence and not the other",
        paper="One Gaussian for a p of two hills: KL(p || q) covers both, KL(q || p) picks one",
        ours=_hills,
        data="two hills 4 apart, standard deviation 1/2",
        settings="Nelder-Mead over center and width",
        verdict=REPRODUCED,
        reason="As the lecture says.",
        results=("limits",),
        holds=_hills_stand,
        figure="two_hills.svg",
        shows="p and the two Gaussians; of KL(q || p) its mirror image is as good.",
        tutorial="04",
    ),
    Claim(
        where="[Hinton2013]",
        what="Data of the map's dimension",
        paper="Objects in a plane are their own best map, but not with separate procedures for p and q",
        ours=_optimum,
        data="100 random objects in the plane",
        settings="p proportional to exp(-d); one sigma or averaged conditionals at perplexity 20; L-BFGS from there",
        seconds=lambda kept: f"{kept.row('limits', measure='SNE, p and q in one way: cost')['seconds']:.2g}",
        verdict=REPRODUCED,
        reason="The first two costs are nought to single precision, the third is not.",
        results=("limits",),
        holds=_optimum_stands,
        tutorial="05",
    ),
    Claim(
        where="[Hinton2013]",
        what="Equal locations make a spectral clustering",
        paper="Aspect maps whose objects all share one place sort the objects, as a kind of spectral clustering",
        ours=_sorted,
        data="two linked rings of 100; clusters of 25, 25, 75, 75 objects",
        settings="as many maps as classes, a penalty of 20 that keeps all in one place, perplexity 15",
        seconds=lambda kept: "{:.0f}".format(
            kept.row("limits", measure=_INDEX.format("four clusters", "aspect maps"))["seconds"]
        ),
        verdict=PARTLY,
        reason="Maps without places sort the objects: the clusters, and the rings, which distances to centers "
        "could not. It is no more than a likeness. There are local optima, and on the rings the least of five costs "
        "belongs to a wrong one at times, where spectral clustering is right.",
        results=("limits",),
        holds=lambda kept: (
            kept.row("limits", measure=_INDEX.format("four clusters", "aspect maps"))["least"] > 0.9
            and kept.row("limits", measure=_INDEX.format("two linked rings", "aspect maps"))["median"] > 0.9
        ),
    ),
    Claim(
        where="[Hinton2013]",
        what="Aspect maps with one normalization",
        paper="q_ij = sum over maps of pi_i pi_j exp(-d_ij) / Z, one Z for all pairs",
        ours=_joint,
        data="600 MNIST digits, other images for every seed",
        settings="`AspectMaps(normalization='joint')`",
        seconds=lambda kept: f"{kept.row('e11_two_maps', normalization='joint', penalty=0.0)['seconds, median']:.0f}",
        verdict=REPRODUCED,
        reason="A formula: gradients are checked in tests/mathematics/test_mixtures.py. No number to compare with.",
        results=("e11_two_maps",),
    ),
    Claim(
        where="[Hinton2013]",
        what="Brain scans",
        paper="Maps of brain scans",
        verdict=NOT_ATTEMPTED,
        reason="The lecture names no public data, and there is no set here of which one could say that it is the same.",
    ),
    Claim(
        where="[Hinton2013]",
        what="Speech",
        paper="Maps of speech",
        verdict=NOT_ATTEMPTED,
        reason="The lecture names no public data, and there is no set here of which one could say that it is the same.",
    ),
    Claim(
        where="[Hinton2013]",
        what="Degrees of freedom of the t kernel",
        paper="How heavy the tails of the kernel should be",
        verdict=NOT_ATTEMPTED,
        reason="The kernels of the package are the Gaussian and Student's t with one degree of freedom.",
    ),
    Claim(
        where="[Hinton2013]; [Nabney]",
        what="Faster sums: Barnes-Hut",
        paper="A tree over the map points makes the sums over all pairs cheap",
        verdict=NOT_ATTEMPTED,
        reason="The package sums over all pairs, exactly.",
    ),
    Claim(
        where="[Hinton2013]",
        what="Probability wormholes",
        paper="With several images mass moves from one place to another without passing between",
        verdict=NOT_ATTEMPTED,
        reason="`MixtureSNE` can show it live, by its free proportions; nothing about it was measured.",
    ),
    Claim(
        where="[Nabney]; [Hinton2013]",
        what="Sammon's map, MDS, MVU; double centering",
        paper="The older techniques, and that double centering can make structure that is not there",
        verdict=NOT_ATTEMPTED,
        reason="The package has no other techniques than its own; Isomap, LLE and PCA come from scikit-learn.",
    ),
)
