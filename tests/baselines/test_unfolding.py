"""MVU: rods hold, chains become straight lines, rings stay rings, and what it cannot take is refused."""

import sys

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

import notebook_sne as ns
from notebook_sne.baselines import MVU


def bent_chain(n=40):
    """Objects on an arc, each a little farther from the last than that one from its own: so that one is its nearest."""
    angle = np.cumsum(1.03 ** np.arange(n))
    angle *= 5 / angle[-1]
    along = np.concatenate([[0.0], np.cumsum(2 * np.sin(np.diff(angle) / 2))])
    return np.column_stack([np.cos(angle), np.sin(angle)]), along


def rod_lengths(model, Y):
    i, j = model.rods_.T
    return np.linalg.norm(Y[i] - Y[j], axis=1)


@pytest.mark.parametrize("input", ["vectors", "distances"])
def test_a_chain_becomes_a_straight_line_of_known_variance(input):
    X, along = bent_chain()
    mvu = MVU(n_neighbors=1, input=input).fit(X if input == "vectors" else squareform(pdist(X)))
    assert len(mvu.rods_) == 39
    assert -mvu.cost_ == pytest.approx(along.var(), rel=1e-4)
    assert mvu.explained_variance_ratio_[0] > 1 - 1e-5
    line = mvu.embedding_[:, 0]
    straight = along - along.mean()
    assert min(np.abs(line - straight).max(), np.abs(line + straight).max()) < 1e-3 * straight.max()


def test_a_ring_cannot_unfold():
    mvu = MVU(n_neighbors=2).fit(ns.datasets.load_circle(40).X)
    assert len(mvu.rods_) == 40
    assert -mvu.cost_ == pytest.approx(1.0, rel=1e-4)  # a regular polygon is the widest that 40 equal rods can make
    assert np.hypot(*mvu.embedding_.T) == pytest.approx(np.ones(40), rel=1e-3)


def test_with_rods_between_all_nothing_moves():
    X = np.random.default_rng(0).random((15, 2))
    mvu = MVU(n_neighbors=14).fit(X)
    assert -mvu.cost_ == pytest.approx(X.var(axis=0).sum(), rel=1e-3)
    assert ns.quality.procrustes_disparity(mvu.embedding_, X) < 1e-3


@pytest.mark.parametrize("seed", [0, 1])
def test_a_roll_is_pulled_apart_and_its_rods_hold(seed):
    roll = ns.datasets.load_swiss_roll(60, random_state=seed)
    mvu = MVU(n_neighbors=6).fit(roll.X)
    i, j = mvu.rods_.T
    lengths = np.linalg.norm(roll.X[i] - roll.X[j], axis=1)
    unit = np.square(lengths).mean()
    off = np.square(rod_lengths(mvu, mvu.unfolding_)) - np.square(lengths)
    assert np.abs(off).max() / unit == pytest.approx(mvu.rod_error_, rel=1e-6) and mvu.rod_error_ < 1e-3
    variances = mvu.unfolding_.var(axis=0)
    assert variances.sum() == pytest.approx(-mvu.cost_) and -mvu.cost_ > roll.X.var(axis=0).sum()
    assert np.allclose(mvu.embedding_, mvu.unfolding_[:, :2])
    assert np.allclose(mvu.explained_variance_ratio_, variances[:2] / variances.sum())


def test_half_a_cylinder_is_laid_flat():
    """A sheet that is bent, not stretched: rods along it and across, and all of its squares braced."""
    angle, height = np.meshgrid(np.linspace(0, 3, 12), np.linspace(0, 0.6, 4), indexing="ij")
    X = np.column_stack([np.cos(angle).ravel(), np.sin(angle).ravel(), height.ravel()])
    flat = np.column_stack([angle.ravel(), height.ravel()])
    mvu = MVU(n_neighbors=8).fit(X)
    assert mvu.explained_variance_ratio_.sum() > 0.98
    assert ns.quality.procrustes_disparity(mvu.embedding_, flat) < 0.02
    assert ns.quality.procrustes_disparity(X[:, :2], flat) > 0.1


def test_too_many_objects_are_refused_with_the_time_and_the_way_out():
    with pytest.raises(ValueError, match=r"at most 400 objects, .* one to four minutes.* got 401; .*or use Isomap"):
        MVU().fit(np.random.default_rng(0).random((401, 2)))


def test_too_many_rods_are_refused():
    with pytest.raises(ValueError, match=r"at most 2000 rods, got .* with n_neighbors=90; lower it"):
        MVU(n_neighbors=90).fit(np.random.default_rng(0).random((100, 2)))


def test_parts_and_identical_objects_are_named():
    X = np.random.default_rng(0).random((20, 2))
    X[[3, 8, 11]] += 100
    with pytest.raises(ValueError, match=r"parts: beside the largest, of .* objects, there are objects 3, 8, 11"):
        MVU(n_neighbors=2).fit(X)
    X = np.random.default_rng(0).random((20, 2))
    X[13] = X[5]
    with pytest.raises(ValueError, match="objects 5, 13 are identical, one of 1 such pairs"):
        MVU().fit(X)


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxopt", None)
    with pytest.raises(ImportError, match=r'pip install "notebook_sne\[unfolding\]"'):
        MVU().fit(np.random.default_rng(0).random((20, 2)))
