"""Keep a result beside the machine and the versions that it was measured with."""

import json
import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
_PACKAGES = ("notebook_sne", "numpy", "scipy", "numba", "scikit-learn")


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
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": platform.system(),
        "python": platform.python_version(),
    }


def keep(name, settings, rows, peers=()):
    """Write benchmarks/results/NAME.json and print the rows as a table."""
    import pandas as pd

    packages = {package: version(package) for package in (*_PACKAGES, *peers)}
    result = {
        "date": date.today().isoformat(),
        "machine": machine(),
        "packages": packages,
        "settings": settings,
        "rows": rows,
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(pd.DataFrame(rows).to_string(index=False))
    print(f"kept in {path.relative_to(RESULTS.parent.parent)}")
