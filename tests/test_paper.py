"""The paper for the Journal of Open Source Software: the journal's rules, its references, and its numbers as kept."""

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_, HEAD, BODY = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8").split("---\n", 2)
ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}$", re.M | re.S)
FIELD = re.compile(r"^  (\w+) = \{(.*?)\},?$", re.M | re.S)
REFERENCES = {
    key: {"type": kind, **dict(FIELD.findall(text))}
    for kind, key, text in ENTRY.findall((ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"))
}
# What the journal asks for, in its order.
SECTIONS = [
    "Summary", "Statement of need", "State of the field", "Software design", "Research impact statement",
    "AI usage disclosure", "Acknowledgements", "References",
]  # fmt: skip


def test_its_head_has_what_the_journal_reads():
    head = pytest.importorskip("yaml").safe_load(HEAD)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'title: "{head["title"]}"' in citation
    assert len(head["tags"]) >= 3 and (ROOT / "paper" / head["bibliography"]).is_file()
    assert datetime.strptime(str(head["date"]), "%d %B %Y")
    places = {each["index"]: each["name"] for each in head["affiliations"]}
    assert head["authors"] and all(places[each["affiliation"]] and each["name"] for each in head["authors"])


def test_it_has_the_sections_and_the_length_that_are_asked_for():
    assert re.findall(r"^# (.+)$", BODY, re.M) == SECTIONS
    words = len(re.findall(r"\b[\w'-]+\b", re.sub(r"\[?-?@[\w; @]+\]?", "", BODY)))
    assert 750 <= words <= 1750, words


def test_each_reference_is_there_and_cited_and_can_be_found():
    assert len(REFERENCES) > 10
    assert set(re.findall(r"@(\w+)", BODY)) == set(REFERENCES)
    for key, entry in REFERENCES.items():
        assert entry["title"] and entry["author"] and key.endswith(entry["year"]), key
        assert re.fullmatch(r"10\.\d{4,}/\S+", entry.get("doi", "")) or entry["url"].startswith("https://"), key
        home = entry.get("journal") or entry.get("booktitle") or entry["doi"]
        assert "." not in home or "arXiv" in home, key  # the whole name of a journal, as the journal asks for


def rows_of(name):
    """Return the rows of a kept experiment."""
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))["rows"]


def kept(name, **wanted):
    """Return the one of them that is wanted."""
    (row,) = (row for row in rows_of(name) if all(row[column] == value for column, value in wanted.items()))
    return row


def test_every_number_is_one_that_was_kept():
    ours, opentsne, sklearn = (
        kept("against_seconds", objects=70_000, fit=fit, updates=updates)
        for fit, updates in (("notebook_sne", 750), ("openTSNE", 750), ("scikit-learn", 1000))
    )
    million = kept("million_descent", objects=1_000_000, fit="t-SNE")
    said = [
        f"a map of {ours['objects']:,} MNIST digits took {ours['seconds']:.0f} seconds and ended at a Kullback-Leibler "
        f"divergence of {ours['KL']:.3f}; openTSNE took {opentsne['seconds']:.0f} seconds to {opentsne['KL']:.3f} and "
        f"scikit-learn {sklearn['seconds']:.0f} seconds to {sklearn['KL']:.3f}",
        f"A million objects in fifty dimensions took {million['seconds'] / 60:.0f} minutes",
    ]
    rest = " ".join(re.sub(r"@\w+", "", BODY).split())
    for sentence in said:
        assert sentence in rest
        rest = rest.replace(sentence, "")
    assert not re.findall(r"\d[\d.,]*", rest)
    assert "twenty-two lectures" in rest and len(list((ROOT / "tutorials").glob("[0-9]*.ipynb"))) == 22
