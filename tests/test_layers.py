"""Imports point one way; rooms stay small; the package is quick to import; heavy libraries come with first use.

The imports are read from the sources, wherever in a file they stand: those of the package and of what is outside of it,
and the public names, which `notebook_sne` loads from their modules when they are first used: ``from notebook_sne import
watch`` imports `widgets`. docs/decisions.md says why no tool does this.
"""

import ast
import functools
import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import notebook_sne
from tests.standins.process import printed

ROOT = Path(notebook_sne.__file__).parent

# Each layer may import those before it; those on one line stand beside each other.
LAYERS = [
    ["checks"],
    ["machine"],
    ["archives", "objects"],
    ["frontend", "sums"],
    ["mathematics", "teaching"],
    ["affinities"],
    ["datasets"],
    ["optimizers"],
    ["portable"],
    ["fitting"],
    ["models"],
    ["baselines", "pages", "relations"],
    ["networks"],
    ["quality", "senses"],
    ["runs"],
    ["views"],
    ["failures"],
    ["widgets"],
    ["jupyter"],
    ["course"],
    ["cli"],
]
# Rooms that serve the public ones stand below two names that say what they are for.
GROUPS = ("engine", "browser")
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}

# Runs stand above the front end and know nothing of it, but for one line that turns a recording into a page.
NOT_FOR = {"runs": {"frontend"}}
ONE_LINE = ("engine/runs/recording/recording.py", "notebook_sne.browser.frontend.film_page.write_film")

# What stands below the models needs little else than the standard library. Both of the more come with scikit-learn:
# joblib counts the cores that the process may use, threadpoolctl limits what other libraries take of them.
NUMERIC = {"numpy", "scipy", "numba", "llvmlite"}
OUTSIDE = {"machine": NUMERIC, "sums": NUMERIC, "mathematics": NUMERIC}
MORE = {"engine/machine/process.py": {"joblib"}, "engine/machine/parallel.py": {"threadpoolctl"}}

# Modules named by a text are out of sight here: these look up the models' own, and a package's own.
BY_NAME = {"models/family.py", "engine/machine/lazy.py"}
# What draws them is far above: `from_above` looks it up by name. Nothing else reaches up, and a third place would be a
# sign that the pictures belong lower.
DRAWN_ABOVE = {"engine/fitting/state.py", "engine/runs/recording/recording.py"}


def sources(root=ROOT):
    """Every module, but for the package itself, which names everything, and its data."""
    return [
        path
        for path in sorted(root.rglob("*.py"))
        if path != root / "__init__.py" and not {"bundled", "tutorials"} & set(path.parts)
    ]


@functools.cache  # two tests read all sources
def imports_of(path):
    """Return (name, when) of each name that a file imports, whole, and when: "at once", "lazily" or never, "for types".

    Of ``from a.b import c`` the name is a.b.c. Attributes of the package count as well: ``import notebook_sne as ns``
    and ``ns.watch`` somewhere is an import of notebook_sne.watch.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    when = defaultdict(lambda: "at once")
    for outer in ast.walk(tree):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            when.update(dict.fromkeys(ast.walk(outer), "lazily"))
        elif isinstance(outer, ast.If) and ast.unparse(outer.test) == "TYPE_CHECKING":
            when.update(dict.fromkeys(ast.walk(outer), "for types"))
    ours, found = set(), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "notebook_sne" or (alias.name.startswith("notebook_sne.") and not alias.asname):
                    ours.add(alias.asname or "notebook_sne")
                if alias.name != "notebook_sne":
                    found.append((alias.name, when[node]))
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            found += [(f"{start}.{alias.name}", when[node]) for alias in node.names]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ours:
            found.append((f"notebook_sne.{node.attr}", when[node]))
    return found


def room_of(where):
    """Return the room of a file, as it stands in LAYERS."""
    first, *rest = where.split("/")
    return (rest[0] if first in GROUPS and rest else first).removesuffix(".py")


def fault(where, name, when):
    """Say what is wrong with an import, in a word, or nothing."""
    own, (package, *rest) = room_of(where), name.split(".")
    if name.startswith("."):
        return "relative"
    if package != "notebook_sne":
        if package == "importlib" and rest in ([], ["import_module"]) and where not in BY_NAME:
            return "hidden"
        allowed = {*OUTSIDE.get(own, {package}), *MORE.get(where, ()), *sys.stdlib_module_names}
        return "" if package in allowed else "foreign"
    other = rest[1] if rest[0] in GROUPS and rest[1:] else rest[0]
    if name == "notebook_sne.engine.machine.lazy.from_above":
        return "" if where in DRAWN_ABOVE else "upwards"
    if other.startswith("__"):
        return ""  # the version, and where the package is
    if other not in HEIGHT or other == "*":
        return "indirect"  # a public name: import it from its own module
    if other == own:
        return ""
    if other in NOT_FOR.get(own, ()):
        return "" if (where, name) == ONE_LINE and when == "lazily" else "unknown"
    return "" if HEIGHT[other] < HEIGHT[own] else "upwards"


def faults(root=ROOT):
    """List every import that is wrong, as texts."""
    return [
        f"{where} imports {name}: {wrong}"
        for path in sources(root)
        for where in [path.relative_to(root).as_posix()]
        for name, when in imports_of(path)
        if (wrong := fault(where, name, when))
    ]


def test_every_module_has_a_layer():
    assert not {room_of(path.relative_to(ROOT).as_posix()) for path in sources()} - {"__init__", *HEIGHT}


@pytest.mark.slow
def test_imports_point_one_way():
    assert not faults()


FILM = "from notebook_sne.browser.frontend.film_page import write_film"


@pytest.mark.parametrize(
    ("where", "line", "wrong"),
    [
        ("engine/runs/probe.py", "from notebook_sne.browser.widgets.player import Player", "upwards"),
        ("engine/runs/probe.py", "import notebook_sne.browser.widgets", "upwards"),
        ("engine/runs/probe.py", "import notebook_sne.browser.widgets.player as p", "upwards"),
        ("engine/runs/recording/probe.py", "from notebook_sne import widgets", "upwards"),
        ("engine/runs/recording/probe.py", "def f():\n    from notebook_sne.browser.widgets import Player", "upwards"),
        ("engine/runs/probe.py", "from notebook_sne import watch", "indirect"),
        ("engine/runs/probe.py", "from notebook_sne import *", "indirect"),
        ("engine/runs/probe.py", "import notebook_sne as ns\nshow = lambda run: ns.watch(run)", "indirect"),
        ("engine/runs/probe.py", "import notebook_sne.engine.checks\nnotebook_sne.watch", "indirect"),
        ("engine/runs/probe.py", "from importlib import import_module", "hidden"),
        ("engine/runs/probe.py", "import importlib", "hidden"),
        ("engine/runs/probe.py", "from notebook_sne.browser.frontend.page import write_page", "unknown"),
        ("engine/runs/recording/recording.py", FILM, "unknown"),
        ("engine/runs/recording/file.py", f"def f():\n    {FILM}", "unknown"),
        ("browser/frontend/probe.py", "from notebook_sne.engine.runs.run import Run", "upwards"),
        ("browser/frontend/probe.py", "from notebook_sne.engine.sums import moments", "upwards"),  # it stands beside it
        ("engine/sums/probe.py", "def f():\n    import sklearn.utils", "foreign"),
        ("engine/mathematics/probe.py", "from pandas import DataFrame", "foreign"),
        ("engine/machine/probe.py", "import joblib", "foreign"),
        ("models/probe.py", "from .base import Model", "relative"),
        ("models/probe.py", "from . import base", "relative"),
        ("engine/checks/probe.py", "if True:\n    import notebook_sne.engine.objects", "upwards"),
        ("engine/fitting/probe.py", "from notebook_sne.engine.machine.lazy import from_above", "upwards"),
    ],
)
def test_an_import_that_is_wrong_is_found(tmp_path, where, line, wrong):
    (tmp_path / where).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / where).write_text(line)
    found = faults(tmp_path)
    assert len(found) == 1 and found[0].startswith(f"{where} imports ") and found[0].endswith(wrong), found


def test_an_import_that_is_right_is_let_be(tmp_path):
    lines = "import numpy\nimport notebook_sne\nnotebook_sne.__version__\nfrom notebook_sne.models import base\n"
    lazy = f"def f():\n    {FILM}\n"
    (tmp_path / "engine/runs/recording").mkdir(parents=True)
    (tmp_path / "engine/runs/recording/recording.py").write_text(lines + lazy)
    assert faults(tmp_path) == []


@pytest.mark.slow  # .ci/run style runs it
def test_no_module_imports_itself_by_way_of_others():
    # Nor lazily: an import inside a function that closes a circle says that something stands in the wrong room.
    names = {".".join(("notebook_sne", *path.relative_to(ROOT).with_suffix("").parts)): path for path in sources()}
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    # Of a.b.c, the longest beginning that is a module.
    graph = {
        name: {
            next((whole for whole in (other, other.rpartition(".")[0]) if whole in names), None)
            for other, when in imports_of(path)
            if when != "for types"
        }
        - {None, name}
        for name, path in names.items()
    }
    assert sum(map(len, graph.values())) > 100
    TopologicalSorter(graph).prepare()


def test_importing_the_package_loads_nothing_heavy():
    code = """
import sys, notebook_sne
heavy = {"numpy", "numba", "sklearn", "pandas", "scipy", "bokeh", "anywidget", "tqdm", "pooch"} & set(sys.modules)
assert not heavy, heavy
import notebook_sne.datasets
heavy = {"numba", "sklearn", "pandas", "bokeh", "anywidget"} & set(sys.modules)
assert not heavy, heavy
"""
    printed(code)


@pytest.mark.slow
def test_two_threads_import_two_modules_of_the_views_at_once():
    # A player draws its saved picture in a thread of its own while a cell imports a figure for the first time.
    code = """
import sys, threading
import bokeh.plotting, notebook_sne.models
faults, both = [], threading.Barrier(2)
def load(name):
    both.wait()
    try:
        __import__(f"notebook_sne.views.{name}")
    except Exception as error:
        faults.append(repr(error))
threads = [threading.Thread(target=load, args=(name,)) for name in sys.argv[1:]]
[thread.start() for thread in threads], [thread.join() for thread in threads]
assert not faults, faults
"""
    for names in [("static", "layouts"), ("layouts", "static")]:
        printed(code, *names)


@pytest.mark.slow
def test_what_draws_a_widget_needs_no_bokeh():
    code = (
        "import sys, notebook_sne.browser.widgets.player, notebook_sne.views.raster; assert 'bokeh' not in sys.modules"
    )
    printed(code)


def test_every_public_name_is_there_and_documented():
    for name in notebook_sne.__all__:
        assert (getattr(notebook_sne, name).__doc__ or "").strip(), name
    assert set(notebook_sne.__all__) <= set(dir(notebook_sne))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="UNISNE"):
        _ = notebook_sne.UNSNE
