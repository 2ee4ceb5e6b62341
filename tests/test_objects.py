"""A label or a name that is missing means the same everywhere: an error that says how many, and of which objects."""

import numpy as np
import pandas as pd
import pytest

from notebook_sne.objects import check_labels
from tests import calls

MISSING = {
    "None": [None, *"abc"],
    "NaN in a list of text": [float("nan"), *"abc"],
    "NaN in an array of objects": np.array([np.nan, *"abc"], dtype=object),
    "NA": pd.array([None, *"abc"], dtype="string"),
    "NaN in a column": pd.Series([np.nan, *"abc"]),
    "NA in whole numbers": pd.array([None, 1, 2, 3], dtype="Int64"),
    "a category that is missing": pd.Categorical([None, *"abc"]),
    "NaT": np.array(["NaT", "2020", "2021", "2022"], dtype="datetime64[Y]"),
}
LABELED = ["quality.knn_error", "quality.knn_confusion", "views.map_points", "views.svg", "views.aspect_grid", "watch"]
LABELED += ["replay", "Recording.describe", "Dataset"]


@pytest.mark.parametrize("name", LABELED)
@pytest.mark.parametrize("kind", MISSING)
def test_a_missing_label_is_refused_everywhere_alike(name, kind):
    given = MISSING[kind]
    several = pd.concat([pd.Series(given)] * 6, ignore_index=True)
    several = several.tolist() if isinstance(given, list) else several.to_numpy() if kind == "NaT" else several.array
    if kind == "NaN in an array of objects":
        several = np.array(list(given) * 6, dtype=object)
    error = calls.spoilt(name, "labels", several)
    assert type(error) is ValueError, error
    # Of whole numbers with a gap, pandas itself makes floats.
    rule = "be finite" if kind == "NA in whole numbers" else "not be missing"
    for words in (f"labels must {rule}, got ", " at object 0 (in all 6: objects 0, 4, 8, 12, 16 and 1 more)"):
        assert words in str(error)


@pytest.mark.parametrize("name", LABELED)
def test_labels_that_are_numbers_must_be_finite(name):
    for wrong in (np.nan, np.inf):
        error = calls.spoilt(name, "labels", [0.5, wrong] * 12)
        assert "labels must be finite, got " in str(error) and "at object 1 (in all 12: objects 1, 3" in str(error)


@pytest.mark.parametrize(
    "name", ["views.map_points", "watch", "explore", "Recording.describe", "Dataset", "senses.read"]
)
@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_name_is_refused_everywhere(name, missing):
    error = calls.spoilt(name, "names", [missing, *calls.NAMES[1:]])
    assert type(error) is ValueError and "names must not be missing, got" in str(error), error


def test_labels_that_are_there_are_left_as_they_are():
    for labels in (["a", "b"], [1, 2], [True, False], [0.5, 2.0], ["", "None"], np.array(["2020", "2021"], "M8[Y]")):
        assert check_labels(labels).tolist() == np.asarray(labels).tolist()
    with pytest.raises(TypeError, match="labels must be classes or real numbers, got complex128"):
        check_labels([1j, 2j])
