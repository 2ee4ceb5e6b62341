"""The replay: a view of a recording in a notebook, without a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.browser.frontend.film_page import film_traits, write_film
from notebook_sne.browser.widgets.cells import supersede
from notebook_sne.browser.widgets.map_view import MapView
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.columns import read_columns
from notebook_sne.engine.runs.recording import Recording

__all__ = ["Replay", "replay"]

MOST_FRAMES = 300
MOST_FILM_BYTES = 8_000_000  # a notebook that is saved with its widgets holds it, a third larger


class Replay(MapView):
    """A view of a recording without a run: a film to play, seek, search and select in.

    Selection, color and the other choices of the reader go both ways, as in a Player. The whole film is sent to the
    browser at once, so that it still plays after the kernel was shut down, and in a notebook that was saved with its
    widgets. ``replay`` is another name for this class.

    Parameters
    ----------
    recording : Recording, str or Path
        A recording, such as ``run.recording``, or the file of a saved one.
    labels, values, names, images, title, columns, importance, certainty, label_colors : optional
        As for `Recording.describe`; by default those of the recording. Images are sent whole: at most 8 million pixels
        in all, or a third of that for color images.
    height : int, default=460
        Height of the map in CSS pixels.
    hide_labels : bool, default=False
        Whether the view begins without labels, to let others guess first.
    compact : bool, default=False
        Whether the view is made for a slide: no side panel, slim bars.
    controls : {"few", "bare", "all"}, default="few"
        The controls around the map: "few", with a button for all; "bare", as in the page of a lecture: only Play and
        the film; or "all".
    frames : int, default=300
        Largest number of frames, at most 300; there are fewer if they would take more than 8 MB.

    Raises
    ------
    ValueError, TypeError
        If nothing is recorded, or labels, values, names or images don't fit the objects or are too many.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> player = ns.watch(ns.SNE(), ns.datasets.load_digits())      # doctest: +SKIP
    >>> player.run.recording.save("digits.npz")                     # doctest: +SKIP
    >>> view = ns.replay("digits.npz")                              # doctest: +SKIP
    >>> view.selection = [0, 25]                                    # doctest: +SKIP
    """

    def __init__(
        self,
        recording: Recording | str | Path,
        *,
        labels: ArrayLike | None = None,
        values: ArrayLike | None = None,
        names: ArrayLike | None = None,
        images: ArrayLike | None = None,
        title: str | None = None,
        columns: Any = None,
        importance: Any = None,
        certainty: Any = None,
        label_colors: Any = None,
        height: int = 460,
        hide_labels: bool = False,
        compact: bool = False,
        controls: str = "few",
        frames: int = MOST_FRAMES,
    ) -> None:
        kept = _recording_of(recording)
        if not isinstance(frames, int) or isinstance(frames, bool) or not 1 <= frames <= MOST_FRAMES:
            raise ValueError(f"frames must be an integer from 1 to {MOST_FRAMES}, got {show(frames)}")
        self._given = {
            "labels": labels, "values": values, "names": names, "images": images, "title": title, "columns": columns,
            "importance": importance, "certainty": certainty, "label_colors": label_colors,
        }  # fmt: skip
        traits = film_traits(kept, frames=frames, most_bytes=MOST_FILM_BYTES, **self._given)
        self.recording = kept
        self._columns = read_columns(kept.columns if columns is None else columns, traits["n_objects"])
        super().__init__(
            height=height, hide_labels=hide_labels, compact=compact, controls=controls,
            **(traits | {"reads_queries": True}),
        )  # fmt: skip
        self.on_msg(self._answer)
        supersede(self)
        drawn = ["hide_labels", "color", "show_names", "show_pairs", "focus"]
        self.observe(lambda _: self.renew_still(last=True), drawn)

    def to_html(self, path: str | Path, *, frames: int = 100) -> Path:
        """Write the film as one page that plays in any browser, with no kernel and no network.

        Parameters
        ----------
        path : str or Path
            File to write.
        frames : int, default=100
            Largest number of frames in the page.

        Returns
        -------
        path : Path
            The file. It begins as this view is set: its color, names, images and controls.
        """
        return write_film(self.recording, path, frames=frames, chosen=self._chosen(), **self._given)

    def _places(self):
        return self.recording.frames[-1].Y[0]

    def _answer(self, _widget, content, _buffers):
        """Tell a page which objects meet a condition: all that it asks for of a film."""
        if content.get("kind") == "request" and content.get("what") == "objects":
            self.send(*self._found(str(content.get("page", "")), str(content.get("query", ""))))

    def _still_map(self):
        first = self.recording.frames[-1].Y[0]
        return np.column_stack([first, np.zeros(len(first))])[:, :2]

    def discard(self) -> None:
        """Take the views off the page."""
        self.close()


def _recording_of(recording: object) -> Recording:
    if isinstance(recording, str | Path):
        return Recording.load(recording)
    if isinstance(recording, Recording):
        return recording
    raise TypeError(
        f"recording must be a notebook_sne.Recording or the path of a saved one, got {type(recording).__name__}; "
        "for a run, give run.recording; for aligned maps, found.film()"
    )


replay = Replay
"""The same as `Replay`, named as what a reader does, beside `watch`, `explore` and `compare`."""
