"""``notebook-sne class``: the questions of a lecture, asked of a room full of phones."""

import html
import importlib.util
import sys
import tempfile
import threading
import webbrowser
from pathlib import Path

from notebook_sne.cli.errors import CommandError
from notebook_sne.cli.tutorials import tutorials_folder
from notebook_sne.engine.machine import files

__all__ = ["hold_class"]

NEEDED = ("tornado", "segno", "nbformat")


def hold_class(lecture, *, lan=False, port=None, file=None, pages=None, keep_votes=False, open_screen=True):
    """Serve a class until it is ended or Ctrl-C is pressed; return the exit code. `pages` is a folder of the course."""
    lacking = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if lacking:
        raise CommandError(f"class needs {', '.join(lacking)}: pip install 'notebook_sne[class]'")
    from notebook_sne.browser.teaching.room import Room
    from notebook_sne.browser.teaching.server import Server
    from notebook_sne.course.front_matter import title_of
    from notebook_sne.course.questions import polls_of

    source = tutorials_folder()
    there = {int(path.name[:2]): path for path in source.glob("[0-9][0-9]-*.ipynb")}
    if lecture not in there:
        raise CommandError(f"LECTURE must be from {min(there)} to {max(there)}, got {lecture}")
    folder = None if pages is None else Path(pages).expanduser()
    if folder is not None and not folder.is_dir():
        raise CommandError(f"--pages must be a folder that notebook-sne course has written, got {folder}")
    try:
        room = Room(title_of(there[lecture]), file=file, keep_votes=keep_votes)
    except ValueError as error:
        raise CommandError(str(error)) from None
    known = [poll.question for poll in room.polls]
    room.polls += [poll for poll in polls_of(there[lecture].name) if poll.question not in known]
    server = Server(room, lan=lan, port=port or 0, folder=folder, lecture=lecture)
    address = server.texts.address
    server.tell_soon()
    _say(address, lan)
    shown = tempfile.TemporaryDirectory(prefix="notebook_sne-", ignore_cleanup_errors=True)
    if not open_screen or not webbrowser.open(_leading_to(address["screen"], Path(shown.name))):
        print(f"The screen for the projector: {address['screen']}")
    print("Ctrl-C ends the class.", flush=True)
    try:
        _wait_for_end(room)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    finally:
        server.close()
        shown.cleanup()
    if room.file is not None:
        print(f"What was counted is in {room.file}")
    return 0


def _leading_to(address, folder):
    """Return the address of a file that leads to another one: other users see the command line of a browser."""
    file = folder / "screen.html"
    files.write(file, f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={html.escape(address)}">'.encode())
    return file.as_uri()


def _wait_for_end(room):
    ended = threading.Event()
    room.listeners.append(lambda: ended.set() if room.ended else None)
    while not ended.wait(1):  # a wait without an end would not hear of Ctrl-C on Windows
        pass


def _say(address, lan):
    if lan:
        print(f"Phones in this network open {address['join']}")
        print("Everyone in the network who knows the code can join.")
        if sys.stdout.isatty():
            import segno

            segno.make(address["join"], error="m", micro=False).terminal(compact=True)
    else:
        print(f"Only this machine can open {address['join']}; --lan lets phones of the network in.")
