"""What a slide and a handout take of a Markdown cell: few words, which the lecture has already.

Of a cell there is

* the *title*: its deepest heading, or, under a heading, the bold sentence with which its first paragraph begins;
* the *kicker*: the heading over that, if there is one;
* *lines*: the bold beginning of each other paragraph and of each item of a list, else an item's first sentence; a cell
  with no such line and no equation has the first sentence of its first paragraph;
* equations that stand by themselves, pictures and tables, whole.

A cell with several parts, each under a heading, gives the first of them. All else is said by the lecturer, whose notes
have the whole cell. So a lecture has no second text for its slides.
"""

import re
from typing import NamedTuple

from notebook_sne.course.prose import as_page

__all__ = ["Brief", "blocks_of", "brief_of", "first_sentence", "sources_of"]

_HEADING = re.compile(r"^(#{1,4}) +(.+)$")
_ITEM = re.compile(r"^(?:[*-]|\d+\.) +", re.MULTILINE)
_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_ITALIC = re.compile(r"\*[^*].*[^*]\*", re.DOTALL)
_SOURCE = re.compile(r"^\[\w+\d{4}\w?\] \S|^\[Nabney\] \S")
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


def brief_of(source: str) -> Brief:
    """Return the few words of a Markdown cell."""
    headings: list[str] = []
    leads: list[str] = []
    items: list[str] = []
    whole: list[str] = []
    prose: list[str] = []
    for block in _first_part(blocks_of(as_page(source))):
        heading = _HEADING.match(block)
        if heading:
            headings.append(heading[2].strip())
        elif block.startswith(("$$", "![", "|")):
            whole.append(block)
        elif _ITEM.match(block):
            items += [_lead(item) or first_sentence(item) for item in _items(block)]
        elif not _ITALIC.fullmatch(block) and not _SOURCE.match(block):
            lead = _lead(block)
            leads += [lead] if lead else []
            prose.append(" ".join(block.split()).removeprefix(f"**{lead}**").strip() if lead else block)
    kicker, title = (headings[0], headings[-1]) if len(headings) > 1 else ("", headings[0] if headings else "")
    if leads and not kicker and not items:
        kicker, title = title, leads.pop(0)
    if not (leads or items or whole) and any(prose):
        leads = [first_sentence(next(filter(None, prose)))]
    return Brief(title, kicker, tuple(leads), tuple(items), tuple(whole))


def _first_part(blocks: list[str]) -> list[str]:
    """Return the blocks from the first heading on up to the next one after other blocks; all, where there is none."""
    kinds = [bool(_HEADING.match(block)) for block in blocks]
    if not any(kinds):
        return blocks
    begin = kinds.index(True)
    ends = [k for k in range(begin + 1, len(blocks)) if kinds[k] and not kinds[k - 1]]
    return blocks[begin : ends[0] if ends else None]


def blocks_of(source: str) -> list[str]:
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


def sources_of(source: str) -> list[str]:
    """Return the sources that a Markdown cell lists, as it writes them."""
    listed = [" ".join(block.split()) for block in blocks_of(source) if _SOURCE.match(block)]
    return [one for block in listed for one in _CITED.split(block)]
