"""The notebooks of the tasks: as students get them, as nbgrader reads them, and with the answers put in."""

import ast
import json
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import notebook_sne as ns
from notebook_sne.course.posing import LECTURES
from tests.standins.rules import rules
from tests.standins.waiting import LONG
from tests.tables import in_one_test

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tutorials" / "tasks"
EXAM = FOLDER / "exam-reading-maps.ipynb"
TASKS = sorted(FOLDER.glob("[0-9]*.ipynb"))
NOTEBOOKS = [*TASKS, EXAM]
REGION = re.compile(r"^( *)### BEGIN SOLUTION\n(.*?)^ *### END SOLUTION$", re.M | re.S)

rule, hold_all = rules()
each_task = pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem[:2])


def read(path):
    return nbformat.read(path, as_version=4)


def code(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def marks(path):
    """Return the nbgrader metadata of the cells that have some."""
    return [cell.metadata.nbgrader for cell in read(path).cells if "nbgrader" in cell.metadata]


def kinds(path):
    """Return the cells of the short and of the long task."""
    found, kind = {"short": [], "long": []}, None
    for cell in read(path).cells:
        if match := re.match(r"## (Short|Long) task", cell.source):
            kind = match[1].lower()
        if kind and cell.cell_type == "code":
            found[kind].append(cell)
    return found


def with_answers(cell, name="_right"):
    """Return the code of a cell with a part taken from a dict of right ones, which is called so."""

    def fill(found):
        head = cell.source[: found.start()]
        if made := re.search(r"^def (\w+)\((.*?)\):", head, re.M):
            return f"{found[1]}return {name}[{made[1]!r}]({made[2]})"
        return f"{head.partition(' = ')[0]} = {name}[{head.partition(' = ')[0]!r}]"

    return REGION.sub(fill, cell.source)


def lecture(path):
    return int(path.name[:2])


def test_each_lecture_with_tasks_has_its_notebook_of_them():
    lectures = [path.name for path in sorted(FOLDER.parent.glob("[0-9]*.ipynb")) if lecture(path) in LECTURES]
    assert [path.name for path in TASKS] == lectures


@rule(NOTEBOOKS)
def it_holds_no_answer(path):
    n_regions = 0
    for cell in code(path):
        for _, inside in REGION.findall(cell.source):
            n_regions += 1
            assert inside.strip() in ("...", "# Your code stands between these two lines.")
    assert n_regions > 0
    assert "solutions/" not in path.read_text(encoding="utf-8")


@rule(TASKS)
def it_links_to_its_lecture(path):
    assert any(f"(../{path.name})" in cell.source for cell in read(path).cells if cell.cell_type == "markdown")


@rule(NOTEBOOKS)
def nbgrader_can_read_its_cells(path):
    found = marks(path)
    assert all(mark.schema_version == 3 and mark.task is False for mark in found)
    assert len({mark.grade_id for mark in found}) == len(found)
    assert all(re.fullmatch(r"[\w-]+", mark.grade_id) for mark in found)
    assert all(("points" in mark) == mark.grade for mark in found)
    for cell in read(path).cells:
        if "nbgrader" not in cell.metadata:
            # Of a solution cell nbgrader clears what is in a region, and the whole cell if there is none.
            assert cell.cell_type == "markdown" or "\nNUMBER = " in cell.source
            continue
        mark = cell.metadata.nbgrader
        assert mark.locked == (not mark.solution)
        if cell.cell_type == "code":
            assert not (mark.grade and mark.solution)
            assert bool(REGION.search(cell.source)) == mark.solution
            # A number in the last line is what nbgrader takes for partial credit.
            assert cell.source.endswith("\nverdict.points") == mark.grade


@rule(TASKS)
def its_cells_ask_for_each_part_once_and_give_its_points(path):
    for kind, cells in kinds(path).items():
        if lecture(path) == 8 and kind == "short":
            continue  # its map takes a while; the long one goes the same way
        task = ns.course.task(lecture(path), kind, number=1)
        given = ", ".join(f"{name}={name}" for name in task.asked)
        (check,) = [cell for cell in cells if "verdict.points" in cell.source]
        assert check.source.startswith(f"verdict = task.check({given})\n")
        assert check.metadata.nbgrader.points == sum(task.points.values())
        asked = [re.match(r"(?:def )?(\w+)", cell.source)[1] for cell in cells if REGION.search(cell.source)]
        assert asked == list(task.asked)
        for cell in cells:
            if cell.source.startswith("def "):  # a function has the arguments that its part names
                (made,) = [node for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef)]
                words = re.split(" that |:", task.asked[made.name])[0]
                assert [one.arg for one in made.args.args if one.arg not in words] == [], (made.name, words)


@in_one_test("path", NOTEBOOKS, ids=lambda path: path.stem[:12])
def test_a_notebook_keeps_the_rules(path):
    hold_all(path)


def run(cells, known):
    """Run cells here, without a kernel, and return the verdict."""
    shown = []
    known.update(display=shown.append)
    for source in cells:
        exec(compile(source, "cell", "exec"), known)
    (verdict,) = shown
    return verdict


@in_one_test("path", [path for path in TASKS if lecture(path) != 8], ids=lambda path: path.stem[:2])
def test_a_short_task_is_right_with_its_answers_and_empty_without(path):
    from tests.course.answers import ANSWERS

    head = code(path)[0].source
    for filled in (True, False):
        known = {}
        exec(compile(head, "cell", "exec"), known)
        cells = kinds(path)["short"]
        exec(compile(cells[0].source, "cell", "exec"), known)
        known["_right"] = ANSWERS[lecture(path), "short"](known["data"])
        verdict = run([with_answers(cell) if filled else cell.source for cell in cells[1:]], known)
        assert verdict.ok == filled, verdict
        assert verdict.possible == cells[-1].metadata.nbgrader.points
        assert filled or ("still to be filled in" in verdict.said and verdict.points == 0) or "None" in verdict.said


@pytest.mark.notebooks
@each_task
def test_with_its_answers_it_runs_in_a_kernel_and_has_all_points(path, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = read(path)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if match := re.search(r'ns\.course\.task\((\d+), "(\w+)"', cell.source):
            key = (int(match[1]), match[2])
            cell.source += f"\nfrom tests.course.answers import ANSWERS\n_right = ANSWERS[{key}](data)"
        else:
            cell.source = with_answers(cell)
    points = points_of(notebook, tmp_path)
    assert points == [mark.points for mark in marks(path) if mark.grade and mark.locked]


@pytest.mark.notebooks
def test_the_exam_runs_in_a_kernel(tmp_path):
    notebook = read(EXAM)
    (answers,) = [cell for cell in notebook.cells if cell.source.startswith("answers = {")]
    answers.source += (
        "\nfrom notebook_sne.course.statements import may_be_concluded"
        "\nkeys = ((q.setting, one) for q in exam.questions for one in q.names.items())"
        "\nanswers = {at: may_be_concluded(setting, name) for setting, (at, name) in keys}"
    )
    assert points_of(notebook, tmp_path) == [24]


def test_the_key_of_the_exam_is_in_the_teachers_copy_alone():
    """What stands between these lines nbgrader leaves out of the copies of students."""
    (check,) = [cell.source for cell in code(EXAM) if "verdict.points" in cell.source]
    student = re.sub(r"### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS\n", "", check, flags=re.DOTALL)
    assert "course.grade(" in check and student.splitlines()[0].startswith("verdict = exam.hand_in(")
    assert not re.search(r"grade|concluded|rates", student)


def points_of(notebook, folder):
    """Run a notebook, and return the numbers that its grading cells end with."""
    NotebookClient(
        notebook, timeout=LONG, startup_timeout=LONG, resources={"metadata": {"path": str(folder)}}
    ).execute()
    points = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        # nbgrader counts a cell that writes to stderr as failed.
        assert not [output for output in outputs if output.get("name") == "stderr"], cell.source
        if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
            (result,) = [output for output in outputs if output.output_type == "execute_result"]
            points.append(json.loads(result.data["text/plain"]))
    return points
