"""How views end: with their interpreter, in a forked child, and what is said of it."""

import os

import pytest

from tests.standins.process import FORKS, python

BEGINNING = """
import numpy as np
import notebook_sne as ns
from tests.standins import Drifting
X, endless = np.eye(12), Drifting(max_iter=10**9)
names = [f"w{i}" for i in range(12)]
"""
SCRIPTS = {
    "a player at rest": "player = ns.watch(Drifting(), X, autoplay=False); player.run.steps(5)",
    "a player of a run that goes on": "player = ns.watch(endless, X); player.run.wait_for_change(1)",
    "a comparison": "compared = ns.compare({'one': endless, 'two': Drifting()}, X)",
    "an explorer of a run that goes on": "run = ns.Run(endless, X); run.play(); seen = ns.explore(run, names)",
    "a replay": "run = ns.Run(Drifting(), X); run.steps(5); seen = ns.replay(run.recording)",
    "figures of a run that goes on": "run = ns.Run(endless, X); figures = ns.views.live(run); next(figures)",
    "a run in a block that never ends": """
def states():
    with ns.Run(endless, X) as run:
        run.play()
        yield run
held = states()
next(held)
""",
}


@pytest.mark.slow
@pytest.mark.sampled(7)
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_ends_without_a_word(script):
    done = python(BEGINNING + SCRIPTS[script], flags=("-X", "dev", "-W", "error::ResourceWarning"))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


FORKED = """
import os
player = ns.watch(endless, X)
player.run.wait_for_change(1)
child = os.fork()
if not child:
    told = player.run.status, player._connection.closing
    player.close()
    del player
    os._exit(7 if told == ("closed", True) else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), player.run.status in ("compiling", "running"))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_in_a_forked_child_a_player_is_closed_and_its_parent_goes_on():
    done = python(BEGINNING + FORKED, flags=FORKS)
    assert (done.stdout.split(), done.stderr, done.returncode) == (["7", "True"], "", 0)


GONE = """
import anywidget, gc

def gone(widget):
    raise AttributeError("the session of this page has been taken away")

anywidget.AnyWidget.close = gone
player = ns.watch(Drifting(), X, autoplay=False)
player.run.steps(5)
del player
gc.collect()
"""


@pytest.mark.slow
def test_a_player_whose_page_has_gone_is_collected_without_a_word():
    done = python(BEGINNING + GONE)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
