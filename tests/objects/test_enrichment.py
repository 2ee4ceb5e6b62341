"""What tells of a part of the objects, and regions of a map: by one rule here and in the browser."""

import json
import shutil
import subprocess
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from notebook_sne.engine.objects.enrichment import number_features, telling_of, text_features
from notebook_sne.engine.objects.regions import divided, usual_count

WORDS = ["river bank", "the sea", "Äpfel und Birnen", "e\u0301t\u00e9 2020", "hapax", "yes"]


def case(seed, N=400, count=7):
    rng = np.random.default_rng(seed)
    points = np.concatenate([rng.normal(at, 1, (N // 4, 2)) for at in ((0, 0), (9, 0), (0, 9), (9, 9))])
    kinds = np.repeat(np.arange(4), N // 4)
    texts = [f"{WORDS[kinds[i]]} {rng.integers(1000)}" if rng.random() > 0.1 else None for i in range(N)]
    numbers = np.where(rng.random(N) < 0.1, np.nan, kinds + rng.normal(size=N))
    return points.astype(np.float32), texts, numbers, count


def test_the_ratio_is_that_of_the_test_of_a_table_of_two_by_two():
    parts = np.repeat([0, 1], [30, 70])
    has = np.r_[np.arange(30) < 20, np.arange(70) < 15]
    features = [text_features("text", ["yes" if one else None for one in has], whole=True)]
    (one,), others = telling_of(features, parts, 2, 5)
    expected = chi2_contingency([[20, 10], [15, 55]], correction=False, lambda_="log-likelihood").statistic
    assert one.ratio == pytest.approx(expected, rel=1e-12)
    assert (one.source, one.what, one.share, one.elsewhere) == ("text", "yes", 20 / 30, 15 / 70)
    assert not others


def test_few_different_texts_are_told_whole_and_others_by_their_words():
    texts = ["deep sea", "shore", None, "deep sea"] * 10
    assert text_features("text", texts).kind == "kind"
    many = text_features("text", [f"The sea, the {i}" for i in range(40)])
    assert many.kind == "word" and {"the", "sea"} < set(many.what)
    assert "t" not in text_features("text", [f"a_b t {i}0" for i in range(9)]).what


def test_the_quarters_of_numbers_tell_unless_all_are_alike():
    low, high = number_features("year", np.array([1.0, 2, 3, 4, np.nan, 5, 6, 7, 8]))
    assert (low.what, high.what) == ([2.0], [7.0])
    assert low.owners.tolist() == [0, 1] and high.owners.tolist() == [7, 8]
    assert number_features("year", np.full(5, np.nan)) == number_features("year", np.full(5, 3.0)) == []


def test_what_another_source_tells_already_and_objects_of_no_part_are_left_out():
    parts = np.repeat([0, 1, -1], [30, 30, 40])
    texts = np.array(["a", "b", "a"])[np.repeat([0, 1, 2], [30, 30, 40])].tolist()
    features = [text_features("one", texts, whole=True), text_features("other", texts, whole=True)]
    told = telling_of(features, parts, 2, 5)
    assert [[(one.source, one.what, one.elsewhere) for one in own] for own in told] == [
        [("one", "a", 0.0)],
        [("one", "b", 0.0)],
    ]


def test_as_many_parts_as_objects_take_no_square_of_memory():
    N = 5000
    features = [text_features("name", [f"word{i} other{i}" for i in range(N)])]
    tracemalloc.start()
    assert not any(telling_of(features, np.arange(N), N, 5))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 * N * N / 20  # bytes; counts of all parts by all words would be 8 for each


def test_a_map_is_divided_into_areas_the_largest_first():
    rng = np.random.default_rng(0)
    Y = np.concatenate([rng.normal((9, 0), 1, (60, 2)), rng.normal((-9, 0), 1, (140, 2))])
    found = divided(Y, 2)
    assert (found[:60] == 1).all() and (found[60:] == 0).all()
    assert np.array_equal(divided(Y + 3, 2), found)
    assert divided(np.zeros((5, 2)), 3).tolist() == [0] * 5
    assert [usual_count(n) for n in (1, 2, 100, 1797, 70000)] == [1, 2, 3, 13, 16]


def test_the_browser_divides_maps_and_tells_of_them_as_python_does():
    if not (node := shutil.which("node")):
        pytest.skip("Node is not installed")
    cases = [case(0), case(1, count=16), case(2, N=4000, count=3), case(3, N=40, count=2)]
    asked = [
        {"points": points.tolist(), "count": count, "texts": texts, "numbers": [None if x != x else x for x in numbers]}
        for points, texts, numbers, count in cases
    ]
    script = Path(__file__).with_name("regions.mjs")
    ran = subprocess.run([node, script], input=json.dumps(asked), capture_output=True, text=True, check=True)
    for (points, texts, numbers, count), there in zip(cases, json.loads(ran.stdout), strict=True):
        parts = divided(points, count)
        assert parts.tolist() == there["of"]
        features = [text_features("text", texts), *number_features("number", numbers)]
        told = telling_of(features, parts, parts.max() + 1, 5)
        for own, theirs in zip(told, there["told"], strict=True):
            assert [(one.source, one.kind, one.what) for one in own] == [
                (one["source"], one["kind"], one["what"]) for one in theirs
            ]
            for one, other in zip(own, theirs, strict=True):
                assert one.ratio == pytest.approx(other["ratio"], rel=1e-9)
                assert (one.share, one.elsewhere) == (other["share"], other["elsewhere"])
