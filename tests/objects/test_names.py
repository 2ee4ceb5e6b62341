"""Names: alike ones are allowed, and importance says which are written first, by one rule in all views."""

import re

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.objects.columns import read_columns
from notebook_sne.engine.objects.names import read_importance, read_names
from notebook_sne.engine.objects.traits import object_traits

COLUMNS = read_columns({"count": [3, None, 9, 3], "kind": list("aabb")}, 4)


def test_names_may_be_alike_and_may_be_missing():
    assert read_names(["bank", None, b"bank", 3], 4) == ("bank", "", "bank", "3")


def test_the_largest_come_first_alike_ones_in_their_order_and_missing_ones_last():
    assert read_importance(None, 4) is None
    assert read_importance("count", 4, COLUMNS).tolist() == [2, 0, 3, 1]
    assert read_importance([0, np.nan, -1, 5], 4).tolist() == [3, 0, 2, 1]
    packed = object_traits(4, columns=COLUMNS, importance="count")["importance"]
    assert np.frombuffer(packed, "<u4").tolist() == [2, 0, 3, 1]


@pytest.mark.parametrize(
    ("importance", "error", "match"),
    [
        ("kind", ValueError, "of which there are count, got 'kind'"),
        ([1, 2], ValueError, "one entry for each of the 4 objects, got 2"),
        ([1, 2, 3, np.inf], ValueError, "importance must be finite"),
        (list("abcd"), TypeError, "importance must be numbers"),
    ],
)
def test_what_is_no_importance_is_refused(importance, error, match):
    with pytest.raises(error, match=match):
        read_importance(importance, 4, COLUMNS)


def test_where_two_names_have_room_for_one_the_important_one_is_written():
    Y = np.array([[0.0, 0.0], [0.0, 0.0], [0.001, 0.0], [9.0, 9.0]])
    names = [f"name {i}" for i in range(4)]

    def written(**more):
        text = ns.views.svg(Y, names=names, size=240, legend=False, **more)
        return re.findall(r"name (\d)[^<]*</text>", text)[:1]

    assert written() == ["0"]
    assert written(importance=[1, 3, 2, 0]) == ["1"]
    figure = ns.views.map_points(Y, names=names, most_names=1, importance=[0, 0, 0, 1])
    assert any(
        "name 3" in str(r.data_source.data) and len(next(iter(r.data_source.data.values()))) == 1
        for r in figure.renderers
        if hasattr(r, "data_source")
    )
