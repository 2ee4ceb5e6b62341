"""What may be given as numbers: nothing is read that would be lost, and whoever gives something else is told what."""

import datetime
import warnings
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris

import notebook_sne as ns
from notebook_sne.engine.checks.numbers import as_floats, check_given, is_finite, show
from tests import calls
from tests.checks.test_untouched import ENTRANCES
from tests.tables import in_one_test

# Every place at which a sparse matrix comes in.
DOORS = {name: function for name, (function, _) in ENTRANCES.items()}
DOORS["quality"] = lambda A: ns.quality.knn_error(A, calls.LABELS)


def broken(kind):
    A = sparse.csr_array(calls.P).asformat({"indices": "csr"}.get(kind, kind.split()[0]), copy=True)
    if kind == "indices":
        A.indices[3] = 10**6
    elif kind in ("csr", "csc", "bsr"):
        A.indptr[1] = 10**6
    elif kind == "coo":
        A.coords[0][0] = 10**8
    elif kind == "lil":
        A.rows[2][0] = 10**6
    elif kind == "lil rows":
        A.rows[:] = [row[:1] for row in A.rows]
    return A


BROKEN = ["csr", "csc", "bsr", "coo", "lil", "lil rows", "indices"]


# Every door and every kind; all doors ask the same check, so not each with each.
@in_one_test(("door", "kind"), [*zip(DOORS, 5 * BROKEN, strict=False), *(("quality", kind) for kind in BROKEN)])
def test_a_sparse_matrix_that_contradicts_itself_is_refused_at_every_door(door, kind):
    with pytest.raises(ValueError, match=r"must be a valid sparse matrix, but its parts contradict .*; make"):
        DOORS[door](broken(kind))


def test_a_matrix_with_fewer_places_than_values_is_refused_before_anything_is_written():
    A = broken("lil rows")
    A.tocoo = lambda *_, **__: pytest.fail("SciPy writes beyond its memory here")
    with pytest.raises(ValueError, match="rows whose numbers of places and of values differ"):
        ns.affinities.from_counts(A)


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "lil", "dok", "dia"])
def test_every_sound_sparse_matrix_is_taken_and_left_as_it_is(kind):
    A = sparse.csr_array(calls.P).asformat(kind, copy=True)
    if kind == "csr":
        A.data, A.indices = np.append(A.data, 0.0), np.append(A.indices, 0)  # room that no pointer reaches
        parts = A.data, A.indices, A.indptr
    np.testing.assert_allclose(ns.affinities.from_counts(A).toarray(), calls.P)
    if kind == "csr":
        assert all(one is two for one, two in zip(parts, (A.data, A.indices, A.indptr), strict=True))


MASKED = {
    "affinities.conditional": {"X": calls.X},
    "affinities.from_distances": {"D": calls.D},
    "affinities.from_counts": {"C": calls.COUNTS},
    "affinities.joint": {"P": calls.P},
    "quality.knn_error": {"Y": calls.Y},
    "quality.neighbor_recall": {"X": calls.X, "Y": calls.Y},
    "quality.triplet_accuracy": {"X": calls.X, "Y": calls.Y},
    "quality.kl_divergence": {"Y": calls.Y, "P": calls.P},
    "senses.read": {"counts": calls.COUNTS},
    "senses.triangles": {"P": calls.P, "maps": calls.MAPS, "mixing": calls.MIXING},
    "views.map_points": {"Y": calls.Y},
    "views.thumbnails": {"images": calls.IMAGES},
    "views.aspect_grid": {"mixing": calls.MIXING},
    "Dataset": {"X": calls.X, "images": calls.IMAGES, "counts": calls.COUNTS},
    "SNE": {"X": calls.X, "init": calls.Y},
    "AspectMaps": {"init": calls.MAPS, "mixing": calls.MIXING},
    "Run": {"X": calls.X},
    "watch": {"X": calls.X, "images": calls.IMAGES},
    "explore": {"counts": calls.COUNTS},
    "Recording.describe": {
        "images": calls.IMAGES, "neighbors": (np.arange(24)[:, None] + [1, 2]) % 24,
    },
}  # fmt: skip


@in_one_test(("name", "parameter"), [(name, p) for name, given in MASKED.items() for p in given])
def test_a_masked_entry_is_named_and_an_empty_mask_is_none(name, parameter):
    array = MASKED[name][parameter]
    mask = np.zeros(array.shape, dtype=bool)
    assert calls.spoilt(name, parameter, np.ma.array(array, mask=mask)) is None
    mask.flat[[1, 3]] = True
    error = calls.spoilt(name, parameter, np.ma.array(array, mask=mask))
    assert isinstance(error, ValueError) and "must not be masked, but" in str(error), error
    first = ", ".join(str(k) for k in np.argwhere(mask)[0])
    assert f"[{first}] is (2 masked entries in all)" in str(error)


def test_a_mask_within_a_list_is_seen():
    rows = [np.ma.array([1.0, 2.0], mask=[False, True]), [3.0, 4.0], [4.0, 0.0]]
    with pytest.raises(ValueError, match=r"X must not be masked, but X\[0, 1\] is"):
        check_given("X", rows)


DAYS = np.array(["2020-01-01", "NaT", "2021-05-05"], dtype="datetime64[D]")


@in_one_test(
    ("values", "message"),
    [
        (DAYS, "got dates; give a number for each, such as its days"),
        (DAYS - DAYS[0], "got times; give a number for each, such as its days"),
        ([datetime.date(2020, 1, 1)] * 3, "got dates"),
        (pd.Series(DAYS), "got dates"),
        (np.array([pd.NaT, 1.0, 2.0], dtype=object), "got dates"),
        (["1", "2", "3"], "got text; turn it into numbers first"),
        (np.array([b"1", b"2", b"3"]), "got text"),
        (np.array([1.0, "2", 3.0], dtype=object), "got text"),
        (np.zeros(3, dtype=[("a", float)]), "got records; give their fields as columns"),
    ],
)
def test_dates_texts_and_records_are_no_numbers(values, message):
    assert DAYS.astype(float)[1] == -(2.0**63)  # what NumPy makes of a missing date
    column = np.asarray(values).reshape(-1, 1)
    for call in (as_floats, lambda name, A: ns.affinities.conditional(A, 1.5), lambda name, A: ns.SNE().fit(A)):
        with pytest.raises(TypeError, match=f"X must be numbers, {message}"):
            call("X", column)
    with pytest.raises(TypeError, match=message):
        as_floats("X", values)


def test_a_missing_number_is_no_number():
    with pytest.raises(ValueError, match=r"X must not be missing, got pandas\.NA"):
        as_floats("X", np.array([pd.NA, 1, 2], dtype=object))


def test_columns_of_a_table_are_named():
    table = pd.DataFrame({"height": [1.0, 2, 3, 5], "born": pd.to_datetime(["2020", "2021", "2022", "2023"])})
    with pytest.raises(TypeError, match=r"X\['born'\] must be numbers, got dates"):
        ns.affinities.conditional(table, 1.5)
    table["born"] = list("abcd")
    with pytest.raises(
        TypeError, match=r"X\['born'\] must be numbers, got text; .* such as X\['born'\]\.astype\(float\)"
    ):
        ns.SNE().fit(table)
    twice = pd.DataFrame(calls.X, columns=list("aabc"))
    for call in (ns.SNE(perplexity=5).fit, lambda X: ns.affinities.conditional(X, 5)):
        with pytest.raises(ValueError, match=r"X must have different names, but 'a' is there 2 times.*numpy"):
            call(twice)
    whole = pd.DataFrame({"a": pd.array([1, 2, 4, 8], dtype="Int64"), "b": pd.array([1, 0, 1, 0], dtype="boolean")})
    assert ns.affinities.conditional(whole, 1.3).shape == (4, 4)


def test_complex_numbers_are_refused_alike():
    for name, parameter in (
        ("SNE", "X"), ("affinities.from_counts", "C"), ("explore", "counts"), ("senses.read", "counts"),
        ("SNE", "init"), ("quality.knn_error", "Y"), ("Dataset", "X"),
    ):  # fmt: skip
        error = calls.spoilt(name, parameter, np.ones((calls.N, calls.N)) * 1j)
        assert isinstance(error, TypeError) and isinstance(error, ValueError)
        assert "must be real, got complex numbers" in str(error) and len(str(error)) < 200


def stand_in(module, name, **fields):
    """An object of a class that another library would have made."""
    return type(name, (), {"__module__": module, **fields})()


WORDS = ns.datasets.load_word_relations()
COUNTED = ns.datasets.Dataset(title="t", counts=calls.COUNTS)
JOINT = sparse.csr_matrix((calls.P + calls.P.T) / (2 * calls.N))
ONE_SIDED = sparse.csr_matrix(calls.P / calls.N)


@in_one_test(
    ("X", "way"),
    [
        (ns.datasets.load_circle(30), "got a Dataset; give its field X, as in "),
        (WORDS, "got a Dataset; give its field P, as in .*words.P.*, with input='probabilities'"),
        (COUNTED, r"give affinities.from_counts\(words.counts\), as in .*, with input='probabilities'"),
        (stand_in("xarray.core.dataset", "Dataset", data_vars={"v": 0}), r"one of its variables, .*data\['v'\]"),
        (load_iris(), r"got a Bunch; give one of its fields, as in .*\['data'\]"),
        (stand_in("networkx.classes.graph", "Graph", nodes=3), r"from_graph\(G\) with input='probabilities'"),
        (stand_in("igraph", "Graph", vs=3), r"affinities\.from_graph\(G\.get_adjacency_sparse\(\)\) with"),
        ("digits.csv", "got 'digits.csv'; read or make the array first"),
        (None, "got None; give the array itself"),
        (ns.datasets.load_circle, "got a function; give the array itself"),
        (np.ndarray, "got the class ndarray; give the array itself"),
    ],
)
def test_the_error_names_the_part_of_a_holder_to_give(X, way):
    fitted = calls.fit(ns.SNE, calls.X)
    doors = {
        "fit(": ns.TSNE(perplexity=5).fit,
        "fit": ns.TSNE(perplexity=5).iterate,
        "transform(": fitted.transform,
        "Run(model, ": lambda X: ns.Run(ns.TSNE(), X),
        "X = ": lambda X: ns.affinities.conditional(X, 5),
    }
    for where, call in doors.items():
        with pytest.raises(TypeError, match=f"X must be an array.*{way}") as error:
            call(X)
        assert "as in" not in way or where in str(error.value)
    for call in (lambda X: ns.quality.knn_error(X, calls.LABELS), ns.affinities.from_counts):
        with pytest.raises(TypeError, match=f"must be an array.*{way.replace(' X', ' .').replace('words.P', '.*')}"):
            call(X)


def test_the_advice_for_a_p_that_another_package_holds_works():
    for found in (JOINT, ONE_SIDED):
        with pytest.raises(TypeError, match=r"got an Affinities; give its field P, .*, as in TSNE") as error:
            ns.TSNE().fit(stand_in("elsewhere.affinity", "Affinities", P=found))
        line = str(error.value).partition("as in ")[2].replace("TSNE(", "TSNE(max_iter=2, ")
        assert eval(line, {"TSNE": ns.TSNE, "affinities": ns.affinities, "found": SimpleNamespace(P=found)}).cost_ > 0
    with pytest.raises(ValueError, match="all of X sums to 1, as a joint P does: say input='joint'"):
        ns.TSNE(input="probabilities").fit(JOINT)


@pytest.mark.parametrize("number", [10**400, -(10**400), Fraction(10**400, 3), np.longdouble("1e4000")])
def test_a_number_beyond_double_precision_is_named(number):
    given = [[number, 1], [2, 3], [3, 4], [5, 7]]
    kinds = [np.asarray(given), np.array(given, dtype=object), pd.DataFrame(given)]
    if isinstance(number, np.floating):
        kinds = [np.asarray(given, np.longdouble), sparse.csr_array(np.asarray(given, np.longdouble))]
        if not np.isfinite(kinds[0]).all():
            pytest.skip("a long double is a double here")
    for X in kinds:
        for call in (ns.TSNE().fit, lambda X: ns.affinities.conditional(X, 2), lambda X: as_floats("X", X)):
            with warnings.catch_warnings(), pytest.raises(ValueError, match=r"finite in double precision, .* got"):
                warnings.simplefilter("error")
                call(X)


def test_a_number_of_half_precision_is_one():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert is_finite(np.float16(3)) and not is_finite(np.float16(np.inf)) and not is_finite(10**400)


def test_the_error_for_a_sparse_graph_says_how_to_make_a_p():
    graph = sparse.csr_array(calls.COUNTS)
    for call in (
        ns.SNE().fit,
        lambda X: ns.affinities.conditional(X, 5),
        lambda X: ns.quality.knn_error(X, calls.LABELS),
    ):
        with pytest.raises(TypeError, match=r"affinities\.from_counts"):
            call(graph)


def test_what_is_shown_is_short():
    assert show(3) == "3" and show(np.float64(0.5)) == "0.5" and show("a") == "'a'" and show(None) == "None"
    assert show(np.zeros((3, 4))) == "an array of shape (3, 4)"
    assert show(list(range(5000))) == "a list of length 5000"
    assert show([np.zeros((3, 4)), 1]) == "[an array of shape (3, 4), 1]"
    assert "\n" not in show([pd.Series([1, 2]).describe])
    for value in ("x" * 10**6, 10**5000, 10**400, {"a": "x" * 10**6}, [["y" * 500]], object()):
        assert len(show(value)) <= 110
