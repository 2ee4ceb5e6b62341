"""Linear relational embedding as an estimator: what it learns, its states, and what it refuses."""

import pickle
from contextlib import closing
from itertools import islice

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.relations import LRE, Triples
from notebook_sne.relations.layout import RelationalLayout, frame, shown
from tests.standins.waiting import until
from tests.tables import in_one_test


@pytest.fixture(scope="module")
def families():
    return ns.datasets.load_family_trees()


@pytest.fixture(scope="module")
def fitted(families):
    return LRE(random_state=0).fit(families)


@pytest.mark.slow
def test_it_learns_the_family_trees(fitted):
    assert fitted.embedding_.shape == (24, 6) and fitted.matrices_.shape == (12, 6, 6)
    assert (fitted.rank(fitted.triples_) == 1).all()
    assert fitted.cost_ < 0.02 * fitted.trace_.cost[0]


@pytest.mark.slow
def test_it_says_what_it_was_not_told(families):
    kept, held_out = families.triples.hold_out(6, random_state=100)
    fits = [LRE(random_state=seed).fit(kept) for seed in range(4)]
    best = min(fits, key=lambda fit: fit.objective_)
    assert np.median(best.rank(held_out)) == 1  # by chance one of 24


@pytest.mark.slow
def test_numbers_on_a_clock_lie_in_a_circle_and_relations_turn_it():
    numbers = ns.datasets.load_arithmetic()
    kept, held_out = numbers.triples.hold_out(15, random_state=0)
    fits = [LRE(n_components=2, penalty=0.01, random_state=seed).fit(kept) for seed in range(8)]
    best = min(fits, key=lambda fit: fit.objective_)
    assert (best.rank(held_out) == 1).all()
    radii = np.linalg.norm(best.embedding_, axis=1)
    assert radii.std() < 0.1 * radii.mean()
    one, two = (best.matrices_[best.triples_.relations.index(step)] for step in ("+1", "+2"))
    # It turns and does not mirror, and +1 twice turns as +2 does; both also lead out of the circle.
    lengths = np.sqrt([np.linalg.det(one), np.linalg.det(two)])
    np.testing.assert_allclose(one @ one / lengths[0] ** 2, two / lengths[1], atol=0.2)


def test_the_results_have_the_cost_of_the_state_and_its_map(fitted):
    from notebook_sne.relations.cost import cost_and_gradient, facts_of

    triples = fitted.triples_
    facts = facts_of(triples.numbers, triples.weights, 24, 12, True)
    assert cost_and_gradient(facts, fitted.embedding_, fitted.matrices_)[0] == pytest.approx(fitted.cost_, rel=1e-9)
    np.testing.assert_allclose(fitted.embedding_[:, :2], fitted.state_.embedding, atol=1e-12)


def test_a_state_shows_the_plane_of_most_variance(fitted):
    centered = fitted.embedding_ - fitted.embedding_.mean(axis=0)
    variances = np.linalg.eigvalsh(centered.T @ centered)
    assert np.square(centered[:, :2]).sum() == pytest.approx(variances[-2:].sum(), rel=1e-9)


def test_the_shown_plane_does_not_jump():
    V = np.random.default_rng(0).normal(size=(30, 5)) * [3, 3.00001, 1, 0.5, 0.2]  # either may be the first component
    nudged = V * [1.00001, 1, 1, 1, 1]
    assert np.abs(shown(nudged) - shown(V)).max() < 0.01
    basis = frame(V)
    np.testing.assert_allclose(basis.T @ basis, np.eye(5), atol=1e-12)
    assert frame(V[:, :2]).tolist() == np.eye(2).tolist()


@pytest.mark.parametrize("options", [{}, {"optimizer": "momentum", "jitter": 0.01}, {"matrices": "identity"}])
@pytest.mark.parametrize("n_components", [2, 5])
def test_a_run_goes_on_bit_for_bit(families, options, n_components):
    model = LRE(n_components=n_components, random_state=3, **options)
    film = list(islice(model.iterate(families), 25))
    start = pickle.loads(pickle.dumps(film[10]))
    again = list(islice(model.iterate(families, start=start), 15))
    for before, after in zip(film[10:], again, strict=True):
        assert np.array_equal(before.Y, after.Y) and before.cost == after.cost
        assert np.array_equal(before.memory["weights"], after.memory["weights"])


@pytest.mark.slow
def test_momentum_lowers_the_cost_as_well(families):
    fit = LRE(n_components=4, optimizer="momentum", max_iter=400, random_state=0).fit(families)
    assert fit.cost_ < 0.3 * fit.trace_.cost[0]


def test_the_penalty_is_a_live_knob(families):
    with ns.Run(LRE(n_components=3, random_state=0), families.triples) as run:
        before = run.steps(20)
        run.set(penalty=5.0)
        after = run.steps(60)
        assert before.knobs["penalty"] == 0.1 and after.knobs["penalty"] == 5.0
        assert np.abs(after.memory["weights"]).mean() < 0.7 * np.abs(before.memory["weights"]).mean()
        run.seek(10)
        run.wait()
        assert run.state.knobs["penalty"] == 0.1


def test_an_object_moves_within_the_plane_that_is_shown(families):
    model = LRE(n_components=4, random_state=0)
    state = list(islice(model.iterate(families), 30))[-1]
    with ns.Run(model, families.triples, start=state) as run:
        run.steps(0)
        place = state.embedding[5] + [0.3, -0.2]
        run.move([5], [place])
        run.wait()
        moved = run.state
    layout = RelationalLayout(24, 12, 4, True)
    old, new = (layout.parts(one.memory["weights"])[0] for one in (state, moved))
    assert np.linalg.norm(new[5] - old[5]) == pytest.approx(np.hypot(0.3, 0.2))
    assert np.array_equal(np.delete(new, 5, axis=0), np.delete(old, 5, axis=0))


def test_the_positions_of_another_model_are_the_first_coordinates(families):
    Y = np.random.default_rng(0).normal(size=(24, 2))
    P = (families.triples.counts + families.triples.counts.T).toarray() + 1e-3
    np.fill_diagonal(P, 0)
    P /= P.sum(axis=1, keepdims=True)
    start = next(iter(ns.SNE(input="probabilities", init=Y).iterate(P)))
    first = next(LRE(n_components=2, random_state=0).iterate(families, start=start))
    assert np.array_equal(first.embedding, Y)


def test_a_start_at_given_vectors(families):
    V = np.random.default_rng(0).normal(size=(24, 3))
    first = next(LRE(n_components=3, init=V, random_state=0).iterate(families))
    np.testing.assert_array_equal(RelationalLayout(24, 12, 3, True).parts(first.memory["weights"])[0], V)


def test_the_player_shows_names_labels_and_relatives(families):
    with closing(ns.watch(LRE(random_state=0), families, autoplay=False)) as player:
        until(lambda: player.run.state is not None)
        assert player.n_objects == 24 and list(player.names)[:2] == ["Christopher", "Penelope"]
        assert player.run.state.Y.shape == (1, 24, 2)
        colin = list(families.names).index("Colin")
        from notebook_sne.browser.widgets.neighbors import all_nearest, nearest

        near = families.names[nearest(player.run.X, "triples", colin, 3)]
        assert set(near) <= set(families.names[families.labels == "English"])
        assert all_nearest(player.run.X, "triples").shape == (24, 8)
        player.run.steps(3)
        assert len(player.describe()) >= 1


def test_a_fact_that_leads_from_an_object_to_itself_makes_it_no_neighbor_of_itself():
    numbers = ns.datasets.load_arithmetic()
    with closing(ns.watch(LRE(n_components=2, random_state=0), numbers, autoplay=False)) as player:
        player.run.steps(2)
        near = player.describe().neighbors
        assert not (near == np.arange(len(near))[:, None]).any()


def test_tuples_can_be_watched():
    model = LRE(n_components=2, random_state=0)
    with closing(ns.watch(model, [("a", "r", "b"), ("b", "r", "c")], autoplay=False)) as player:
        assert list(player.names) == ["a", "b", "c"]


def test_a_recording_keeps_vectors_and_matrices(families, tmp_path):
    with ns.Run(LRE(n_components=3, random_state=0), families.triples) as run:
        run.steps(12)
        run.recording.save(tmp_path / "run.npz")
        state = run.state
    loaded = ns.Recording.load(tmp_path / "run.npz")
    with ns.Run(LRE(n_components=3, random_state=0), families.triples, start=loaded.states[-1]) as run:
        assert np.array_equal(run.steps(0).memory["weights"], state.memory["weights"])


@in_one_test(
    ("triples", "options", "message"),
    [
        ([("a", "r", "a")], {}, "at least 2 objects"),
        (Triples([("a", "r", "b")], objects=list("abc")), {}, "object must be in a triple, .* none for 'c'"),
        (Triples([("a", "r", "b")], relations=["r", "s"]), {}, "relation must be in a triple, .* none for 's'"),
        ([("a", "r", "a"), ("a", "r", "b")], {"reflexive": False}, "own answer with reflexive=False"),
        ([("a", "r", "b")], {"matrices": "diagonal"}, "matrices must be one of"),
        ([("a", "r", "b")], {"init": np.zeros((3, 6))}, "init"),
        ([("a", "r", "b")], {"penalty": -1.0}, "penalty must satisfy"),
        ([("a", "r", "b")], {"n_components": 0}, "n_components"),
    ],
)
def test_what_cannot_be_learned_is_refused(triples, options, message):
    with pytest.raises(ValueError, match=message):
        LRE(**options).fit(triples)


def test_a_state_of_other_triples_and_triples_for_other_models_and_sweeps_are_refused(families):
    with pytest.raises(TypeError, match="reflexive must be True or False, got 'no'"):
        LRE(reflexive="no").fit([("a", "r", "b")])
    state = next(LRE(n_components=3, random_state=0).iterate(families))
    with pytest.raises(ValueError, match="give a state of the same objects, relations, n_components and matrices"):
        LRE(n_components=4).iterate(families, start=state)
    with pytest.raises(TypeError, match=r"relations\.LRE"):
        ns.SNE(perplexity=5).fit(families.triples)
    for given in (families, families.triples):
        with pytest.raises(TypeError, match=r"X must be an array, got a Triples; give it to relations\.LRE"):
            ns.sweep(LRE(), given, {"penalty": [0.1, 1.0]})


def test_it_is_an_estimator_of_scikit_learn(fitted):
    from sklearn.base import clone

    twin = clone(LRE(n_components=3, penalty=0.5))
    assert twin.get_params()["penalty"] == 0.5
    assert len(fitted.get_feature_names_out()) == 6
