"""What answers a question, and answers in a few letters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from notebook_sne.browser.teaching.codes import ALPHABET, read_code, read_codes, write_code
from notebook_sne.browser.teaching.question import Question
from tests.tables import in_one_test

CHOICE = Question("What does its cost do?", ["it falls evenly", "it falls fast, then slower", "it waits, then falls"])
NUMBER = Question("How many digits lie beside another?", bounds=[0, 40], unit="%")
CURVE = Question("What does the error do?", bounds=[0, 1], places=["5", "10", "30"], axis_names=("perplexity", "error"))


@pytest.mark.parametrize(
    ("question", "value", "kept"),
    [
        (CHOICE, "it falls evenly", "it falls evenly"),
        (NUMBER, 7, 7.0),
        (NUMBER, 400.0, 40.0),
        (NUMBER, -3, 0.0),
        (CURVE, [0.1, 0.2, 3], [0.1, 0.2, 1.0]),
    ],
)
def test_a_vote_is_kept_within_what_was_offered(question, value, kept):
    assert question.vote(value) == kept


@in_one_test(
    ("question", "value"),
    [
        (CHOICE, "it rises"),
        (CHOICE, 1),
        (CHOICE, ["it falls evenly"]),
        (NUMBER, "7"),
        (NUMBER, float("nan")),
        (NUMBER, float("inf")),
        (NUMBER, True),
        (NUMBER, None),
        (CURVE, [0.1, 0.2]),
        (CURVE, 0.5),
        (CURVE, [0.1, 0.2, "0.3"]),
        (CURVE, [0.1, 0.2, float("nan")]),
        (CURVE, {"0": 1, "1": 2, "2": 3}),
    ],
)
def test_what_is_no_answer_is_refused(question, value):
    with pytest.raises((TypeError, ValueError), match="value"):
        question.vote(value)


@in_one_test(
    "told",
    [
        {},
        {"question": "q"},
        {"question": "q", "options": ["one"]},
        {"question": 3, "options": ["a", "b"]},
        {"question": "q", "options": ["a"] * 33},
        {"question": "q", "options": ["a", "b" * 3000]},
        {"question": "q", "bounds": [1, 0]},
        {"question": "q", "bounds": ["x", 0]},
        {"question": "q", "bounds": [0, 1], "places": ["5"]},
        {"question": "q", "bounds": 5},
    ],
)
def test_a_file_cannot_ask_what_no_notebook_could(told):
    with pytest.raises(ValueError, match="question"):
        Question.read(told)


@given(st.floats(0, 40))
def test_a_number_comes_back_from_its_code_to_a_thousandth(value):
    assert abs(read_code(NUMBER, write_code(NUMBER, value)) - value) <= 40 / 1023 / 2 + 1e-9


def test_a_choice_and_a_curve_come_back_from_their_codes():
    for option in CHOICE.options:
        code = write_code(CHOICE, option)
        assert len(code) == 3
        assert read_code(CHOICE, code.lower()) == option
    curve = [0.0, 0.4, 1.0]
    np.testing.assert_allclose(read_code(CURVE, write_code(CURVE, curve)), curve, atol=1 / 62)


def test_nearly_every_slip_is_noticed():
    """One letter of each code is replaced by each other one: the check lets a thirty-second part through, at most."""
    slips = passed = 0
    for option in CHOICE.options:
        code = write_code(CHOICE, option)
        for k in range(3):
            for letter in set(ALPHABET) - {code[k]}:
                slips += 1
                answers, _ = read_codes(CHOICE, code[:k] + letter + code[k + 1 :])
                passed += bool(answers)
    assert slips == 279
    assert passed <= slips / 32


def test_codes_of_another_question_and_nonsense_are_told_apart():
    other = Question("Something else?", CHOICE.options)
    right = [write_code(CHOICE, option) for option in CHOICE.options]
    answers, wrong = read_codes(
        CHOICE, f" {right[0]},{right[2]}\n{write_code(other, 'it falls evenly')} 0 ÄÖÜ {'X' * 200}"
    )
    assert answers == [CHOICE.options[0], CHOICE.options[2]]
    assert len(wrong) == 4
    assert max(map(len, wrong)) == 100
