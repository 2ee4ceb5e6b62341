"""What a slide and a handout take of a Markdown cell: few words, which the lecture has already.

Of a cell there is

* the *title*: its deepest heading, or, under a heading, the bold sentence with which its first paragraph begins;
* the *kicker*: the heading over that, if there is one;
* *lines*: the bold beginnings of other paragraphs and of items of lists; where nothing begins so, the first sentences
  of items, or, without a list and an equation, the first sentence of the first paragraph;
* equations that stand by themselves, and tables, whole; pictures where there is no table, beside which they would be
  small.

A cell with several parts gives the first that has a heading; one that goes on with a slide, what stands above that. The
lecturer says all else, also the caption of a figure: the notes have the whole cell. So a lecture has no second text for
its slides.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from notebook_sne.course.prose import as_page

__all__ = ["Brief", "beginnings_of", "brief_of", "first_sentence", "sources_of"]

_HEADING = re.compile(r"^(#{1,4}) +(.+)$")
_ITEM = re.compile(r"^(?:[*-]|\d+\.) +", re.MULTILINE)
_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_ITALIC = re.compile(r"\*[^*].*[^*]\*", re.DOTALL)
_CAPTION = re.compile(r"\*\*Figure A?\d+\.\d+\.\*\*")
_SOURCE = re.compile(r"^\[(?:\w+\d{4}\w?|Nabney)\] [A-Z]")  # a text goes on with "shows"
_CITED = re.compile(r"(?<=\.) (?=\[\w+\] [A-Z])")
_END = re.compile(r"[.?!][*\"”]*(?= |$)")
_SHORT = re.compile(r"(?:\b(?:Fig|Eq|e\.g|i\.e|vs|Sec|[A-Z])|z\. ?B)\.$")


class Brief(NamedTuple):
    """The few words of a cell, as Markdown."""

    title: str = ""
    kicker: str = ""
    lines: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    """Equations, pictures and tables."""
    begun: Mapping[str, str] = {}  # shared by all, and never changed
    """The paragraph or item that lines, items and title begin."""


def brief_of(source: str, goes_on: bool = False) -> Brief:
    """Return the few words of a Markdown cell, which may go on with the slide of the cell before."""
    headings: list[str] = []
    leads: list[str] = []
    items: list[str] = []
    whole: list[str] = []
    prose: list[str] = []
    begun: dict[str, str] = {}
    bold_first = False
    for block in _first_part(_blocks(as_page(source)), goes_on):
        heading = _HEADING.match(block)
        if heading:
            headings.append(heading[2].strip())
        elif block.startswith(("$$", "![", "|")):
            whole.append(block)
        elif _ITEM.match(block):
            items += _items(block)
        elif not _ITALIC.fullmatch(block) and not _SOURCE.match(block) and not _CAPTION.match(block):
            lead = _lead(block)
            bold_first = bold_first if prose or leads else bool(lead)
            leads += [lead] if lead else []
            begun[lead or first_sentence(block)] = " ".join(block.split())
            prose.append(" ".join(block.split()).removeprefix(f"**{lead}**").strip() if lead else block)
    if any(block.startswith("|") for block in whole):
        whole = [block for block in whole if not block.startswith("![")]
    bold = [lead for item in items if (lead := _lead(item))]
    begun.update({_lead(item) or first_sentence(item): item for item in items})
    items = bold if bold or leads else [first_sentence(item) for item in items]
    kicker, title = (headings[0], headings[-1]) if len(headings) > 1 else ("", headings[0] if headings else "")
    if bold_first and not kicker and not items:
        kicker, title = title, leads.pop(0)
    if leads and not title:
        title = leads.pop(0)
    if not (leads or items or whole) and any(prose):
        leads = [first_sentence(next(filter(None, prose)))]
    return Brief(title, kicker, tuple(leads), tuple(items), tuple(whole), begun)


def _first_part(blocks: list[str], goes_on: bool) -> list[str]:
    """Return the blocks from the first heading on up to the next one after other blocks; all, where there is none."""
    kinds = [bool(_HEADING.match(block)) for block in blocks]
    if not any(kinds):
        return blocks
    begin = kinds.index(True)
    if goes_on and begin:
        return blocks[:begin]
    ends = [k for k in range(begin + 1, len(blocks)) if kinds[k] and not kinds[k - 1]]
    return blocks[begin : ends[0] if ends else None]


def _blocks(source: str) -> list[str]:
    """Return paragraphs, headings, lists, equations and tables."""
    found: list[str] = []
    for part in re.split(r"\n\s*\n", re.sub(r"^(#{1,4} .*)$", r"\n\1\n", source, flags=re.MULTILINE)):
        block = part.strip()
        # An equation in several paragraphs, or an item that goes on after an empty line, is one block.
        if found and (found[-1].count("$$") % 2 or (part.startswith(" ") and _ITEM.match(found[-1]))):
            found[-1] += f"\n\n{part}"
        elif block:
            found.append(block)
    return found


def _items(block: str) -> list[str]:
    return [" ".join(item.split()) for item in _ITEM.split(block) if item.strip()]


def _lead(text: str) -> str:
    """Return the bold words with which a text begins, or nothing."""
    bold = _BOLD.match(text)
    return " ".join(bold[1].split()) if bold else ""


def first_sentence(text: str) -> str:
    """Return the first sentence of a paragraph; what stands in brackets or in an equation ends none."""
    joined = " ".join(text.split())
    for end in _END.finditer(joined):
        said = joined[: end.end()]
        inside = said.count("[") > said.count("]") or said.count("(") > said.count(")") or said.count("$") % 2
        if not inside and not _SHORT.search(said):
            return said
    return joined


def beginnings_of(source: str) -> list[tuple[str, str]]:
    """Return how each item of the lists of a cell begins, or each paragraph, where there is no list; and all of it."""
    blocks = _blocks(as_page(source))
    items = [item for block in blocks if _ITEM.match(block) for item in _items(block)]
    prose = items or [
        block for block in blocks if not block.startswith(("#", "$$", "![", "|")) and not _CAPTION.match(block)
    ]
    return [(_lead(one) or first_sentence(one), " ".join(one.split())) for one in prose]


def sources_of(source: str) -> list[str]:
    """Return the sources that a Markdown cell lists, as it writes them."""
    listed = [" ".join(block.split()) for block in _blocks(source) if _SOURCE.match(block)]
    return [one for block in listed for one in _CITED.split(block)]
