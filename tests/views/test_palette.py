import re

import numpy as np
import pytest

from notebook_sne.engine.machine.package import PACKAGE
from notebook_sne.views import palette, svg


def oklab(hexes):
    """Colors in OKLab, a space in which equal steps look about equal (Ottosson, 2020)."""
    values = np.array([[int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5)] for shade in hexes])
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    to_cones = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
    to_lab = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
    return np.cbrt(linear @ np.transpose(to_cones)) @ np.transpose(to_lab)


@pytest.mark.parametrize("lift", [0, 0.3])
def test_each_further_color_is_as_far_from_all_before_it_as_the_first_twelve_are_apart(lift):
    lifted = [palette.blend(shade, "#ffffff", lift) for shade in [*palette.COLORS, palette.BLANK]]
    apart = np.linalg.norm((found := oklab(lifted))[:, None] - found, axis=2) + 9 * np.eye(len(found))
    assert len(set(palette.COLORS)) == 24
    assert apart[12:24].min() > apart[:12, :12].min()


def test_classes_that_look_like_another_are_counted():
    assert [palette.alike(range(n), False) for n in (24, 25, 28, 48)] == [0, 2, 8, 48]
    assert [palette.alike(range(n)) for n in (24, 168, 170)] == [0, 0, 4]
    assert palette.alike([0, 24, 5, palette.UNLABELED], False) == 2


def contrast(*colors):
    """The contrast of two colors, by WCAG 2: the first has to stand out from the second."""
    values = np.array([[int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5)] for shade in colors])
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]
    return (linear.max() + 0.05) / (linear.min() + 0.05)


def test_the_first_ten_colors_and_the_borders_of_controls_are_seen_on_light_and_on_dark():
    theme = (PACKAGE / "browser" / "frontend" / "shared" / "theme.css").read_text(encoding="utf-8")
    grounds, edges = (re.findall(rf"--nsne-fallback-{name}: (#\w+);", theme)[:2] for name in ("ground", "edge"))
    dark = ["#d9d9d9" if shade == "#444444" else palette.blend(shade, "#ffffff", 0.3) for shade in palette.COLORS[:10]]
    seen = [*zip(palette.COLORS[:10], 10 * grounds[:1], strict=True), *zip(dark, 10 * grounds[1:], strict=True)]
    seen += [*zip(edges, grounds, strict=True), (palette.BLANK, grounds[0]), (palette.BLANK, grounds[1])]
    assert len(seen) == 24 and {pair: contrast(*pair) for pair in seen if contrast(*pair) < 3} == {}
    drawn = svg(np.random.default_rng(0).normal(size=(30, 2)), labels=[k % 10 for k in range(30)])
    assert "opacity" not in drawn.split("<use")[0], "marks are drawn in these colors as they are"
