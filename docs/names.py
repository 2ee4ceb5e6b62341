"""The public names, and the page of each: what ``make.py`` writes for Sphinx to read."""

import inspect
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

PAGES = """affinities baselines course datasets failures networks networks.coded networks.network quality
quality.leave_one_out relations senses views engine.mathematics.* engine.sums.* engine.machine.*
engine.optimizers.* engine.portable.* models.base models.single models.several models.placed
baselines.solved baselines.net_map engine.fitting.states engine.runs.run_view engine.runs.recording
engine.runs.recording.recorder browser.widgets.map_view
browser.widgets.explorer_traits""".split()
"""Modules and packages with a page of what they offer, and packages all of whose modules have; the first page is that
of notebook_sne itself."""


@cache
def modules():
    """Return the names of the documented modules, the package first."""
    names = ["notebook_sne"]
    for page in PAGES:
        name = f"notebook_sne.{page.removesuffix('.*')}"
        names.append(name)
        if page.endswith(".*"):
            names += [f"{name}.{module.name}" for module in iter_modules(import_module(name).__path__)]
    return tuple(names)


@cache
def offered(module):
    """Return the public names of a module that are no modules themselves, in reading order."""
    home = import_module(module)
    names = getattr(home, "__all__", None)
    if names is None:
        names = [name for name, thing in vars(home).items() if getattr(thing, "__module__", None) == module]
        names = [name for name in names if not name.startswith("_")]
    return tuple(name for name in names if not inspect.ismodule(getattr(home, name)))


def members(thing):
    """Return the public methods and properties that a class has from this package, inherited ones too, by name."""
    found = {}
    for home in reversed(inspect.getmro(thing)):
        if home.__module__.startswith("notebook_sne"):
            found.update({name: member for name, member in vars(home).items() if not name.startswith("_")})
    return {name: member for name, member in found.items() if inspect.isroutine(member) or isinstance(member, property)}


def page_of(module, name):
    """Return the name of the page of a public name, without an ending."""
    # Names that differ only by case, as `replay` and `Replay`, are one file on some systems.
    return f"{module}.{name}" + ("-class" if name[:1].isupper() and name.lower() in offered(module) else "")


def write(folder):
    """Write a page for each documented module, and one for each name that it offers."""
    for module in modules():
        names, inside = offered(module), _inside(module)
        page = [_heading(module.removeprefix("notebook_sne.")), f".. automodule:: {module}", "   :no-members:", ""]
        if names:
            page += [_heading("What it offers", "-"), f".. currentmodule:: {module}", "", ".. autosummary::", ""]
            page += [f"   {name}" for name in names]
            page += ["", ".. toctree::", "   :hidden:", "", *(f"   {page_of(module, name)}" for name in names), ""]
        if inside:
            page += [_heading("Modules", "-"), ".. toctree::", "   :maxdepth: 1", ""]
            page += [f"   {other}" for other in inside] + [""]
        (folder / f"{module}.rst").write_text("\n".join(page), encoding="utf-8")
        for name in names:
            (folder / f"{page_of(module, name)}.rst").write_text(_told(module, name), encoding="utf-8")


def _inside(module):
    """Return the documented modules that are listed on the page of a module: on the nearest one above them."""
    found = []
    for other in modules()[1:]:
        above = other.rpartition(".")[0]
        while above not in modules():
            above = above.rpartition(".")[0]
        found += [other] if above == module else []
    return found


def _heading(words, line="="):
    return f"{words}\n{line * len(words)}\n"


def _told(module, name):
    thing = getattr(import_module(module), name)
    lines = [_heading(name), f".. currentmodule:: {module}", ""]
    if not inspect.isclass(thing):
        return "\n".join([*lines, f".. auto{'function' if inspect.isroutine(thing) else 'data'}:: {name}", ""])
    lines += [f".. autoclass:: {name}", "   :members:"]
    lines += [] if issubclass(thing, str | tuple) else ["   :inherited-members:"]
    # One and the same class under two names: links lead to the shorter one.
    lines += ["   :no-index:"] if module != "notebook_sne" and name in offered("notebook_sne") else []
    if hasattr(thing, "set_params"):
        lines += [
            "",
            "It is an estimator of scikit-learn: `get_params <sklearn.base.BaseEstimator.get_params>` tells its "
            "parameters, and `sklearn.base.clone` makes another one with the same.",
        ]
    return "\n".join([*lines, ""])
