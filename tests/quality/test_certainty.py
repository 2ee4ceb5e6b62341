"""What several fits say: shares beside plain NumPy, on maps that were made for it, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.quality.certainty import _BORDER
from tests.tables import in_one_test

rng = np.random.default_rng(0)
LABELS = np.repeat(["a", "b", "c"], 40)


def discs(*centers, n=40, seed=0):
    """A disc of radius 1 with n points about each center, another draw for each seed."""
    draw = np.random.default_rng(seed)
    angle, r = 2 * np.pi * draw.random(n * len(centers)), np.sqrt(draw.random(n * len(centers)))
    return np.repeat(centers, n, axis=0) + np.c_[r * np.cos(angle), r * np.sin(angle)]


APART = [(0, 0), (4, 0), (20, 0)]  # a and b are each other's nearest, and b is that of c
JOINED = [(0, 0), (1.6, 0), (20, 0)]


def plain(maps, labels, k):
    """The shares of pairs, and of objects, by loops straight from the definition."""
    names = sorted(set(labels))
    R, N = len(names), len(labels)
    kinds, fits = np.zeros((3, R, R)), np.zeros((R, R))
    member, held = np.zeros((N, R)), np.zeros(N)
    for Y in maps:
        there = [i for i in range(N) if not np.isnan(Y[i]).any()]
        D = {i: {j: np.linalg.norm(Y[i] - Y[j]) for j in there if j != i} for i in there}
        near = {i: sorted(D[i], key=D[i].get)[:k] for i in there}
        of = {a: [i for i in there if labels[i] == a] for a in names}
        for i in there:
            votes = np.array([sum(labels[j] == a for j in near[i]) for a in names])
            member[i] += (votes == votes.max()) / (votes == votes.max()).sum()
            held[i] += 1
        strangers = {}
        for a in names:
            firsts = [labels[min((j for j in there if labels[j] != a), key=D[i].get)] for i in of[a]]
            strangers[a] = max(names, key=firsts.count)
        for x, a in enumerate(names):
            for y, b in enumerate(names):
                if a == b:
                    continue
                border = sum(any(labels[j] == b for j in near[i]) for i in of[a])
                border += sum(any(labels[j] == a for j in near[i]) for i in of[b])
                n = min(len(of[a]), len(of[b]))
                joined = border / 2 >= _BORDER * min(n, np.sqrt(k * n) / 2)
                nearest = strangers[a] == b or strangers[b] == a
                kinds[0 if joined else 1 if nearest else 2, x, y] += 1
                fits[x, y] += 1
    with np.errstate(invalid="ignore"):
        return kinds / fits, member / held[:, None]


def with_gaps(maps, seed=1):
    maps, draw = np.array(maps), np.random.default_rng(seed)
    for Y in maps[1:]:
        Y[draw.choice(len(Y), 30, replace=False)] = np.nan
    return maps


@pytest.mark.parametrize("k", [5, 10])
def test_shares_are_those_of_the_definition(k):
    maps = with_gaps([discs(*(JOINED if m % 3 else APART), seed=m) for m in range(5)])
    found = ns.certainty(maps, LABELS, k)
    (joined, neighbors, apart), member = plain(maps, LABELS, k)
    for name, wanted in (("joined", joined), ("neighbors", neighbors), ("apart", apart), ("membership", member)):
        np.testing.assert_allclose(getattr(found, name), wanted, atol=1e-12, err_msg=name)
    assert (found.regions, found.n_fits) == (("a", "b", "c"), 5)
    np.testing.assert_allclose(found.objects, member.max(axis=1))
    for m in range(2, 6):  # what the first m fits say is what they alone would say
        np.testing.assert_array_equal(found.so_far[m - 1], ns.certainty(maps[:m], LABELS, k).objects)


def test_what_is_drawn_is_what_is_said():
    apart = ns.certainty([discs(*APART, seed=m) for m in range(4)], LABELS)
    assert apart.joined[0, 1] == 0 and apart.neighbors[0, 1] == 1 and apart.apart[0, 2] == 1 and apart.agreement == 1
    joined = ns.certainty([discs(*JOINED, seed=m) for m in range(4)], LABELS)
    assert joined.joined[0, 1] == 1 and joined.joined[0, 2] == 0
    mixed = ns.certainty([discs(*(JOINED if m < 2 else APART), seed=m) for m in range(4)], LABELS)
    assert mixed.joined[0, 1] == 0.5
    assert np.isnan(mixed.joined.diagonal()).all()
    # of six pairs of fits two agree on a and b; all six on the other two pairs of regions
    assert mixed.agreement == pytest.approx((2 / 6 + 1 + 1) / 3)
    assert mixed.pairs.loc[0, ["region", "and", "surest"]].tolist() == ["a", "b", 0.5]


def test_turning_mirroring_moving_and_scaling_a_map_changes_nothing():
    maps = [discs(*(JOINED if m % 2 else APART), seed=m) for m in range(4)]
    turned = [7 + (m + 1) * Y @ [[0.6, -0.8], [0.8, 0.6]] * [1, -1] for m, Y in enumerate(maps)]
    one, other = ns.certainty(maps, LABELS), ns.certainty(turned, LABELS)
    for name in ("joined", "neighbors", "apart", "membership"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_an_object_between_two_regions_is_unsure():
    maps = []
    for m in range(10):
        Y = discs(*APART, seed=m)
        Y[0] = Y[41] + 0.01 if m < 4 else Y[1] + 0.01  # it lies among the b in four of ten fits
        maps.append(Y)
    found = ns.certainty(maps, LABELS)
    np.testing.assert_allclose(found.membership[0], [0.6, 0.4, 0.0])
    assert found.objects[0] == 0.6 and np.median(found.objects) == 1


def test_without_labels_the_regions_are_clusters_of_the_first_map():
    found = ns.certainty([discs(*APART, seed=m) for m in range(3)])
    assert found.regions == ("region 1", "region 2", "region 3")
    for own in ("a", "b", "c"):
        assert len(set(found.region[LABELS == own]) - {-1}) == 1


def test_an_object_without_a_region_is_in_none_and_does_not_vote():
    labels = LABELS.astype(object)
    labels[[0, 50]] = None
    maps = [discs(*APART, seed=m) for m in range(3)]
    found = ns.certainty(maps, labels)
    kept = np.setdiff1d(np.arange(120), [0, 50])
    assert (found.region[[0, 50]] == -1).all() and np.isnan(found.objects[[0, 50]]).all()
    np.testing.assert_array_equal(
        found.membership[kept], ns.certainty([Y[kept] for Y in maps], LABELS[kept]).membership
    )


def test_a_region_that_no_fit_holds_beside_another_is_unknown():
    maps = np.array([discs(*APART, seed=m) for m in range(3)])
    maps[0, :40], maps[1, 40:80], maps[2, 40:80] = np.nan, np.nan, np.nan
    found = ns.certainty(maps, LABELS)
    assert np.isnan(found.joined[0, 1]) and found.joined[0, 2] == 0
    assert np.isfinite(found.agreement)


def test_refits_hold_what_they_drew_and_the_first_all():
    X = ns.datasets.load_clusters((20, 20, 20), widths=1.0).X
    model = ns.TSNE(perplexity=8, max_iter=20, progress=False)
    maps = ns.refits(model, X, 4, random_state=3)
    share = 1 - np.isnan(maps).any(axis=2).mean(axis=1)
    assert share[0] == 1 and (share[1:] < 0.8).all() and (share[1:] > 0.45).all()
    assert not hasattr(model, "embedding_")
    np.testing.assert_array_equal(maps, ns.refits(model, X, 4, random_state=3))
    m = np.flatnonzero(~np.isnan(maps[1]).any(axis=1))
    seeds = np.random.default_rng(3)
    seeds.integers(2**31)
    assert np.array_equal(m, np.unique(seeds.integers(60, size=60)))
    alone = ns.TSNE(perplexity=8, max_iter=20, progress=False, random_state=int(seeds.integers(2**31))).fit_transform(
        X[m]
    )
    np.testing.assert_array_equal(maps[1][m], alone)


def test_refits_of_tables_distances_and_sparse_objects():
    X = rng.normal(size=(30, 5))
    D = np.linalg.norm(X[:, None] - X, axis=2)
    settings = {"perplexity": 4, "max_iter": 3, "progress": False, "init": "random"}
    plain_ones = ns.refits(ns.TSNE(**settings), X, 2)
    np.testing.assert_array_equal(ns.refits(ns.TSNE(**settings), pd.DataFrame(X), 2), plain_ones)
    by_distance = ns.refits(ns.TSNE(**settings, input="distances"), D, 2)
    np.testing.assert_array_equal(np.isnan(by_distance), np.isnan(plain_ones))
    np.testing.assert_array_equal(ns.refits(ns.TSNE(**settings, metric="precomputed"), D, 2), by_distance)
    held = {"__module__": "anndata._core.anndata", "X": None, "obsm": {"X_pca": X}, "shape": X.shape}
    np.testing.assert_array_equal(ns.refits(ns.TSNE(**settings), type("AnnData", (), held)(), 2), plain_ones)
    assert ns.refits(ns.TSNE(**settings), sparse.csr_matrix(X), 2).shape == (2, 30, 2)
    seeds = ns.refits(ns.TSNE(**settings, input="probabilities"), ns.affinities.conditional(X, 4), 2, bootstrap=False)
    assert np.isfinite(seeds).all() and not np.array_equal(*seeds)
    near = np.argsort(D, axis=1)[:, 1:13]
    lists = near, np.take_along_axis(D, near, axis=1)
    seeds = ns.refits(ns.TSNE(**settings, input="neighbors"), lists, 2, bootstrap=False)
    assert np.isfinite(seeds).all() and seeds.shape == (2, 30, 2)


def test_fitted_models_are_fits():
    X = rng.normal(size=(40, 3))
    models = [ns.TSNE(perplexity=5, max_iter=5, init="random", random_state=seed).fit(X) for seed in (0, 1)]
    labels = np.repeat([0, 1], 20)
    one, other = ns.certainty(models, labels), ns.certainty([model.embedding_ for model in models], labels)
    np.testing.assert_array_equal(one.membership, other.membership)


def test_a_hostile_name_is_text():
    labels = np.where(LABELS == "a", "<script>alert(1)</script> $x$", LABELS)
    shown = ns.certainty([discs(*APART, seed=m) for m in range(3)], labels)._repr_html_()
    assert "<script" not in shown and "&lt;script&gt;" in shown
    assert "mathjax_ignore" in shown  # a name with dollars is no formula
    many = ns.certainty(
        [discs(*[(4 * x, 0) for x in range(6)], n=20, seed=m) for m in range(2)], np.repeat(range(6), 20)
    )
    assert "10 of 15 rows; the least certain" in many._repr_html_()
    assert repr(many).startswith("Certainty(6 regions, 2 fits, agreement=")


MAPS = [discs(*APART, seed=m) for m in range(2)]


@in_one_test(
    ("fits", "labels", "k", "words"),
    [
        (MAPS[:1], LABELS, 10, "fits must hold at least two maps, got 1; one tells nothing of others: see refits"),
        ([MAPS[0], MAPS[0]], LABELS, 10, "fits must differ, got 2 equal maps, .*init='random'"),
        ([MAPS[0], MAPS[1][:90]], LABELS, 10, r"must hold the same objects, got 120 in fits\[0\] and 90 in fits\[1\]"),
        ([MAPS[0], np.stack(MAPS)], LABELS, 10, r"fits\[1\] must be one map .*shape \(2, 120, 2\)"),
        ([MAPS[0], np.where(MAPS[1] > 20, np.nan, MAPS[1])], LABELS, 10, r"fits\[1\] must be finite, but for whole"),
        ([MAPS[0], np.where(MAPS[1] > 20, np.inf, MAPS[1])], LABELS, 10, r"fits\[1\] must be finite"),
        ([MAPS[0], ns.TSNE()], LABELS, 10, r"fits\[1\] must be a map, or fitted with one map, got TSNE"),
        (MAPS, LABELS[:9], 10, "labels"),
        (MAPS, ["a"] * 120, 10, "there must be two regions or more, got 1; give labels"),
        (MAPS, LABELS, 120, "k must be below the number of objects of each fit, so at most 119, got 120"),
        (MAPS, LABELS, 0, "k must be at least 1"),
    ],
)  # fmt: skip
def test_what_is_refused(fits, labels, k, words):
    with pytest.raises(ValueError, match=words):
        ns.certainty(fits, labels, k)


def test_what_refits_refuses():
    X = rng.normal(size=(30, 5))
    with pytest.raises(ValueError, match="n_fits must be at least 2, got 1"):
        ns.refits(ns.TSNE(), X, 1)
    with pytest.raises(TypeError, match="bootstrap must be True or False, got 5"):
        ns.refits(ns.TSNE(), X, bootstrap=5)
    with pytest.raises(ValueError, match=r"bootstrap needs objects that can be.*got input='probabilities'.*False"):
        ns.refits(ns.SNE(input="probabilities"), ns.affinities.conditional(X, 5))
    with pytest.raises(ValueError, match="masked"):
        ns.refits(ns.TSNE(perplexity=5, max_iter=3), np.ma.masked_greater(X, 2.0), 2)
    several = ns.AspectMaps(n_maps=2, max_iter=2, perplexity=5, progress=False)
    with pytest.raises(ValueError, match="model must have one map, got AspectMaps"):
        ns.refits(several, X)
    with pytest.raises(ValueError, match=r"fits\[1\] must be a map, or fitted with one map, got AspectMaps"):
        ns.certainty([X[:, :2], several.fit(X)], np.repeat([0, 1], 15))
