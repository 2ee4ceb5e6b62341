"""Predictions: what may be asked and said, and what stands beside what has come."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.browser.teaching.answers import KeptAnswers
from notebook_sne.browser.widgets import answered
from notebook_sne.browser.widgets import prediction as home

NASTY = "</td><script>window.hacked = 1</script>"


@pytest.fixture(autouse=True)
def _nothing_asked(monkeypatch):
    monkeypatch.setattr(answered, "asked_here", {})


def test_a_choice_is_shown_beside_what_has_come():
    guess = ns.predict("Will the map grow?", ["it grows", "it shrinks"])
    assert (guess.value, repr(guess)) == (None, "Prediction: Will the map grow? no prediction")
    guess.value = "it shrinks"
    assert repr(guess.reveal("it grows")) == "Will the map grow? You said: it shrinks. Found: it grows."


def test_a_number_is_shown_in_two_digits_with_its_unit():
    guess = ns.predict("How many lie wrong?", low=0, high=100, unit="%")
    guess.value = 30
    assert repr(guess.reveal(np.float32(12.5078))) == "How many lie wrong? You said: 30%. Found: 13%."


def test_a_curve_holds_a_number_for_each_place():
    guess = ns.predict("How does it rise?", low=0, high=1, at=[5, 30, 100], axes=("perplexity", "error"))
    assert guess.places == ["5", "30", "100"]
    guess.value = [0.0, 0.5, 1.0]
    outcome = guess.reveal(np.array([0.123, 0.5, 0.8]))
    assert (outcome.predicted, outcome.found) == (
        "perplexity 5: 0, 30: 0.5, 100: 1",
        "perplexity 5: 0.12, 30: 0.5, 100: 0.8",
    )
    with pytest.raises(ValueError, match=r"truth must hold 3 numbers, one for each of \['5', '30', '100'\], not 2"):
        guess.reveal([0.1, 0.2])


def test_who_predicts_nothing_sees_what_has_come():
    outcome = ns.predict("How many?", low=0, high=10).reveal(4)
    assert (outcome.predicted, outcome.found) == ("no prediction", "4")
    assert repr(outcome) == "How many? No prediction. Found: 4."
    grows = ns.predict("What will it do?", ["it swells!", "nothing"]).reveal("it swells!")
    assert repr(grows) == "What will it do? No prediction. Found: it swells!"


def test_each_of_two_reveals_in_a_cell_is_shown_once_in_their_order(monkeypatch):
    shown = []
    monkeypatch.setattr(home, "has_kernel", lambda: True)
    monkeypatch.setattr(home.Outcome, "_publish", lambda self: shown.append(self.found))
    one, two = (ns.predict(f"{name}?", low=0, high=10) for name in ("One", "Two"))
    one.reveal(1)
    last = two.reveal(2)
    assert shown == ["1", "2"]
    last._ipython_display_()  # the last line of the cell
    assert shown == ["1", "2"]
    last._ipython_display_()  # another cell
    assert shown == ["1", "2", "2"]


def test_all_predictions_are_listed_in_order_and_what_has_come_is_told_anew():
    assert repr(ns.predictions()) == "Nothing was asked yet."
    ns.predict("One?", ["a", "b"]).reveal("a")
    ns.predict("Two?", low=0, high=1).value = 0.5
    assert [line.split("?")[0] for line in repr(ns.predictions()).splitlines()] == ["One", "Two"]
    ns.predict("One?", ["a", "b"])
    assert repr(ns.predictions()).splitlines() == [
        "Two? You said: 0.5. Found: not yet known.",
        "One? No prediction. Found: not yet known.",
    ]


def test_a_cell_that_runs_again_keeps_the_answer_and_another_question_of_the_same_text_does_not():
    ask = {"choice": (["a", "b"],), "number": {"low": 0, "high": 100}, "curve": {"low": 0, "high": 1, "at": [5, 10]}}
    for kind, answer in (("choice", "b"), ("number", 7.0), ("curve", [0.5, 0.25])):
        more = ask[kind] if isinstance(ask[kind], dict) else {"options": ask[kind][0]}
        first = ns.predict(f"{kind}?", **more)
        first.value = answer
        first.reveal(answer)
        again = ns.predict(f"{kind}?", **more)
        assert (again.value, again.truth, again.key) == (answer, None, first.key)
        assert ns.predict(f"{kind}?", ["a", "b", "c"]).value is None
    kept = ns.predict("Closed?", ["a", "b"])
    kept.value = "a"
    kept.close()
    assert ns.predict("Closed?", ["a", "b"]).value is None


def in_kernel(monkeypatch, folder):
    """Let answers be kept in a folder, and forget the questions of the process: a kernel that was restarted."""
    monkeypatch.setattr(answered, "kept", lambda: KeptAnswers(folder, "01.ipynb"))
    monkeypatch.setattr(answered, "asked_here", {})
    return [ns.predict("One?", ["a", "b"]), ns.predict("Two?", low=0, high=9)]


def test_answers_outlast_the_kernel_until_they_are_forgotten_which_can_be_undone(monkeypatch, tmp_path):
    one, two = in_kernel(monkeypatch, tmp_path)
    one.value, two.value = "b", 4
    one, two = in_kernel(monkeypatch, tmp_path)
    assert (one.value, two.value, one.outlasts) == ("b", 4.0, True)
    one._take(None, {"kind": "forget"}, [])
    assert (one.value, two.value, one.forgotten, two.forgotten) == (None, None, True, False)
    assert not list(tmp_path.iterdir())
    two.value = 5  # answered anew, before the rest is taken back
    one._take(None, {"kind": "recall"}, [])
    assert (one.value, two.value, one.forgotten) == ("b", 5.0, False)
    one, two = in_kernel(monkeypatch, tmp_path)
    assert (one.value, two.value) == ("b", 5.0)
    ns.predictions().forget()
    one, two = in_kernel(monkeypatch, tmp_path)
    assert (one.value, two.value) == (None, None)


def test_questions_that_this_kernel_has_not_asked_are_forgotten_and_taken_back_as_well(monkeypatch, tmp_path):
    for asked, value in zip(in_kernel(monkeypatch, tmp_path), ("b", 4), strict=True):
        asked.value = value
    one, _ = in_kernel(monkeypatch, tmp_path)
    answered.asked_here.pop("Two?")
    for kind, left in (("forget", []), ("recall", ["One?", "Two?"])):
        one._take(None, {"kind": kind}, [])
        assert sorted(question.question for question, _ in answered.kept().read()) == left


def test_an_answer_that_cannot_be_written_lasts_as_long_as_the_kernel(monkeypatch, tmp_path):
    (tmp_path / "answers").touch()
    one, _ = in_kernel(monkeypatch, tmp_path / "answers")
    one.value = "b"
    assert (one.value, one.outlasts, ns.predict("One?", ["a", "b"]).value) == ("b", False, "b")


def test_without_a_reader_nothing_is_kept(monkeypatch):
    assert answered.kept() is None  # a script
    monkeypatch.setattr(answered, "has_kernel", lambda: True)
    monkeypatch.setattr(answered, "asked_by_program", lambda: True)
    assert answered.kept() is None  # a notebook that a program runs: a course's pages are of nobody
    monkeypatch.setattr(answered, "asked_by_program", lambda: False)
    monkeypatch.setenv("JUPYTER_DATA_DIR", "/elsewhere")
    assert answered.kept().file.as_posix().startswith("/elsewhere/notebook_sne/answers/")


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
