import re
from pathlib import Path

import notebook_sne
from notebook_sne.views import palette

MARKS = (Path(notebook_sne.__file__).parent / "frontend" / "shared" / "marks.js").read_text(encoding="utf-8")


def listed(name):
    """The strings of a constant of the player's module."""
    return tuple(re.findall(r'"([^"]*)"', re.search(rf"const {name} = \[(.*?)\]", MARKS, re.DOTALL)[1]))


def test_a_class_looks_as_it_does_in_the_player():
    assert listed("PALETTE") == palette.COLORS
    assert listed("SHAPES") == tuple(shape.replace("inverted_triangle", "wedge") for shape in palette.MARKERS)
    assert listed("VIRIDIS") == palette.VIRIDIS


def test_value_colors_run_through_the_scale():
    assert palette.value_color(0) == "#440154"
    assert palette.value_color(0.5) == "#21918c"
    assert palette.value_color(1) == "#fde725"
    assert palette.value_color(1 / 16) == "#461768"
