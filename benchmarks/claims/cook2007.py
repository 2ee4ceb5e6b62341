"""[Cook2007]: Visualizing Similarity Data with a Mixture of Maps."""

from benchmarks.claims.claim import NOT, PARTLY, REPRODUCED, Claim, ends, percent, shares, spread
from benchmarks.claims.hinton2002 import helps, jitter

__all__ = ["CLAIMS", "TITLE"]

TITLE = (
    "[Cook2007] J. Cook, I. Sutskever, A. Mnih, G. Hinton. Visualizing Similarity Data with a Mixture of Maps. "
    "AISTATS, 2007"
)

_E3 = ("e3_two_maps", "e3_two_maps_20_39")
_SPREADS = (0.5, 0.7, 1.0)


def _two_maps_rows(kept, settings):
    return [
        [kept.row(name, settings=settings, standard_deviation=sd) for name in _E3 if name in kept] for sd in _SPREADS
    ]


def _two_maps(kept):
    parts = [
        f"{sum(row['recovered'] for row in rows)} of {sum(row['seeds'] for row in rows)} at standard deviation {sd:g}, "
        f"disparity {' and '.join(format(row['disparity, median'], '.1e') for row in rows)}"
        for sd, rows in zip(_SPREADS, _two_maps_rows(kept, "extra dimensions"), strict=True)
    ]
    plain = [row for rows in _two_maps_rows(kept, "plain L-BFGS") for row in rows]
    found = sum(row["recovered"] for row in plain)
    return f"{'; '.join(parts)} (medians); without extra dimensions {found} of {sum(row['seeds'] for row in plain)}"


def _two_maps_stand(kept):
    rows = [row for rows in _two_maps_rows(kept, "extra dimensions") for row in rows]
    return all(row["recovered"] >= 0.9 * row["seeds"] for row in rows)


def _several(kept):
    """Return the words of the figures that are in two maps or more at seed 0."""
    return {word: len(maps) for word, maps in kept["e4_words"].settings["senses at 50 maps, seed 0"].items()}


def _senses(kept):
    row = kept.row("e4_words", settings="50 maps")
    counts = ", ".join(f"{word} {count}" for word, count in _several(kept).items())
    return (
        f"KL {spread(row, 'KL', '{:.0f}')}, with the penalty {spread(row, 'objective', '{:.0f}')} (a uniform Q: "
        f"{kept['e4_words'].settings['uniform']:.0f}), {row['seeds']} seeds; "
        f"{percent(row['words in several maps, median'])} of the words in two maps or more; at seed 0, maps: {counts}"
    )


def _separation(kept):
    row = kept.row("e4_words", settings="50 maps")
    return (
        f"neighbors in one map are associated {row['separation held out, median']:.1f} times as often as those in two "
        f"(held-out responses; random maps {row['held out, random, median']:.2f}), median of {row['seeds']} seeds"
    )


def _penalty(kept):
    with_it, without = (kept.row("e4_words", settings=f"50 maps{more}") for more in ("", ", penalty 0 (E12)"))
    return (
        f"KL {spread(without, 'KL', '{:.0f}')} without, {spread(with_it, 'KL', '{:.0f}')} with 0.48; separation held "
        f"out {without['separation held out, median']:.1f} and {with_it['separation held out, median']:.1f} (random "
        f"maps {without['held out, random, median']:.1f}); {percent(without['words in several maps, median'])} and "
        f"{percent(with_it['words in several maps, median'])} of the words in two maps or more; {with_it['seeds']} "
        "seeds"
    )


def _digits(kept):
    row, nearest = (kept.row("e2_mnist", settings=f"UNI-SNE, {name}") for name in ("all pairs", "defaults"))
    return (
        f"{spread(row, 'symmetric KL')}, then {spread(row, 'KL')}, {row['seeds']} seeds; 1-NN error "
        f"{shares(row, 'symmetric 1-NN error')}, then {shares(row, '1-NN error')}; with a P of 90 "
        f"neighbors {spread(nearest, 'symmetric KL')}, then {spread(nearest, 'KL')}"
    )


def _digits_stand(kept):
    row = kept.row("e2_mnist", settings="UNI-SNE, all pairs")
    paper = kept["e2_mnist"].settings["paper"]
    fall = (row["symmetric KL, median"] - row["KL, median"]) / (paper[0] - paper[1])
    return 0.9 < fall < 1.1 and row["KL, median"] > paper[1] and row["KL, median"] < 1.1 * paper[1]


def _digits_reason(kept):
    row = kept.row("e2_mnist", settings="UNI-SNE, all pairs")
    first, second = kept["e2_mnist"].settings["paper"]
    return (
        f"The background lowers the divergence by {row['symmetric KL, median'] - row['KL, median']:.2f} nats, in the "
        f"paper by {first - second:.2f}, and parts the classes. Both values are higher than the paper's, by "
        f"{row['symmetric KL, median'] - first:.2f} and {row['KL, median'] - second:.2f}; its images, rate and "
        "stopping are not known. A P cut to near neighbors gives other values, as it is another P."
    )


def _confusions(kept):
    parts = []
    for group in ("4, 7, 9", "3, 5, 8"):
        rows = [kept.row("e13_confusions", map=name, digits=group) for name in ("symmetric SNE", "UNI-SNE")]
        before, after = (shares(row, "within") for row in rows)
        parts.append(f"{group} taken for one another: {before} in symmetric SNE, {after} in UNI-SNE")
    return "; ".join(parts) + f"; {kept['e13_confusions'].seeds} seeds"


def _confusions_stand(kept):
    for group in ("4, 7, 9", "3, 5, 8"):
        before, after = (
            ends(kept.row("e13_confusions", map=name, digits=group), "within") for name in ("symmetric SNE", "UNI-SNE")
        )
        if float(after[1]) > 0.7 * float(before[0]):
            return False
    return True


def _collapse(kept):
    rows = {name: kept.row("e11_two_maps", normalization=name, penalty=0.0) for name in ("joint", "conditional")}
    parts = [
        f"{name} form: {row['collapsed']} (radii {row['radii of the wide map']} and {row['radii of the narrow map']})"
        for name, row in rows.items()
    ]
    return "; ".join(parts)


def _collapse_stands(kept):
    rows = [kept.row("e11_two_maps", normalization=name, penalty=0.0) for name in ("joint", "conditional")]
    (joint, of), (conditional, _) = (map(int, row["collapsed"].split(" of ")) for row in rows)
    return joint == of and conditional < of


_ISOLATED = "{}: what it has of an equal share"


def _isolated(kept):
    one, averaged = (
        kept.row("limits", measure=_ISOLATED.format(name)) for name in ("one sigma", "averaged conditionals")
    )
    return (
        f"of an equal share of P it has at most {one['greatest']:.2f} with one sigma and at least "
        f"{averaged['least']:.2f} with averaged conditionals; {one['seeds']} seeds"
    )


def _common(kept):
    parts = []
    for name, called in (("UNISNE", "UNI-SNE"), ("TSNE", "t-SNE"), ("SNE", "SNE")):
        row = kept.row("e5_common_words", vectors="as they are", model=name)
        low, high = (percent(float(end)) for end in ends(row, "kinds"))
        parts.append(f"{called} {percent(row['kinds'])} ({low} to {high})")
    rest = {"PCA": "as they are", "none: the vectors": "as they are", "random points": "chance"}
    shares_of = {
        model: percent(kept.row("e5_common_words", vectors=of, model=model)["kinds"]) for model, of in rest.items()
    }
    return (
        f"of the three nearest of a word of one of nine kinds, of the same kind: {', '.join(parts)}; PCA "
        f"{shares_of['PCA']}, the vectors themselves {shares_of['none: the vectors']}, by chance "
        f"{shares_of['random points']}; {kept['e5_common_words'].seeds} seeds"
    )


def _common_holds(kept):
    rows = {name: kept.row("e5_common_words", vectors="as they are", model=name)["kinds"] for name in ("UNISNE", "PCA")}
    return (
        rows["UNISNE"] > 10 * kept.row("e5_common_words", vectors="chance")["kinds"]
        and rows["UNISNE"] > 1.5 * rows["PCA"]
    )


CLAIMS = (
    Claim(
        where="Eq. 7",
        what="The gradient of aspect maps",
        paper="Cost and gradient of several maps with mixing proportions",
        verdict=PARTLY,
        reason="Right with corrections, and checked by central differences in tests/mathematics/test_mixtures.py. The "
        "printed derivative by a map point lacks the sum over j; *log q z* is log(q z); one line has the proportion of "
        "h twice; the force in section 2 points the other way. Those by proportions and distances hold where rows of P "
        "sum to 1 and no object is its own neighbor. That by the weights has the sign of proportions made of exp(-w).",
    ),
    Claim(
        where="Fig. 4",
        what="Two maps from one P",
        paper="100 objects in two maps; both come back from one P, the KL goes to 0",
        ours=_two_maps,
        data="100 objects, Gaussian in each of two maps, matched at random; P without error; 40 seeds",
        settings="mixing proportions 1/2, no penalty, L-BFGS; four extra dimensions at first and up to 20 restarts, "
        "which the paper does not have; recovered: Procrustes disparity below 0.01 of both maps",
        seconds=lambda kept: " and ".join(
            f"{kept.row(_E3[-1], settings='extra dimensions', standard_deviation=sd)['seconds, median']:.1f}"
            for sd in _SPREADS
        ),
        verdict=PARTLY,
        reason="Both maps come back up to a rigid motion in nearly every seed, but by our own way of starting: from "
        "plain random starts they hardly ever do. The first 20 seeds hold those that the recipe was chosen on, the "
        "others do not.",
        results=_E3,
        holds=_two_maps_stand,
        figure="e3_two_maps.svg",
        shows="As in the paper, each object wears its number in both maps; moved and turned onto the original, not "
        "scaled.",
        tutorial="09",
    ),
    Claim(
        where="Fig. 5-6",
        what="Words with several meanings",
        paper="CAN, FIELD, FIRE, DEATH and others are in several of 50 maps, each time among words of another sense",
        ours=_senses,
        data="USF norms, the 1000 cue words most often given as responses, as in the paper",
        settings="50 maps, penalty 0.48, random starts",
        seconds=lambda kept: f"{kept.row('e4_words', settings='50 maps')['seconds, median']:.0f}, on a busy machine",
        verdict=PARTLY,
        reason="Many words are in several maps, and what they meet there hangs together (see below). Which words "
        "these are differs from run to run: at seed 0 FIRE and DEATH keep to one map. The paper gives no number.",
        results=("e4_words",),
        holds=lambda kept: _several(kept)["CAN"] > 1 and _several(kept)["FIELD"] > 1 and _several(kept)["FIRE"] == 1,
        figure="e4_words.svg",
        shows="The maps of seed 0 in which CAN and FIELD have a proportion of 0.1 or more, three at most for each; the "
        "area of a dot is the proportion. The paper shows other words besides, and writes all names.",
        tutorial="10",
    ),
    Claim(
        where="section 5",
        what="Are two copies two meanings?",
        paper="Left open; the test it names: do two meanings model the judgments better than one?",
        ours=_separation,
        data="the same words; responses and cues outside the 1000 are held out",
        settings="association of neighbors within a map over that across a word's maps",
        seconds=lambda kept: "part of the fit above",
        verdict=PARTLY,
        reason="The contexts are coherent in responses that the maps have not seen. Whether they are senses is not "
        "settled by that: they are contexts. What one word loses when a copy is taken out is measured in the tutorial.",
        results=("e4_words",),
        holds=lambda kept: kept.row("e4_words", settings="50 maps")["separation held out, median"] > 2,
        tutorial="10",
    ),
    Claim(
        where="section 5",
        what="The penalty keeps maps coherent",
        paper="The maps of words are fitted with a penalty of 0.48 on the map points",
        ours=_penalty,
        data="the same words",
        settings="50 maps, penalty 0 and 0.48",
        seconds=lambda kept: f"{kept.row('e4_words', settings='50 maps, penalty 0 (E12)')['seconds, median']:.0f}",
        verdict=REPRODUCED,
        reason="Without the penalty the cost is far lower, fewer words are in several maps, and what they meet there "
        "hangs together far less, though more than at random: more free numbers than associations. The comparison is "
        "ours; the paper does not show the maps without.",
        results=("e4_words",),
        holds=lambda kept: (
            kept.row("e4_words", settings="50 maps, penalty 0 (E12)")["separation held out, median"]
            < 0.7 * kept.row("e4_words", settings="50 maps")["separation held out, median"]
        ),
        tutorial="10",
    ),
    Claim(
        where="section 6",
        what="Of two maps of digits one collapses",
        paper="Two aspect maps fitted to digits: one keeps all points in its middle and becomes a background",
        ours=_collapse,
        data="600 MNIST images in 30 principal components, other images for each of five seeds",
        settings="two maps, free proportions, no penalty, perplexity 30; collapsed: a radius below a third of the "
        "other's",
        seconds=lambda kept: f"{kept.row('e11_two_maps', normalization='joint', penalty=0.0)['seconds, median']:.0f}",
        verdict=PARTLY,
        reason="In the joint form, which is that of UNI-SNE, in every seed; in the conditional form, which is that of "
        "the paper's aspect maps, in fewer than half. The narrow map still tells some digits apart.",
        results=("e11_two_maps",),
        holds=_collapse_stands,
        figure="e11_two_maps.svg",
        shows="Not a figure of the paper. The joint form at seed 0, both maps at one scale.",
        tutorial="06",
    ),
    Claim(
        where="Fig. 7-8",
        what="MNIST: symmetric SNE, then UNI-SNE",
        paper="5000 digits: KL 2.47 under symmetric SNE, 1.48 with a background of 0.2; gaps open between the classes",
        ours=_digits,
        data="MNIST, 500 images a class, 30 principal components of all 60,000, other images for every seed",
        settings="perplexity 30, averaged conditionals over all pairs, background 0.2",
        seconds=lambda kept: (
            f"{kept.row('e2_mnist', settings='UNI-SNE, all pairs')['seconds, median']:.0f}; with 90 "
            f"neighbors {kept.row('e2_mnist', settings='UNI-SNE, defaults')['seconds, median']:.1f}"
        ),
        verdict=PARTLY,
        reason=_digits_reason,
        results=("e2_mnist",),
        holds=_digits_stand,
        figure="e2_mnist.svg",
        shows="Both maps of one sample, with a P of 90 neighbors, classes by color and number. Not the paper's "
        "images, and another start, so another arrangement.",
        tutorial="06",
    ),
    Claim(
        where="Fig. 7-8",
        what="4, 7, 9 and 3, 5, 8",
        paper="Classes that look alike run into each other under symmetric SNE and part under UNI-SNE; no number",
        ours=_confusions,
        data="the same samples",
        settings="with a P of 90 neighbors; class of the nearest neighbor in the map",
        seconds=lambda kept: f"{kept.row('e13_confusions', map='UNI-SNE', digits='4, 7, 9')['seconds, median']:.0f}",
        verdict=REPRODUCED,
        reason="In every seed fewer digits are taken for another of their group with the background than without. Some "
        "remain: at seed 0 4 and 9 still lie over each other, see the figure.",
        results=("e13_confusions",),
        holds=_confusions_stand,
        figure="e2_mnist.svg",
        tutorial="06",
    ),
    Claim(
        where="Fig. 9",
        what="The company of common words",
        paper="500 common words and symbols under UNI-SNE, from 100-d vectors of AP news; like words lie together",
        ours=_common,
        data="a stand-in: 500 entries of GloVe 6B, 50 dimensions; the paper's vectors were never published",
        settings="perplexity 10, random starts; UNI-SNE with a background of 0.2",
        verdict=PARTLY,
        reason="A stand-in for the vectors, so the map is another one. Like words do lie together, nearly as far as "
        "the vectors say so; the kinds are ours, closed lists drawn up before counting. The paper gives no number.",
        results=("e5_common_words",),
        holds=_common_holds,
        figure="e5_common_words.svg",
        shows="The whole map at perplexity 10 and seed 0, with the names there is room for, commonest first; the paper "
        "enlarges parts of its map.",
        tutorial="11",
    ),
    Claim(
        where="section 6",
        what="Jitter that fades",
        paper="1100 updates of symmetric SNE with exponentially decaying jitter; what it gains is not said",
        ours=lambda kept: jitter(kept, "symmetric SNE"),
        data="600 USPS digits, 120 each of 0-4, other images for every seed",
        settings="symmetric SNE, perplexity 15, default rate and momentum, one random start for all; then L-BFGS",
        seconds=lambda kept: f"{kept.row('e7_jitter', model='symmetric SNE', jitter='none')['seconds, median']:.1f}",
        verdict=NOT,
        reason="No gain was found: better than no jitter in some seeds and worse in others; a PCA start without jitter "
        "is better in nearly all. The paper does not compare.",
        results=("e7_jitter",),
        holds=lambda kept: (
            not helps(kept, "symmetric SNE", "fading: 0.3 exp(-t / 86)")
            and helps(kept, "symmetric SNE", "none, PCA start")
        ),
    ),
    Claim(
        where="section 2",
        what="The isolated object",
        paper="With one sigma for all an object far from the others has next to no say; averaged conditionals cure it",
        ours=_isolated,
        data="100 random objects in 5 dimensions, one of them far away",
        settings="perplexity 15",
        verdict=REPRODUCED,
        reason="With averaged conditionals no object has less than half of an equal share.",
        results=("limits",),
        holds=lambda kept: (
            kept.row("limits", measure=_ISOLATED.format("one sigma"))["greatest"] < 1e-3
            and kept.row("limits", measure=_ISOLATED.format("averaged conditionals"))["least"] >= 0.49
        ),
        tutorial="05",
    ),
)
