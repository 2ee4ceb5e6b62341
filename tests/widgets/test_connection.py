"""What the kernel sends when no page answers: a budget, then heartbeats, and all that waits when one does."""

import gc
import weakref

import numpy as np
import pytest

from notebook_sne.browser.widgets import cells, connection, sender
from notebook_sne.browser.widgets.compare import compare
from notebook_sne.browser.widgets.connection import BUDGET, TIMEOUT, Connection
from notebook_sne.browser.widgets.explorer import Explorer
from notebook_sne.browser.widgets.player import Player, watch
from notebook_sne.engine.machine import process
from notebook_sne.engine.runs.run import Run
from tests.standins import Drifting, our_threads, until
from tests.standins.process import printed
from tests.standins.waiting import threads_end

X = np.zeros((12, 3))


class Clock:
    """Stands where the module `time` would be: it goes by hand."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(connection, "time", clock)
    return clock


def spend(connection, sender, size, clock, seconds, step=0.05):
    """Return the bytes of the frames that are sent while no page answers."""
    sender.size = lambda state: size
    sender.shown, spent = object(), 0
    until_then = clock.now + seconds
    while clock.now < until_then:
        if sender.frame_is_due(connection, clock.now):
            connection.count(size, frame=True)
            sender.frame_at, spent = clock.now, spent + size
        clock.now += step
    return spent


@pytest.mark.parametrize("size", [160, 16_000, 560_000, 8_000_000])
def test_what_no_page_acknowledges_stays_within_the_budget(clock, size):
    link, sending = Connection(), sender.Sender()
    spent = spend(link, sending, size, clock, 3600, step=0.25)
    assert connection.WINDOW * min(size, 10**6) <= spent <= BUDGET
    assert link.spent - link.answered <= BUDGET


def test_a_frame_above_the_budget_is_sent_alone_and_waits_for_an_answer(clock):
    link, sending = Connection(), sender.Sender()
    assert spend(link, sending, 3 * BUDGET, clock, 60) == 3 * BUDGET
    link.receive({"kind": "ack", "seq": 1})
    assert spend(link, sending, 3 * BUDGET, clock, 60) == 3 * BUDGET


def test_an_answer_frees_what_came_before_it(clock):
    link = Connection()
    for _ in range(5):
        link.count(1_000_000, frame=True)
    link.receive({"kind": "ack", "seq": 3})
    assert 2_000_000 <= link.spent - link.answered <= 2_010_000
    link.count(0, wants_ack=True)
    link.receive({"kind": "ack", "seq": 5})
    assert link.spent == link.answered and not link.under_way


def test_frames_through_a_long_cell_come_less_and_less_often_and_do_not_stop(clock, monkeypatch):
    monkeypatch.setattr(cells, "_cell_runs", True)
    link, sending = Connection(), sender.Sender()
    first = spend(link, sending, 560_000, clock, 20)
    assert first >= 6_000_000 and 560_000 <= spend(link, sending, 560_000, clock, 40) < first


def test_no_page_seems_to_be_open_only_when_the_kernel_listens(clock, monkeypatch):
    link = Connection()
    clock.now += TIMEOUT + 1
    for runs, quiet in ((None, False), (True, False), (False, True)):
        monkeypatch.setattr(cells, "_cell_runs", runs)
        assert link.quiet(clock.now) is quiet
    link.receive({"kind": "ack", "seq": 0})
    assert not link.quiet(clock.now)
    link.receive({"kind": "hello", "page": "a"})
    link.receive({"kind": "bye", "page": "a"})
    assert link.quiet(clock.now)  # it has said so


@pytest.fixture
def kernel(monkeypatch):
    """Stand where IPython's kernel would be: with cells that begin and end."""
    calls = {}

    class Events:
        def register(self, name, call):
            calls[name] = call

    parent = {"header": {"msg_id": "m", "msg_type": "execute_request"}, "metadata": {}}
    shell = type("Shell", (), {"get_parent": lambda self: parent, "events": Events()})()
    monkeypatch.setitem(
        process.sys.modules, "IPython", type("IPython", (), {"get_ipython": staticmethod(lambda: shell)})
    )
    monkeypatch.setattr(cells, "_cell_runs", None)
    return calls


def test_the_kernel_listens_between_cells(kernel):
    cells.watch_cells()
    assert not cells.listens()  # the cell that made the player still runs
    kernel["post_run_cell"](None)
    assert cells.listens()
    kernel["pre_run_cell"](None)
    assert not cells.listens()
    before = dict(kernel)
    cells.watch_cells()
    assert kernel == before  # registered once


@pytest.mark.slow
def test_a_silent_page_gets_only_heartbeats_and_all_when_it_answers(browser, monkeypatch):
    monkeypatch.setattr(cells, "_cell_runs", False)
    monkeypatch.setattr(connection, "TIMEOUT", 0.3)
    monkeypatch.setattr(sender, "QUIET_HEARTBEAT", 0.2)
    monkeypatch.setattr(sender, "KEEP", 0.1)
    player = browser.show(watch(Drifting(max_iter=10**6, seconds=0.002), X))
    assert until(lambda: len(browser.frames()) > 5)
    browser.answers = False
    assert until(lambda: player._connection.quiet(connection.time.monotonic()))
    sent = []
    monkeypatch.setattr("anywidget.AnyWidget.send_state", lambda self, key=None: sent.append(key))
    assert until(lambda: len(browser.sent) and browser.sent[-1][0]["kind"] == "heartbeat")
    at, iteration, begin = len(browser.sent), player.run.state.iteration, len(sent)
    assert until(lambda: len(browser.sent) > at + 3)
    assert {content["kind"] for content, _ in browser.sent[at:]} == {"heartbeat"} and sent[begin:] == []
    assert player.run.state.iteration > iteration  # the run goes on
    assert browser.sent[-1][0]["wants_ack"]
    player._handle_message(player, {"kind": "ack", "seq": browser.sent[-1][0]["seq"]}, [])
    assert until(lambda: any({"snapshot_step", "trace", "moment"} <= set(keys) for keys in sent[begin:]))
    assert until(lambda: browser.sent[-1][0]["kind"] == "frame")


def test_a_trait_set_by_hand_is_sent_at_once_though_no_page_answers(browser, monkeypatch):
    monkeypatch.setattr(cells, "_cell_runs", False)
    monkeypatch.setattr(connection, "TIMEOUT", -1.0)
    player = browser.show(watch(Drifting(max_iter=3), X))
    sent = []
    monkeypatch.setattr("anywidget.AnyWidget.send_state", lambda self, key=None: sent.append(key))
    player.selection = [3]
    assert "selection" in sent


def test_who_asks_for_springs_does_not_wait_for_the_next_heartbeat(browser, monkeypatch):
    monkeypatch.setattr(cells, "_cell_runs", False)
    monkeypatch.setattr(sender, "HEARTBEAT", 1000.0)
    monkeypatch.setattr(sender, "QUIET_HEARTBEAT", 1000.0)
    player = browser.show(watch(Drifting(max_iter=3), X))
    assert until(lambda: player.status == "finished" and browser.frames())
    monkeypatch.setattr(connection, "TIMEOUT", -1.0)  # the page has been silent for long
    assert until(lambda: not player._connection.urgent)
    at = len(browser.sent)
    player.spring_of = 3  # by a cell: the page is asked whether it is there
    assert until(lambda: len(browser.sent) > at)
    assert browser.sent[at][0]["kind"] == "heartbeat" and browser.sent[at][0]["wants_ack"]
    monkeypatch.setattr(connection, "TIMEOUT", 1000.0)
    player._connection.last_message_at -= 2000.0
    assert player._connection.quiet(connection.time.monotonic())
    player.set_state({"selection": [4]})  # by a hand on the page, which is there, then
    assert not player._connection.quiet(connection.time.monotonic())


def test_a_paused_run_asks_for_no_answer(browser, monkeypatch):
    monkeypatch.setattr(sender, "HEARTBEAT", 0.05)
    player = browser.show(watch(Drifting(max_iter=10**6), X, autoplay=False))
    assert until(lambda: player.status == "paused" and browser.frames())
    assert until(lambda: browser.sent[-1][0] | {"wants_ack": False} == browser.sent[-1][0])


def test_the_last_status_of_a_closed_player_is_sent_though_no_page_answers(browser, monkeypatch):
    monkeypatch.setattr(cells, "_cell_runs", False)
    monkeypatch.setattr(connection, "TIMEOUT", -1.0)
    player = browser.show(watch(Drifting(max_iter=10**6), X))
    assert until(lambda: player.run.state is not None)
    player.close()
    assert player.status == "closed" and browser.sent[-1][0]["status"] == "closed"


ENDING = """
from notebook_sne.browser.widgets.player import Player, watch
from tests.standins import Drifting
import numpy as np
Player.send = lambda self, content, buffers=None: content["kind"] == "ended" and print(self.name)
left, closed = [watch(Drifting(max_iter=10**6), np.zeros((12, 2))) for _ in range(2)]
left.name, closed.name = "left", "closed"
closed.close()
"""


@pytest.mark.slow
def test_a_kernel_that_ends_says_so_to_the_views_that_are_not_closed():
    assert printed(ENDING).split() == ["left"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: watch(Drifting(max_iter=10**6), X),
        lambda: Explorer(Run(Drifting(max_iter=10**6), X), [f"w{i}" for i in range(12)]),
        lambda: compare({"one": Drifting(max_iter=10**6), "two": Drifting(max_iter=10**6)}, X),
    ],
)
def test_what_is_neither_shown_nor_named_ends_with_its_threads(make):
    shown = [make() for _ in range(3)]
    assert len(our_threads()) >= 3
    references = [weakref.ref(widget) for widget in shown]
    del shown
    assert until(lambda: (gc.collect(), not any(reference() for reference in references))[1])
    # A player that its thread held for the moment is collected later than the comparison around it.
    assert threads_end(), our_threads()


@pytest.mark.parametrize("view", [Player, lambda run: Explorer(run, [f"w{i}" for i in range(12)])])
def test_a_run_with_a_name_outlives_a_view_without_one(view):
    with Run(Drifting(max_iter=10**6), X) as run:
        reference = weakref.ref(view(run))
        assert until(lambda: (gc.collect(), reference() is None)[1])
        run.play()
        assert run.status != "closed"


def test_a_player_outlives_the_comparison_that_it_was_made_in():
    player = compare({"one": Drifting(max_iter=10**6), "two": Drifting(max_iter=10**6)}, X)["two"]
    assert until(lambda: (gc.collect(), len(our_threads()) == 2)[1])  # its run and its sender
    assert player.run.status != "closed"
    player.close()


def test_what_was_shown_stays_until_it_is_closed():
    player = watch(Drifting(max_iter=10**6), X)
    player._repr_mimebundle_()  # as a host asks for what it shows
    reference = weakref.ref(player)
    del player
    gc.collect()
    assert reference() is not None and until(lambda: len(our_threads()) == 2)
    reference().discard()
    gc.collect()
    assert reference() is None and until(lambda: not our_threads())


def test_a_widget_that_has_gone_does_not_disturb_the_others():
    from ipywidgets import Widget

    player, other = watch(Drifting(), X), watch(Drifting(), X)
    model_id = player.model_id
    del player
    gc.collect()
    assert until(lambda: model_id not in Widget.get_manager_state()["state"])
    assert other.model_id in Widget.get_manager_state()["state"]
    other.close()
