"""The pages of benchmarks/ as their parts, and the kept results that they must agree with."""

import functools
import importlib
import re
import sys

from benchmarks import record
from benchmarks.record import RESULTS

PAPERS, TABLES, SENSES = (RESULTS.parent / name for name in ("PAPERS.md", "README.md", "SENSES.md"))
sys.path.insert(0, str(RESULTS.parents[1] / "docs"))  # what builds the site is no package
tables = importlib.import_module("tables")
VERDICTS = ("reproduced", "partly", "not", "not attempted")
# Names such as 1-NN, 4-D and COIL-20 are no numbers.
_NUMBER = re.compile(r"(?<![\w.-])(\d[\d,]*?(?:\.(\d+))?(?:e([+-]\d+))?)(?![\d\w-]|\.\d|,\d{3})(\s?%)?")


kept = functools.cache(record.kept)


def row(name, **cells):
    """Return the one row of a kept result whose cells are these."""
    (found,) = (each for each in kept(name)["rows"] if cells.items() <= each.items())
    return found


def numbers(text):
    """Return the numbers in a text, each as (value, half a unit of its last digit); of 5% it is 0.05."""
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


def values(told):
    """Yield every number that a part of a kept result holds, also within its texts and names, and how many it lists."""
    if isinstance(told, int | float):
        yield float(told)
    elif isinstance(told, str):
        for text in (told, told.replace("-", " - ").replace("e - ", "e-")):  # a range such as 1.2e-05-3
            yield from (value for value, _ in numbers(text))
    elif isinstance(told, list):
        yield float(len(told))
        for part in told:
            yield from values(part)
    elif isinstance(told, dict):
        for name, part in told.items():
            yield from values(name)
            yield from values(part)
