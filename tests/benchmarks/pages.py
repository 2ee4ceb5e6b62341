"""The pages of benchmarks/ as their parts, and the kept results that they must agree with."""

import functools
import importlib
import re
import sys

import pytest

from benchmarks import record
from benchmarks.record import RESULTS

PAPERS, TABLES, SENSES = (RESULTS.parent / name for name in ("PAPERS.md", "README.md", "SENSES.md"))
sys.path.insert(0, str(RESULTS.parents[1] / "docs"))  # what builds the site is no package
tables = importlib.import_module("tables")
VERDICTS = ("reproduced", "partly", "not", "not attempted")
# Names such as 1-NN, 4-D and COIL-20 are no numbers.
_NUMBER = re.compile(r"(?<![\w.-])(\d[\d,]*?(?:\.(\d+))?(?:e([+-]\d+))?)(?![\d\w-]|\.\d|,\d{3})(\s%)?")


kept = functools.cache(record.kept)


def seeds(name):
    """Return how many seeds a kept result is of."""
    return len(kept(name)["settings"]["seeds"])


def row(name, **cells):
    """Return the one row of a kept result whose cells are these; underscores stand for spaces."""
    wanted = {key.replace("_", " "): value for key, value in cells.items()}
    found = [each for each in kept(name)["rows"] if all(each.get(key) == value for key, value in wanted.items())]
    assert len(found) == 1, f"{len(found)} rows of {name} have {wanted}"
    return found[0]


def ends(row, column):
    """Return the two ends of a range that was kept as text, such as "1.2e-05-3"."""
    return [float(end) for end in re.fullmatch(r"(.*[^e\s])\s*(?:-|to)\s*(.+)", row[f"{column}, range"]).groups()]


def spread(row, column):
    """Return the median of a column with least and greatest, as far as these were kept."""
    if f"{column}, range" in row:
        return [row[f"{column}, median"], *ends(row, column)]
    names = [f"{column}, {which}" for which in ("median", "least", "greatest")]
    return [row[name] for name in names if name in row]


def listed(row, column):
    """Return the numbers of a cell that lists one for each seed."""
    return [float(value) for value in row[column].split(", ")]


def numbers(text):
    """Return the numbers in a text, each as (value, half a unit of its last digit); of 5 % it is 0.05."""
    found = []
    for number, decimals, exponent, percent in _NUMBER.findall(text):
        unit = 10.0 ** (int(exponent or 0) - len(decimals)) / (100 if percent else 1)
        found.append((float(number.replace(",", "")) / (100 if percent else 1), unit / 2))
    return found


def agree(text, values):
    """Assert that the numbers in a text are these, in their order and no others, rounded to the digits shown."""
    found, values = numbers(text), list(values)
    assert len(found) == len(values), f"{len(found)} numbers, expected {len(values)}: {text}"
    for (shown, half), value in zip(found, values, strict=True):
        assert abs(shown - value) <= half * (1 + 1e-6), f"{shown:g} stands for {value:g}: {text}"


def cells(line):
    """Return the cells of a line of a Markdown table."""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


class Claim:
    """One entry of PAPERS.md: its line in the table above and its section."""

    def __init__(self, line, sections):
        link, self.paper, self.ours, self.verdict = cells(line)
        self.what, self.anchor, self.where = re.fullmatch(r"\[(.+)\]\(#(.+)\), (.+)", link).groups()
        self.section = sections[f"{self.what} ({self.where})"]
        opening, self.reason = re.search(r"\*\*(.+?)\.\*\*\s*(.+?)\n(?:\n|$)", self.section, re.DOTALL).groups()
        assert opening.lower() == self.verdict
        facts = re.findall(r"^\* ([A-Z][a-z ]+): (.+?)(?=\n\* |\n\n|\Z)", self.section, re.DOTALL | re.MULTILINE)
        self.facts = {name: " ".join(text.split()) for name, text in facts}
        self.results = re.findall(r"\(results/(\w+)\.json\)", self.facts.get("Kept in", ""))


def claims():
    """Return the entries of PAPERS.md, in their order."""
    text = PAPERS.read_text(encoding="utf-8")
    sections = {
        part.partition("\n")[0]: part.partition("\n")[2].partition("\n## ")[0] + "\n"
        for part in text.split("\n### ")[1:]
    }
    return [Claim(line, sections) for line in text.splitlines() if line.startswith("| [")]


CLAIMS = {claim.what: claim for claim in claims()}
CHECKED = set()


def check(*titles):
    """Make a test of a function that returns what the entries of these titles must show.

    The function gets a `Claim`, asserts what must be true for its verdict to stand, and returns the numbers of Ours, of
    Seconds and, if it has any, of the reason.
    """

    def decorate(function):
        @pytest.mark.parametrize("claim", [CLAIMS[title] for title in titles], ids=titles)
        @functools.wraps(function)
        def test(claim):
            ours, seconds, *reason = function(claim)
            agree(claim.ours, ours)
            agree(claim.facts.get("Seconds", ""), seconds)
            agree(claim.reason, *reason or [[]])

        CHECKED.update(titles)
        return test

    return decorate
