"""Keep measured rows beside the machine and the versions that they were measured with; `docs/tables.py` shows them."""

import json
import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from notebook_sne.engine.machine import files

__all__ = ["RESULTS", "extremes", "keep", "kept", "kept_rows", "load", "result", "spread", "write"]

RESULTS = Path(__file__).parent / "results"
_PACKAGES = ("notebook_sne", "numpy", "scipy", "numba", "scikit-learn")


def keep(name, settings, rows, peers=(), folder=RESULTS):
    """Write NAME.json into the folder, and print the rows."""
    write(folder / f"{name}.json", result(settings, rows, peers))
    print(name, pd.DataFrame(rows).to_string(index=False), sep="\n", flush=True)


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
