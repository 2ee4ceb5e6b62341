"""Slides and a handout in a browser: keys, questions, a player, the lecturer's window, sizes, and paper."""

import json
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from notebook_sne.browser.frontend.page import text_of
from notebook_sne.cli.tutorials import tutorials_folder
from notebook_sne.course import paper
from notebook_sne.course.pages import write_course
from notebook_sne.course.running import Ran
from notebook_sne.course.slides import deck_of, marks_of
from notebook_sne.course.view_store import OUTCOMES, PLACE
from tests.browser.pages import View, until

pytestmark = pytest.mark.browser

ASKED = """import numpy as np, notebook_sne as ns
how = ns.predict('How many?', options=['one', 'two'])
share = ns.predict('What share?', low=0, high=100, unit='%')
shape = ns.predict('What shape?', at=[0, 5, 10], low=0, high=5, axes=('update', 'cost'))
display(how, share, shape)"""
RUN = """X = np.random.default_rng(0).normal(size=(40, 3))
ns.watch(ns.TSNE(perplexity=5, max_iter=20, random_state=0), X, labels=np.arange(40) % 3)"""
# Each with its mark; what begins with # is prose.
CELLS = [
    ("slide", "# What is *first*?\n\n*PCA, maps*\n\nIt is so. And more."),
    ("slide", ASKED),
    ("slide", "## Picture\n\nPress **Play**. A second sentence."),
    ("-", RUN),
    ("", "from bokeh.io import show\nns.views.output_notebook()"),
    ("slide", "show(ns.views.curves([1, 2, 3], {'one': [1, 4, 9]}, x_label='x', y_label='y', title='A curve'))"),
    ("fragment", "share.reveal(12.34)\nhow.reveal('two')\nshape.reveal([4, 2, 1])"),
    ("slide", "## Reason\n\n**It pulls.** At length.\n\n$$q_{ij} = \\frac{a_{ij}}{\\sum_k a_k}$$"),
    ("fragment", "ns.views.svg(X[:, :2], np.arange(40) % 3, title='A picture')"),
    ("slide", "## What it does not say\n\n* **That it is so.** No.\n\n[Cook2007] J. Cook. *Title.*"),
    ("", "## Exercise\n\nTurn it. And look."),
]
SIZES = [(1920, 1080), (1280, 720)]

# What of the slides does not fit: parts that end behind the bar at the bottom or beside the window, and boxes that hold
# more than they show.
OVER = """() => {
    const foot = document.querySelector(".foot").getBoundingClientRect().top + 1;
    const sections = [...document.querySelectorAll(".slides > section")];
    const seen = "h1, h2, .kicker, .words > *, .words li, .shown > *, .found, label, math, table, pre";
    return sections.flatMap((section, k) => [
        ...[...section.querySelectorAll(seen)].filter((part) => {
            const { width, top, right, bottom, left } = part.getBoundingClientRect();
            const hidden = part.closest(".nsne-player, .nsne-explorer, .notes, .still") || !width;
            return !hidden && (bottom > foot || right > innerWidth || left < 0 || top < 0);
        }),
        ...[...section.querySelectorAll(".slide, .body, .words, .shown, .output")].filter(
            (part) => part.scrollHeight > part.clientHeight + 3 || part.scrollWidth > part.clientWidth + 3,
        ),
        ...[...section.querySelectorAll(".equation")].filter((part) => part.scrollWidth > part.clientWidth + 3),
    ].map((part) => `${k + 1}: ${part.tagName} ${part.className} ${part.textContent.slice(0, 40)}`));
}"""
# The letters of a slide, in pixels; those of figures and equations follow their own rules.
LETTERS = """() => [...document.querySelectorAll(".slides > section :is(h1, h2, p, li, label, td)")]
    .filter((part) => part.offsetWidth && !part.closest(".notes, .still, .nsne-player, .figure"))
    .map((part) => parseFloat(getComputedStyle(part).fontSize))"""


def lecture(folder):
    cells = [new_markdown_cell(text) if text.startswith("#") else new_code_cell(text) for _, text in CELLS]
    for cell, (mark, _) in zip(cells, CELLS, strict=True):
        cell.metadata |= {"slideshow": {"slide_type": mark}} if mark else {}
    path = folder / "03-first.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("files")
    written = dict(write_course([lecture(source)], folder, source, ("slides", "handout")))
    assert sorted(path.name for path in written) == ["03-first-handout.html", "03-first-slides.html"]
    assert sorted(written) == sorted(folder.iterdir()), "no page and no index unless they are asked for"
    return folder


@pytest.fixture
def deck(open_page, files):
    opened = open_page(files / "03-first-slides.html", ".deck[data-drawn]", viewport={"width": 1280, "height": 720})
    yield opened


def present(page):
    return page.locator(".slides > section.present")


def heading(page):
    return present(page).locator(".slide :is(h1, h2)").inner_text()


def go(page, key, title):
    page.keyboard.press(key)
    until(page, lambda: heading(page) == title)


def test_keys_move_slides_and_what_was_found_waits_for_a_key(deck):
    page = deck.page
    assert heading(page) == "What is first?" and "And more" not in present(page).inner_text()
    go(page, "ArrowRight", "How many?")
    asked = present(page)
    assert asked.locator("[data-control='option']").count() == 2
    asked.locator("label").nth(0).click()
    assert not asked.locator(".found").is_visible(), "an answer is no wish to see what was found"
    page.keyboard.press("r")
    until(page, lambda: asked.locator(".found").is_visible())
    assert asked.locator(".found").inner_text() == "Found: two." and asked.locator("label[data-truth]").count() == 1
    tell = page.locator("[data-control='tell']")
    assert tell.inner_text() == "Hide what was found"
    tell.click()
    assert not asked.locator(".found").is_visible() and asked.locator("label[data-truth]").count() == 0
    assert asked.locator("[data-control='option']").nth(0).is_checked(), "the answer stays"
    go(page, "Space", "What share?")
    go(page, "PageDown", "What shape?")
    page.locator("[data-control='next']").click()
    until(page, lambda: heading(page) == "Picture")
    assert not tell.is_visible()
    go(page, "PageUp", "What shape?")
    until(page, lambda: page.url.endswith("#/3"))  # which is written at most once a second
    page.reload()
    deck.root.wait_for()
    deck.requests.pop()
    assert heading(page) == "What shape?", "the address knows the slide"
    assert page.locator("[data-control='option']:checked").count() == 0, "the next class is asked anew"


def test_a_later_slide_tells_what_was_found_at_a_key(deck):
    page = deck.page
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    until(page, lambda: heading(page) == "What was found")
    boxes = present(page).locator(".found")
    assert boxes.count() == 3 and not boxes.first.is_visible()
    for k in range(3):
        page.keyboard.press("ArrowRight")
        until(page, lambda k=k: boxes.nth(k).is_visible())
    assert boxes.first.inner_text().split("\n\n") == ["What share?", "Found: 12%."]
    for _ in range(6):  # what came by a key goes first
        page.keyboard.press("ArrowLeft")
    until(page, lambda: heading(page) == "What share?")
    assert present(page).locator(".found").is_visible(), "told once is told"


def test_a_player_computes_on_its_slide_and_rests_when_it_is_left(deck):
    page = deck.page
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    until(page, lambda: heading(page) == "Picture")
    view = View(page, present(page).locator(".nsne-player"))
    view.root.wait_for()
    view.few = True
    view.until(lambda v: v.status == "finished" and v.read("scrub") == "0")
    assert view.root.evaluate("root => getComputedStyle(root).zoom") > "1.2", "it grows as on a wall"
    assert view.root.locator(".nsne-stage").evaluate("stage => stage.offsetHeight") > 150
    view.control("play").click()
    view.until(lambda v: v.read("scrub") == "")
    view.control("main-perplexity").press("ArrowRight")  # a key of the player's
    view.until(lambda v: v.status == "finished" and v.iteration == 40)
    assert heading(page) == "Picture"
    go(page, "PageDown", "What was found")
    go(page, "PageUp", "Picture")
    view.control("play").press("Escape")
    go(page, "ArrowLeft", "What shape?")


def test_the_lecturers_window_has_the_notes_and_turns_slides(deck):
    page = deck.page
    with page.context.expect_page() as coming:
        page.keyboard.press("s")
    notes = coming.value
    notes.locator(".lecturer").wait_for()
    assert notes.url.endswith("?notes")
    until(notes, lambda: notes.locator(".lecturer > h1").inner_text() == "1 / 9: What is first?")
    assert "And more." in notes.locator(".text").inner_text()
    assert "Reading 25 minutes" in notes.locator(".text").inner_text(), "the notes for teachers on lecture 3"
    go(page, "ArrowRight", "How many?")
    until(notes, lambda: notes.locator(".lecturer > h1").inner_text() == "2 / 9: How many?")
    notes.keyboard.press("PageDown")
    until(page, lambda: heading(page) == "What share?")
    until(notes, lambda: "Next: What shape?" in notes.locator(".lecturer").inner_text())
    assert re.fullmatch(r"\d:\d\d", notes.locator(".time").inner_text())
    notes.close()
    deck.requests.remove(deck.path.as_uri() + "?notes")


@pytest.mark.parametrize("size", SIZES)
def test_no_slide_runs_over_and_no_letter_is_small(open_page, files, size):
    width, height = size
    opened = open_page(files / "03-first-slides.html", ".deck[data-drawn]", viewport={"width": width, "height": height})
    assert opened.page.evaluate(OVER) == []
    assert min(opened.page.evaluate(LETTERS)) >= 0.0222 * height * 0.99  # 24 pixels of 1080
    assert opened.page.locator(".figure .bk-Figure").evaluate("part => part.offsetWidth") > 0.4 * width


def n_pages(printed):
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed.read_bytes()))


def test_slides_are_printed_one_to_a_page_and_a_handout_on_two(files):
    program = paper.browser()
    assert n_pages(paper.print_page(program, files / "03-first-slides.html")) == 9
    assert n_pages(paper.print_page(program, files / "03-first-handout.html")) == 2


def test_paper_has_stills_and_answers(deck):
    deck.page.emulate_media(media="print")
    assert (
        deck.page.locator(".still:visible img").count() > 0 and deck.page.locator(".nsne-player:visible").count() == 0
    )
    assert deck.page.locator("[data-kind='question'] .found:visible").count() == 3
    assert deck.page.locator(".foot:visible, aside:visible").count() == 0


class Asked(list):
    """Stands in for the package where a lecture asks, and keeps the questions."""

    def predict(self, question, options=None, *, low=0, high=1, unit="", at=None, axes=("", "")):
        key = f"asked-{len(self)}"
        places = [str(place) for place in at or ()]
        traits = {"key": key, "question": question, "options": list(options or ()), "bounds": [low, high], "unit": unit}
        self.append(traits | {"places": places, "axis_names": list(axes), "value": None, "truth": None})
        return self[-1]


def without_running(path, views):
    """Return a lecture whose questions and outcomes are its own, with a plain picture for all else that it shows."""
    asked, names = Asked(), {}
    cells = nbformat.read(path, 4).cells
    for cell in (cell for cell in cells if cell.cell_type == "code"):
        before = len(asked)
        if "ns.predict(" in cell.source:
            source = cell.source.replace("import notebook_sne as ns", "")
            exec(source, names | {"ns": asked, "display": lambda *_: None}, names)
        for traits in asked[before:]:
            view = {"kind": "prediction", "text": text_of(traits), "why": ""}
            (views / f"{traits['key']}.json").write_text(json.dumps(view))
            place = {"views": [{"name": traits["key"], "heading": ""}]}
            cell.outputs.append(new_output("display_data", data={PLACE: place}))
        for name in re.findall(r"^(\w+)\.reveal\(", cell.source, re.MULTILINE):
            traits = names[name]
            words = max(traits["options"], key=len, default="0: 12.3, 1: 12.3, 2: 12.3")
            told = {"key": traits["key"], "question": traits["question"], "truth": words, "found": words}
            cell.outputs.append(new_output("display_data", data={OUTCOMES: {"outcomes": [told], "table": False}}))
        if not cell.outputs:
            drawn = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><title>a picture</title></svg>'
            cell.outputs.append(new_output("display_data", data={"image/svg+xml": drawn}))
    return Ran(path, cells, views)


@pytest.mark.parametrize("path", sorted(tutorials_folder().glob("[0-9]*.ipynb")), ids=lambda path: path.name[:2])
def test_the_words_of_every_lecture_fit(open_page, tmp_path, path):
    deck = tmp_path / "deck.html"
    deck.write_bytes(deck_of(without_running(path, tmp_path), marks_of(path), "What changes with many objects?"))
    opened = open_page(deck, ".deck[data-drawn]")
    for width, height in SIZES:
        opened.page.set_viewport_size({"width": width, "height": height})
        opened.page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
        assert opened.page.evaluate(OVER) == [], (width, height)


SHEETS = """() => [...document.querySelectorAll(".sheet")].map(
    (sheet) => [sheet.scrollHeight - sheet.clientHeight, sheet.scrollWidth - sheet.clientWidth])"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3, 8])
def test_the_slides_and_the_handout_of_a_lecture_fit(open_page, tmp_path, number):
    source = tutorials_folder()
    (path,) = source.glob(f"{number:02}-*.ipynb")
    slides, handout = (place for place, _ in write_course([path], tmp_path, source, ("slides", "handout")))
    for width, height in SIZES:
        opened = open_page(slides, ".deck[data-drawn]", viewport={"width": width, "height": height})
        assert opened.page.evaluate(OVER) == []
    opened = open_page(handout, ".sheet >> nth=0")
    assert all(max(over) <= 0 for over in opened.page.evaluate(SHEETS))
    assert n_pages(paper.print_page(paper.browser(), handout)) == 2
