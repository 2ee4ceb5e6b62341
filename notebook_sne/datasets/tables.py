"""Tables of a user: the columns of a data frame or of a text file with a header line, such as a CSV file.

Every cell is text until a column is read as numbers: no word is taken for a missing value, a truth value or a number,
whatever it looks like, unless the user lists the texts that stand for none. Nothing in a file is ever unpickled or
executed. An error says where it is: the file, the line and the column.
"""

import codecs
import csv
import math
import re
import string
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from notebook_sne.engine.checks.numbers import is_missing, show

__all__ = ["Column", "as_text", "read_columns", "to_counts", "to_words"]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_DAMAGED = "the file is cut off or damaged there"
_PACKED = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\0",
    b"7z\xbc\xaf",
    b"\x28\xb5\x2f\xfd",
    b"Rar!",
)
_DELIMITERS = {",": "','", ";": "';'", "\t": r"'\t'", "|": "'|'"}
_LONGEST_WORD = 200  # a quotation mark that is never closed would make one word of half a file
_BLANK = string.whitespace + "\u00a0\u2007\u202f\u3000\ufeff\u200b\u2060"  # also characters of no width
_WITHIN = re.compile("[ \t\u00a0\u2007\u202f\u3000]+")


class Column(NamedTuple):
    """A column of a table."""

    name: str  # in the header
    cells: list  # text where it comes from a file
    place: Callable[[int], str]  # ``place(3)`` says where the fourth cell is, for an error message


def read_columns(table, wanted, *, delimiter=",", encoding="utf-8", quotes=True):
    """Return some of the columns of a table, a data frame or the path of its file: {argument: Column}.

    `wanted` has the name of each column in the table, by the argument that asked for it; those that are None are left
    out. Of a file, `delimiter` is the character between two columns, and `encoding` how letters are written as bytes: a
    byte order mark isn't part of the first name. With `quotes`, a cell may stand in quotation marks; otherwise, they
    are letters like any other.

    A TypeError says that the table is neither a data frame nor a path, or that a name isn't text; a ValueError, that a
    column is missing or ambiguous, or that the file isn't a table in this form; OSError, that it can't be opened.
    """
    asked = {argument: name for argument, name in wanted.items() if name is not None}
    for argument, name in asked.items():
        if not isinstance(name, str):
            raise TypeError(f"{argument} must be the name of a column, as text, got {show(name)}")
    for argument, name in asked.items():
        first = next(other for other in asked if asked[other] == name)
        if first != argument:
            raise ValueError(f"{first} and {argument} must be different columns, got {show(name)} for both")
    if isinstance(table, (str, Path)):
        return _from_file(Path(table), asked, delimiter, encoding, quotes)
    if not (hasattr(table, "iloc") and hasattr(table, "columns")):
        raise TypeError(f"table must be a pandas.DataFrame or the path of a file, got {type(table).__name__}")
    header = list(table.columns)
    positions = {argument: _position(header, argument, name, "the table") for argument, name in asked.items()}
    return {
        argument: Column(header[position], table.iloc[:, position].tolist(), "row table.iloc[{}]".format)
        for argument, position in positions.items()
    }


def as_text(cell):
    """Return a cell as the word that it may be; "" where it is missing.

    Without the blanks around it, with one blank between its parts, accents joined and apostrophes straight: words that
    look the same are the same. A value that is neither text nor missing is returned as it is.
    """
    if isinstance(cell, str):
        return _WITHIN.sub(" ", unicodedata.normalize("NFC", cell.strip(_BLANK)).replace("\u2019", "'"))
    return "" if is_missing(cell) else cell


def to_words(column: Column, missing_values=(), *, drop: bool = False) -> list[str | None]:
    """Return the cells as a list of str, without the blanks around them.

    An empty cell, or a word in `missing_values`, stands for none; this is allowed if `drop`, and None in the list. A
    TypeError or ValueError says which cell is no word.
    """
    words: list[str | None] = []
    seen: dict[str, str | None] = {}  # a word comes many times and is looked at once
    for row, cell in enumerate(column.cells):
        if isinstance(cell, str) and cell in seen:
            words.append(seen[cell])
            continue
        word = as_text(cell)
        if not isinstance(word, str):
            raise TypeError(
                f"{_at(column, row)}: must be text, got {show(cell)} of type "
                f"{type(cell).__name__}; give the path of the file instead, or read it with dtype=str"
            )
        if not word or word in missing_values:
            if not drop:
                raise ValueError(_missing_word(column, row, missing_values))
            word = None
        elif damage := _damage_in(word):
            raise ValueError(f"{_at(column, row)}: must be a word, got {damage}")
        words.append(word)
        if isinstance(cell, str):
            seen[cell] = word
    return words


def _missing_word(column, row, missing_values):
    """Return the message of an error where a word is missing in a row, and in how many more."""
    cell = column.cells[row]
    texts = (as_text(other) for other in column.cells[row:])
    n_rows = sum(isinstance(text, str) and (not text or text in missing_values) for text in texts)
    way = 'missing="drop" leaves out such rows' + (f", {n_rows} by this column" if n_rows > 1 else "")
    if not isinstance(cell, str):  # what pandas puts where it takes a cell for missing
        return (
            f'{_at(column, row)}: must be a word, got a missing value; if the word there was "null", "nan" or "NA", '
            "pandas took it for one: give the path of the file instead, or read it with keep_default_na=False; else "
            f"remove the row: {way}"
        )
    got = f"got {show(as_text(cell))}, one of the missing_values" if as_text(cell) else "is empty"
    return f"{_at(column, row)}: must be a word, {got}; remove the row: {way}"


def _damage_in(word):
    """Return what is wrong with a word and how to correct it; empty where nothing is."""
    if "\0" in word:
        return f'{show(word)} with a zero byte in it; the file is damaged, or it is UTF-16: then give encoding="utf-16"'
    if len(word) > _LONGEST_WORD or "\n" in word or "\r" in word:
        return (
            f"{show(word[:20])}...; a word is one line of at most {_LONGEST_WORD} characters: a quotation mark may "
            "stand alone there"
        )
    if "\ufffd" in word:
        return (
            f"{show(word)}, in which a character stands for a letter that was lost before; get the file again, or "
            "write the letter"
        )
    controls = [letter for letter in word if unicodedata.category(letter) == "Cc"]
    if controls and controls[0] >= "\x80":
        return f'{show(word)} with a control character in it; for Windows text, give encoding="cp1252"'
    if controls:
        return f"{show(word)} with a control character in it; the file is damaged there"
    for encoding in ("cp1252", "latin-1"):
        try:
            meant = word.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        if meant != word:
            return (
                f"{show(word)}, which is {show(meant)} as UTF-8: leave encoding out, or, if the file was read wrongly "
                f"and saved again, correct its text with text.encode({show(encoding)}).decode('utf-8')"
            )
    return ""


def to_counts(column, missing_values=(), *, drop=False):
    """Return the cells as a list of finite float of at least 0; NaN where one is missing and may be, see `to_words`."""
    counts = []
    for row, cell in enumerate(column.cells):
        text = str(cell).strip()
        count = float(text) if _NUMBER.fullmatch(text) else math.nan
        if not 0 <= count < math.inf and not (drop and (is_missing(cell) or not text or text in missing_values)):
            advice = "remove the row"
            if re.fullmatch(r"\d+(,\d+)+", text):
                advice = "write its decimal sign as a point, and nothing between thousands"
            elif text == "":
                advice = f"write 1, or remove the row; if it is the last one, {_DAMAGED}"
            raise ValueError(
                f"{_at(column, row)}: a count must be a finite number of at least 0, "
                f"got {'nothing' if text == '' else show(cell)}; {advice}"
            )
        counts.append(count)
    return counts


def _at(column, row):
    return f"{column.place(row)}, column {show(column.name)}"


def _position(header, argument, name, where, delimiter=None):
    """Return which column has the name."""
    found = [position for position, present in enumerate(header) if present == name]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(show(present) for present in header[:20]) + (", ..." if len(header) > 20 else "")
    if found:
        raise ValueError(f"{argument} must name one column of {where}, but {len(found)} of {listed} are {show(name)}")
    advice = ""
    if delimiter is not None and len(header) == 1:
        advice = "".join(
            f"; if its columns are separated by {_DELIMITERS[other]}, give delimiter={_DELIMITERS[other]}"
            for other in _DELIMITERS
            if other != delimiter and other in header[0]
        )
    raise ValueError(f"{argument} must name a column of {where}, got {show(name)}; its columns are {listed}{advice}")


def _text_in(content, encoding, called):
    """Return the text in the bytes of a file, or raise an error that names the byte that is no text."""
    if content.startswith(_PACKED):  # a workbook of Excel, too
        raise ValueError(f"{called} must be text, but is packed, or a workbook; unpack it, or save its sheet as CSV")
    try:
        return content.decode("utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        line, byte = error.object[: error.start].count(b"\n") + 1, error.object[error.start]
        way = f'{_DAMAGED}, or it has another encoding, as encoding="cp1252" (Windows, Western Europe)'
        raise ValueError(f"{called}, line {line}: byte 0x{byte:02x} is invalid in {encoding}; {way}") from None
    except (LookupError, TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"encoding must be one that Python knows, such as 'utf-8', got {show(encoding)}") from None


def _from_file(file, asked, delimiter, encoding, quotes):
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '\r\n"':
        raise ValueError(f"delimiter must be one character, such as ',' ';' or '\\t', got {show(delimiter)}")
    if not isinstance(quotes, bool):
        raise TypeError(f"quotes must be True or False, got {show(quotes)}")
    called = f"the file {file}"
    text = _text_in(file.read_bytes(), encoding, called)
    reader = csv.reader(
        (line.group() for line in _LINE.finditer(text)),  # io.StringIO would have four bytes for each letter
        delimiter=delimiter,
        strict=True,
        quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        # A blank after the delimiter must not hide the quotation mark that follows it.
        skipinitialspace=delimiter != " ",
    )
    header: list[str] | None = None
    positions: dict[str, int] = {}
    cells: dict[str, list[str]] = {argument: [] for argument in asked}
    kept: dict[str, str] = {}  # each text once, however often it is there
    lines: list[int] = []
    line = 1
    try:
        for row in reader:
            if row and header is None:
                header = [name.strip() for name in row]
                positions = {
                    argument: _position(header, argument, name, called, delimiter) for argument, name in asked.items()
                }
            elif row and header is not None:
                if len(row) != len(header):
                    raise ValueError(
                        f"{called}, line {line}: must have {len(header)} columns as the header has, got "
                        f"{len(row)}; {_DAMAGED}"
                        if len(row) < len(header)
                        else f"{called}, line {line}: must have {len(header)} columns as the header has, got "
                        f"{len(row)}; put a word that holds {show(delimiter)} in quotation marks"
                    )
                for argument, position in positions.items():
                    cell = row[position]
                    cells[argument].append(kept.setdefault(cell, cell))
                lines.append(line)
            line = reader.line_num + 1  # a record may have several lines: it is named by its first
    except csv.Error as error:
        raise ValueError(
            f"{called}, line {line}: cannot be read ({error}); {_DAMAGED}, or a quotation mark stands alone: "
            "write one that belongs to a word twice, in quotation marks; or, if no cell is quoted, give quotes=False"
        ) from error
    if header is None:
        raise ValueError(f"{called} must have a header line that names its columns; it is empty")
    return {
        argument: Column(header[position], cells[argument], lambda row: f"{called}, line {lines[row]}")
        for argument, position in positions.items()
    }
