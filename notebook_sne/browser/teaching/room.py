"""A class: who is there, what is asked, what was said; and what its file holds.

A phone has a token of its own making. The room knows it by a number, which its owner sees, and by a name that is made
of the token and a salt of the class: the token itself is never kept. The lecturer's key is new in each process, and is
never kept either. All methods may be called from any thread.

Longer than 300 lines because all that changes a class stands under one lock, and is kept in one file.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from notebook_sne.browser.teaching.class_file import ClassFile
from notebook_sne.browser.teaching.codes import read_codes
from notebook_sne.browser.teaching.polls import Curve, Poll, Round
from notebook_sne.browser.teaching.question import Answer, Question
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine.process import free_in_children

__all__ = ["FULL", "Phone", "Room"]

FULL = 500  # phones
OF_ONE_ADDRESS = 250  # phones: one student's program leaves room for the others
OF_ONE_PHONE = 8  # pages that are connected
MANY = 40  # phones that come from one address in a minute: the lecturer is told
KEEP = 0.5  # s between files while votes come
_LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"  # no vowels: no words; nothing that looks like another


def new_code() -> str:
    """Return the name of a class in an address: one of 387 million."""
    return "".join(secrets.choice(_LETTERS) for _ in range(6))


class Phone:
    """A phone, or whatever else a student has opened the page with."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.lines = 0
        """How many of its pages are connected."""
        self.address, self.came_at = "", -1e9


class Room:
    """A class.

    `title` is what phones show above, `questions` those that can be asked from the screen; others are added as a
    notebook asks them. With a `file` all that is counted is written to it, and read from it again if it is there.
    `keep_votes` keeps for each question who, by the number of the phone, has said what; otherwise only counts are kept.
    """

    def __init__(
        self,
        title: str = "",
        questions: Iterable[Question] = (),
        *,
        file: str | Path | None = None,
        keep_votes: bool = False,
    ) -> None:
        self.title = title
        self.code, self.key = new_code(), secrets.token_urlsafe(24)
        self.port = 0
        self.keep_votes = keep_votes
        self.polls = [Poll(question) for question in questions]
        self.current: Poll | None = None
        self.phones: dict[str, Phone] = {}
        self.hands: list[str] = []
        """Who asks for the knob, by name, in order."""
        self.holder: str | None = None
        """Who has it."""
        self.pixels = 0
        """How many pixels a drawing of a phone has; 0 while none is asked for."""
        self.drawings: dict[str, bytes] = {}
        """The last drawing of each phone, by name: gray values. They are in no file."""
        self.ended = False
        self.followed: Callable[[], Curve] = list
        """Returns the iterations and costs of the map that the class follows; nothing without one."""
        self.trouble = ""
        """Why the file cannot be written."""
        self.listeners: list[Callable[[], None]] = []
        """Called after each change, from the thread that made it."""
        self._salt = secrets.token_hex(16)
        self._lock = free_in_children(threading.RLock())
        self._writing = free_in_children(threading.Lock())  # votes do not wait for a disk
        self._kept_at = -KEEP
        self._unkept = False
        self._kept = None if file is None else ClassFile(file)
        self.file = None if self._kept is None else self._kept.file
        if self._kept is None:
            return
        if self._kept.file.exists():
            self._kept.read(self._take_over)
        else:
            self.keep()
            if self.trouble:
                self._kept.close(remove=True)
                raise OSError(f"file must be where a file can be written, got {self.file}: {self.trouble}")

    # ---- phones ----

    def join(self, token: str, address: str = "") -> Phone | None:
        """Let a phone in, or in again; None if the class is full or over, or the phone has too many pages open."""
        name = hashlib.blake2s(f"{self._salt} {token}".encode(), digest_size=8).hexdigest()
        with self._lock:
            phone = self.phones.get(name)
            if phone is None:
                if self.ended or not self._has_place(address):
                    return None
                number = 1 + max((one.number for one in self.phones.values()), default=0)
                phone = self.phones[name] = Phone(name, number)
                phone.came_at = time.monotonic()
            if phone.lines >= OF_ONE_PHONE:
                return None
            phone.address = address
            phone.lines += 1
        self._tell(soon=False)
        return phone

    def _has_place(self, address: str) -> bool:
        """Return whether another phone may come, once phones that have gone without a vote give back their places."""

        def full() -> bool:
            of_it = sum(one.address == address for one in self.phones.values()) if address else 0
            return len(self.phones) >= FULL or of_it >= OF_ONE_ADDRESS

        if full():
            voted = {name for poll in self.polls for one in poll.rounds for name in one.voters}
            self.phones = {name: one for name, one in self.phones.items() if one.lines or name in voted}
        return not full()

    def _crowd(self) -> str:
        """Return the address from which more phones came in the last minute than a group has, or an empty text."""
        since = time.monotonic() - 60
        came = Counter(one.address for one in self.phones.values() if one.address and one.came_at > since)
        return next((address for address, n in came.most_common(1) if n > MANY), "")

    def _empty(self) -> None:
        """Send all phones away, and let in those that read the new code."""
        self.code, self.phones, self.hands, self.holder, self.drawings = new_code(), {}, [], None, {}
        self._salt = secrets.token_hex(16)
        if self.current is not None and self.current.open:
            self.current.rounds[-1] = Round()  # nobody knows whose the votes were

    def leave(self, phone: Phone) -> None:
        """Note that a page of a phone is closed, or sleeps."""
        with self._lock:
            phone.lines -= 1
            if not phone.lines and phone.name in self.hands:
                self.hands.remove(phone.name)
            if not phone.lines and self.holder == phone.name:
                self.holder = None
        self._tell(soon=False)

    @property
    def badge(self) -> str:
        """What pages show that were let in before."""
        return hashlib.blake2s(f"{self._salt} badge".encode(), digest_size=16).hexdigest()

    @property
    def present(self) -> int:
        return sum(phone.lines > 0 for phone in self.phones.values())

    def vote(self, phone: Phone, question: int, number: int, value: Any) -> bool:
        """Take a vote; False where the vote is over, ValueError or TypeError if it is no answer to the question."""
        with self._lock:
            poll = self.current
            taken = poll is not None and self.number_of(poll) == question and poll.vote(phone.name, number, value)
        if taken:
            self._tell(soon=False)
        return taken

    def ask_drawings(self, pixels: int) -> None:
        """Ask all phones for a drawing of so many pixels, and forget what they drew before; 0 asks for none.

        A question is taken off the phones for it: what was asked for last is what phones and screen show.
        """
        with self._lock:
            if pixels:
                self._rest()
            self.pixels, self.drawings = pixels, {}
        self._tell()

    def take_drawing(self, phone: Phone, image: Any) -> bool:
        """Take the drawing of a phone, in place of its last; False where none is asked for."""
        with self._lock:
            if not self.pixels:
                return False
            if not isinstance(image, list) or len(image) != self.pixels:
                raise ValueError(f"image must be a list of {self.pixels} gray values, got {show(image)}")
            self.drawings[phone.name] = bytes(image)  # an error, if one is no whole number from 0 to 255
        self._tell(soon=False)
        return True

    def raise_hand(self, phone: Phone, up: bool) -> None:
        """Note that a phone asks for the knob, or no longer; whoever has it gives it back."""
        with self._lock:
            if up and phone.name != self.holder and phone.name not in self.hands:
                self.hands.append(phone.name)
            if not up and phone.name in self.hands:
                self.hands.remove(phone.name)
            if not up and self.holder == phone.name:
                self.holder = None
        self._tell()

    # ---- what a lecturer does ----

    def do(self, action: str, **how: Any) -> Any:
        """Do what a lecturer asks for, by name; ValueError if there is no such thing, or it can't be done now.

        ======== ===================================================================
        ask      open the vote on question `n`, from 0; one that was asked before comes back as it stands
        again    open another vote on the present question, unless nobody has answered in the one that is open
        show     close the vote, and show what was said
        found    tell what happened: `value`, or what is known already; and maybe `why`
        rest     take the question off the phones
        add      count answers that came as codes: `codes`, a text; return the wrong ones; None, if these codes were
                 counted in this vote already, and not `again`
        give     give the knob to the first who asks for it
        take     take it back
        empty    send all phones away, and change the code
        ======== ===================================================================
        """
        with self._lock:
            if action not in _ACTIONS:
                raise ValueError(f"action must be one of {', '.join(_ACTIONS)}, got {show(action)}")
            done = _ACTIONS[action](self, **how)
        self._tell()
        return done

    def poll_of(self, question: Question) -> Poll:
        """Return the poll on a question, which is added if it is new."""
        with self._lock:
            for poll in self.polls:
                if poll.question == question:
                    return poll
            self.polls.append(Poll(question))
            return self.polls[-1]

    def number_of(self, poll: Poll) -> int:
        return next(k for k, one in enumerate(self.polls) if one is poll)

    def _ask(self, n: int) -> None:
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < len(self.polls):
            raise ValueError(f"n must be the number of a question, from 0 to {len(self.polls) - 1}, got {show(n)}")
        if self.current is self.polls[n]:
            return  # a cell that runs twice costs no votes
        self._rest()
        self.current = self.polls[n]
        if not self.current.rounds:
            self.current.begin(self.followed())

    def _present(self) -> Poll:
        if self.current is None:
            raise ValueError("no question is open; ask one first")
        return self.current

    def _again(self) -> None:
        poll = self._present()
        if poll.open and not poll.rounds[-1].answered:
            return
        poll.end()
        poll.begin(self.followed())

    def _show(self) -> None:
        self._present().end()

    def _found(self, value: Any = None, why: str = "") -> None:
        poll = self._present()
        truth = poll.question.check("value", poll.known if value is None else value)
        poll.end()
        poll.truth, poll.why = truth, str(why)[:2000] or poll.why
        curve = self.followed()
        poll.curve = [] if curve == poll.before else curve  # of a run that the question is about

    def _rest(self) -> None:
        if self.current is not None:
            self.current.end()
        self.current = None

    def _add(self, codes: str, again: bool = True) -> list[str] | None:
        poll = self._present()
        answers, wrong = read_codes(poll.question, str(codes))
        return wrong if poll.add(answers, str(codes), again) else None

    def _give(self) -> None:
        if self.hands:
            self.holder = self.hands.pop(0)

    def _take(self) -> None:
        self.holder = None

    # ---- what is shown ----

    def facts(self) -> dict[str, Any]:
        """Return what the lecturer's screen and notebook show."""
        with self._lock:
            present = self.present
            told: dict[str, Any] = {
                "title": self.title,
                "present": present,
                "joined": len(self.phones),
                "hands": len(self.hands),
                "holder": self.phones[self.holder].number if self.holder in self.phones else None,
                "questions": [{"question": poll.question.question, "stage": poll.stage} for poll in self.polls],
                "n": None if self.current is None else self.number_of(self.current),
                "ended": self.ended,
                "trouble": self.trouble,
                "crowd": self._crowd(),
                "drawings": len(self.drawings) if self.pixels else None,
            }
            if self.current is not None:
                told["poll"] = self.current.facts(present)
        return told

    def facts_for(self, phone: Phone) -> dict[str, Any]:
        """Return what a phone shows: the question and its own answer, and what was found once it is told."""
        with self._lock:
            poll, name = self.current, phone.name
            told: dict[str, Any] = {
                "title": self.title,
                "number": phone.number,
                "of": len(self.polls),
                "knob": "yours" if self.holder == name else "asked" if name in self.hands else "",
                "ended": self.ended,
            }
            if poll is not None:
                told |= {"n": self.number_of(poll), "round": len(poll.rounds), "stage": poll.stage}
                told["yours"] = poll.rounds[-1].voters.get(name)
                told["before"] = poll.rounds[-2].voters.get(name) if len(poll.rounds) > 1 else None
                told["question"] = poll.question.told()
                if poll.stage == "found":
                    told |= {"truth": poll.truth, "found": poll.question.words(poll.truth), "why": poll.why}
        return told

    def count(self) -> tuple[int, int]:
        """Return how many have answered, and how many are there."""
        with self._lock:
            answered = self.current.rounds[-1].answered if self.current is not None else 0
            return answered, max(self.present, answered)

    def end(self) -> None:
        """End the class: votes are closed, and the file is complete."""
        with self._lock:
            self._rest()
            self.ended = True
            for poll in self.polls:
                for one in [] if self.keep_votes else poll.rounds:
                    one.forget()
        self._tell(soon=False)
        self.keep()
        self.let_go()

    # ---- the file ----

    def let_go(self) -> None:
        """Let another process, or another room of this one, go on with the file."""
        if self._unkept:
            self.keep()
        with self._writing:
            if self._kept is not None:
                self._kept.close()
            self._kept = None

    def record(self) -> dict[str, Any]:
        """Return the class as its file holds it."""
        with self._lock:
            told: dict[str, Any] = {
                "title": self.title, "code": self.code, "port": self.port,
                "salt": self._salt, "joined": len(self.phones), "ended": self.ended,
                "current": None if self.current is None else self.number_of(self.current),
                "polls": [poll.record() for poll in self.polls],
                "phones": {name: phone.number for name, phone in self.phones.items()},
            }  # fmt: skip
            if self.ended:
                for name in ("salt", "port", "phones"):  # of no use any more, and nobody's business
                    told.pop(name)
            if self.keep_votes:
                told["votes"] = [self._votes(poll) for poll in self.polls]
        return told

    def _votes(self, poll: Poll) -> list[dict[int, Answer]]:
        number = {name: phone.number for name, phone in self.phones.items()}
        return [{number[name]: said for name, said in one.voters.items() if name in number} for one in poll.rounds]

    def keep(self) -> None:
        """Write the file, if there is one; `trouble` says why it can't be written, and the class goes on."""
        with self._writing:
            if self._kept is None:
                return
            self._kept_at, self._unkept = time.monotonic(), False
            try:
                self._kept.write(self.record())
                self.trouble = ""
            except (OSError, ValueError) as error:
                self.trouble, self._unkept = str(error), True

    def keep_soon(self) -> None:
        """Write what hasn't been written, if the last file is old enough; called now and then."""
        if self._unkept and time.monotonic() - self._kept_at >= KEEP:
            self.keep()

    def _tell(self, soon: bool = True) -> None:
        """Keep a change, at once or with the next ones, and tell all who listen."""
        self._unkept = True
        if soon and time.monotonic() - self._kept_at >= KEEP:
            self.keep()
        for listener in list(self.listeners):
            listener()

    def _take_over(self, told: dict[str, Any]) -> None:
        """Go on with the class of a file; an error, which `ClassFile.read` explains, if it holds none."""
        polls = [Poll.read(one) for one in told["polls"]]
        self.title, self.code, self._salt = str(told["title"]), str(told["code"]), str(told["salt"])
        self.port = int(told["port"])
        if len(self.code) != 6 or not set(self.code) <= set(_LETTERS) or not 0 <= self.port <= 65535:
            raise ValueError
        self.phones = {name: Phone(name, int(number)) for name, number in told["phones"].items()}
        current = told["current"]
        self.current = None if current is None else polls[range(len(polls))[current]]
        if self.current is not None and (current < 0 or not self.current.rounds):
            raise ValueError
        known = [poll.question for poll in polls]
        self.polls = [*polls, *(poll for poll in self.polls if poll.question not in known)]


_NAMES = ("ask", "again", "show", "found", "rest", "add", "give", "take", "empty")
_ACTIONS: dict[str, Callable[..., Any]] = {name: getattr(Room, f"_{name}") for name in _NAMES}
