"""Run the tutorials from top to bottom, and keep what they took and what they printed.

``python -m benchmarks.course`` runs all of them on the bundled data, ``--papers`` on the papers' data, read from the
folder that NOTEBOOK_SNE_DATA names, or downloaded. Numbers choose: ``python -m benchmarks.course 3 7``.
"""

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from benchmarks.record import RESULTS, keep, kept_rows

TUTORIALS = Path(__file__).parents[1] / "tutorials"
SWITCH = "PAPERS_DATA = False"
"""The line by which a student says which data a tutorial is to take."""
# Read in the kernel itself, when all else is done.
_USAGE = (
    "import resource\nu = resource.getrusage(resource.RUSAGE_SELF)\nprint(u.ru_maxrss / 1024, u.ru_utime + u.ru_stime)"
)


def with_papers_data(notebook):
    """Return whether the notebook has the switch, and turn it."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and SWITCH in cell.source]
    for cell in cells:
        cell.source = cell.source.replace(SWITCH, "PAPERS_DATA = True")
    return bool(cells)


def run(path, papers=False, save=None):
    """Run one notebook and return (row of the table, what it printed); None where it has no other data."""
    notebook = nbformat.read(path, as_version=4)
    if papers and not with_papers_data(notebook):
        return None
    notebook.cells.append(nbformat.v4.new_code_cell(_USAGE))
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": folder}}).execute()
    seconds = time.perf_counter() - start
    memory, cpu = map(float, notebook.cells.pop().outputs[0].text.split())
    if save is not None:
        nbformat.write(notebook, save)
    row = {
        "tutorial": path.stem,
        "data": "the papers'" if papers else "bundled",
        "seconds": round(seconds, 1),
        "processor seconds": round(cpu, 1),
        "peak memory, MB": round(memory),
    }
    return row, printed(notebook)


def printed(notebook):
    """Return the text that the cells printed or showed, cell by cell."""
    parts = []
    for number, cell in enumerate(notebook.cells):
        texts = []
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                texts.append(output.text.rstrip())
            elif "text/plain" in (data := output.get("data", {})) and "image/svg+xml" not in data:
                text = data["text/plain"].rstrip()
                # A widget, its still picture or a figure has no text worth keeping.
                if not text.startswith(("<", "Figure(")) and not re.search("widget-view|nsne-still", str(data)):
                    texts.append(text)
        if texts:
            parts.append(f"# cell {number}\n" + "\n".join(texts) + "\n")
    return "\n".join(parts)


def main():
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", nargs="*", type=int, help="which tutorials; all by default")
    parser.add_argument("--papers", action="store_true", help="with the papers' data")
    asked = parser.parse_args()
    texts = RESULTS / "course"
    texts.mkdir(parents=True, exist_ok=True)
    for path in sorted(TUTORIALS.glob("[0-9]*.ipynb")):
        if asked.numbers and int(path.name[:2]) not in asked.numbers:
            continue
        done = run(path, asked.papers)
        if done is None:
            print(f"{path.stem}: has no other data", file=sys.stderr)
            continue
        row, text = done
        (texts / f"{path.stem}{'.papers' if asked.papers else ''}.txt").write_text(text, encoding="utf-8")
        add(row)


def add(row):
    """Put a row in the place of the last one of the same tutorial and data."""
    place = row["tutorial"], row["data"]
    rows = [old for old in kept_rows("course") if (old["tutorial"], old["data"]) != place] + [row]
    rows.sort(key=lambda row: (row["tutorial"], row["data"] != "bundled"))
    keep("course", {"switch": SWITCH}, rows, ("nbclient", "ipykernel"))


if __name__ == "__main__":
    main()
