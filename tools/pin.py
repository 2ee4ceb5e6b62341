"""Write the exact versions that the landing gate installs, the newest of today and the oldest that are allowed.

    python tools/pin.py

Makes two fresh environments with this Python, one of the newest versions that pip finds for the extra `test`, one of
the oldest that pyproject.toml allows, and writes what is in each to ``.ci/newest.txt`` and ``.ci/oldest.txt``. Run it
when the dependencies change, or to let new versions in; read the difference, and keep it once the full gate passes.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADS = {
    "newest": "What the landing gate installs: the newest versions when `python tools/pin.py` wrote them.",
    "oldest": "The oldest versions that pyproject.toml allows, and what they bring: written by `python tools/pin.py`.",
}


def floors():
    """Return the oldest allowed version of each direct dependency, {name: version}."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = ("lab", "class", "dask", "docs", "figures", "networks", "unfolding", "test")
    lines = [*project["dependencies"], *(line for name in named for line in extras[name])]
    pairs = [re.fullmatch(r"([\w.-]+)>=([\w.]+)(?:,<[\w.]+)?", line) for line in lines if "notebook_sne" not in line]
    return {pair[1]: pair[2] for pair in pairs}


def versions(constraints):
    """Return the lines of a fresh environment, `name==version`, in which these constraints hold."""
    with tempfile.TemporaryDirectory() as work:
        (Path(work) / "constraints.txt").write_text("\n".join(constraints))
        subprocess.run([sys.executable, "-m", "venv", f"{work}/venv"], check=True)
        pip = [f"{work}/venv/bin/python", "-m", "pip", "--disable-pip-version-check"]
        build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
        wanted = [f"{ROOT}[test]", *build, "editables", "uv"]  # uv installs them
        subprocess.run([*pip, "install", "--quiet", "--constraint", f"{work}/constraints.txt", *wanted], check=True)
        subprocess.run([*pip, "check"], check=True)
        found = subprocess.run([*pip, "list", "--format=freeze"], check=True, capture_output=True, text=True).stdout
    return [line for line in found.splitlines() if not re.match(r"(notebook[-_]sne|pip|setuptools)==", line)]


def main():
    """Write both files."""
    for name, constraints in (("newest", []), ("oldest", [f"{name}=={number}" for name, number in floors().items()])):
        lines = versions(constraints)
        head = f"# {HEADS[name]}\n# Python {sys.version_info[0]}.{sys.version_info[1]}\n"
        (ROOT / ".ci" / f"{name}.txt").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
        print(f".ci/{name}.txt: {len(lines)} packages")


if __name__ == "__main__":
    main()
