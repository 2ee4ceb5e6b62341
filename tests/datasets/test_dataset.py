import pickle
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import notebook_sne as ns
from notebook_sne.datasets import Dataset, associations
from tests.objects.test_repr_html import NASTY, Parts
from tests.tables import in_one_test


@pytest.fixture
def letters():
    return Dataset(
        title="letters",
        X=np.arange(12).reshape(6, 2),
        labels=["a", "b", "a", "b", "a", "c"],
        names=["u", "v", "w", "x", "y", "z"],
        images=np.arange(24, dtype=np.uint8).reshape(6, 2, 2),
        citation="nobody",
        license="none",
    )


def test_vectors_become_float64_and_images_keep_their_type(letters):
    assert letters.X.dtype == np.float64
    assert letters.images.dtype == np.uint8


def test_length_is_the_number_of_objects(letters):
    assert len(letters) == 6
    assert len(Dataset(title="pairs", counts=np.ones((3, 3)))) == 3


def test_arrays_are_read_only_and_the_callers_own_stays_writeable():
    X = np.zeros((3, 2))
    data = Dataset(title="zeros", X=X)
    with pytest.raises(ValueError, match="read-only"):
        data.X[0] = 1
    X[0] = 1


def test_repr_names_what_there_is(letters):
    assert repr(letters) == (
        "Dataset('letters': 6 objects, X (6, 2), labels a..c, names u, v, w, ..., images (6, 2, 2))"
    )
    assert repr(Dataset(title="t", X=[[0], [1]], labels=[0.5, 1 / 3])) == (
        "Dataset('t': 2 objects, X (2, 1), labels 0.333..0.5)"
    )


def test_a_dataset_survives_pickling(letters):
    copy = pickle.loads(pickle.dumps(letters))
    assert repr(copy) == repr(letters)
    np.testing.assert_array_equal(copy.X, letters.X)


@in_one_test(
    ("fields", "message"),
    [
        ({}, "X, P and counts are all missing"),
        ({"X": [1, 2]}, r"X must have 2 axes, the first over objects, got shape \(2,\)"),
        ({"X": [[1], [2]], "labels": [0]}, "one entry for each object, got X 2, labels 1"),
        ({"X": [[1], [2]], "images": [[1, 2], [3, 4]]}, r"images must have shape .*, got \(2, 2\); reshape"),
        ({"P": np.ones((2, 3))}, r"P must have a row and a column for each object, got shape \(2, 3\)"),
        ({"counts": scipy.sparse.csr_array((2, 3))}, r"counts must have a row and a column .* \(2, 3\)"),
        ({"X": np.empty((0, 3))}, "at least one object"),
        ({"X": [[1], [2]], "maps": [[[1, 2]]]}, "one entry for each object, got X 2, maps 1"),
        ({"X": [[1], [2]], "maps": [[1, 2]]}, r"maps must have 3 axes, over maps, objects and dimensions, .*\(1, 2\)"),
        ({"X": [[1], [2]], "outside": [[1, 2]]}, "one entry for each object, got X 2, outside 1"),
        ({"X": [[1]], "outside": [[1, 2]], "outside_names": ["to a"]}, "name each of the 2 columns of outside, got 1"),
        ({"X": [[1]], "outside_names": ["to a"]}, "name each of the 0 columns of outside, got 1"),
    ],
)
def test_fields_that_do_not_fit_are_named(fields, message):
    with pytest.raises(ValueError, match=message):
        Dataset(title="wrong", **fields)


def test_select_takes_objects_in_the_order_asked_for(letters):
    chosen = letters.select([4, 0])
    assert chosen.names.tolist() == ["y", "u"]
    assert chosen.labels.tolist() == ["a", "a"]
    assert chosen.X.tolist() == [[8, 9], [0, 1]]
    assert chosen.images[:, 0, 0].tolist() == [16, 0]
    assert (chosen.title, chosen.citation, chosen.license) == ("letters", "nobody", "none")


def test_select_takes_slices_and_truth_values(letters):
    assert letters.select(slice(2, 4)).names.tolist() == ["w", "x"]
    assert letters.select(letters.labels == "b").names.tolist() == ["v", "x"]


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array, scipy.sparse.coo_array])
def test_select_cuts_rows_and_columns_of_counts(form):
    counts = np.arange(16).reshape(4, 4)
    cut = Dataset(title="pairs", counts=form(counts)).select([3, 1]).counts
    np.testing.assert_array_equal(cut if form is np.asarray else cut.toarray(), [[15, 13], [7, 5]])


def test_select_refuses_to_cut_a_distribution():
    with pytest.raises(ValueError, match="select cannot cut P"):
        Dataset(title="pairs", P=np.full((3, 3), 0.5)).select([0, 1])


def test_select_cuts_the_objects_of_true_maps():
    data = Dataset(title="maps", X=np.zeros((3, 1)), maps=np.arange(12).reshape(2, 3, 2)).select([2, 0])
    assert data.maps.tolist() == [[[4, 5], [0, 1]], [[10, 11], [6, 7]]]
    assert repr(data) == "Dataset('maps': 2 objects, X (2, 1), maps (2, 2, 2))"


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_objects_that_are_not_chosen_become_a_part_of_the_outside(form):
    counts = np.array([[0, 3, 1], [2, 0, 0], [5, 4, 0]])
    data = Dataset(
        title="words",
        counts=form(counts),
        names=["a", "b", "c"],
        kept=[0.5, 1, 0.9],
        outside=form(np.array([[4], [0], [1]])),
        outside_names=["to z"],
        report=pd.DataFrame({"what": ["response is no cue"]}),
    )
    cut = data.select([1, 0])
    outside = cut.outside if form is np.asarray else cut.outside.toarray()
    assert cut.outside_names.tolist() == ["to z", "to c", "from c"]
    assert outside.tolist() == [[0, 0, 4], [4, 1, 5]]
    np.testing.assert_allclose(cut.kept, [1, 0.5 * 3 / 4])
    assert cut.report is data.report
    assert repr(cut).endswith("names b, a, kept (2,), outside (2, 3), answers 5 to a cue, report of 1 rows)")
    whole = data.select(slice(None))
    np.testing.assert_array_equal(whole.kept, data.kept)
    assert whole.outside_names.tolist() == ["to z"]


def test_a_part_of_associations_is_what_reading_that_part_gives():
    rows = [(i, j, 1 + (i * j) % 4) for i in range(6) for j in range(8) if (i + 2 * j) % 3]
    table = pd.DataFrame([(f"w{i}", f"w{j}", n) for i, j, n in rows], columns=["cue", "response", "count"])
    columns = {"cue": "cue", "response": "response", "count": "count"}
    whole, part = associations(table, **columns), associations(table, **columns, n_words=4)
    cut = replace(whole, P=None).select(slice(4))
    assert cut.names.tolist() == part.names.tolist()
    assert (cut.counts != part.counts).nnz == 0
    np.testing.assert_allclose(cut.kept, part.kept)
    for data, other in ((cut, part), (part, cut)):
        for name, column in zip(data.outside_names, data.outside.toarray().T, strict=True):
            found = other.outside.toarray().T[other.outside_names == name].sum(axis=0)
            np.testing.assert_array_equal(found, column)


@given(st.integers(1, 10), st.sets(st.integers(0, 3), min_size=1), st.integers(0, 2**32))
def test_a_sample_has_so_many_different_objects_of_each_class_in_order(per_label, labels, seed):
    data = Dataset(title="digits", X=np.arange(40)[:, None], labels=np.arange(40) % 4)
    drawn = data.sample(per_label, labels=labels, random_state=seed)
    values, sizes = np.unique(drawn.labels, return_counts=True)
    assert set(values) == labels
    assert (sizes == per_label).all()
    assert (np.diff(drawn.X[:, 0]) > 0).all()


@given(st.integers(1, 9), st.integers(0, 2**32))
def test_samples_with_one_seed_agree(per_label, seed):
    data = Dataset(title="digits", X=np.arange(40)[:, None], labels=np.arange(40) % 4)
    drawn = data.sample(per_label, random_state=seed).X[:, 0]
    larger = data.sample(per_label + 1, random_state=seed).X[:, 0]
    one_class = data.sample(per_label, labels=2, random_state=seed).X[:, 0]
    assert set(drawn) <= set(larger)
    assert set(one_class) <= set(drawn)


def test_another_seed_draws_other_objects():
    data = Dataset(title="digits", X=np.arange(400)[:, None], labels=np.arange(400) % 4)
    assert data.sample(50, random_state=0).X.tolist() == data.sample(50).X.tolist()
    assert data.sample(50, random_state=1).X.tolist() != data.sample(50).X.tolist()


@in_one_test(
    ("call", "message"),
    [
        (lambda data: data.sample(3), "got 3, but there are only 2 of b, 1 of c; draw fewer"),
        (lambda data: data.sample(1, labels=["d"]), "labels must be among a, b, c, got d"),
        (lambda data: data.sample(1, labels=[]), "labels must be among a, b, c, got none"),
        (lambda data: data.sample(0), "whole number of at least 1, got 0"),
        (lambda data: data.sample(1.5), "whole number of at least 1, got 1.5"),
        *((lambda _, no=no: Dataset(title="a", X=[[0], [1]], labels=no).sample(1), "needs labels that name classes")
          for no in (None, [0.1, 0.2])),
        *((lambda data, one=one: data.select(one), "whole numbers from -6 to 5, or 6 truth values")
          for one in ([6], [0.5], [True, False], ["u"])),
        *((lambda data, one=one: data.select(one), "a list of at least one object")
          for one in (2, np.array([], int), slice(0), [[0, 1]])),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_or_selected_is_refused(letters, call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call(letters)


def test_by_its_bare_name_it_is_a_table_of_its_fields():
    data = ns.datasets.load_digits().sample(3)
    parts = Parts(data._repr_html_())
    assert parts.texts[:3] == [f"{data.title}: 30 objects", "field", "what it holds"]
    assert ["X", "(30, 64)", "labels", "0..9"] == parts.texts[3:7] and "images" in parts.texts
    assert len(parts.elements) == parts.elements.count("tr") * 3 + 5
    nasty = Parts(Dataset(title=NASTY, X=np.eye(3), names=[NASTY, "b", "c"])._repr_html_())
    assert not {"script", "img"} & set(nasty.elements)
