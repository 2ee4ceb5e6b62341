"""The language of what readers see: of players, explorers, questions and pages.

The front end and the pages say everything in English; ``languages`` has a table for each other language, with
each English phrase and its translation. All else stays English: names, labels, and the errors of Python.
"""

import json
import os
from functools import cache
from pathlib import Path

__all__ = ["ENGLISH", "VARIABLE", "in_language", "language", "languages", "phrase", "set_language", "table"]

ENGLISH = "en"
VARIABLE = "NOTEBOOK_SNE_LANGUAGE"
TABLES = Path(__file__).resolve().parent / "languages"

_present: str | None = None


def languages() -> list[str]:
    """Return the languages that there are, by their codes; English is the first."""
    return [ENGLISH, *sorted(path.stem for path in TABLES.glob("*.json"))]


def set_language(name: str) -> None:
    """Set the language of the players, explorers, questions and pages that are made from now on.

    Views already shown stay as they are. Names, labels and errors are not translated. Until this is called
    the language is that named by the environment variable NOTEBOOK_SNE_LANGUAGE, or English.

    Parameters
    ----------
    name : {"en", "de"}
        English or German.

    Raises
    ------
    ValueError
        If there is no such language.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> ns.set_language("de")
    >>> ns.watch(ns.SNE(), ns.datasets.load_digits())  # doctest: +SKIP
    >>> ns.set_language("en")
    """
    global _present
    _present = _checked("name", name)


def language() -> str:
    """Return the code of the present language; a ValueError if the environment variable names none."""
    return _present if _present is not None else _checked(VARIABLE, os.environ.get(VARIABLE) or ENGLISH)


def _checked(argument: str, name: str) -> str:
    if name not in languages():
        from notebook_sne.checks.numbers import show  # with it NumPy, which the command line does without

        raise ValueError(f"{argument} must be one of {', '.join(languages())}, got {show(name)}")
    return name


@cache
def table(name: str) -> dict[str, str]:
    """Return the table of a language: its own words by the English ones; none for English."""
    if name == ENGLISH:
        return {}
    found: dict[str, str] = json.loads((TABLES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def in_language(folder: Path) -> dict[str, Path]:
    """Return the files of a folder by their names in it; hidden ones and Python's caches stay out.

    A file in its folder of the present language, such as ``de/NAME``, stands in the place of NAME, so that links and
    pictures in it are written as in the original. Folders of languages are not among the files themselves.
    """
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    names = {path.relative_to(folder): path for path in paths}
    shown = {
        name: path
        for name, path in names.items()
        if not any(part.startswith(".") or part == "__pycache__" for part in name.parts)
    }
    own = {name.relative_to(language()): path for name, path in shown.items() if name.parts[0] == language()}
    originals = {name: path for name, path in shown.items() if name.parts[0] not in languages()}
    return {name.as_posix(): path for name, path in (originals | own).items()}


def phrase(english: str, *values: object) -> str:
    """Return a phrase in the present language, with values in the places of {0}, {1}, …"""
    return table(language()).get(english, english).format(*values)
