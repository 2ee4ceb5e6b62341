"""What the tests of recordings share: small states, and a comparison of recordings to the last bit."""

from collections.abc import Mapping

import numpy as np

import notebook_sne as ns
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.recording import Recording


def state(
    iteration, *, phase="descent", model="TSNE", shape=(1, 5, 2), mixing=False, knobs=None, cost=1.0, memory=None
):
    """A state that looks like a model's, with positions that tell its iteration."""
    Y = np.full(shape, float(iteration))
    Y += np.arange(Y.size).reshape(shape) / 7
    pi = np.full(shape[:2], 1 / shape[0]) if mixing else None
    knobs = {"jitter": 0.0, "exaggeration": 1.0} if knobs is None else knobs
    memory = {"own": {"velocity": Y.ravel() / 3}} if memory is None else memory
    return State(iteration, phase, cost, cost, Y, pi, 0.5, knobs, model, memory)


def recording_of(iterations, told=lambda iteration: {}, **limits):
    """A recording of states at these iterations, and what is told of each beside it."""
    recording = Recording(**limits)
    for iteration in iterations:
        recording.add(state(iteration), **told(iteration))
    return recording


def recording_with(**looks):
    """A recording of one state that looks like this."""
    recording = Recording()
    recording.add(state(0, **looks))
    return recording


def same(a, b):
    """Whether two values are the same in type and every bit, through mappings, tuples and states."""
    if isinstance(a, State):
        return isinstance(b, State) and all(same(getattr(a, f), getattr(b, f)) for f in State.__dataclass_fields__)
    if isinstance(a, np.ndarray):
        alike = isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        return alike and not b.flags.writeable
    if isinstance(a, Mapping):
        return isinstance(b, Mapping) and list(a) == list(b) and all(same(a[name], b[name]) for name in a)
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float):
        # Nobody reads the hidden bits of a NaN.
        return isinstance(b, float) and (np.float64(a).tobytes() == np.float64(b).tobytes() or (a != a and b != b))
    return type(a) is type(b) and a == b


def same_frame(a, b):
    """Whether two frames are the same, in any order of their knobs."""
    names = ("iteration", "phase", "cost", "objective", "turned", "model", "Y", "mixing")
    return all(same(getattr(a, name), getattr(b, name)) for name in names) and dict(a.knobs) == dict(b.knobs)


def same_recording(a, b, since=()):
    """Whether two recordings hold the same, estimators aside, and hyperparameters that have come since."""

    def chapters(recording):
        return [
            (at, name, {key: value for key, value in settings.items() if key not in since})
            for at, name, settings, *_ in recording.chapters
        ]

    return (
        len(a) == len(b)
        and all(map(same_frame, a.frames, b.frames))
        and len(a.states) == len(b.states)
        and all(map(same, a.states, b.states))
        and a.marks == b.marks
        and [(at, dict(held)) for at, held in a.turns] == [(at, dict(held)) for at, held in b.turns]
        and chapters(a) == chapters(b)
        and a.recorded_to == b.recorded_to
        and all(a.reaches(i) == b.reaches(i) for i in range(a.frames[0].iteration, a.recorded_to + 1))
        and all(
            np.array_equal(getattr(a, name), getattr(b, name))
            for name in ("labels", "values", "names", "images", "neighbors", "title")
        )
    )


def full_recording():
    """A small recording with all there is: shapes that change, marks, turns, chapters, facts, every kind of memory."""
    recording = Recording()
    memory = {
        "nothing": None, "yes": True, "count": 3, "big": 2**70, "text": "π \ud800 </script>", "tiny": -0.0,
        "best": float("inf"), "worst": float("-inf"), "unknown": float("nan"), "exact": 0.1 + 0.2,
        "single": np.float32(0.1), "logical": np.bool_(True), "scale": np.float64(1.5),
        "pairs": ((np.arange(3.0), np.arange(3, dtype=np.int32)), (), None),
        "own": {"gains": np.ones((2, 0)), "mask": np.array([True, False]), "deeper": {"w": np.float64([[1, 2]])}},
    }  # fmt: skip
    for k in range(30):
        held = {"jitter": k / 10} if 10 <= k < 13 else {}
        shape = (2, 5, 4) if k < 15 else (2, 5, 2)
        recording.add(
            state(k, model="AspectMaps", shape=shape, mixing=True, phase=f"part {k // 15}", memory=memory),
            model=None, turned=held,
        )  # fmt: skip
    recording.add(state(29, knobs={"pull": 2.0}), model=ns.TSNE(perplexity=7.5, init="pca", max_iter=1000))
    recording.add(state(30, knobs={"pull": 2.0}), moved=2)
    return recording.describe(
        labels=["b", "a \ud800", "<b>", "b", ""],
        names=["0", "eins", "\u202e", "zw\0ei", "名"],
        images=np.arange(5 * 6).reshape(5, 2, 3),
        neighbors=(np.arange(5)[:, None] + [1, 2]) % 5,
        values=np.linspace(0, 1, 5),
        title="every <kind> of fact",
    )
