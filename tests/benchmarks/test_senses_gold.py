"""The gold list of homonyms: enough words, clear key words, fixed halves."""

from hashlib import sha256
from itertools import combinations

import pytest

from benchmarks.senses.gold import HALVES, gold


def test_both_halves_have_enough_words_of_both_kinds_and_make_up_the_list():
    halves = [gold(half) for half in HALVES]
    for half in halves:
        assert len(half.homonyms) >= 40 and len(half.controls) >= 40
    assert {**halves[0].homonyms, **halves[1].homonyms} == gold().homonyms
    assert sorted(halves[0].controls + halves[1].controls) == sorted(gold().controls)
    assert len(halves[0].homonyms) + len(halves[1].homonyms) == len(gold().homonyms)


def test_no_word_is_twice_in_the_list():
    assert len(set(gold().controls)) == len(gold().controls)
    assert not set(gold().controls) & set(gold().homonyms)


def test_each_meaning_has_its_own_key_words():
    faults = []
    for word, meanings in gold().homonyms.items():
        faults += [] if 2 <= len(meanings) <= 4 else [f"{word}: {len(meanings)} meanings"]
        for meaning, keys in meanings.items():
            faults += [] if 12 <= len(keys) <= 25 else [f"{word}, {meaning}: {len(keys)} words"]
            odd = {key for key in keys - {"d.c.", "u.s.", "mr.", "mrs."} if key != key.lower() or not key.isalpha()}
            faults += [f"{word}, {meaning}: {key}" for key in odd | keys & {word}]
        for one, other in combinations(meanings.values(), 2):
            faults += [f"{word}: {key} is a word of two meanings" for key in one & other]
    assert not faults, "\n".join(faults)


def test_halves_are_drawn_by_the_hashes_of_the_words():
    for part in ("homonyms", "controls"):
        first, second = ([sha256(word.encode()).hexdigest() for word in getattr(gold(half), part)] for half in HALVES)
        assert max(first) < min(second)


def test_an_unknown_half_is_refused():
    with pytest.raises(ValueError, match="half must be one of"):
        gold("third")
