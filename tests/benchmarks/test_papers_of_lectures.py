"""What the papers and lectures say in a sentence, in PAPERS.md: our numbers, and the ground of every verdict.

Each test stands for one entry of the page. It asserts what must be true of the kept results for the verdict to stand,
and returns the numbers that the entry must show, in their order, as they were kept; `check` compares them with the
page, which rounds them.
"""

from itertools import pairwise

from tests.benchmarks.pages import check, kept, numbers, row, seeds


def three(each):
    """Return median, least and greatest of a row."""
    return [each["median"], each["least"], each["greatest"]]


@check("Orientation, skew and thickness vary smoothly")
def test_smooth_digits(claim):
    properties, maps = ("skew", "orientation", "thickness"), ("SNE", "PCA", "none: the pixels")
    found = {
        (data, what): [row("smooth_digits", data=data, property=what, map=name) for name in maps]
        for data in ("USPS", "MNIST")
        for what in properties
    }
    # More than by the class alone, in all seeds; what leans is told by far the better in the map of SNE.
    assert all(sne["least"] > 0.05 for sne, *_ in found.values()) and claim.verdict == "reproduced"
    for key in (("USPS", "thickness"), ("MNIST", "skew"), ("MNIST", "orientation")):
        sne, pca, _ = found[key]
        assert sne["least"] > pca["greatest"] and sne["median"] > 0.45
    sne, pca, _ = found["MNIST", "thickness"]
    assert pca["median"] > sne["median"]
    lean = kept("smooth_digits")["settings"]["degrees between which nine of ten digits lean, median"]
    ours = []
    for sne, *others in found.values():
        ours += [*three(sne), *(max(0.0, each["median"]) for each in others)]
    return [*ours, lean["USPS"], lean["MNIST"], seeds("smooth_digits")], []


@check("Hours for 3000 digits")
def test_hours(claim):
    defaults, recipe = (row("e1_usps", settings=name) for name in ("defaults", "paper, rate 0.2"))
    took = [each["seconds, median"] for each in (defaults, recipe)]
    # The paper's own descent is as quick, so that it is no other search that makes the difference.
    assert claim.verdict == "not" and max(took) < 60 and recipe["cost, median"] < kept("e1_usps")["settings"]["paper"]
    return [*took, seeds("e1_usps")], []


@check("Better global organization by annealing")
def test_organization(claim):
    ours = []
    for n in (200, 600):
        ours.append(n)
        for measure in ("distances", "class distances", "in pieces"):
            none, both = (organization(n, name, measure) for name in ("none", "both passes"))
            # "Much better" is neither a small step nor a gain that a quarter of the samples do not have.
            assert abs(both["median"] - none["median"]) <= 0.1 and both["worse"] >= both["seeds"] / 4
            ours += [*three(none), *three(both), both["better"], both["worse"]]
    both, pca = (organization(600, name, "distances") for name in ("both passes", "none, PCA start"))
    assert claim.verdict == "not" and abs(pca["median"] - both["median"]) < 0.01
    return [*ours, seeds("organization")], []


def organization(objects, jitter, measure):
    """Return the row of a measure of the whole map."""
    return row("organization", objects=objects, jitter=jitter, measure=measure)


@check("The reputable hack")
def test_relaxed_penalty(claim):
    ours, found = [], {}
    for model in ("t-SNE", "symmetric SNE"):
        rows = {each["penalty"]: each for each in kept("relaxed_penalty")["rows"] if each["model"] == model}
        pca, found[model] = rows.pop("none, PCA start"), [each for name, each in rows.items() if name != "none"]
        ours += three(rows["none"])
        for each in found[model]:
            ours += [*numbers_of(each["penalty"]), *three(each), each["better"], each["worse"]]
        ours += three(pca)
    n = seeds("relaxed_penalty")
    assert claim.verdict == "reproduced" and all(each["better"] >= n - 1 for each in found["t-SNE"])
    assert all(each["better than PCA"] == n for each in found["t-SNE"])
    fast, *slow = found["symmetric SNE"]
    assert all(each["better"] > 2 * each["worse"] for each in slow) and fast["better"] < slow[0]["better"]
    assert all(each["worse than PCA"] > n / 2 for each in found["symmetric SNE"])
    return [*ours, n], []


def numbers_of(text):
    """Return the numbers in a text."""
    return [value for value, _ in numbers(text)]


def room(measure):
    """Return the row of a measure of stress, or of the room in a map."""
    return row("stress_and_crowding", measure=measure)


@check("Large distances dominate stress")
def test_stress(claim):
    weights, ours, decides = ("metric MDS", "Sammon", "errors over distances"), [], []
    shares = {}
    for name in weights:
        for of in ("of errors in proportion", "of the map's errors"):
            pairs = (room(f"{name}, {of}: {which}") for which in ("long half", "shortest tenth"))
            shares[name, of] = [each["median"] for each in pairs]
            ours += shares[name, of]
        decides.append(round(seeds("stress_and_crowding") * room(f"{name}: the long half decides more")["mean"]))
    stress, sammon, _ = (shares[name, "of errors in proportion"] for name in weights)
    assert stress[0] > sammon[0] > 0.5 and stress[1] < 0.05 < sammon[1] < 0.1
    # Of the errors of the map itself the long half has less than a half: hence "partly".
    assert decides[0] > seeds("stress_and_crowding") / 2 and claim.verdict == "partly"
    assert all(shares[name, "of the map's errors"][0] < 0.5 for name in weights)
    for which in ("long half", "short half"):
        ours += three(room(f"metric MDS: disparity of the map by the {which} alone"))
    ours += [decides[0], seeds("stress_and_crowding"), *decides[1:]]
    ours += [room(f"{name}: neighbors kept")["median"] for name in ("metric MDS", "SNE")]
    return [*ours, seeds("stress_and_crowding")], []


@check("Crowding in two dimensions")
def test_crowding(claim):
    dimensions, names = (2, 3, 5, 10, 20), ("SNE", "t-SNE")
    balls = [room(f"ball of {d} dimensions: popular") for d in dimensions]
    kept_ones, popular = (
        {name: [room(f"ball of {d} dimensions, {name}: {what}") for d in dimensions] for name in names}
        for what in ("neighbors kept", "popular")
    )
    for name in names:
        assert all(after["greatest"] < before["least"] for before, after in pairwise(kept_ones[name]))
    sne, tsne = (kept_ones[name] for name in names)
    assert sne[0]["least"] > tsne[0]["greatest"]
    assert all(a["greatest"] < b["least"] for a, b in zip(sne[1:], tsne[1:], strict=True))
    most = [max(each["greatest"] for each in popular[name]) for name in names]
    assert max(most) < 1.5 * balls[0]["greatest"] < balls[-1]["least"] and claim.verdict == "reproduced"
    kinds = ("SNE", "symmetric SNE", "UNI-SNE", "t-SNE")
    gaps = [room(f"ten classes, {name}: gap") for name in kinds]
    assert gaps[3]["least"] > max(each["greatest"] for each in gaps[:3])
    ours = [*dimensions, *(each["median"] for name in names for each in kept_ones[name])]
    ours += [*(each["median"] for each in balls), *most, *(each["median"] for each in gaps)]
    return [*ours, seeds("stress_and_crowding")], []


def codes(name, measure):
    """Return the row of a measure of codes that pairs or attraction pull."""
    return row("pulled_codes", codes=name, measure=measure)


NEW, KNOWN = "error of new digits", "error of known digits, 1 neighbor"


@check("Codes with pairs of one class")
def test_pairs_of_one_class(claim):
    alone, pairs = (
        {what: codes(name, what) for what in (KNOWN, NEW, "seconds")}
        for name in ("2 numbers", "2 numbers, pairs of one class")
    )
    assert pairs[KNOWN]["greatest"] < 0.02 and claim.verdict == "reproduced"
    assert all(2 * pairs[what]["greatest"] < alone[what]["least"] for what in (KNOWN, NEW))
    ours = [value for what in (KNOWN, NEW) for each in (alone, pairs) for value in three(each[what])]
    return [*ours, seeds("pulled_codes")], [each["seconds"]["median"] for each in (alone, pairs)]


@check("Attraction alone")
def test_attraction_alone(claim):
    known = "error of known digits, 20 neighbors"
    names = ("20 numbers", "20 numbers, attraction alone", "20 numbers, attraction alone, by classes")
    plain, pulled, classes = ({what: codes(name, what) for what in (known, NEW, "spread", "seconds")} for name in names)
    lower = [codes("20 numbers, attraction alone: lower than without", what)["seeds"] for what in (known, NEW)]
    assert pulled["spread"]["least"] > 0.4 * plain["spread"]["least"]
    # Not collapsed, but hardly better, where SNE with its sums is: hence "partly".
    sne = row("fractured_codes", codes="autoencoder with SNE")["error, 20 neighbors, median"]
    assert (
        claim.verdict == "partly"
        and sne < pulled[known]["median"] - 0.01
        and classes[NEW]["median"] > plain[NEW]["median"]
    )
    ours = [20, *three(plain["spread"]), *three(pulled["spread"])]
    ours += [20, *three(plain[known]), *three(pulled[known]), lower[0], seeds("pulled_codes")]
    ours += [*three(plain[NEW]), *three(pulled[NEW]), lower[1], *three(classes[known]), *three(classes[NEW])]
    return ours, [each["seconds"]["median"] for each in (plain, pulled)]


def eigenmaps(measure):
    """Return the row of a measure of maps beside Laplacian eigenmaps."""
    return row("eigenmaps", measure=measure)


def angle(name):
    """Return the row of the angle of a map from Laplacian eigenmaps."""
    return eigenmaps(f"{name}: angle from Laplacian eigenmaps")


@check("Elastic embedding")
def test_elastic_embedding(claim):
    one = eigenmaps("elastic embedding and symmetric SNE: one gradient")["greatest"]
    names = ("lambda 20", "lambda 2", "lambda 1.3 times where it closes")
    sne, *maps = (angle(name) for name in ("symmetric SNE", *(f"elastic embedding, {name}" for name in names)))
    assert one < 1e-12 and maps[-1]["median"] < sne["median"] / 3
    times = {}
    for model in ("SNE", "symmetric SNE"):
        for way in ("spectral", "steepest descent", "L-BFGS"):
            both = [eigenmaps(f"{model}, {way}: {what} over those of momentum") for what in ("updates", "seconds")]
            times[model, way] = [each["median"] for each in both]
        # Fewer updates than momentum, but more time: hence "partly".
        updates, seconds = times[model, "spectral"]
        assert updates < 1 < seconds and updates < 0.5 * times[model, "steepest descent"][0]
        assert eigenmaps(f"{model}, spectral: updates over those of momentum")["there"] == seeds("eigenmaps")
    assert claim.verdict == "partly"
    ours = [one, *three(sne), 20, *three(maps[0]), 2, *three(maps[1]), 1.3, *three(maps[2])]
    quicker = {
        model: times[model, "steepest descent"][1] / times[model, "spectral"][1] for model in ("SNE", "symmetric SNE")
    }
    assert quicker["SNE"] > 1.5 and 0.8 < quicker["symmetric SNE"] < 1.25
    assert all(times[model, "L-BFGS"][1] < 1 for model in ("SNE", "symmetric SNE"))
    ours += [value for both in times.values() for value in both]
    return [*ours, seeds("eigenmaps")], [], [5000]


@check("Both ends of the spectrum")
def test_attraction_alone_in_the_limit(claim):
    given = (1, 4, 12)
    names = [f"t-SNE, exaggeration {name}" for name in (*given, "0.8 of where it closes")]
    angles = [angle(name) for name in names]
    medians = [each["median"] for each in angles]
    assert medians == sorted(medians, reverse=True) and medians[-1] < 0.5 * medians[0]
    # In some seeds a run settles elsewhere, and there is no ForceAtlas2: hence "partly".
    assert angles[-1]["greatest"] > 40 and claim.verdict == "partly"
    ours = [*given, *(value for each in angles[:3] for value in three(each)), 0.8]
    ours += [*three(eigenmaps("exaggeration where it closes")), *three(angles[-1])]
    ours += [eigenmaps(f"{name}: disparity from Laplacian eigenmaps")["median"] for name in names]
    return [*ours, seeds("eigenmaps")], []


@check("Linear autoencoders and PCA")
def test_linear_autoencoder(claim):
    plane, error, logistic = kept("linear_codes")["rows"]
    assert plane["greatest"] < 0.5 and error["greatest"] < 1e-3 and claim.verdict == "reproduced"
    assert logistic["least"] > 10
    return [*three(plane), error["greatest"], *three(logistic), plane["starts"]], []


@check("Other optima each time")
def test_other_optima(claim):
    names, ours, found = ("autoencoder", "metric MDS", "Sammon", "errors over distances", "SNE", "t-SNE"), [], {}
    for name in names:
        measures = ("cost over the least, less 1", "alike", "neighbors shared", "last gradient over the largest")
        cost, alike, shared, rest = found[name] = [row("optima", measure=f"{name}: {what}") for what in measures]
        assert name == "autoencoder" or rest["median"] < 1e-3
        ours += [cost["greatest"], *three(alike), shared["median"]]
    # Autoencoders and metric MDS do; of Sammon's maps most are one picture, more so than those of SNE: hence "partly".
    assert all(found[name][1]["median"] > 0.3 for name in ("autoencoder", "metric MDS", "SNE", "t-SNE"))
    assert found["Sammon"][1]["median"] < 0.1 and found["Sammon"][0]["greatest"] < 0.01 and claim.verdict == "partly"
    return [*ours, found["SNE"][0]["starts"]], []
