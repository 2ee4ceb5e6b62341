"""Recordings that were saved before the package's rooms and names changed: they open, and runs go on from them."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import notebook_sne as ns

KEPT = Path(__file__).parent / "kept"


def objects():
    return np.random.default_rng(0).normal(size=(12, 3)) + np.repeat(np.eye(3) * 5, 4, axis=0)


MODELS = {
    "sne": ns.SNE(perplexity=3, random_state=0),
    "aspects": ns.AspectMaps(n_maps=2, perplexity=3, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_recording_of_the_first_version_opens(name):
    recording = ns.Recording.load(KEPT / f"{name}.npz")
    assert recording.title == f"kept: {name}"
    assert list(recording.labels) == [f"class {k // 4}" for k in range(12)]
    assert list(recording.names) == [f"object {k}" for k in range(12)]
    np.testing.assert_array_equal(recording.neighbors, (np.arange(12)[:, None] + [1, 2]) % 12)
    assert recording.images.shape == (12, 2, 2)
    assert (recording.frames[0].iteration, recording.recorded_to) == (0, 30)
    knob = {"sne": "jitter", "aspects": "penalty"}[name]
    assert [sorted(held) for _, held in recording.turns][-1] == [knob]
    assert "moved" in {mark.kind for mark in recording.marks}


@pytest.mark.parametrize("name", MODELS)
def test_a_run_goes_on_from_a_state_of_the_first_version(name):
    recording = ns.Recording.load(KEPT / f"{name}.npz")
    start = recording.start_for(10)
    later = next(islice(MODELS[name].iterate(objects(), start=start), 10 - start.iteration, None))
    (kept,) = [frame for frame in recording.frames if frame.iteration == 10]
    assert later.iteration == 10
    # Another processor rounds otherwise.
    np.testing.assert_allclose(later.Y, kept.Y, rtol=1e-4, atol=1e-4 * np.abs(kept.Y).max())
    assert later.cost == pytest.approx(kept.cost, rel=1e-5)
