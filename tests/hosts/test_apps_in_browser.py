"""The apps of the guide, each in its own server and a Chromium: the map moves, a knob turns, a word is found."""

import pytest

from tests.browser.conftest import browser  # noqa: F401
from tests.browser.pages import ExplorerView, PlayerView
from tests.hosts.apps import APPS, FRAMED, App, is_installed, make_pages, open_app, view_in

pytestmark = pytest.mark.browser


def installed(hosts):
    """Return a parameter for each host, which is skipped where the host is not installed."""
    reason = "not installed here; .ci/hosts installs it"
    return [pytest.param(one, marks=pytest.mark.skipif(not is_installed(one), reason=reason)) for one in hosts]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("apps")
    make_pages(folder)
    return folder


@pytest.fixture
def opened(browser, folder):  # noqa: F811
    """Start an app and open it: opened(host, widget, page); both are closed in the end, without a word of a mistake."""
    apps, pages = [], []

    def open_one(host, *instead):
        apps.append(App(host, folder, *instead))
        pages.append(open_app(browser, apps[-1]))
        if host == "solara":
            pages[-1].wait_for_load_state("networkidle")
            if "Could not load URL" in apps[-1].log():
                pytest.skip("Solara could not load its own files from its public server")
        return pages[-1]

    yield open_one
    for page in pages:
        page.close()
    for app in apps:
        app.close()
        assert "Traceback" not in app.log()


def search_for(view, word):
    """Search an explorer for a word, as a reader does."""
    view.until(lambda v: v.read("word") == "bank")
    view.search(word)
    view.until(lambda v: v.read("word") == word)
    view.until(lambda v: v.read("ready") == "true" and v.root.locator("article[data-map]").count() > 0)
    assert "bank" in view.root.inner_text()  # which is tied to it


@pytest.mark.parametrize("host", installed(APPS))
def test_the_map_moves_and_a_word_is_found(opened, host):
    page = opened(host)
    view = PlayerView(page, view_in(page, ".nsne-player", host in FRAMED))
    view.few = True  # nothing is opened first
    view.until(lambda v: v.status == "paused" and v.dots()[0] > 50)
    at, before = view.iteration, view.dots()
    assert at < 2
    view.press("play")
    view.until(lambda v: v.iteration > at and v.dots() != before)
    view.until_status("finished")
    assert view.iteration == 750

    ended = view.dots()
    view.control("main-perplexity").press("ArrowRight")
    view.until(lambda v: v.iteration > 750 and v.dots() != ended)
    if host not in FRAMED:
        assert page.locator(".nsne-player").bounding_box()["width"] > 1000

    search_for(ExplorerView(page, view_in(page, ".nsne-explorer", True)), "money")


@pytest.mark.parametrize("host", installed(host for host in APPS if host not in FRAMED))
def test_explorers_and_live_pages_take_the_place_of_players_and_other_pages(opened, host):
    explorer = "ns.explore(__import__('pages').model, __import__('pages').words, word='bank')"
    page = opened(host, explorer, "digits.html")
    search_for(ExplorerView(page, view_in(page, "body > :not(iframe) .nsne-explorer", False)), "money")
    live = PlayerView(page, view_in(page, ".nsne-player", True))
    live.few = True
    before = live.dots()
    live.press("play")
    live.until(lambda v: v.iteration > 1 and v.dots() != before)
