"""What a fit tells the logger `notebook_sne`: a few lines, and nothing to anybody who has not asked."""

import logging

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting import inputs
from tests.standins.process import printed


@pytest.fixture
def told(caplog):
    """A function that returns what has been told since it was last called, at every level."""
    caplog.set_level(logging.DEBUG, logger="notebook_sne")

    def lines():
        found = [(record.levelname, record.getMessage()) for record in caplog.records]
        caplog.clear()
        return found

    return lines


def cloud(n_objects, seed=0):
    return np.random.default_rng(seed).normal(size=(n_objects, 3))


def test_a_fit_tells_its_start_its_p_its_sums_its_phases_and_its_end(told):
    model = ns.TSNE(perplexity=5, max_iter=40, random_state=7, progress=False).fit(cloud(40))
    levels, lines = zip(*told(), strict=True)
    assert levels == ("DEBUG", "INFO", "INFO", "DEBUG", "INFO", "INFO", "INFO")
    threads, start, P, sums, first, second, end = lines
    assert threads.startswith("TSNE: 40 objects, optimizer momentum, ") and threads.endswith(" threads")
    assert start == "TSNE: starts on principal components, seed 7"
    assert P.startswith(f"P of 40 objects from vectors holds {model.affinities_.nnz} pairs, made in ")
    assert sums == "sums over the pairs of 40 points: exact"
    assert first == f"TSNE: exaggeration from update 0, cost {model.trace_.cost[0]:.5g}"
    ended = model.trace_.phase.ne("exaggeration").idxmax()
    assert second == f"TSNE: exaggeration ended, descent from update {ended}, cost {model.trace_.cost[ended]:.5g}"
    assert end == f"TSNE: stopped by max_iter after 40 updates, cost {model.trace_.cost.iloc[-1]:.5g}"


def test_the_number_of_lines_does_not_grow_with_the_updates(told):
    for max_iter in (20, 200):  # and a second fit tells as much as a first one
        ns.TSNE(perplexity=5, max_iter=max_iter, random_state=0, progress=False).fit(cloud(40, seed=max_iter))
        assert len(told()) == 7


def test_a_fit_at_rest_says_so(told):
    model = ns.SNE(perplexity=5, max_iter=5000, optimizer="lbfgs", random_state=0, progress=False).fit(cloud(30))
    assert model.n_iter_ < 5000
    assert told()[-1][1].startswith(f"SNE: at rest after {model.n_iter_} updates, cost ")


@pytest.mark.parametrize(
    ("init", "start"),
    [("random", "SNE: starts at random places, seed 0"), (cloud(30)[:, :2], "SNE: starts at the positions given")],
)
def test_a_start_is_told(told, init, start):
    next(ns.SNE(perplexity=5, init=init, random_state=0).iterate(cloud(30)))
    assert ("INFO", start) in told()


def test_a_run_that_goes_on_and_a_p_that_is_used_again_are_told(told):
    X = cloud(30)
    states = ns.SNE(perplexity=5, random_state=0).iterate(X)
    state = [next(states) for _ in range(4)][-1]
    told()
    other = ns.SNE(perplexity=5, random_state=0).iterate(X, start=state)
    next(other)
    lines = told()
    assert ("INFO", "SNE: goes on from update 3 of SNE") in lines
    assert ("DEBUG", "P of 30 objects is in use already, and is used again") in lines


@pytest.mark.parametrize(("most_exact", "how"), [(100, "exactly"), (50, "0.99 of them")])
def test_a_search_tells_how_many_neighbors_it_looks_for(told, monkeypatch, most_exact, how):
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 50)
    monkeypatch.setattr(inputs, "MOST_EXACT_OBJECTS", most_exact)
    next(ns.TSNE(perplexity=5, random_state=0).iterate(cloud(60)))
    assert ("INFO", f"searching 15 neighbors of each of 60 objects, {how}") in told()


@pytest.mark.slow
def test_nothing_is_printed_unless_it_is_asked_for():
    code = """
import io, logging, sys
sys.stderr = io.StringIO()
import numpy as np, notebook_sne as ns
X = np.random.default_rng(0).normal(size=(12, 3))
ns.SNE(perplexity=3, max_iter=3, progress=False).fit(X)
silent = sys.stderr.getvalue()
logging.basicConfig(level=logging.INFO)
ns.SNE(perplexity=4, max_iter=3, progress=False).fit(X)
print(repr(silent), "INFO:notebook_sne.engine.fitting.inputs:P of 12 objects" in sys.stderr.getvalue())
"""
    assert printed(code).split() == ["''", "True"]
