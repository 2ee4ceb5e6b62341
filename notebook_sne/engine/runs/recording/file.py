"""Recordings as files: one archive with one nested value, written whole or not at all, and read by a schema.

Every length in the file is compared with the others, and with the limit, before anything of that length is made. Texts
stay texts. What is read either makes sense as a whole or is a ValueError.
"""

import itertools
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.archives.archive import Damaged, expect
from notebook_sne.engine.archives.schema import (
    FINITE,
    NUMBER,
    TEXT,
    Schema,
    array,
    each,
    mapping,
    maybe,
    one_of,
    row,
    rule,
    table,
    texts,
    whole,
)
from notebook_sne.engine.archives.values import read_value, write_value
from notebook_sne.engine.checks.scales import are_scales
from notebook_sne.engine.fitting.layout import check_pins
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine import files
from notebook_sne.engine.objects.columns import KINDS as COLUMN_KINDS
from notebook_sne.engine.objects.columns import MOST_COLUMNS, Column, in_parts
from notebook_sne.engine.objects.labels import MOST_CLASSES, UNLABELED, check_labels, in_order, own_order
from notebook_sne.engine.objects.region_pairs import BLURS, MOST_REGIONS, RegionPairs
from notebook_sne.engine.runs.recording.facts import check_facts
from notebook_sne.engine.runs.recording.frames import Frame
from notebook_sne.engine.runs.recording.history import MOST_ENTRIES, Chapter, History, is_plain
from notebook_sne.engine.runs.recording.marks import KINDS, MOST_MARKS, Mark

__all__ = ["Contents", "load", "save"]

_FORMAT, _VERSION = "notebook_sne recording", 1
_MOST_KNOBS = 100
_OBJECT_BYTES = 200  # that an object takes in memory besides its arrays


class Contents(NamedTuple):
    """The parts of a recording in a file."""

    n_objects: int
    end: int
    frames: tuple[Frame, ...]
    states: tuple[State, ...]
    marks: tuple[Mark, ...]
    history: History
    strides: tuple[int, ...]
    facts: Mapping[str, Any]


def save(contents: Contents, path: str | Path) -> Path:
    """Write contents into a file, whole or not at all, and return its Path."""
    place: Path = files.check_place(path)
    if place.suffix != ".npz":
        raise ValueError(f"path must end in .npz, got {str(path)!r}; write {place.with_suffix('.npz').name!r}")
    if not contents.frames:
        raise ValueError("there is nothing to save: no state is recorded yet; let the run make one, as with step(0)")
    history, facts = contents.history, dict(contents.facts)
    facts["labels"] = _written_labels(facts["labels"])
    value = {
        "format": _FORMAT,
        "version": _VERSION,
        "n_objects": contents.n_objects,
        "end": contents.end,
        "strides": contents.strides,
        "frames": tuple(map(_fields_of, contents.frames)),
        "states": tuple(map(_fields_of, contents.states)),
        "marks": contents.marks,
        "turns": tuple(history.turns),
        "pins": tuple(history.pins),
        "chapters": tuple(chapter[:3] for chapter in history.chapters),
        "breaks": tuple(history.breaks),
        "known_from": history.known_from,
        "facts": facts,
    }
    try:
        _schema(contents.n_objects)(value, "a recording")
    except Damaged as error:
        raise ValueError(f"{error}, so that a file cannot hold it; rename or shorten it") from None
    smaller = "record with lower limits, or describe the objects with smaller images"
    with files.write_whole(place) as file:
        write_value(file, value, "a recording", smaller)
    return place


def _fields_of(item: Frame | State) -> dict[str, Any]:
    return {field.name: getattr(item, field.name) for field in fields(item)} | {"iteration": int(item.iteration)}


def _written_labels(labels: Any) -> dict[str, Any] | None:
    if labels is None:
        return None
    found = check_labels(labels)
    return {"entries": tuple(found.tolist()) if found.dtype.kind in "UO" else found, "order": own_order(labels)}


def _schema(n: int) -> Schema:
    """Return what a recording of n objects in a file is like."""
    names, held = rule("names and values", lambda value: isinstance(value, Mapping)), mapping(FINITE, _MOST_KNOBS)
    plain = rule("plain values", lambda value: isinstance(value, Mapping) and all(map(is_plain, value.values())))
    images = rule(f"{n} images", lambda value: isinstance(value, np.ndarray) and value.dtype == np.uint8)
    several = rule("texts or numbers", lambda value: isinstance(value, tuple | np.ndarray))
    points = rule("an array", lambda value: isinstance(value, np.ndarray))
    numbers, order = array("<f8", n, finite=False), maybe(rule("classes in an order", _is_order))
    column = row(TEXT, one_of(COLUMN_KINDS), several, maybe(array("<f8", n)), order)
    regions = rule("names of regions", lambda value: _is_order(value) and len(value) <= MOST_REGIONS)
    labels = table(entries=rule(f"{n} labels", lambda value: _are_labels(value, n)), order=order)

    def state(kind: str, **more: Schema) -> Schema:
        Y, mixing = array(kind, None, n, None), maybe(array(kind, None, n))
        words = {"iteration": whole(0), "phase": TEXT, "cost": FINITE, "objective": FINITE, "model": TEXT}
        return table(**words, knobs=held, Y=Y, mixing=mixing, **more)

    return table(
        format=TEXT,
        version=whole(1),
        n_objects=whole(1),
        end=whole(0),
        strides=row(whole(1), whole(1)),
        frames=each(state("<f4", turned=each(TEXT))),
        states=each(state("<f8", gradient_norm=NUMBER, memory=names)),
        marks=each(row(whole(0), one_of(KINDS), TEXT), MOST_MARKS),
        turns=each(row(whole(0), held), MOST_ENTRIES),
        pins=each(row(whole(0), points), MOST_ENTRIES),
        chapters=each(row(whole(0), TEXT, plain), MOST_ENTRIES),
        breaks=each(whole(0), MOST_ENTRIES),
        known_from=maybe(whole(0)),
        facts=table(
            labels=maybe(labels),
            values=maybe(numbers),
            names=maybe(texts(n)),
            images=maybe(images),
            neighbors=maybe(array("<u4", n, None)),
            title=maybe(TEXT),
            columns=maybe(each(column, MOST_COLUMNS)),
            importance=maybe(numbers),
            certainty=maybe(row(regions, array("<i8", n), array("<u4", None, 3), maybe(array("|u1", None, n)))),
            label_colors=maybe(mapping(TEXT)),
        ),
    )


def _is_order(names: Any) -> bool:
    known = isinstance(names, tuple) and 2 <= len(names) <= MOST_CLASSES and all(type(name) is str for name in names)
    return known and len({*names}) == len(names)


def _are_labels(labels: Any, n: int) -> bool:
    if isinstance(labels, np.ndarray):
        return labels.shape == (n,) and labels.dtype.kind in "biuf"
    kinds = {str, int, bool, type(None)}
    return isinstance(labels, tuple) and len(labels) == n and {*map(type, labels)} <= kinds


def load(path: str | Path, limit: float) -> Contents:
    """Return the Contents of a file, or raise a ValueError that says what is wrong with it, and the way out."""
    place = Path(path).expanduser()
    try:
        # Before it is opened: a pipe would wait for somebody to write, and a device may have no end.
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise ValueError("it is a device or a pipe; give a file, as its end is read first")
        with open(place, "rb") as file:
            return _contents(read_value(file, limit), limit)
    except ValueError as error:
        way_out = "; write the file again with save, or get another copy of it" if isinstance(error, Damaged) else ""
        raise ValueError(f"{path} cannot be loaded: {error}{way_out}") from None


def _contents(value: Any, limit: float) -> Contents:
    if not isinstance(value, Mapping) or value.get("format") != _FORMAT:
        raise ValueError("it is not a recording of notebook_sne; give a file that Recording.save wrote")
    version: Any = value.get("version")
    n_objects: Any = value.get("n_objects")
    whole(1)(version, "its version")
    whole(1)(n_objects, "its n_objects")
    if version != _VERSION:
        raise ValueError(f"it is of version {version}, and this notebook_sne reads {_VERSION}; install a newer one")
    if n_objects * _OBJECT_BYTES > limit:
        raise ValueError(
            f"it declares {n_objects} objects, which the limit of {limit / 1e6:.3g} MB does not hold; "
            "give a larger limit if you trust the file"
        )
    _schema(n_objects)(value, "it")
    frames = tuple(Frame(**frame) for frame in value["frames"])
    states = tuple(State(**state) for state in value["states"])
    marks = tuple(Mark(*mark) for mark in value["marks"])
    expect(frames, "it has no frames")
    end, turns, pins = value["end"], value["turns"], value["pins"]
    for what, iterations, strictly in (
        ("frames", [frame.iteration for frame in frames], True),
        ("states", [state.iteration for state in states], True),
        ("marks", [mark.iteration for mark in marks], False),
        *((name, [entry[0] for entry in value[name]], True) for name in ("turns", "pins", "chapters")),
        ("breaks", value["breaks"], True),
    ):
        pairs = itertools.pairwise([*iterations, end + strictly])
        rising = all(a < b or (a == b and not strictly) for a, b in pairs)
        expect(rising, f"the iterations of its {what} do not rise, or go on after its end")
    items: tuple[Frame | State, ...] = (*frames, *states)
    for item in items:
        fits = item.mixing is None or item.mixing.shape == item.Y.shape[:2]
        expect(fits, "the mixing proportions of a frame or a state in it do not fit its positions")
    for state in states:
        scales = state.memory.get("scales")
        known = isinstance(state.pins, np.ndarray) and (scales is None or are_scales(scales))
        expect(known, "a state in it has pins or perplexities that are none")
        check_pins(state.pins, state.Y.shape)
    for _, held in pins:
        check_pins(held, (max(len(frame.Y) for frame in frames), n_objects, 0))
    chapters = [Chapter(at, model, parameters, None) for at, model, parameters in value["chapters"]]
    history = History(turns, chapters, value["breaks"], value["known_from"], pins)
    facts = _facts(value["facts"], n_objects, limit)
    return Contents(n_objects, end, frames, states, marks, history, value["strides"], facts)


def _facts(value: Mapping[str, Any], n_objects: int, limit: float) -> dict[str, Any]:
    facts = {name: one for name, one in value.items() if one is not None}
    if "labels" in facts:
        entries, order = facts["labels"]["entries"], facts["labels"]["order"]
        # An array of texts gives each the room of the longest.
        longest = max((len(text) for text in entries if isinstance(text, str)), default=0)
        expect(4 * n_objects * longest <= limit, "one of its labels is far too long")
        _check_order(order, entries, "labels")
        facts["labels"] = in_order(check_labels(entries), order)
    columns = [Column(*column) for column in facts.get("columns", ())]
    for column in columns:
        kind = texts(n_objects, gaps=True) if column.kind == "text" else array("<f8", n_objects, finite=False)
        kind(column.entries, f"column {column.name}")
        _check_order(column.order, column.entries, f"column {column.name}")
        expect(in_parts(column), f"column {column.name} has rests that are not those of whole numbers or dates")
    if columns:
        facts["columns"] = tuple(columns)
    if "certainty" in facts:
        facts["certainty"] = pairs = RegionPairs(*facts["certainty"])
        R = len(pairs.regions)
        fits = len(pairs.counts) == R * (R - 1) // 2 and ((pairs.region >= UNLABELED) & (pairs.region < R)).all()
        expect(fits, "its regions are not those of its objects or pairs")
        expect(pairs.blurs is None or (pairs.blurs <= BLURS).all(), "its objects are too far out of focus")
    return check_facts(n_objects, facts)[1]


def _check_order(order: tuple[str, ...] | None, entries: Any, what: str) -> None:
    present = {str(entry) for entry in entries if entry is not None} if order else set()
    expect({*(order or ())} == present, f"the classes of its {what} and their order do not fit together")
