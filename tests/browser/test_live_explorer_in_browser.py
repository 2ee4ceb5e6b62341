"""Pages of an explorer that compute, opened from disk with the network off: each control, by mouse and by finger."""

import numpy as np
import pytest

import notebook_sne as ns
from tests.browser import test_live_page_in_browser as live
from tests.browser.pages import PHONE
from tests.browser.test_live_page_in_browser import DESKTOP, SCREENS, choose, pause, press
from tests.browser.test_page_in_browser import NASTY, explorer, film
from tests.widgets.test_explorer_fits import NAMES, counts

pytestmark = pytest.mark.browser


def run_of(n_maps=4, steps=12, **settings):
    words = ns.datasets.load_common_words()
    model = ns.AspectMaps(n_maps=n_maps, perplexity=8, random_state=0, **{"max_iter": 100_000, **settings})
    run = ns.Run(model, words.X[:150])
    run.steps(steps)
    return run, list(words.names[:150])


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    run, names = run_of()
    return ns.explore(run, names, title="Common words", word="can").to_html(
        tmp_path_factory.mktemp("live") / "words.html", live=True
    )


def opened(open_page, path, **context):
    view = open_page(path, ".nsne-explorer", **context)
    view.until(lambda v: v.status == "paused" and v.read("ready") == "true")
    return view


def dots(view):
    """What the pictures of the word's maps show."""
    return view.part("senses").locator("article canvas").evaluate_all("all => all.map((c) => c.toDataURL()).join()")


@SCREENS
def test_a_fit_plays_pauses_steps_and_begins_anew(open_page, page_file, screen):
    view = opened(open_page, page_file, **screen)
    assert view.iteration == 12 and view.read("connected") == "true" and view.read("word") == "can"
    before = dots(view)
    press(view, "play")
    view.until(lambda v: v.status == "running" and v.iteration > 40 and dots(v) != before)
    pause(view)
    at = view.iteration
    press(view, "step")
    view.until(lambda v: v.iteration == at + 1 and v.status == "paused")
    assert f"step {at + 1}" in view.part("facts").inner_text() and "nats" in view.part("facts").inner_text()
    press(view, "restart")
    view.until(lambda v: v.iteration == 0 and v.status == "paused" and "step 0" in v.part("facts").inner_text())
    assert view.page.evaluate("scrollX") == 0


def test_a_fit_that_is_over_is_called_finished_once_it_was_played(open_page, tmp_path):
    run, names = run_of(max_iter=12)
    view = open_page(ns.explore(run, names, word="can").to_html(tmp_path / "x.html", live=True), ".nsne-explorer")
    view.until(lambda v: v.status == "finished" and v.read("ready") == "true")
    assert not view.part("status").is_visible() and "step 12" in view.part("facts").inner_text()
    press(view, "play")
    view.until(lambda v: v.iteration == 24 and v.part("status").inner_text() == "finished")


@SCREENS
def test_words_are_searched_and_read_while_it_computes(open_page, page_file, screen):
    view = opened(open_page, page_file, **screen)
    press(view, "play")
    view.until(lambda v: v.iteration > 60)
    view.search("they")
    view.until(lambda v: v.read("word") == "they" and int(v.read("shown")) >= 1)
    card = view.part("senses").locator("article").first
    listed = card.locator(".nsne-e-neighbors .nsne-e-word")
    view.until(lambda v: listed.count() >= 5)
    assert "they" not in listed.all_inner_texts()
    listed.first.click()
    view.until(lambda v: v.read("word") not in ("they", "") and v.status == "running")
    view.control("back").click()
    view.until(lambda v: v.read("word") == "they")
    assert view.page.url.endswith("#word=they")
    view.part("maps").locator("button").first.click()
    view.until(lambda v: v.read("map") == "0")
    pause(view)


@SCREENS
def test_knobs_turn_the_fit_and_its_cost_is_drawn(open_page, page_file, screen):
    view = opened(open_page, page_file, **screen)
    for part in ("knobs-section", "curve-section"):
        view.part(part).locator("summary").click()
    assert "long runs differ from Python's" in view.part("knobs").inner_text()
    field = view.control("knob-penalty")
    assert field.input_value() == "0.48"
    field.fill("0.1")
    field.press("Enter")
    press(view, "step")
    view.until(lambda v: v.iteration == 13 and v.control("knob-penalty-release").is_visible())
    field = view.control("knob-perplexity")
    field.fill("15")
    field.press("Enter")
    press(view, "step")
    view.until(lambda v: v.iteration == 14 and field.input_value() == "15")
    press(view, "knob-penalty-release")
    press(view, "step")
    view.until(lambda v: v.iteration == 15 and v.control("knob-penalty").input_value() == "0.48")
    painted = view.part("curve").evaluate(
        "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((x) => x).length"
    )
    assert painted > 500
    field = view.control("knob-learning_rate")
    field.fill("-3")
    field.press("Enter")
    view.until(lambda v: "out of range" in v.root.locator("[data-knob='learning_rate'] .nsne-why").inner_text())


def test_a_page_of_p_alone_holds_the_perplexity_and_says_why(open_page, tmp_path):
    run, names = run_of(steps=2)
    view = opened(open_page, ns.explore(run, names).to_html(tmp_path / "p.html", live=True, data="P"), **DESKTOP)
    view.part("knobs-section").locator("summary").click()
    assert view.control("knob-perplexity-slider").is_disabled() and not view.control("knob-perplexity").is_editable()
    assert "holds P alone" in view.root.locator("[data-knob='perplexity']").inner_text()
    press(view, "play")
    view.until(lambda v: v.iteration > 10)


def test_a_page_goes_on_as_python_does(open_page, page_file):
    run, names = run_of()
    view = opened(open_page, page_file, **DESKTOP)
    for k in range(3):
        press(view, "step")
        view.until(lambda v, k=k: v.iteration == 13 + k)
    state = run.steps(3)
    cost = float(view.part("facts").inner_text().split("cost ")[1].split(" ")[0].replace(",", ""))
    assert cost == pytest.approx(state.cost, rel=1e-3)
    i = names.index("can")
    shown = view.read("maps").split(",")
    assert set(map(int, shown)) == set(np.flatnonzero(state.mixing[:, i] > 0.1))


def test_a_player_of_several_maps_shows_the_first_and_says_what_it_cannot(open_page, tmp_path):
    run, names = run_of(steps=3)
    player = ns.Player(run, names=names)
    view = open_page(player.to_html(tmp_path / "player.html", live=True), ".nsne-player", **DESKTOP)
    player.close()
    view.until(lambda v: v.status == "paused" and v.dots()[0] > 50)
    view.until(lambda v: "map 1 of 4" in v.root.locator(".nsne-note").first.inner_text())
    press(view, "play")
    view.until(lambda v: v.iteration > 30)
    pause(view)
    disabled = view.control("color").locator("option:disabled").evaluate_all("all => all.map(o => o.value)")
    assert {"cost", "recall", "perturbation"} <= set(disabled)
    view.part("springs-section").locator("summary").click()
    assert "a model with one map" in view.part("springs-section").inner_text()
    before = view.iteration
    choose(view, "pace", "3")
    view.seek(0)
    view.until(lambda v: v.read("scrub") == "3")  # the film begins where the page was written: the run goes back there
    press(view, "go-on")
    view.until(lambda v: v.read("scrub") == "" and v.status == "running" and v.iteration < before)
    pause(view)


# ---- safe ----


def test_hostile_words_run_nothing_in_a_page_that_computes(open_page, tmp_path):
    run, _ = run_of(steps=20)
    names = [f"{i} {NASTY}" for i in range(150)]
    view = opened(open_page, ns.explore(run, names, title=NASTY, word=names[5]).to_html(tmp_path / "x.html", live=True))
    assert "onerror" in view.page.title() and "onerror" in view.part("word").inner_text()
    press(view, "play")
    view.until(lambda v: v.iteration > 40)
    view.control("words").click()
    view.part("maps").locator("button").first.click()
    view.until(lambda v: v.read("map") == "0")
    assert "onerror" in view.part("senses").inner_text()
    view.part("note").locator("summary").click()
    view.control("note").fill(NASTY)
    view.until(lambda v: "onerror" in "".join(v.root.locator(".nsne-e-noted:visible").all_inner_texts()))
    pause(view)


def test_a_live_page_is_saved_with_its_notes_as_it_was_written(open_page, page_file, tmp_path):
    view = opened(open_page, page_file, **DESKTOP)
    press(view, "play")
    view.until(lambda v: v.iteration > 30)
    view.part("note").locator("summary").click()
    view.control("note").fill("a verb")
    view.until(lambda v: v.root.locator(".nsne-e-noted:visible").all_inner_texts() == ["a verb"])
    with view.page.expect_download() as saved:
        view.control("save-page").click()
    again = opened(open_page, saved.value.path().rename(tmp_path / "again.html"), **DESKTOP)
    assert again.iteration == 12 and again.control("note").input_value() == "a verb"
    press(again, "step")
    again.until(lambda v: v.iteration == 13)


STOPPED = ["connect-src", "frame-src", "img-src", "require-trusted-types-for"]
TRIES = """async () => {
    const [stopped, outcomes] = [[], {}];
    addEventListener("securitypolicyviolation", (event) => stopped.push(event.effectiveDirective));
    await new Promise((done) => setTimeout(done)); // what is asked for from outside may evaluate texts
    const add = (tag, set) => document.body.append(Object.assign(document.createElement(tag), set));
    const tries = {
        compile: () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
        text: () => (0, eval)("window.hacked = 1"),
        make: () => new Function("window.hacked = 1")(),
        script: () => add("script", { text: "window.hacked = 1" }),
        markup: () => add("p", { innerHTML: "<img src=x onerror='window.hacked=1'>" }),
        picture: () => add("img", { src: "http://127.0.0.1:9/x.png" }),
        frame: () => add("iframe", { src: "data:text/html,x" }),
        load: () => fetch("http://127.0.0.1:9/"),
    };
    for (const [name, go] of Object.entries(tries))
        try { await go(); outcomes[name] = "done"; } catch { outcomes[name] = "refused"; }
    // A frame is stopped by another process, which tells it last.
    const open = () => EXPECTED.some((directive) => !stopped.includes(directive));
    for (let k = 0; k < 2400 && open(); k++) await new Promise((done) => setTimeout(done, 50));
    return [window.hacked ?? null, outcomes, stopped];
}""".replace("EXPECTED", str(STOPPED))


@pytest.mark.landing
def test_the_policy_of_every_page_holds_and_only_one_that_computes_may_compile(open_page, page_file, tmp_path):
    computing = (live.write(tmp_path), page_file)
    showing = (film().to_html(tmp_path / "film.html"), explorer().to_html(tmp_path / "senses.html"))
    for path in (*computing, *showing):
        view = open_page(path, ".nsne-player, .nsne-explorer")
        hacked, outcomes, stopped = view.page.evaluate(TRIES)
        assert hacked is None
        assert (outcomes["compile"], outcomes["load"]) == ("done" if path in computing else "refused", "refused")
        assert set(STOPPED) <= set(stopped)
        assert any("Content Security Policy" in text for text in view.said)
        view.said.clear()  # the complaints were asked for, as were requests that were stopped before they left
        view.requests[:] = [url for url in view.requests if not url.startswith("http://127.0.0.1:9/")]


def test_a_browser_that_cannot_compute_shows_the_maps_and_says_so(browser, page_file):
    there, words = "[data-part='senses'] article", "shows the maps as they were"
    live.shows_what_was_written(browser, page_file, there, words, live.NO_SIMD, **PHONE)


def test_counts_stand_beside_the_words_of_a_fit_that_goes_on(open_page, tmp_path):
    P = np.asarray(counts().toarray() if hasattr(counts(), "toarray") else counts(), dtype=float)
    P = P + 1e-3
    np.fill_diagonal(P, 0)
    P /= P.sum(axis=1, keepdims=True)
    run = ns.Run(ns.MultipleMapsTSNE(n_maps=2, input="probabilities", random_state=0), P)
    run.steps(30)
    told = ns.explore(run, NAMES, counts=counts(), word="CAN", threshold=0.0)
    view = opened(open_page, told.to_html(tmp_path / "counts.html", live=True), **DESKTOP)
    press(view, "step")
    view.until(lambda v: v.iteration == 31)
    assert "from CAN" in view.part("senses").inner_text() or "to CAN" in view.part("senses").inner_text()
