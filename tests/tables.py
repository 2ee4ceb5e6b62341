"""A table of cases that is one test."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from _pytest.mark.structures import ParameterSet

__all__ = ["in_one_test"]


def in_one_test(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Callable[[Any], str] | list[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Ask all cases in one test, where `pytest.mark.parametrize` makes a test of each.

    A case that fails is named with its values, and the others are asked all the same. Fixtures are made once for the
    whole table. To collect a test takes longer than most cases take to run, in each worker.
    """
    names = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    rows = [ParameterSet.extract_from(case, force_tuple=len(names) == 1) for case in cases]
    wrong = [row for row in rows if row.marks or len(row.values) != len(names)]
    assert not wrong, f"cases of {', '.join(names)} that have other values, or marks: {wrong}"

    def table(function: Callable[..., None]) -> Callable[..., None]:
        wanted, given = inspect.signature(function).parameters, {*names, "subtests"}

        @functools.wraps(function)
        def test(subtests: Any, **fixtures: Any) -> None:
            if "subtests" in wanted:  # the function is such a table itself
                fixtures["subtests"] = subtests
            for number, row in enumerate(rows):
                told = ", ".join(ids(value) if callable(ids) else repr(value)[:60] for value in row.values)
                with subtests.test(ids[number] if isinstance(ids, list) else row.id or told):
                    function(**fixtures, **dict(zip(names, row.values, strict=True)))

        others = [wanted[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in wanted if name not in given]
        first = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        test.__signature__ = inspect.Signature([first, *others])  # type: ignore[attr-defined]
        return test

    return table
