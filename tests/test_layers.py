"""Imports point one way; the package is quick to import; heavy libraries come with first use."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import notebook_sne

ROOT = Path(notebook_sne.__file__).parent

# Each layer may import those before it; those on one line stand beside each other.
LAYERS = [
    ["given", "files", "host"],
    ["checks"],
    ["objects"],
    ["frontend", "machine"],
    ["sums"],
    ["mathematics"],
    ["nearest"],
    ["affinities", "datasets"],
    ["optimizers"],
    ["fitting"],
    ["models"],
    ["quality", "senses"],
    ["runs"],
    ["views"],
    ["widgets"],
    ["jupyter"],
    ["cli"],
]
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}


def layer_of(module):
    """The layer of a dotted name inside the package, or None for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


def imports_of(path):
    """Every module of the package that a file imports, wherever in the file it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "notebook_sne")
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module.split(".")[0] == "notebook_sne":
            if node.module == "notebook_sne":
                yield from (f"notebook_sne.{alias.name}" for alias in node.names)
            else:
                yield node.module


def sources():
    return [path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py" and "bundled" not in path.parts]


def test_every_module_has_a_layer():
    strangers = (
        {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in sources()} - set(HEIGHT) - {"tutorials"}
    )
    assert not strangers


def test_imports_point_one_way():
    wrong = []
    for path in sources():
        own = path.relative_to(ROOT).parts[0].removesuffix(".py")
        for module in imports_of(path):
            other = layer_of(module)
            if other not in HEIGHT:
                continue  # a name of the package itself, such as __version__
            if other != own and HEIGHT[other] >= HEIGHT[own]:
                wrong.append(f"{path.relative_to(ROOT)} imports {module}")
    assert not wrong


def test_no_relative_imports():
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level), path


def test_mathematics_needs_only_numpy_scipy_and_numba():
    allowed = {"numpy", "scipy", "numba", "llvmlite", "notebook_sne", *sys.stdlib_module_names}
    for path in [p for room in ("machine", "sums", "mathematics") for p in (ROOT / room).glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            # Both come with scikit-learn: joblib counts the cores that the process may use, threadpoolctl limits what
            # other libraries take of them.
            more = {"cores.py": {"joblib"}, "parallel.py": {"threadpoolctl"}}.get(path.name, set())
            assert {name.split(".")[0] for name in names} <= allowed | more, path


def test_runs_know_nothing_of_widgets():
    for path in (ROOT / "runs").glob("*.py"):
        assert "widget" not in " ".join(
            alias.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        )


def test_importing_the_package_loads_nothing_heavy():
    code = """
import sys, notebook_sne
heavy = {"numpy", "numba", "sklearn", "pandas", "scipy", "bokeh", "anywidget", "tqdm", "pooch"} & set(sys.modules)
assert not heavy, heavy
import notebook_sne.datasets
heavy = {"numba", "sklearn", "pandas", "bokeh", "anywidget"} & set(sys.modules)
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_every_public_name_is_there_and_documented():
    for name in notebook_sne.__all__:
        assert (getattr(notebook_sne, name).__doc__ or "").strip(), name
    assert set(notebook_sne.__all__) <= set(dir(notebook_sne))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="UNISNE"):
        _ = notebook_sne.UMAP
