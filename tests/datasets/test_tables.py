import gzip
import re

import numpy as np
import pandas as pd
import pytest

from notebook_sne.datasets.tables import Column, read_columns, to_counts, to_words
from tests.tables import in_one_test


@pytest.fixture
def write(tmp_path):
    def to_file(content, name="norms.csv"):
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return to_file


def cells(table, *names, **options):
    columns = read_columns(table, {name: name for name in names}, **options)
    return [columns[name].cells for name in names]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_columns_are_found_by_name_in_any_order(write, ending):
    file = write(ending.join(["b, a ,c", "1,x,2", "", '3,"y, z",4']) + ending)
    assert cells(file, "a", "b") == [["x", "y, z"], ["1", "3"]]
    assert cells(str(file), "a") == [["x", "y, z"]]


def test_a_quotation_mark_after_a_blank_or_within_a_word_is_read(write):
    assert cells(write('a,b\nx, "y, z"\nTASK",5" disk\n'), "a", "b") == [["x", 'TASK"'], ["y, z", '5" disk']]


def test_quotation_marks_may_be_letters_like_any_other(write):
    text = 'a\tb\n"\tx\n5" disk\t"y"\n'
    assert cells(write(text), "a", "b", delimiter="\t", quotes=False) == [['"', '5" disk'], ["x", '"y"']]


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " "])
def test_columns_may_be_parted_by_something_else(write, delimiter):
    assert cells(write(f"a{delimiter}b\nx,y{delimiter}z\n"), "a", "b", delimiter=delimiter) == [["x,y"], ["z"]]


@pytest.mark.parametrize(
    ("stored", "encoding"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-8-sig", "UTF_8"), ("cp1252", "cp1252"), ("utf-16", "utf-16")],
)
def test_letters_are_read_in_the_encoding_named(write, stored, encoding):
    assert cells(write("größe,b\nnaïve,1\n".encode(stored)), "größe", encoding=encoding) == [["naïve"]]


LETTERS = "a,b\ncafé,thé\nthé,café\n"


@in_one_test(
    ("content", "options", "message"),
    [
        ("", {}, "norms.csv must have a header line that names its columns; it is empty"),
        ("a,c\nx,1\n", {}, r"b must name a column of the file .*norms.csv, got 'b'; its columns are 'a', 'c'$"),
        ("a;b\nx;1\n", {}, r"its columns are 'a;b'; if its columns are separated by ';', give delimiter=';'"),
        ("a\tb\nx\t1\n", {}, r"separated by '\\t', give delimiter='\\t'"),
        ("a,b\nx,1\n", {"delimiter": ";"}, r"separated by ',', give delimiter=','"),
        ("a,b,b\nx,1,2\n", {}, r"b must name one column of the file .*, but 2 of 'a', 'b', 'b' are 'b'"),
        ("a,b\n\nx,1\ny\n", {}, r"norms.csv, line 4: must have 2 columns .* got 1; the file is cut off"),
        ("a,b\nx,1,2\n", {}, r"line 2: must have 2 columns .* got 3; put a word that holds ',' in quotation marks"),
        ('a,b\nx,1\n"y,2\nz,3\n', {}, r"norms.csv, line 3: cannot be read \(unexpected end of data\)"),
        ('a,b\n"x"y,1\n', {}, r"line 2: cannot be read \(.*expected after.*\)"),
        ("a,b\nx,1\nna\xefve,2\n".encode("latin-1"), {}, r"line 3: byte 0xef .*as encoding=.cp1252."),
        (b"\xef\xbb\xbfa,b\nx\xff,2\n", {}, r"line 2: byte 0xff .*as encoding=.cp1252."),
        ("a,b\nx,1\n".encode("utf-16"), {}, "line 1: byte 0xff is invalid in utf-8; .*another encoding"),
        ("a,b\n", {"encoding": "klingon"}, "encoding must be one that Python knows, such as 'utf-8', got 'klingon'"),
        ("a,b\n", {"delimiter": ", "}, r"delimiter must be one character, .* got ', '"),
        ('a,b\n"x,1\ny,2\n', {}, r"line 2: cannot be read .* if no cell is quoted, give quotes=False"),
        (gzip.compress(b"a,b\nx,1\n"), {}, "norms.csv must be text, but is packed, or a workbook; unpack it"),
        (b"PK\x03\x04...", {}, "norms.csv must be text, but is packed"),
        (LETTERS.encode("utf-16-le"), {"encoding": "utf-8"}, "a must name a column|byte 0xe9 is invalid in utf-8"),
        ("a,b\nx,y\n".encode("utf-16-be"), {"encoding": "utf-8"}, "a must name a column of the file"),
        (LETTERS.encode("utf-32-le"), {"encoding": "latin-1"}, "a must name a column of the file"),
        (LETTERS.encode("utf-16"), {"encoding": "cp1252"}, "a must name a column of the file"),
        (LETTERS.encode("utf-8-sig"), {"encoding": "latin-1"}, "a must name a column of the file"),
        (LETTERS.encode(), {"encoding": "utf-16"}, "a must name a column of the file|invalid in utf-16"),
        (LETTERS.encode("utf-16")[:-1], {"encoding": "utf-16"}, "line 3: byte 0x0a .* utf-16; .* cut off or damaged"),
        (LETTERS.encode("latin-1"), {"encoding": "utf-8"}, "line 2: byte 0xe9 .* cut off or damaged there, or"),
        (LETTERS.encode() + b"\xed\xa0\x80,x\n", {"encoding": "utf-8"}, "line 4: byte 0xed is invalid in utf-8"),
        (LETTERS.encode(), {"encoding": "hex"}, "encoding must be one that Python knows, such as 'utf-8', got 'hex'"),
        (LETTERS.encode(), {"encoding": "utf-8\0"}, "encoding must be one that Python knows"),
    ],
)
def test_a_file_that_is_no_such_table_is_named_with_the_line(write, content, options, message):
    with pytest.raises(ValueError, match=message):
        read_columns(write(content), {"a": "a", "b": "b"}, **options)


@pytest.mark.parametrize("encoding", [None, "U8", "utf_8", "UTF-8", "cp65001", "utf-8-sig"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_utf_8_has_many_names_and_may_have_a_mark(write, encoding, mark):
    options = {} if encoding is None else {"encoding": encoding}
    assert cells(write(mark + LETTERS.encode()), "a", "b", **options) == [["café", "thé"], ["thé", "café"]]


@pytest.mark.parametrize(
    ("content", "encoding", "message"),
    [
        (LETTERS.encode(), "latin-1", "line 2, column 'a': .* 'cafÃ©', which is 'café' as UTF-8: leave enc"),
        (LETTERS.encode(), "cp1252", "got 'cafÃ©', which is 'café' as UTF-8"),
        (LETTERS.encode().decode("cp1252").encode(), "utf-8", "got 'cafÃ©', .* correct its text with"),
        ("a,b\nx,y\nça\u2019s,x\n".encode("cp1252"), "latin-1", "line 3, column 'a': .* control .*cp1252"),
        ("a,b\ncaf\ufffd,x\n".encode(), "utf-8", "line 2, column 'a': .* a letter that was lost"),
        (b"a,b\nx\x01y,x\n", "utf-8", "line 2, column 'a': .* control character in it; the file is damaged"),
    ],
)
def test_words_read_in_a_wrong_encoding_are_named(write, content, encoding, message):
    columns = read_columns(write(content), {"a": "a"}, encoding=encoding)
    with pytest.raises(ValueError, match=message):
        to_words(columns["a"])


def test_words_that_look_alike_are_one_word():
    alike = ["café", "cafe\u0301", "\u00a0café ", "\ufeffcafé", "café\u200b"]
    assert to_words(column(*alike)) == ["café"] * 5
    assert to_words(column("ice cream", "ice  cream", "ice\u00a0cream", "ice \tcream")) == ["ice cream"] * 4
    assert to_words(column("don't", "don\u2019t", "\u2019tis")) == ["don't", "don't", "'tis"]
    # Nothing else changes: case, other alphabets, and letters that no mistake could have made.
    others = ["Café", "NÃO", "Ãõ", "北京", "ﷺ", "naïve", "mother-in-law", "Straße", "ЁЖ", "日本", "می‌خواهم"]
    assert to_words(column(*others)) == others


def test_a_record_over_several_lines_is_named_by_its_first(write):
    columns = read_columns(write('a,b\n"x\ny",1\nz,2\n'), {"b": "b"})
    assert [columns["b"].place(row).rpartition(", ")[2] for row in range(2)] == ["line 2", "line 4"]


def test_a_missing_file_is_not_found(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_columns(tmp_path / "absent.csv", {"a": "a"})


def test_a_data_frame_is_read_by_position_whatever_its_index():
    table = pd.DataFrame({"a": ["x", "y"], 7: [1, 2]}, index=[5, 5])
    columns = read_columns(table, {"cue": "a", "count": None})
    assert list(columns) == ["cue"]
    assert columns["cue"].cells == ["x", "y"]
    assert columns["cue"].place(1) == "row table.iloc[1]"


@pytest.mark.parametrize(
    ("table", "wanted", "error", "message"),
    [
        ([["x"]], {"cue": "a"}, TypeError, "table must be a pandas.DataFrame or the path of a file, got list"),
        (pd.DataFrame({"a": ["x"]}), {"cue": "b"}, ValueError, "cue must name a column of the table, got 'b'; .* 'a'"),
        (pd.DataFrame({"a": ["x"]}), {"cue": 0}, TypeError, "cue must be the name of a column, as text, got 0"),
        (pd.DataFrame({"a": ["x"]}), {"cue": "a", "response": "a"}, ValueError, "cue and response must be different"),
        (pd.DataFrame({"a": ["x"]}), {"r[0]": "a", "r[1]": "a"}, ValueError, r"r\[0\] and r\[1\] must be diff"),
    ],
)
def test_a_column_that_cannot_be_meant_is_named(table, wanted, error, message):
    with pytest.raises(error, match=message):
        read_columns(table, wanted)


def test_what_belongs_to_files_is_checked(write):
    with pytest.raises(TypeError, match="quotes must be True or False, got 'no'"):
        read_columns(write("a\nx\n"), {"cue": "a"}, quotes="no")
    with pytest.raises(TypeError, match="encoding must be one that Python knows, such as 'utf-8', got 5"):
        read_columns(write("a\nx\n"), {"cue": "a"}, encoding=5)


def column(*values):
    return Column("people", list(values), "line {}".format)


def test_words_that_look_like_something_else_are_words():
    words = ["null", "nan", "NaN", "NA", "N/A", "None", "none", "true", "False", "inf", "9", "#N/A", "1e5"]
    assert to_words(column(*(f" {word}\t" for word in words))) == words


@in_one_test(
    ("values", "error", "message"),
    [
        (["x", ""], ValueError, "line 1, column 'people': must be a word, is empty; remove the row"),
        (["x", " \t"], ValueError, "is empty"),
        (["x", None], ValueError, 'got a missing value; if the word there was "null".*keep_default_na=False'),
        (["x", np.nan], ValueError, "got a missing value"),
        (["x", pd.NA], ValueError, "got a missing value"),
        (["x", pd.NaT], ValueError, "got a missing value"),
        (["x", 911], TypeError, r"must be text, got 911 of type int; .* dtype=str"),
        (["x", True], TypeError, r"must be text, got True of type bool"),
        (["x", "a\0b"], ValueError, "with a zero byte in it"),
        (["x", "x\ny"], ValueError, "one line of at most 200 characters"),
        (["x", "x" * 201], ValueError, "one line of at most 200 characters"),
        (["x", "", "y", np.nan, ""], ValueError, 'missing="drop" leaves out such rows, 3 by this column$'),
        (["x", ""], ValueError, 'is empty; remove the row: missing="drop" leaves out such rows$'),
        (["x", "NA"], ValueError, "line 1, .* must be a word, got 'NA', one of the missing_values; remove the row"),
        (["x", None, ""], ValueError, 'else remove the row: missing="drop" leaves out such rows, 2 by this column'),
    ],
)
def test_what_is_no_word_is_refused_and_what_is_missing_is_counted(values, error, message):
    with pytest.raises(error, match=message):
        to_words(column(*values), {"NA"})


def test_missing_words_are_none_where_they_may_be():
    mixed = column("x", "", " \t", None, np.nan, pd.NA, "NA", " NA ", "na", "nan", "x")
    assert to_words(mixed, {"NA"}, drop=True) == ["x", *(None,) * 7, "na", "nan", "x"]
    assert to_words(column("NA", ""), drop=True) == ["NA", None]
    with pytest.raises(TypeError, match=r"line 1, .* must be text, got 911"):
        to_words(column("", 911), drop=True)


def test_missing_counts_are_nan_where_they_may_be():
    read = to_counts(column(3, "", None, np.nan, " NA "), {"NA"}, drop=True)
    np.testing.assert_array_equal(read, [3, *(np.nan,) * 4])
    for cell in ("NA", "nan", "-1", "inf"):
        with pytest.raises(ValueError, match=f"line 1, .* got '{cell}'; remove the row"):
            to_counts(column(1, cell), drop=True)


def test_counts_are_numbers_or_their_text():
    read = to_counts(column("3", " 4.5 ", ".5", "2.", "1e3", "+7", "0", 3, 2.5, np.int64(4), np.float32(0.5)))
    assert read == [3, 4.5, 0.5, 2, 1000, 7, 0, 3, 2.5, 4, 0.5]


@in_one_test(
    "cell",
    ["-1", -1, "nan", "inf", "1e999", "x", "1_0", "0x10", "½", "٣", "3 4", True, None, np.nan, np.inf, pd.NA, "--"],
)
def test_what_is_no_count_is_refused(cell):
    message = f"line 1, column 'people': a count must be a finite number of at least 0, got {cell!r}; remove the row"
    with pytest.raises(ValueError, match=re.escape(message)):
        to_counts(column(1, cell))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("1,5", "got '1,5'; write its decimal sign as a point, and nothing between thousands"),
        ("1,234,567", "nothing between thousands"),
        (" ", "got nothing; write 1, or remove the row; if it is the last one, the file is cut off or damaged there"),
    ],
)
def test_the_way_out_fits_the_count(cell, message):
    with pytest.raises(ValueError, match=message):
        to_counts(column(1, cell))
