"""[Hinton2002] and [Cook2007] in PAPERS.md: every number of ours, and the ground of every verdict.

Each test stands for one entry of the page, or for several that are alike. It asserts what must be true of the kept
results for the verdict to stand, and returns the numbers that the entry must show, in their order, as they were kept;
`check` compares them with the page, which rounds them.
"""

from statistics import median

from tests.benchmarks.pages import check, ends, kept, listed, numbers, row, seeds, spread

# [Hinton2002]


@check("Digits under SNE")
def test_usps(claim):
    rows = [row("e1_usps", settings=name) for name in ("defaults", "paper, rate 0.2", "paper, rate 0.1")]
    defaults, recipe, _ = rows
    paper = kept("e1_usps")["settings"]["paper"]
    assert all(each["cost, median"] <= paper for each in rows) and defaults["cost, greatest"] <= paper
    assert claim.verdict == "reproduced" and paper in [value for value, _ in numbers(claim.paper)]
    ours = [*(value for each in rows for value in spread(each, "cost")), seeds("e1_usps")]
    return (
        [*ours, defaults["1-NN error, median"]],
        [defaults["seconds, median"], recipe["seconds, median"]],
        [2, 0.2, recipe["cost, greatest"]],
    )


@check("NIPS authors by their words")
def test_authors(claim):
    found, own = (row("e8_authors", data="log counts", model=name) for name in ("SNE", "none: the vectors"))
    assert 10 * found["chance"] < found["agreement, median"] < 0.5 * own["agreement, median"]
    ours = [*spread(found, "agreement"), found["chance"], own["agreement, median"], seeds("e8_authors")]
    return ours, [found["seconds"]], [0]


@check("Hybrid digits in two places")
def test_hybrids(claim):
    regions, ours = "in both parents' regions, median", []
    for each in kept("e6_hybrids")["rows"]:
        pairs = zip(listed(each, "hybrids separated"), listed(each, "others separated"), strict=True)
        assert all(a > b for a, b in pairs) and each[regions] < 0.67
    for name in ("simplified, defaults", "simplified, held", "simplified, held, pull 0.2"):
        each = row("e6_hybrids", settings=name)
        ours += [0.2] if "pull" in name else []
        for group in ("hybrids", "others"):
            separated = listed(each, f"{group} separated")
            ours += [median(separated), min(separated), max(separated)]
        ours.append(each[regions])
    took = row("e6_hybrids", settings="simplified, held")["seconds, median"]
    return [*ours, seeds("e6_hybrids")], [took], [0.66, 0.19]


@check("A circle on a line")
def test_circle(claim):
    ours = []
    for name in ("simplified", "two images, free proportions", "two images, free, random start"):
        each = row("circle", settings=name)
        pieces = listed(each, "pieces")
        assert 1 < min(pieces) and max(pieces) < 10
        assert each["adjacent pairs kept, least"] == 1 and each["ten neighbors kept, median"] > 0.95
        ours += [min(pieces), max(pieces), each["adjacent pairs kept, least"], each["ten neighbors kept, median"]]
    assert min(listed(row("circle", settings="simplified, held"), "pieces")) > 10
    ours += [row("circle", settings="SNE")["ten neighbors kept, median"], seeds("circle")]
    return ours, [row("circle", settings="simplified")["seconds, median"]]


@check("The limit of large variance")
def test_large_variance(claim):
    cost = "cost over half the mean squared mismatch, standard deviation "
    rows = {scale: row("limits", measure=cost + scale) for scale in ("1", "0.1", "0.01")}
    cosine = row("limits", measure="cosine between the two gradients, standard deviation 0.01")["least"]
    last = rows["0.01"]
    assert abs(last["least"] - 1) < 1e-3 and abs(last["greatest"] - 1) < 1e-3 and cosine > 0.999
    ours = [value for scale, each in rows.items() for value in (each["median"], float(scale))]
    return [*ours, cosine, seeds("limits")], [last["seconds"]]


PASSES, FADING, PCA_START = "two passes: 0.3 for 500 updates, then none", "fading: 0.3 exp(-t / 86)", "none, PCA start"


def helps(model, name):
    """Return whether a way to start or to anneal is better than none in two thirds of the seeds."""
    return row("e7_jitter", model=model, jitter=name)["better"] >= 2 * seeds("e7_jitter") / 3


@check("Annealing by jitter", "Jitter that fades")
def test_annealing(claim):
    model = "SNE" if claim.what == "Annealing by jitter" else "symmetric SNE"
    rows = {name: row("e7_jitter", model=model, jitter=name) for name in ("none", PASSES, FADING, PCA_START)}
    if model == "SNE":
        passes = rows[PASSES]
        assert helps(model, PASSES) and passes["better"] > rows[FADING]["better"]
        assert passes["less than without, median"] < 2 * passes["less than without, standard error"]
        assert rows[PCA_START]["cost, median"] < passes["cost, median"]
        assert rows[PCA_START]["seconds, median"] < passes["seconds, median"]
    else:
        assert claim.verdict == "not" and not helps(model, FADING) and helps(model, PCA_START)
    ours = []
    for name, each in rows.items():
        ours += spread(each, "cost") + ([] if name == "none" else [each["better"], each["worse"]])
    return [*ours, seeds("e7_jitter")], [rows[PASSES if model == "SNE" else "none"]["seconds, median"]]


@check("Leaving out the small p")
def test_small_p(claim):
    near, pairs = (row("e2_mnist", settings=f"UNI-SNE, {name}") for name in ("defaults", "all pairs"))
    assert near["1-NN error, median"] < 0.12 and near["seconds, median"] < 0.5 * pairs["seconds, median"]
    ours = [*spread(near, "1-NN error"), 90, *spread(pairs, "1-NN error"), near["seeds"]]
    return ours, [near["seconds, median"], pairs["seconds, median"]]


# [Cook2007]


@check("Two maps from one P")
def test_two_maps(claim):
    names, ours, plain, took = ("e3_two_maps", "e3_two_maps_20_39"), [], [], []
    for sd in (0.5, 0.7, 1.0):
        rows = [row(name, settings="extra dimensions", standard_deviation=sd) for name in names]
        assert all(each["recovered"] >= 0.9 * each["seeds"] for each in rows)
        ours += [sum(each["recovered"] for each in rows), sum(each["seeds"] for each in rows), sd]
        ours += [each["disparity, median"] for each in rows]
        plain += [row(name, settings="plain L-BFGS", standard_deviation=sd) for name in names]
        took.append(rows[-1]["seconds, median"])
    return [*ours, sum(each["recovered"] for each in plain), sum(each["seeds"] for each in plain)], took, [20]


@check("Words with several meanings")
def test_senses(claim):
    each, settings = row("e4_words", settings="50 maps"), kept("e4_words")["settings"]
    maps = {word: len(found) for word, found in settings["senses at 50 maps, seed 0"].items()}
    assert maps["CAN"] > 1 and maps["FIELD"] > 1 and maps["FIRE"] == maps["DEATH"] == 1
    assert [f"{word} {count}" in claim.ours for word, count in maps.items()] == [True] * len(maps)
    ours = [*spread(each, "KL"), *spread(each, "objective"), settings["uniform"], each["seeds"]]
    return [*ours, each["words in several maps, median"], 0, *maps.values()], [each["seconds, median"]], [0]


@check("Are two copies two meanings?")
def test_separation(claim):
    each, copies = row("e4_words", settings="50 maps"), row("senses_evidence_1000", of="all words")
    assert each["separation held out, median"] > 2
    # For most words no: neither is the second copy worth more than its error, nor is it found.
    assert copies["gain above its error"] < 0.5 and copies["q < 0.05"] < 0.25 * copies["with several copies"]
    settings = kept("senses_evidence_1000")["settings"]
    assert 0.3 < settings["AUC"] < 0.7
    ours = [each["separation held out, median"], each["held out, random, median"], each["seeds"]]
    ours += [copies["gain, median"], copies["with several copies"], -copies["gain, quarter below"]]
    ours += [copies["gain, quarter above"], copies["gain above its error"], settings["rate"], copies["q < 0.05"]]
    return [*ours, settings["thinnings"]], []


@check("The penalty keeps maps coherent")
def test_penalty(claim):
    with_it, without = (row("e4_words", settings=f"50 maps{more}") for more in ("", ", penalty 0 (E12)"))
    held_out, several = "separation held out, median", "words in several maps, median"
    assert without["held out, random, median"] < without[held_out] < 0.7 * with_it[held_out]
    assert without["KL, median"] < 0.5 * with_it["KL, median"] and without[several] < with_it[several]
    ours = [*spread(without, "KL"), *spread(with_it, "KL"), 0.48, without[held_out], with_it[held_out]]
    ours += [without["held out, random, median"], without[several], with_it[several], with_it["seeds"]]
    return ours, [without["seconds, median"]]


@check("Of two maps of digits one collapses")
def test_collapse(claim):
    ours, rows = [], [row("e11_two_maps", normalization=name, penalty=0.0) for name in ("joint", "conditional")]
    for each in rows:
        ours += [int(count) for count in each["collapsed"].split(" of ")]
        ours += listed(each, "radii of the wide map") + listed(each, "radii of the narrow map")
    assert rows[0]["collapsed"] == "5 of 5" and int(rows[1]["collapsed"][0]) < 2.5
    assert all(each["1-NN error, narrow, median"] < 0.7 for each in rows)
    return ours, [rows[0]["seconds, median"]]


@check("MNIST: symmetric SNE, then UNI-SNE")
def test_background(claim):
    pairs, near = (row("e2_mnist", settings=f"UNI-SNE, {name}") for name in ("all pairs", "defaults"))
    paper = kept("e2_mnist")["settings"]["paper"]
    first, second = pairs["symmetric KL, median"], pairs["KL, median"]
    assert 0.9 < (first - second) / (paper[0] - paper[1]) < 1.1 and paper[1] < second < 1.1 * paper[1]
    ours = [*spread(pairs, "symmetric KL"), *spread(pairs, "KL"), pairs["seeds"]]
    ours += [*spread(pairs, "symmetric 1-NN error"), *spread(pairs, "1-NN error")]
    ours += [90, *spread(near, "symmetric KL"), *spread(near, "KL")]
    reason = [first - second, paper[0] - paper[1], first - paper[0], second - paper[1]]
    return ours, [pairs["seconds, median"], 90, near["seconds, median"]], reason


@check("4, 7, 9 and 3, 5, 8")
def test_confusions(claim):
    ours = []
    for digits in ("4, 7, 9", "3, 5, 8"):
        before, after = (row("e13_confusions", map=name, digits=digits) for name in ("symmetric SNE", "UNI-SNE"))
        assert ends(after, "within")[1] <= 0.7 * ends(before, "within")[0]
        ours += [*map(int, digits.split(", ")), *spread(before, "within"), *spread(after, "within")]
    return [*ours, seeds("e13_confusions")], [after["seconds, median"]], [0, 4, 9]


@check("Common words and their neighbors")
def test_common_words(claim):
    rows = [row("e5_common_words", vectors="as they are", model=name) for name in ("UNISNE", "TSNE", "SNE")]
    own, pca = (row("e5_common_words", vectors="as they are", model=name) for name in ("none: the vectors", "PCA"))
    chance = row("e5_common_words", vectors="chance")["kinds"]
    assert rows[0]["kinds"] > 10 * chance and rows[0]["kinds"] > 1.5 * pca["kinds"]
    assert rows[0]["kinds"] > 0.9 * own["kinds"]
    ours = [value for each in rows for value in (each["kinds"], *ends(each, "kinds"))]
    return [*ours, pca["kinds"], own["kinds"], chance, seeds("e5_common_words")], []


@check("The isolated object")
def test_isolated(claim):
    share = ": what it has of an equal share"
    one, averaged = (row("limits", measure=name + share) for name in ("one sigma", "averaged conditionals"))
    assert one["greatest"] < 1e-3 and averaged["least"] >= 0.49
    return [one["greatest"], averaged["least"], seeds("limits")], []
