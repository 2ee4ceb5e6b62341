"""What is missing means the same everywhere: an unlabeled object, no value, no name, but no word that is looked up."""

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from notebook_sne.engine.objects.labels import check_labels
from notebook_sne.views import palette
from tests import calls
from tests.tables import in_one_test

GAPS = [0, 4, 8]
BASE = list(calls.LABELS)
LETTERS = ["abc".index(label) for label in BASE]


def with_gaps(entries, gap):
    return [gap if i in GAPS else entry for i, entry in enumerate(entries)]


# The same labels, in which those of objects 0, 4 and 8 are missing.
MISSING = {
    "None": with_gaps(BASE, None),
    "NaN in a list of text": with_gaps(BASE, float("nan")),
    "NaN in an array of objects": np.array(with_gaps(BASE, np.nan), dtype=object),
    "masked in a list": with_gaps(BASE, np.ma.masked),
    "a masked array": np.ma.array(BASE, mask=[i in GAPS for i in range(calls.N)]),
    "NA": pd.array(with_gaps(BASE, None), dtype="string"),
    "NaN in a column": pd.Series(with_gaps(BASE, np.nan)),
    "a category that is missing": pd.Categorical(with_gaps(BASE, None)),
}
WHOLE = {
    "NA in whole numbers": pd.array(with_gaps(LETTERS, None), dtype="Int64"),
    "None in whole numbers": with_gaps(LETTERS, None),
    "NaN in a list of whole numbers": with_gaps(LETTERS, float("nan")),
    "masked whole numbers": np.ma.array(LETTERS, mask=[i in GAPS for i in range(calls.N)]),
}
LABELED = ["quality.knn_error", "quality.knn_confusion", "views.map_points", "views.svg", "views.aspect_grid", "watch"]
LABELED += ["views.thumbnails", "views.springs", "views.p_against_q", "replay", "Recording.describe", "Dataset"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", LABELED)
@pytest.mark.parametrize("kind", [*MISSING, *WHOLE])
def test_a_missing_label_is_taken_everywhere(name, kind):
    assert calls.spoilt(name, "labels", (MISSING | WHOLE)[kind]) is None


@in_one_test("kind", [*MISSING, *WHOLE])
def test_a_missing_label_is_no_class(kind):
    labels, names = (MISSING | WHOLE)[kind], ["a", "b", "c"] if kind in MISSING else ["0", "1", "2"]
    replayed = ns.replay(calls.FILM, labels=labels)
    codes = np.frombuffer(replayed.classes, "<u2")
    assert replayed.class_names == names and np.flatnonzero(codes == 65535).tolist() == GAPS
    kept = [LETTERS[i] for i in range(calls.N) if i not in GAPS]
    assert [code for code in codes if code != 65535] == kept
    figure = ns.views.map_points(calls.Y, labels=labels)
    assert [item.label.value for item in figure.legend[0].items] == [*names, "unlabeled (3)"]
    assert "unlabeled (3)" in ns.views.svg(calls.Y, labels)
    table = ns.quality.knn_confusion(calls.Y, labels)
    assert [str(name) for name in table.index] == names and table.to_numpy().sum() == calls.N - 3
    data = ns.datasets.Dataset(title="t", X=calls.X, labels=labels)
    assert [i for i, label in enumerate(data.labels) if label is None] == GAPS
    assert repr(data).endswith(f"labels {names[0]}..{names[-1]} and 3 unlabeled)")
    assert None not in data.sample(2).labels and len(data.sample(2)) == 6


def test_scores_leave_unlabeled_objects_out_as_if_they_were_not_there():
    there = [i for i in range(calls.N) if i not in GAPS]
    for k in (1, 3):
        labels = MISSING["None"]
        alone = [labels[i] for i in there]
        assert ns.quality.knn_error(calls.Y, labels, k) == ns.quality.knn_error(calls.Y[there], alone, k)
        pd.testing.assert_frame_equal(
            ns.quality.knn_confusion(calls.Y, labels, k), ns.quality.knn_confusion(calls.Y[there], alone, k)
        )


@in_one_test("name", LABELED)
def test_labels_that_are_floats_must_not_be_infinite(name):
    for wrong in (np.inf, -np.inf):
        error = calls.spoilt(name, "labels", [0.5, wrong] * 12)
        assert f"labels must be finite, got {wrong} at object 1 (in all 12: objects 1, 3" in str(error)


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA, np.ma.masked])
def test_a_value_may_be_missing(gap):
    values = with_gaps(np.arange(calls.N) / 2, gap)
    for name in ("watch", "replay", "Recording.describe"):
        assert calls.spoilt(name, "values", values) is None
    for given in ({"values": values}, {"labels": values}):
        view = ns.replay(calls.FILM, **given)
        sent = np.frombuffer(view.values, "<f4")
        assert np.flatnonzero(np.isnan(sent)).tolist() == GAPS and view.value_range == [0.5, 11.5]
    figure = ns.views.map_points(calls.Y, labels=values)
    assert [item.label.value for item in figure.legend[0].items] == ["no value (3)"]
    found = {renderer.name: renderer.data_source.data["object"].tolist() for renderer in figure.renderers}
    assert found["no value"] == GAPS and len(found["objects"]) == calls.N - 3
    assert f'fill="{palette.BLANK}"' in ns.views.svg(calls.Y, values)


def test_values_must_not_all_be_missing():
    error = calls.spoilt("watch", "values", [None] * calls.N)
    assert "values must hold at least one number, but all are missing" in str(error)


def test_labels_may_all_be_missing():
    for labels in ([None] * calls.N, [float("nan")] * calls.N):
        view = ns.replay(calls.FILM, labels=labels)
        assert set(np.frombuffer(view.classes, "<u2")) == {65535} and view.class_names == []
        assert "unlabeled (24)" in ns.views.svg(calls.Y, labels)
        assert ns.Recording().describe(labels=labels).labels.tolist() == [None] * calls.N


@pytest.mark.parametrize("kind", [*MISSING, *WHOLE])
def test_a_recording_keeps_missing_labels_and_gives_them_back(kind, tmp_path):
    recording = calls.recording()
    recording.describe(labels=(MISSING | WHOLE)[kind], values=with_gaps(np.arange(calls.N), None))
    expected = with_gaps(BASE if kind in MISSING else LETTERS, None)
    back = ns.Recording.load(recording.save(tmp_path / "film.npz"))
    for kept in (recording, back):
        assert kept.labels.tolist() == expected and not kept.labels.flags.writeable
        assert [type(label) for label in kept.labels] == [type(label) for label in expected]
        assert np.flatnonzero(np.isnan(kept.values)).tolist() == GAPS
    again = ns.Recording.load(back.save(tmp_path / "again.npz"))
    assert again.labels.tolist() == expected
    assert ns.Recording().describe(labels=back.labels).labels.tolist() == expected
    page = back.to_html(tmp_path / "film.html").read_text()
    assert '"class_names":["' in page


def test_floats_with_gaps_come_back_as_they_were(tmp_path):
    labels = with_gaps(np.linspace(0, 1, calls.N), np.nan)
    recording = calls.recording().describe(labels=labels)
    back = ns.Recording.load(recording.save(tmp_path / "film.npz"))
    assert back.labels.dtype == np.float64
    np.testing.assert_array_equal(back.labels, labels)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, np.ma.masked, ""])
def test_an_object_may_have_no_name_where_it_is_drawn(missing):
    names = [missing, missing, *calls.NAMES[2:]]
    for name in ("views.map_points", "views.springs", "views.aspect_grid", "watch", "replay", "Recording.describe"):
        assert calls.spoilt(name, "names", names) is None, name
    assert ns.replay(calls.FILM, names=names).names[:3] == ["", "", calls.NAMES[2]]
    assert ns.replay(calls.FILM, names=[missing] * calls.N).names == []
    assert ns.Recording().describe(names=names).names[:2] == ("", "")
    assert ns.datasets.Dataset(title="t", X=calls.X, names=names).names[:2].tolist() == ["", ""]


@in_one_test("missing", [None, float("nan"), pd.NA, np.ma.masked, ""])
@in_one_test("name", ["explore", "senses.read", "senses.separation", "senses.stability"])
def test_a_word_that_is_looked_up_must_be_there(name, missing):
    error = calls.spoilt(name, "names", [*calls.NAMES[:-2], missing, missing])
    assert type(error) is ValueError
    assert "names must not be missing where words are looked up, but there is none of objects 22, 23; " in str(error)


def test_labels_that_are_there_are_left_as_they_are():
    for labels in (["a", "b"], [1, 2], [True, False], [0.5, 2.0], ["", "None"], np.array(["2020", "2021"], "M8[Y]")):
        assert check_labels(labels).tolist() == np.asarray(labels).tolist()
    with pytest.raises(TypeError, match="labels must be classes or real numbers, got complex128"):
        check_labels([1j, 2j])
