import numpy as np
import pytest

from notebook_sne.views import palette


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
