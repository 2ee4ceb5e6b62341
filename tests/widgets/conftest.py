"""A player's browser, without one."""

import pytest

from tests.standins.browser import Browser


@pytest.fixture
def browser(monkeypatch):
    browser = Browser(monkeypatch)
    yield browser
    for player in browser.players:
        player.close()
