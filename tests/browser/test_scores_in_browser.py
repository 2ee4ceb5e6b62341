"""Which points may one believe? The colors that a live run finds, by menu, pointer and finger; and gray in a page."""

import pytest

from tests.browser.pages import frames

pytestmark = pytest.mark.browser

PREPARE = """
import numpy as np
import notebook_sne as ns
digits = ns.datasets.load_digits()
X, labels = digits.X[:300].copy(), digits.labels[:300]
model = ns.TSNE(perplexity=15, max_iter=150, random_state=0)"""
WATCH = "player = ns.watch(model, X, labels=labels); player"
JOINT = """
P = ns.affinities.joint(ns.affinities.conditional(X, 15))
other = ns.watch(ns.SymmetricSNE(input='joint', max_iter=20), P); other"""
PAGE = "print(player.to_html('colors.html'))"


def legend(view):
    """What the legend says: its scale, and what stands beneath."""
    return view.part("legend").inner_text()


def color(view, name):
    view.control("color").select_option(name)


def options(view):
    """Each color with its words, and whether it can be chosen."""
    told = view.root.locator("[data-control='color']").evaluate(
        "select => [...select.options].map(o => [o.value, o.text, o.disabled])"
    )
    return {value: (text, not disabled) for value, text, disabled in told}


def test_colors_that_a_run_finds(open_notebook, lab, page, open_page):
    notebook = open_notebook(lab, [PREPARE, WATCH, JOINT, PAGE], run=2)
    view = notebook.player(1)
    view.until(lambda v: v.status == "finished")
    view.until(lambda v: options(v)["perturbation"] == ("instability", True))
    plain = view.dots()

    color(view, "recall")
    view.until(lambda v: "of 10 nearest" in legend(v) and "100%" in legend(v))
    view.until(lambda v: v.dots() != plain)
    color(view, "perturbation")
    view.until(lambda v: "map units" in legend(v) and "found" not in legend(v).lower())

    color(view, "distance")
    view.until(lambda v: "Point at an object" in legend(v))
    box = view.root.locator(".nsne-stage canvas").first.bounding_box()
    for k in range(1, 400):
        page.mouse.move(box["x"] + k * 0.618 % 1 * box["width"], box["y"] + k * 0.755 % 1 * box["height"])
        frames(page)
        if view.root.locator(".nsne-stage").get_attribute("data-over") == "object":
            break
    view.until(lambda v: "from object" in legend(v) and "in the data's unit" in legend(v))
    assert "distances are from here" in view.part("card").inner_text()

    # After a step the map is another one, and all is found anew; until then the legend says of which step it is.
    color(view, "perturbation")
    view.press("step")
    view.until(lambda v: v.iteration == 151)
    view.until(lambda v: "map units" in legend(v) and "found" not in legend(v) and "of step" not in legend(v))

    notebook.run(2)
    joint = notebook.player(2)
    joint.until(lambda v: options(v)["distance"] == ("true distance: no distances given", False))
    assert options(joint)["perturbation"] == ("instability: needs vectors", False)
    assert options(joint)["recall"][1]

    notebook.run(3)
    opened = open_page(lab.folder / "colors.html", ".nsne-player")
    gray = [text for text, there in options(opened).values() if not there]
    assert gray == [f"{name}: in a live run" for name in ("cost", "neighbors kept", "instability", "true distance")]
