"""The run of Python obeys the table of commands and answers that a page's obeys (tests/js/control_table.test.mjs)."""

from tests.runs.control_table import LENGTH, PLACE, load, play, written
from tests.tables import in_one_test

TABLE = load()
WALKS = [case for case in TABLE["cases"] if "seed" in case]


# By the command that a case begins with, so that a few tests are asked a hundred cases.
@in_one_test("command", sorted({case["steps"][0][0].split()[0] for case in TABLE["cases"]}))
def test_the_answer_to_each_command_is_that_of_the_table(command):
    for case in TABLE["cases"]:
        steps = [step for step, _ in case["steps"]]
        if steps[0].split()[0] == command:
            for k, (made, wanted) in enumerate(zip(play(TABLE, steps), case["steps"], strict=True)):
                assert made == wanted, f"step {k} of {case['name']}"


def test_the_table_reaches_every_status_every_command_and_every_refusal():
    answers = [(step.split()[0], answer) for case in TABLE["cases"] for step, answer in case["steps"]]
    assert {answer.get("status", "idle") for _, answer in answers} >= {
        "idle", "compiling", "running", "paused", "finished", "error", "closed",
    }  # fmt: skip
    assert {answer.get("refused") for _, answer in answers} == {None, *TABLE["refusals"]}
    assert {step for step, _ in answers} == {
        "play", "pause", "step", "restart", "preset", "switch", "seek", "set", "release", "move", "pin", "unpin",
        "close", "take", "make", "fail",
    }  # fmt: skip
    assert len(TABLE["cases"]) >= 60 and len(WALKS) >= 40 and max(len(case["steps"]) for case in WALKS) == LENGTH
    assert len({case["name"] for case in TABLE["cases"]}) == len(TABLE["cases"])


def test_the_table_is_written_as_its_script_writes_it():
    assert written(TABLE) == PLACE.read_text(encoding="utf-8")
