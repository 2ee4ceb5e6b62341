"""Links to what other packages document: NumPy, SciPy, pandas, scikit-learn, Bokeh and Python itself.

Sphinx would look names up in inventories, which come over a network. Here a name is looked up in the package as it is
installed, so that a site built offline has the same links, and one to a name that is gone is a warning.
"""

import builtins
from importlib import import_module

from docutils import nodes
from sphinx.util import logging

PLACES = {
    "numpy": "https://numpy.org/doc/stable/reference/generated/{name}.html#{name}",
    "numpy.random.Generator": "https://numpy.org/doc/stable/reference/random/generator.html#{name}",
    "numpy.random.default_rng": "https://numpy.org/doc/stable/reference/random/generator.html#{name}",
    "numpy.random.RandomState": "https://numpy.org/doc/stable/reference/random/legacy.html#{name}",
    "numpy.random.SeedSequence": (
        "https://numpy.org/doc/stable/reference/random/bit_generators/generated/{name}.html#{name}"
    ),
    "scipy": "https://docs.scipy.org/doc/scipy/reference/generated/{name}.html#{name}",
    "scipy.sparse": "https://docs.scipy.org/doc/scipy/reference/sparse.html",
    "pandas": "https://pandas.pydata.org/docs/reference/api/{name}.html#{name}",
    "sklearn": "https://scikit-learn.org/stable/modules/generated/{name}.html#{name}",
    "bokeh.plotting.figure": "https://docs.bokeh.org/en/latest/docs/reference/plotting/figure.html#{name}",
    "pathlib.Path": "https://docs.python.org/3/library/pathlib.html#{name}",
}
"""Where a name is documented, or all names that begin with it; the longest one counts."""

WORDS = {
    "numpy:array_like": "https://numpy.org/doc/stable/glossary.html#term-array_like",
    "python:bltin-boolean-values": "https://docs.python.org/3/library/stdtypes.html#bltin-boolean-values",
    "python:iterable": "https://docs.python.org/3/glossary.html#term-iterable",
    "python:sequence": "https://docs.python.org/3/glossary.html#term-sequence",
}
"""Words of numpydoc's types that are no names."""

_WHOLE = {"scipy.sparse"}  # a module, and nothing in it


def address(name):
    """Return where a name of another package is documented; None if that package is none of these."""
    if hasattr(builtins, name):
        kind = "stdtypes" if name in ("str", "list", "dict", "tuple", "bytes", "set") else "functions"
        return f"https://docs.python.org/3/library/{kind}.html#{name}"
    parts = name.split(".")
    for n_parts in range(len(parts), 0, -1):
        beginning = ".".join(parts[:n_parts])
        if beginning in PLACES and (n_parts == len(parts) or beginning not in _WHOLE):
            return PLACES[beginning].format(name=name)
    return None


def exists(name):
    """Tell whether a name is there in its package, as installed."""
    parts = name.split(".")
    for n_parts in range(len(parts), 0, -1):
        try:
            thing = import_module(".".join(parts[:n_parts]))
        except ImportError:
            continue
        for part in parts[n_parts:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return hasattr(builtins, name)


def resolve(app, env, node, shown):
    """Return the link that a reference stands for, if it leads to another package."""
    name = node.get("reftarget", "")
    if name in WORDS:
        return _link(WORDS[name], nodes.inline("", shown.astext().rpartition(":")[2]))
    if node.get("refdomain") != "py" or not (where := address(name)):
        return None
    if not exists(name):
        logging.getLogger(__name__).warning("no such name is installed: %s", name, location=node)
        return None
    return _link(where, shown)


def _link(where, shown):
    return nodes.reference("", "", shown, internal=False, refuri=where)


def setup(app):
    """Look names up after Sphinx has not found them here."""
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
