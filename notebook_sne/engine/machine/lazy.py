"""Names that are loaded from their modules when they are first used."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

__all__ = ["from_above", "lazily", "near_name"]


def near_name(name: str, known: Iterable[str]) -> str | None:
    """Return which known name is meant by one that differs in case, lines or a letter or two; None for none."""
    import difflib  # which is slow to load beside this package

    plain = {_plain(one): one for one in known}
    near = difflib.get_close_matches(_plain(name), plain, n=1, cutoff=0.75)
    return plain[near[0]] if near else None


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def lazily(package: str, names: dict[str, Any], home: dict[str, str]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a package.

    Where a package imports all its modules at once, two threads that import two of them may fail with an ImportError or
    a KeyError: each holds the lock of its own module, waits for the package, and finds one that is only half there.

    Parameters
    ----------
    package : str
        Its whole name.
    names : dict
        Its ``globals()``, which keep what was loaded.
    home : dict
        The module of each public name, within the package; empty text where the name is a module itself. No other name
        may be that of a module, which would take its place when it is imported.

    Raises
    ------
    AttributeError
        By what is returned, for a name that isn't public.
    """

    def load(name: str) -> Any:
        if name not in home:
            near = None if name.startswith("__") else near_name(name, home)  # which tools ask for, and nobody mistypes
            hint = f"did you mean {near}?" if near else f"it offers {', '.join(home)}"
            raise AttributeError(f"module {package!r} has no attribute {name!r}; {hint}")
        module = home[name]
        names[name] = value = (
            getattr(import_module(f"{package}.{module}"), name) if module else import_module(f"{package}.{name}")
        )
        return value

    return load


def from_above(module: str, name: str) -> Any:
    """Return what a room above draws of a thing below, which knows nothing of it: by name, and on first use."""
    return getattr(import_module(f"notebook_sne.{module}"), name)
