"""The lecturer's view of a class, in a notebook: what is asked there is asked of all phones in the room.

The server runs in a thread of this process, and ends with it. While it is there, each `predict` offers to ask the
class, and `reveal` tells the class what was found; a player can be followed on all phones.

Longer than 300 lines because its methods and parameters are described where a reader looks for them.
"""

from __future__ import annotations

import hashlib
import threading
import time
import uuid
import warnings
from pathlib import Path
from typing import Any

import traitlets

from notebook_sne.browser.frontend.bundle import DESK_MODULES, DESK_STYLES
from notebook_sne.browser.teaching.room import Room
from notebook_sne.browser.widgets import answered
from notebook_sne.browser.widgets.audience import Audience
from notebook_sne.browser.widgets.drawing import Drawing
from notebook_sne.browser.widgets.live import _followed
from notebook_sne.browser.widgets.map_view import check_flag
from notebook_sne.browser.widgets.player import Player
from notebook_sne.browser.widgets.prediction import Prediction
from notebook_sne.browser.widgets.shared import View
from notebook_sne.browser.widgets.texts import as_sent
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine.process import notebook

__all__ = ["Classroom", "classroom"]

PAUSE = 0.25  # s between news in the notebook
KEPT = 24 * 3600  # s after which a class that was not ended is forgotten

_present: Classroom | None = None  # the class of this process


class Classroom(View):
    """A class that answers on its phones, as a lecturer sees it. Made by `classroom`.

    Attributes
    ----------
    address : dict
        Where phones find it: ``join``, and ``short`` to be typed.
    """

    _modules, _styles = DESK_MODULES, DESK_STYLES

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget in the browser. Python to browser, fixed."""

    address = traitlets.Dict().tag(sync=True)

    facts = traitlets.Dict().tag(sync=True)
    """How the class stands: `Room.facts`. Python to browser."""

    maps: traitlets.List = traitlets.List().tag(sync=True)
    """The players of this kernel, as (key, words). Python to browser."""

    followed = traitlets.Unicode("").tag(sync=True)
    """The key of the player that the class follows; empty for none. Python to browser."""

    def __init__(self, room: Room, *, lan: bool = False, port: int = 0) -> None:
        from notebook_sne.browser.teaching.server import Server

        self.room = room
        self.server = Server(room, lan=lan, port=port)
        self._asked: tuple[Any, ...] = (room.file, lan, port, room.keep_votes)
        self._own_file: Path | None = None
        self._audience: Audience | None = None
        self._broadcasts = 0
        self._drawing: Drawing | None = None
        self._known: dict[str, Prediction] = {}
        self._news = threading.Event()
        self._over = False
        super().__init__(key=uuid.uuid4().hex, address=self._for_phones(), facts=room.facts())
        self.on_msg(self._handle_message)
        room.listeners.append(self._news.set)
        threading.Thread(target=self._follow, name="notebook_sne class news", daemon=True).start()

    def _for_phones(self) -> dict[str, Any]:
        """Return the address without the lecturer's key, which no notebook is to keep."""
        return {name: value for name, value in self.server.texts.address.items() if name != "screen"}

    @property
    def screen(self) -> str:
        """The lecturer's page for the projector. Its address holds the lecturer's key: show it to nobody."""
        return str(self.server.texts.address["screen"])

    # ---- what a script does ----

    def ask(self, question: Prediction) -> None:
        """Ask the class a question of this notebook: it appears on all phones.

        Parameters
        ----------
        question : Prediction
            As `notebook_sne.predict` has made it.
        """
        if not isinstance(question, Prediction):
            raise TypeError(f"question must be made by notebook_sne.predict, got {type(question).__name__}")
        self.room.do("ask", n=self.room.number_of(self.room.poll_of(question.asked)))

    def show(self) -> None:
        """Close the vote, and show what was said."""
        self.room.do("show")

    def again(self) -> None:
        """Open another vote on the same question."""
        self.room.do("again")

    def add_codes(self, codes: str, again: bool = False) -> list[str]:
        """Count answers to the present question that came as codes, from phones that reach no server.

        Parameters
        ----------
        codes : str
            As pages show them, with blanks between them.
        again : bool, default=False
            Whether to count the same codes once more in a vote. Otherwise a cell that is run again adds nothing, and
            a warning says so.

        Returns
        -------
        wrong : list of str
            Those that are no code of this question; they aren't counted.
        """
        wrong = self.room.do("add", codes=codes, again=again)
        if wrong is None:
            warnings.warn(
                f"the codes {codes!r} are counted in this vote already and were not added; "
                "if others have sent the same, add_codes(codes, again=True) adds them",
                stacklevel=2,
            )
        return wrong or []

    def follow(self, player: Player | None) -> None:
        """Let the class follow a player on its phones; None for no map.

        Parameters
        ----------
        player : Player or None
            One of this kernel. Phones show its map as it runs, and may not turn its knobs unless the lecturer gives
            one of them the knob; a student may go on alone from where the run stands.
        """
        if player is not None and not isinstance(player, Player):
            raise TypeError(f"player must be a Player or None, got {type(player).__name__}; watch(model, X) makes one")
        before = self._audience
        if before is not None and before.player is player:
            return  # a cell that is run again: phones keep what they show
        self._audience = None
        if before is not None:
            before.close()
        if player is not None:
            self._broadcasts += 1
            self._audience = Audience(player, self._broadcasts)
        self.room.followed = list if self._audience is None else self._audience.costs
        self.server.follow(None if self._audience is None else self._audience.broadcast)
        self.followed = "" if player is None else player.key

    def draw(self, drawing: Drawing | None) -> None:
        """Let the class draw on its phones; None for no longer.

        Parameters
        ----------
        drawing : Drawing or None
            As `notebook_sne.draw` has made it. Each phone shows its field and map, while no question is open; one that
            is open now is closed. What a phone sends lands on this view's map, in place of what it sent before, without
            a name.
        """
        if drawing is not None and not isinstance(drawing, Drawing):
            raise TypeError(f"drawing must be made by notebook_sne.draw, or None, got {type(drawing).__name__}")
        if drawing is self._drawing:
            return  # a cell that is run again
        self._broadcasts += 1
        page = None if drawing is None else drawing.page_of_phone()
        self.room.ask_drawings(0 if drawing is None else drawing.look["width"] * drawing.look["height"])
        self._drawing = drawing
        self.server.hand_out(self._broadcasts, page)

    def close(self) -> None:
        """End the class: phones are told, the file is complete, the server ends."""
        global _present
        if self._over:
            return
        self._over = True
        self.follow(None)
        self.server.close()
        if self._own_file is not None:
            self._own_file.unlink(missing_ok=True)
        self.facts = self.room.facts()
        for asked in self._known.values():
            asked.poll = {}
        if _present is self:
            _present = None

    def leave(self) -> None:
        """End the server and not the class, which may be gone on with from its file, at the same address."""
        global _present
        self._over = True
        self.follow(None)
        self.server.drop()
        if _present is self:
            _present = None

    # ---- news ----

    def _follow(self) -> None:
        while not self._over:
            self._news.wait(2 * PAUSE)
            self._news.clear()
            if not self._over:
                self._tell()
            time.sleep(PAUSE)

    def _tell(self) -> None:
        told = {name: value for name, value in self.room.facts().items() if name != "poll"}
        self.facts = {name: as_sent(value) if isinstance(value, str) else value for name, value in told.items()}
        self.address = self._for_phones()
        if self._drawing is not None:
            self._drawing.drawings = b"".join(list(self.room.drawings.values()))
        self.maps = [(one.key, as_sent(one.title) or one.model_name) for one in _open_players()]
        for question, asked in list(answered.asked_here.items()):
            if self._known.get(question) is not asked:
                self._known[question] = asked
                asked.on_msg(self._handler_of(asked))
                asked.observe(self._revealed, "truth")
            poll = self.room.poll_of(asked.asked)
            told = poll.facts(self.room.present)
            if asked.poll != told:
                asked.poll = told

    def _revealed(self, change: Any) -> None:
        """Tell the class what a cell has found, if it was asked."""
        poll = self.room.poll_of(change["owner"].asked)
        if change["new"] is None:
            return
        if self.room.current is poll:
            self.room.do("found", value=change["new"])
        else:
            poll.known = change["new"]

    def _handler_of(self, asked: Prediction) -> Any:
        def handle(_widget: Any, content: Any, _buffers: Any) -> None:
            if content.get("kind") == "class" and not self._over:
                if content.get("do") == "ask":
                    self.ask(asked)
                elif content.get("do") in ("show", "again"):
                    self.ask(asked)  # does nothing, if it is the present one
                    self.room.do(content["do"])

        return handle

    def _handle_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if content.get("kind") != "class" or self._over:
            return
        action = content.get("do")
        if action == "follow":
            self.follow(next((one for one in _open_players() if one.key == content.get("map")), None))
        elif action == "screen":
            self.send({"kind": "screen", "address": self.screen})
        elif action in ("give", "take", "empty"):
            self.room.do(action)
        elif action == "end":
            self.close()

    # ---- the still picture ----

    def _still_facts(self):
        return self.facts

    def _still_html(self):
        return "<p>A class, which has ended with its kernel.</p>"

    def _still_text(self):
        return f"Class at {self.address['short']}"


def _open_players() -> list[Player]:
    return [one for one in list(_followed) if isinstance(one, Player) and not one._connection.closing]


def classroom(
    title: str = "", *, lan: bool = False, port: int = 0, file: str | Path | None = None, keep_votes: bool = False
) -> Classroom:
    """Begin a class, whose students answer on their phones.

    A small server starts in this kernel. The view shows its address and a code for cameras; students open it in any
    browser, without an account. Each question of the notebook (`predict`) can then be asked of the class: its answers
    are counted, shown in the cell before `Prediction.reveal` tells what was found, and asked for again after a
    discussion. A player can be followed on all phones.

    Parameters
    ----------
    title : str, default=""
        What phones show above, such as the name of the lecture.
    lan : bool, default=False
        Whether other machines of the network may join; otherwise only this one can. Everybody in the network who knows
        the code of the class may then join.
    port : int, default=0
        The port of the server; 0 for the first that is free from 8765 on.
    file : str or Path, optional
        Where what was counted is kept, as JSON. If the file is there and its class hasn't ended, that class goes on,
        at the same address, as after a kernel that was restarted. By default it is a file of this notebook and title
        in Jupyter's runtime folder, which is removed with the end of the class, and not used after a day.
    keep_votes : bool, default=False
        Whether the file says also which phone, by its number, has said what; otherwise it holds counts alone, and,
        while a vote is open, what each phone has said under a name that nobody can trace back.

    Returns
    -------
    classroom : Classroom
        The view. `Classroom.close` ends the class; it ends with the kernel as well.

    Raises
    ------
    ImportError
        If tornado or segno is missing: ``pip install 'notebook_sne[class]'``.
    OSError
        If the port is taken, or the file can't be written.
    ValueError
        If a class runs already, with other settings; or if the file holds something else.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> room = ns.classroom("Lecture 3", lan=True)                             # doctest: +SKIP
    >>> guess = ns.predict("What does the cost do?", ["it falls", "it waits"]) # doctest: +SKIP
    >>> guess.reveal("it waits")                                               # doctest: +SKIP
    """
    global _present
    for name, value in (("lan", lan), ("keep_votes", keep_votes)):
        check_flag(name, value)
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        raise ValueError(f"port must be a whole number from 0 to 65535, got {show(port)}; 0 takes one that is free")
    if not isinstance(title, str):
        raise TypeError(f"title must be a text, got {show(title)}")
    place = None if file is None else Path(file).expanduser()
    if _present is not None:
        if _present._asked == (place, lan, port, keep_votes) and _present.room.title == title:
            return _present
        raise ValueError("a class runs already in this kernel, with other settings; end it first by its close()")
    own = _own_file(title) if place is None else None
    room = Room(title, file=place, keep_votes=keep_votes) if own is None else _again(title, own, keep_votes)
    try:
        _present = Classroom(room, lan=lan, port=port)
    except BaseException:
        room.let_go()
        raise
    _present._asked, _present._own_file = (place, lan, port, keep_votes), room.file if place is None else None
    return _present


def _own_file(title: str) -> Path | None:
    """Return the file by which a notebook's class outlives its kernel, or None where no Jupyter has a folder for it."""
    try:
        from jupyter_core.paths import jupyter_runtime_dir

        folder = Path(jupyter_runtime_dir())
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (ImportError, OSError):
        return None
    file = folder / f"notebook_sne-{hashlib.sha256(f'{notebook()} {title}'.encode()).hexdigest()[:16]}.json"
    if file.exists() and time.time() - file.stat().st_mtime > KEPT:
        file.unlink()
    return file


def _again(title: str, file: Path, keep_votes: bool) -> Room:
    """Go on with the class of a kernel that has ended, or begin one; without a file where there can be none."""
    for _ in range(2):
        try:
            return Room(title, file=file, keep_votes=keep_votes)
        except (ValueError, FileExistsError):  # of another version, or of a class that has ended
            file.unlink(missing_ok=True)
        except OSError:  # it is held by another kernel, or cannot be written
            break
    return Room(title, keep_votes=keep_votes)
