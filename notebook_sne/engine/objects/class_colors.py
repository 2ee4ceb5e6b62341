"""Colors that a user gives to classes, in place of those of our palette; each class keeps its shape.

An AnnData has those that scanpy drew a column of its ``obs`` with, in ``uns``: the same class then has the same color
in both pictures. They come from a file of anyone's, and are read as colors or refused.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from notebook_sne.engine.checks.holders import family_of
from notebook_sne.engine.checks.numbers import show

__all__ = ["MOST_COLORED", "colors_beside", "read_class_colors"]

MOST_COLORED = 50  # classes: a saved picture has room for the shades of so many colors


def read_class_colors(colors: Any, class_names: Sequence[str]) -> list[str]:
    """Return a color for each class, "#" and six digits, or an empty text where none is given; an empty list for None.

    Colors are a mapping of classes, as `str` makes texts of them, to colors; or a list, in the order of the classes.
    Raises a ValueError if one is no color, their number isn't that of the classes, or there are more than 50 classes;
    a TypeError if they are neither.
    """
    if colors is None:
        return []
    if not class_names:
        raise ValueError(
            "label_colors must belong to labels that are classes, got none; give labels, or leave them out"
        )
    if isinstance(colors, Mapping):
        of = {str(name): color for name, color in colors.items()}
        if of and not any(name in of for name in class_names):
            raise ValueError(
                f"label_colors must name a class, which are {', '.join(map(show, class_names[:20]))}, got "
                f"{show([*of])}; give colors of these"
            )
    elif not isinstance(colors, str | bytes) and hasattr(colors, "__len__") and hasattr(colors, "__iter__"):
        if len(colors) != len(class_names):
            raise ValueError(
                f"label_colors must be one for each of the {len(class_names)} classes, got {len(colors)}; give as "
                "many, or a dict of some"
            )
        of = dict(zip(class_names, colors, strict=True))
    else:
        raise TypeError(f"label_colors must be a dict of classes to colors, or a list, got {show(colors)}")
    if len(class_names) > MOST_COLORED:
        raise ValueError(
            f"label_colors must be of at most {MOST_COLORED} classes, got {len(class_names)}; leave them out"
        )
    return [_read(of[name], name) if name in of else "" for name in class_names]


def colors_beside(X: Any, name: Any) -> dict[str, Any] | None:
    """Return the colors {class: color} that an AnnData has for a column of its obs, or None.

    None, too, if there are fewer than classes, or classes are more than can have any: scanpy makes new ones then.
    """
    if "anndata" not in family_of(X) or not isinstance(name, str):
        return None
    colors, column = getattr(X, "uns", {}).get(f"{name}_colors"), X.obs[name]
    if colors is None or not hasattr(column, "cat") or isinstance(colors, Mapping | str):
        return None
    classes = list(column.cat.categories)
    if not len(classes) <= len(colors) or column.nunique() > MOST_COLORED:
        return None
    return {str(one): colors[k] for k, one in enumerate(classes)}


def _read(color: Any, name: str) -> str:
    from PIL import ImageColor

    try:
        red, green, blue = ImageColor.getrgb(str(color))[:3]
    except ValueError:
        red = green = blue = -1
    if not all(0 <= part <= 255 for part in (red, green, blue)):  # as of rgb(999, 0, 0), which is read as it is
        raise ValueError(
            f"label_colors must be colors such as '#1f77b4' or 'orange', got {show(color)} for the class {show(name)}"
        )
    return f"#{red:02x}{green:02x}{blue:02x}"
