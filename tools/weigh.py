"""What the project weighs, beside its budget: ``python tools/weigh.py`` prints it, ``--write`` lowers the budget.

A line of Python counts if it has code: no docstring, comment or blank. Of the front end every line counts. The wheel is
weighed as a zip of the package's files, and an import by the modules that it loads, which no load of a machine changes.
Cases of the fast lane are counted while it runs (tests/test_budget.py).
"""

import argparse
import ast
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUDGET = ROOT / "tests" / "budget.json"
CASES = "cases of the fast lane"
FRONT = {".js", ".mjs", ".css", ".ts", ".html"}


def code_lines(source):
    """Return how many lines of Python have code."""
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                docstrings.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = enumerate(source.splitlines(), start=1)
    return sum(bool(line.strip()) and line.lstrip()[0] != "#" and k not in docstrings for k, line in lines)


def files_of(folder):
    """Return the files of a folder that belong to the project, Paths."""
    listed = subprocess.run(["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def wheel_bytes():
    """Return the bytes of a zip of what the wheel holds: the package, and the tutorials within it."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in [*files_of("notebook_sne"), *files_of("tutorials")]:
            archive.writestr(path.relative_to(ROOT).as_posix(), path.read_bytes())
    return len(held.getvalue())


def modules_of_an_import():
    """Return how many modules beside those of Python itself ``import notebook_sne`` loads."""
    count = (
        "import sys; before = {*sys.modules}; import notebook_sne; new = {*sys.modules} - before; "
        "print(sum(name.partition('.')[0] not in sys.stdlib_module_names for name in new))"
    )
    return int(
        subprocess.run([sys.executable, "-c", count], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    )


def weights():
    """Return {part: number}, all but the cases of the fast lane."""
    found = {}
    for folder, name in {"notebook_sne": "package", "tests": "tests", "benchmarks": "benchmarks"}.items():
        files = files_of(folder)
        found[f"Python, {name}"] = sum(code_lines(path.read_text("utf-8")) for path in files if path.suffix == ".py")
        if folder != "benchmarks":
            front = [path.read_text("utf-8") for path in files if path.suffix in FRONT]
            found[f"front end, {name}"] = sum(len(text.splitlines()) for text in front)
    return {**found, "bytes of the wheel": wheel_bytes(), "modules of an import": modules_of_an_import()}


def main(arguments=None):
    """Print each part beside its budget."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="lower the budget to what there is; it raises nothing")
    write = parser.parse_args(arguments).write
    budget, found = json.loads(BUDGET.read_text("utf-8")), weights()
    for part, number in found.items():
        print(f"{part:24} {number:10,} of {budget[part]:10,}")
    if write:
        lower = {part: min(found.get(part, most), most) for part, most in budget.items()}
        BUDGET.write_text(json.dumps(lower, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
