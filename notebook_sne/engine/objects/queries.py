"""Queries: which objects meet a condition on their columns, such as ``year > 1995 and kind in ["a", "b"]``.

The words are those of Python and of pandas' queries, but only these are read: columns, numbers, texts, comparisons,
``in``, ``is None``, ``and``, ``or``, ``not`` and parentheses. Nothing is called and no attribute is reached, so that a
query may come from anyone: pandas' own reaches the variables and functions of a program by ``@`` and by attributes.

Longer than 300 lines because what may be said, and how it is compared, are one grammar.
"""

import ast
import operator
import re
import unicodedata
import warnings
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.exact import date_unit, split_dates, split_whole

__all__ = ["holds"]

LONGEST = 10_000  # letters of a query
MOST_TERMS = 100  # comparisons of a query: each looks at all objects, at a million texts for a tenth of a second
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|`([^`]*)`""")
_SIGNS = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


class _Operand(NamedTuple):
    """What is compared: a column, or a constant, whose arrays have shape ()."""

    name: str | None
    kind: str
    """numbers, dates or texts."""
    high: Any
    """Doubles, seconds or texts; anything where missing."""
    low: Any
    """What these lack, which decides where they are equal: see `exact`; None for nothing."""
    gone: Any


def holds(query, rows):
    """Return for which rows of a table a query holds, bool, shape (N,).

    A column, of numbers, dates or texts, is given by its name, in backticks unless it is a word of Python: ```at home`
    == "yes"``. ``"river" in name`` holds where the text has this part; ``year is None`` where it is missing; a date is
    compared with a text such as ``"2021-05-06"``; a column of yes and no may stand alone. ``object`` is the number of
    an object. A missing entry is neither above, below, equal to nor part of anything; ``!=`` and ``not in`` hold where
    ``==`` and ``in`` don't.

    Numbers are compared exactly, also whole ones above 2**53, and dates to the nanosecond. Python reads letters that
    look alike as one, such as the two that mean micro; a name in backticks is taken as it is.

    Raises a TypeError if the query is no text; a ValueError if it says anything else, has more than 10,000 letters or
    100 comparisons, or names a column that isn't there.
    """
    if not isinstance(query, str):
        raise TypeError(f'query must be a text such as "year > 1995", got {show(query)}')
    if len(query) > LONGEST:
        raise ValueError(f"query must have at most {LONGEST} letters, got {len(query)}; select in several steps")
    try:
        return _Reader(rows).read(query)
    except (SyntaxError, RecursionError, MemoryError) as error:
        why = error.msg if isinstance(error, SyntaxError) else "it is nested too deep"
    except ValueError as error:
        why = str(error)
    columns = ", ".join(map(str, rows.columns)) or "none"
    raise ValueError(f"query must be a condition on the columns {columns}, got {show(query)}: {why}")


class _Reader:
    def __init__(self, rows):
        self.rows = rows
        self.quoted: dict[str, str] = {}
        self.read_before: dict[str, _Operand] = {}

    def read(self, query):
        def plain(found):
            if found[1]:
                return found[1]
            word = f"_quoted_{len(self.quoted)}_"
            self.quoted[word] = found[2]
            return word

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of `1 is None`
            tree = ast.parse(_QUOTED.sub(plain, query.strip()), mode="eval")
        n_terms = sum(len(node.ops) if isinstance(node, ast.Compare) else 0 for node in ast.walk(tree))
        if n_terms > MOST_TERMS:
            raise ValueError(
                f"it has {n_terms} comparisons, and at most {MOST_TERMS} are read; ask for many values of a column by "
                'a list, as in kind in ["a", "b"], or select in several steps'
            )
        return self.condition(tree.body)

    def condition(self, node):
        match node:
            case ast.BoolOp(op=op, values=parts):
                return self.joined(np.logical_and if isinstance(op, ast.And) else np.logical_or, parts)
            case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
                return self.joined(np.logical_and, [left, right])
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.joined(np.logical_or, [left, right])
            case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=part):
                return ~self.condition(part)
            case ast.Compare(left=left, ops=ops, comparators=rights):
                found = np.ones(len(self.rows), bool)
                for pair in zip([left, *rights[:-1]], ops, rights, strict=True):
                    found &= self.compare(*pair)
                return found
            case ast.Name(id=word):
                return self.truth(word)
        raise ValueError(f"{self.said(node)} is not a condition; compare a column with something, such as year > 1995")

    def joined(self, join, parts):
        found = self.condition(parts[0])
        for part in parts[1:]:
            found = join(found, self.condition(part))
        return found

    def truth(self, word):
        column = self.column(word)
        if column.kind == "texts" and set(column.high[~column.gone]) <= {"yes", "no"}:
            return (column.high == "yes") & ~column.gone
        raise ValueError(f"{column.name} does not say yes or no; compare it with something")

    def compare(self, left, op, right):
        if isinstance(op, ast.In | ast.NotIn):
            found = self.within(left, right)
            return ~found if isinstance(op, ast.NotIn) else found
        if isinstance(op, ast.Is | ast.IsNot):
            if not _is_none(right):
                raise ValueError("is asks only for None; write == instead")
            gone = self.operand(left).gone
            return ~gone if isinstance(op, ast.IsNot) else gone
        if isinstance(op, ast.Eq | ast.NotEq) and (_is_none(left) or _is_none(right)):
            gone = self.operand(right if _is_none(left) else left).gone
            return gone if isinstance(op, ast.Eq) else ~gone
        return _against(self.operand(left), _SIGNS[type(op)], self.operand(right))

    def within(self, left, right):
        """``column in [...]``, or ``text in column``: where the texts have this part."""
        if isinstance(right, ast.List | ast.Tuple | ast.Set):
            column, of = self.operand(left), [self.operand(part) for part in right.elts if not _is_none(part)]
            found = _among(column, of)
            return found | column.gone if len(of) < len(right.elts) else found
        column = self.operand(right)
        if not (isinstance(left, ast.Constant) and isinstance(left.value, str) and column.kind == "texts"):
            raise ValueError('in needs a list, as in kind in ["a", "b"], or a part of a text, as in "river" in name')
        return _each(column, lambda text: left.value in text)

    def operand(self, node):
        match node:
            case ast.Name(id=word):
                return self.column(word)
            case ast.Constant(value=bool() as value):
                return _constant("yes" if value else "no")
            case ast.Constant(value=int() | float() | str() as value):
                return _constant(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return _constant(-value)
        raise ValueError(f"{self.said(node)} is neither a column, a number nor a text")

    def column(self, word):
        if word not in self.read_before:
            name = self.named(word)
            entries = self.rows[name] if name in self.rows.columns else None
            self.read_before[word] = _column(name, np.arange(len(self.rows)) if entries is None else entries)
        return self.read_before[word]

    def named(self, word):
        """Return the column that a word means; Python has made one letter of those that only look alike."""
        name, there = self.quoted.get(word, word), self.rows.columns
        alike = [one for one in there if isinstance(one, str) and _plain(one) == _plain(name)]
        if word in self.quoted or not alike:
            if name in there or name == "object":
                return name
            also = f"; there is {' and '.join(map(_spelled, alike))}" if alike else ""
            raise ValueError(f"there is no column {_spelled(name)}{also}; a text stands in quotes")
        if len(alike) > 1:
            raise ValueError(
                f"{' and '.join(map(_spelled, alike))} are one name where they stand alone; write the one that is "
                "meant in backticks"
            )
        return alike[0]

    def said(self, node):
        text = ast.unparse(node)
        for word, name in self.quoted.items():
            text = text.replace(word, f"`{name}`")
        return show(text)


def _plain(name):
    return unicodedata.normalize("NFKC", name)  # as Python's parser does


def _spelled(name):
    """Return a name with what tells it from others that look like it."""
    marks = [f"U+{ord(letter):04X}" for letter in name if not letter.isascii()]
    return f"{show(name)} ({' '.join(marks)})" if marks and len(marks) <= 8 else show(name)


def _column(name, entries):
    """Return the operand of a column."""
    kind = entries.dtype.kind
    if isinstance(entries, np.ndarray):
        return _Operand(name, "numbers", *split_whole(entries), np.zeros(len(entries), bool))
    gone = entries.isna().to_numpy(bool)
    if kind in "iu":
        whole = entries.to_numpy(np.uint64 if kind == "u" else np.int64, na_value=0)
        return _Operand(name, "numbers", *split_whole(whole), gone)
    if kind in "fb":
        numbers = entries.to_numpy(float, na_value=np.nan) if gone.any() else entries.to_numpy(float)
        return _Operand(name, "numbers", numbers, None, gone)
    if kind == "M":
        moments = entries.to_numpy(f"datetime64[{date_unit(entries.dtype)}]")
        return _Operand(name, "dates", *split_dates(moments, "s"), gone)
    texts = np.empty(len(entries), dtype=object)
    texts[:] = [entry if isinstance(entry, str) else "" for entry in entries]
    return _Operand(name, "texts", texts, None, np.array([not isinstance(entry, str) for entry in entries], bool))


def _constant(value):
    if isinstance(value, str):
        return _Operand(None, "texts", np.array(value, dtype=object), None, np.False_)
    try:
        high = float(value)
        low = float(value - int(high)) if isinstance(value, int) else 0.0
    except OverflowError:  # beyond all doubles, and not infinite
        high = float("inf" if value > 0 else "-inf")
        low = -np.sign(high)
    return _Operand(None, "numbers", np.array(high), np.array(low) if low else None, np.False_)


def _against(left, sign, right):
    """Return where a column compares with a constant, or two columns of one kind do."""
    a, b = _alike(left, right)
    if sign is operator.ne:
        return ~_against(a, operator.eq, b)
    found = sign(a.high, b.high)
    if a.low is not None or b.low is not None:
        lows = [0.0 if part.low is None else part.low for part in (a, b)]
        found = np.where(a.high == b.high, sign(*lows), found)
    return found.astype(bool) & ~(a.gone | b.gone)


def _among(column, of):
    """Return where a column is equal to one of several operands; constants are looked up all at once."""
    found = np.zeros(len(column.gone), bool)
    for one in of:
        if one.name is not None:
            found |= _against(column, operator.eq, one)
    constants = [_alike(column, one)[1] for one in of if one.name is None]
    if column.kind == "texts":
        return found | _each(column, {one.high.item() for one in constants}.__contains__)
    wanted = np.array([_pair(one.high, one.low) for one in constants])
    return found | (np.isin(_pair(column.high, column.low), wanted) & ~column.gone)


def _pair(high, low):
    """Return both parts in one number."""
    pair = np.zeros(np.shape(high), np.complex128)
    pair.real, pair.imag = high, 0.0 if low is None else low
    return pair


def _alike(left, right):
    """Return two operands of one kind; a text beside dates is read as a date."""
    if left.name is None and right.name is None:
        raise ValueError("two constants are compared; compare a column with something")
    if left.kind == "dates" and right.name is None and right.kind == "texts":
        right = _date(right.high.item())
    if right.kind == "dates" and left.name is None and left.kind == "texts":
        left = _date(left.high.item())
    if left.kind != right.kind:
        column, other = (left, right) if left.name is not None else (right, left)
        raise ValueError(f"{column.name} holds {column.kind} and is compared with {other.kind}")
    return left, right


def _date(text):
    import pandas as pd

    try:
        moment = pd.Timestamp(text)
    except ValueError:
        moment = pd.NaT
    if moment is pd.NaT:
        raise ValueError(f'{show(text)} is not a date; write it as "2021-05-06"')
    if re.search(r"\.\d{10}", text):
        raise ValueError(f"{show(text)} is finer than a nanosecond; dates are known to no more")
    moment = np.array((moment.tz_convert(None) if moment.tz else moment).to_datetime64())
    return _Operand(None, "dates", *split_dates(moment, "s"), np.False_)


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def _each(column, rule):
    return np.fromiter(map(rule, column.high), bool, len(column.high)) & ~column.gone
