"""Write benchmarks/README.md from the kept results: ``python -m benchmarks.table``."""

import json

from benchmarks.record import RESULTS

INTRODUCTION = """# Benchmarks

Measured by hand, kept with the machine and the versions, and not part of the tests. Speed counts as a ratio within one
run: seconds depend on the machine and on what else it was doing (`load`, the number of busy processes at the end).

    pip install ".[test,bench]"
    python -m benchmarks.gradients                 # one gradient beside scikit-learn's exact t-SNE
    python -m benchmarks.startup                   # import and first update
    python -m benchmarks.live                      # the player in a headless Chromium
    python -m benchmarks.experiments.e1_usps       # the papers' experiments, five seeds each
    python -m benchmarks.experiments.e2_mnist
    python -m benchmarks.mixtures                  # one gradient of 50 aspect maps beside plain NumPy
    python -m benchmarks.experiments.e3_two_maps
    python -m benchmarks.experiments.e4_words      # and with --all for the 5,018 words
    python -m benchmarks.experiments.e4_relations
    python -m benchmarks.experiments.e6_hybrids
    python -m benchmarks.experiments.e8_authors
    python -m benchmarks.experiments.e11_two_maps
    python -m benchmarks.experiments.circle
    python -m benchmarks.table                     # this page, from results/

The experiments read the data from the folder that `NOTEBOOK_SNE_DATA` names, or download them.
"""

TITLES = {
    "gradients": "One exact gradient at 5000 objects, sparse P",
    "startup": "Start-up",
    "live": "The player, live",
    "e1_usps": "E1: SNE on USPS digits [Hinton2002, Fig. 1]; the paper: 6719 nats",
    "e2_mnist": "E2: MNIST 5000 [Cook2007, Fig. 7-8]; the paper: KL 2.47, then 1.48",
}

NOTES = {
    "gradients": "Wanted: at least 30 times faster for both kernels; an error below 1e-5 of the attraction.",
    "startup": "Wanted: import within 0.3 s; the first update within 5 s with cached code, within 60 s without.",
    "live": (
        "Wanted: at least 15 frames a second with an idle kernel, frames while another cell sleeps, a pause that is "
        "confirmed within 0.5 s, and at most 10 % of the optimiser's time for the watching. Headless Chromium draws in "
        "software, and it and the server take half a core or more: on two cores that both serve the optimiser this is "
        "time taken from it; where one is left to them, it is not."
    ),
    "e1_usps": (
        "Wanted: a median of at most 6500 nats by default settings, the paper's recipe at most 6719 under one reading "
        "of its rate (with or without the factor 2 of the gradient); 1-NN error at most 5 %. Every seed draws its own "
        "images."
    ),
    "e2_mnist": (
        "Wanted: symmetric KL 2.55 +- 0.08 or lower, then UNI-SNE 1.58 +- 0.08 or lower; 1-NN error at most 33 %, then "
        "12 %; t-SNE within 1 % of its peers or lower. *All pairs* is the paper's P; the default takes the 90 nearest "
        "neighbours of each object, a P with a KL of its own. All maps of t-SNE are evaluated by our formula on one P."
    ),
}


def table(rows):
    """Return rows, a list of dictionaries, as a Markdown table."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    for row in rows:
        cells = [
            "" if value is None or value != value else f"{value:g}" if isinstance(value, float) else str(value)
            for value in (row.get(column) for column in columns)
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    """Write the page."""
    parts = [INTRODUCTION]
    for name, title in TITLES.items():
        path = RESULTS / f"{name}.json"
        if not path.exists():
            continue
        result = json.loads(path.read_text(encoding="utf-8"))
        machine, packages = result["machine"], result["packages"]
        parts.append(f"## {title}\n\n{NOTES[name]}\n\n{table(result['rows'])}\n")
        parts.append(
            f"{result['date']}; {machine['cpu']}, {machine['cores']} cores, load {machine['load']}; Python "
            f"{machine['python']}, " + ", ".join(f"{package} {number}" for package, number in packages.items()) + ".\n"
        )
    (RESULTS.parent / "README.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
