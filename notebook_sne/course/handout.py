"""A handout: two sheets of paper a lecture, of the cells that are marked for its slides.

The first sheet asks: the lecture's question, and the predictions with room to write; a picture there would give them
away. The second keeps: one or two pictures, equations, five lines, the exercises and the sources. Both are as high as a
sheet of A4. Exercises, and then lines, are whole while a third of the sheet is left for pictures, which take what room
the words leave.
"""

import html
import json
import math
import re
from typing import Any

from notebook_sne.browser.frontend.bundle import HANDOUT_MODULES, join_modules, join_styles
from notebook_sne.course.brief import Brief, beginnings_of, brief_of, sources_of
from notebook_sne.course.front_matter import opening_of, title_of
from notebook_sne.course.outputs import output_html
from notebook_sne.course.prose import prose_html
from notebook_sne.course.running import Ran
from notebook_sne.course.sheet import bokeh_library, sheet
from notebook_sne.course.slides import BEGIN
from notebook_sne.course.view_store import FIGURE, PLACE

__all__ = ["handout_of"]

STYLE = "deck/handout.css"
LINES = 5
EQUATIONS = 2
EXERCISES = 4
ROWS, LETTERS = 33, 100
"""What the second sheet has for words, and what a row holds, which is less with many equations."""

_EXERCISE = re.compile(r"^## Exercise", re.MULTILINE)
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
_DRAWN = "image/svg+xml", "image/png", "image/jpeg", "image/gif"


def handout_of(lecture: Ran, marks: dict[str, str]) -> bytes:
    """Return the handout of a lecture that has run as one HTML file: two sheets of A4."""
    title, number = title_of(lecture.notebook), int(lecture.notebook.name[:2])
    marked = [cell for cell in lecture.cells if cell.id in marks and marks[cell.id] != "notes"]
    told = _parts(marked, marks)
    pictures = "".join(_pictures(lecture, marked))
    heads = [f"<h1>{html.escape(title)}</h1>", f"<h2>{html.escape(title)}</h2>"]
    questions = "".join(_question(traits) for cell in marked for traits in _asked(lecture, cell))
    asking = _html(lecture, opening_of(lecture.notebook))
    asking += f"<h3>What do you expect?</h3>{questions}" if questions else ""
    equations, lines, exercises, sources = _equations(told), _lines(told), _exercises(lecture), _sources(lecture)
    # A heading is two rows, an equation four.
    left = ROWS - 8 - 4 * len(equations) - sum(map(_rows, [*sources, *(begun for begun, _ in (*lines, *exercises))]))
    shown, left = _grown(exercises, left)
    remembered, left = _grown(lines, left)
    parts = [
        ("", f'<div class="pictures">{pictures}</div>' if pictures else ""),
        ("Reason", "".join(_html(lecture, one) for one in equations)),
        ("Remember", _html(lecture, "\n".join(f"* {line}" for line in remembered))),
        ("Exercises", _html(lecture, "\n".join(f"* {one}" for one in shown))),
        ("Sources", _html(lecture, "\n".join(f"* {one}" for one in sources))),
    ]
    keeping = "".join(f"{f'<h3>{head}</h3>' if head else ''}{text}" for head, text in parts if text)
    sheets = "\n".join(
        f'<section class="sheet">{text}<footer>Lecture {number} · {k} / 2</footer></section>'
        for k, text in enumerate([heads[0] + asking, heads[1] + keeping], start=1)
    )
    figures = "data-figure" in sheets
    return sheet(
        title,
        sheets,
        style=join_styles(STYLE),
        libraries=[bokeh_library()] if figures else [],
        script=f"\n{join_modules(*HANDOUT_MODULES)}\ndrawFigures();\n" if figures else "",
    )


def _rows(text: str) -> int:
    """Return how many rows a text takes; the addresses of its links take none."""
    return math.ceil(len(_LINK.sub(r"\1", text)) / LETTERS)


def _grown(items: list[tuple[str, str]], left: int) -> tuple[list[str], int]:
    """Return items whole, from the first on, while there are rows left, and how many are left then."""
    grown = []
    for beginning, whole in items:
        more = _rows(whole) - _rows(beginning)
        grown.append(whole if more <= left else beginning)
        left -= more if more <= left else 0
    return grown, left


def _html(lecture: Ran, source: str) -> str:
    return prose_html(source, lecture.notebook.parent, lambda _: False) if source else ""


def _views(lecture: Ran, output: Any) -> list[dict[str, Any]]:
    places = output.get("data", {}).get(PLACE, {}).get("views", ())
    return [json.loads((lecture.views / f"{place['name']}.json").read_text(encoding="utf-8")) for place in places]


def _asked(lecture: Ran, cell: Any) -> list[dict[str, Any]]:
    """Return the traits of the questions that a cell asks."""
    views = [view for output in cell.get("outputs", ()) for view in _views(lecture, output)]
    return [json.loads(view["text"])["traits"] for view in views if view["kind"] == "prediction"]


def _question(traits: dict[str, Any]) -> str:
    """Return a question with room for an answer."""
    if traits["options"]:
        room = "".join(f"<li>{html.escape(option)}</li>" for option in traits["options"])
        room = f'<ul class="boxes">{room}</ul>'
    elif traits["places"]:
        room = "".join(f"<li>{html.escape(place)}</li>" for place in traits["places"])
        room = f'<ul class="curve">{room}</ul>'
    else:
        room = f'<p class="number">{html.escape(traits["unit"] or "")}</p>'
    return f'<div class="question"><p><b>{html.escape(traits["question"])}</b></p>{room}<div class="lines"></div></div>'


def _pictures(lecture: Ran, marked: list[Any]) -> tuple[str, ...]:
    """Return the first picture of a lecture and the last, as HTML; stills of maps and figures where there is none."""
    kinds: tuple[list[str], list[str], list[str]] = [], [], []
    for output in (output for cell in marked for output in cell.get("outputs", ())):
        data = output.get("data", {})
        if any(kind in data for kind in _DRAWN):
            kinds[0].append(output_html(output, lecture.views))
        elif FIGURE in data:
            kinds[2].append(output_html(output, lecture.views))
        stills = [view["still"] for view in _views(lecture, output) if view.get("still")]
        kinds[1].extend(f'<div class="still">{still}</div>' for still in stills)
    drawn = [one for kind in kinds for one in ((kind[0], kind[-1]) if len(kind) > 1 else kind)]
    return tuple(drawn[:2])


def _parts(marked: list[Any], marks: dict[str, str]) -> dict[str, list[Brief]]:
    """Return the few words of marked cells by the heading under which they stand."""
    parts: dict[str, list[Brief]] = {}
    section = ""
    for cell in marked:
        if cell.cell_type == "markdown":
            goes_on = marks[cell.id] not in BEGIN
            named = None if goes_on else _SECTION.search(cell.source)
            section = named[1] if named else section
            parts.setdefault(section, []).append(brief_of(cell.source, goes_on))
    return parts


def _equations(told: dict[str, list[Brief]]) -> list[str]:
    """Return the equations of the part that gives the reason, else of all."""
    parts = list(told.values())
    chosen = [one for brief in (parts[-2] if len(parts) > 1 else []) for one in brief.whole]
    chosen = chosen or [one for part in parts for brief in part for one in brief.whole]
    return [one for one in chosen if one.startswith("$$")][:EQUATIONS]


def _lines(told: dict[str, list[Brief]]) -> list[tuple[str, str]]:
    """Return five lines to keep, and what each begins: reasons, and what the picture does not say."""
    parts = list(told.items())
    reasons = [line for _, part in parts[-2:-1] for brief in part for line in _said(brief)]
    heading, last = parts[-1] if parts else ("", [])
    not_said = [line for brief in last for line in _said(brief)]
    n_reasons = max(LINES - len(not_said), min(len(reasons), LINES // 2))
    lines = reasons[:n_reasons]
    return lines + [
        (f"*{heading}:* {begun}", f"*{heading}:* {whole}") for begun, whole in not_said[: LINES - len(lines)]
    ]


def _said(brief: Brief) -> list[tuple[str, str]]:
    """Return the sentences of a cell, and what they begin: what is no sentence is a heading."""
    said = [line for line in (brief.title, *brief.lines, *brief.items) if line.endswith((".", "!", ".`"))]
    return [(line, brief.begun.get(line, line)) for line in said]


def _exercises(lecture: Ran) -> list[tuple[str, str]]:
    """Return how each exercise begins, and all of it."""
    found = [cell.source for cell in lecture.cells if cell.cell_type == "markdown" and _EXERCISE.search(cell.source)]
    if not found:
        return []
    return beginnings_of(_EXERCISE.split(found[-1])[-1])[:EXERCISES]


def _sources(lecture: Ran) -> list[str]:
    found = [one for cell in lecture.cells if cell.cell_type == "markdown" for one in sources_of(cell.source)]
    return list(dict.fromkeys(found))
