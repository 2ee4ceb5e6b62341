"""The course as pages: one file a lecture, its answers on request, an index. They open from disk and load nothing."""

import html
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import notebook_sne
from notebook_sne.browser.frontend.bundle import COURSE_MODULES, READ_MODULES, join_modules, join_styles, scope_of
from notebook_sne.course.front_matter import begins, title_of
from notebook_sne.course.handout import handout_of
from notebook_sne.course.order import files_of, parts_of, reading_order
from notebook_sne.course.outputs import joined, output_html
from notebook_sne.course.prose import code_html, code_styles, prose_html
from notebook_sne.course.running import LectureError, Ran, ran
from notebook_sne.course.sheet import bokeh_library, computes, modules_script, sheet, view_styles
from notebook_sne.course.slides import deck_of, marks_of
from notebook_sne.course.view_store import OUTCOMES, PLACE
from notebook_sne.engine.machine import files

__all__ = ["Body", "LectureError", "body_of", "page_of_lecture", "pages_of", "write_course", "write_index"]

LONG = 12  # lines of code from which on a cell is folded; what makes a view or asks the reader always is
ANSWERS = "solutions"
PAGE = "page"
GLOSSARY = Path("glossary.ipynb")
COURSE_STYLE = "course/course.css"
MADE_BY = (
    f"Made by notebook_sne {notebook_sne.__version__}. "
    "The page loads nothing: it holds its figures, its data and what it computes with."
)
TITLE = "How stochastic neighbor embeddings work"
BEGINNING = "Each lecture is one question. Its maps compute in the page: press Play, turn a knob, drag a point."


_ABOUT = re.compile(r'<p class="about"><em>(Reading: [^.]*\.) ([^<]*)</em></p>\n')
_RUN = re.compile(r'<div class="views" data-count="1"><div class="view" data-view="(?:live|film).*</div>\n', re.DOTALL)
_ASKED = re.compile(r'<div class="views" data-count="1"><div class="view" data-view="prediction".*?</div>\n', re.DOTALL)
_WHY = re.compile(r'<p class="why">It does not compute here.*?</p>')


class Body(NamedTuple):
    """A lecture as HTML, and what its page needs besides."""

    title: str
    text: str
    """HTML of prose, code and outputs."""
    views: bool
    """Whether widgets are in it, which the script of `page_of_lecture` draws."""
    live: bool
    """Whether one of them computes, which needs the kernels."""
    figures: bool
    """Whether figures are in it, which the library of Bokeh draws."""


def body_of(notebook: Path, there: Callable[[str], bool]) -> Body:
    """Run a lecture in its own folder, where it stays as it is, and return it as HTML; LectureError if a cell fails.

    `there` says of the name of another notebook, as links write it but without its ending, whether it has a page.
    """
    with ran(notebook) as lecture:
        return _body(lecture, there)


def _body(lecture: Ran, there: Callable[[str], bool]) -> Body:
    parts = [_cell(cell, lecture.notebook.parent, lecture.views, there) for cell in lecture.cells]
    text = "\n".join(_in_sight([part for part in parts if part]))
    return Body(title_of(lecture.notebook), text, "data-view=" in text, computes(text), "data-figure" in text)


def _in_sight(parts: list[str]) -> list[str]:
    """Return the parts of a lecture with its first run and question below the title, or beside all that comes before.

    Why the run is a film stands below the question, so that both are in the first screen of a phone. Of a run without
    a question that follows the opening itself, and of several that are compared, the place stays.
    """
    at, run = next(((at, run) for at, part in enumerate(parts) if (run := _RUN.search(part))), (0, None))
    asked = next((found[0] for part in parts[1 : at + 2] if (found := _ASKED.search(part))), "")
    if run is None or not at or (at == 1 and not asked) or "</h1>\n" not in parts[0]:
        return parts
    title, end, opening = parts[0].rpartition("</h1>\n")
    rest = at + 1  # what is said of the map is beside it, too
    while rest < len(parts) and (parts[rest].startswith("<section>\n<p>") or (asked and asked in parts[rest])):
        rest += 1
    beside = [f"<section>\n{opening}", *parts[1:at], _RUN.sub("", parts[at]), *parts[at + 1 : rest]]
    before = "\n".join(beside).replace(asked, "", 1)
    said = "".join(_WHY.findall(run[0]))  # why it does not compute: below the question
    view = _WHY.sub("", run[0])
    shown = asked + view + said if "explorer" in view[:80] else view + asked + said  # an explorer is long
    first = f'<div>{title}{end}</section></div>\n<div class="first">{shown}</div><div>{before}</div>'
    return [f'<div class="beside">{first}</div>', *parts[rest:]]


def _cell(cell: Any, folder: Path, views: Path, there: Callable[[str], bool]) -> str:
    if cell.cell_type == "markdown":
        return f"<section>\n{prose_html(cell.source, folder, there)}</section>"
    if cell.cell_type != "code" or not cell.source.strip():
        return ""
    lines = cell.source.count("\n") + 1
    code = code_html(cell.source)
    if lines >= LONG or _shows(cell) or cell.metadata.get("jupyter", {}).get("source_hidden"):
        said = f"Code, {lines} lines" if lines > 1 else "Code"
        code = f'<details class="cell"><summary>{said}</summary>{code}</details>'
    return code + "".join(output_html(output, views) for output in joined(cell.outputs))


def _shows(cell: Any) -> bool:
    return any({PLACE, OUTCOMES} & output.get("data", {}).keys() for output in cell.outputs)


def page_of_lecture(body: Body, before: str = "", after: str = "") -> bytes:
    """Return a lecture as one HTML file.

    `before` and `after` are HTML over and under it, such as links to other lectures.
    """
    contents = _contents(body.text)
    text = _ABOUT.sub("", body.text) if contents else body.text
    return sheet(
        body.title,
        f"{before}{contents}<main><article>\n{text}\n</article></main>\n{after}",
        style=f"{join_styles(COURSE_STYLE)}{code_styles()}{view_styles() if body.views else ''}",
        libraries=[bokeh_library()] if body.figures else [],
        script=_script() if body.views or body.figures else _reading(),
        live=body.live,
    )


def _contents(text: str) -> str:
    """Return the list of a lecture's parts, folded behind how long it takes, or nothing where there are few."""
    parts = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', text)
    rows = "".join(f'<li><a href="#{name}">{said}</a></li>' for name, said in parts)
    minutes, core = about.groups() if (about := _ABOUT.search(text)) else ("", "")
    listed = f"<details><summary>Contents. {minutes}</summary><p>{core}</p><ol>{rows}</ol></details>"
    return f'<nav aria-label="Contents">{listed}</nav>\n' if len(parts) > 2 else ""


@cache
def _script() -> str:
    """Return the front end."""
    reading = f"{scope_of(READ_MODULES[-1])}.markRead();"
    return modules_script([*READ_MODULES, *COURSE_MODULES], f"{reading}\nopenCourse")


@cache
def _reading() -> str:
    """Return the script of a page without views."""
    return f"\n{join_modules(*READ_MODULES)}\nmarkRead();\n"


def write_course(
    lectures: Iterable[Path],
    folder: Path,
    source: Path,
    kinds: Iterable[str] = (PAGE,),
    answers: bool = False,
    kept: Path | None = None,
) -> Iterable[tuple[Path, int]]:
    """Run lectures and write what is asked for, of each as one file; yield each file and its bytes.

    `kinds` are of "page", "slides" and "handout"; to pages belong the glossary, the index and, with `answers`, those to
    the exercises. Each is yielded as soon as it is written. Pages that are in the folder already, of other lectures and
    of answers, stay; lectures are in the index. The folder is made if it isn't there. The lectures are notebooks, in
    their order. They run in a copy of their folder, `source`; what a lecture writes isn't kept. With `kept`, a folder,
    a lecture whose checksum hasn't changed isn't run again.
    """
    chosen, kinds = list(lectures), tuple(kinds)
    with tempfile.TemporaryDirectory() as room:
        copy = Path(room) / "tutorials"
        for key, path in files_of(source).items():
            (copy / key).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy / key)
        order = [path.relative_to(source) for path in chosen]
        written = [*order, *(_beside(order, source, answers) if PAGE in kinds else [])]
        stems = {name.with_suffix("").as_posix() for name in written}
        # Answers that an earlier call has written stay, and lectures lead to them.
        stems |= {f"{ANSWERS}/{path.stem}" for path in (folder / ANSWERS).glob("*.html")}
        there = reading_order(source)
        beside = [name for name in there if name in order or _place(folder, name, PAGE).is_file()]
        for name in written:
            inside = name.parent.as_posix() == ANSWERS
            with ran(copy / name, kept) as lecture:
                for kind in kinds if name in order else (PAGE,):
                    if kind == PAGE:
                        body = _body(lecture, lambda link, inside=inside: _from(link, inside) in stems)  # type: ignore[misc]
                        file = page_of_lecture(body, *_links(name, beside, copy))
                    elif kind == "slides":
                        file = deck_of(lecture, marks_of(source / name), _after(name, there, copy))
                    else:
                        file = handout_of(lecture, marks_of(source / name))
                    place = _place(folder, name, kind)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    files.write(place, file)
                    yield place, len(file)
        if PAGE in kinds:
            index = write_index([copy / name for name in beside], folder, _parts(source))
            yield index, index.stat().st_size


def _place(folder: Path, name: Path, kind: str) -> Path:
    """Return the file of a lecture, by the name of its notebook."""
    return folder / (name.with_suffix(".html") if kind == PAGE else f"{name.stem}-{kind}.html")


def _after(name: Path, order: list[Path], source: Path) -> str:
    """Return the title of the lecture that is read after this one, or nothing."""
    at = order.index(name) + 1
    return title_of(source / order[at]) if at < len(order) else ""


def _beside(order: list[Path], source: Path, answers: bool) -> list[Path]:
    """Return what goes with lectures: the glossary and, if asked for, answers, as far as they are there."""
    asked = [Path(ANSWERS) / name for name in order] if answers else []
    return [name for name in (*asked, GLOSSARY) if (source / name).is_file()]


def pages_of(
    lectures: Iterable[Path], folder: Path, source: Path, kinds: Iterable[str] = (PAGE,), answers: bool = False
) -> list[Path]:
    """Return the files that `write_course` writes."""
    order, kinds = [path.relative_to(source) for path in lectures], tuple(kinds)
    found = [_place(folder, name, kind) for name in order for kind in kinds]
    if PAGE not in kinds:
        return found
    return [*found, *(_place(folder, name, PAGE) for name in _beside(order, source, answers)), folder / "index.html"]


def _from(link: str, inside: bool) -> str:
    """Return what a link means in the folder of the course."""
    if not inside:
        return link.removeprefix("./")
    return link.removeprefix("../") if link.startswith("../") else f"{ANSWERS}/{link}"


def _links(name: Path, order: list[Path], source: Path) -> tuple[str, str]:
    """Return the links over and under a lecture."""
    if name not in order:
        to, said = ("index", "All lectures") if name == GLOSSARY else (f"../{name.stem}", "Back to the lecture")
        return f'<nav aria-label="Course"><a href="{to}.html">{said}</a></nav>', ""
    at = order.index(name)
    steps = ['<a href="index.html">All lectures</a>']
    for other, sign in ((at - 1, "← <span>{}</span>"), (at + 1, "<span>{}</span> →")):
        if 0 <= other < len(order):
            title = sign.format(html.escape(title_of(source / order[other])))
            steps.append(f'<a href="{order[other].stem}.html">{title}</a>')
    over = f'<nav aria-label="Course">{"".join(steps)}</nav>\n'
    under = over.replace("Course", "Course, again", 1)
    return over, f"<div data-end></div>{under}<footer><p>{MADE_BY}</p></footer>"


def _parts(source: Path) -> dict[str, str]:
    """Return the part of the course in which each lecture is, by the names of their files."""
    return {one.name: part for part, listed in parts_of(source).items() for one in listed}


def write_index(lectures: list[Path], folder: Path, parts: dict[str, str]) -> Path:
    """Write the list of the lectures that are in the folder, by the parts in which they are, and return its file."""
    text = f"<h1>{TITLE}</h1>\n<p>{BEGINNING}</p>"
    for part, those in groupby(lectures, lambda path: parts.get(path.name, "")):
        rows = (
            f'<li value="{int(path.name[:2])}"><a href="{path.stem}.html">{html.escape(title_of(path))}</a>'
            f"{begins(path)}</li>"
            for path in those
        )
        text += f"\n<h2>{html.escape(part)}</h2>" if part else ""
        text += f'\n<ol class="lectures">\n{"".join(rows)}\n</ol>'
    if (folder / GLOSSARY.with_suffix(".html")).is_file():
        words = title_of(lectures[0].parent / GLOSSARY)
        text += f'\n<p>What the words mean: <a href="{GLOSSARY.stem}.html">{words}</a></p>'
    page = page_of_lecture(Body(TITLE, text, False, False, False))
    folder.mkdir(parents=True, exist_ok=True)
    return Path(files.write(folder / "index.html", page))
