"""Public names that are loaded from their modules when they are first used."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["lazily"]


def lazily(package: str, names: dict[str, Any], home: dict[str, str]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a package.

    A package that imports all its modules at once keeps two threads from importing two of them: each holds its own
    module and waits for the package, or sees one that is half there, which fails with an ImportError or a KeyError.

    Parameters
    ----------
    package : str
        Its whole name.
    names : dict
        Its ``globals()``, which keep what was loaded.
    home : dict
        The module of each public name, within the package. The module of a package's own name is empty text. No
        module may be called as one of the names.

    Raises
    ------
    AttributeError
        By what is returned, for a name that is not public.
    """

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}; it offers {', '.join(home)}")
        module = home[name]
        names[name] = value = (
            getattr(import_module(f"{package}.{module}"), name) if module else import_module(f"{package}.{name}")
        )
        return value

    return load
