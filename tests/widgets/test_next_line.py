"""What is asked of a view in the line after it was made: it waits for the first state that is under way."""

import numpy as np
import pytest

import notebook_sne as ns
from tests.standins import Drifting

X = np.random.default_rng(0).normal(size=(60, 5))
MODEL = ns.TSNE(perplexity=5, max_iter=10, random_state=0, progress=False)
NEXT = {
    "a page": lambda player, folder: player.to_html(folder / "page.html"),
    "a live page": lambda player, folder: player.to_html(folder / "live.html", live=True),
    "a recording": lambda player, folder: player.describe().save(folder / "run.npz"),
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
    assert explorer.to_html(tmp_path / "words.html").stat().st_size > 10_000
    explorer.discard()
    grid = ns.compare({"one": MODEL, "two": ns.SNE(perplexity=5, max_iter=10, progress=False)}, X, autoplay=False)
    for name, player in grid.players.items():
        assert player.to_html(tmp_path / f"{name}.html").stat().st_size > 10_000
    grid.close()


def test_an_error_of_the_model_is_that_of_the_next_line(tmp_path):
    player = ns.watch(Failing(), X, autoplay=False)
    with pytest.raises(Exception, match="ran away"):
        player.to_html(tmp_path / "page.html")
    player.discard()
    with ns.Run(MODEL, X) as idle, pytest.raises(ValueError, match="play or step the run"):
        ns.views.stages(idle)  # nothing is under way, and nothing would ever come
