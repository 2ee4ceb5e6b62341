"""The player: a view of a run in a notebook, to watch and to control.

Traits hold the values that must last (status, iteration, cost, selection, the positions last shown) for new views,
reloaded pages and saved notebooks; frames travel as messages (``sender``). Nothing depends on a message that arrives
while a cell runs.

Longer than 300 lines because each parameter is described where a reader looks for it, in `watch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from notebook_sne.affinities.metrics import input_of
from notebook_sne.browser.frontend.film import centered, pins_in_view
from notebook_sne.browser.frontend.film_page import film_view, write_film
from notebook_sne.browser.pages.plan import plan_of
from notebook_sne.browser.widgets.answers import PlayerSender
from notebook_sne.browser.widgets.live import LiveWidget
from notebook_sne.browser.widgets.map_view import MAIN_KNOBS, MapView, check_flag
from notebook_sne.browser.widgets.neighbors import all_nearest
from notebook_sne.browser.widgets.sender import send_updates
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.objects.columns import read_columns
from notebook_sne.engine.objects.entries import count_objects
from notebook_sne.engine.objects.images import Images
from notebook_sne.engine.objects.named import facts_by_name, in_order_of
from notebook_sne.engine.objects.traits import object_traits
from notebook_sne.engine.objects.triples import Triples
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.run import Run
from notebook_sne.models import family

__all__ = ["Player", "watch"]

_NAMED = ("labels", "values", "names", "columns", "label_colors")


class Player(LiveWidget, MapView):
    """A live view of a run, to watch and to control.

    It shows the map, the cost curve and the film so far; plays, pauses, steps, restarts and seeks; turns the
    model's knobs, switches to another model, and shows the forces on an object. Objects can be selected, and
    dragged. Several views of one Player, in one page or more, show and control the same run. Running the same cell
    again closes the players that its last execution made.

    Parameters
    ----------
    run : Run
        The run to show. Closing the Player closes it.
    labels, values, names, images, title, columns, importance, label_colors, certainty
        As for `watch`.
    height, hide_labels, compact, controls, main_knobs
        As for `watch`.

    Raises
    ------
    ValueError, TypeError
        If labels, values, names or images don't fit the objects.

    Notes
    -----
    A map with one coordinate is drawn on a line; with more than two coordinates, the first two are drawn, and with
    several maps the first one; the view says so. All choices of the reader in the view are attributes, and can be set:
    ``selection``, ``color``, ``axes``, ``spring_of``, ``show_names``, ``name_size``, ``show_images``, ``show_pairs``,
    ``focus``, ``show_table``, ``compact``, ``controls``, ``hide_labels``, ``pace``.

    See Also
    --------
    watch
        Makes the run and its Player in one call.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> circle = ns.datasets.load_circle(50)
    >>> run = ns.Run(ns.SNE(perplexity=5, random_state=0), circle.X)
    >>> player = ns.Player(run, labels=circle.labels, title="A circle")      # doctest: +SKIP
    >>> player.selection = [0, 25]                                           # doctest: +SKIP
    """

    def __init__(
        self,
        run: Run,
        *,
        labels: ArrayLike | None = None,
        values: ArrayLike | None = None,
        names: ArrayLike | None = None,
        images: ArrayLike | None = None,
        title: str | None = None,
        columns: Any = None,
        importance: Any = None,
        label_colors: Any = None,
        certainty: Any = None,
        height: int = 460,
        hide_labels: bool = False,
        compact: bool = False,
        controls: str = "few",
        main_knobs: Sequence[str] = MAIN_KNOBS,
    ) -> None:
        if not isinstance(run, Run):
            raise TypeError(f"run must be a notebook_sne.Run, got {type(run).__name__}; write Player(Run(model, X))")
        n_objects = count_objects(run.X)
        _, facts = facts_by_name(
            run._given, labels=labels, values=values, names=names, columns=columns, label_colors=label_colors
        )
        labels, values, names, columns, label_colors = (facts[name] for name in _NAMED)
        (importance,) = in_order_of(run._given, importance=importance)
        if names is None and isinstance(run.X, Triples):
            names = run.X.names
        self._columns = read_columns(columns, n_objects)
        shown = object_traits(
            n_objects, labels=labels, values=values, names=names, title=title, columns=self._columns,
            importance=importance, label_colors=label_colors, certainty=certainty,
        )  # fmt: skip
        self.run = run
        self.error: Exception | None = None
        self.images_of_objects = None if images is None else Images(images, n_objects)
        self._description: dict[str, Any] = {
            "labels": labels, "values": values, "names": names, "images": images, "title": title,
            "columns": self._columns or None, "importance": importance, "certainty": certainty,
            "label_colors": label_colors,
        }  # fmt: skip
        super().__init__(
            live=True, reads_queries=True, height=height, model_name=type(run.model).__name__, pace=run.pace,
            hide_labels=hide_labels, compact=compact, controls=controls, main_knobs=main_knobs,
            has_images=images is not None, **shown,
        )  # fmt: skip
        self.on_msg(self._handle_message)
        self.begin(send_updates, PlayerSender)

    @traitlets.observe("pace")
    def _keep_pace(self, change):
        self.run.pace = change["new"]

    @traitlets.observe("spring_of", "color")
    def _ask(self, _):
        self.hurry()  # a page that was silent is asked whether it is there, and then gets what they ask for

    def _places(self):
        state = self.run.state
        return None if state is None else state.Y[0]

    def _in_order(self, **given):
        return in_order_of(self.run._given, **given)

    def _wait_for_map(self):
        self.run.wait_for_start()

    def to_html(self, path: str | Path, *, frames: int = 100, live: bool = False, data: str | None = None) -> Path:
        """Write the recording so far as one page that plays in any browser, with no kernel and no network.

        Parameters
        ----------
        path : str or Path
            File to write.
        frames : int, default=100
            Largest number of frames of the film; each takes 4 bytes per object, and a third more as
            text.
        live : bool, default=False
            Whether the run goes on in the page: it then computes by itself, as a kernel does, from the run's current
            state. Such a page holds the data.
        data : {"X", "P"}, optional
            With `live`, the data in the page: the objects, so that the perplexity can be turned; or only P, which tells
            which objects are neighbors, and how strongly. By default, the objects if they are vectors.

        Returns
        -------
        path : Path
            The file. It begins as this view is set: its color, names, images, controls and main knobs.

        Raises
        ------
        ValueError
            If a page can't continue this run: pages compute models with one map in the plane, of at most 5,000
            objects, by gradient descent. The message tells the reason.

        Notes
        -----
        A page that computes is about 0.6 MB larger than its film, without the data: kernels, and the program around
        them. The objects take as many bytes as X and a third more as text, or a fraction of that if they have few
        different numbers: 1,797 digits take 0.1 MB. P alone takes about 8 bytes for each of its entries, which is more:
        about 6 MB for 1,797 digits at perplexity 30.

        The kernels are the same as here, on one core: updates agree with those of Python to 1e-6, and a long run slowly
        diverges, first in the last digits. A new perplexity takes half a second with 1,797 digits and half a minute
        with 5,000 objects of 784 features. Options that a page lacks, such as other optimizers and methods, are grayed
        out with the reason; in a browser without WebAssembly SIMD, it shows only the film.
        """
        recording = self.describe()
        check_flag("live", live)
        plan = plan_of(self.run.X, self.run._worker.standing(), data) if live else recording._plan(live, None, data)
        return write_film(recording, path, frames=frames, plan=plan, importance=self._ranks(), chosen=self._chosen())

    def _ranks(self):
        order = np.frombuffer(self.importance, "<u4")
        return -np.argsort(order) if len(order) else None

    def _film(self, frames):
        """Return the traits of this view's film in a page."""
        _, traits, _ = film_view(self.describe(), frames=frames, importance=self._ranks())
        return traits | self._chosen()

    def describe(self) -> Recording:
        """Return the run's recording with this view's facts about the objects, for example to save it."""
        recording = self.run.wait_for_start().recording
        model = self.run.model
        X = self.run.X
        neighbors = all_nearest(X, input_of(model, X), metric=getattr(model, "metric", "euclidean"))
        recording.describe(**{name: value for name, value in self._description.items() if value is not None})
        recording.describe(neighbors=neighbors)
        return recording

    def _handle_message(self, _widget, content, buffers):
        """Take a message from the browser. The kernel chooses the thread: this only notes what is asked."""
        kind = content.get("kind")
        try:
            if kind == "command" and not self._connection.repeats(content):
                self._run_command(content, buffers)
            if kind == "request":
                self._request(content)
            self.receive(content)
        except Exception as error:  # ipywidgets would only log it
            self._show_error(error)
            if kind == "command":
                self.receive(content)

    def _request(self, content):
        connection, what = self._connection, content.get("what")
        with connection.changed:
            if what == "film":
                connection.wants_film = max(connection.wants_film, 1 if content.get("short") else 2)
            elif what == "neighbors":
                connection.wanted_neighbors.update(self._objects([content["index"]]))
            elif what == "distances":
                connection.wanted_distances = next(iter(self._objects([content["index"]])), None)
            elif what == "images" and self.images_of_objects is not None:
                connection.wanted_images.update(self._objects(content["indices"]))
            elif what == "objects":
                connection.wanted_queries[str(content.get("page", ""))] = str(content["query"])

    def _objects(self, indices):
        return [i for i in map(int, indices) if 0 <= i < self.n_objects]

    def _run_command(self, content, buffers):
        run, name = self.run, content.get("name")
        commands = {
            "play": run.play,
            "pause": run.pause,
            "step": run.step,
            "restart": run.restart,
            "seek": lambda: run.seek(int(content["iteration"])),
            "switch": lambda: run.switch(family.successor(run.model, content["model"], self.n_objects)),
            "preset": lambda: run.restart(family.recipe(run.model, content["model"], self.n_objects)),
            "set": lambda: run.set(**content["knobs"]),
            "release": lambda: run.release(*content["knobs"]),
            "move": lambda: self._move(content["objects"], buffers[0]),
            "pin": lambda: run.pin(content["objects"]),
            "unpin": lambda: run.unpin(content["objects"], m=0),
        }
        if name not in commands:
            raise ValueError(f"there is no command {name!r}; the commands are {', '.join(commands)}")
        if run.state is None and name in ("seek", "move", "pin", "unpin"):
            raise RuntimeError("there is no map yet; play or step first")  # a script waits, but no kernel may
        self.error = None
        commands[name]()

    def _move(self, objects, places):
        """Put objects at places as the view shows them: relative to the mean of the map, or with pins to its origin."""
        places = np.frombuffer(places, dtype="<f4").reshape(-1, 2).astype(np.float64)
        state = self.run.state
        if state is not None:
            mean = (state.Y[0] - centered(state.Y[0], pins_in_view(state.pins))).mean(axis=0)[:2]
            places = places[:, : len(mean)] + mean
        self.run.move(objects, places)

    def _show_error(self, error):
        self.error = error
        self.hurry()

    def close(self) -> None:
        """End the run and the sending thread. The views keep the last picture and say ``closed``."""
        if self.__dict__.get("_thread") is None or self._connection.closing:
            return  # its making failed, or it is closed already
        self.run.close()
        self.end()

    def discard(self) -> None:
        """Close, and take the views off the page."""
        self.close()
        super().close()


def watch(
    model: Any,
    X: Dataset | Matrix,
    *,
    labels: ArrayLike | None = None,
    values: ArrayLike | None = None,
    names: ArrayLike | None = None,
    images: ArrayLike | None = None,
    start: State | None = None,
    knobs: Knobs | None = None,
    pace: float | None = None,
    recording: Recording | None = None,
    autoplay: bool = True,
    title: str | None = None,
    columns: Any = None,
    importance: Any = None,
    label_colors: Any = None,
    certainty: Any = None,
    height: int = 460,
    hide_labels: bool = False,
    compact: bool = False,
    controls: str = "few",
    main_knobs: Sequence[str] = MAIN_KNOBS,
) -> Player:
    """Run a model on X and watch it.

    Parameters
    ----------
    model : estimator
        Such as ``SNE()``; see `notebook_sne.Run`.
    X : array, table, AnnData, Dataset, or triples
        The objects; for `relations.LRE`, the facts about them. A Dataset has its own labels, names and images, unless
        others are given. A name in place of labels, values, names or columns stands for a column of a table of pandas,
        polars or pyarrow, which is then no part of the vectors; for one of the ``obs`` of an AnnData or of the
        ``columns`` of a Dataset; or for a coordinate of the objects of a DataArray.
    labels : array-like, shape (N,), or str, optional
        Classes, shown as colors and shapes; or floats, shown on a continuous scale. An object without one
        (None, NaN, masked) is drawn as unlabeled: gray, and with a shape of its own. A text is the name of a column of
        X, as below.
    values : array-like, shape (N,), or str, optional
        Numbers to color by, beside labels that are classes; or the name of a column.
    names : sequence of str, or str, optional
        A name for each object, to search and to show under the pointer. Objects with the same name can be found and
        selected together or one by one; an object without a name is shown by its number. One text is the name of a
        column; the nodes of `affinities.from_graph` are names already.
    images : array-like, shape (N, height, width) or (N, height, width, 3), optional
        Images, shown at map points and under the pointer: gray values of any unit, or red, green and blue from 0 to 255
        or as floats from 0 to 1.
    start : State, optional
        The state to start from, instead of the model's own start.
    knobs : Knobs, optional
        Knobs with values that are already set.
    pace : float, optional
        Largest number of iterations per second, slow enough to follow by eye; by default as many as the machine can
        make.
    recording : Recording, optional
        The recording for the frames, for example one with other limits; it must be empty.
    autoplay : bool, default=True
        Whether to play at once; otherwise only the start is made and shown.
    title : str, optional
        Heading of the view.
    columns : DataFrame, mapping of names to array-likes, or list of str, optional
        More facts about each object, to read under the pointer, to color by and to select by: numbers, dates, truth
        values or texts (a link is a text); entries may be missing. In a script, the color of a column is
        ``"column:year"``; `selected` and `select` return and choose rows of them. At most 64 columns.
    importance : str or array-like, shape (N,), optional
        Which names are written on the map first if not all find room: a column of numbers or dates, or a number for
        each object, the largest first. By default, the first objects come first.
    label_colors : mapping of classes to colors, or sequence, optional
        The colors of at most 50 classes, such as ``{"T cell": "#1f77b4", "B cell": "orange"}``, or in the order of the
        classes. By default those of our palette, or of ``uns`` of an AnnData whose column is given as labels, so that
        colors are those of scanpy.
    certainty : Certainty, optional
        What `notebook_sne.certainty` returns of several fits of these objects, with the labels as regions: lines over
        the map say which classes are joined in nearly all fits (solid), in some (dashed, with the number) or neighbors
        in most (dotted), by the rule of `views.svg`. A line tells its numbers where it is pointed at, and a table all
        of them. A slider, `focus`, says of how many fits the map knows: objects that these put in different regions are
        out of focus. Without labels, its regions are the classes.
    height : int, default=460
        Height of the map in CSS pixels.
    hide_labels : bool, default=False
        Whether the view begins without labels, to let others guess first.
    compact : bool, default=False
        Whether the view begins in the form for a slide: no side panel, slim bars.
    controls : {"few", "bare", "all"}, default="few"
        The controls around the map: "few", with a button for all; "bare", as in the page of a lecture: only Play, the
        film and the main knobs; or "all".
    main_knobs : sequence of str, default=("perplexity",)
        The names of the knobs beside Play; those that the model doesn't have are left out.

    Returns
    -------
    player : Player
        Its `run` is the `notebook_sne.Run`, with which a script can do everything that a reader does in the view.

    See Also
    --------
    compare
        Several of them side by side.
    replay
        Look at a recorded run again.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> player = ns.watch(ns.SNE(perplexity=30), digits, pace=30)      # doctest: +SKIP
    >>> player.run.set(jitter=0.1)                                     # doctest: +SKIP
    >>> player.to_html("digits.html")                                  # doctest: +SKIP
    """
    X, facts = facts_by_name(X, labels=labels, values=values, names=names, columns=columns, label_colors=label_colors)
    labels, values, names, columns, label_colors = (facts[name] for name in _NAMED)
    if _is_dataset(X):
        given = {"labels": labels, "names": names, "images": images, "columns": columns}
        labels, names, images, columns = (
            getattr(X, name, None) if value is None else value for name, value in given.items()
        )
        X = objects_of(X)
    player = Player(
        Run(model, X, start=start, knobs=knobs, pace=pace, recording=recording),
        labels=labels, values=values, names=names, images=images, title=title, columns=columns,
        importance=importance, label_colors=label_colors, certainty=certainty, height=height, hide_labels=hide_labels,
        compact=compact, controls=controls, main_knobs=main_knobs,
    )  # fmt: skip
    if autoplay:
        player.run.play()
    else:
        player.run.step(0)
    return player


def _is_dataset(X):
    return not hasattr(X, "shape") and any(hasattr(X, name) for name in ("labels", "names", "images"))


def objects_of(X):
    """Return the array of objects of a Dataset, X or else P, or its triples; anything else as it is."""
    fields = ("X", "P", "triples") if _is_dataset(X) and not isinstance(X, dict) else ()
    return next((getattr(X, name) for name in fields if getattr(X, name, None) is not None), X)
