"""The player: a run to look at, in a notebook.

Frames travel as messages, one float32 buffer each; traits hold what must last (status, iteration, cost, the positions
last shown) for new views, reloaded pages and saved notebooks. A second thread, the pump, reads the run and sends: the
run never waits for a viewer, and nothing depends on a message arriving while a cell runs. At most `WINDOW` frames
travel unacknowledged; when acknowledgements stall, because a cell keeps the kernel or nobody looks, frames go out
on a lease that grows with the silence.
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
from notebook_sne.widgets.objects import check_images, grey_image, pack_labels, pack_names

__all__ = ["Player", "watch"]

FRAME = 1 / 18  # s between frames at least: smooth enough, and a browser on the same cores leaves them to the optimiser
HIDDEN_FRAME = 1.0  # s between frames while the page's tab is hidden
WINDOW = 6  # frames that may be under way unacknowledged
BEAT = 2.0  # s between messages at most: the browser tells a silent kernel by it
KEEP = 2.0  # s between snapshots while the run goes on
FACTS = 0.25  # s between updates of the traits while the run goes on


def lease(silence):
    """Return the seconds between unacknowledged frames, by the seconds since the browser was last heard."""
    return 0.15 if silence < 60 else 1.0 if silence < 600 else 5.0


def map_points(Y):
    """Return what the player shows of Y (M, N, d) as float32 (N, 2): the first map, centred, in two coordinates."""
    first = Y[0]
    points = np.zeros((first.shape[0], 2), dtype="<f4")
    points[:, : first.shape[1]] = (first - first.mean(axis=0))[:, :2]
    return points


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

    def __init__(self, run, *, labels=None, names=None, images=None, title=None, height=460):
        if not isinstance(run, Run):
            raise TypeError(f"run must be a notebook_sne.Run, got {type(run).__name__}; write Player(Run(model, X))")
        n_objects = np.shape(run.X)[0]
        facts = {**pack_labels(labels, n_objects), "names": pack_names(names, n_objects)}
        self.run = run
        self.error: Exception | None = None
        self._pump: threading.Thread | None = None
        self._images = check_images(images, n_objects)
        self._mail = _Mail()
        super().__init__(
            key=uuid.uuid4().hex, title="" if title is None else str(title), height=height,
            has_images=images is not None, model_name=type(run.model).__name__, **facts,
        )  # fmt: skip
        self.on_msg(self._hear)
        supersede(self)
        self._pump = threading.Thread(target=_pump, args=(weakref.ref(self),), name="notebook_sne view", daemon=True)
        self._pump.start()

    @traitlets.validate("height")
    def _check_height(self, proposal):
        if not 160 <= proposal["value"] <= 2000:
            raise traitlets.TraitError(f"height must be from 160 to 2000 pixels, got {proposal['value']}; 460 is usual")
        return proposal["value"]

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


class _Mail:
    """What the pump is told, under one lock: what was heard from the browser and what it asks for."""

    def __init__(self):
        self.changed = threading.Condition()
        self.heard_at = time.monotonic()
        self.sent = self.acknowledged = 0
        self.present = True  # until a view says goodbye: a busy kernel hears no greeting
        self.hidden = self.urgent = self.closing = False
        self.wanted_images = set()
        self.command = ""


class _Sender:
    """Decides what is due and sends it; the pump's memory between two looks at the run."""

    def __init__(self):
        self.version = self.shown = self.kept_state = None
        self.kept_status = ""
        self.frame_at = self.beat_at = self.keep_at = self.facts_at = -1e9
        self.moment = 0
        self.error = None

    def frame_is_due(self, mail, now):
        """Return whether a frame may leave now, for what is known of the browser."""
        waited = now - self.frame_at
        if mail.urgent:
            return True
        if not mail.present:
            return waited >= lease(1e9)
        if mail.hidden:
            return waited >= HIDDEN_FRAME
        if mail.sent - mail.acknowledged >= WINDOW:
            return waited >= lease(now - mail.heard_at)
        return waited >= FRAME

    def attend(self, player, now):
        """Send whatever is due."""
        mail, run = player._mail, player.run
        look = run.look()
        with mail.changed:
            urgent, images, command = mail.urgent, sorted(mail.wanted_images), mail.command
            mail.wanted_images.clear()
            due = self.frame_is_due(mail, now)
            mail.urgent = False
        for index in images:
            width, height, grey = grey_image(player._images, index)
            player.send({"kind": "image", "index": index, "width": width, "height": height}, [grey])
        state = look.state if look.state is not None else self.shown
        error = player.error
        news = look.version != self.version or error is not self.error
        turned = look.status != self.kept_status or error is not self.error
        rests = look.status not in ("compiling", "running")
        if state is not None and (due or turned) and (state is not self.shown or urgent):
            self.send_frame(player, look, state, command, now)
        elif urgent or turned or now - self.beat_at >= BEAT:
            self.moment += 1
            player.send({"kind": "beat", "heard": command, **self.facts(player, look, state)})
            self.beat_at = now
        keep = (rests and state is not self.kept_state) or now - self.keep_at >= KEEP
        if turned or (news and now - self.facts_at >= FACTS) or (keep and news):
            self.set_traits(player, look, state, keep or turned)
            self.facts_at = now
            if keep or turned:
                self.keep_at = now
        self.version, self.kept_status, self.error = look.version, look.status, error

    def facts(self, player, look, state):
        """Return the values that a frame, a beat and the traits all carry."""
        message = look.message or (f"{type(player.error).__name__}: {player.error}" if player.error else "")
        facts = {"moment": self.moment, "status": look.status, "message": message}
        facts["model_name"] = type(player.run.model).__name__
        if state is None:
            return {**facts, "iteration": None, "cost": None, "phase": ""}
        return {**facts, "iteration": int(state.iteration), "cost": float(state.cost), "phase": str(state.phase)}

    def send_frame(self, player, look, state, command, now):
        self.moment += 1
        with player._mail.changed:
            player._mail.sent += 1
            seq = player._mail.sent
        content = {"kind": "frame", "seq": seq, "heard": command, **self.facts(player, look, state)}
        player.send(content, [map_points(state.Y).tobytes()])
        self.shown, self.frame_at, self.beat_at = state, now, now

    def set_traits(self, player, look, state, keep):
        """Write the traits, in one message."""
        self.moment += 1
        facts = self.facts(player, look, state)
        if keep and state is not None:
            trace = player.run.trace
            facts["trace"] = np.column_stack([trace.iterations, trace.costs]).astype("<f4").tobytes()
            facts["snapshot"] = map_points(state.Y).tobytes()
            facts["axes_note"] = axes_note(state.Y)
            self.kept_state = state
        with player.hold_sync():
            for name, value in facts.items():
                setattr(player, name, value)


def axes_note(Y):
    """Say which part of Y (M, N, d) is drawn, where that is not all of it."""
    n_maps, _, d = Y.shape
    notes = [f"map 1 of {n_maps}"] if n_maps > 1 else []
    if d > 2:
        notes.append(f"first 2 of {d} coordinates")
    return ", ".join(notes)


def _pump(reference):
    """Look at the run 18 times a second at most and send what is due, until the player closes. A thread's body."""
    sender = _Sender()
    while (player := reference()) is not None:
        mail, now = player._mail, time.monotonic()
        closing = mail.closing
        try:
            sender.attend(player, now)
        except Exception as error:
            player.error = error
        if closing:
            return
        pause = FRAME if player.run.status in ("compiling", "running") else 0.1
        del player
        with mail.changed:
            mail.changed.wait_for(lambda mail=mail: mail.urgent or mail.closing or mail.wanted_images, pause)


def watch(
    model, X, *, labels=None, names=None, images=None, start=None, knobs=None, autoplay=True, title=None, height=460
):
    """Run a model on X and watch it.

    Parameters
    ----------
    model : estimator
        Such as ``SNE()``; see :class:`notebook_sne.Run`.
    X : array, or Dataset
        The objects. A Dataset brings its own labels, names and images, unless others are given.
    labels, names, images, title, height
        See :class:`Player`.
    start, knobs
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
        Run(model, X, start=start, knobs=knobs), labels=labels, names=names, images=images, title=title, height=height
    )
    if autoplay:
        player.run.play()
    else:
        player.run.step(0)
    return player
