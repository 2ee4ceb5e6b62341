"""Keep measured rows beside the machine and the versions that they were measured with, and print them as a table.

The printed table and the line under it are for benchmarks/README.md; a test holds the page to what is kept.
"""

import json
import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path

from notebook_sne.machine import files

__all__ = ["RESULTS", "keep", "load", "machine", "result", "source", "table", "write"]

RESULTS = Path(__file__).parent / "results"
_PACKAGES = ("notebook_sne", "numpy", "scipy", "numba", "scikit-learn")


def keep(name, settings, rows, peers=(), folder=RESULTS):
    """Write NAME.json into the folder, and print the rows as a table with its source, in Markdown."""
    kept = result(settings, rows, peers)
    write(folder / f"{name}.json", kept)
    print(f"{table(rows)}\n\n[{name}.json](results/{name}.json), {source(kept)}\n", flush=True)


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


def source(kept):
    """Return the line under a table: when, on what machine and with which versions it was measured."""
    here, packages = kept["machine"], kept["packages"]
    return (
        f"{kept['date']}; {here['cpu']}, {here['cores']} cores, load {here['load']}; Python {here['python']}, "
        + ", ".join(f"{package} {number}" for package, number in packages.items())
        + "."
    )
