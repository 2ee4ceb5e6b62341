"""The reading exam: what is shown, how answers are counted, and that the key follows from the data."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.course import examining, made_maps
from notebook_sne.course.made_maps import ENOUGH, KINDS, Made, Statement, clumps, rates


def made_kind(name, often):
    """A kind of data without a fit; what is said of them is true of `often` of the draws, and of all."""

    def make(generator):
        X = generator.normal(size=(12, 3))
        labels = np.repeat([0, 1, 2], 4)
        statements = {
            "sometimes": Statement(f"{name} <seldom>", bool(generator.random() < often)),
            "always": Statement(f"{name} is certain", True),
        }
        return Made(f"{name} & others", [X[:, :2]], labels, statements, X)

    return make


@pytest.fixture
def kinds(monkeypatch):
    """Eleven kinds that take no time."""
    some = {f"kind {n}": made_kind(f"kind {n}", 0.5) for n in range(11)}
    for module in (made_maps, examining):
        monkeypatch.setattr(module, "KINDS", some)
    rates.cache_clear()
    yield some
    rates.cache_clear()


def test_an_exam_has_ten_maps_and_two_statements_of_each(kinds):
    exam = ns.course.exam(number=4711)
    assert [question.number for question in exam.questions] == list(range(1, 11))
    assert list(exam.statements()) == [f"{n}{letter}" for n in range(1, 11) for letter in "ab"]
    assert len({question.kind for question in exam.questions}) == 10
    text = exam._repr_html_()
    assert text.count("<svg") == 10 and "&lt;seldom&gt;" in text and "kind 3 &amp; others" in text
    assert repr(exam).count("Map ") == 10 and "  1a kind" in repr(exam)


def test_another_student_has_another_exam_and_the_same_student_the_same(kinds):
    one, again, other = (ns.course.exam(number=number) for number in ("4711", 4711, 4712))
    assert one.statements() == again.statements() != other.statements()
    assert np.array_equal(one.questions[0].made.X, again.questions[0].made.X)
    assert not np.array_equal(one.questions[0].made.X, other.questions[0].made.X)
    assert len({tuple(q.kind for q in ns.course.exam(n).questions) for n in range(20)}) == 20


def test_points_are_counted_and_what_is_right_is_not_said(kinds):
    exam = ns.course.exam(number=1)
    key = {name: rate >= ENOUGH for name, rate in exam.rates().items()}
    assert set(key.values()) == {True, False}
    verdict = exam.check(key)
    assert verdict and (verdict.points, verdict.possible) == (20, 20)
    names = list(key)
    wrong = {**key, names[0]: not key[names[0]], names[1]: None}
    verdict = exam.check(wrong)
    assert (verdict.ok, verdict.points, verdict.said) == (False, 17, "18 right, 1 wrong, 1 open")
    assert exam.check({}).said == "0 right, 0 wrong, 20 open" and exam.check({}).points == 0
    assert exam.check({name: not right for name, right in key.items()}).points == 0


@pytest.mark.parametrize(
    ("answers", "error", "words"),
    [
        ({"11a": True}, ValueError, "answers has no statement '11a'; the statements are 1a, 1b, "),
        ({"1a": "yes"}, TypeError, "the answer to 1a must be True, False or None, got 'yes'"),
        ({"1a": 1}, TypeError, "the answer to 1a must be True, False or None, got 1"),
        ([True], TypeError, "answers must be a dict such as"),
    ],
)
def test_what_is_no_answer_is_refused(kinds, answers, error, words):
    with pytest.raises(error, match=words):
        ns.course.exam(number=1).check(answers)


def test_a_number_is_needed():
    with pytest.raises(TypeError, match=r"number must be a whole number or a text, got 1\.5"):
        ns.course.exam(1.5)


def test_the_key_is_the_share_of_draws_in_which_a_statement_is_true(monkeypatch):
    rates.cache_clear()
    for often, may in ((0.2, False), (0.999, True)):
        monkeypatch.setitem(made_maps.KINDS, "coin", made_kind("coin", often))
        drawn = [
            made_kind("coin", often)(np.random.default_rng((7, n))).statements["sometimes"].true for n in range(10)
        ]
        assert rates("coin")["sometimes"] == np.mean(drawn)
        assert made_maps.may_be_concluded("coin", "sometimes") == may
        assert made_maps.may_be_concluded("coin", "always")
        rates.cache_clear()


def test_clumps_are_counted_as_the_eye_counts_them():
    generator = np.random.default_rng(0)
    one = generator.normal(size=(90, 2))
    assert clumps(one) == 1
    assert clumps(one + 20 * np.repeat([[0, 0], [0, 1], [1, 0]], 30, axis=0)) == 3
    assert clumps(np.vstack([one, [[50.0, 50.0]]])) == 1, "a lone point is no clump"


@pytest.mark.slow
def test_what_is_said_of_unequal_groups_is_true_or_not_by_the_data():
    for seed in range(2):
        made = KINDS["numbers"](np.random.default_rng(seed))
        counts = np.bincount(made.labels)
        assert sorted(counts) == [15, 35, 75]
        letter = made.statements["more"].text[6]
        assert made.statements["more"].true == (letter == "ABC"[counts.argmax()])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_statement_is_a_matter_of_luck(kind):
    """Where a statement is true of some eight of ten draws, neither answer would be right."""
    for name, rate in rates(kind).items():
        assert rate <= 0.7 or rate == 1.0, (kind, name, rate)


@pytest.mark.slow
def test_half_of_all_that_is_said_may_be_concluded():
    may = [rate >= ENOUGH for kind in KINDS for rate in rates(kind).values()]
    assert len(may) == 22 and 0.35 < np.mean(may) < 0.65
