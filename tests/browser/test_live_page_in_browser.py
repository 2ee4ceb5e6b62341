"""Pages that compute, opened from disk with the network off: each control, under a mouse and under fingers."""

import time

import pytest

import notebook_sne as ns
from tests.browser.jupyter import FLAGS, chromium_path
from tests.browser.pages import PHONE, drag, stroke
from tests.browser.test_page_in_browser import NASTY
from tests.browser.test_touch_in_browser import Fingers, inside, place_of_a_mark

pytestmark = pytest.mark.browser

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
SCREENS = pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])


def write(path, model=None, n=120, steps=3, data=None, **facts):
    """Write the page of a run of some digits after a few updates."""
    digits = ns.datasets.load_digits()
    model = model or ns.TSNE(perplexity=10, random_state=0, max_iter=100_000)
    facts = {"labels": digits.labels[:n], "names": [f"digit {i}" for i in range(n)], **facts}
    player = ns.Player(ns.Run(model, digits.X[:n]), **facts)
    player.run.steps(steps)
    place = player.to_html(path / "live.html", live=True, data=data)
    player.close()
    return place


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    return write(tmp_path_factory.mktemp("live"), images=ns.datasets.load_digits().images[:120])


def opened(open_page, path, **context):
    view = open_page(path, ".nsne-player", **context)
    view.until(lambda v: v.status == "paused" and v.read("live") == "true" and v.dots()[0] > 50)
    return view


def press(view, name):
    """Press a control by mouse or by finger, whichever this screen has; one that is out of sight is scrolled to."""
    control = view.control(name).first
    (control.tap if view.page.evaluate("navigator.maxTouchPoints") else control.click)()


def choose(view, name, value):
    view.control(name).select_option(value)


def pause(view):
    press(view, "pause")
    view.until(lambda v: v.status == "paused" and v.read("pending") == "")


@pytest.mark.landing
@SCREENS
def test_a_page_plays_pauses_steps_and_begins_anew(open_page, page_file, screen):
    view = opened(open_page, page_file, **screen)
    assert view.iteration == 3 and view.read("connected") == "true"
    before = view.dots()
    press(view, "play")
    view.until(lambda v: v.status == "running" and v.iteration > 30 and v.dots() != before)
    pause(view)
    at = view.iteration
    press(view, "step")
    view.until(lambda v: v.iteration == at + 1 and v.status == "paused")
    choose(view, "pace", "3")
    press(view, "play")
    view.until(lambda v: v.status == "running")
    began, slow = time.monotonic(), view.iteration
    view.until(lambda v: v.iteration >= slow + 6)
    assert time.monotonic() - began >= 1  # three a second: a slow machine only takes longer
    pause(view)
    press(view, "restart")
    view.until(lambda v: v.iteration == 0 and v.status == "paused")
    assert view.page.evaluate("scrollX") == 0


@pytest.mark.landing
@SCREENS
def test_knobs_and_methods_change_the_run(open_page, page_file, screen):
    view = opened(open_page, page_file, **screen)
    field = view.control("knob-perplexity")
    field.fill("25")
    field.press("Enter")
    press(view, "step")
    view.until(lambda v: v.iteration == 4 and field.input_value() == "25")
    marks = view.root.locator(".nsne-sign[data-kind='knob']")
    view.until(lambda v: marks.count() == 1)
    press(view, "knob-perplexity-release")
    press(view, "step")
    view.until(lambda v: v.iteration == 5 and field.input_value() == "10")
    field.fill("500")
    field.press("Enter")
    view.until(lambda v: "out of range" in v.root.locator("[data-knob='perplexity'] .nsne-why").inner_text())
    field.press("Escape")
    press(view, "method")
    press(view, "method-UNISNE")
    view.until(lambda v: v.control("knob-background").count() == 1)
    press(view, "step")
    view.until(lambda v: v.iteration == 6)
    press(view, "method-paper-SNE")
    view.until(lambda v: v.iteration == 0 and v.control("knob-background").count() == 0)
    press(view, "step")
    view.until(lambda v: v.iteration == 1)


@SCREENS
def test_umap_is_computed_turned_and_left_for_tsne(open_page, tmp_path, screen):
    model = ns.UMAP(n_neighbors=10, random_state=0, max_iter=100_000)
    view = opened(open_page, write(tmp_path, model), **screen)
    press(view, "play")
    view.until(lambda v: v.iteration > 60)
    field = view.control("knob-min_dist")
    field.fill("0.8")
    field.press("Enter")
    view.until(lambda v: v.root.locator(".nsne-sign[data-kind='knob']").count() == 1)
    at = view.iteration
    view.until(lambda v: v.iteration > at + 20 and v.status == "running")
    pause(view)
    press(view, "method")
    for name, knobs in (("TSNE", (0, 1)), ("UMAP", (1, 1))):  # UMAP then has the P of t-SNE, and its perplexity
        press(view, f"method-{name}")
        of = ("min_dist", "perplexity")
        view.until(lambda v, of=of, wanted=knobs: tuple(v.control(f"knob-{knob}").count() for knob in of) == wanted)
        at = view.iteration
        press(view, "step")
        view.until(lambda v, at=at: v.iteration == at + 1)
    field = view.control("knob-spread")
    field.fill("0.02")
    field.press("Enter")
    press(view, "step")
    view.until(lambda v: v.status == "error")
    assert "min_dist must be at most spread, got min_dist=0.03 and spread=0.02; lower" in view.root.inner_text()


def test_what_a_page_cannot_do_is_greyed_with_the_reason(open_page, page_file, tmp_path):
    view = opened(open_page, page_file, **DESKTOP)
    press(view, "method")
    mds = view.control("method-MetricMDS")
    assert mds.is_disabled() and "Only Python computes metric MDS" in mds.inner_text()
    assert "long runs differ from Python's" in view.part("knobs").inner_text()
    colors = view.control("color").locator("option:disabled").evaluate_all("all => all.map(o => o.value)")
    assert colors == ["perturbation"]
    view = opened(open_page, write(tmp_path, data="P"), **DESKTOP)
    colors = view.control("color").locator("option:disabled").all_inner_texts()
    assert len(colors) == 3 and sum("the page holds P alone" in color for color in colors) == 2
    assert view.control("knob-perplexity-slider").is_disabled()
    assert not view.control("knob-perplexity").is_editable()
    assert "holds P alone" in view.root.locator("[data-knob='perplexity']").inner_text()
    assert view.control("knob-momentum").is_editable()
    press(view, "play")
    view.until(lambda v: v.iteration > 10)


@SCREENS
def test_the_film_can_be_gone_back_to_and_left_for_the_present(open_page, page_file, screen):
    view = opened(open_page, page_file, **screen)
    for k in range(4, 24):
        press(view, "step")
        view.until(lambda v, k=k: v.iteration == k)
    view.rest()
    shown = view.dots()
    view.seek(12)
    view.until(lambda v: v.read("scrub") != "" and v.dots() != shown)
    scrubbed = int(view.read("scrub"))
    press(view, "go-on")
    view.until(lambda v: v.read("scrub") == "" and v.status == "running")
    pause(view)
    assert scrubbed < view.iteration
    press(view, "restart")
    view.until(lambda v: v.iteration == 0)


@pytest.mark.landing
def test_an_object_is_dragged_held_and_seen_closely(open_page, page_file):
    view = opened(open_page, page_file, **DESKTOP)
    for k in range(4, 7):
        press(view, "step")
        view.until(lambda v, k=k: v.iteration == k)
    view.rest()
    x, y = place_of_a_mark(view)
    drag(view.page, (x, y), (x + 80, y + 60))
    view.until(lambda v: v.root.locator(".nsne-sign[data-kind='moved']").count() == 1)
    view.root.press("Escape")
    view.search("digit 77")
    view.until(lambda v: v.read("selected") == "1")
    view.part("springs-section").locator("summary").click()
    press(view, "springs")
    view.until(lambda v: v.part("springs").is_visible() and v.part("springs").locator("tbody tr:visible").count() >= 5)
    press(view, "pin")
    view.until(lambda v: v.read("pinned") == "1")
    choose(view, "color", "cost")
    view.until(lambda v: v.read("color") == "cost" and "nats" in v.part("legend").inner_text())
    press(view, "play")
    view.until(lambda v: v.iteration > 30)
    pause(view)
    assert view.read("pinned") == "1"


def test_fingers_drag_a_point_while_the_page_computes(open_page, page_file):
    view = opened(open_page, page_file, **PHONE)
    press(view, "play")
    view.until(lambda v: v.iteration > 20)
    stage, fingers = view.root.locator(".nsne-stage"), Fingers(view.page)
    stage.scroll_into_view_if_needed()
    fingers.tap(inside(stage.bounding_box(), 0.03, 0.95))
    view.until(lambda v: stage.get_attribute("data-finger") == "map")

    def takes_hold(v):  # on a busy machine the mark may have gone on before the finger comes: then the map is moved
        begin = place_of_a_mark(v)
        fingers.drag((begin, (begin[0] + 40, begin[1] + 60)))
        at = v.iteration
        v.until(lambda v: v.iteration > at + 2)
        return v.root.locator(".nsne-sign[data-kind='moved']").count() == 1

    view.until(takes_hold)
    pause(view)


@SCREENS
def test_pictures_of_the_present_and_a_film_of_what_was_computed_can_be_saved(open_page, page_file, screen):
    view = opened(open_page, page_file, **screen)
    if screen is not DESKTOP:
        press(view, "more")  # a phone has the tools in its menu
    press(view, "images")
    for kind, begin in (("png", b"\x89PNG"), ("svg", b"<svg")):
        assert begin in view.saved(kind, lambda name: press(view, name))[1][:200]
    if screen is DESKTOP:
        press(view, "play")
        view.until(lambda v: v.iteration > 20)
        pause(view)
        assert view.saved("video")[1][:4] == b"\x1aE\xdf\xa3"  # as WebM begins
        press(view, "play")
        view.until(lambda v: v.status == "running")


def test_a_lasso_selects_while_the_page_computes_and_a_hidden_page_rests(open_page, page_file):
    view = opened(open_page, page_file, **DESKTOP)
    press(view, "play")
    view.until(lambda v: v.iteration > 20)
    press(view, "lasso")
    corners = ((0.05, 0.05), (0.95, 0.05), (0.95, 0.95), (0.05, 0.95), (0.05, 0.06))
    stroke(view.page, view.root.locator(".nsne-stage"), *corners)
    view.until(lambda v: int(v.read("selected")) > 50)
    at = view.iteration
    view.until(lambda v: v.iteration > at)
    other = view.context.new_page()
    other.bring_to_front()
    if view.page.evaluate("document.hidden"):  # not every headless browser hides a page behind another one
        view.rest(lambda: view.iteration)
    other.close()


@pytest.mark.parametrize("perplexity", [10, [5, 30], "multiscale"])
def test_a_page_goes_on_as_python_does(open_page, tmp_path, perplexity):
    digits = ns.datasets.load_digits()
    run = ns.Run(ns.SNE(perplexity=perplexity, random_state=0, max_iter=60), digits.X[:120])
    run.steps(10)
    view = opened(open_page, ns.Player(run).to_html(tmp_path / "live.html", live=True), **DESKTOP)
    if perplexity == [5, 30]:  # the knob is the largest: at 12 the other is 2, and at 6 it would be 1
        field = view.control("knob-perplexity")
        field.fill("6")
        field.press("Enter")
        view.until(lambda v: "out of range" in v.root.locator("[data-knob='perplexity'] .nsne-why").inner_text())
        field.fill("12")
        field.press("Enter")
        run.set(perplexity=12)
    press(view, "play")
    view.until(lambda v: v.status == "finished" and v.iteration == 60)
    view.rest()
    cost = view.part("cost").inner_text()
    assert float(cost.split()[0]) == pytest.approx(run.steps(50).cost, rel=1e-3)
    run.close()


def test_the_page_finds_how_many_neighbors_are_kept_and_how_far_objects_are(open_page, page_file):
    view = opened(open_page, page_file, **DESKTOP)
    choose(view, "color", "recall")
    view.until(lambda v: "how many are nearest in the map" in v.part("legend").inner_text())
    x, y = place_of_a_mark(view)
    view.page.mouse.move(x, y)
    view.until(lambda v: "% of its neighbors kept" in v.part("card").inner_text())
    choose(view, "color", "distance")
    view.page.mouse.move(x, y)
    view.until(lambda v: "distances are from here" in v.part("card").inner_text())
    assert "in the data's unit" in view.part("legend").inner_text()


# ---- safe ----


def test_hostile_names_run_nothing_in_a_page_that_computes(open_page, tmp_path):
    path = write(
        tmp_path,
        labels=[f"{NASTY}{i % 3}" for i in range(120)],
        names=[f"{i} {NASTY}" for i in range(120)],
        title=NASTY,
    )
    view = opened(open_page, path)
    assert "onerror" in view.page.title() and "hacked" in view.part("legend").inner_text()
    assert view.hover_something()
    press(view, "pin")
    press(view, "play")
    view.until(lambda v: v.iteration > 10)
    assert "hacked" in view.part("card").inner_text()


NO_SIMD = "WebAssembly.instantiate = () => Promise.reject(new WebAssembly.CompileError('no SIMD'));"
NO_WASM = "delete globalThis.WebAssembly;"


def shows_what_was_written(browser, path, there, words, script="", **how):
    """A page that cannot compute shows what there is, and says so; return its root's data."""
    context = browser.new_context(offline=True, **how)
    page = context.new_page()
    page.add_init_script(script)
    page.goto(path.as_uri())
    page.locator(there).first.wait_for()
    root = page.locator(".nsne-player, .nsne-explorer")
    assert words in root.inner_text() and not page.locator("[data-control=play]").first.is_visible()
    told = root.evaluate("root => ({ ...root.dataset })")
    context.close()
    return told


def shows_the_film_alone(browser, path, script=""):
    film = ".nsne-player[data-film]:not([data-film='0'])"
    assert shows_what_was_written(browser, path, film, "shows the film alone", script)["live"] == "false"


@pytest.mark.parametrize("script", [NO_SIMD, NO_WASM], ids=["no SIMD", "no WebAssembly"])
def test_a_browser_that_cannot_compute_shows_the_film_and_says_so(browser, page_file, script):
    shows_the_film_alone(browser, page_file, script)


def test_so_does_one_whose_processor_has_no_vectors(browser, page_file):
    flags = [*FLAGS, "--js-flags=--no-enable-ssse3 --no-enable-sse4-1"]  # which WebAssembly's vectors are made of
    other = browser.browser_type.launch(executable_path=chromium_path(), args=flags)
    try:
        shows_the_film_alone(other, page_file)
    finally:
        other.close()
