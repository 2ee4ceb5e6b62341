"""Several players side by side."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.runs.run import Run
from tests.standins import Drawing, Drifting, until

pytestmark = pytest.mark.usefixtures("no_thread_is_left")
X = np.zeros((12, 3))


def test_two_models_of_the_same_objects_share_what_is_chosen():
    grid = ns.compare({"one": Drifting(max_iter=5), "two": Drawing(max_iter=5)}, X, labels=np.arange(12) % 3)
    assert list(grid.players) == ["one", "two"] and grid["two"].title == "two" and grid["one"].compact
    assert until(lambda: all(player.status == "finished" for player in grid.players.values()))
    grid["one"].selection = [4, 2]
    assert grid["two"].selection == [2, 4]
    grid["two"].hide_labels = True
    assert grid["one"].hide_labels
    grid.close()
    assert all(player.status == "closed" for player in grid.players.values())


def test_all_are_played_paused_and_restarted_together():
    runs = {"a": Run(Drifting(max_iter=10**6), X), "b": Run(Drifting(max_iter=10**6), X)}
    grid = ns.compare(runs, autoplay=False)
    assert all(run.status == "idle" for run in runs.values())
    assert grid.transport.views == [player.key for player in grid.players.values()] and grid.transport.align
    grid.play()
    assert until(lambda: all(run.state is not None and run.state.iteration > 20 for run in runs.values()))
    grid.pause()
    assert until(lambda: all(run.status == "paused" for run in runs.values()))
    grid.restart()
    assert until(lambda: all(run.state is not None and run.state.iteration == 0 for run in runs.values()))
    grid.close()


@pytest.mark.parametrize(
    ("views", "data", "error", "words"),
    [
        ({"one": Drifting()}, X, ValueError, "at least two"),
        ({"one": Drifting(), "two": Drifting()}, None, TypeError, "X must be given with 'one', a Drifting"),
        ({"one": Drifting(), "two": Run(Drifting(), X[:5])}, X, ValueError, "the same objects"),
    ],
)
def test_what_cannot_be_compared_is_refused_and_leaves_nothing_running(views, data, error, words):
    with pytest.raises(error, match=words):
        ns.compare(views, data)


def test_its_page_is_written_right_after_it_was_made(tmp_path):
    grid = ns.compare({"one": Drifting(max_iter=5), "two": Drawing(max_iter=5)}, X, autoplay=False)
    page = grid.to_html(tmp_path / "page.html").read_text()
    grid.close()
    assert "<title>one, two</title>" in page and all(player.key in page for player in grid.players.values())


def test_three_views_are_side_by_side_and_a_fourth_begins_a_second_row():
    assert [ns.compare({str(k): Drifting() for k in range(n)}, X, autoplay=False)._columns for n in (2, 3, 4, 5)] == [
        2, 3, 2, 3,
    ]  # fmt: skip


def test_columns_are_checked():
    with pytest.raises(ValueError, match="columns must be an integer above 0, got 0"):
        ns.compare({"one": Drifting(), "two": Drifting()}, X, columns=0)
