"""Keep a result beside the machine and the versions that it was measured with."""

from pathlib import Path

from notebook_sne.bench.record import result, write

RESULTS = Path(__file__).parent / "results"


def keep(name, settings, rows, peers=()):
    """Write benchmarks/results/NAME.json and print the rows as a table."""
    import pandas as pd

    path = RESULTS / f"{name}.json"
    write(path, result(settings, rows, peers))
    print(pd.DataFrame(rows).to_string(index=False))
    print(f"kept in {path.relative_to(RESULTS.parent.parent)}")
