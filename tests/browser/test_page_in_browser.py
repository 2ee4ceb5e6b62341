"""Pages opened from disk, with the network off and no kernel: they are whole, and run nothing of the data's."""

from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from notebook_sne.browser.widgets.explore import explore
from notebook_sne.engine.runs.aligned_maps import AlignedMaps
from notebook_sne.engine.runs.recording import Recording
from tests.browser.pages import PHONE, frames, screen, silence
from tests.standins import Drifting

pytestmark = [pytest.mark.browser, pytest.mark.landing]

NASTY = "<b></script><img src=x onerror='window.hacked=1'>]]>\u202eRTL\x00 \ud800"


# ---- the explorer ----

GROUPS = ["CAN TRASH GARBAGE WASTE DUMP", "CAN BOTTLE BEER GLASS WINE", "TEAM GAME SCORE COACH PLAYER"]


def explorer(names=None, **more):
    words = sorted({word for group in GROUPS for word in group.split()})
    rng = np.random.default_rng(4)
    maps, mixing = rng.normal(0, 6, (3, len(words), 2)), np.full((3, len(words)), 0.01)
    for m, group in enumerate(GROUPS):
        for word in group.split():
            maps[m, words.index(word)] = rng.normal(0, 0.5, 2)
            mixing[m, words.index(word)] = 1
    model = SimpleNamespace(maps_=maps, mixing_=mixing / mixing.sum(axis=0))
    return explore(model, words if names is None else [names(word) for word in words], **more)


def test_the_explorers_page_works_without_a_kernel(open_page, tmp_path):
    path = explorer(title="Senses", word="CAN").to_html(tmp_path / "senses.html")
    view = open_page(path, ".nsne-explorer")
    assert view.page.title() == "Senses"
    view.until(lambda v: v.read("word") == "CAN" and v.read("maps") == "0,1" and v.read("ready") == "true")
    assert not view.control("play").count() and not view.control("pause").count()
    before = view.control("threshold").evaluate("e => e.value")
    assert before == "0.1"
    view.control("threshold").evaluate("e => { e.value = 0.6; e.dispatchEvent(new Event('input', {bubbles: true})); }")
    view.until(lambda v: v.read("maps") == "")
    view.control("threshold").evaluate("e => { e.value = 0; e.dispatchEvent(new Event('input', {bubbles: true})); }")
    view.until(lambda v: v.read("maps") == "0,1,2")
    view.control("search").fill("bee")
    view.page.keyboard.press("ArrowDown")
    view.page.keyboard.press("Enter")
    view.until(lambda v: v.read("word") == "BEER")
    view.root.locator("article[data-map='1'] li", has_text="WINE").locator("button").click()
    view.until(lambda v: v.read("word") == "WINE")
    view.control("back").click()
    view.until(lambda v: v.read("word") == "BEER")
    view.control("map").nth(2).click()
    assert view.part("whole-map").is_visible() and "TEAM" in view.part("whole-map").inner_text()
    view.control("zoom-in").click()
    assert "held" in view.part("map-note").inner_text()
    silence(view.page)
    assert "kernel" not in view.root.inner_text()
    view.search("glass")
    view.until(lambda v: v.read("word") == "GLASS")


def test_hostile_words_are_words_on_the_explorers_page(open_page, tmp_path):
    path = explorer(names=lambda word: f"{word} {NASTY}", title=NASTY, word=0).to_html(tmp_path / "senses.html")
    view = open_page(path, ".nsne-explorer")
    view.until(lambda v: v.read("ready") == "true")
    assert "onerror" in view.page.title() and "onerror" in view.part("title").inner_text()
    view.control("map").nth(1).click()
    view.search("<script>window.hacked=1</script>")
    assert "onerror" in view.part("whole-map").inner_text()


# ---- films ----


def film(n_objects=60, frames=40, **facts):
    recording = Recording()
    for state in islice(Drifting().iterate(np.zeros((n_objects, 2))), frames):
        recording.add(state)
    return recording.describe(**facts)


def open_film(open_page, path, **context):
    view = open_page(path, ".nsne-player", **context)
    view.until(lambda v: int(v.read("film") or 0) > 0 and v.dots()[0] > 50)
    return view


def test_a_films_page_plays_and_seeks_and_shows_its_objects(open_page, tmp_path):
    recording = film(
        labels=["even", "odd"] * 30, values=np.arange(60.0), names=[f"object {i}" for i in range(60)],
        neighbors=[[(i + 1) % 60, (i + 2) % 60] for i in range(60)], title="Sixty points",
        images=np.arange(60 * 16).reshape(60, 4, 4) % 255,
    )  # fmt: skip
    view = open_film(open_page, recording.to_html(tmp_path / "film.html"))
    assert view.page.title() == "Sixty points" and view.part("title").inner_text() == "Sixty points"
    assert (view.read("live"), view.read("film"), view.read("scrub")) == ("false", "40", "")
    assert not view.control("play").count() and not view.control("restart").count()
    last = view.dots()

    view.seek(0)
    view.until(lambda v: v.read("scrub") == "0")
    first = view.dots()
    assert first != last
    view.seek(20)
    view.until(lambda v: v.read("scrub") == "20" and v.dots() != first)
    assert view.part("iteration").inner_text() == "20"
    view.root.press("]")
    view.until(lambda v: v.read("scrub") == "21")
    view.page.keyboard.press("[")
    view.page.keyboard.press("[")
    view.until(lambda v: v.read("scrub") == "19")

    view.seek(0)
    view.until(lambda v: v.read("scrub") == "0")
    view.control("film-play").click()
    seen = set()
    view.until(lambda v: seen.add((v.read("scrub"), v.dots())) or len(seen) > 4)
    view.until(lambda v: v.read("scrub") in ("", "39"))
    view.until(lambda v: v.part("iteration").inner_text() == "39")

    assert view.read("color") == "label" and "odd" in view.part("legend").inner_text()
    view.search("object 42")
    view.until(lambda v: v.read("selected") == "1")
    view.page.keyboard.press("Escape")
    found = view.hover_something()
    card = view.part("card").inner_text()
    assert found and "object" in card and ("odd" in card or "even" in card)
    painted = view.dots()
    view.control("color").select_option("value")
    view.until(lambda v: v.read("color") == "value" and v.dots() != painted)
    view.control("color").select_option("none")
    view.until(lambda v: v.read("color") == "none")


def test_hostile_names_labels_and_titles_are_texts_on_a_films_page(open_page, tmp_path):
    names = [f"{i} {NASTY}" for i in range(60)]
    recording = film(labels=[f"{NASTY}{i % 3}" for i in range(60)], names=names, title=NASTY)
    view = open_film(open_page, recording.to_html(tmp_path / "film.html"))
    assert "onerror" in view.page.title() and "onerror" in view.part("title").inner_text()
    assert "hacked" in view.part("legend").inner_text()  # shortened
    assert view.hover_something()
    assert "hacked" in view.part("card").inner_text()
    view.control("search").fill("<img src=x onerror=window.hacked=1>")
    view.search("7 <b></script>")
    frames(view.page)
    for kind, begin in (("png", b"\x89PNG"), ("svg", b"<svg")):
        name, content = view.saved(kind)
        assert begin in content[:200] and name.endswith(f".{kind}")
    assert b"<img" not in content and b"<b>" not in content


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (390, 844)])
def test_a_films_page_begins_with_a_button_that_says_play(open_page, tmp_path, size):
    phone = size[0] < 500
    view = open_film(open_page, film().to_html(tmp_path / "film.html"), **screen(*size))
    knob = view.root.locator("[data-main-knob]")
    assert view.read("controls") == "few" and knob.count() == 1 and not knob.is_visible()  # none that cannot be turned
    assert not view.root.locator(".nsne-brief").is_visible()  # a run has no steps with names
    play = view.control("film-play")
    box = play.bounding_box()
    assert play.inner_text() == "Play" and 0 <= box["y"] and box["y"] + box["height"] <= size[1]  # in sight
    assert box["height"] >= (44 if phone else 40) and box["width"] >= 100
    ground = "e => getComputedStyle(e).backgroundColor"
    others = view.root.locator("button:not(.nsne-primary)").evaluate_all(f"all => all.map({ground})")
    assert play.evaluate(ground) not in others  # it alone is filled
    (play.tap if phone else play.click)()
    view.until(lambda v: play.inner_text() == "Pause" and v.read("scrub") != "")
    view.until(lambda v: v.part("iteration").inner_text() == "39" and play.inner_text() == "Replay")


def test_play_stays_in_sight_over_a_table_under_a_long_hint(open_page, tmp_path):
    kinds = ["networkx", "numpy", "pandas", "scikit-learn", "scipy"] * 12  # in a line, below names
    path = film(labels=kinds, names=[f"object {i}" for i in range(60)]).to_html(tmp_path / "film.html")
    view = open_film(open_page, path, **PHONE)
    view.few = True
    view.root.press("d")
    view.root.locator(".nsne-drawer-main").wait_for()
    view.page.evaluate("scrollTo(0, 0)")
    box = view.control("film-play").bounding_box()
    assert box["y"] + box["height"] <= 844


def test_a_film_is_printed_in_its_shape_and_in_the_colors_of_paper(open_page, tmp_path):
    path = film(labels=np.arange(60) % 3).to_html(tmp_path / "film.html")
    view = open_film(open_page, path, viewport={"width": 1280, "height": 800}, color_scheme="dark")
    corner = "canvas => [...canvas.getContext('2d').getImageData(2, 2, 1, 1).data.slice(0, 3)]"
    canvas, bars = view.root.locator("canvas.nsne-map"), [".nsne-foot", ".nsne-search", ".nsne-first", ".nsne-hand"]
    box = canvas.bounding_box()
    dark, curve = canvas.evaluate(corner), view.root.locator(".nsne-film-curve").evaluate("c => c.toDataURL()")
    view.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert max(dark) < 80 and canvas.evaluate(corner) == [255, 255, 255]
    view.page.emulate_media(media="print", color_scheme="dark")
    shape = view.root.locator(".nsne-stage").evaluate("stage => getComputedStyle(stage).aspectRatio")
    assert shape == f"{box['width']:.0f} / {box['height']:.0f}"
    assert not any(view.root.locator(bar).is_visible() for bar in [*bars, ".nsne-above"])
    assert view.root.locator(".nsne-brief").inner_text().startswith("step 39")
    view.page.emulate_media(media="screen", color_scheme="dark")
    view.page.evaluate("dispatchEvent(new Event('afterprint'))")
    view.until(lambda v: canvas.evaluate(corner) == dark)
    view.until(lambda v: v.root.locator(".nsne-film-curve").evaluate("c => c.toDataURL()") == curve)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_film_of_aligned_maps_says_which_step_is_shown(open_page, tmp_path, size):
    maps, rows = np.random.default_rng(0).normal(size=(3, 60, 2)), (np.arange(60),) * 3
    years = AlignedMaps(("1990", "1991", "1992"), (*maps,), (*range(60),), rows, np.zeros(3), 0.0, 1, "TSNE")
    viewport = screen(*size)["viewport"]
    view = open_film(open_page, years.film().to_html(tmp_path / "film.html"), viewport=viewport)
    step = view.root.locator(".nsne-brief")
    assert view.read("controls") == "few" and step.is_visible() and step.inner_text() == "1992"
    view.few = True
    view.seek(0)
    view.until(lambda v: step.inner_text() == "1990")
    view.root.press("m")
    view.until(lambda v: v.read("compact") == "true")
    assert step.is_visible() and step.inner_text() == "1990"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_follow_the_system_and_fit_a_small_screen(open_page, tmp_path, scheme):
    recording = film(labels=np.arange(60) % 3, title="Sixty points")
    view = open_film(
        open_page,
        recording.to_html(tmp_path / "film.html"),
        viewport={"width": 400, "height": 800},
        color_scheme=scheme,
    )
    ground = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground.removeprefix("rgb(").rstrip(")").split(","))) < 200) == (scheme == "dark")
    assert view.root.evaluate("root => root.getBoundingClientRect().width") == 400


def test_a_page_without_scripts_says_what_it_needs(browser, tmp_path):
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(film().to_html(tmp_path / "film.html").as_uri())
    assert "Allow scripts for this file" in page.locator("body").inner_text()
    context.close()


def test_a_damaged_page_says_so(browser, tmp_path):
    path = film().to_html(tmp_path / "film.html")
    text = path.read_text()
    at = text.index('"film":"') + 400
    path.write_text(text[:at] + "AAAAAAAA" + text[at + 8 :])
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator("main p").wait_for()
    assert page.locator("main p").inner_text().startswith("This page cannot be shown here: ")
    context.close()
