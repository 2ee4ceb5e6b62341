"""Keep measured rows beside the machine and the versions that they were measured with, and show them as a table.

The pages of this folder hold sentences alone. Where a paragraph is nothing but a link to a kept result, the site shows
the table of its rows, and so does

    python -m benchmarks.record README.md       # a page with its tables
    python -m benchmarks.record million e1_usps # tables alone
"""

import json
import os
import platform
import re
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np

from notebook_sne.machine import files

__all__ = ["LINK", "RESULTS", "extremes", "filled", "keep", "kept", "kept_rows", "load", "result", "shown", "spread"]
__all__ += ["table", "write"]

RESULTS = Path(__file__).parent / "results"
LINK = re.compile(r"^\[(\w+)\.json\]\(results/\1\.json\)$", re.MULTILINE)
"""The paragraph of a page in whose place a table is shown."""
_PACKAGES = ("notebook_sne", "numpy", "scipy", "numba", "scikit-learn")


def keep(name, settings, rows, peers=(), folder=RESULTS):
    """Write NAME.json into the folder, and print the rows as a table with its source, in Markdown."""
    write(folder / f"{name}.json", result(settings, rows, peers))
    print(shown(name, folder) + "\n", flush=True)


def kept(name, folder=RESULTS):
    """Return a kept result."""
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def kept_rows(name):
    """Return the rows of a kept result, none before it is measured for the first time."""
    return kept(name)["rows"] if (RESULTS / f"{name}.json").exists() else []


def load():
    """Return the number of busy processes, the mean over the last minute, or None where the system does not tell."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def machine():
    """Return what a reader needs to know to compare figures."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = lines[0].split(":")[1].strip() if lines else cpu
    return {
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": load(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def result(settings, rows, peers=()):
    """Return what is kept of a measurement, ready for JSON: date, machine, versions of packages, settings and rows.

    `settings` is what the rows have in common. A row, a dict of numbers, texts or None, is one of the table. `peers`
    are packages that were measured besides this one and those it stands on.
    """
    return {
        "date": date.today().isoformat(),
        "machine": machine(),
        "packages": {package: version(package) for package in dict.fromkeys((*_PACKAGES, *peers))},
        "settings": settings,
        "rows": rows,
    }


def write(path, kept):
    """Write a result as JSON; the folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, (json.dumps(kept, indent=1, allow_nan=False) + "\n").encode())


def extremes(series, digits):
    """Return median, least and greatest of what seeds gave, with so many significant digits, as cells of a row."""
    found = {"median": np.median(series), "least": min(series), "greatest": max(series)}
    return {name: float(f"{value:.{digits}g}") for name, value in found.items()}


def spread(names, found, decimals=4, of_seconds=1):
    """Return what seeds gave, a tuple each, as cells: median and range of each name, and the median of the seconds."""
    *columns, seconds = np.array(found).T
    row = {}
    for name, series in zip(names, columns, strict=True):
        row[f"{name}, median"] = round(float(np.median(series)), decimals)
        row[f"{name}, range"] = f"{series.min():.{decimals}f}-{series.max():.{decimals}f}"
    return {**row, "seconds, median": round(float(np.median(seconds)), of_seconds)}


def table(rows):
    """Return rows, a list of dictionaries, as a Markdown table."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    for row in rows:
        cells = [
            "" if value is None or value != value else f"{value:g}" if isinstance(value, float) else str(value)
            for value in (row.get(column) for column in columns)
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def shown(name, folder=RESULTS, of=list):
    """Return a kept result in Markdown: a table of its rows, or of what `of` makes of them, and when, where and how."""
    found = kept(name, folder)
    here, packages = found["machine"], found["packages"]
    versions = ", ".join(f"{package} {number}" for package, number in packages.items())
    return (
        f"{table(of(found['rows']))}\n\n[{name}.json](results/{name}.json), {found['date']}; {here['cpu']}, "
        f"{here['cores']} cores, load {here['load']}; Python {here['python']}, {versions}."
    )


def filled(page):
    """Return the text of a page of this folder, a path, with its tables."""
    from benchmarks.senses.tables import short_rows

    of = short_rows if page.name == "SENSES.md" else list
    return LINK.sub(lambda link: shown(link[1], of=of), page.read_text(encoding="utf-8"))


def main(names):
    """Print pages with their tables, and tables of results."""
    for name in names or ["README.md"]:
        print(filled(RESULTS.parent / name) if name.endswith(".md") else shown(name) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
