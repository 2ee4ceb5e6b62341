"""Queries: which objects meet a condition on their columns, such as ``year > 1995 and kind in ["a", "b"]``.

The words are those of Python and of pandas' queries, but only these are read: columns, numbers, texts, comparisons,
``in``, ``is None``, ``and``, ``or``, ``not`` and parentheses. Nothing is called and no attribute is reached, so that a
query may come from anybody: pandas' own reaches the variables and functions of a program by ``@`` and by attributes.
"""

import ast
import operator
import re
import warnings

import numpy as np

from notebook_sne.checks.numbers import show

__all__ = ["holds"]

LONGEST = 10_000  # letters of a query
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|`([^`]*)`""")
_SIGNS = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


def holds(query, rows):
    """Return for which rows of a table a query holds, bool, shape (N,).

    A column, of numbers, dates or texts, is told by its name, in backticks where that is no word of Python: ```at home`
    == "yes"``. ``"river" in name`` holds where the text has this part; ``year is None`` where it is missing; a date is
    compared with a text such as ``"2021-05-06"``; a column of yes and no may stand alone. ``object`` is the number of
    an object. What is missing is neither above, below, equal to nor part of anything; ``!=`` and ``not in`` hold where
    ``==`` and ``in`` do not.

    Numbers are compared exactly, also whole ones above 2**53, and dates to the nanosecond. Python reads letters that
    look alike as one, such as the two that mean micro; a name in backticks is taken as it is.

    Raises a TypeError if the query is no text; a ValueError if it says anything else, has more than 10,000 letters or
    100 comparisons, or names a column that is not there.
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
        return self.condition(tree.body)

    def condition(self, node):
        match node:
            case ast.BoolOp(op=op, values=parts):
                join = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return join.reduce([self.condition(part) for part in parts])
            case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
                return self.condition(left) & self.condition(right)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.condition(left) | self.condition(right)
            case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=part):
                return ~self.condition(part)
            case ast.Compare(left=left, ops=ops, comparators=rights):
                pairs = zip([left, *rights[:-1]], ops, rights, strict=True)
                return np.logical_and.reduce([self.compare(*pair) for pair in pairs])
            case ast.Name(id=word):
                return self.truth(word)
        raise ValueError(f"{self.said(node)} is no condition; compare a column with something, such as year > 1995")

    def truth(self, word):
        name, column = self.column(word)
        if column.dtype.kind == "O" and set(column) <= {"yes", "no", None}:
            return _each(column, lambda text: text == "yes")
        raise ValueError(f"{name} does not say yes or no; compare it with something")

    def compare(self, left, op, right):
        if isinstance(op, ast.In | ast.NotIn):
            found = self.within(left, right)
            return ~found if isinstance(op, ast.NotIn) else found
        if isinstance(op, ast.Is | ast.IsNot):
            if not _is_none(right):
                raise ValueError("is asks only for None; write == instead")
            gone = _gone(self.operand(left)[1])
            return ~gone if isinstance(op, ast.IsNot) else gone
        if isinstance(op, ast.Eq | ast.NotEq) and (_is_none(left) or _is_none(right)):
            gone = _gone(self.operand(right if _is_none(left) else left)[1])
            return gone if isinstance(op, ast.Eq) else ~gone
        return self.against(self.operand(left), _SIGNS[type(op)], self.operand(right))

    def against(self, left, sign, right):
        """Compare a column with a constant, or two columns of one kind."""
        a, b = _alike(left, right)
        if sign is operator.ne:
            return ~self.against(left, operator.eq, right)
        there = ~(_gone(a) | _gone(b))
        found = np.zeros(len(self.rows), bool)
        a, b = (np.broadcast_to(part, found.shape)[there] for part in (a, b))
        found[there] = sign(a, b)
        return found

    def within(self, left, right):
        """``column in [...]``, or ``text in column``: where the texts have this part."""
        if isinstance(right, ast.List | ast.Tuple | ast.Set):
            column, of = self.operand(left), [part for part in right.elts if not _is_none(part)]
            found = np.zeros(len(self.rows), bool)
            for part in of:
                found |= self.against(column, operator.eq, self.operand(part))
            return found | _gone(column[1]) if len(of) < len(right.elts) else found
        _, column = self.operand(right)
        if not (isinstance(left, ast.Constant) and isinstance(left.value, str) and column.dtype.kind == "O"):
            raise ValueError('in wants a list, as in kind in ["a", "b"], or a part of a text, as in "river" in name')
        return _each(column, lambda text: left.value in text)

    def operand(self, node):
        match node:
            case ast.Name(id=word):
                return self.column(word)
            case ast.Constant(value=bool() as value):
                return None, np.array("yes" if value else "no", dtype=object)
            case ast.Constant(value=int() | float() as value):
                return None, np.array(float(value))
            case ast.Constant(value=str() as value):
                return None, np.array(value, dtype=object)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return None, np.array(-float(value))
        raise ValueError(f"{self.said(node)} is neither a column, a number nor a text")

    def column(self, word):
        name = self.quoted.get(word, word)
        if name in self.rows.columns:
            return name, _array(self.rows[name])
        if name == "object":
            return name, np.arange(len(self.rows), dtype=float)
        raise ValueError(f"there is no column {show(name)}; a text stands in quotes")

    def said(self, node):
        text = ast.unparse(node)
        for word, name in self.quoted.items():
            text = text.replace(word, f"`{name}`")
        return show(text)


def _array(column):
    if column.dtype.kind == "M":
        return column.to_numpy("datetime64[ms]")
    if column.dtype.kind in "iufb":
        return column.to_numpy(float)
    return np.array([entry if isinstance(entry, str) else None for entry in column], dtype=object)


def _alike(left, right):
    """Return two operands of one kind; a text beside dates is read as a date."""
    (name, a), (other, b) = left, right
    if name is None and other is None:
        raise ValueError("two constants are compared; name a column")
    if a.dtype.kind == "M" and other is None and b.dtype.kind == "O":
        b = _date(b.item())
    if b.dtype.kind == "M" and name is None and a.dtype.kind == "O":
        a = _date(a.item())
    if a.dtype.kind != b.dtype.kind:
        said = {"M": "dates", "O": "texts", "f": "numbers"}
        column, kind = (name, a.dtype.kind) if name is not None else (other, b.dtype.kind)
        what = said[b.dtype.kind if name is not None else a.dtype.kind]
        raise ValueError(f"{column} holds {said[kind]} and is compared with {what}")
    return a, b


def _date(text):
    import pandas as pd

    try:
        moment = pd.Timestamp(text)
    except ValueError:
        moment = pd.NaT
    if moment is pd.NaT:
        raise ValueError(f'{show(text)} is no date; write it as "2021-05-06"')
    return np.array((moment.tz_convert(None) if moment.tz else moment).to_datetime64()).astype("datetime64[ms]")


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def _gone(column):
    if column.dtype.kind == "O":
        return np.array([text is None for text in column.flat], dtype=bool).reshape(column.shape)
    return np.isnat(column) if column.dtype.kind == "M" else np.isnan(column)


def _each(column, rule):
    return np.fromiter((text is not None and rule(text) for text in column), bool, len(column))
