"""Predictions: what may be asked and said, and what stands beside what has come."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.widgets import prediction as home

NASTY = "</td><script>window.hacked = 1</script>"


@pytest.fixture(autouse=True)
def _nothing_asked(monkeypatch):
    monkeypatch.setattr(home, "_asked", {})


def test_a_choice_is_shown_beside_what_has_come():
    guess = ns.predict("Will the map grow?", ["it grows", "it shrinks"])
    assert (guess.value, repr(guess)) == (None, "Prediction: Will the map grow? no prediction")
    guess.value = "it shrinks"
    assert repr(guess.reveal("it grows")) == "predicted: it shrinks; found: it grows (otherwise than predicted)"
    guess.value = "it grows"
    assert guess.reveal("it grows").verdict == "as predicted"


def test_a_number_is_shown_with_its_unit_and_how_far_off_it_is():
    guess = ns.predict("How many lie wrong?", low=0, high=100, unit="%")
    guess.value = 30
    assert repr(guess.reveal(np.float32(12.5))) == "predicted: 30 %; found: 12.5 % (17.5 % apart)"


def test_a_curve_holds_a_number_for_each_place():
    guess = ns.predict("How does it rise?", low=0, high=1, at=[5, 30, 100], axes=("perplexity", "error"))
    assert guess.places == ["5", "30", "100"]
    guess.value = [0.0, 0.5, 1.0]
    assert guess.reveal(np.array([0.1, 0.5, 0.8])).verdict == "0.1 apart, in the mean"
    with pytest.raises(ValueError, match=r"truth must hold 3 numbers, one for each of \['5', '30', '100'\], not 2"):
        guess.reveal([0.1, 0.2])


def test_who_predicts_nothing_sees_what_has_come():
    outcome = ns.predict("How many?", low=0, high=10).reveal(4)
    assert (outcome.predicted, outcome.found, outcome.verdict) == ("no prediction", "4", "")


def test_all_predictions_are_listed_in_order_and_a_question_asked_again_is_asked_anew():
    assert repr(ns.predictions()) == "nothing was asked yet"
    ns.predict("One?", ["a", "b"]).reveal("a")
    ns.predict("Two?", low=0, high=1).value = 0.5
    assert [line.split("?")[0] for line in repr(ns.predictions()).splitlines()] == ["One", "Two"]
    ns.predict("One?", ["a", "b"])
    assert repr(ns.predictions()).splitlines() == [
        "Two? predicted: 0.5; found: not yet known",
        "One? predicted: no prediction; found: not yet known",
    ]


def test_text_of_others_is_text():
    guess = ns.predict(NASTY, [NASTY, "other"], unit=NASTY)
    guess.value = NASTY
    shown = [guess._still_html(), guess.reveal(NASTY)._repr_html_(), ns.predictions()._repr_html_()]
    assert all("<script" not in html and "&lt;script&gt;" in html for html in shown)


def test_without_the_widget_the_question_can_be_read():
    guess = ns.predict("Which is larger?", ["the first", "the second"])
    still = guess._repr_mimebundle_()["text/html"]
    assert all(text in still for text in ("Which is larger?", "<li>the first</li>", "<li>the second</li>"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"question": " "}, "question must be a text that asks something, not ' '"),
        ({}, "options to choose from, or the numbers low and high"),
        ({"options": ["a"]}, "options must be at least two texts, each once"),
        ({"options": ["a", "a"]}, "options must be at least two texts, each once"),
        ({"options": ["a", "b"], "low": 0}, "leave out low, high and at"),
        ({"low": 1, "high": 1}, "low must be less than high, not 1 and 1"),
        ({"low": 0, "high": 1, "at": [5]}, "at must hold at least two places of the curve"),
        ({"low": 0, "high": np.inf}, "high must satisfy .* finite, got inf"),
    ],
)
def test_an_unclear_question_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        ns.predict(**{"question": "Which?"} | given)


@pytest.mark.parametrize(
    ("asked", "value", "words"),
    [
        ({"options": ["a", "b"]}, "c", "value must be one of 'a', 'b', not 'c'"),
        ({"low": 0, "high": 1}, "much", "value must be a number"),
        ({"low": 0, "high": 1, "at": [1, 2]}, [0.5], "value must hold 2 numbers"),
    ],
)
def test_an_answer_of_another_kind_is_refused(asked, value, words):
    guess = ns.predict("Which?", **asked)
    with pytest.raises((ValueError, TypeError), match=words):
        guess.value = value
    assert guess.value is None
