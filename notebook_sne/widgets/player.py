"""The player: a run to look at, in a notebook.

Traits hold what must last (status, iteration, cost, the positions last shown) for new views, reloaded pages and saved
notebooks; frames travel as messages (``sender``). Nothing depends on a message arriving while a cell runs.
"""

import threading
import time
import uuid
import weakref

import anywidget
import numpy as np
import traitlets

from notebook_sne.runs.run import Run
from notebook_sne.widgets.cells import supersede
from notebook_sne.widgets.modules import join_modules
from notebook_sne.widgets.objects import check_images, pack_labels, pack_names
from notebook_sne.widgets.sender import Mail, pump

__all__ = ["Player", "watch"]


class Player(anywidget.AnyWidget):
    """A live view of a run: its map, its cost curve, and the buttons to play, pause, step and restart it.

    Several views of one Player, in one page or more, show and command the same run. Running the same cell again
    closes the players that its last execution made.

    Parameters
    ----------
    run : Run
        What to show. Closing the Player closes it.
    labels : array-like, shape (N,), optional
        Classes, shown as colours and shapes; or floats, shown on a continuous scale.
    names : sequence of str, optional
        A name for each object, shown under the pointer. No two alike.
    images : array-like, shape (N, height, width), optional
        Grey images, shown under the pointer.
    title : str, optional
        Heading of the view.
    height : int, default=460
        Height of the map in CSS pixels.
    hide_labels : bool, default=False
        Whether the view begins without labels, to let others guess first.

    Raises
    ------
    ValueError, TypeError
        If labels, names or images do not fit the objects.

    Notes
    -----
    A map with one coordinate is drawn on a line; of more than two coordinates the first two are drawn, and of several
    maps the first; the view says so.
    """

    _esm = join_modules(
        "marks.js", "window.js", "scatter.js", "curve.js", "elements.js", "card.js", "legend.js", "hub.js", "player.js"
    )
    _css = join_modules("player.css")

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget to its views in the browser. Python to browser, fixed."""

    status = traitlets.Unicode("idle").tag(sync=True)
    """The run's status: idle, compiling, running, paused, finished, error or closed. Python to browser."""

    iteration = traitlets.Int(None, allow_none=True).tag(sync=True)
    """The run's iteration; None before its start. Python to browser, at most four times a second."""

    cost = traitlets.Float(None, allow_none=True).tag(sync=True)
    """KL divergence in nats at that iteration. Python to browser."""

    phase = traitlets.Unicode("").tag(sync=True)
    """The schedule's phase at that iteration. Python to browser."""

    message = traitlets.Unicode("").tag(sync=True)
    """Why something failed, for the reader. Python to browser."""

    model_name = traitlets.Unicode("").tag(sync=True)
    """Class name of the model at work. Python to browser."""

    moment = traitlets.Int(0).tag(sync=True)
    """Rises with every update: tells the browser whether a message or the traits are newer. Python to browser."""

    snapshot = traitlets.Bytes(b"").tag(sync=True)
    """The positions last shown, little-endian float32, shape (N, 2), centred. Python to browser; live frames travel
    as messages."""

    trace = traitlets.Bytes(b"").tag(sync=True)
    """Iterations and costs so far, little-endian float32, shape (K, 2). Python to browser."""

    classes = traitlets.Bytes(b"").tag(sync=True)
    """Class of each object, little-endian uint16, shape (N,); empty without classes. Python to browser, fixed."""

    class_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """What the classes are called. Python to browser, fixed."""

    values = traitlets.Bytes(b"").tag(sync=True)
    """A value of each object, little-endian float32, shape (N,); empty without values. Python to browser, fixed."""

    value_range = traitlets.List(traitlets.Float()).tag(sync=True)
    """Lowest and highest value. Python to browser, fixed."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Name of each object; empty without names. Python to browser, fixed."""

    has_images = traitlets.Bool(False).tag(sync=True)
    """Whether the kernel has an image of each object, to be asked for one by one. Python to browser, fixed."""

    hide_labels = traitlets.Bool(False).tag(sync=True)
    """Whether all objects look alike and the legend is hidden. Both ways."""

    title = traitlets.Unicode("").tag(sync=True)
    """Heading of the view. Python to browser, fixed."""

    height = traitlets.Int(460).tag(sync=True)
    """Height of the map in CSS pixels, from 160 to 2000. Python to browser, fixed."""

    axes_note = traitlets.Unicode("").tag(sync=True)
    """Which coordinates are drawn, where that is not all of them. Python to browser."""

    pace = traitlets.Float(None, allow_none=True).tag(sync=True)
    """Most iterations a second of the run, above 0; None for as many as the machine can. Both directions."""

    def __init__(self, run, *, labels=None, names=None, images=None, title=None, height=460, hide_labels=False):
        if not isinstance(run, Run):
            raise TypeError(f"run must be a notebook_sne.Run, got {type(run).__name__}; write Player(Run(model, X))")
        n_objects = np.shape(run.X)[0]
        facts = {**pack_labels(labels, n_objects), "names": pack_names(names, n_objects)}
        self.run = run
        self.error: Exception | None = None
        self._pump: threading.Thread | None = None
        self._images = check_images(images, n_objects)
        self._mail = Mail()
        super().__init__(
            key=uuid.uuid4().hex, title="" if title is None else str(title), height=height,
            has_images=images is not None, model_name=type(run.model).__name__, pace=run.pace,
            hide_labels=hide_labels, **facts,
        )  # fmt: skip
        self.on_msg(self._hear)
        supersede(self)
        self._pump = threading.Thread(target=pump, args=(weakref.ref(self),), name="notebook_sne view", daemon=True)
        self._pump.start()

    @traitlets.validate("height")
    def _check_height(self, proposal):
        if not 160 <= proposal["value"] <= 2000:
            raise traitlets.TraitError(f"height must be from 160 to 2000 pixels, got {proposal['value']}; 460 is usual")
        return proposal["value"]

    @traitlets.validate("pace")
    def _check_pace(self, proposal):
        if proposal["value"] is not None and not 0 < proposal["value"] < float("inf"):
            raise traitlets.TraitError(f"pace must be above 0 and finite, or None, got {proposal['value']}")
        return proposal["value"]

    @traitlets.observe("pace")
    def _keep_pace(self, change):
        self.run.pace = change["new"]

    def _hear(self, _widget, content, _buffers):
        """Take a message from the browser. Runs in whichever thread the kernel chooses: it only leaves notes."""
        try:
            kind = content.get("kind")
            if kind == "command":
                self._obey(content)
            with self._mail.changed:
                self._mail.heard_at = time.monotonic()
                if kind == "ack":
                    self._mail.acknowledged = max(self._mail.acknowledged, min(int(content["seq"]), self._mail.sent))
                    self._mail.hidden = bool(content.get("hidden"))
                elif kind == "hello":
                    self._mail.present = self._mail.urgent = True
                elif kind == "bye":
                    self._mail.present = False
                elif kind == "image" and self._images is not None and 0 <= int(content["index"]) < len(self._images):
                    self._mail.wanted_images.add(int(content["index"]))
                elif kind == "command":
                    self._mail.command, self._mail.urgent = str(content.get("id", "")), True
                self._mail.changed.notify_all()
        except Exception as error:  # ipywidgets would only log it
            self._show_error(error)

    def _obey(self, content):
        commands = {"play": self.run.play, "pause": self.run.pause, "step": self.run.step, "restart": self.run.restart}
        name = content.get("name")
        if name not in commands:
            raise ValueError(f"there is no command {name!r}; the commands are {', '.join(commands)}")
        self.error = None
        commands[name]()

    def _show_error(self, error):
        self.error = error
        with self._mail.changed:
            self._mail.urgent = True
            self._mail.changed.notify_all()

    def close(self):
        """End the run and the pump. The views keep the last picture and say ``closed``."""
        pump = self.__dict__.get("_pump")
        if pump is None or self._mail.closing:
            return  # it was never made whole, or is closed already
        self.run.close()
        with self._mail.changed:
            self._mail.closing = True
            self._mail.changed.notify_all()
        if threading.current_thread() is not pump:
            pump.join(1.0)

    def discard(self):
        """Close, and take the views off the page."""
        self.close()
        super().close()


def watch(
    model,
    X,
    *,
    labels=None,
    names=None,
    images=None,
    start=None,
    knobs=None,
    pace=None,
    autoplay=True,
    title=None,
    height=460,
    hide_labels=False,
):
    """Run a model on X and watch it.

    Parameters
    ----------
    model : estimator
        Such as ``SNE()``; see :class:`notebook_sne.Run`.
    X : array, or Dataset
        The objects. A Dataset brings its own labels, names and images, unless others are given.
    labels, names, images, title, height, hide_labels
        See :class:`Player`.
    start, knobs, pace
        See :class:`notebook_sne.Run`.
    autoplay : bool, default=True
        Whether to play at once; otherwise the start is made and shown.

    Returns
    -------
    player : Player
        Its `run` is the :class:`notebook_sne.Run`.
    """
    if not hasattr(X, "shape") and any(hasattr(X, name) for name in ("labels", "names", "images")):
        given = {"labels": labels, "names": names, "images": images}
        labels, names, images = (getattr(X, name, None) if value is None else value for name, value in given.items())
        X = X.X if getattr(X, "X", None) is not None else X.P
    player = Player(
        Run(model, X, start=start, knobs=knobs, pace=pace),
        labels=labels,
        names=names,
        images=images,
        title=title,
        height=height,
        hide_labels=hide_labels,
    )
    if autoplay:
        player.run.play()
    else:
        player.run.step(0)
    return player
