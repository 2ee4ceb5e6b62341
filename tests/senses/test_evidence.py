from dataclasses import replace

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.senses.evidence import _Responses, settle, without_copy
from notebook_sne.senses.mixture import mixture_of
from notebook_sne.senses.thinning import thin
from tests.senses.planted import N_SUBJECTS, NAMES, N, planted_counts, planted_data

# Without moves, whose other optimum leaves one copy in one of two fits with a gain within its sampling error of 0.
MODEL = ns.AspectMaps(n_maps=N_SUBJECTS, input="probabilities", max_iter=250, copy_moves=0, progress=False)


@pytest.fixture(scope="module")
def thinned():
    return thin(planted_counts(per_word=1000), 0.3, random_state=0)


def planted_state(P, n_maps=N_SUBJECTS):
    """The planted maps as a state; a fifth map shows subject 0 once more, with half of each proportion."""
    from tests.senses.planted import planted_model

    planted = planted_model()
    maps, mixing = planted.maps_, planted.mixing_
    if n_maps > N_SUBJECTS:
        maps = np.concatenate([maps, maps[:1]])
        mixing = np.concatenate([mixing, mixing[:1]])
        mixing[[0, -1]] /= 2
    model = ns.AspectMaps(n_maps=n_maps, input="probabilities", progress=False, random_state=0)
    first = next(iter(model.iterate(P)))
    return model, replace(first, Y=maps.copy(), mixing=mixing, model="planted", memory={})


def gain(model, state, P, word, m, train, test, n_updates=60):
    i = NAMES.index(word)
    with_copy = settle(model, P, state, n_updates)
    return _Responses(i, train, test).gain(with_copy, settle(model, P, without_copy(state, m, i), n_updates), m)


def test_the_second_copy_of_a_homonym_predicts_held_out_responses(thinned):
    train, test, _ = thinned
    P = ns.affinities.from_counts(train)
    model, state = planted_state(P)
    for word, m in (("aorb", 0), ("aorb", 1), ("cord", 3)):
        found = gain(model, state, P, word, m, train, test)
        assert found["gain"] > max(0.2, 4 * found["sampling_sd"])


def test_a_fake_copy_predicts_nothing(thinned):
    train, test, _ = thinned
    P = ns.affinities.from_counts(train)
    model, state = planted_state(P, N_SUBJECTS + 1)
    for word in ("a0", "a3", "a5"):
        found = gain(model, state, P, word, N_SUBJECTS, train, test)
        assert found["gain"] < max(0.05, 3 * found["sampling_sd"])
        assert found["regrown"] < 1e-3


def test_tables_of_a_fit(thinned):
    data = planted_data()
    found = ns.senses.evidence(MODEL, data, words=["AORB", "cord", "a1"], n_restarts=2, n_updates=30, held_out=0.3)
    assert list(dict.fromkeys(found.summary["word"])) == ["aorb", "cord", "a1"]
    several = found.summary[(found.summary["n_restarts"] == 2) & (found.summary["note"] == "")]
    assert (several["gain"] > 0).all()
    assert ((several["gain_min"] <= several["gain"]) & (several["gain"] <= several["gain_max"])).all()
    single = found.runs[found.runs["note"] == "one copy"]
    assert single["gain"].isna().all()
    assert "a1" in set(single["word"])
    assert found.kept_whole == ()
    assert not hasattr(MODEL, "maps_")
    scored = found.runs[found.runs["note"] == ""]
    np.testing.assert_allclose(scored["gain"], scored["with_copy"] - scored["without_copy"])
    assert (scored["n_test"] > 20).all()
    assert repr(found) and found._repr_html_().startswith("<div>")
    again = ns.senses.evidence(MODEL, data, words=["AORB", "cord", "a1"], n_restarts=2, n_updates=30, held_out=0.3)
    assert again.runs.equals(found.runs)


def test_multiple_maps_tsne_is_judged_by_its_own_kernel():
    model = ns.MultipleMapsTSNE(n_maps=N_SUBJECTS, input="probabilities", max_iter=60, progress=False)
    found = ns.senses.evidence(model, planted_data(), words="aorb", n_restarts=1, n_updates=5)
    assert np.isfinite(found.runs.loc[found.runs["note"] == "", "gain"]).all()


def test_log_q_is_that_of_the_state(thinned):
    train, test, _ = thinned
    P = ns.affinities.from_counts(train)
    _, state = planted_state(P)
    mixture = mixture_of(state)
    Q, _ = mixture.q(np.arange(N))
    here = _Responses(3, train, test)
    np.testing.assert_allclose(here.log_q(mixture), np.log(Q[3, here.j]))
    assert state.cost >= 0


def test_a_copy_that_is_taken_out_leaves_the_others_in_their_ratios(thinned):
    _, state = planted_state(ns.affinities.from_counts(thinned[0]))
    i = NAMES.index("aorb")
    edited = without_copy(state, 0, i)
    assert 0 < edited.mixing[0, i] < 1e-20
    np.testing.assert_allclose(edited.mixing[1:, i], state.mixing[1:, i] / state.mixing[1:, i].sum())
    np.testing.assert_array_equal(np.delete(edited.mixing, i, axis=1), np.delete(state.mixing, i, axis=1))


def test_thinning_deals_out_every_response():
    counts = planted_counts()
    train, test, kept_whole = thin(counts, 0.25, random_state=1)
    assert (abs(train + test - counts)).max() == 0
    assert test.sum() / counts.sum() == pytest.approx(0.25, abs=0.02)
    assert len(kept_whole) == 0


def test_a_row_that_would_be_empty_is_kept_whole_and_named():
    counts = planted_counts().toarray()
    counts[3] = 0
    counts[3, 4] = 1
    found = ns.senses.evidence(
        MODEL, counts, NAMES, NAMES[3], n_restarts=1, n_updates=2, held_out=0.999, random_state=0
    )
    assert NAMES[3] in found.kept_whole
    assert (found.summary["note"] == "no held-out responses in 1 of 1 restarts").all()
    assert (found.summary["n_test"] == 0).all()
    assert found.summary["gain"].isna().all()


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [
        (ValueError, lambda: ns.senses.evidence(MODEL, planted_data()), "words must name at least one word, got none"),
        (ValueError, lambda: ns.senses.evidence(MODEL, planted_data(), words=["xyz"]), "mapped, got 'xyz'"),
        (ValueError, lambda: ns.senses.evidence(ns.AspectMaps(), planted_data(), words="a0"), "set_params.input='prob"),
        (
            ValueError,
            lambda: ns.senses.evidence(
                ns.AspectMaps(input="probabilities", mixing="equal"), planted_data(), words="a0"
            ),
            "mixing='free', or no copy can be removed, got mixing='equal'",
        ),
        (
            ValueError,
            lambda: ns.senses.evidence(MODEL, planted_counts() / 2.5, NAMES, "a0"),
            "counts must be whole numbers",
        ),
        (
            ValueError,
            lambda: ns.senses.evidence(MODEL, planted_data(), words="a0", held_out=1.0),
            "0 < held_out < 1 and be finite, got 1",
        ),
        (TypeError, lambda: ns.senses.evidence(MODEL, None, NAMES, "a0"), "counts must be a Dataset with counts"),
    ],
)
def test_errors_name_the_argument_and_the_rule(error, call, message):
    with pytest.raises(error, match=message):
        call()
