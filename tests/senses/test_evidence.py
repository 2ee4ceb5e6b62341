from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn.base import clone

import notebook_sne as ns
from notebook_sne.senses import trials
from notebook_sne.senses.gains import mean_and_error, q_values, tables
from notebook_sne.senses.mixture import mixture_of
from notebook_sne.senses.removal import apart, settle, without_copies
from notebook_sne.senses.thinning import thinnings
from notebook_sne.senses.trials import Kept, _row, _Scores, trial
from tests.archives.damage import rewritten
from tests.senses.planted import N_SUBJECTS, NAMES, N, planted_counts, planted_data

# Without moves, whose other optimum leaves one copy in one of two fits with a gain within its sampling error of 0.
MODEL = ns.AspectMaps(n_maps=N_SUBJECTS, input="probabilities", max_iter=250, copy_moves=0, progress=False)


@pytest.fixture(scope="module")
def thinned():
    return thinnings(planted_counts(per_word=1000), 0.3)[0]


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
    rows = {i: (_row(train, i), _row(test, i))}
    mixtures = settle(model, P, state, n_updates), settle(model, P, without_copies(state, [m], [i]), n_updates)
    untouched, without = (_Scores(mixture, rows, [i]).tested[i] for mixture in mixtures)
    found, error = mean_and_error(untouched - without, rows[i][1][1])
    return {"gain": found, "sampling_sd": error, "regrown": mixtures[1].mixing[m, i]}


@pytest.mark.slow
def test_the_second_copy_of_a_homonym_predicts_held_out_responses(thinned):
    train, test, _ = thinned
    P = ns.affinities.from_counts(train)
    model, state = planted_state(P)
    for word, m in (("aorb", 0), ("aorb", 1), ("cord", 3)):
        found = gain(model, state, P, word, m, train, test)
        assert found["gain"] > max(0.2, 4 * found["sampling_sd"])


@pytest.mark.slow
def test_a_fake_copy_predicts_nothing(thinned):
    train, test, _ = thinned
    P = ns.affinities.from_counts(train)
    model, state = planted_state(P, N_SUBJECTS + 1)
    for word in ("a0", "a3", "a5"):
        found = gain(model, state, P, word, N_SUBJECTS, train, test)
        assert found["gain"] < max(0.05, 3 * found["sampling_sd"])
        assert found["regrown"] < 1e-3


@pytest.mark.slow
def test_tables_of_a_fit():
    asked = {"words": ["AORB", "cord", "a1"], "n_thinnings": 2, "n_restarts": 2, "n_updates": 30, "held_out": 0.3}
    data = planted_data()
    found = ns.senses.evidence(MODEL, data, **asked)
    assert list(found.words["word"]) == list(dict.fromkeys(found.summary["word"])) == ["aorb", "cord", "a1"]
    several = found.summary[(found.summary["n_fits"] == 4) & (found.summary["note"] == "")]
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
    assert set(zip(scored["thinning"], scored["restart"], strict=True)) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert repr(found) and found._repr_html_().startswith("<div>")
    again = ns.senses.evidence(MODEL, data, **asked)
    assert again.runs.equals(found.runs) and again.words.equals(found.words)


@pytest.mark.slow
def test_a_word_is_judged_by_its_second_copy():
    found = ns.senses.evidence(MODEL, planted_data(), words=["cord", "aorb"], n_thinnings=2, held_out=0.4)
    for word in found.words.itertuples():
        runs = found.runs[found.runs["word"] == word.word]
        assert word.n_copies == len(runs) / 2 == 2 and word.n_fits == 2
        n_test = runs.groupby("thinning")["n_test"].first()
        assert word.n_test == n_test.sum()
        # It is one of the two in each thinning, and responses count alike, whichever thinning held them out.
        parts = [part["gain"].to_numpy() for _, part in runs.groupby("thinning")]
        choices = [(n_test.to_numpy() @ [a, b]) / word.n_test for a in parts[0] for b in parts[1]]
        assert min(abs(word.gain - choice) for choice in choices) < 1e-12
        assert word.gain < max(choices)
        assert word.p_value == pytest.approx(stats.t.sf(word.gain / word.error, word.n_test - 1))
    p = found.words["p_value"].to_numpy()
    np.testing.assert_allclose(sorted(found.words["q_value"]), [min(2 * p.min(), p.max()), p.max()])


def test_the_error_of_a_gain_is_that_of_amean_and_error():
    values, n = np.array([0.5, -1.0, 2.0]), np.array([3.0, 4.0, 2.0])
    each = values.repeat(n.astype(int))
    np.testing.assert_allclose(mean_and_error(values, n), [each.mean(), stats.sem(each)])


def test_false_discoveries_are_counted_over_the_words_that_were_tested():
    q = q_values(np.array([0.01, np.nan, 0.02, 0.5]))
    np.testing.assert_allclose(q, [0.03, np.nan, 0.03, 0.5])
    assert np.isnan(q_values(np.array([np.nan]))).all()


@pytest.mark.slow
def test_without_words_all_that_have_several_copies_are_tested():
    counts = planted_counts()
    found = ns.senses.evidence(MODEL, counts, NAMES, n_thinnings=1, n_updates=2)
    assert 0 < len(found.words) < N
    assert (found.words["n_copies"] > 1).all() and found.words["p_value"].between(0, 1).all()
    one = ns.senses.evidence(MODEL, counts, NAMES, NAMES, n_thinnings=1, n_updates=2)
    assert len(one.words) == N
    several = one.words[one.words["note"] == ""]
    assert list(several["word"]) == list(found.words["word"])
    assert np.array_equal(several["gain"], found.words["gain"])


def test_where_no_word_has_several_copies_the_tables_are_empty():
    model = clone(MODEL).set_params(n_maps=1, max_iter=5)
    found = ns.senses.evidence(model, planted_counts(), NAMES, n_thinnings=1)
    assert len(found.words) == len(found.summary) == len(found.runs) == 0
    assert {"gain", "p_value", "q_value"} <= set(found.words) and {"copy", "gain"} <= set(found.summary)


@pytest.mark.slow
def test_the_test_is_right_where_the_truth_is_known():
    """Responses drawn from a known Q, by words of one meaning: what the copies of a fit are worth can be worked out.

    By the spread of the held-out gains alone, t was 14.8 for a word of the last draw, of which a rare response did not
    come.
    """
    draws = [_words_and_truth(draw) for draw in range(4)]
    found, true = pd.concat([words for words, _ in draws]), np.concatenate([truth for _, truth in draws])
    t = ((found["gain"] - true) / found["error"]).to_numpy()

    def most(n):
        return 0.05 + 2 * np.sqrt(0.05 * 0.95 / n)

    assert len(found) >= 80
    # Centered at the truth, the statistic has the spread of Student's t, and is not too large more often than it may.
    assert 0.7 < t.std() < 1.6 and t.max() < 5
    assert (t > 1.66).mean() <= most(len(found))
    nothing = found[true <= 0]
    assert len(nothing) > 5
    assert (nothing["p_value"] <= 0.05).mean() <= most(len(nothing))


def _words_and_truth(draw, n_words=48, n_subjects=4):
    """Return the table of words for responses of one draw, and the true gains of their second copies."""
    subjects = np.arange(n_words) // (n_words // n_subjects)
    mixing = np.full((n_subjects, n_words), 0.01)
    mixing[subjects, np.arange(n_words)] = 0.97
    random = np.random.default_rng(draw)
    Q, _ = mixture_of(random.normal(0, 0.5, (n_subjects, n_words, 2)), mixing).q(np.arange(n_words))
    counts = np.array([random.multinomial(115, row) for row in Q])
    names = tuple(f"word {i}" for i in range(n_words))
    model = ns.AspectMaps(n_maps=8, input="probabilities", max_iter=150, progress=False)
    settings = {"n_updates": 50, "n_together": 4, "threshold": 0.1, "n_neighbors": 5}
    found = ns.senses.evidence(model, counts, names, **settings).words
    true = np.zeros(n_words)
    for thinning, (train, test, _) in enumerate(thinnings(counts, 0.2, 5)):
        # The same trial, scored by every possible response.
        every = sparse.csr_array(1.0 - np.eye(n_words))
        *_, here = trial(model, train, every, names, np.arange(n_words), 1000 * thinning, **settings)
        scores = iter((here["with_copy"] - here["without_copy"]).reshape(-1, n_words - 1))
        gains = np.array([np.nan if np.isnan(t) else Q[i][np.arange(n_words) != i] @ next(scores)
                          for i, t in zip(here["word"], here["trained"], strict=True)])  # fmt: skip
        for i in np.unique(here["word"][~np.isnan(gains)]):
            second = np.flatnonzero(here["word"] == i)
            second = second[np.argsort(-here["trained"][second], kind="stable")[1]]
            true[i] += test[[i]].sum() / counts[i].sum() * gains[second]
    return found, true[[names.index(word) for word in found["word"]]]


@pytest.mark.slow
def test_the_error_of_a_word_is_at_least_the_one_that_its_maps_expect():
    """The maps without a copy expect a variance of its gain: the plain one, over all responses by their probability."""
    train, _, _ = thinnings(planted_counts(), 0.2)[0]
    settings = {"n_updates": 2, "n_together": 1, "threshold": 0.1, "n_neighbors": 5}
    every = sparse.csr_array(1.0 - np.eye(N))
    *_, found = trial(MODEL, train, every, NAMES, np.arange(N), 0, **settings)
    taken_out = ~np.isnan(found["trained"])
    assert taken_out.any() and np.array_equal(np.isnan(found["expected"]), ~taken_out)
    after = np.exp(found["without_copy"].reshape(-1, N - 1))
    change = (found["with_copy"] - found["without_copy"]).reshape(-1, N - 1)
    np.testing.assert_allclose(after.sum(axis=1), 1.0)
    plain = [np.average((c - np.average(c, weights=q)) ** 2, weights=q) for c, q in zip(change, after, strict=True)]
    np.testing.assert_allclose(found["expected"][taken_out], plain, rtol=1e-6)
    # Responses that agree by chance make no word sure.
    found |= {"with_copy": found["without_copy"] + 0.1, "expected": np.where(taken_out, 4.0, np.nan)}
    words, _, _ = tables(NAMES, np.arange(N), [(train, every, None)], {(0, 0): found})
    several = words[words["note"] == ""]
    np.testing.assert_allclose(several["gain"], 0.1)
    np.testing.assert_allclose(several["error"], 2 / np.sqrt(N - 1))


def test_copies_that_are_taken_out_together_are_of_words_that_nothing_ties():
    P = ns.affinities.from_counts(planted_counts())
    words = np.repeat(np.arange(N), 2)
    parts = apart(P, words, 4)
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(len(words)))
    ties = (P + P.T).toarray() > 0
    assert max(map(len, parts)) <= 4 and any(len(part) > 1 for part in parts)
    for part in parts:
        own = words[part]
        assert len(set(own)) == len(own) and not ties[np.ix_(own, own)].any()
    assert [len(part) for part in apart(P, words, 1)] == [1] * len(words)


@pytest.mark.slow
def test_what_was_made_is_kept_and_gone_on_from(tmp_path, monkeypatch):
    data, path = planted_data(), tmp_path / "planted.evidence"
    asked = {"words": ["cord"], "n_updates": 5, "n_thinnings": 2, "n_restarts": 2, "held_out": 0.3}
    settled, never = [], 10**6

    def counted(*arguments):
        settled.append(1)
        if len(settled) == never:
            raise KeyboardInterrupt
        return settle(*arguments)

    monkeypatch.setattr(trials, "settle", counted)
    whole = ns.senses.evidence(MODEL, data, **asked)
    total = len(settled)
    # Each fit settles untouched and without either copy: the sixth time is the last of the second fit.
    assert total >= 6
    settled.clear()
    never = 6
    with pytest.raises(KeyboardInterrupt):
        ns.senses.evidence(MODEL, data, **asked, path=path)
    kept = path.read_bytes()
    for changed in ({"n_updates": 6}, {"words": ["aorb"]}, {"random_state": 1}, {"threshold": 0.2}):
        with pytest.raises(ValueError, match=f"planted.evidence is of other {next(iter(changed))}; give another path"):
            ns.senses.evidence(MODEL, data, **{**asked, **changed}, path=path)
    with pytest.raises(ValueError, match="is of other counts; give"):
        ns.senses.evidence(MODEL, planted_data(1), **asked, path=path)
    with pytest.raises(ValueError, match="is of other model; give"):
        ns.senses.evidence(clone(MODEL).set_params(n_maps=5), data, **asked, path=path)
    assert path.read_bytes() == kept and len(settled) == 6
    # Fewer threads are no other setting.
    found = ns.senses.evidence(clone(MODEL).set_params(n_jobs=1), data, **asked, path=path)
    assert len(settled) == 6 + 2 + (total - 6)  # of the second fit, the untouched maps and what was missing
    assert found.runs.equals(whole.runs) and found.words.equals(whole.words)
    ns.senses.evidence(MODEL, data, **asked, path=path)
    assert len(settled) == 8 + total - 6
    more = ns.senses.evidence(MODEL, data, **{**asked, "n_thinnings": 3}, path=path)
    first = more.runs[more.runs["thinning"] < 2].sort_values(["thinning", "restart", "map"])
    np.testing.assert_array_equal(first["gain"], whole.runs.sort_values(["thinning", "restart", "map"])["gain"])


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(ValueError, match=r"one that evidence has written, but .*notes\.txt is neither"):
        ns.senses.evidence(MODEL, planted_data(), words="cord", path=path)
    np.savez(tmp_path / "other.npz", about=np.array("{}"))
    with pytest.raises(ValueError, match=r"other\.npz is neither .*; give another path"):
        ns.senses.evidence(MODEL, planted_data(), words="cord", path=tmp_path / "other.npz")
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("rows", "arrays", "words"),
    [
        (None, {}, "a list trials"),
        ([[0, 0, True, 3]], {}, "does not say which trials"),
        ([[0, 0, 1, 3, 4]], {}, "does not say which trials"),
        ([[0, 0, True, 10**15, 4]], {}, "does not say which trials"),
        ([[0, 0, True, 1, 2], [0, 0, True, 2, 2]], {}, "does not say which trials"),
        ([[0, 0, True, 2, 4]], {}, "does not fit the others"),
        ([[0, 0, True, 3, 4]], {"word": np.array([0, 1, 9])}, "words beyond the 9 that there are"),
        ([[0, 0, True, 3, 4]], {"word": np.array([1, 0, 2])}, "words beyond"),
        ([[0, 0, True, 3, 4]], {"neighbors": np.full((3, 2), -1)}, "words beyond"),
        ([[0, 0, True, 3, 4]], {"proportion": np.full(3, np.nan)}, "proportions that are none"),
    ],
)
def test_trials_that_make_no_sense_are_refused(tmp_path, rows, arrays, words):
    path = tmp_path / "some.evidence"
    found = {
        "word": np.arange(3),
        "map": np.arange(3),
        "proportion": np.full(3, 0.5),
        "neighbors": np.ones((3, 2), int),
    }
    found |= {name: np.zeros(3) for name in ("regrown", "trained", "expected")}
    found |= {name: np.zeros(4) for name in ("with_copy", "without_copy")}
    Kept(path, {"words": [1]}, 9).add(0, 0, found | {"ended": np.array(True)})
    assert Kept(path, {"words": [1]}, 9).get(0, 0)["with_copy"].shape == (4,)
    rewritten(path, {"trials": rows}, **arrays)
    with pytest.raises(ValueError, match=rf"one that evidence has written, but .*some.evidence is neither \(.*{words}"):
        Kept(path, {"words": [1]}, 9)


@pytest.mark.slow
def test_a_trial_of_other_copies_is_not_gone_on_from(thinned):
    train, test, _ = thinned
    given = MODEL, train, test, NAMES, np.arange(N), 0
    how = {"n_updates": 1, "n_together": 3, "threshold": 0.1, "n_neighbors": 5}
    before = next(trial(*given, **how))
    next(trial(*given, before, **how))
    for change in ({"map": before["map"] + 1}, {"word": before["word"][:-1]}, {"with_copy": before["with_copy"][1:]}):
        with pytest.raises(
            ValueError, match="path must be continued where it was begun, but a fit of its trials has oth"
        ):
            next(trial(*given, {**before, **change}, **how))


def test_multiple_maps_tsne_is_judged_by_its_own_kernel():
    model = ns.MultipleMapsTSNE(n_maps=N_SUBJECTS, input="probabilities", max_iter=60, progress=False)
    found = ns.senses.evidence(model, planted_data(), words="aorb", n_thinnings=1, n_updates=5)
    assert np.isfinite(found.runs.loc[found.runs["note"] == "", "gain"]).all()


def test_log_q_is_that_of_the_state(thinned):
    train, test, _ = thinned
    P = ns.affinities.from_counts(train)
    _, state = planted_state(P)
    mixture = mixture_of(state)
    Q, _ = mixture.q(np.arange(N))
    left_in, held_out = train[[3]].toarray()[0], test[[3]].toarray()[0]
    here = _Scores(mixture, {3: (_row(train, 3), _row(test, 3))}, [3])
    np.testing.assert_allclose(here.tested[3], np.log(Q[3, held_out > 0]))
    assert here.trained[3] == pytest.approx(left_in[left_in > 0] @ np.log(Q[3, left_in > 0]) / left_in.sum())
    assert state.cost >= 0


def test_a_copy_that_is_taken_out_leaves_the_others_in_their_ratios(thinned):
    _, state = planted_state(ns.affinities.from_counts(thinned[0]))
    i = NAMES.index("aorb")
    edited = without_copies(state, [0], [i])
    assert 0 < edited.mixing[0, i] < 1e-20
    np.testing.assert_allclose(edited.mixing[1:, i], state.mixing[1:, i] / state.mixing[1:, i].sum())
    np.testing.assert_array_equal(np.delete(edited.mixing, i, axis=1), np.delete(state.mixing, i, axis=1))


def test_thinning_deals_out_every_response():
    counts = planted_counts()
    train, test, kept_whole = thinnings(counts, 0.25, random_state=1)[0]
    assert (abs(train + test - counts)).max() == 0
    assert test.sum() / counts.sum() == pytest.approx(0.25, abs=0.02)
    assert len(kept_whole) == 0


def test_no_response_is_held_out_twice():
    counts = planted_counts()
    splits = thinnings(counts, 0.25, 4, random_state=1)
    held_out = sum(test for _, test, _ in splits)
    assert abs(held_out - counts).max() == 0
    for train, test, _ in splits:
        assert abs(train + test - counts).max() == 0
        assert test.sum() / counts.sum() == pytest.approx(0.25, abs=0.02)
    for few, many in zip(thinnings(counts, 0.25, 2, random_state=1), splits, strict=False):
        assert abs(few[1] - many[1]).max() == 0


def test_a_row_that_would_be_empty_is_kept_whole_and_named():
    counts = planted_counts().toarray()
    counts[3] = 0
    counts[3, 4] = 1
    found = ns.senses.evidence(
        MODEL, counts, NAMES, NAMES[3], n_thinnings=1, n_updates=2, held_out=0.999, random_state=0
    )
    assert NAMES[3] in found.kept_whole
    assert (found.summary["note"] == "no held-out responses in 1 of 1 fits").all()
    assert (found.summary["n_test"] == 0).all()
    assert found.summary["gain"].isna().all()
    assert found.words["note"].tolist() == ["no held-out responses"] and found.words["q_value"].isna().all()


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [
        (ValueError, lambda: ns.senses.evidence(MODEL, planted_data(), words=[]), "words must name at least one word"),
        (
            ValueError,
            lambda: ns.senses.evidence(MODEL, planted_data(), words="a0", held_out=0.4),
            "n_thinnings times held_out must be at most 1, as .* got 5 times 0.4; lower one of them",
        ),
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
