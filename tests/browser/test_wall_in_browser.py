"""The wall: a view in full screen is read from the last row; its height in a notebook is dragged and remembered."""

import dataclasses
from itertools import islice

import numpy as np
import pytest

from notebook_sne.engine.runs.recording import Recording
from tests.browser.pages import drag, screen
from tests.browser.test_page_in_browser import film, open_film
from tests.standins import Drifting

pytestmark = pytest.mark.browser

PREPARE = (
    "import numpy as np\nfrom tests.standins import Drifting\nfrom notebook_sne.browser.widgets.player import watch\n"
)
# Height of the smallest type that is shown, as the screen has it.
SMALLEST = """root => {
    const zoom = Number(root.style.getPropertyValue("--nsne-zoom")), sizes = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { parentElement: element, textContent } = walk.currentNode;
        const [box] = element.getClientRects();
        if (textContent.trim() && box && box.width > 2) sizes.push(parseFloat(getComputedStyle(element).fontSize));
    }
    return zoom * Math.min(...sizes);
}"""

# The first and the last row that is painted, as the screen has it.
PAINTED_ROWS = """canvas => {
    const { width, height } = canvas, box = canvas.getBoundingClientRect();
    const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
    const rows = [...pixels.keys()].filter((i) => pixels[i] !== pixels[0]).map((i) => Math.floor(i / width));
    return [rows.at(0), rows.at(-1) + 1].map((row) => box.y + (row * box.height) / height);
}"""


def in_sight(view, part):
    """Whether a part is on the screen, and nothing lies over its middle."""
    return view.part(part).evaluate(
        """e => { const b = e.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2;
            const there = b.width > 0 && b.right <= innerWidth && b.bottom <= innerHeight;
            return there && e.contains(document.elementFromPoint(x, y)); }"""
    )


def test_full_screen_is_a_presentation(open_page, tmp_path):
    recording = film(labels=["even", "odd"] * 30, names=[f"object {i}" for i in range(60)])
    view = open_film(open_page, recording.to_html(tmp_path / "film.html"), viewport={"width": 1920, "height": 1080})
    page, root = view.page, view.root
    view.control("fullscreen").click()
    view.until(lambda v: v.read("wall") == "true")
    assert root.evaluate(SMALLEST) >= 0.02 * 1080
    stage = root.locator(".nsne-stage").bounding_box()
    assert stage["width"] * stage["height"] > 0.7 * 1920 * 1080
    view.rest()
    page.evaluate("addEventListener('pointermove', e => { window.hovered = [e.clientX, e.clientY]; })")
    assert view.hover_something()  # what lies under the pointer is found on the enlarged map
    ring = root.locator(".nsne-ring").bounding_box()
    over = page.evaluate("hovered")
    reach = 12 * float(root.evaluate("e => e.style.getPropertyValue('--nsne-zoom')"))
    assert (
        abs(ring["x"] + ring["width"] / 2 - over[0]) < reach and abs(ring["y"] + ring["height"] / 2 - over[1]) < reach
    )
    root.locator("summary").first.click()
    root.locator("aside").evaluate("side => { side.scrollTop = side.scrollHeight; }")
    for part in ("iteration", "cost"):
        assert in_sight(view, part), part

    root.press("Home")
    view.until(lambda v: v.read("scrub") == "0")
    page.keyboard.press("PageDown")  # as a presenter's keys send: the next mark, or the end
    view.until(lambda v: v.part("iteration").inner_text() == "39")
    page.keyboard.press("PageUp")
    view.until(lambda v: v.read("scrub") == "0")
    page.keyboard.press("Space")
    view.until(lambda v: v.read("quiet") == "true")  # nobody moves a hand
    assert root.locator(".nsne-foot").evaluate("e => getComputedStyle(e).pointerEvents") == "none"
    assert in_sight(view, "iteration") and in_sight(view, "cost")
    page.mouse.move(300, 400)
    view.until(lambda v: v.read("quiet") == "false")
    page.keyboard.press("f")
    view.until(lambda v: v.read("wall") == "false")


def test_nothing_lies_over_a_map_on_the_wall(open_page, tmp_path):
    recording = Recording()
    for state in islice(Drifting().iterate(np.zeros((60, 2))), 3):
        tall = np.column_stack([np.arange(60) % 2 / 10, np.linspace(-1, 1, 60)])
        recording.add(dataclasses.replace(state, Y=tall[None]))
    path = recording.describe(names=[f"object {i}" for i in range(60)]).to_html(tmp_path / "film.html")
    view = open_film(open_page, path, viewport={"width": 1920, "height": 1080})
    view.control("names").select_option("none")
    view.control("fullscreen").click()
    view.until(lambda v: v.read("wall") == "true")
    view.rest()
    top, low = view.root.locator(".nsne-stage > canvas").evaluate(PAINTED_ROWS)
    head = view.root.locator(".nsne-head").bounding_box()
    assert head["y"] + head["height"] <= top < low <= view.part("scale").bounding_box()["y"]


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (390, 844)])
def test_what_is_shown_at_first_fills_the_wall_from_edge_to_edge(open_page, tmp_path, size):
    view = open_film(open_page, film(labels=["even", "odd"] * 30).to_html(tmp_path / "film.html"), **screen(*size))
    view.few = True
    view.control("fullscreen").click()
    view.until(lambda v: v.read("wall") == "true")
    view.rest()
    head, map_, hand, foot = (view.root.locator(f".nsne-{x}").bounding_box() for x in ("head", "stage", "hand", "foot"))
    assert head["width"] == map_["width"] == foot["width"] == size[0]
    assert map_["y"] + map_["height"] <= size[1] and hand["y"] + hand["height"] <= foot["y"]


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_in_full_screen_on_a_phone_the_map_has_half_of_it(open_page, tmp_path, size):
    path = film(labels=["even", "odd"] * 30).to_html(tmp_path / "film.html")
    wide, high = size
    view = open_film(open_page, path, **screen(wide, high))
    view.control("fullscreen").click()
    view.until(lambda v: v.read("wall") == "true")
    stage = view.root.locator(".nsne-stage").bounding_box()
    hand = view.root.locator(".nsne-hand").bounding_box()
    assert stage["width"] == wide and stage["height"] >= 0.45 * high
    assert hand["y"] + hand["height"] <= stage["y"] + stage["height"]
    assert in_sight(view, "iteration")
    assert view.root.locator("aside").evaluate("e => e.scrollHeight > e.clientHeight")
    view.control("film-play").tap()
    view.until(lambda v: v.read("quiet") == "true")
    assert view.root.locator(".nsne-hand").evaluate("e => getComputedStyle(e).pointerEvents") == "none"
    for bar in (".nsne-head", ".nsne-foot"):  # they cover nothing, and a finger finds Pause where it is
        assert view.root.locator(bar).evaluate("e => getComputedStyle(e).pointerEvents") == "auto"


def test_the_height_is_dragged_and_remembered(open_notebook, lab):
    notebook = open_notebook(
        lab, [PREPARE + "player = watch(Drifting(), np.zeros((60, 2))); player", "print(player.height)"]
    )
    notebook.run(0)
    view, page = notebook.player(0), notebook.page
    view.until_status("finished")
    handle, stage = view.control("height"), view.root.locator(".nsne-stage")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag(page, (x, y), (x, y - 120))
    view.until(lambda v: stage.bounding_box()["height"] == 340)
    handle.press("ArrowDown")
    view.until(lambda v: stage.bounding_box()["height"] == 360)
    notebook.run(1)
    assert notebook.output(1) == "360"
    assert handle.get_attribute("aria-valuenow") == "360"


def test_the_film_is_saved_as_a_video_that_plays(open_page, tmp_path):
    recording = film(labels=["even", "odd"] * 30, title="Sixty points")
    view = open_film(open_page, recording.to_html(tmp_path / "film.html"))
    name, video = view.saved("video")
    assert name == "Drifting-step-39.webm" and video[:4] == b"\x1aE\xdf\xa3"  # as WebM begins
    shown = view.page.context.browser.new_page()
    sides = shown.evaluate(
        """async (bytes) => {
            const video = document.createElement("video");
            video.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "video/webm" }));
            await new Promise((done, failed) => { video.onloadeddata = done; video.onerror = failed; });
            return [video.videoWidth, video.videoHeight];
        }""",
        list(video),
    )
    shown.close()
    assert sides[0] > 800 and sides[1] > 800
