"""Checks of what a user gives as numbers: refused where reading it would lose something.

NumPy reads almost anything as numbers. It drops a mask, turns a date into nanoseconds, a missing date into -9e18, and
the text "1e3" into a thousand. SciPy reads memory that isn't its own, which ends the process, if the pointers of a
sparse matrix are wrong. So what may be given is decided here, for all arguments. An object that isn't an array but
holds one, such as a graph or a data set, is refused with an error that names the part to give, or read by `holders`.

Longer than 300 lines because each way in which numbers would be lost is refused with its own way out.
"""

import datetime
import math
import reprlib
import sys
from collections.abc import Mapping
from numbers import Rational
from typing import Any, NoReturn

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.holders import (
    column_names,
    column_of,
    family_of,
    is_frame,
    is_pandas,
    other_columns,
    vectors_held,
)

__all__ = [
    "WrongTypeError",
    "as_floats",
    "as_list",
    "as_rows",
    "canonical",
    "check_given",
    "generator_of",
    "is_finite",
    "is_missing",
    "is_sparse",
    "list_objects",
    "refuse_masked",
    "show",
]

_MOST_SHOWN = 100
_MOST_NAMED = 5  # columns
_SUM_TOLERANCE = 1e-6
_GRAPH = "affinities.from_graph({edges}) with input='probabilities'"
_DAYS = "such as its days since the first one: (dates - dates.min()) / numpy.timedelta64(1, 'D')"


class _Short(reprlib.Repr):
    """One line of at most so many characters, of arrays and tables their shapes."""

    def repr_instance(self, x: Any, level: int) -> str:
        shape = getattr(x, "shape", ())
        return show(x) if isinstance(shape, tuple) and shape else " ".join(super().repr_instance(x, level).split())


class WrongTypeError(TypeError, ValueError):
    """A TypeError where scikit-learn, whose clients catch it, raises a ValueError."""


_SHORT = _Short()
_SHORT.maxother = _SHORT.maxlong = _SHORT.maxstring = _MOST_SHOWN


def show(value: object) -> str:
    """Return value as an error message prints it: an array by its shape, anything else in at most 100 characters."""
    shape = getattr(value, "shape", ())
    if isinstance(shape, tuple) and shape:
        return f"{'an array' if isinstance(value, np.ndarray) else _a(type(value).__name__)} of shape {shape}"
    if isinstance(value, (list, tuple, set, frozenset, dict)) and len(value) > 10:
        return f"{_a(type(value).__name__)} of length {len(value)}"
    if isinstance(value, (np.number, np.bool_, np.str_, np.bytes_)):
        value = value.item()
    try:
        text = _SHORT.repr(value)
    except Exception:  # a whole number of more than 4300 digits, or a class of the user's own
        text = _a(type(value).__name__)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def list_objects(indices: Any, most: int = 5) -> str:
    """Return text such as ``"objects 3, 8 and 12 more"`` for an error message."""
    indices = [int(i) for i in np.atleast_1d(indices)]
    shown = ", ".join(str(i) for i in indices[:most])
    more = f" and {len(indices) - most} more" if len(indices) > most else ""
    return f"object{'s' if len(indices) > 1 else ''} {shown}{more}"


def is_missing(value: Any) -> bool:
    """Return whether an entry is a missing value: None, NaN, pandas' NA or NaT, or masked."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    return isinstance(value, (float, np.floating)) and value != value


def is_finite(number: Any) -> bool:
    """Tell whether a real number, however long, is one in double precision."""
    if isinstance(number, np.floating):
        return math.isfinite(float(number))  # half precision would make infinity of the bound below
    return bool(abs(number) <= sys.float_info.max)


def as_list(name: str, values: Any) -> list[Any]:
    """Return a collection with one axis as a list."""
    if isinstance(values, Mapping):  # a list of it would hold the keys alone
        raise WrongTypeError(f"{name} must be a list, got {_a(type(values).__name__)}; give a list of its values")
    if isinstance(values, (str, bytes)) or len(getattr(values, "shape", (0,))) != 1 or not hasattr(values, "__iter__"):
        raise WrongTypeError(f"{name} must be a list, got {show(values)}; put the entries into one")
    return list(values)


def generator_of(random_state: Any) -> np.random.Generator:
    """Return NumPy's Generator for a seed, or the Generator that is given."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise WrongTypeError(
            f"random_state must be a whole number of at least 0, a numpy.random.Generator or None, got "
            f"{show(random_state)}; give a seed, such as 0"
        ) from None


def refuse_masked(name: str, A: Any) -> None:
    """Raise a ValueError where A, or an entry of a list, is a masked array with a masked entry."""
    if isinstance(A, (list, tuple)):
        where: Any = [(i, *rest) for i, row in enumerate(A) for rest in _masked_in(row)]
    else:
        where = _masked_in(A)
    if len(where):
        first = ", ".join(str(int(k)) for k in where[0])
        raise ValueError(
            f"{name} must not be masked, but {name}[{first}] is ({len(where)} masked entries in all); fill them, as "
            f"{name}.filled(0) does, or leave these objects out"
        )


def _masked_in(A: Any) -> Any:
    return np.argwhere(np.ma.getmaskarray(A)) if isinstance(A, np.ma.MaskedArray) else ()


def check_given(name: str, A: Any, n_axes: int | None = None, *, where: str = "") -> Any:
    """Return A, a list as an array and all else as it is, after checking that its numbers can be read without loss.

    A, the argument `name`, may be an array, a table with named columns, a sparse matrix, a list, or anything else, and
    `n_axes` is how many axes it must have. `where` is how it is given, such as "fit({})", to write the advice in the
    same way. Raises a TypeError if it isn't an array, or holds texts or dates; a ValueError if entries are masked or
    complex, names of columns are the same, or a sparse matrix contradicts itself.
    """
    A = vectors_held(name, A)
    if is_sparse(A):
        _check_pointers(name, A)
        _check_kind(name, A.dtype, A.tocoo().data if A.dtype.itemsize > 8 else ())
        return _with_axes(name, A, n_axes)
    if not isinstance(A, (np.ndarray, list, tuple)):
        _refuse_holder(name, A, where or f"{name} = {{}}")
    if is_frame(A):
        _check_columns(name, A)
    else:
        refuse_masked(name, A)
        if not isinstance(A, np.ndarray):
            try:
                A = np.asarray(A)
            except (TypeError, ValueError, RuntimeError) as error:
                way = f"; give {name}.detach().cpu().numpy()" if "torch" in family_of(A) else ""
                raise WrongTypeError(
                    f"{name} must be an array of real numbers, got {_a(type(A).__name__)}: {_cut(error)}{way}"
                ) from None
        if not A.dtype.isnative:  # SciPy takes no other order of bytes
            A = A.astype(A.dtype.newbyteorder("="))
        if A.ndim == 0 and A.dtype.kind in "OUST":
            raise WrongTypeError(
                f"{name} must be an array of numbers, got {show(A.item())}; read or make the array first"
            )
        _check_kind(name, A.dtype, A)
    return _with_axes(name, A, n_axes)


def _with_axes(name: str, A: Any, n_axes: int | None) -> Any:
    """Return A, if it has so many axes, or any number of them for None."""
    if n_axes is not None and len(A.shape) != n_axes:
        # scikit-learn says "Reshape your data" here, and its checks look for these words.
        advice = f"images are flat, {name}.reshape(len({name}), -1)"
        if len(A.shape) < n_axes:
            advice = f"a single feature is {name}.reshape(-1, 1), distances from pdist are squareform({name})"
        raise ValueError(f"{name} must be a {n_axes}D array, got shape {A.shape}. Reshape your data: {advice}")
    return A


def as_floats(name: str, A: Any, *, copy: bool = True) -> Floats:
    """Return A, checked, as a dense array of float64: a new one unless `copy` is False."""
    A = check_given(name, A)
    if is_sparse(A):
        raise WrongTypeError(f"{name} must be a dense array, got {_a(type(A).__name__)}; give {name}.toarray()")
    try:
        return np.array(A, dtype=np.float64) if copy else np.asarray(A, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongTypeError(f"{name} must be an array of real numbers: {_cut(error)}") from None


def canonical(A: Any) -> Any:
    """Return a CSR matrix with columns in rising order and no place twice: A if it is one, otherwise a sorted copy.

    What SciPy does by itself, as in a maximum, sorts A in place: it is the user's, may be read-only, and may be in use
    in another thread.
    """
    if not A.has_canonical_format:
        A = A.copy()
        A.sum_duplicates()
    return A


def as_rows(name: str, A: Any, dtype: Any = None) -> Any:
    """Return A with two axes, dense or sparse, checked, as a canonical CSR array; not to be written to."""
    from scipy import sparse  # data sets check their arguments here too, and are quick to import

    return canonical(sparse.csr_array(check_given(name, A, 2), dtype=dtype))


def is_sparse(A: Any) -> bool:
    """Return whether A is a sparse matrix of SciPy."""
    # No sparse matrix exists before SciPy is imported, and data sets import faster without it.
    return "scipy.sparse" in sys.modules and sys.modules["scipy.sparse"].issparse(A)


def _refuse_holder(name: str, A: Any, where: str) -> None:
    """Refuse an object that holds an array, or can be turned into one, and say how to get it."""
    kind = type(A)
    family = family_of(A)
    way = None
    if A is None or isinstance(A, type) or callable(A):
        way = "the array itself"
    elif "networkx" in family:
        way = _GRAPH.format(edges="G")
    elif "igraph" in family:
        way = _GRAPH.format(edges="G.get_adjacency_sparse()")
    elif "xarray" in family and hasattr(A, "data_vars"):
        first = show(next(iter(A.data_vars), "x"))
        way = f"one of its variables, as in {where.format(f'data[{first}]')}"
    elif isinstance(A, dict):
        first = show("data" if "data" in A else next(iter(A), "data"))
        way = f"one of its fields, as in {where.format(f'digits[{first}]')}"
    elif not hasattr(A, "shape") and not hasattr(A, "__array__"):
        if getattr(A, "X", None) is not None:
            way = f"its field X, as in {where.format('digits.X')}"
        elif getattr(A, "P", None) is not None:
            way = _way_to_p(A.P, where)
        elif hasattr(getattr(A, "triples", A), "hold_out"):
            way = f"it to relations.LRE, which takes triples; or {where.format('affinities.from_counts(facts.counts)')}"
        elif getattr(A, "counts", None) is not None:
            way = f"affinities.from_counts(words.counts), as in {where.format('P')}, with input='probabilities'"
    if way is not None:
        got = "None" if A is None else f"the class {A.__name__}" if isinstance(A, type) else _a(kind.__name__)
        raise WrongTypeError(f"{name} must be an array, got {got}; give {way}")


def _way_to_p(P: Any, where: str) -> str:
    """Return how to give the P that an object of an unknown package holds: rows sum to 1, or all of it does."""
    if (is_sparse(P) or isinstance(P, np.ndarray)) and P.ndim == 2 and abs(P.sum() - 1.0) <= _SUM_TOLERANCE:
        if P.shape[0] == P.shape[1] and abs(P - P.T).max() <= _SUM_TOLERANCE * abs(P).max():
            return "its field P, which is joint, as in TSNE(input='joint').fit(found.P)"
        return "its field P, row by row, as in TSNE(input='probabilities').fit(affinities.from_counts(found.P))"
    return f"its field P, as in {where.format('words.P')}, with input='probabilities'"


def _check_columns(name: str, table: Any) -> None:
    """Refuse a table with two columns of one name, or with columns that are not of numbers."""
    labels = column_names(table)
    if len(set(labels)) < len(labels):
        twice = next(label for k, label in enumerate(labels) if label in labels[:k])
        raise ValueError(
            f"the columns of {name} must have different names, but {show(twice)} is there {labels.count(twice)} times; "
            f"rename them, or give {name}.to_numpy()"
        )
    refused: dict[Any, TypeError] = {}
    for label in other_columns(table):
        column = np.asarray(column_of(table, label))
        try:
            _check_kind(f"{name}[{show(label)}]", column.dtype, column)
        except TypeError as error:
            refused[label] = error
    if refused:
        out = ", ".join(map(show, list(refused)[:_MOST_NAMED])) + (", ..." if len(refused) > _MOST_NAMED else "")
        raise WrongTypeError(
            f"{next(iter(refused.values()))}; {name}.drop({'columns=' if is_pandas(table) else ''}[{out}]) has the "
            "numbers alone, and a view takes such columns by name, as watch(model, X, labels='...', columns=['...'])"
        )


def _check_kind(name: str, dtype: Any, entries: Any) -> None:
    """Refuse a dtype other than real numbers, and entries of an object array that are none."""
    kind = dtype.kind
    if kind == "f" and dtype.itemsize > 8:
        entries = np.asarray(entries)
        long = np.isfinite(entries) & (np.abs(entries) > sys.float_info.max)
        if long.any():
            _refuse_long(name, entries[long][0])
    if kind in "biuf":
        return
    if kind == "c":
        # scikit-learn says "Complex data not supported", and its checks look for these words.
        raise WrongTypeError(
            f"{name} must be real, got complex numbers. Complex data not supported: give their real part or magnitude"
        )
    if kind == "O":
        for entry in np.ravel(entries):
            if isinstance(entry, (datetime.date, np.datetime64)) or type(entry).__name__ == "NaTType":
                kind = "M"
            elif isinstance(entry, (datetime.timedelta, np.timedelta64)):
                kind = "m"
            elif isinstance(entry, (str, bytes)):
                kind = "U"
            elif type(entry).__name__ == "NAType":
                raise ValueError(f"{name} must not be missing, got pandas.NA; remove or fill in these entries")
            elif isinstance(entry, Rational) and not is_finite(entry):
                _refuse_long(name, entry)
            if kind != "O":
                break
        else:
            return
    got, way = {
        "M": ("dates", f"give a number for each, {_DAYS}"),
        "m": ("times", f"give a number for each, such as its days: {name} / numpy.timedelta64(1, 'D')"),
        "V": ("records", "give their fields as columns, as numpy.lib.recfunctions.structured_to_unstructured does"),
    }.get(
        kind,
        ("text", f"turn it into numbers first, such as {name}.astype(float), or leave out what is a name or a label"),
    )
    raise WrongTypeError(f"{name} must be numbers, got {got}; {way}")


def _refuse_long(name: str, number: Any) -> NoReturn:
    raise ValueError(
        f"{name} must be finite in double precision, below {sys.float_info.max:.2g}, got {show(number)}; rescale it, "
        "or take logarithms"
    )


def _check_pointers(name: str, A: Any) -> None:
    """Refuse a sparse matrix whose parts contradict each other; the matrix itself is not changed."""
    try:
        if len(A.shape) != 2:
            raise ValueError(f"it has shape {A.shape} instead of rows and columns")
        if A.format in ("csr", "csc", "bsr"):
            # A second matrix with the same arrays is checked: the check cuts off what is beyond the last pointer.
            same = getattr(sys.modules["scipy.sparse"], f"{A.format}_array")
            same((A.data, A.indices, A.indptr), shape=A.shape).check_format(full_check=True)
            return
        if A.format == "lil" and [len(row) for row in A.rows] != [len(row) for row in A.data]:
            # Converting it would write beyond the memory reserved for its places.
            raise ValueError("it has rows whose numbers of places and of values differ")
        A = A.tocoo()
        if not len(A.data) == len(A.row) == len(A.col):
            raise ValueError("its numbers of places and of values differ")
        for axis, places in enumerate((A.row, A.col)):
            if len(places) and not 0 <= places.min() <= places.max() < A.shape[axis]:
                raise ValueError(f"it has entries outside its shape {A.shape}")
    except (ValueError, IndexError, TypeError) as error:
        raise ValueError(
            f"{name} must be a valid sparse matrix, but its parts contradict each other: {_cut(error)}; make it again "
            "from rows, columns and values, as scipy.sparse.coo_array does"
        ) from None


def _a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _cut(error: object) -> str:
    text = str(error)
    return text if len(text) <= 2 * _MOST_SHOWN else f"{text[: 2 * _MOST_SHOWN]}..."
