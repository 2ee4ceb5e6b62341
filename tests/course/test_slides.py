"""Slides and handouts of lectures: which cells, which words of them, and what is hostile in them."""

import json
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from notebook_sne.browser.frontend.page import text_of
from notebook_sne.cli.command import main
from notebook_sne.cli.tutorials import tutorials_folder
from notebook_sne.course.brief import brief_of, first_sentence, sources_of
from notebook_sne.course.handout import handout_of
from notebook_sne.course.running import Ran
from notebook_sne.course.slides import BEGIN, deck_of, marks_of, slides_of
from notebook_sne.course.teaching import told_of
from notebook_sne.course.view_store import OUTCOMES, PLACE
from tests.tables import in_one_test

HOSTILE = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
LECTURES = sorted(tutorials_folder().glob("[0-9]*.ipynb"))
MOST_WORDS = 75  # of prose on a slide, which is read while somebody speaks
each_lecture = pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.name[:2])


# ---- the few words of a cell ----


def test_a_cell_gives_its_heading_and_the_bold_words_with_which_its_parts_begin():
    text = (
        "## Reason\n\n**Most pairs are far.** And so on, *at length*.\n\n$$a = b$$\n\n**No room.** More.\n\nNot bold."
    )
    brief = brief_of(text)
    assert (brief.kicker, brief.title, brief.lines) == ("Reason", "Most pairs are far.", ("No room.",))
    assert brief.whole == ("$$a = b$$",) and brief.items == ()
    later = brief_of("## Reason\n\nFirst this.\n\n**Bits or nats?** Both.")
    assert (later.kicker, later.title, later.lines) == ("", "Reason", ("Bits or nats?",))
    listed = brief_of("## What it does not say\n\n* **That it is\n  right.** It may be.\n* One more sentence. Another.")
    assert (listed.kicker, listed.title, listed.items) == ("", "What it does not say", ("That it is right.",))
    assert brief_of("* One more\n  sentence. Another.\n* And one. No.").items == ("One more sentence.", "And one.")


def test_a_cell_without_bold_words_gives_its_first_sentence():
    assert brief_of("# Why?\n\n*PCA, maps*\n\n*Reading: 3 minutes.*\n\nA cloud is\nflat. It is.").lines == (
        "A cloud is flat.",
    )
    assert brief_of('## Picture\n\n<span data-page="Press **Play**.">Run the cell.</span> More.').lines == (
        "Press **Play**.",
    )
    both = brief_of("The end of it.\n\n## Experiment\n\n### The knob\n\nIt is $x$. So.\n\n### Another\n\nNo.")
    assert (both.kicker, both.title, both.lines) == ("Experiment", "The knob", ("It is $x$.",))
    above = brief_of("* **Best.** No.\n\n## Note\n\nMore.", goes_on=True)
    assert (above.title, above.items) == ("", ("Best.",))
    assert brief_of("**Only bold.** And its reason. More.").title == "Only bold."


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("As in [Cook2007, Fig. 1] it is. So.", "As in [Cook2007, Fig. 1] it is."),
        ("For $p_{j|i}. x$ it holds. So.", "For $p_{j|i}. x$ it holds."),
        ("No end", "No end"),
        ('He said "no." And left.', 'He said "no."'),
    ],
)
def test_a_sentence_ends_outside_brackets_and_equations(text, first):
    assert first_sentence(text) == first


def test_sources_are_told_apart_by_their_keys():
    text = "Some [Cook2007] text.\n\n[Cook2007] has one.\n\n[Cook2007] J. Cook. *A title.* AISTATS,\n2007. "
    text += "[Nabney] I. Nabney. *Week 1*."
    assert sources_of(text) == ["[Cook2007] J. Cook. *A title.* AISTATS, 2007.", "[Nabney] I. Nabney. *Week 1*."]


# ---- a lecture that has run, as a kernel would leave it ----


def question(key, asked, **more):
    traits = {"options": [], "bounds": [0, 1], "unit": "", "places": [], "axis_names": [], "value": None, "truth": None}
    return {"kind": "prediction", "text": text_of(traits | {"key": key, "question": asked} | more), "why": ""}


def shows(tmp_path, *views):
    outputs = []
    for view in views:
        name = f"view-{len(list(tmp_path.glob('*.json')))}"
        (tmp_path / f"{name}.json").write_text(json.dumps(view))
        outputs.append(new_output("display_data", data={PLACE: {"views": [{"name": name, "heading": ""}]}}))
    return outputs


def svg(title):
    return new_output("display_data", data={"image/svg+xml": f"<svg><title>{title}</title></svg>"})


def found(key, words):
    told = [{"key": key, "question": f"of {key}", "truth": words, "found": words}]
    return new_output("display_data", data={OUTCOMES: {"outcomes": told, "table": False}})


def printed(text):
    return new_output("stream", name="stdout", text=text)


@pytest.fixture
def lecture(tmp_path):
    """Eight cells, and their marks."""
    live = {"kind": "live", "text": text_of({"title": "A <b>map</b>"}), "why": "", "still": "<p><b>still</b></p>"}
    asked = shows(
        tmp_path,
        question("a", f"Which? {HOSTILE}", options=["<i>one</i>", "two"]),
        question("b", "How many?", unit="%"),
        question("c", "What shape?", places=["0", "9"]),
    )
    cells = [
        ("slide", new_markdown_cell("# Why *so*?\n\n*PCA, maps*\n\nIt is so. More of it.")),
        ("slide", new_code_cell("ask()", outputs=asked)),
        ("slide", new_code_cell("watch()", outputs=[*shows(tmp_path, live), printed("not shown")])),
        ("", new_markdown_cell("Prose that nobody marks.")),
        ("slide", new_markdown_cell(f"## Reason\n\n**It pulls.** At length. {HOSTILE}\n\n$$p < q$$")),
        ("-", new_code_cell("draw()", outputs=[svg("a curve")])),
        ("fragment", new_code_cell("a.reveal()", outputs=[found("a", "two")])),
        ("notes", new_markdown_cell("For the lecturer.")),
        ("slide", new_code_cell("b.reveal()", outputs=[found("b", "45%"), printed("counts")])),
        ("slide", new_markdown_cell("## What it does not say\n\n* **That it is.** No.\n\n[Cook2007] J. Cook. *T.*")),
        ("", new_markdown_cell("## Exercise\n\n1. **With a pencil.** Do.\n2. Turn it. Look.")),
    ]
    for mark, cell in cells:
        if mark:
            cell.metadata["slideshow"] = {"slide_type": mark}
    path = tmp_path / "01-a.ipynb"
    nbformat.write(new_notebook(cells=[cell for _, cell in cells]), path)
    return Ran(path, [cell for _, cell in cells], tmp_path)


def test_a_deck_is_the_marked_cells_and_each_question_is_a_slide(lecture):
    slides = slides_of(lecture, marks_of(lecture.notebook))
    assert [slide.kind for slide in slides] == ["text", *["question"] * 3, *["text"] * 4]
    assert [slide.key for slide in slides[1:4]] == ["a", "b", "c"]
    title, *_, run, reason, told, last = slides
    assert title.title == "Why <em>so</em>?" and "It is so." in title.words[0] and "More" not in title.words[0]
    assert "More of it" in title.notes[0]
    assert run.title == "A &lt;b&gt;map&lt;/b&gt;" and len(run.shown) == 1 and "not shown" not in run.shown[0]
    assert (reason.kicker, reason.title) == ("Reason", "It pulls.")
    assert "<math" in reason.words[0] and "At length" not in reason.words[0] and "At length" in reason.notes[0]
    assert len(reason.shown) == 1 and "a curve" in reason.shown[0]
    assert reason.words[1].startswith('<div class="fragment"><div class="outcomes"')
    assert "For the lecturer" in reason.notes[-1] and "marks" not in str(slides)
    assert told.title == "What was found" and "counts" not in str(told), "what is printed stays out"
    assert "That it is." in last.words[0]


def test_a_deck_runs_its_own_scripts_and_nothing_that_a_lecture_shows(lecture):
    text = deck_of(lecture, marks_of(lecture.notebook), "What <next>?").decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.count("sha256-") == 2 and "'wasm-unsafe-eval'" in policy and "'unsafe-eval'" not in policy
    assert text.count("<script>") == 1 and text.count('<script type="module">') == 1
    inside = text[text.index('<div class="slides">') : text.index('id="nsne-found"')]
    assert inside.count("<section") == 9
    assert "<script>" not in inside and "<img src=x" not in inside and "<i>one" not in inside and "<next>" not in inside
    assert not re.findall(r"""(?:src|href)=["']?(?:https?:)?//""", inside)


def test_a_handout_is_two_sheets_with_room_for_predictions(lecture):
    text = handout_of(lecture, marks_of(lecture.notebook)).decode()
    asks, keeps = re.findall(r'<section class="sheet">(.*?)</section>', text, re.DOTALL)
    assert asks.count('class="question"') == 3 and asks.count("<li>") == 4 and "&lt;i&gt;one" in asks
    assert '<p class="number">%</p>' in asks and '<ul class="curve"><li>0</li><li>9</li></ul>' in asks
    assert "still" not in asks and "<img" not in asks, "a picture would give the answers away"
    assert "still" in keeps and "a curve" in keeps and "<math" in keeps
    assert "<strong>It pulls.</strong> At length." in keeps and "<strong>That it is.</strong> No." in keeps
    assert "<strong>With a pencil.</strong> Do." in keeps and "Turn it. Look." in keeps and "J. Cook." in keeps
    assert "<script" not in asks + keeps and "script-src 'none'" in text


def test_where_a_sheet_has_no_room_for_whole_exercises_they_begin(lecture):
    exercises = lecture.cells[-1]
    exercises.source += f"\n3. **A long one.** {'Words and words. ' * 300}\n4. **With a pencil.** Think."
    text = handout_of(lecture, marks_of(lecture.notebook)).decode()
    assert (
        "A long one." in text and "Words and words" not in text and text.count("<strong>With a pencil.</strong>") == 2
    )


# ---- the lectures' own marks ----


@each_lecture
def test_a_lecture_marks_a_deck_of_8_to_16_slides_with_all_its_questions_and_its_last_part(path):
    cells, marks = nbformat.read(path, 4).cells, marks_of(path)
    assert set(marks.values()) <= {"slide", "subslide", "-", "fragment", "notes"}
    marked = [cell for cell in cells if cell.id in marks]
    assert marked[0] is cells[0] and marks[cells[0].id] == "slide"
    asked = {cell.id: cell.source.count("ns.predict(") for cell in marked}
    begun = [cell for cell in marked if marks[cell.id] in BEGIN and not asked[cell.id]]
    assert 8 <= len(begun) + sum(asked.values()) + 1 <= 16
    assert sum(asked.values()) >= 3
    begin = [cell.source for cell in marked if marks[cell.id] in BEGIN]
    assert re.findall(r"^## (.+)$", "\n".join(begin), re.MULTILINE)[-1] == "What the picture does not say"
    assert any("ns.watch(" in cell.source or "ns.compare(" in cell.source or "ns.explore(" in cell.source
               or "ns.views.live(" in cell.source for cell in marked)  # fmt: skip


@each_lecture
def test_a_slide_has_few_words(path):
    marks, words = marks_of(path), []
    for cell in nbformat.read(path, 4).cells:
        mark = marks.get(cell.id)
        if mark in BEGIN:
            words.append(0)
        if mark not in (None, "notes") and cell.cell_type == "markdown":
            brief = brief_of(cell.source)
            text = [*brief.lines, *brief.items, brief.title]
            words[-1] += sum(len(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line).split()) for line in text)
    assert max(words) <= MOST_WORDS, words


def test_a_caption_is_no_word_of_a_slide():
    brief = brief_of("### Two maps\n\nThey differ. And so on.\n\n**Figure 9.2.** Two maps of one P.")
    assert (brief.title, brief.lines, brief.items) == ("Two maps", ("They differ.",), ())


def test_the_notes_for_teachers_are_found_by_the_number():
    assert told_of(3).startswith("Reading 25 minutes") and "## " not in told_of(3)
    assert told_of(11) and told_of(99) == ""


def parts_of(path):
    """Return the parts of a lecture that have words of their own."""
    cells = nbformat.read(path, 4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    _, *parts = re.split(r"^##+ (.+)$", text, flags=re.MULTILINE)
    return [part for part, words in zip(parts[::2], parts[1::2], strict=True) if words.strip()]


@each_lecture
@in_one_test("minutes", [45, 90])
def test_the_plan_of_a_lecture_names_its_parts_and_fills_its_time(path, minutes):
    told = " ".join(told_of(int(path.name[:2])).split())
    plan = re.search(rf"\*\*{minutes} minutes:\*\* (.*?)(?= \* \*\*|$)", told)[1]
    planned, _, skipped = plan.partition(" Skip: ")
    taken = [re.fullmatch(r"(.+) (\d+)", one).groups() for one in planned.removesuffix(".").split("; ")]
    assert sum(int(part) for _, part in taken) == minutes
    left = re.sub(r"\.$", "", skipped).split("; ") if skipped else []
    named, parts = [name for name, _ in taken], parts_of(path)
    homework = ["Exercise"] if minutes == 45 else []
    assert [part for part in parts if part in named] == named
    assert [part for part in parts if part not in named and part not in homework] == left


# ---- the command ----


@pytest.mark.parametrize("arguments", [[], ["--slides"], ["a", "--html", "b"]])
def test_the_command_wants_one_folder(arguments, capsys):
    with pytest.raises(SystemExit):
        main(["course", *arguments])
    assert "folder" in capsys.readouterr().err.lower()
