"""The contest of readings of senses: what is asked, how answers are scored, who answers."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import notebook_sne as ns
from benchmarks.senses import answers, communities, fits, ours, questions, scores, tables
from benchmarks.senses.__main__ import main, source
from benchmarks.senses.gold import Gold
from benchmarks.senses.methods import Method
from benchmarks.senses.norms import from_file
from benchmarks.senses.scores import Answer
from tests.senses.planted import planted_counts

MONEY = ("money", "loan", "cash", "teller", "vault", "check")
RIVER = ("river", "stream", "shore", "water", "creek", "fish")
ANIMALS = ("cow", "hay", "barn", "farm", "ride", "saddle", "pony", "mare", "foal", "hoof")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """BANK has two groups of associates, each densely tied and not to the other; HORSE has one."""
    pairs = []
    for cue, groups in {"Bank": (MONEY, RIVER), "Horse": (ANIMALS,)}.items():
        for group in groups:
            pairs += [(cue, word, 10) for word in group]
            pairs += [(word, other, 10) for word in group for other in group if word != other]
            pairs += [(word, cue, 5) for word in group]
    path = tmp_path_factory.mktemp("norms") / "planted.csv"
    pd.DataFrame(pairs, columns=["cue", "response", "R1"]).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def norms(file):
    return from_file(file, "cue", "response", "R1")


@pytest.fixture
def asked(norms, monkeypatch):
    keys = {"money": frozenset(MONEY[:4]), "river": frozenset(RIVER[:4])}
    monkeypatch.setattr(questions, "gold", lambda half: Gold({"bank": keys}, ("horse", "zebra")))
    return questions.questions(norms, None)


def numbers(norms, *words):
    return [norms.find(word) for word in words]


def answer(norms, *groups, certainty=1.0):
    return Answer(tuple((numbers(norms, *group), np.ones(len(group))) for group in groups), certainty)


def marks_of(asked, *groups, control=(ANIMALS,), certainty=(1.0, 0.0)):
    norms = asked.norms
    bank, horse = numbers(norms, "bank", "horse")
    answers = {
        bank: answer(norms, *groups, certainty=certainty[0]),
        horse: answer(norms, *control, certainty=certainty[1]),
    }
    return scores.mark(asked, answers)


# norms and questions


def test_ties_are_symmetric_and_associates_come_strongest_first(norms):
    assert abs(norms.ties - norms.ties.T).max() == 0
    words, strengths = norms.associates(norms.find("BANK"))
    assert {str(norms.data.names[j]) for j in words} == {*MONEY, *RIVER}
    assert (np.diff(strengths) <= 0).all()
    i, j = numbers(norms, "bank", "money")
    P = norms.data.P.toarray()
    assert norms.ties[i, j] == pytest.approx((P[i, j] + P[j, i]) / 2)


def test_a_homonym_is_asked_with_its_labeled_associates_and_unknown_words_are_not(asked):
    bank, horse = numbers(asked.norms, "bank", "horse")
    assert asked.words == (bank, horse)
    labels = {str(asked.norms.data.names[j]): meaning for j, meaning in asked.homonyms[bank].items()}
    assert labels == {**dict.fromkeys(MONEY[:4], "money"), **dict.fromkeys(RIVER[:4], "river")}


def test_a_homonym_with_too_few_labeled_associates_of_a_meaning_is_not_asked(norms, monkeypatch):
    keys = {"money": frozenset(MONEY), "river": frozenset([RIVER[0], "otter"])}
    monkeypatch.setattr(questions, "gold", lambda half: Gold({"bank": keys}, ()))
    assert not questions.questions(norms, None).homonyms
    assert questions.questions(norms, None, least_labeled=1).homonyms


def test_a_word_with_few_associates_is_not_asked(norms, monkeypatch):
    monkeypatch.setattr(questions, "gold", lambda half: Gold({}, ("horse", "teller")))
    assert questions.questions(norms, None).controls == (norms.find("horse"),)


# scores


def test_the_true_senses_get_all_marks(asked):
    marks = marks_of(asked, MONEY, RIVER)
    assert marks.right.tolist() == marks.whole.tolist() == [True]
    assert marks.rand.tolist() == [1.0] and marks.auc == 1.0 and marks.split.tolist() == [False]
    assert marks.by_chance[0] < 0.5


def test_one_sense_of_everything_gets_none(asked):
    marks = marks_of(asked, MONEY + RIVER)
    assert not marks.right[0] and not marks.whole[0] and marks.rand[0] == 0.0 and marks.by_chance[0] == 0.0


def test_two_thirds_of_the_labeled_associates_make_a_sense_right(asked):
    assert marks_of(asked, (*MONEY[:4], *RIVER[:2]), RIVER[2:]).right[0]  # 4 of 6
    assert not marks_of(asked, (*MONEY[:3], *RIVER[:2]), RIVER[2:]).right[0]  # 3 of 5


def test_unlabeled_associates_alone_make_no_sense_right(asked):
    assert not marks_of(asked, MONEY, RIVER[4:]).right[0]
    assert marks_of(asked, MONEY, RIVER[3:]).right[0]


def test_two_right_senses_of_one_meaning_are_not_enough(asked):
    assert not marks_of(asked, MONEY[:3], MONEY[3:]).right[0]


def test_crumbs_of_two_meanings_are_right_but_not_whole_and_mostly_luck(asked):
    crumbs = marks_of(asked, (MONEY[0], MONEY[4]), (RIVER[0], RIVER[4]))
    assert crumbs.right[0] and not crumbs.whole[0]
    assert crumbs.by_chance[0] > 0.3


def test_a_sense_of_one_word_of_strangers_or_of_little_strength_does_not_count(asked, monkeypatch):
    assert not marks_of(asked, MONEY, RIVER[:1]).right[0]
    assert not marks_of(asked, MONEY, (RIVER[0], *ANIMALS)).right[0]
    assert marks_of(asked, MONEY, RIVER[:2]).right[0]
    monkeypatch.setattr(scores, "LEAST_SHARE", 0.3)
    assert not marks_of(asked, MONEY, RIVER[:2]).right[0]


def test_an_associate_in_two_senses_is_where_it_weighs_most(asked):
    norms, (bank, horse) = asked.norms, asked.words
    money, river = numbers(norms, *MONEY), numbers(norms, *RIVER)
    for weight, rand in ((0.1, 1.0), (2.0, 0.0)):
        senses = ((money + river, [1.0] * 6 + [weight] * 6), (river, [1.0] * 6))
        answers = {bank: Answer(senses, 1.0), horse: answer(norms, ANIMALS)}
        assert scores.mark(asked, answers).rand[0] == rand


def test_a_control_is_split_when_two_senses_count(asked):
    assert marks_of(asked, MONEY, RIVER, control=(ANIMALS[:5], ANIMALS[5:])).split[0]
    assert not marks_of(asked, MONEY, RIVER, control=(ANIMALS[:9], ANIMALS[9:])).split[0]


def test_equal_certainty_counts_half(asked):
    assert marks_of(asked, MONEY, RIVER, certainty=(0.3, 0.3)).auc == 0.5
    assert marks_of(asked, MONEY, RIVER, certainty=(0.2, 0.3)).auc == 0.0


def test_with_care_only_words_above_the_controls_are_split(asked):
    halves = (ANIMALS[:5], ANIMALS[5:])
    assert marks_of(asked, MONEY, RIVER, control=halves, certainty=(0.9, 0.3)).right_with_care == 1
    assert marks_of(asked, MONEY, RIVER, control=halves, certainty=(0.2, 0.3)).right_with_care == 0
    assert marks_of(asked, MONEY, RIVER, certainty=(0.3, 0.3)).right_with_care == 1


def test_a_missing_answer_is_an_error(asked):
    with pytest.raises(ValueError, match="all 2 words that are asked; 2 are missing"):
        scores.mark(asked, {})


def made(right, certainty, of_controls):
    right = np.array(right)
    split = np.ones(len(of_controls), dtype=bool)
    zeros = np.zeros(len(right))
    return scores.Marks(right, right, zeros, zeros, split, np.array(certainty), np.array(of_controls))


def test_words_found_again_are_counted_over_all_pairs():
    certainty = [0.0] * 4
    one, two, none = (made(r, certainty, [0.0]) for r in ([1, 1, 0, 0], [1, 0, 1, 1], [0, 0, 0, 0]))
    assert scores.found_again([one, two]) == pytest.approx((1 + 1) / (2 + 3))
    assert scores.found_again([one, one]) == 1.0
    assert np.isnan(scores.found_again([none, none]))
    assert np.isnan(scores.found_again([one]))


def test_the_error_of_a_rate_is_the_binomial_one():
    marks = made([True] * 30 + [False] * 70, np.arange(100.0), np.arange(50.0))
    assert scores.standard_errors([marks])["right"] == pytest.approx(np.sqrt(100 * 0.3 * 0.7), rel=0.1)
    assert scores.standard_errors([marks])["split"] == pytest.approx(0.0, abs=1e-12)


def test_a_row_has_medians_and_ranges_over_the_seeds():
    few, many = (made([True] * n + [False] * (10 - n), np.arange(10.0), np.arange(10.0)) for n in (2, 5))
    row = tables.table_row([few, many, many])
    assert (row["right, median"], row["right, range"], row["seeds"]) == (5, "2 to 5", 3)
    assert row["AUC, median"] == 0.5 and row["split, median"] == 1


# methods without maps


def test_louvain_finds_the_planted_senses(asked):
    pytest.importorskip("networkx", reason="it comes with the extra `bench`")
    for resolution, graph in ((0.5, "ties"), (1.0, "ties"), (0.5, "common ties")):
        answers = {i: communities.louvain(asked.norms, i, 0, resolution, graph) for i in asked.words}
        marks = scores.mark(asked, answers)
        assert marks.right[0] and marks.rand[0] == 1.0 and not marks.split[0] and marks.auc == 1.0


def test_common_ties_are_cosines_without_the_word_itself(norms):
    bank = norms.find("bank")
    money, river = ([norms.find(word) for word in group] for group in (MONEY, RIVER))
    A = communities._common(norms, np.array(money + river), bank).toarray()
    assert A[: len(money), len(money) :].max() == 0 and A.diagonal().max() == 0
    rows = np.sqrt(norms.ties.toarray()[money[:2]])
    rows[:, bank] = 0
    assert A[0, 1] == pytest.approx(rows[0] @ rows[1] / np.linalg.norm(rows, axis=1).prod())


def test_spectral_clusters_find_the_planted_senses(asked):
    for n_groups in (None, 2):
        answers = {i: communities.spectral(asked.norms, i, 0, n_groups) for i in asked.words}
        marks = scores.mark(asked, answers)
        assert marks.right[0] and marks.rand[0] == 1.0 and marks.auc == 1.0


def test_a_deal_is_random_and_repeats_with_its_seed(norms):
    bank = norms.find("bank")

    def groups(seed):
        return [sorted(words.tolist()) for words, _ in communities.deal(norms, bank, seed, 3).senses]

    assert groups(0) == groups(0)
    assert any(groups(0) != groups(seed) for seed in range(1, 5))
    assert sorted(j for group in groups(0) for j in group) == sorted(norms.associates(bank)[0].tolist())


def test_the_separation_of_two_groups_is_one_less_their_conductance():
    A = np.zeros((5, 5))
    A[0, 1] = A[1, 0] = 3.0
    A[2, 3] = A[3, 2] = 1.0
    A[1, 2] = A[2, 1] = 0.5
    groups = np.array([0, 0, 1, 1, 2])
    found = communities._separation(sparse.csr_array(A), np.array([1.0, 1.0, 1.0, 1.0, 0.1]), groups)
    assert found == pytest.approx(1 - 0.5 / (2 * 1.0 + 0.5))
    assert communities._separation(sparse.csr_array(A), np.ones(5), np.zeros(5, dtype=int)) == 0.0


# fits


def test_fits_are_kept_and_read_again(norms, tmp_path, monkeypatch):
    small = ns.AspectMaps(n_maps=2, max_iter=30, input="probabilities", random_state=0, progress=False)
    monkeypatch.setattr(fits.ns, "AspectMaps", lambda **options: small)
    (made_now,) = fits.fits(norms, [3], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["planted_3.npz"]
    monkeypatch.setattr(fits.ns, "AspectMaps", None)
    (read,) = fits.fits(norms, [3], tmp_path)
    np.testing.assert_allclose(read.maps_, made_now.maps_, rtol=1e-6)
    np.testing.assert_array_equal(read.mixing_, made_now.mixing_)


def test_kept_fits_of_other_words_are_refused(norms, tmp_path):
    np.savez(tmp_path / "planted_0.npz", maps=np.zeros((2, 5, 2)), mixing=np.full((2, 5), 0.5))
    with pytest.raises(ValueError, match=r"planted_0.npz must have maps of 24 words, has 5"):
        fits.fits(norms, [0], tmp_path)


@pytest.fixture
def true_fit(norms):
    """One map of money with BANK in it, one of all else, BANK and HORSE among them."""
    bank, horse = numbers(norms, "bank", "horse")
    maps, mixing = np.zeros((2, len(norms.data), 2)), np.zeros((2, len(norms.data)))
    for m, group in enumerate((MONEY, RIVER + ANIMALS)):
        mixing[m, numbers(norms, *group)] = 1.0
    maps[1, [horse, *numbers(norms, *ANIMALS)]] = 5.0
    mixing[:, bank], mixing[:, horse] = (0.6, 0.4), (0.0, 1.0)
    return fits.Fit(maps, mixing, norms.data.P)


def test_copies_are_read_with_the_own_associates_near_them(asked, true_fit):
    bank, horse = asked.words
    answers = ours.copies(asked.norms, [true_fit], asked.words)
    found = [sorted(words) for words, _ in answers[bank].senses]
    assert found == [sorted(numbers(asked.norms, *group)) for group in (MONEY, RIVER)]
    assert (answers[bank].certainty, answers[horse].certainty) == (0.4, 0.0)
    assert scores.mark(asked, answers).right[0]


@pytest.mark.parametrize(("answers", "n_fits"), [(ours.components, 1), (ours.consensus, 2), (ours.company, 0)])
def test_each_reading_of_ours_finds_the_planted_senses(asked, true_fit, answers, n_fits):
    found = answers(asked.norms, [true_fit] * n_fits, asked.words)
    marks = scores.mark(asked, found)
    assert marks.right[0] and marks.whole[0] and marks.auc == 1.0
    assert not marks.split[0]


# the command


def test_the_command_keeps_a_row_for_each_method_and_norms(asked, file, true_fit, tmp_path, capsys):
    for seed in range(2):
        np.savez(tmp_path / f"planted_{seed}.npz", maps=true_fit.maps_, mixing=true_fit.mixing_)
    command = f"--norms {file} --methods spectral copies two --seeds 2 --fits {tmp_path} --output {tmp_path}"
    main(command.split())
    kept = json.loads((tmp_path / "senses_choose.json").read_text(encoding="utf-8"))
    methods = ["spectral clusters, by the gap", "spectral clusters, two", "random deal, two", "aspect maps, copies"]
    assert [row["method"] for row in kept["rows"]] == methods
    assert {row["norms"] for row in kept["rows"]} == {"planted"}
    assert [kept["rows"][k]["right, median"] for k in (0, 1, 3)] == [1, 1, 1]
    assert kept["rows"][3]["split, median"] == 0 and kept["rows"][3]["found again"] == 1
    assert kept["settings"]["half"] == "choose"
    assert "planted" in capsys.readouterr().out


def test_a_set_of_answers_has_fits_of_its_own(norms, true_fit, tmp_path):
    for seed in range(6):
        mixing = np.roll(true_fit.mixing_, seed, axis=1)
        np.savez(tmp_path / f"planted_{seed}.npz", maps=true_fit.maps_, mixing=mixing)
    three = Method("three", None, n_fits=3)
    found = source(three, norms, 1, tmp_path)
    assert [np.argmax(fit.mixing_[0] == 0.6) for fit in found] == [norms.find("bank") + k for k in (3, 4, 5)]
    assert source(Method("none", None), norms, 1, tmp_path) == 1


def test_models_of_answers_learn_and_the_rows_are_a_component(monkeypatch):
    data = ns.datasets.Dataset(title="planted", counts=planted_counts(per_word=60))
    train, test = answers.parts(data, 0)
    assert (train + test).sum() <= data.counts.sum() and (train.sum(axis=1) > 0).all()
    P = ns.affinities.from_counts(train)
    every = np.nonzero(~np.eye(P.shape[0], dtype=bool))
    for name in ("softmax", "single map"):
        (q,) = answers.of_vectors(name, P, [every], 0)
        np.testing.assert_allclose(np.bincount(every[0], q), 1)
    monkeypatch.setattr(answers, "of_maps", lambda P, pairs, seed: answers.of_vectors("softmax", P, pairs, seed))
    found = answers.costs(data, 0)
    for name in ("softmax", "single map", "50 maps, fitted to the rest"):
        assert found[name]["alone"] < found["how often words are given"]["alone"]
        assert found[name]["backed off"] < min(found[one]["alone"] for one in ("the rows", "how often words are given"))
