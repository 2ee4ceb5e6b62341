"""The explorer without a browser: what it packs, its word and threshold, a run that it follows, bad input."""

from types import SimpleNamespace

import numpy as np
import pytest
import traitlets
from scipy import sparse

import notebook_sne as ns
from notebook_sne.browser.widgets import cells, explorer_maps
from notebook_sne.browser.widgets.explore import explore
from notebook_sne.browser.widgets.explorer import Explorer
from notebook_sne.browser.widgets.explorer_maps import pack_maps, unpack_maps
from notebook_sne.browser.widgets.player import Player
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.run import Run
from tests.standins import Drifting, our_threads, until
from tests.widgets.test_replay import recorded

NAMES = ["CAN", "TRASH", "GARBAGE", "BOTTLE", "BEER", "can opener"]
N = len(NAMES)

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


def fitted(n_maps=2, d=2, **more):
    rng = np.random.default_rng(0)
    mixing = rng.dirichlet(np.ones(n_maps), N).T
    return SimpleNamespace(maps_=rng.normal(size=(n_maps, N, d)), mixing_=mixing, **more)


class DriftingMaps(Drifting):
    """Two copies of the drifting map; the words move from one to the other."""

    _kernel = "student"

    def iterate(self, X, start=None, knobs=None):
        for state in super().iterate(X, start, knobs):
            share = np.full(len(X), 0.5 / (1 + 0.1 * state.iteration))
            yield State(
                state.iteration, state.phase, state.cost, state.objective, np.concatenate([state.Y, -state.Y]),
                np.array([share, 1 - share]), state.gradient_norm, dict(state.knobs), "DriftingMaps", {},
            )  # fmt: skip


def unpack(snapshot):
    numbers = np.frombuffer(snapshot, "<f4")
    n_maps, n_words, d = numbers[:3].astype(int)
    end = 3 + n_maps * n_words * d
    return numbers[3:end].reshape(n_maps, n_words, d), numbers[end:].reshape(n_maps, n_words)


@pytest.fixture
def sent(monkeypatch):
    """What would have gone to the browser."""
    messages = []
    monkeypatch.setattr(Explorer, "send", lambda self, content, buffers=None: messages.append((content, buffers)))
    return messages


@pytest.fixture
def running(sent):
    """Explore a run, and end both afterward."""
    made = []

    def make(**settings):
        run = Run(DriftingMaps(**{"max_iter": 10**6, "seconds": 0.002, **settings}), np.zeros((N, 2)))
        explorer = explore(run, NAMES)
        explorer._handle_message(explorer, {"kind": "hello"}, [])
        made.append(explorer)
        return explorer

    yield make
    for explorer in made:
        run = explorer.run
        explorer.close()
        if run is not None:
            run.close()


def test_a_fitted_model_travels_whole_as_float32():
    model = fitted(3, 2, cost_=1.5)
    explorer = explore(model, NAMES, title="words")
    maps, mixing = unpack(explorer.snapshot)
    np.testing.assert_allclose(mixing, model.mixing_, rtol=1e-6)
    np.testing.assert_allclose(maps, model.maps_ - model.maps_.mean(axis=1, keepdims=True), atol=1e-6)
    assert (explorer.status, explorer.cost, explorer.title, explorer.live) == ("fitted", 1.5, "words", False)
    assert explorer.names == NAMES and explorer.kernel == "gaussian" and explorer.word is None
    assert not our_threads()


@pytest.mark.parametrize("d", [1, 2, 3])
def test_all_coordinates_travel(d):
    maps, _ = unpack(explore(fitted(d=d), NAMES).snapshot)
    assert maps.shape == (2, N, d)


def test_the_kernel_is_the_models_own():
    model = fitted()
    model._kernel = "student"
    assert explore(model, NAMES).kernel == "student"


def test_one_map_has_proportions_of_1():
    model = SimpleNamespace(embedding_=np.arange(2.0 * N).reshape(N, 2))
    maps, mixing = unpack(explore(model, NAMES).snapshot)
    assert maps.shape == (1, N, 2) and (mixing == 1).all()
    assert (unpack(pack_maps(np.zeros((2, N, 2)), None))[1] == 0.5).all()


def test_of_very_many_points_those_are_sent_that_count(monkeypatch):
    model = fitted(n_maps=3)
    model.mixing_[:, 1] = 0.99, 0.01, 0.0
    model.mixing_[:, 4] = 0.0, 0.0, 1.0
    maps, mixing = unpack_maps(pack_maps(model.maps_, model.mixing_))
    monkeypatch.setattr(explorer_maps, "MOST_WHOLE", 3 * N - 1)
    explorer = explore(model, NAMES)
    few, shares = unpack_maps(explorer.snapshot)
    counts = model.mixing_ >= explorer_maps.SMALL / 3
    assert counts.sum() == np.frombuffer(explorer.snapshot, "<f4")[3] < 3 * N - 3
    assert (few[counts] == maps[counts]).all() and (shares[counts] == mixing[counts]).all()
    assert not few[~counts].any() and not shares[~counts].any()
    assert "3 maps" in explorer._still_text()


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_counts_travel_as_rows(make):
    counts = np.zeros((N, N))
    counts[0, 1], counts[0, 4], counts[4, 0] = 12, 5, 18
    explorer = explore(fitted(), NAMES, counts=make(counts))
    rows = sparse.csr_array(
        (
            np.frombuffer(explorer.count_values, "<f4"),
            np.frombuffer(explorer.count_columns, "<i4"),
            np.frombuffer(explorer.count_pointers, "<i4"),
        ),
        shape=(N, N),
    )
    np.testing.assert_array_equal(rows.toarray(), counts)
    assert not explore(fitted(), NAMES).count_pointers


def test_counts_given_as_rows_are_left_as_they_were():
    unsorted = sparse.csr_array((np.array([1.0, 2.0]), np.array([3, 1]), np.array([0, 2, 2, 2, 2, 2, 2])), shape=(N, N))
    explore(fitted(), NAMES, counts=unsorted)
    assert unsorted.indices.tolist() == [3, 1]


def test_a_data_set_brings_its_names_and_counts():
    counts = np.eye(N)[::-1]
    data = ns.datasets.Dataset(title="words", counts=counts, names=NAMES)
    explorer = explore(fitted(), data)
    assert explorer.names == NAMES and explorer.count_values
    with pytest.raises(ValueError, match="this data set has no names; give the words as names"):
        explore(fitted(), ns.datasets.Dataset(title="words", counts=counts))


def test_the_word_is_a_name_in_any_case_or_an_index():
    explorer = explore(fitted(), NAMES, word="trash")
    assert explorer.word == "TRASH"
    for given, name in [("CAN", "CAN"), (" Beer ", "BEER"), (2, "GARBAGE"), (np.int64(5), "can opener"), (None, None)]:
        explorer.word = given
        assert explorer.word == name and (name is None or type(explorer.word) is str)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("GARBGE", "word must be one of the 6 words, got 'GARBGE'; did you mean GARBAGE"),
        ("zzzz", "the known ones are in names"),
        (6, "word must be from 0 to 5 as an index, got 6"),
        (-1, "word must be from 0 to 5 as an index, got -1"),
        (1.5, "word must be one of the words, or an index, got 1.5"),
        (True, "word must be one of the words, or an index, got True"),
    ],
)
def test_an_unknown_word_is_refused_with_the_closest_spellings(given, words):
    explorer = explore(fitted(), NAMES, word="CAN")
    with pytest.raises(traitlets.TraitError, match=words):
        explorer.word = given
    assert explorer.word == "CAN"


class AspectMaps:
    """Not fitted."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "settings", "words"),
    [
        (AspectMaps(), {}, r"model must be fitted, and this AspectMaps has no maps_; fit it first.*Run\(model, X\)"),
        (AspectMaps, {}, "model must be fitted, and this AspectMaps"),
        (fitted(), {"names": NAMES[:4]}, "names must hold one entry for each of the 6 objects, got 4"),
        (fitted(), {"names": ["a"] * N}, "names must differ, got 'a' for objects 0 and 1"),
        (fitted(), {"counts": np.zeros((3, 3))}, r"each of the 6 words, shape \(6, 6\), got \(3, 3\)"),
        (fitted(), {"counts": np.full((N, N), -1)}, "counts must be finite and not negative"),
        (fitted(), {"counts": np.full((N, N), np.nan)}, "counts must be finite and not negative"),
        (fitted(), {"counts": np.full((N, N), "x")}, "counts must be numbers"),
        (fitted(), {"counts": np.ones((N, N)) * 1j}, "counts must be real, got complex numbers"),
        (fitted(), {"threshold": "a"}, "threshold must be a number, got 'a'"),
        (fitted(), {"height": 300.5}, "height must be a whole number of pixels, got 300.5"),
        (fitted(), {"threshold": 1.0}, "threshold must be from 0 to below 1, got 1.0"),
        (fitted(), {"threshold": float("nan")}, "threshold must be from 0 to below 1, got nan"),
        (fitted(), {"height": 50}, "height must be from 240 to 2000 pixels, got 50"),
        (fitted(), {"color": "red"}, "unexpected keyword"),
        (SimpleNamespace(maps_=np.zeros((2, N))), {}, r"maps_ must be finite and have shape \(M, N, d\)"),
        (SimpleNamespace(maps_=np.full((2, N, 2), np.nan)), {}, "maps_ must be finite"),
        (SimpleNamespace(maps_=np.zeros((2, N, 2)), mixing_=np.ones((3, N)) / 3), {}, r"mixing_ must have shape"),
        (SimpleNamespace(maps_=np.zeros((2, N, 2)), mixing_=np.ones((2, N))), {}, "sum to 1 over the maps"),
    ],
)
def test_bad_input_names_the_argument_the_rule_the_value_and_the_fix(model, settings, words):
    with pytest.raises((ValueError, TypeError), match="(?s)" + words):
        explore(model, **{"names": NAMES, **settings})


def test_hostile_words_travel_as_they_are():
    names = [f"<img src=x onerror=hacked({i})>" for i in range(N)]
    explorer = explore(fitted(), names, title=names[0], word=names[3])
    assert explorer.names == names and explorer.title == names[0] and explorer.word == names[3]


def test_a_run_is_followed_a_few_times_a_second(running, sent):
    explorer = running()
    assert explorer.live and explorer.status == "idle" and explorer.kernel == "student"
    explorer.run.play()
    frames = lambda: [(content, buffers) for content, buffers in list(sent) if content["kind"] == "frame"]  # noqa: E731
    assert until(lambda: len(frames()) >= 5)
    # A tiny model does thousands of updates in that time: most states are not sent.
    shown = [content["iteration"] for content, _ in frames()]
    assert shown == sorted(set(shown)) and shown[-1] > 5 * len(shown)
    content, (buffer,) = frames()[-1]
    maps, mixing = unpack(buffer)
    assert maps.shape == (2, N, 2) and content["iteration"] > 0 and content["status"] == "running"
    np.testing.assert_allclose(mixing.sum(axis=0), 1, rtol=1e-6)


def test_commands_of_the_browser_reach_the_run_and_wrong_ones_are_shown(running):
    explorer = running()
    explorer._handle_message(explorer, {"kind": "command", "name": "play", "id": "me:1"}, [])
    assert until(lambda: explorer.status == "running" and explorer.snapshot)
    explorer._handle_message(explorer, {"kind": "command", "name": "pause", "id": "me:2"}, [])
    assert until(lambda: explorer.status == "paused")
    state = explorer.run.state
    assert until(lambda: explorer.iteration == state.iteration)
    np.testing.assert_allclose(unpack(explorer.snapshot)[1], state.mixing, rtol=1e-6)
    explorer._handle_message(explorer, {"kind": "command", "name": "restart"}, [])
    assert until(lambda: "no command 'restart' here" in explorer.message)


def test_a_fit_that_fails_is_shown_with_its_last_maps(running):
    explorer = running(fails_at=6)
    explorer.run.play()
    assert until(lambda: explorer.status == "error" and explorer.iteration == 5)
    assert "ran away" in explorer.message and explorer.snapshot


def test_close_ends_the_following_and_not_the_run(running, sent):
    explorer = running()
    explorer.run.play()
    assert until(lambda: explorer.status == "running")
    explorer.close()
    explorer.close()
    assert explorer.status == "closed" and explorer.snapshot
    assert [content["status"] for content, _ in sent if "status" in content][-1] == "closed"
    assert explorer.run.status == "running"


def test_a_player_lends_its_run(monkeypatch):
    monkeypatch.setattr(Player, "send", lambda *arguments, **more: None)
    monkeypatch.setattr(Explorer, "send", lambda *arguments, **more: None)
    player = ns.watch(DriftingMaps(max_iter=20), np.zeros((N, 2)), names=NAMES)
    explorer = explore(player, NAMES)
    try:
        assert until(lambda: explorer.status == "finished" and explorer.iteration == 20)
        explorer.close()
        assert player.run.status == "finished"
    finally:
        explorer.close()
        player.close()


def test_running_a_cell_again_takes_its_earlier_explorers_and_replays_off_the_page(monkeypatch):
    here = {}
    monkeypatch.setattr(cells, "current_cell", lambda: here["now"])
    monkeypatch.setattr(cells, "_made", {})
    run = Run(DriftingMaps(max_iter=10**6), np.zeros((N, 2)))
    here["now"] = ("a", "request 1")
    earlier = [explore(fitted(), NAMES), explore(run, NAMES), ns.replay(recorded())]
    here["now"] = ("a", "request 2")
    again, film = explore(run, NAMES), ns.replay(recorded())
    assert not any(view.comm for view in earlier) and again.comm and film.comm
    assert run.status != "closed"  # the run belongs to whoever made it
    again.close()
    run.close()


def test_explore_is_a_public_name():
    assert ns.explore is explore and ns.Explorer is Explorer
