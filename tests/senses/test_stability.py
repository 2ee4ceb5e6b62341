import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.senses.stability import overlap_of_copies
from tests.senses.planted import HOMONYMS, N_PLAIN, N_SUBJECTS, NAMES, N, planted_data, planted_model


def test_identical_fits_are_perfectly_stable():
    model = planted_model()
    table = ns.senses.stability([model, model, model], NAMES, n_neighbors=5)
    assert (table["overlap"] == 1).all()
    assert (table["least"] == 1).all()
    assert len(table) == 3 * (N_SUBJECTS * N_PLAIN + 2 * len(HOMONYMS))


def test_the_chance_level_of_homonyms_lies_below():
    model = planted_model()
    table = ns.senses.stability([model, model], NAMES, n_neighbors=5)
    homonyms = table[table["n_copies"] == 2]
    assert homonyms["chance"].mean() < 0.6
    plain = table[table["n_copies"] == 1]
    assert (plain["chance"] == plain["overlap"]).all()


def test_relabeled_turned_maps_are_the_same_senses():
    model, other = planted_model(), planted_model()
    other.maps_ = other.maps_[::-1] @ np.array([[0.6, 0.8], [0.8, -0.6]])
    other.mixing_ = other.mixing_[::-1]
    table = ns.senses.stability([model, other], NAMES, n_neighbors=5)
    assert (table["overlap"] == 1).all()


def test_unrelated_fits_are_not_stable():
    model, other = planted_model(), planted_model()
    shuffled = np.random.default_rng(0).permutation(N)
    other.maps_, other.mixing_ = other.maps_[:, shuffled], other.mixing_[:, shuffled]
    assert ns.senses.stability([model, other], NAMES, n_neighbors=5)["overlap"].mean() < 0.3


def test_overlap_is_the_jaccard_index():
    overlap = overlap_of_copies(np.array([[1, 2, 3], [4, 5, 6]]), np.array([[3, 2, 9]]))
    np.testing.assert_allclose(overlap, [[2 / 4], [0]])


def test_one_model_is_fitted_anew():
    data = planted_data()
    P = ns.affinities.from_counts(data.counts)
    model = ns.AspectMaps(n_maps=4, input="probabilities", max_iter=60, progress=False)
    table = ns.senses.stability(model, NAMES, P=P, n_fits=2)
    assert set(table["fit"]) == {0, 1}
    assert table.equals(ns.senses.stability(model, NAMES, P=P, n_fits=2))
    assert not hasattr(model, "maps_")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: ns.senses.stability([m], NAMES), "models must be at least 2 independent fits, got 1"),
        (lambda m: ns.senses.stability(m, NAMES), "P must be given to fit one model to, got none"),
        (lambda m: ns.senses.stability(ns.SNE(), NAMES, P=m.affinities_), "must have input='probabilities'.*'vectors'"),
        (
            lambda m: ns.senses.stability([ns.senses.read(m, N) for N in (NAMES, NAMES[::-1])], NAMES),
            "the same words in",
        ),
    ],
)
def test_errors_name_the_argument_and_the_rule(call, message):
    with pytest.raises(ValueError, match=message):
        call(planted_model())
