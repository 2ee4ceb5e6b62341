"""What is asked of a view in the line after it was made: it waits for the first state that is under way."""

import threading

import numpy as np
import pytest

import notebook_sne as ns
from tests.standins import Drifting, until
from tests.standins.waiting import LONG

X = np.random.default_rng(0).normal(size=(60, 5))
MODEL = ns.TSNE(perplexity=5, max_iter=10, random_state=0, progress=False)
NEXT = {
    "a page": lambda player, folder: player.to_html(folder / "page.html"),
    "a live page": lambda player, folder: player.to_html(folder / "live.html", live=True),
    "a recording": lambda player, folder: player.describe().save(folder / "run.npz"),
    "the run's recording": lambda player, folder: player.run.recording.save(folder / "run.npz"),
    "a replay": lambda player, folder: ns.replay(player.run.recording).discard(),
    "a selection": lambda player, folder: player.select("x > y or x <= y")["y"],
    "rows": lambda player, folder: (player.selected()["x"], player.objects()["x"]),
    "regions": lambda player, folder: player.regions(n_regions=2),
    "a moved object": lambda player, folder: player.run.move([0], [[1.0, 2.0]]),
    "a held object": lambda player, folder: (player.run.pin([0]), player.run.unpin([0])),
    "an earlier state": lambda player, folder: player.run.seek(0),
    "forces and costs": lambda player, folder: (player.run.forces(0), player.run.costs()),
    "a restart's page": lambda player, folder: (player.run.restart(), player.to_html(folder / "again.html")),
    "moments": lambda player, folder: ns.views.stages(player.run),
    "a film": lambda player, folder: ns.views.gif(player.run, folder / "film.gif", size=120),
}


class Failing(Drifting):
    """A model that makes no state at all."""

    def iterate(self, X, **more):
        raise RuntimeError("it ran away")


@pytest.mark.parametrize("autoplay", [False, True])
@pytest.mark.parametrize("name", NEXT)
def test_right_after_a_player_was_made(name, autoplay, tmp_path):
    player = ns.watch(MODEL, X, autoplay=autoplay)
    NEXT[name](player, tmp_path)
    player.discard()


def test_right_after_an_explorer_of_a_run_and_a_comparison(tmp_path):
    run = ns.Run(ns.AspectMaps(n_maps=2, perplexity=5, max_iter=10, random_state=0, progress=False), X)
    run.play()
    explorer = ns.explore(run, [f"word {k}" for k in range(60)])
    for live in (True, False):
        run.restart()
        assert explorer.to_html(tmp_path / "words.html", live=live).stat().st_size > 10_000
    explorer.discard()
    grid = ns.compare({"one": MODEL, "two": ns.SNE(perplexity=5, max_iter=10, progress=False)}, X, autoplay=False)
    for name, player in grid.players.items():
        assert player.to_html(tmp_path / f"{name}.html").stat().st_size > 10_000
    grid.close()


def test_an_error_of_the_model_is_that_of_the_next_line(tmp_path):
    for name in ("a page", "the run's recording", "a selection", "a held object"):
        player = ns.watch(Failing(), X, autoplay=False)
        with pytest.raises(Exception, match="ran away"):
            NEXT[name](player, tmp_path)
        player.discard()
    with ns.Run(MODEL, X) as idle, pytest.raises(ValueError, match="play or step the run"):
        ns.views.stages(idle)  # nothing is under way, and nothing would ever come


def test_a_page_that_asks_too_early_holds_up_no_kernel():
    gate = threading.Event()

    class Held(Drifting):
        def iterate(self, X, **more):
            gate.wait()
            yield from super().iterate(X, **more)

    player, sent = ns.watch(Held(), X), []
    player.send = lambda content, buffers=(): sent.append(content)
    for number, name in enumerate(("pin", "unpin", "move", "seek")):
        command = {"kind": "command", "id": f"page:{number + 1}", "name": name, "objects": [0], "iteration": 0}
        player._handle_message(None, command, [np.zeros(2, "<f4").tobytes()])
        assert "no map yet" in str(player.error)
    player._handle_message(None, {"kind": "request", "what": "objects", "query": "x > 0", "page": "page"}, [])
    assert until(lambda: any(content["kind"] == "found" for content in sent))  # and says that there is no column x
    gate.set()
    player.discard()


@pytest.mark.slow
def test_a_notebook_that_a_program_runs_has_pictures_of_maps():
    """As of ``jupyter nbconvert --execute`` and papermill: when its last cell has ended, nothing more is written."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = [
        "import numpy as np, notebook_sne as ns",
        "X = np.random.default_rng(0).normal(size=(60, 5)); model = ns.SNE(perplexity=5, max_iter=10**6)",
        "player = ns.watch(model, X)\nplayer",
        "player.select('x > 0'); ns.replay(player.run.recording)",
        "run = ns.Run(ns.AspectMaps(n_maps=2, perplexity=5), X); run.play()",
        "ns.explore(run, [f'word {k}' for k in range(60)])",
        "ns.compare({'a': model, 'b': ns.TSNE(perplexity=5)}, X, autoplay=False)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    ran = nbclient.NotebookClient(notebook, timeout=LONG, kernel_name="python3").execute()
    shown = [one.get("data", {}).get("text/html", "") for cell in ran.cells for one in cell.outputs]
    stills = [html for html in shown if "nsne-still" in html]
    assert [still.count('alt="Map') for still in stills] == [1, 1, 2, 2]
    assert not any("no map" in still for still in stills)
