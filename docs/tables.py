"""The tables of ``benchmarks``, whose pages hold sentences alone.

Where a paragraph is nothing but a link to a kept result, the site shows the table of its rows, and so does

    python docs/tables.py README.md       # a page with its tables
    python docs/tables.py million e1_usps # tables alone
"""

import json
import re
import sys
from pathlib import Path

__all__ = ["LINK", "filled", "short_rows", "shown", "table"]

FOLDER = Path(__file__).parents[1] / "benchmarks"
LINK = re.compile(r"^\[(\w+)\.json\]\(results/\1\.json\)$", re.MULTILINE)
"""The paragraph of a page in whose place a table is shown."""


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


def shown(name, of=list):
    """Return a kept result in Markdown: a table of its rows, or of what `of` makes of them, and when, where and how."""
    found = json.loads((FOLDER / "results" / f"{name}.json").read_text(encoding="utf-8"))
    here, packages = found["machine"], found["packages"]
    code = f"; by {found['code']}" if "code" in found else ""
    versions = ", ".join(f"{package} {number}" for package, number in packages.items())
    return (
        f"{table(of(found['rows']))}\n\n[{name}.json](results/{name}.json), {found['date']}; {here['cpu']}, "
        f"{here['cores']} cores, load {here['load']}; Python {here['python']}, {versions}{code}."
    )


def short_rows(rows):
    """Return kept rows with medians alone, in brackets the least and the greatest of the seeds; others as they are."""
    short = []
    for row in rows:
        if "method" not in row:
            short.append(row)
            continue
        cells = {"norms": row["norms"], "homonyms": row["homonyms"], "method": row["method"]}
        cells["right"] = f"{row['right, median']:g} ({row['right, range']})"
        cells["by chance"] = f"{row['by chance, median']:g}"
        for name in ("right with care", "whole"):
            cells[name] = f"{row[f'{name}, median']:g} ({row[f'{name}, range']})"
        for name in ("split", "AUC", "Rand"):
            cells[name] = f"{row[f'{name}, median']:.2f}"
        cells["found again"] = "" if row["found again"] is None else f"{row['found again']:.2f}"
        short.append(cells)
    return short


def filled(page):
    """Return the text of a page of that folder, a path, with its tables."""
    of = short_rows if page.name == "SENSES.md" else list
    return LINK.sub(lambda link: shown(link[1], of=of), page.read_text(encoding="utf-8"))


def main(names):
    """Print pages with their tables, and tables of results."""
    for name in names or ["README.md"]:
        print(filled(FOLDER / name) if name.endswith(".md") else shown(name) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
