"""Texts on their way to the browser, and back."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from notebook_sne.browser.widgets.explore import explore
from notebook_sne.browser.widgets.player import watch
from notebook_sne.browser.widgets.texts import as_sent
from tests.standins import Drifting

NAMES = ["plain", "half \ud800", "other \udfff half", "whole 👩", "nul \0"]
SENT = ["plain", "half \ufffd", "other \ufffd half", "whole 👩", "nul \0"]


def test_half_of_a_pair_is_sent_as_an_unknown_character_and_the_rest_as_it_is():
    assert as_sent(NAMES) == SENT and as_sent(NAMES[1]) == SENT[1] and as_sent(None) is None


@pytest.mark.parametrize("name", ["names", "class_names", "title", "message"])
def test_what_a_player_sends_is_utf8_and_what_it_keeps_is_what_was_given(name):
    player = watch(Drifting(), np.zeros((5, 2)), names=NAMES, labels=NAMES, title=NAMES[1], autoplay=False)
    player.message = NAMES[2]
    kept = getattr(player, name)
    sent = player.get_state(name)[name]
    assert json.dumps(sent, ensure_ascii=False).encode("utf-8") and sent == as_sent(kept) and sent != kept
    player.discard()


def test_a_word_goes_to_the_browser_and_comes_back_as_itself():
    model = SimpleNamespace(maps_=np.zeros((1, 5, 2)), mixing_=np.ones((1, 5)))
    explorer = explore(model, NAMES, word=NAMES[1])
    assert explorer.get_state("word") == {"word": SENT[1]} and explorer.get_state("names") == {"names": SENT}
    for name, sent in zip(NAMES, SENT, strict=True):
        explorer.set_state({"word": sent})  # as the browser does
        assert explorer.word == name
    explorer.discard()
