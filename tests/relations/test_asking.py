"""Questions to a fitted linear relational embedding, and new objects."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import notebook_sne as ns
from notebook_sne.relations import LRE
from tests.tables import in_one_test


@pytest.fixture(scope="module")
def fitted():
    return LRE(random_state=0).fit(ns.datasets.load_family_trees())


@pytest.mark.slow
def test_completions_are_ranked_and_say_what_was_known(fitted):
    answers = fitted.complete("Colin", "uncle")
    assert len(answers) == 24 and answers.probability.sum() == pytest.approx(1.0)
    assert answers.probability.is_monotonic_decreasing
    assert set(answers.answer[answers.known]) == {"Arthur", "Charles"} == set(answers.answer[:2])


@pytest.mark.slow
def test_predictions_are_the_first_completions(fitted):
    import pandas as pd

    questions = [("Colin", "mother"), ("Sophia", "brother")]
    assert fitted.predict(questions).tolist() == ["Victoria", "Alfonso"]
    assert fitted.predict(np.array(questions)).tolist() == ["Victoria", "Alfonso"]
    assert fitted.predict(pd.DataFrame(questions)).tolist() == ["Victoria", "Alfonso"]
    assert [fitted.complete(*question).answer[0] for question in questions] == ["Victoria", "Alfonso"]


def test_other_right_answers_do_not_count_in_a_rank(fitted):
    both = fitted.rank([("Colin", "uncle", "Arthur"), ("Colin", "uncle", "Charles")])
    assert both.tolist() == [1, 1]
    order = fitted.complete("Colin", "uncle").query("not known").answer.tolist()
    for place in (0, 10, 21):
        assert fitted.rank([("Colin", "uncle", order[place])]).tolist() == [place + 1]


@pytest.mark.slow
def test_without_reflexive_no_object_is_its_own_answer():
    fit = LRE(n_components=2, reflexive=False, random_state=0).fit([("a", "r", "b"), ("b", "r", "c"), ("c", "r", "a")])
    assert fit.complete("a", "r").set_index("answer").probability["a"] == 0.0
    assert fit.rank([("a", "r", "b")]).tolist() == [1]


@pytest.mark.slow
def test_a_new_object_is_understood_from_its_triples():
    families = ns.datasets.load_family_trees()
    rows = list(families.triples.to_frame().itertuples(index=False, name=None))
    fit = LRE(random_state=0).fit(rows)
    at_home = fit.embedding_[fit.triples_.objects.index("Sophia")]
    twin = [tuple("Anna" if term == "Sophia" else term for term in row) for row in rows if "Sophia" in row]
    place = fit.transform(twin)
    # Whoever has all the relatives of Sophia is near her and far from all others.
    far = np.linalg.norm(fit.embedding_ - place[0], axis=1)
    assert fit.triples_.objects[far.argmin()] == "Sophia" and place.shape == (1, 6)
    assert np.linalg.norm(place[0] - at_home) < 0.5 * np.sort(far)[1]


def test_a_new_object_costs_least_where_it_is_put(fitted):
    from notebook_sne.relations.cost import cost_and_gradient, facts_of

    triples = [("Emma", "mother", "Victoria"), ("Colin", "sister", "Emma")]
    x = fitted.transform(triples)[0]
    names = (*fitted.triples_.objects, "Emma")
    numbers = [(names.index(a), fitted.triples_.relations.index(r), names.index(b)) for a, r, b in triples]
    facts = facts_of(np.concatenate([fitted.triples_.numbers, numbers]), np.ones(114), 25, 12, True)

    def objective(x):
        return cost_and_gradient(facts, np.vstack([fitted.embedding_, x]), fitted.matrices_)[0] + 0.05 * np.sum(x**2)

    here = objective(x)
    rng = np.random.default_rng(0)
    assert all(objective(x + 0.01 * rng.normal(size=6)) > here for _ in range(20))
    assert all(objective(v) >= here for v in fitted.embedding_)


def test_new_objects_are_placed_as_if_alone(fitted):
    one = [("Emma", "mother", "Victoria")]
    two = [("Otto", "wife", "Lucia")]
    both = fitted.transform(one + two)
    np.testing.assert_array_equal(both, np.concatenate([fitted.transform(one), fitted.transform(two)]))


@in_one_test(
    ("ask", "message"),
    [
        (lambda fit: fit.complete("Colonel", "uncle"), "the object 'Colonel' is not known, only 'Christopher'"),
        (lambda fit: fit.complete("Colin", "cousin"), "the relation 'cousin' is not known, only 'husband'"),
        (lambda fit: fit.predict([("Colin", "uncle", "Arthur")]), r"a question must be a pair \(object, relation\)"),
        (lambda fit: fit.predict([]), "at least one"),
        (lambda fit: fit.rank([("Colin", "cousin", "Arthur")]), "names the relation 'cousin'"),
        (lambda fit: fit.rank([("Colin", "uncle", "Emma")]), "names the object 'Emma'"),
        (lambda fit: fit.transform([("Emma", "cousin", "Colin")]), "the relation 'cousin' is not known"),
        (lambda fit: fit.transform([("Colin", "uncle", "Arthur")]), "names no new one"),
        (lambda fit: fit.transform([("Emma", "sister", "Anna")]), "names no object of the fit"),
    ],
)
def test_what_is_not_known_is_refused_by_name(fitted, ask, message):
    with pytest.raises(ValueError, match=message):
        ask(fitted)


def test_an_unfitted_model_has_no_answers():
    for ask in (
        lambda model: model.predict([("a", "r")]),
        lambda model: model.rank([("a", "r", "b")]),
        lambda model: model.transform([("a", "r", "b")]),
    ):
        with pytest.raises(NotFittedError):
            ask(LRE())
