"""A film in few bytes, for a browser: the first map of some frames, as 16-bit integers.

The bytes are a little-endian uint32 H, then H bytes of JSON, zeros up to a multiple of 4, and then int16 of shape
(K, N, 2). A position is ``int16 * half / 32767`` with the `half` of its frame, and 0 is the mean of the map, or while
points are held its origin: these then stand still in the picture. A frame with held points names them, as `pins`.
"""

import json
import math

import numpy as np

from notebook_sne.engine.checks.arguments import check_count, check_number

__all__ = ["centered", "choose_frames", "pack_film", "pins_in_view"]

_LEVELS = 32767


def pack_film(recording, *, most_frames: int = 100, most_bytes: float = 16_000_000) -> bytes:
    """Return a recording packed for a browser, empty where nothing is recorded.

    It has at most `most_frames` frames, evenly chosen, with the first, the last and, up to a quarter of them, those at
    marks; and at most `most_bytes` bytes, but one frame is always there, however large. Of each frame the first map is
    kept, in its first two coordinates (with a single one, y = 0), centered on its mean.
    """
    most_frames = check_count("most_frames", most_frames, 1)
    most_bytes = check_number("most_bytes", most_bytes, 0)
    frames, marks = recording.frames, recording.marks
    if not frames:
        return b""
    n_objects = frames[0].Y.shape[1]
    header = {"version": 1, "n_objects": n_objects, "marks": [mark._asdict() for mark in marks]}
    rows = [_row(frame, pins_in_view(recording.pins_at(frame.iteration))) for frame in frames]
    longest = max(len(_json(row)) for row in rows) + 40  # with its half, and a comma
    room = int((most_bytes - len(_json(header)) - 16) // (4 * n_objects + longest))
    chosen = choose_frames(
        [frame.iteration for frame in frames], [mark.iteration for mark in marks], min(most_frames, room)
    )
    header["frames"], maps = [], []
    for k in chosen:
        half, points = _points(frames[k].Y[0], rows[k].get("pins", []))
        header["frames"].append({**rows[k], "half": half})
        maps.append(points)
    text = _json(header).encode("ascii")
    return b"".join([len(text).to_bytes(4, "little"), text, bytes(-len(text) % 4), *maps])


def _json(value):
    # Plain ASCII: half of a surrogate pair in a text is no UTF-8, but its escape is.
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def pins_in_view(pins):
    """Return the objects held in the first map, which is the one that is drawn; `pins` are those of a State."""
    return pins[pins[:, 1] == 0, 0].tolist()


def centered(places, held):
    """Return places, shape (N, d), around their mean, or as they are where objects are `held`."""
    return places if len(held) else places - places.mean(axis=0)


def _row(frame, held):
    knobs = {str(name): float(value) for name, value in frame.knobs.items() if math.isfinite(value)}
    return {
        "iteration": int(frame.iteration), "cost": float(frame.cost), "phase": str(frame.phase),
        "model": str(frame.model), "knobs": knobs, **({"pins": held} if held else {}),
    }  # fmt: skip


def _points(Y, held):
    """Return the half width of a map, and its points as bytes of int16, shape (N, 2)."""
    points = np.zeros((len(Y), 2))
    places = Y[:, :2].astype(np.float64)
    points[:, : places.shape[1]] = centered(places, held)
    half = float(np.abs(points).max()) or 1.0
    return half, np.rint(points / half * _LEVELS).astype("<i2").tobytes()


def choose_frames(iterations, marked, n):
    """Return indices of at most n iterations (at least one): first, last, some marked ones, the rest evenly spaced."""
    last = len(iterations) - 1
    if n < 2:
        return [last]
    if n > last:
        return list(range(last + 1))
    place = {iteration: k for k, iteration in enumerate(iterations)}
    special = sorted({place[iteration] for iteration in marked if iteration in place} - {0, last})
    if len(special) > n // 4:
        special = [special[int(i)] for i in np.linspace(0, len(special) - 1, n // 4)]
    chosen = {0, last, *special}
    wanted = np.linspace(iterations[0], iterations[-1], n - len(special))
    times = np.asarray(iterations)
    right = np.clip(np.searchsorted(times, wanted), 1, last)
    nearest = np.where(wanted - times[right - 1] <= times[right] - wanted, right - 1, right)
    chosen.update(int(k) for k in nearest)
    return sorted(chosen)
