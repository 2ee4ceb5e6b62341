"""A field to draw in, beside a map of images: a drawing lands where its neighbors are.

The browser places it by itself, by the compiled function of `notebook_sne.engine.portable.placing`, so a page without a
kernel does what a notebook does.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from notebook_sne.browser.frontend.bundle import DRAWING_MODULES, DRAWING_STYLES, packed
from notebook_sne.browser.frontend.page import page_of, write_page
from notebook_sne.browser.widgets.fallback_image import picture
from notebook_sne.browser.widgets.shared import View
from notebook_sne.browser.widgets.texts import as_sent
from notebook_sne.engine.fitting.inputs import least_share
from notebook_sne.engine.machine.package import PACKAGE
from notebook_sne.engine.objects.images import Images
from notebook_sne.engine.objects.traits import MOST_IMAGE_BYTES, object_traits
from notebook_sne.views.static import svg

__all__ = ["Drawing", "draw"]

KERNELS = PACKAGE / "engine" / "portable" / "placing.wasm"
_PLACED = ("SNE", "SymmetricSNE", "UNISNE", "TSNE")
_PAGE_TRAITS = (
    "key", "title", "code", "pixels", "points", "classes", "class_names", "look", "rule", "far", "strokes",
    "drawings",
)  # fmt: skip


class Drawing(View):
    """A field to draw in, and a map in which the drawing is placed. Made by `draw`.

    Attributes
    ----------
    strokes : list of list of int
        What is drawn: each stroke as x, y, x, y, ... from 0 to 1000, y downwards. It can be set.
    """

    _modules, _styles = DRAWING_MODULES, DRAWING_STYLES

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget in the browser. Python to browser, fixed."""

    title = traitlets.Unicode().tag(sync=True, to_json=as_sent)
    """Heading of the view. Python to browser, fixed."""

    code = traitlets.Unicode().tag(sync=True)
    """What places a drawing, compiled, `packed`. Python to browser, fixed."""

    pixels = traitlets.Unicode().tag(sync=True)
    """The fitted objects, uint8, (N, height, width), `packed`. Python to browser, fixed."""

    points = traitlets.Bytes().tag(sync=True)
    """Their map points, little-endian float32, (N, 2). Python to browser, fixed."""

    classes = traitlets.Bytes().tag(sync=True)
    """Their classes, as of `notebook_sne.engine.objects.traits.object_traits`. Python to browser, fixed."""

    class_names = traitlets.List(traitlets.Unicode()).tag(sync=True, to_json=as_sent)
    """What the classes are called. Python to browser, fixed."""

    look = traitlets.Dict().tag(sync=True)
    """How the images look, which a drawing is made to look like: frontend/drawing/ink.js. Python to browser, fixed."""

    rule = traitlets.Dict().tag(sync=True)
    """How the model places a new object: perplexity, least_p, student, background. Python to browser, fixed."""

    far = traitlets.Float().tag(sync=True)
    """The largest distance of an object from its nearest. Python to browser, fixed."""

    strokes = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)

    drawings = traitlets.Bytes().tag(sync=True)
    """What a class has drawn, uint8, (n, height, width). Python to browser."""

    def to_html(self, path: str | Path) -> Path:
        """Write the view as one HTML file that any browser opens, with no kernel and no network.

        Parameters
        ----------
        path : str or Path
            The file; one that is there already is replaced.

        Returns
        -------
        path : Path
            The file.

        Raises
        ------
        OSError
            If the file can't be written.
        """
        return write_page(path, kind="drawing", traits=self.page_traits(), title=self.title or "Draw")

    def page_traits(self) -> dict[str, Any]:
        """Return what a page of this view holds."""
        return {name: getattr(self, name) for name in _PAGE_TRAITS}

    def page_of_phone(self) -> bytes:
        """Return the page by which a class draws: it says each drawing to the page around it."""
        traits = {**self.page_traits(), "strokes": [], "drawings": b"", "sends": True}
        return page_of(kind="drawing", traits=traits, title=self.title or "Draw")

    def _still_facts(self):
        return None  # the drawing is the browser's

    def _still_html(self):
        names = np.array([*self.class_names, None], dtype=object)
        labels = names[np.minimum(np.frombuffer(self.classes, "<u2"), len(self.class_names))] if self.classes else None
        drawn = svg(np.frombuffer(self.points, "<f4").reshape(-1, 2), labels, title=self.title or None)
        return picture(drawn.encode(), "svg+xml", 480, 480, self._still_text())

    def _still_text(self):
        return f"Drawing({len(self.points) // 8} objects, {self.look['width']} x {self.look['height']})"


def draw(model: Any, images: ArrayLike, labels: ArrayLike | None = None, *, title: str | None = None) -> Drawing:
    """Show a field in which a reader draws, and where the drawing lands in a map of images.

    The browser places it as `transform` does, among the objects of the fit, which stay where they are, and shows its
    ten nearest objects. Before, a drawing is cut to its box, scaled to be as large as what the images show, centered by
    its center of mass, and drawn anew with their pen and gray values.

    Parameters
    ----------
    model : SNE, SymmetricSNE, UNISNE or TSNE
        Fitted to the pixels of the images, or a multiple of them, with a map in the plane.
    images : array-like, shape (N, height, width)
        The images, in gray values that are whole numbers from 0 to 255, larger for more ink.
    labels : array-like, shape (N,), optional
        Classes, by which the nearest are called.
    title : str, optional
        Heading of the view.

    Returns
    -------
    drawing : Drawing
        A widget; shown if it is the last line of a cell.

    Raises
    ------
    TypeError, ValueError
        If the model has no such map, or the images are others.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> ns.draw(ns.SNE(perplexity=30).fit(digits.X), digits.images, digits.labels)   # doctest: +SKIP
    """
    given = Images(images, None)
    gray, (low, high) = given.given, given.range
    if given.in_color or not (0 <= low < high <= 255) or (gray != np.floor(gray)).any() or gray.size > MOST_IMAGE_BYTES:
        raise ValueError(
            "images must be whole numbers from 0 to 255, shape (N, height, width), and not all of one gray, at most "
            f"{MOST_IMAGE_BYTES:,} pixels in all, got {gray.shape} from {low:g} to {high:g}; give fewer, or "
            "np.rint(255 * images / images.max())"
        )
    gray = gray.astype(np.uint8)
    points, rule = _rule_of(model, gray)
    facts = object_traits(len(gray), labels=labels, title=title)
    return Drawing(
        key=uuid.uuid4().hex, title=facts["title"], points=points.astype("<f4").tobytes(),
        code=packed(KERNELS.read_bytes()), pixels=packed(gray.tobytes()),
        classes=facts.get("classes", b""), class_names=facts.get("class_names", []), look=_look_of(gray), rule=rule,
        far=_far_of(gray),
    )  # fmt: skip


def _rule_of(model: Any, images: np.ndarray) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the map points of a fitted model, and how it places a new object."""
    from sklearn.utils.validation import check_is_fitted

    name = type(model).__name__
    if name not in _PLACED:
        raise TypeError(f"model must be one of {', '.join(_PLACED)}, which a page can place in, got {name}")
    check_is_fitted(model, "_origin")
    knobs, origin = model.state_.knobs, model._origin
    perplexity, points = knobs.get("perplexity"), model.embedding_
    if (
        (origin.input, origin.metric) != ("vectors", "euclidean")
        or perplexity is None
        or "scales" in model.state_.memory
    ):
        raise ValueError("model must be fitted to vectors, by Euclidean distances and one perplexity; fit it so")
    if knobs.get("degrees_of_freedom", 1.0) != 1.0 or points.shape[1] != 2:
        raise ValueError("model must have a map in the plane, by t-SNE one of 1 degree of freedom; fit another one")
    pixels, X = images.reshape(len(images), -1), model.objects_
    if X.shape != pixels.shape or not np.allclose(X * float(pixels.max()), pixels * float(X.max())):
        raise ValueError(
            "model must be fitted to the pixels of these images; fit it to images.reshape(len(images), -1)"
        )
    least_p = knobs.get("least_p", least_share(len(images)))
    return points, {
        "perplexity": float(perplexity),
        "least_p": float(least_p or 0.0),
        "student": model._kernel == "student",
        "background": float(knobs.get("background", 0.0)) if name == "UNISNE" else 0.0,
    }


def _look_of(images: np.ndarray) -> dict[str, Any]:
    """Return what a drawing is made to look like, in cells: medians of the images, and their mean center of mass."""
    _, height, width = images.shape
    gray = images.astype(np.float64)
    ink = gray.sum(axis=(1, 2))
    there = ink > 0
    sides = [_sides_of(gray.sum(axis=axis) > 0) for axis in (1, 2)]
    padded = np.pad(gray, ((0, 0), (1, 1), (1, 1)))
    # A line of some length has two edges as long: its gray values over half of the sum of their slopes are its width.
    slopes = np.hypot(np.diff(padded, axis=1)[:, :, 1:], np.diff(padded, axis=2)[:, 1:]).sum(axis=(1, 2))
    across, down = np.arange(width) + 0.5, np.arange(height) + 0.5
    centers = gray.sum(axis=1) @ across, gray.sum(axis=2) @ down
    return {
        "width": width, "height": height, "white": int(images.max()),
        "fill": float(np.median(np.max(sides, axis=0)[there])),
        "pen": float(np.median(2.0 * ink[there] / slopes[there])),
        "center": [float((c[there] / ink[there]).mean()) for c in centers],
    }  # fmt: skip


def _sides_of(on: np.ndarray) -> np.ndarray:
    """Return how far it is from the first to the last cell that is on in each row."""
    return on.shape[1] - np.argmax(on, axis=1) - np.argmax(on[:, ::-1], axis=1)


def _far_of(images: np.ndarray) -> float:
    """Return the largest distance of an image from its nearest."""
    from sklearn.neighbors import NearestNeighbors

    X = images.reshape(len(images), -1).astype(np.float64)
    return float(NearestNeighbors(n_neighbors=1, algorithm="brute").fit(X).kneighbors()[0].max())
