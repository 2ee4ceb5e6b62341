"""Names, labels and titles of others are text in every figure of Bokeh's, and arrays are read alone."""

import numpy as np
import pandas as pd
from bokeh.embed import file_html
from bokeh.models import HoverTool, PlainText
from bokeh.models.dom import HTML
from bokeh.resources import INLINE

from notebook_sne import views
from notebook_sne.engine.mathematics.forces import Forces
from tests.tables import in_one_test

HOSTILE = "<img src=x onerror=alert(1)> @name $index {safe} $$x$$"
TEXTS = [HOSTILE] * 20
CALLED = {"names": TEXTS, "labels": TEXTS, "title": HOSTILE}
NUMBERS = np.random.default_rng(0).uniform(0.1, 0.9, size=(2, 20, 2))
Y, P, RISING = NUMBERS[0], NUMBERS[0, :, 0], np.arange(1.0, 21.0)
for array in (NUMBERS, Y, P, RISING):
    array.flags.writeable = False
TRACE = pd.DataFrame({"iteration": RISING, "phase": TEXTS, "cost": P})
FIGURES = {
    "aspect_grid": lambda: views.aspect_grid(NUMBERS, NUMBERS[:, :, 0], **CALLED),
    "springs": lambda: views.springs(Y, 0, Forces(P, P, P, P), **CALLED),
    "curves": lambda: views.curves(
        RISING, {HOSTILE: P, "b": P}, x_label=HOSTILE, y_label=HOSTILE, title=HOSTILE, level={HOSTILE: 2}
    ),
    "map_points": lambda: views.map_points(Y, **CALLED),
    "thumbnails": lambda: views.thumbnails(Y, NUMBERS[0, :, :, None], labels=TEXTS, title=HOSTILE),
    "p_against_q": lambda: views.p_against_q(P, NUMBERS[1, :, 0], **CALLED),
    "gradient_surfaces": lambda: views.gradient_surfaces({HOSTILE: Y.T - 0.5}, RISING[:2], RISING, title=HOSTILE),
    "traces": lambda: views.traces({HOSTILE: TRACE}),
    "traces of one run": lambda: views.traces(TRACE),
}


@in_one_test("name", FIGURES)
def test_names_are_text_and_nothing_is_written_into_what_is_given(name):
    figure = FIGURES[name]()
    page = file_html(figure, INLINE)  # whose JSON would hide a tag
    assert "<img src=x" not in page and "img src=x" in page
    for model in figure.references():
        if isinstance(model, HTML):
            assert "<img" not in str(model.html)
        if isinstance(model, HoverTool):
            assert isinstance(model.tooltips, list)  # one text would be HTML
        for text in (getattr(model, "text", ""), getattr(model, "axis_label", "")):
            # A str would be drawn as a formula.
            assert not isinstance(text, str) or "$$" not in text or isinstance(model, PlainText)
