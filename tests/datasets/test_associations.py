import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from notebook_sne import senses
from notebook_sne.datasets import associations
from tests.tables import in_one_test

COLUMNS = {"cue": "cue", "response": "response", "count": "count"}


def norms(*rows, n_words=None, **options):
    table = pd.DataFrame(rows, columns=["cue", "response", "count"])
    return associations(table, **COLUMNS, n_words=n_words, **options)


RING = [("a", "b", 3), ("b", "c", 2), ("c", "a", 4)]  # three words that can be mapped


def said(data, what):
    """What the report says of this kind, as rows (cue, response, count)."""
    rows = data.report[data.report["what"] == what]
    return [tuple(row) for row in rows[["cue", "response", "count"]].itertuples(index=False)]


def test_counts_and_probabilities_of_words_most_often_given_first():
    data = norms(*RING, ("a", "c", 1))
    assert data.names.tolist() == ["a", "b", "c"]  # given 4, 3 and 3 times; b before c by name
    assert data.counts.toarray().tolist() == [[0, 3, 1], [0, 0, 2], [4, 0, 0]]
    assert data.counts.dtype == np.int64
    np.testing.assert_array_equal(data.P.toarray(), [[0, 0.75, 0.25], [0, 0, 1], [1, 0, 0]])
    assert data.kept.tolist() == [1, 1, 1]
    assert data.outside.shape == (3, 0)
    assert list(data.report.columns) == ["what", "cue", "response", "count"]
    assert len(data.report) == 0


def test_fractions_stay_fractions():
    data = norms(("a", "b", 0.5), ("a", "c", 1), *RING[1:])
    assert data.counts.dtype == np.float64
    assert data.names.tolist() == ["a", "c", "b"]  # given 4, 3 and 0.5 times
    np.testing.assert_allclose(data.P.toarray()[0], [0, 2 / 3, 1 / 3])


def test_a_response_that_is_no_cue_is_left_out_and_reported():
    data = norms(*RING, ("a", "z", 9))
    assert said(data, "response is no cue") == [("a", "z", 9)]
    assert data.kept.tolist() == [0.25, 1, 1]
    assert data.outside_names.tolist() == ["to z"]
    assert data.outside.toarray().tolist() == [[9], [0], [0]]


def test_a_self_response_is_left_out_and_reported():
    data = norms(*RING, ("b", "b", 2))
    assert said(data, "self-response") == [("b", "b", 2)]
    assert data.counts.diagonal().tolist() == [0, 0, 0]
    assert dict(zip(data.names, data.kept, strict=True)) == {"a": 1, "b": 0.5, "c": 1}


def test_duplicates_are_summed_and_reported():
    data = norms(*RING, ("a", " b ", 5))
    assert said(data, "duplicate was summed") == [("a", "b", 8)]
    assert data.counts.sum() == 14


def test_a_count_of_0_is_ignored_and_reported():
    data = norms(*RING, ("a", "c", 0), ("d", "a", 0))
    assert said(data, "count is 0") == [("a", "c", 0), ("d", "a", 0)]
    assert said(data, "cue was left without responses") == [("d", "", 0)]
    assert data.counts.nnz == 3


def test_words_left_without_responses_are_left_out_until_no_more_are():
    # y answers only with z, which is no cue; x only with y; w also with a.
    data = norms(*RING, ("w", "x", 1), ("w", "a", 1), ("x", "y", 2), ("y", "z", 3), ("y", "y", 1))
    assert sorted(data.names) == ["a", "b", "c", "w"]
    assert said(data, "cue was left without responses") == [("x", "", 2), ("y", "", 4)]
    assert said(data, "response was left without responses") == [("w", "x", 1), ("x", "y", 2)]
    assert said(data, "response is no cue") == [("y", "z", 3)]


def test_an_empty_column_is_no_reason_to_leave_a_word_out():
    data = norms(*RING, ("d", "a", 1))
    assert data.names.tolist() == ["a", "b", "c", "d"]
    assert data.counts.sum(axis=0).tolist() == [5, 3, 2, 0]


def test_the_words_most_often_given_are_kept_with_ties_by_name():
    # d, e and f are given twice each, by cues that are not kept too.
    rows = [*RING, ("a", "e", 2), ("b", "d", 1), ("f", "d", 1), ("d", "a", 1), ("e", "f", 2), ("d", "z", 50)]
    data = norms(*rows, n_words=4)
    assert data.names.tolist() == ["a", "b", "c", "d"]
    assert said(data, "cue is not among the n_words") == [("e", "", 2), ("f", "", 1)]
    assert said(data, "response is not among the n_words") == [("a", "e", 2)]
    assert said(data, "response is no cue") == [("d", "z", 50)]
    assert data.outside_names.tolist() == ["to e", "to z", "from f"]
    assert data.outside.toarray().tolist() == [[2, 0, 0], [0, 0, 0], [0, 0, 0], [0, 50, 1]]
    np.testing.assert_allclose(data.kept, [3 / 5, 1, 1, 1 / 51])


def test_a_word_of_the_n_that_is_left_without_responses_is_not_replaced():
    data = norms(*RING, ("a", "d", 9), ("d", "e", 1), ("e", "a", 1), n_words=4)
    assert sorted(data.names) == ["a", "b", "c"]
    assert said(data, "cue was left without responses") == [("d", "", 1)]
    assert said(data, "response was left without responses") == [("a", "d", 9)]


def test_case_and_accents_are_kept_and_odd_words_are_words():
    odd = ["null", "nan", "NA", "none", "true", "Bank", "bank", "naïve", "2 X 4"]
    rows = [(one, other, 1) for one, other in zip(odd, [*odd[1:], odd[0]], strict=True)]
    for missing in ("raise", "drop"):  # nothing stands for a missing word unless it is said so
        data = norms(*rows, missing=missing)
        assert sorted(data.names) == sorted(odd)
        assert len(data.report) == 0


def test_a_file_reads_as_the_data_frame_does(tmp_path):
    file = tmp_path / "norms.csv"
    file.write_text("n;who;said\n3;null; nan\n2;nan;NA\n4;NA;null\n1;NA;loan\n", encoding="utf-8-sig")
    data = associations(file, cue="who", response="said", count="n", delimiter=";")
    assert data.names.tolist() == ["null", "nan", "NA"]
    assert data.counts.toarray().tolist() == [[0, 3, 0], [0, 0, 2], [4, 0, 0]]
    assert said(data, "response is no cue") == [("NA", "loan", 1)]
    assert data.title == "Word associations, norms.csv" and not data.citation
    own = associations(
        file, cue="who", response="said", count="n", delimiter=";", title="Ours", citation="A. Author, 2026"
    )
    assert (own.title, own.citation) == ("Ours", "A. Author, 2026")
    made = senses.groups(own).made["norms"]
    assert (made["title"], made["citation"]) == ("Ours", "A. Author, 2026")


def test_without_a_count_column_equal_rows_are_counted(tmp_path):
    file = tmp_path / "answers.csv"
    file.write_text("who,said\na,b\na,b\na,c\nb,c\nc,a\n")
    data = associations(file, cue="who", response="said", count=None)
    assert data.names.tolist() == ["b", "c", "a"]  # given twice, twice and once
    assert data.counts.toarray().tolist() == [[0, 1, 0], [0, 0, 1], [2, 1, 0]]
    assert len(data.report) == 0


GAPS = [("a", "b", "3"), ("a", "NA", "2"), ("a", "", "1"), ("NA", "b", "5"), ("", "", "1"), ("b", "c", "2")]
GAPS += [("c", "a", "4"), ("c", "b", ""), ("d", "", "1"), ("a", "d", "6"), ("a", "NA", "4"), ("a", " ", "NA")]


@pytest.mark.parametrize("kind", ["table", "file"])
def test_rows_with_something_missing_are_left_out_and_counted(tmp_path, kind):
    table = pd.DataFrame(GAPS, columns=["cue", "response", "count"])
    if kind == "file":
        table.to_csv(tmp_path / "norms.csv", index=False)
        table = tmp_path / "norms.csv"
    else:
        table = table.replace("", None)
    data = associations(table, **COLUMNS, missing="drop", missing_values=["NA"])
    assert data.names.tolist() == ["a", "b", "c"]
    assert data.counts.toarray().tolist() == [[0, 3, 0], [0, 0, 2], [4, 0, 0]]
    assert said(data, "cue is missing") == [("", "", 1), ("NA", "b", 5)]
    assert said(data, "response is missing") == [("a", "", 1), ("a", "NA", 6), ("d", "", 1)]
    assert said(data, "count is missing") == [("c", "b", 0)]
    # d was shown to people: it is a cue, of which no answer is known.
    assert said(data, "cue was left without responses") == [("d", "", 0)]
    assert said(data, "response was left without responses") == [("a", "d", 6)]
    np.testing.assert_allclose(data.kept, [3 / 9, 1, 1])
    assert data.report["count"].dtype == np.int64


def test_a_file_without_gaps_is_the_same_whatever_is_missing(tmp_path):
    one, other = norms(*RING, ("a", "z", 2)), norms(*RING, ("a", "z", 2), missing="drop", missing_values={"NA"})
    assert one.names.tolist() == other.names.tolist()
    assert (one.counts != other.counts).nnz == 0
    pd.testing.assert_frame_equal(one.report, other.report)


def test_the_answers_of_one_person_may_stand_in_one_row(tmp_path):
    rows = [("a", "b", "c", "NA"), ("a", "b", "NA", "NA"), ("b", "c", "b", "a"), ("c", "a", "b", "z")]
    wide = pd.DataFrame([(k, *row) for k, row in enumerate(rows)], columns=["", "cue", "R1", "R2", "R3"])
    file = tmp_path / "wide.csv"
    wide.to_csv(file, index=False)
    asked = {"cue": "cue", "response": ["R1", "R2", "R3"], "count": None, "missing_values": ["NA"], "missing": "drop"}
    data = associations(file, **asked)
    long = pd.DataFrame([(row[0], answer) for row in rows for answer in row[1:]], columns=["cue", "response"])
    other = associations(long, **{**asked, "response": "response"})
    for each in (data, other):
        assert each.names.tolist() == ["b", "a", "c"]  # given 3, 2 and 2 times
        assert each.counts.toarray().tolist() == [[0, 1, 1], [2, 0, 1], [1, 1, 0]]
        assert said(each, "response is missing") == [("a", "NA", 3)]
        assert said(each, "self-response") == [("b", "b", 1)]
        assert said(each, "response is no cue") == [("c", "z", 1)]
    wide.loc[1, "cue"] = "NA"
    assert said(associations(wide, **asked), "cue is missing") == [("NA", "NA", 2), ("NA", "b", 1)]
    with pytest.raises(ValueError, match=r"wide.csv, line 3, column 'R2': must be a word, got 'NA', one of"):
        associations(file, **{**asked, "missing": "raise"})


def test_pairs_given_too_seldom_are_left_out_and_reported():
    rows = [*RING, ("a", "c", 1), ("a", "c", 0.5), ("b", "a", 1.5), ("a", "a", 1), ("a", "z", 1), ("d", "a", 1)]
    data = norms(*rows, min_count=2)
    assert data.counts.toarray().tolist() == [[0, 3, 0], [0, 0, 2], [4, 0, 0]]
    assert said(data, "given less often than min_count") == [
        ("a", "c", 1.5),
        ("a", "z", 1),
        ("b", "a", 1.5),
        ("d", "a", 1),
    ]
    assert said(data, "self-response") == [("a", "a", 1)]
    assert said(data, "response is no cue") == []
    assert said(data, "cue was left without responses") == [("d", "", 1)]
    np.testing.assert_allclose(data.kept, [3 / 6.5, 2 / 3.5, 1])
    assert data.outside.nnz == 0
    assert norms(*rows, min_count=1.5).counts.nnz == 5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cue,response,count\na,b,1\n,c,2\n", r"norms.csv, line 3, column 'cue': must be a word, is empty"),
        ("cue,response,count\na,b,1\nb,,2\n", r"norms.csv, line 3, column 'response': must be a word, is empty"),
        ("cue,response,count\na,b,1\nb,c,-2\n", r"norms.csv, line 3, column 'count': a count .* got '-2'; remove"),
        ("cue,response,count\na,b,1\nb,c\n", r"norms.csv, line 3: must have 3 columns .* cut off or damaged there"),
        ("cue,response,count\na,b,1\nb,c,", r"norms.csv, line 3, column 'count': .* got nothing; .* cut off"),
        ("who,said,count\na,b,1\n", r"cue must name a column .* its columns are 'who', 'said', 'count'"),
        ("cue,response,count\n", r"at least 3 words .*, got 0 of 0 cues; nothing was left out"),
        ("cue,response,count\na,b,1\nb,a,1\n", r"got 2 of 2 cues"),
        ("cue,response,count\na,x,1\nb,y,1\nc,c,1\n", r"got 0 of 3 cues; self-response: 1, response is no cue: 2"),
        ("cue,response,count\na,b,1e308\nb,a,1e308\n", r"finite sum, got numbers too large to add"),
    ],
)
def test_an_error_names_the_file_the_line_and_the_way_out(tmp_path, content, message):
    file = tmp_path / "norms.csv"
    file.write_text(content)
    with pytest.raises(ValueError, match=message):
        associations(file, **COLUMNS)


@in_one_test(
    ("options", "error", "message"),
    [
        ({"missing": "ignore"}, ValueError, "missing must be one of 'raise', 'drop', got 'ignore'"),
        ({"missing_values": "NA"}, TypeError, "missing_values must be a list, got 'NA'; put the entries into one"),
        ({"n_words": 2}, ValueError, "n_words must be at least 3, got 2; None keeps all"),
        ({"n_words": 3.0}, TypeError, "n_words must be a whole number or None, got 3.0"),
        ({"n_words": True}, TypeError, "n_words must be a whole number or None, got True"),
        ({"response": None, "count": None}, TypeError, "response must be the name of a column, as text, got None"),
        ({"missing_values": [None]}, TypeError, "missing_values must be texts, got None at place 0"),
        ({"min_count": -1}, ValueError, "min_count must satisfy 0 <= min_count .*, got -1"),
        ({"min_count": "2"}, TypeError, "min_count must be a number, got '2'"),
        ({"response": []}, ValueError, "response must name at least one column, got an empty list"),
        ({"response": ["response"]}, ValueError, "count must be None where response is a list, .* got 'count'"),
        ({"response": ["response", 7], "count": None}, TypeError, r"response\[1\] must be the name of .* got 7"),
        ({"response": ["response", "R"], "count": None}, ValueError, r"response\[1\] must name a column .*, got 'R'"),
        ({"response": ["cue"], "count": None}, ValueError, r"cue and response\[0\] must be different columns"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, error, message):
    table = pd.DataFrame(RING, columns=["cue", "response", "count"])
    with pytest.raises(error, match=message):
        associations(table, **{**COLUMNS, **options})


WORDS = st.sampled_from("abcdefgh")


OR_NONE = st.sampled_from(["a", "b", "c", "d", "", "NA"])


@pytest.mark.slow
@given(
    st.lists(st.tuples(WORDS | OR_NONE, WORDS | OR_NONE, st.integers(0, 9)), max_size=60),
    st.none() | st.integers(3, 6),
    st.integers(0, 4),
)
def test_every_answer_is_in_the_counts_or_in_the_report(rows, n_words, min_count):
    table = [*RING, *rows]
    n_cues = len({cue for cue, *_ in table} - {"", "NA"})
    n_words = n_words and min(n_words, n_cues)
    options = {"missing": "drop", "missing_values": ["NA"]}
    try:
        data = norms(*table, n_words=n_words, min_count=min_count, **options)
    except ValueError as error:
        assert "at least 3 words" in str(error)
        return
    missing = data.report["what"].isin(["cue is missing", "response is missing"])
    gaps = [row for row in table if {"", "NA"} & set(row[:2])]
    assert data.report["count"][missing].sum() == sum(n for *_, n in gaps)
    table = [row for row in table if row not in gaps]
    left_out = data.report[~data.report["what"].isin(["count is 0", "duplicate was summed"]) & ~missing]
    about_cues = left_out["response"] == ""
    not_among = left_out["what"] == "cue is not among the n_words"
    # A self-response of a word that is not among the n is told twice, of the pair and of the cue; so is a rare pair.
    rare = left_out["what"] == "given less often than min_count"
    twice = left_out[((left_out["what"] == "self-response") | rare) & left_out["cue"].isin(left_out["cue"][not_among])]
    total = data.counts.sum() + left_out["count"][~about_cues | not_among].sum() - twice["count"].sum()
    assert total == sum(count for *_, count in table)
    np.testing.assert_allclose(data.P.sum(axis=1), 1)
    assert (data.P.diagonal() == 0).all()
    # What is kept, and what leads outside, are all the answers to a word but those that repeat it or are rare.
    answers = {word: sum(n for cue, _, n in table if cue == word) for word in data.names}
    own = {word: sum(n for cue, answer, n in table if cue == word == answer) for word in data.names}
    for word, n in zip(left_out["cue"][rare], left_out["count"][rare], strict=True):
        if word in own:
            own[word] += n
    to = np.array([name.startswith("to ") for name in data.outside_names], bool)
    outward = data.outside.toarray()[:, to].sum(axis=1)
    assert (data.counts.sum(axis=1) + outward).tolist() == [answers[word] - own[word] for word in data.names]
    np.testing.assert_allclose(data.kept, data.counts.sum(axis=1) / [answers[word] for word in data.names])


def test_more_words_than_there_are_cues_are_all_of_them():
    with pytest.warns(UserWarning, match="n_words=9 asks for more than the 3 cues there are: all are kept"):
        data = norms(("a", "b", 1), ("b", "c", 2), ("c", "a", 3), n_words=9)
    assert len(data) == 3 and data.whole is None


def test_a_part_of_the_words_remembers_the_whole():
    rows = [*RING, ("a", "d", 9), ("d", "e", 1), ("e", "a", 1)]
    part, whole = norms(*rows, n_words=4), norms(*rows)
    assert part.whole.names.tolist() == whole.names.tolist() and (part.whole.P != whole.P).nnz == 0
    assert (part.whole.counts != whole.counts).nnz == 0 and whole.whole is None
    assert "cut from" in repr(part) and part.made["n_words"] == 4 and whole.made["n_words"] == "all"
    assert part.made["cues"] == len(whole) and part.made["answers"] == sum(n for *_, n in rows)


def test_words_that_count_as_others_are_theirs_as_cue_and_as_response():
    rows = [("Finger", "hand", 3), ("fingers", "ring", 2), ("hand", "fingers", 4), ("ring", "FINGER", 1)]
    data = norms(*rows, case="lower", same={"Fingers": "finger"})
    assert sorted(data.names) == ["finger", "hand", "ring"]
    at = {name: k for k, name in enumerate(data.names.tolist())}
    counts = data.counts.toarray()
    assert counts[at["finger"]].sum() == 5 and counts[at["hand"], at["finger"]] == 4
    assert data.made["case"] == "lower" and data.made["words counted as others"] == 1
    for same in (["fingers"], {"fingers": 3}, {"fingers": " "}):
        with pytest.raises(TypeError, match="same must be a mapping of words to words"):
            norms(*rows, same=same)
    with pytest.raises(ValueError, match="case must be one of"):
        norms(*rows, case="upper")


def test_answers_of_later_columns_may_weigh_less():
    table = pd.DataFrame({"cue": ["a", "b", "c"], "R1": ["b", "c", "a"], "R2": ["c", "a", "b"]})
    wide = {"cue": "cue", "response": ["R1", "R2"], "count": None}
    data = associations(table, **wide, weights=[1, 0.25])
    at = {name: k for k, name in enumerate(data.names.tolist())}
    assert data.counts[at["a"], at["b"]] == 1 and data.counts[at["a"], at["c"]] == 0.25
    assert data.P[at["a"], at["b"]] == pytest.approx(0.8) and data.made["weights"] == "1.0, 0.25"
    for weights, said in (([1], "got 1 for 2"), ([1, -1], "weights"), ([1, 1, 1], "got 3 for 2")):
        with pytest.raises(ValueError, match=said):
            associations(table, **wide, weights=weights)


def test_a_common_answer_that_reads_like_a_missing_one_is_warned_of():
    rows = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("a", "NA", 1)]
    with pytest.warns(UserWarning, match="'NA' is one of the 10 commonest responses, in 1 rows"):
        norms(*rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        norms(*rows, missing="drop", missing_values=["NA"])
