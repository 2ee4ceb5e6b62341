"""A claim of a paper, with its verdict; and the kept results, of which every number of ours is made.

What the paper reports, the verdict and its reason are written by hand. `ours` and `seconds` compute text from the kept
results, and `holds` says what must be true of them for the verdict to stand: a page whose verdict has lost its ground
is not written.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.record import RESULTS

__all__ = [
    "REPRODUCED",
    "PARTLY",
    "NOT",
    "NOT_ATTEMPTED",
    "VERDICTS",
    "Claim",
    "Kept",
    "ends",
    "percent",
    "shares",
    "spread",
]

REPRODUCED, PARTLY, NOT, NOT_ATTEMPTED = "reproduced", "partly", "not", "not attempted"
VERDICTS = (REPRODUCED, PARTLY, NOT, NOT_ATTEMPTED)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One figure, table or statement."""

    where: str
    """The place in the source, such as "Fig. 1"."""
    what: str
    """What is shown, in a few words; the title of its section."""
    paper: str
    """What the source reports: its number, or what its figure shows."""
    verdict: str
    reason: str | Callable
    """Why; text, or text made from the kept results."""
    ours: Callable | None = None
    data: str = ""
    settings: str = ""
    seconds: Callable | None = None
    """Of one fit, or of what else it says."""
    results: tuple[str, ...] = ()
    """Kept results that are read; the claim waits for them."""
    holds: Callable | None = None
    """Of the kept results, true while the verdict stands."""
    figure: str = ""
    shows: str = ""
    """What of the figure of the source the picture shows, and what not."""
    tutorial: str = ""
    """The beginning of the name of the tutorial that takes it up, such as "03"."""


class Kept:
    """The kept results, by name: ``kept["e1_usps"]``."""

    def __init__(self, folder=RESULTS):
        self.folder = folder

    def __contains__(self, name):
        return (self.folder / f"{name}.json").exists()

    def __getitem__(self, name):
        return Result(json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8")))

    def row(self, name, **wanted):
        """Return the one row of a result whose cells are as wanted; underscores stand for spaces."""
        return self[name].row(**wanted)


class Result:
    """One kept result."""

    def __init__(self, stored):
        self.rows, self.settings = stored["rows"], stored["settings"]

    @property
    def seeds(self):
        """int: how many seeds there were."""
        return len(self.settings["seeds"])

    def row(self, **wanted):
        """Return the one row whose cells are as wanted."""
        found = [
            row for row in self.rows if all(row.get(key.replace("_", " ")) == value for key, value in wanted.items())
        ]
        if len(found) != 1:
            raise LookupError(f"wanted one row with {wanted}, found {len(found)}; look into the kept result")
        return found[0]


def percent(value):
    """Return a share as a percentage."""
    return f"{100 * value:.2g} %" if value < 0.0995 else f"{100 * value:.0f} %"


def ends(row, column):
    """Return the two ends, as texts, of a range that was kept as "1.2e-05-3"."""
    return re.fullmatch(r"(.*[^e\s])\s*(?:-|to)\s*(.+)", row[f"{column}, range"]).groups()


def shares(row, column):
    """Return "median (least to greatest)" of a column of shares, as percentages, as far as these were kept."""
    middle = percent(row[f"{column}, median"])
    if f"{column}, range" not in row:
        return f"{middle} (at most {percent(row[f'{column}, greatest'])})"
    low, high = (percent(float(end)) for end in ends(row, column))
    return f"{middle} ({low} to {high})"


def spread(row, column, form="{:.4g}"):
    """Return "median (least to greatest)" of a column, as far as these were kept."""
    middle = form.format(row[f"{column}, median"])
    if f"{column}, range" in row:
        low, high = ends(row, column)
        return f"{middle} ({low} to {high})"
    if f"{column}, least" in row:
        return f"{middle} ({form.format(row[f'{column}, least'])} to {form.format(row[f'{column}, greatest'])})"
    if f"{column}, greatest" in row:
        return f"{middle} (at most {form.format(row[f'{column}, greatest'])})"
    return middle
