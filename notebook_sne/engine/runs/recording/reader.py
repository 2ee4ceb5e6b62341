"""Reading a recording from a file that anyone may have made.

Every length that the header or an array declares is compared with the others, and with the limit, before anything of
that length is made. Texts stay texts. The result either makes sense as a whole or is a ValueError.

Longer than 300 lines because what is checked of one part depends on the others.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from notebook_sne.engine.archives.archive import TYPES, Archive, Damaged, expect
from notebook_sne.engine.archives.header import check_text, list_in, number_in, texts_in
from notebook_sne.engine.archives.nested import decode, groups_in
from notebook_sne.engine.checks.scales import are_scales
from notebook_sne.engine.fitting.pins import check_pins
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.objects.columns import KINDS as COLUMN_KINDS
from notebook_sne.engine.objects.columns import MOST_COLUMNS, Column, in_parts
from notebook_sne.engine.objects.labels import MOST_CLASSES, UNLABELED, in_order, with_gaps
from notebook_sne.engine.objects.region_pairs import MOST_REGIONS, RegionPairs
from notebook_sne.engine.runs.recording.facts import check_facts
from notebook_sne.engine.runs.recording.file import STATE_FIELDS, Contents
from notebook_sne.engine.runs.recording.frames import Frame
from notebook_sne.engine.runs.recording.header import MOST_KNOBS, SPELLED, read_header
from notebook_sne.engine.runs.recording.history import MOST_ENTRIES, Chapter, History, is_plain
from notebook_sne.engine.runs.recording.marks import KINDS, MOST_MARKS, Mark

__all__ = ["load"]

Header = dict[str, Any]
Memory = list[list[np.ndarray]]

_INT, _UINT, _BYTE, _DOUBLE, _SINGLE = ("<i8",), ("<u4",), ("|u1",), ("<f8",), ("<f4",)
_LAST = 2**62  # no iteration or stride is larger

# What things take in memory besides their arrays, in bytes.
_OBJECT_BYTES, _FRAME_BYTES, _KNOB_BYTES = 200, 1000, 100


def load(path: str | Path, limit: float) -> Contents:
    """Return the Contents of a file, or raise a ValueError that says what is wrong with it, and the way out."""
    place = Path(path).expanduser()
    try:
        # Before it is opened: a pipe would wait for somebody to write, and a device may have no end.
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise ValueError("it is a device or a pipe; give a file, as its end is read first")
        with open(place, "rb") as file:
            return _contents(Archive(file, limit, "recording"), limit)
    except ValueError as error:
        way_out = "; write the file again with save, or get another copy of it" if isinstance(error, Damaged) else ""
        raise ValueError(f"{path} cannot be loaded: {error}{way_out}") from None


def _contents(archive: Archive, limit: float) -> Contents:
    header, n_places = read_header(archive)
    n_objects = number_in(header, "n_objects", 1)
    _check_room(n_objects * _OBJECT_BYTES, limit, f"{n_objects} objects")
    frames, knobs = _frames(archive, header, n_objects, limit)
    memory = groups_in(archive, "memory", list_in(header, "memory"), n_places)
    chapters = [_chapter(row, memory) for row in list_in(header, "chapters")]
    breaks, known_from = list_in(header, "breaks"), header.get("known_from")
    whole = all(type(at) is int for at in breaks) and (known_from is None or type(known_from) is int)
    expect(whole, "its header has no list of breaks")
    turns = _turns(archive, knobs)
    pins = _pins(archive, (max(len(frame.Y) for frame in frames), n_objects, 0))
    marks = tuple(_mark(row) for row in list_in(header, "marks"))
    states = tuple(_state(node, memory, n_objects) for node in list_in(header, "states"))
    end: Any = header.get("end")
    ends = type(end) is int and frames[-1].iteration <= end <= _LAST
    expect(ends, "its header does not say at which iteration it ends")
    for what, iterations, most, strictly in (
        ("chapters", [chapter.iteration for chapter in chapters], MOST_ENTRIES, True),
        ("breaks", breaks, MOST_ENTRIES, True),
        ("turns", [iteration for iteration, _ in turns], MOST_ENTRIES, True),
        ("changes of pins", [iteration for iteration, _ in pins], MOST_ENTRIES, True),
        ("marks", [mark.iteration for mark in marks], MOST_MARKS, False),
        ("states", [state.iteration for state in states], len(frames) + len(states), True),
    ):
        expect(len(iterations) <= most, f"it has {len(iterations)} {what}, where at most {most} are recorded")
        rising = not iterations or (_rise(iterations, strictly) and iterations[-1] <= end)
        expect(rising, f"the iterations of its {what} do not rise, or go on after its end")
    strides = list_in(header, "strides")
    possible = len(strides) == 2 and all(type(stride) is int and 1 <= stride <= _LAST for stride in strides)
    expect(possible, "its header has no strides")
    return Contents(
        n_objects=n_objects,
        end=end,
        frames=frames,
        states=states,
        marks=marks,
        history=History(turns, chapters, breaks, known_from, pins),
        strides=tuple(strides),
        facts=_facts(archive, header, n_objects, limit),
    )


def _check_room(n_bytes: float, limit: float, what: str) -> None:
    if n_bytes > limit:
        raise ValueError(
            f"it declares {what}, which the limit of {limit / 1e6:.3g} MB does not hold; "
            "give a larger limit if you trust the file"
        )


def _rise(values: Sequence[int], strictly: bool = True) -> bool:
    return all(a < b or (a == b and not strictly) for a, b in itertools.pairwise(values))


# ---- marks and chapters ----


def _mark(row: Any) -> Mark:
    known = isinstance(row, list) and len(row) == 3 and type(row[0]) is int and row[1] in KINDS
    expect(known, "a mark in its header is not written as save writes it")
    check_text(row[2], "a mark")
    return Mark(*row)


def _chapter(row: Any, memory: Memory) -> Chapter:
    known = isinstance(row, list) and len(row) == 3 and type(row[0]) is int
    expect(known, "a chapter in its header is not written as save writes it")
    check_text(row[1], "a model")
    parameters = decode(row[2], memory)
    # As `parameters_of` gives them; an array would not compare with one.
    known = isinstance(parameters, dict) and all(map(is_plain, parameters.values()))
    expect(known, "a chapter in its header has no parameters, or one that is no plain value")
    return Chapter(row[0], row[1], MappingProxyType(parameters), None)


# ---- frames ----


def _frames(archive: Archive, header: Header, n_objects: int, limit: float) -> tuple[tuple[Frame, ...], list[str]]:
    """Return the frames, and the names of the knobs."""
    phases, models, knobs = (texts_in(header, name) for name in ("phases", "models", "knobs"))
    mixing = list_in(header, "mixing")
    iterations = archive.array("iterations", _INT, (None,))
    n, k = len(iterations), len(knobs)
    room = n * (_FRAME_BYTES + _KNOB_BYTES * k) if k <= MOST_KNOBS else math.inf
    _check_room(room, limit, f"{n} frames with {k} knobs")
    expect(n and (iterations[1:] > iterations[:-1]).all(), "it has no frames, or their iterations do not rise")
    costs = archive.array("costs", _DOUBLE, (n, 2))
    words = archive.array("words", _UINT, (n, 3))
    expect(np.isfinite(costs).all(), "a cost or an objective in it is not finite")
    there = (words < [len(phases), len(models), len(mixing)]).all()
    expect(there, "a frame names a phase, a model or a shape that is not there")
    settings = _table(archive, "knob", n, knobs)
    maps: dict[int, tuple[np.ndarray, np.ndarray | None]] = {}
    for g, mixed in enumerate(mixing):
        those = np.flatnonzero(words[:, 2] == g).tolist()
        places = list(archive.entries(f"frames_{g}", _SINGLE, (len(those), None, n_objects, None)))
        finite = places and places[0].size and all(np.isfinite(Y).all() for Y in places)
        expect(finite, f"the positions in frames_{g} are none, or not finite")
        proportions: list[Any] = [None] * len(those)
        if mixed is True:
            shape = (len(those), len(places[0]), n_objects)
            proportions = list(archive.entries(f"mixing_{g}", _SINGLE, shape))
            finite = all(np.isfinite(pi).all() for pi in proportions)
            expect(finite, f"the proportions in mixing_{g} are not finite")
        maps.update(zip(those, zip(places, proportions, strict=True), strict=True))
    rows = zip(iterations.tolist(), costs.tolist(), words.tolist(), settings, strict=True)
    frames = tuple(
        Frame(at, phases[p], cost, objective, values, held, models[m], *maps[row])
        for row, (at, (cost, objective), (p, m, _), (values, held)) in enumerate(rows)
    )
    return frames, knobs


def _table(
    archive: Archive, name: str, n: int, knobs: Sequence[str]
) -> list[tuple[Mapping[str, float], tuple[str, ...]]]:
    """Return a (mapping of values, tuple of the held ones) for each of n rows."""
    values = archive.array(f"{name}_values", _DOUBLE, (n, len(knobs)))
    flags = archive.array(f"{name}_flags", _BYTE, (n, len(knobs)))
    expect(np.isfinite(values).all(), f"a value of a knob in {name}_values is not finite")
    rows: list[tuple[Mapping[str, float], tuple[str, ...]]] = []
    for row, marks in zip(values.tolist(), flags.tolist(), strict=True):
        there = {knob: value for knob, value, flag in zip(knobs, row, marks, strict=True) if flag & 1}
        held = tuple(sorted(knob for knob, flag in zip(knobs, marks, strict=True) if flag & 2))
        rows.append((MappingProxyType(there), held))
    return rows


def _turns(archive: Archive, knobs: Sequence[str]) -> list[tuple[int, Mapping[str, float]]]:
    iterations = archive.array("turns", _INT, (None,)).tolist()
    n = len(iterations)
    expect(n <= MOST_ENTRIES, f"it has {n} turns, where at most {MOST_ENTRIES} are recorded")
    rows = _table(archive, "turn", n, knobs)
    return [(iteration, held) for iteration, (held, _) in zip(iterations, rows, strict=True)]


def _pins(archive: Archive, shape: tuple[int, ...]) -> list[tuple[int, np.ndarray]]:
    """Return which points were held from when on; none in a file of a run without pins, as in those of before."""
    if "pins_at" not in archive:
        return []
    iterations = archive.array("pins_at", _INT, (None,)).tolist()
    n = len(iterations)
    ends = archive.array("pins_ends", _INT, (n,)).tolist()
    points = archive.array("pins_of", _INT, (None, 2))
    fits = n and ends[0] >= 0 and ends[-1] == len(points) and _rise(ends, strictly=False)
    expect(fits, "the points in pins_of do not end where pins_ends says")
    check_pins(points, shape)
    return [(at, points[a:b]) for at, a, b in zip(iterations, [0, *ends], ends, strict=False)]


# ---- states ----


def _state(node: Any, memory: Memory, n_objects: int) -> State:
    values = decode(node, memory)
    known = isinstance(values, dict) and tuple(values) == STATE_FIELDS
    expect(known, "a state in it is not written as save writes it")
    Y, mixing, knobs = values["Y"], values["mixing"], values["knobs"]
    for name in ("phase", "model"):
        check_text(values[name], f"the {name} of a state")
    numbers = [values["cost"], values["objective"], *(knobs.values() if isinstance(knobs, dict) else [None])]
    finite = all(type(number) in (int, float) and math.isfinite(number) for number in numbers)
    expect(finite, "a state in it has a cost, an objective or a knob that is no finite number")
    known = type(values["iteration"]) is int and type(values["gradient_norm"]) in (int, float)
    expect(known, "a state in it has no iteration, or no gradient_norm")
    fits = _doubles(Y) and Y.ndim == 3 and Y.shape[1] == n_objects and Y.size
    expect(fits, f"a state in it has no positions of {n_objects} objects, shape (M, N, d)")
    fits = mixing is None or (_doubles(mixing) and mixing.shape == Y.shape[:2])
    expect(fits, "a state in it has mixing proportions that do not fit its positions")
    finite = np.isfinite(Y).all() and (mixing is None or np.isfinite(mixing).all())
    expect(finite, "positions or proportions of a state in it are not finite")
    expect(isinstance(values["memory"], dict), "a state in it has no memory")
    if "pins" in values["memory"]:
        pins = values["memory"]["pins"]
        expect(isinstance(pins, np.ndarray), "a state in it holds points that are no array")
        check_pins(pins, Y.shape)
    scales = values["memory"].get("scales")
    expect(scales is None or are_scales(scales), "a state in it has perplexities that are none")
    return State(**values)


def _doubles(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np.float64


# ---- facts ----


def _facts(archive: Archive, header: Header, n_objects: int, limit: float) -> dict[str, Any]:
    title = header.get("title")
    check_text("" if title is None else title, "its title")
    facts: dict[str, Any] = {"title": title}
    for name in list_in(header, "facts"):
        if name in ("labels", "names") and f"{name}_ends" in archive:
            facts[name] = _column_of_texts(archive, name, n_objects, limit)
        elif name == "labels":
            facts[name] = archive.array(name, TYPES, (n_objects,))
        elif name in ("values", "importance"):
            facts[name] = archive.array(name, _DOUBLE, (n_objects,))
        elif name == "images":
            facts[name] = archive.array(name, _BYTE, (n_objects, None, None, ...))
        elif name == SPELLED["neighbors"]:
            facts["neighbors"] = archive.array(name, _UINT, (n_objects, None))
        else:
            expect(False, "its header names facts that no recording has")
    if "label_colors" in header:
        facts["label_colors"] = _colors(header)
    if "columns" in header:
        facts["columns"] = _columns(archive, header, n_objects, limit)
    if "regions" in header:
        facts["certainty"] = _region_pairs(archive, number_in(header, "regions", 2), n_objects)
    if "labels" in facts and "labels_missing" in archive:
        missing = archive.array("labels_missing", _BYTE, (n_objects,)) != 0
        facts["labels"] = with_gaps(facts["labels"][~missing], missing)
    if "labels" in facts and "label_order" in header:
        order = _order(archive, header["label_order"], "label_order", facts["labels"].tolist())
        facts["labels"] = in_order(facts["labels"], order)
    kept: dict[str, Any] = check_facts(n_objects, facts)[1]
    return kept


def _order(archive: Archive, count: Any, name: str, entries: Iterable[Any]) -> tuple[str, ...]:
    """Return the texts of the classes of entries in their order; a header tells how many they are."""
    expect(type(count) is int and 2 <= count <= MOST_CLASSES, "the order of its classes is none")
    order = tuple(_texts(archive, name, count))
    same = len({*order}) == count and {*order} == {str(entry) for entry in entries if entry is not None}
    expect(same, "its classes and their order do not fit together")
    return order


def _colors(header: Header) -> dict[str, str]:
    pairs = list_in(header, "label_colors")
    for pair in pairs:
        expect(isinstance(pair, list) and len(pair) == 2, "its colors are not those of classes")
        for text in pair:
            check_text(text, "a class or its color")
    return dict(pairs)


def _columns(archive: Archive, header: Header, n: int, limit: float) -> tuple[Column, ...]:
    rows = list_in(header, "columns")
    known = all(
        isinstance(row, list) and len(row) in (2, 3) and isinstance(row[0], str) and row[1] in COLUMN_KINDS
        for row in rows
    )
    expect(known and len(rows) <= MOST_COLUMNS, "its header does not say what its columns are, or names too many")
    found: list[Column] = []
    for k, (name, kind, *ordered) in enumerate(rows):
        if kind != "text":
            entries = archive.array(f"columns_{k}", _DOUBLE, (n,))
            rest = archive.array(f"columns_{k}_rest", _DOUBLE, (n,)) if f"columns_{k}_rest" in archive else None
            found.append(Column(name, kind, entries, rest))
            expect(in_parts(found[-1]), f"numbers and rests of its column {k} are not those of whole numbers or dates")
            continue
        missing = archive.array(f"columns_{k}_missing", _BYTE, (n,)).tolist()
        texts = _texts(archive, f"columns_{k}", n)
        told = tuple(None if gone else t for t, gone in zip(texts, missing, strict=True))
        order = _order(archive, ordered[0], f"columns_{k}_order", told) if ordered else None
        found.append(Column(name, kind, told, order=order))
    return tuple(found)


def _region_pairs(archive: Archive, R: int, n: int) -> RegionPairs:
    expect(R <= MOST_REGIONS, "it has too many regions")
    region, counts = archive.array("region", _INT, (n,)), archive.array("region_pairs", _UINT, (R * (R - 1) // 2, 3))
    names = tuple(_texts(archive, "regions", R))
    fits = len(set(names)) == R and ((region >= UNLABELED) & (region < R)).all()
    expect(fits, "its regions have one name, or objects lie in other ones")
    return RegionPairs(names, region, counts)


def _column_of_texts(archive: Archive, name: str, n: int, limit: float) -> list[str] | np.ndarray:
    found = _texts(archive, name, n)
    # An array of texts gives each the room of the longest.
    fits = name == "names" or 4 * n * max(map(len, found)) <= limit
    expect(fits, "one of its labels is far too long")
    return found if name == "names" else np.array(found)


def _texts(archive: Archive, name: str, n: int) -> list[str]:
    text = archive.array(f"{name}_text", _BYTE, (None,)).tobytes()
    ends = archive.array(f"{name}_ends", _INT, (n,)).tolist()
    fits = ends[0] >= 0 and ends[-1] == len(text) and _rise(ends, strictly=False)
    expect(fits, f"the texts in {name}_text do not end where {name}_ends says")
    try:
        found = [text[a:b].decode("utf-8", "surrogatepass") for a, b in zip([0, *ends], ends, strict=False)]
    except UnicodeDecodeError:
        found = []
    expect(found, f"{name}_text is no UTF-8")
    return found
