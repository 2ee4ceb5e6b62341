"""The slides of a lecture: the cells that its author has marked for them, in the way of JupyterLab and nbconvert.

The mark of a cell is its ``slideshow.slide_type``, which JupyterLab sets in the panel of a cell's properties:

========================= ========================================================================
``slide``, ``subslide``   begins a slide
``-``                     is on the slide of the marked cell before it
``fragment``              is there, too, but comes when a key is pressed
``notes``                 is in the notes of the lecturer alone
``skip``, or no mark      isn't in the deck; nbconvert would show a cell without a mark
========================= ========================================================================

A marked Markdown cell shows few of its words (see `brief`), and the lecturer's notes have all of it. A marked code cell
never shows code: it shows what it draws, and what it prints only where it draws nothing. Each question that it asks is
a slide of its own. The first slide is the title's, with the notes for teachers; a last one, of what to read next, is
made.
"""

import html
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

from notebook_sne.browser.frontend.bundle import DECK_MODULES, join_styles
from notebook_sne.course.brief import Brief, brief_of, sources_of
from notebook_sne.course.front_matter import title_of
from notebook_sne.course.outputs import joined, output_html
from notebook_sne.course.prose import prose_html
from notebook_sne.course.running import Ran
from notebook_sne.course.sheet import bokeh_library, computes, modules_script, sheet, view_styles
from notebook_sne.course.teaching import told_of
from notebook_sne.course.view_store import FIGURE, OUTCOMES, PLACE

__all__ = ["BEGIN", "Slide", "deck_of", "marks_of", "slides_of"]

REVEAL = "reveal/reveal.js"
DECK_STYLES = "reveal/reveal.css", "deck/deck.css"
_DRAWN = PLACE, FIGURE, "image/svg+xml", "image/png", "image/jpeg", "image/gif"

BEGIN = "slide", "subslide"
_FRAGMENT, _NOTES = "fragment", "notes"


@dataclass
class Slide:
    """One slide: its words, what it shows as HTML, and what the lecturer reads."""

    kind: str = "text"
    title: str = ""
    kicker: str = ""
    words: list[str] = field(default_factory=list)
    """HTML of the few words, and of what stands among them."""
    shown: list[str] = field(default_factory=list)
    """HTML of what cells show."""
    notes: list[str] = field(default_factory=list)
    """HTML of the cells whose words are there, whole."""
    key: str = ""
    """Of a question."""
    found: bool = False
    """Whether it tells what was found."""


def marks_of(notebook: Path) -> dict[str, str]:
    """Return the marks of a lecture's cells by the names of the cells; those without one are left out."""
    cells = nbformat.read(notebook, as_version=4).cells
    marks = {cell.id: cell.metadata.get("slideshow", {}).get("slide_type", "skip") for cell in cells}
    return {name: mark for name, mark in marks.items() if mark != "skip"}


def slides_of(lecture: Ran, marks: dict[str, str]) -> list[Slide]:
    """Return the slides of a lecture that has run."""
    folder = lecture.notebook.parent
    slides: list[Slide] = []
    for cell in lecture.cells:
        mark = marks.get(cell.id)
        if mark is None:
            continue
        if mark == _NOTES:
            if slides:
                slides[-1].notes.append(_prose(cell.source, folder))
            continue
        if mark in BEGIN or not slides:
            slides.append(Slide())
        if cell.cell_type == "markdown":
            _write(slides[-1], cell.source, folder, mark)
        elif cell.cell_type == "code":
            _show(slides, cell, lecture.views, mark == _FRAGMENT)
    for slide in slides:
        if slide.found and not slide.title:
            slide.title = "What was found"
    return [slide for slide in slides if slide.title or slide.words or slide.shown]


def _prose(source: str, folder: Path) -> str:
    return prose_html(source, folder, lambda _: False)


def _write(slide: Slide, source: str, folder: Path, mark: str) -> None:
    """Write the few words of a Markdown cell on a slide."""
    brief = brief_of(source, mark not in BEGIN)
    if slide.title or slide.shown:
        brief = Brief("", "", (*((f"**{brief.title}**",) if brief.title else ()), *brief.lines), *brief[3:])
    slide.title = slide.title or _inline(brief.title, folder)
    slide.kicker = slide.kicker or _inline(brief.kicker, folder)
    text = [*brief.lines, "\n".join(f"* {item}" for item in brief.items), *brief.whole]
    words = _prose("\n\n".join(part for part in text if part), folder)
    if words:
        slide.words.append(f'<div class="fragment">{words}</div>' if mark == _FRAGMENT else words)
    slide.notes.append(_prose(source, folder))


def _inline(text: str, folder: Path) -> str:
    """Return a line of Markdown as HTML that can stand in a heading."""
    return _prose(text, folder).strip().removeprefix("<p>").removesuffix("</p>")


def _show(slides: list[Slide], cell: Any, views: Path, later: bool) -> None:
    """Show on the last slide what a code cell shows; each question has a slide of its own."""
    shown, titles = [], []
    for output in _best(cell.outputs):
        asked = [
            view for place in output.get("data", {}).get(PLACE, {}).get("views", ()) if (view := _view(place, views))
        ]
        questions = [view for view in asked if view["kind"] == "prediction"]
        if questions:
            for traits in (json.loads(view["text"])["traits"] for view in questions):
                question = Slide("question", key=traits["key"], title=html.escape(traits["question"]))
                question.shown.append(output_html(output, views))
                if slides[-1] == Slide():
                    slides.pop()
                slides.append(question)
            continue
        told = output_html(output, views)
        if OUTCOMES in output.get("data", {}):
            slides[-1].words.append(f'<div class="fragment">{told}</div>' if later else told)
            slides[-1].found = True
            continue
        shown.append(told)
        if len(asked) == 1:  # of views side by side each has its own
            titles.append(json.loads(asked[0]["text"]).get("traits", {}).get("title") or "")
    slide = slides[-1]
    slide.title = slide.title or html.escape("".join(titles[:1]))
    slide.shown += [f'<div class="fragment">{part}</div>' if later else part for part in shown if part]


def _view(place: dict[str, str], views: Path) -> dict[str, Any]:
    return json.loads((views / f"{place['name']}.json").read_text(encoding="utf-8"))


def _best(outputs: list[Any]) -> list[Any]:
    """Return what a cell draws, and what it has found; where it draws nothing, what it prints."""
    drawn = [output for output in outputs if any(kind in output.get("data", {}) for kind in (*_DRAWN, OUTCOMES))]
    return drawn or joined(outputs)


def deck_of(lecture: Ran, marks: dict[str, str], following: str = "") -> bytes:
    """Return the slides of a lecture that has run as one HTML file; `following` is the title of the next lecture."""
    title = title_of(lecture.notebook)
    slides = slides_of(lecture, marks)
    if slides:
        slides[0].kind = "title"
        slides[0].notes.insert(0, _prose(told_of(int(lecture.notebook.name[:2])), lecture.notebook.parent))
    slides.append(_last(lecture, following))
    sections = "\n".join(map(_section, slides))
    body = (
        f'<div class="reveal deck" data-enlarge><div class="slides">\n{sections}\n</div></div>\n'
        f'<script type="application/json" id="nsne-found">{_found(lecture)}</script>'
    )
    return sheet(
        title,
        body,
        style=f"{join_styles(*DECK_STYLES)}{view_styles()}",
        libraries=[join_styles(REVEAL), *([bokeh_library()] if "data-figure" in sections else [])],
        script=modules_script(DECK_MODULES, "openDeck"),
        live=computes(sections),
    )


def _section(slide: Slide) -> str:
    level = "h1" if slide.kind == "title" else "h2"
    kicker = f'<p class="kicker">{slide.kicker}</p>' if slide.kicker else ""
    heading = f"<{level}>{slide.title}</{level}>" if slide.title else ""
    words = f'<div class="words">{"".join(slide.words)}</div>' if slide.words else ""
    shown = f'<div class="shown" data-count="{len(slide.shown)}">{"".join(slide.shown)}</div>' if slide.shown else ""
    about = f'<aside class="notes">{"".join(slide.notes)}</aside>' if any(slide.notes) else ""
    asked = f' data-asks="{html.escape(slide.key)}"' if slide.key else ""
    return (
        f'<section data-kind="{slide.kind}"{asked}><div class="slide"><header>{kicker}{heading}</header>'
        f'<div class="body">{words}{shown}</div></div>{about}</section>'
    )


def _found(lecture: Ran) -> str:
    """Return what was found, by the keys of the questions."""
    told = [
        one
        for cell in lecture.cells
        for output in cell.get("outputs", ())
        for one in output.get("data", {}).get(OUTCOMES, {}).get("outcomes", ())
    ]
    text = json.dumps({one["key"]: one for one in told}, separators=(",", ":"))
    return text.translate({ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def _last(lecture: Ran, following: str) -> Slide:
    """Return the slide of what to read next."""
    folder = lecture.notebook.parent
    sources = [one for cell in lecture.cells if cell.cell_type == "markdown" for one in sources_of(cell.source)]
    items = "\n".join(f"* {one}" for one in dict.fromkeys(sources))
    words = f"The next lecture: **{following}**\n\n{items}" if following else items
    return Slide("last", title="Where to read on", words=[_prose(words, folder)])
