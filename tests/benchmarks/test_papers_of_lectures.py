"""What the papers and lectures say in a sentence, in PAPERS.md: our numbers, and the ground of every verdict.

Each test stands for one entry of the page. It asserts what must be true of the kept results for the verdict to stand,
and returns the numbers that the entry must show, in their order, as they were kept; `check` compares them with the
page, which rounds them.
"""

from tests.benchmarks.pages import check, kept, numbers, row, seeds


def three(each):
    """Return median, least and greatest of a row."""
    return [each["median"], each["least"], each["greatest"]]


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
