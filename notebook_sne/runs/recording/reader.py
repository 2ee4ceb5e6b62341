"""Reading a recording from a file that anybody may have made.

Every length that the header or an array declares is compared with the others, and with the limit, before anything of
that length is made. Texts stay texts. What comes out either makes sense as a whole or is a ValueError.
"""

import itertools
import math
from pathlib import Path
from types import MappingProxyType

import numpy as np

from notebook_sne.fitting.state import State
from notebook_sne.runs.recording.archive import TYPES, Reader
from notebook_sne.runs.recording.facts import check_facts
from notebook_sne.runs.recording.file import STATE_FIELDS, Contents
from notebook_sne.runs.recording.frames import Frame
from notebook_sne.runs.recording.header import (
    MOST_KNOBS,
    SPELLED,
    list_in,
    nonsense,
    number_in,
    read_header,
    text_of,
    texts_in,
)
from notebook_sne.runs.recording.history import MOST_ENTRIES, Chapter, History
from notebook_sne.runs.recording.marks import KINDS, MOST_MARKS, Mark
from notebook_sne.runs.recording.skeleton import decode

__all__ = ["load"]

# What things take in memory besides their arrays, in bytes.
_OBJECT_BYTES, _FRAME_BYTES, _KNOB_BYTES = 200, 1000, 100


def load(path, limit):
    """Return the Contents of a file, or raise a ValueError that says what is wrong with it, and the way out."""
    place = Path(path).expanduser()
    try:
        # Before it is opened: a pipe would wait for somebody to write, and a device may have no end.
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise ValueError("it is a device or a pipe; give a file, as its end is read first")
        with open(place, "rb") as file:
            return _contents(Reader(file, limit), limit)
    except ValueError as error:
        raise ValueError(f"{path} cannot be loaded: {error}") from None


def _contents(reader, limit):
    header, n_places = read_header(reader)
    n_objects = number_in(header, "n_objects", 1)
    if n_objects * _OBJECT_BYTES > limit:
        raise ValueError(
            f"it declares {n_objects} objects, which the limit of {limit / 1e6:.3g} MB does not hold; "
            "give a larger limit if you trust the file"
        )
    frames, knobs = _frames(reader, header, n_objects, limit)
    memory = _memory(reader, header, n_places)
    chapters = tuple(_chapter(row, memory) for row in list_in(header, "chapters"))
    breaks, known_from = list_in(header, "breaks"), header.get("known_from")
    if not all(type(at) is int for at in breaks) or not (known_from is None or type(known_from) is int):
        raise nonsense("its header has no list of breaks")
    turns = _turns(reader, knobs)
    marks = tuple(_mark(row) for row in list_in(header, "marks"))
    states = tuple(_state(node, memory, n_objects) for node in list_in(header, "states"))
    end = header.get("end")
    if type(end) is not int or not frames[-1].iteration <= end <= 2**62:
        raise nonsense("its header does not say at which iteration it ends")
    for what, iterations, most, strictly in (
        ("chapters", [chapter.iteration for chapter in chapters], MOST_ENTRIES, True),
        ("breaks", breaks, MOST_ENTRIES, True),
        ("turns", [iteration for iteration, _ in turns], MOST_ENTRIES, True),
        ("marks", [mark.iteration for mark in marks], MOST_MARKS, False),
        ("states", [state.iteration for state in states], len(frames) + len(states), True),
    ):
        if len(iterations) > most:
            raise nonsense(f"it has {len(iterations)} {what}, where at most {most} are recorded")
        if iterations and (not _rise(iterations, strictly) or iterations[-1] > end):
            raise nonsense(f"the iterations of its {what} do not rise, or go on after its end")
    strides = list_in(header, "strides")
    if len(strides) != 2 or not all(type(stride) is int and 1 <= stride <= 2**62 for stride in strides):
        raise nonsense("its header has no strides")
    return Contents(
        n_objects=n_objects,
        end=end,
        frames=frames,
        states=states,
        marks=marks,
        history=History(turns, chapters, breaks, known_from),
        strides=tuple(strides),
        facts=_facts(reader, header, n_objects, limit),
    )


def _rise(values, strictly=True):
    return all(a < b or (a == b and not strictly) for a, b in itertools.pairwise(values))


# ---- marks and chapters ----


def _mark(row):
    if not isinstance(row, list) or len(row) != 3 or type(row[0]) is not int or row[1] not in KINDS:
        raise nonsense("a mark in its header is not written as save writes it")
    return Mark(row[0], row[1], text_of(row[2], "a mark"))


def _chapter(row, memory):
    if not isinstance(row, list) or len(row) != 3 or type(row[0]) is not int:
        raise nonsense("a chapter in its header is not written as save writes it")
    parameters = decode(row[2], memory)
    plain = (type(None), bool, int, float, str)  # as `parameters_of` gives them; an array would not compare with one
    if not isinstance(parameters, dict) or not all(type(value) in plain for value in parameters.values()):
        raise nonsense("a chapter in its header has no parameters, or one that is no plain value")
    return Chapter(row[0], text_of(row[1], "a model"), MappingProxyType(parameters), None)


# ---- frames ----


def _frames(reader, header, n_objects, limit):
    """Return the frames, and the names of the knobs."""
    phases, models, knobs = (texts_in(header, name) for name in ("phases", "models", "knobs"))
    mixing = list_in(header, "mixing")
    iterations = reader.array("iterations", "<i8", (None,))
    n = len(iterations)
    if len(knobs) > MOST_KNOBS or n * (_FRAME_BYTES + _KNOB_BYTES * len(knobs)) > limit:
        raise ValueError(
            f"it declares {n} frames with {len(knobs)} knobs, which the limit of {limit / 1e6:.3g} MB does not hold; "
            "give a larger limit if you trust the file"
        )
    if not n or not (iterations[1:] > iterations[:-1]).all():
        raise nonsense("it has no frames, or their iterations do not rise")
    costs = reader.array("costs", "<f8", (n, 2))
    words = reader.array("words", "<u4", (n, 3))
    if not np.isfinite(costs).all():
        raise nonsense("a cost or an objective in it is not finite")
    if (words >= [len(phases), len(models), len(mixing)]).any():
        raise nonsense("a frame names a phase, a model or a shape that is not there")
    settings = _table(reader, "knob", n, knobs)
    maps: list = [None] * n
    mixings: list = [None] * n
    for g, mixed in enumerate(mixing):
        those = np.flatnonzero(words[:, 2] == g)
        places = list(reader.arrays(f"frames_{g}", "<f4", (len(those), None, n_objects, None)))
        if not places or not places[0].size or not all(np.isfinite(Y).all() for Y in places):
            raise nonsense(f"the positions in frames_{g} are none, or not finite")
        proportions: list = [None] * len(those)
        if mixed is True:
            shape = (len(those), len(places[0]), n_objects)
            proportions = list(reader.arrays(f"mixing_{g}", "<f4", shape))
            if not all(np.isfinite(pi).all() for pi in proportions):
                raise nonsense(f"the proportions in mixing_{g} are not finite")
        for k, Y, pi in zip(those, places, proportions, strict=True):
            maps[k], mixings[k] = Y, pi
    rows = zip(iterations.tolist(), costs.tolist(), words.tolist(), settings, maps, mixings, strict=True)
    frames = tuple(
        Frame(at, phases[p], cost, objective, values, held, models[m], Y, pi)
        for at, (cost, objective), (p, m, _), (values, held), Y, pi in rows
    )
    return frames, knobs


def _table(reader, name, n, knobs):
    """Return a (mapping of values, tuple of the held ones) for each of n rows."""
    values = reader.array(f"{name}_values", "<f8", (n, len(knobs)))
    flags = reader.array(f"{name}_flags", "|u1", (n, len(knobs)))
    if not np.isfinite(values).all():
        raise nonsense(f"a value of a knob in {name}_values is not finite")
    rows = []
    for row, marks in zip(values.tolist(), flags.tolist(), strict=True):
        there = {knob: value for knob, value, flag in zip(knobs, row, marks, strict=True) if flag & 1}
        held = tuple(sorted(knob for knob, flag in zip(knobs, marks, strict=True) if flag & 2))
        rows.append((MappingProxyType(there), held))
    return rows


def _turns(reader, knobs):
    iterations = reader.array("turns", "<i8", (None,)).tolist()
    if len(iterations) > MOST_ENTRIES:
        raise nonsense(f"it has {len(iterations)} turns, where at most {MOST_ENTRIES} are recorded")
    rows = _table(reader, "turn", len(iterations), knobs)
    return [(iteration, held) for iteration, (held, _) in zip(iterations, rows, strict=True)]


# ---- states ----


def _memory(reader, header, n_places):
    """Return the groups of arrays that states consist of."""
    lengths = list_in(header, "memory")
    # Something in the header points at each of them: arrays of no bytes at all cannot be many either.
    if not all(type(n) is int and n > 0 for n in lengths) or sum(lengths) > n_places:
        raise nonsense("its header does not say how many arrays its states have")
    return [list(reader.arrays(f"memory_{g}", TYPES, (n, ...))) for g, n in enumerate(lengths)]


def _state(node, memory, n_objects):
    values = decode(node, memory)
    if not isinstance(values, dict) or tuple(values) != STATE_FIELDS:
        raise nonsense("a state in it is not written as save writes it")
    Y, mixing, knobs = values["Y"], values["mixing"], values["knobs"]
    for name in ("phase", "model"):
        text_of(values[name], f"the {name} of a state")
    numbers = [values["cost"], values["objective"], *(knobs.values() if isinstance(knobs, dict) else [None])]
    if not all(type(number) in (int, float) and math.isfinite(number) for number in numbers):
        raise nonsense("a state in it has a cost, an objective or a knob that is no finite number")
    if type(values["iteration"]) is not int or type(values["gradient_norm"]) not in (int, float):
        raise nonsense("a state in it has no iteration, or no gradient_norm")
    if not isinstance(Y, np.ndarray) or Y.dtype != np.float64 or Y.ndim != 3 or Y.shape[1] != n_objects or not Y.size:
        raise nonsense(f"a state in it has no positions of {n_objects} objects, shape (M, N, d)")
    if mixing is not None and (
        not isinstance(mixing, np.ndarray) or mixing.dtype != np.float64 or mixing.shape != Y.shape[:2]
    ):
        raise nonsense("a state in it has mixing proportions that do not fit its positions")
    if not np.isfinite(Y).all() or (mixing is not None and not np.isfinite(mixing).all()):
        raise nonsense("positions or proportions of a state in it are not finite")
    if not isinstance(values["memory"], dict):
        raise nonsense("a state in it has no memory")
    return State(**values)


# ---- facts ----


def _facts(reader, header, n_objects, limit):
    facts = {"title": header.get("title")}
    if facts["title"] is not None:
        text_of(facts["title"], "its title")
    for name in list_in(header, "facts"):
        if name in ("labels", "names") and f"{name}_ends" in reader:
            facts[name] = _column_of_texts(reader, name, n_objects, limit)
        elif name == "labels":
            facts[name] = reader.array(name, TYPES, (n_objects,))
        elif name == "values":
            facts[name] = reader.array(name, "<f8", (n_objects,))
        elif name == "images":
            facts[name] = reader.array(name, "|u1", (n_objects, None, None))
        elif name == SPELLED["neighbors"]:
            facts["neighbors"] = reader.array(name, "<u4", (n_objects, None))
        else:
            raise nonsense("its header names facts that no recording has")
    return check_facts(n_objects, facts)[1]


def _column_of_texts(reader, name, n, limit):
    text = reader.array(f"{name}_text", "|u1", (None,)).tobytes()
    ends = reader.array(f"{name}_ends", "<i8", (n,)).tolist()
    if ends[0] < 0 or ends[-1] != len(text) or not _rise(ends, strictly=False):
        raise nonsense(f"the texts in {name}_text do not end where {name}_ends says")
    try:
        found = [text[a:b].decode("utf-8", "surrogatepass") for a, b in zip([0, *ends], ends, strict=False)]
    except UnicodeDecodeError:
        raise nonsense(f"{name}_text is no UTF-8") from None
    # An array of texts gives each the room of the longest.
    if name == "labels" and 4 * n * max(map(len, found)) > limit:
        raise nonsense("one of its labels is far too long")
    return found if name == "names" else np.array(found)
