"""Columns beside the objects: read once, missing entries stay missing, kept by files, asked by queries."""

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from notebook_sne.engine.objects.columns import Column, column_traits, frame_of, in_parts, read_columns
from notebook_sne.engine.objects.names import read_importance

TABLE = pd.DataFrame(
    {
        "year": [1990.0, 1996.0, None, 2001.0],
        "who": ["a<script>", None, "b", "b"],
        "when": pd.to_datetime(["2020-01-01 00:00", None, "2021-05-06 10:00", "2022-01-01 00:00"]),
        "kept": [True, False, None, True],
    }
)


def test_each_column_is_numbers_dates_or_texts_and_gaps_stay_gaps():
    read = {column.name: column for column in read_columns(TABLE, 4)}
    assert [column.kind for column in read.values()] == ["number", "text", "date", "text"]
    assert np.isnan(read["year"].entries[2]) and np.isnan(read["when"].entries[1])
    assert read["who"].entries == ("a<script>", None, "b", "b")
    assert read["kept"].entries == ("yes", "no", None, "yes")
    again = frame_of(read_columns(tuple(read.values()), 4))
    assert again["when"][2] == pd.Timestamp("2021-05-06 10:00") and again["when"].isna().tolist() == [0, 1, 0, 0]


def test_a_table_as_it_is_found_is_read_column_by_column():
    table = pd.DataFrame(
        {
            3: [1, 2, 3, 4],
            ("size", "in cm"): pd.array([1, None, 3, 4], dtype="Int64"),
            "nested": [[1, 2], [3], None, {"a": 1}],
            "pairs": [[1, 2], [3, 4], [5, 6], [7, 8]],
            "kind": pd.Categorical(["b", None, "a", "b"]),
            "took": pd.to_timedelta([1, 2, None, 4], unit="h"),
            "seen": pd.to_datetime(["2020-01-01"] * 4).tz_localize("Europe/Berlin"),
            "none": [None] * 4,
            "link": ["javascript:alert(1)", "https://a.org/?b=<c>", None, ""],
        },
        index=[7, 7, 7, 7],
    )
    read = {column.name: column for column in read_columns(table, 4)}
    assert read["3"].entries.tolist() == [1, 2, 3, 4] and np.isnan(read["size / in cm"].entries[1])
    assert read["nested"].entries == ("[1, 2]", "[3]", None, "{'a': 1}")
    assert read["pairs"].entries[3] == "[7, 8]" and read["kind"].entries == ("b", None, "a", "b")
    assert read["took"].entries == ("0 days 01:00:00", "0 days 02:00:00", None, "0 days 04:00:00")
    assert frame_of((read["seen"],))["seen"][0] == pd.Timestamp("2019-12-31 23:00")
    assert np.isnan(read["none"].entries).all() and read["link"].entries[:2] == tuple(table["link"][:2])


@pytest.mark.parametrize(
    ("columns", "error", "match"),
    [
        ({"a": [1, 2, 3]}, ValueError, "one entry for each of the 4 objects, got 3"),
        ({"a": [1, 2, 3, np.inf]}, ValueError, "must be finite"),
        ({"x": [1, 2, 3, 4]}, ValueError, "names of 1 to 200 letters other than"),
        ({str(k): range(4) for k in range(65)}, ValueError, "at most 64, got 65"),
        ([1, 2, 3, 4], TypeError, "must be a DataFrame or a mapping"),
        (pd.DataFrame(np.zeros((4, 2)), columns=["a", "a"]), ValueError, "names that differ"),
    ],
)
def test_what_is_no_column_is_refused(columns, error, match):
    with pytest.raises(error, match=match):
        read_columns(columns, 4)


def test_a_data_set_carries_its_columns():
    data = ns.datasets.Dataset(title="four", X=np.eye(4), columns=TABLE)
    assert data.select([3, 0]).columns["year"].tolist() == [2001.0, 1990.0]
    with pytest.raises(ValueError, match="one entry for each object"):
        ns.datasets.Dataset(title="four", X=np.eye(3), columns=TABLE)


def test_colors_can_mean_what_is_not_all_missing_and_of_few_kinds():
    table = TABLE.assign(nothing=[None] * 4, nan=np.full(4, np.nan), never=pd.to_datetime([None] * 4))
    traits = column_traits(read_columns(table, 4))["object_columns"]
    assert {column["name"]: column["colors"] for column in traits} == {
        **{"year": True, "who": True, "when": True, "kept": True},
        **{"nothing": False, "nan": False, "never": False},
    }
    for n, copies in ((256, 1), (257, 1), (257, 3), (257, 4), (3000, 5)):  # a missing entry is none
        texts = [None, *map(str, range(n))] * copies
        (many,) = column_traits(read_columns({"link": texts}, len(texts)))["object_columns"]
        assert many["colors"] == ("classes" in many) == (n == 256 or 4 * n <= len(texts))


def test_categories_of_a_column_keep_their_order_in_views_and_files(tmp_path):
    order = ["low", "mid", "high"]
    kinds = pd.Series(pd.Categorical(["high", "low", None, "mid"], categories=[*order, "never"], ordered=True))
    flags = pd.Series(pd.Categorical([True, False, True, True], categories=[True, False]))
    table = pd.DataFrame({"level": kinds, "plain": pd.Categorical(["b", "a", "b", "a"]), "flag": flags})
    columns = read_columns(table, 4)
    assert [column.order for column in columns] == [tuple(order), None, None]
    with ns.Run(ns.SNE(perplexity=2, random_state=0, init="random"), np.eye(4)) as run:
        run.steps(1)
        player = ns.Player(run, columns=table)
        recording = player.describe()
        kept = ns.Recording.load(recording.save(tmp_path / "four.npz"))
        for view in (player, ns.replay(recording), ns.replay(kept)):
            assert [column["classes"] for column in view.object_columns] == [order, ["a", "b"], ["no", "yes"]]
            assert view.objects()["level"].sort_values().dropna().tolist() == order
            assert view.select("level in ['low', 'mid']").index.tolist() == [1, 3]
            assert view.select("level is None").index.tolist() == [2]
            view.color = "column:level"
            assert view._still_labels()[0].class_names == tuple(order)  # the colors of the still are those of the view
        player.discard()


def test_a_view_gives_and_takes_rows_and_a_file_keeps_them(tmp_path):
    with ns.Run(ns.SNE(perplexity=2, random_state=0, init="random"), np.eye(4)) as run:
        run.steps(2)
        recording = run.recording.describe(columns=TABLE, names=list("abcd"), importance="year")
    kept = ns.Recording.load(recording.save(tmp_path / "four.npz"))
    np.testing.assert_array_equal(kept.importance, recording.columns[0].entries)
    view = ns.replay(kept)
    assert np.frombuffer(view.importance, "<u4").tolist() == read_importance("year", 4, recording.columns).tolist()
    assert view.importance != ns.replay(kept, importance=[4, 3, 2, 1]).importance
    assert view.select("year > 1995").index.tolist() == [1, 3] == view.selection
    assert view.selected()["name"].tolist() == ["b", "d"] and view.selected()["x"].notna().all()
    view.color = "column:who"
    with pytest.raises(ValueError, match="query must be a condition on the columns name, x, y, year, who, when, kept"):
        view.select("nothing > 3")
    with pytest.raises(ValueError, match="color must be one of"):
        view.color = "column:nothing"
    assert isinstance(recording.columns[0], Column)
    page = recording.to_html(tmp_path / "four.html").read_text()
    assert "a<script>" not in page


LARGE = {
    "id": [2**53 + 1, None, -(2**63), 2**63 - 1],
    "code": np.array([2**64 - 1, 2**63, 2**53 + 1, 7], np.uint64),
    "gap": pd.array([2**53 + 1, None, 3, 2**60 - 1], dtype="Int64"),
    "few": np.array([1, 2, 3, 2**53]),
    "ns": pd.to_datetime(["2020-01-01 00:00:00.000400001", None, "1969-12-31 23:59:59.999999999", "2020-01-01"],
                         format="mixed"),
    "us": np.array(["2020-01-01T00:00:00.000400", "1066-10-14T00:00:00.000001", "NaT", "9999-01-01"], "M8[us]"),
    "zone": pd.to_datetime(["2020-01-01 00:00:00.000400001"] * 4).tz_localize("Europe/Berlin"),
}  # fmt: skip


def test_large_whole_numbers_and_fine_dates_stay_what_they_are():
    columns = read_columns(LARGE, 4)
    for frame in (frame_of(columns), frame_of(read_columns(tuple(columns), 4))):
        assert frame["id"].tolist() == [2**53 + 1, pd.NA, -(2**63), 2**63 - 1]
        assert frame["code"].tolist() == [2**64 - 1, 2**63, 2**53 + 1, 7]
        assert frame["gap"].tolist() == [2**53 + 1, pd.NA, 3, 2**60 - 1]
        assert frame["few"].tolist() == [1, 2, 3, 2**53]
        assert frame["ns"].tolist() == list(pd.Series(LARGE["ns"]))
        assert frame["us"].to_numpy("M8[us]")[[0, 1, 3]].tolist() == LARGE["us"][[0, 1, 3]].tolist()
        assert frame["zone"][0] == pd.Timestamp("2019-12-31 23:00:00.000400001")
        assert frame["us"].isna().tolist() == [False, False, True, False]
    assert {column.name for column in columns if column.rest is not None} == set(LARGE) - {"few"}


def test_whole_numbers_that_no_type_holds_are_texts_or_refused():
    read = read_columns({"both": [-1, 2**63, None], "huge": [2**64, 1, 2]}, 3)
    assert [column.entries for column in read] == [("-1", str(2**63), None), (str(2**64), "1", "2")]
    with pytest.raises(ValueError, match=r"must not hold fractions beside whole numbers above 2\*\*53.*got 90071992"):
        read_columns({"a": [2**53 + 1, 0.5]}, 2)


def test_a_view_and_a_file_keep_large_numbers_and_fine_dates(tmp_path):
    with ns.Run(ns.SNE(perplexity=2, random_state=0, init="random"), np.eye(4)) as run:
        run.steps(2)
        recording = run.recording.describe(columns=LARGE)
    kept = ns.Recording.load(recording.save(tmp_path / "four.npz"))
    pd.testing.assert_frame_equal(frame_of(kept.columns), frame_of(recording.columns))
    view = ns.replay(kept)
    assert view.select(f"id == {2**63 - 1} or gap == {2**53 + 1}").index.tolist() == [0, 3]
    assert view.select("ns < '2020-01-01 00:00:00.000400001'").index.tolist() == [2, 3]
    packed = np.frombuffer(view.object_numbers, "<f8").reshape(-1, 4)
    facts = {column["name"]: column for column in view.object_columns}
    assert int(packed[facts["id"]["at"], 0]) + int(packed[facts["id"]["rest"], 0]) == 2**53 + 1
    assert packed[facts["ns"]["rest"]].tolist() == [400_001, 0, 999_999, 0] and "rest" not in facts["few"]


@pytest.mark.parametrize("rest", [[0.5, 0, 0, 0], [2000.0, 0, 0, 0], [np.nan, 0, 0, 0], [0, 3.0, 0, 0], [0, 0, 0, 0]])
def test_rests_that_are_none_are_told_from_others(rest):
    column = read_columns({"id": [2**53 + 1, None, 5, 6]}, 4)[0]
    assert in_parts(column)
    assert not in_parts(column._replace(rest=np.array(rest, float)))
    assert not in_parts(column._replace(entries=np.array([1e300, 0.5, 5, 6])))
