"""The answers of a notebook in a file: private, whole or set aside, and no more of them than one can give."""

import json
import os
import stat

import pytest

from notebook_sne.browser.teaching import answers
from notebook_sne.browser.teaching.answers import KeptAnswers
from notebook_sne.browser.teaching.class_file import write_signed
from notebook_sne.browser.teaching.question import Question

CHOICE = Question("Will it grow?", ["yes", "no"])
NUMBER = Question("How many?", bounds=[0.0, 100.0])
CURVE = Question("How?", bounds=[0.0, 1.0], places=["5", "30"], axis_names=["at", "share"])
GIVEN = [(CHOICE, "no"), (NUMBER, 20.0), (CURVE, [0.5, 0.25])]


@pytest.fixture
def kept(tmp_path):
    return KeptAnswers(tmp_path / "answers", "/home/me/01.ipynb")


def test_an_answer_is_kept_for_its_notebook_and_its_question_as_it_was_asked(kept):
    for question, value in GIVEN:
        kept.keep(question, value)
    again = KeptAnswers(kept.file.parent, "/home/me/01.ipynb")
    assert again.read() == GIVEN and [again.answer_to(question) for question, _ in GIVEN] == ["no", 20.0, [0.5, 0.25]]
    assert KeptAnswers(kept.file.parent, "/home/me/02.ipynb").read() == []
    other = Question("Will it grow?", ["yes", "no", "perhaps"])
    assert again.answer_to(other) is None
    again.keep(other, "perhaps")  # the same question, asked in another way: one answer
    assert [value for _, value in again.read()] == [20.0, [0.5, 0.25], "perhaps"]
    again.keep(NUMBER, None)
    assert again.answer_to(NUMBER) is None
    again.write([])
    assert not list(kept.file.parent.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_only_the_reader_can_read_it(kept):
    kept.keep(CHOICE, "no")
    assert stat.S_IMODE(kept.file.stat().st_mode) == 0o600 and stat.S_IMODE(kept.file.parent.stat().st_mode) == 0o700


def test_a_damaged_file_is_set_aside_and_said_once(kept):
    kept.write(GIVEN)
    whole = kept.file.read_text()
    told = json.loads(whole)
    told["answers"][1]["value"] = 21.0
    damaged = [
        whole[:-9],
        whole.replace("20.0", "21.0"),
        json.dumps(told),
        "[" * 5000,
        "",
        "null",
        "[]",
        '{"format": 1}',
    ]
    damaged += [whole.replace(answers.FORMAT, "another"), " " * (answers.MOST_BYTES + 1)]
    for number, text in enumerate(damaged):
        kept.file.write_text(text)
        with pytest.warns(UserWarning, match="your answers in this notebook cannot be read; their file is now"):
            assert kept.read() == []
        aside = list(kept.file.parent.glob("*.damaged-*"))
        assert len(aside) == number + 1 and text in [file.read_text() for file in aside]
        assert kept.read() == [] and not kept.file.exists()


def test_what_a_file_says_is_read_as_answers_or_not_at_all(kept):
    kept.file.parent.mkdir()
    for entry in ({"question": "Q", "options": ["a", "b"], "value": "c"}, {"question": "Q"}, 3, {"value": "a"}):
        write_signed(kept.file, {"format": answers.FORMAT, "answers": [entry]})
        with pytest.warns(UserWarning, match="cannot be read"):
            assert kept.read() == []


def test_there_are_no_more_than_a_reader_can_give(kept, monkeypatch):
    monkeypatch.setattr(answers, "MOST_ANSWERS", 3)
    monkeypatch.setattr(answers, "MOST_NOTEBOOKS", 2)
    for n in range(5):
        kept.keep(Question(f"{n}?", ["a", "b"]), "a")
    assert [question.question for question, _ in kept.read()] == ["2?", "3?", "4?"]
    for n in range(4):
        other = KeptAnswers(kept.file.parent, f"{n}.ipynb")
        other.keep(CHOICE, "no")
        os.utime(other.file, ns=(n + 10**18, n + 10**18))
    assert len(list(kept.file.parent.iterdir())) == 2


def test_where_nothing_can_be_written_it_says_so(tmp_path):
    (tmp_path / "answers").write_text("a file where a folder should be")
    kept = KeptAnswers(tmp_path / "answers", "01.ipynb")
    assert kept.read() == []
    with pytest.raises(OSError):
        kept.keep(CHOICE, "no")
