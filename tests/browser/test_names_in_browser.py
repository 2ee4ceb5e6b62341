"""Names on the map in a real browser: written without collisions, switched, resized, saved as text, and never run."""

import itertools
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from notebook_sne.engine.runs.run import Run
from tests.standins import Drifting

pytestmark = [pytest.mark.browser, pytest.mark.landing]

N = 400
NASTY = "</script><img src=x onerror='window.hacked=1'><b>"
# Width of each text in its own font, as this browser measures it.
MEASURE = """texts => texts.map(([font, text]) => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = font;
    return pen.measureText(text).width;
})"""


def recorded_page(path, **told):
    run = Run(Drifting(), np.zeros((N, 2)))
    run.steps(2)
    return run.recording.to_html(path, **told)


def saved_texts(view):
    """What the saved drawing writes on the map: text, left, baseline, size and weight."""
    inner = ElementTree.fromstring(view.saved("svg")[1]).find("{http://www.w3.org/2000/svg}svg")
    return [
        (text.text, float(text.get("x")), float(text.get("y")), float(text.get("font-size")), text.get("font-weight"))
        for text in inner.iter("{http://www.w3.org/2000/svg}text")
        if text.get("fill") != "none"
    ]


@pytest.mark.parametrize("width", [1280, 390], ids=["wide", "phone"])
def test_names_are_written_without_collisions_and_saved_as_text(open_page, tmp_path, width):
    names = [f"{NASTY} {i}" if i < 3 else f"word {i}" for i in range(N)]
    path = recorded_page(tmp_path / "names.html", names=names)
    view = open_page(path, ".nsne-player", viewport={"width": width, "height": 844})
    view.open_all()  # the map has its size now
    view.until(lambda v: int(v.read("written")) > 30)
    view.rest(lambda: view.read("written"))
    if width == 390:
        return
    texts = saved_texts(view)
    assert len(texts) == int(view.read("written"))
    assert any(text.startswith("</script>") for text, *_ in texts)
    fonts = [[f"{weight} {size}px system-ui, sans-serif", text] for text, _, _, size, weight in texts]
    widths = view.page.evaluate(MEASURE, fonts)
    boxes = [(x, x + wide, y - 0.8 * s, y + 0.2 * s) for (_, x, y, s, _), wide in zip(texts, widths, strict=True)]
    for a, b in itertools.combinations(boxes, 2):
        assert a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2], (a, b)


def test_the_switch_and_the_size_act_and_stay_in_a_saved_page(open_page, tmp_path):
    labels = np.repeat(["left", "right"], N // 2)
    path = recorded_page(tmp_path / "page.html", names=[f"word {i}" for i in range(N)], labels=labels)
    view = open_page(path, ".nsne-player")
    view.open_all()
    assert view.control("names").evaluate("field => field.value") == "classes"  # first, where there are classes
    view.control("names").select_option("names")
    view.until(lambda v: int(v.read("written")) > 30)
    before = view.rest(lambda: int(view.read("written")))
    for _ in range(4):
        view.control("names-larger").click()
    view.until(lambda v: 0 < int(v.read("written")) < before)
    view.control("names").select_option("none")
    view.until(lambda v: v.read("written") == "0")
    assert view.control("names-larger").is_disabled()
    view.root.press("w")  # round to the first choice
    view.until(lambda v: int(v.read("written")) > 0)
    view.page.keyboard.press("w")
    view.until(lambda v: int(v.read("written")) <= 2)
    assert view.control("names").evaluate("field => field.value") == "classes"
