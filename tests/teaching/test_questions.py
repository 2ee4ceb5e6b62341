"""What answers a question, and answers in a few letters."""

import math

import pytest

from notebook_sne.browser.teaching.codes import ALPHABET, read_code, read_codes
from notebook_sne.browser.teaching.question import Question
from tests.tables import in_one_test

CHOICE = Question("What does its cost do?", ["it falls evenly", "it falls fast, then slower", "it waits, then falls"])
CODES = ["105", "11S", "12C"]  # of its answers
NUMBER = Question("How many digits lie beside another?", bounds=[0, 40], unit="%")
CURVE = Question("What does the error do?", bounds=[0, 1], places=["5", "10", "30"], axis_names=("perplexity", "error"))


@pytest.mark.parametrize(
    ("question", "value", "kept"),
    [(CHOICE, "it falls evenly", "it falls evenly"), (CURVE, [0.1, 0.2, 3], [0.1, 0.2, 1.0])]
    + [(NUMBER, value, kept) for value, kept in ((7, 7.0), (400.0, 40.0), (-3, 0.0))],
)
def test_a_vote_is_kept_within_what_was_offered(question, value, kept):
    assert question.vote(value) == kept


@in_one_test(
    ("question", "value"),
    [
        *((CHOICE, value) for value in ("it rises", 1, ["it falls evenly"])),
        *((NUMBER, value) for value in ("7", math.nan, math.inf, True, None)),
        *((CURVE, [0.1, 0.2, *more]) for more in ([], ["0.3"], [math.nan])),
        *((CURVE, value) for value in (0.5, {"0": 1, "1": 2, "2": 3})),
    ],
)
def test_what_is_no_answer_is_refused(question, value):
    with pytest.raises((TypeError, ValueError), match="value"):
        question.vote(value)


@in_one_test(
    "told",
    [
        *({}, {"question": "q"}, {"question": 3, "options": ["a", "b"]}),
        *({"question": "q", "options": options} for options in (["one"], ["a"] * 33, ["a", "b" * 3000])),
        *({"question": "q", "bounds": bounds} for bounds in ([1, 0], ["x", 0], 5)),
        {"question": "q", "bounds": [0, 1], "places": ["5"]},
    ],
)
def test_a_file_cannot_ask_what_no_notebook_could(told):
    with pytest.raises(ValueError, match="question"):
        Question.read(told)


def test_nearly_every_slip_is_noticed():
    """One letter of each code is replaced by each other one: the check lets a thirty-second part through, at most."""
    slips = passed = 0
    for option, code in zip(CHOICE.options, CODES, strict=True):
        assert read_code(CHOICE, code.lower()) == option
        for k in range(3):
            for letter in set(ALPHABET) - {code[k]}:
                slips += 1
                answers, _ = read_codes(CHOICE, code[:k] + letter + code[k + 1 :])
                passed += bool(answers)
    assert slips == 279
    assert passed <= slips / 32


def test_codes_of_another_question_and_nonsense_are_told_apart():
    other = "H0E"  # of another question with these answers
    answers, wrong = read_codes(CHOICE, f" {CODES[0]},{CODES[2]}\n{other} 0 ÄÖÜ {'X' * 200}")
    assert answers == [CHOICE.options[0], CHOICE.options[2]]
    assert len(wrong) == 4
    assert max(map(len, wrong)) == 100
