"""Probability wormholes: mass moves between two images of an object through no place in between."""

import numpy as np
import pytest

from benchmarks.laboratory import wormholes

UPDATES = 150


@pytest.fixture(scope="module")
def block():
    """Objects on a line whose last block stands between others, as a map of one dimension."""
    return wormholes.case(n=40, block=12, at=14)


def test_the_wrong_place_is_across_a_crowd(block):
    X, right, _, wrong, moved = block
    a, b = wrong[moved].mean(), right[moved].mean()
    crowd = np.setdiff1d(np.arange(len(X)), moved)
    assert ((a < right[crowd, 0]) & (right[crowd, 0] < b)).sum() >= 10


def test_it_begins_with_the_mass_that_is_asked_for(block):
    X, right, _, wrong, moved = block
    (state,) = wormholes.film(X, right, wrong, moved, 0, mass=0.75, perplexity=3)
    np.testing.assert_allclose(state.mixing[0, moved], 0.75)
    np.testing.assert_array_equal(state.Y[0], wrong)


def test_mass_moves_while_no_image_does(block):
    X, right, _, wrong, moved = block
    film = wormholes.film(X, right, wrong, moved, UPDATES, perplexity=3, momentum=0.0)
    mass, way = np.transpose([wormholes.left(state, right, wrong, moved) for state in film])
    assert mass[0] == pytest.approx(0.9)
    assert mass[-1] < 0.2
    assert np.abs(way).max() < 0.1
    # Nowhere is there mass between: all images stay nearer to one of the two places than to the middle.
    middle, reach = (wrong[moved].mean() + right[moved].mean()) / 2, (right[moved].mean() - wrong[moved].mean()) / 2
    for state in film[::10]:
        centers = state.Y[:, moved, 0].mean(axis=1)
        assert (np.abs(centers - middle) > 0.6 * reach).all()


def test_a_single_map_is_far_behind_from_the_same_place(block):
    X, right, _, wrong, moved = block
    film = wormholes.film(X, right, wrong, moved, UPDATES, perplexity=3, momentum=0.0)
    one = wormholes.single(X, wrong, 3, UPDATES, momentum=0.0)
    assert film[-1].cost < 0.3 * one[-1].cost


@pytest.mark.slow
def test_proportions_that_are_held_move_nothing(block):
    X, right, _, wrong, moved = block
    film = wormholes.film(X, right, wrong, moved, UPDATES, perplexity=3, momentum=0.0, held=True)
    assert wormholes.left(film[-1], right, wrong, moved)[0] == pytest.approx(0.9)
    free = wormholes.film(X, right, wrong, moved, UPDATES, perplexity=3, momentum=0.0)
    assert film[-1].cost > 2 * free[-1].cost
