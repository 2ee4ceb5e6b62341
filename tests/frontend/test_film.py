"""The packed film of a recording: what a browser plays."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notebook_sne.browser.frontend.film import pack_film
from notebook_sne.engine.runs.recording import Recording
from tests.runs.recorded import recording_of, state


def unpacked(film):
    """The twin of the browser's unpackFilm: header and positions in map units."""
    length = int.from_bytes(film[:4], "little")
    header = json.loads(film[4 : 4 + length].decode("utf-8"))
    begin = 4 + length + -length % 4
    assert begin % 4 == 0 and not any(film[4 + length : begin])
    points = np.frombuffer(film, dtype="<i2", offset=begin).reshape(len(header["frames"]), header["n_objects"], 2)
    halves = np.array([frame["half"] for frame in header["frames"]])
    return header, points * halves[:, None, None] / 32767


def test_a_packed_film_shows_the_first_map_centered():
    rng = np.random.default_rng(0)
    recording = Recording()
    for k in range(40):
        made = state(k, shape=(2, 30, 3), mixing=True)
        object.__setattr__(made, "Y", 10.0**k * 1e-20 * rng.standard_normal((2, 30, 3)))
        recording.add(made)
    header, points = unpacked(pack_film(recording))
    assert header["version"] == 1 and header["n_objects"] == 30 and len(header["frames"]) == 40
    assert header["marks"] == [{"iteration": 0, "kind": "start", "text": "start with t-SNE"}]
    assert header["frames"][3] == {
        "iteration": 3, "cost": 1.0, "phase": "descent", "model": "TSNE",
        "knobs": {"jitter": 0.0, "exaggeration": 1.0}, "half": header["frames"][3]["half"],
    }  # fmt: skip
    for frame, shown, row in zip(recording.frames, points, header["frames"], strict=True):
        wanted = frame.Y[0, :, :2].astype(float)
        wanted = wanted - wanted.mean(axis=0)
        np.testing.assert_allclose(shown, wanted, atol=0.51 * row["half"] / 32767)


def test_a_packed_film_of_one_coordinate_lies_on_a_line_and_one_of_one_place_is_zero():
    recording = Recording()
    recording.add(state(0, shape=(1, 5, 1)))
    still = state(1, shape=(1, 5, 1))
    object.__setattr__(still, "Y", np.full((1, 5, 1), 3.0))
    recording.add(still)
    _, points = unpacked(pack_film(recording))
    assert (points[..., 1] == 0).all() and np.ptp(points[0, :, 0]) > 0 and (points[1] == 0).all()


@pytest.mark.slow
@given(n=st.integers(1, 300), most=st.integers(1, 60))
@settings(max_examples=40, deadline=None)
def test_a_packed_film_is_even_and_has_both_ends_and_marks(n, most):
    recording = recording_of([0])
    for k in range(1, n):
        recording.add(state(k, phase="second" if k > n // 3 else "descent"))
    header, _ = unpacked(pack_film(recording, most_frames=most))
    iterations = [frame["iteration"] for frame in header["frames"]]
    assert len(iterations) <= most and iterations == sorted(set(iterations)) and iterations[-1] == n - 1
    if most >= 2:
        assert iterations[0] == 0 and len(iterations) >= min(n, most) - 1
    if most >= 8:
        assert {mark["iteration"] for mark in header["marks"]} <= set(iterations)
        assert np.diff(iterations).max(initial=0) <= 2 + (n - 1) / max(1, most - 3)


def test_a_packed_film_keeps_to_its_bytes_and_always_has_a_frame():
    recording = recording_of(range(200))
    whole = pack_film(recording, most_frames=200)
    assert len(unpacked(whole)[0]["frames"]) == 200
    small = pack_film(recording, most_frames=200, most_bytes=5000)
    assert len(small) <= 5000 and len(unpacked(small)[0]["frames"]) > 10
    assert [frame["iteration"] for frame in unpacked(pack_film(recording, most_bytes=0))[0]["frames"]] == [199]


def test_a_packed_film_survives_texts_and_knobs_that_json_does_not_know():
    recording = Recording()
    recording.add(state(0, phase="\ud800 </script>\u2028", knobs={"reach": float("inf"), "jitter": 0.5}))
    header, _ = unpacked(pack_film(recording))
    assert header["frames"][0]["phase"] == "\ud800 </script>\u2028" and header["frames"][0]["knobs"] == {"jitter": 0.5}
