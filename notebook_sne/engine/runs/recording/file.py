"""Recordings as files: one .npz with a header of JSON, written whole or not at all.

The header says what belongs together; numbers lie in arrays. Frames of one shape are one array, and so are the
arrays of full states that have one type and shape, so that a file has few members. `reader` reads it.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.archives.archive import Entry, write_arrays
from notebook_sne.engine.archives.header import LONGEST_NAME, written_header
from notebook_sne.engine.archives.nested import Arrays, encode
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine import files
from notebook_sne.engine.objects.columns import Column
from notebook_sne.engine.objects.labels import check_labels, own_order
from notebook_sne.engine.runs.recording.frames import Frame
from notebook_sne.engine.runs.recording.header import FORMAT, MOST_KNOBS, SPELLED, VERSION
from notebook_sne.engine.runs.recording.history import History
from notebook_sne.engine.runs.recording.marks import Mark

__all__ = ["Contents", "save"]

STATE_FIELDS = (
    "iteration", "phase", "cost", "objective", "Y", "mixing", "gradient_norm", "knobs", "model", "memory",
)  # fmt: skip


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
    header, arrays = _written(contents)
    with files.write_whole(place) as file:
        smaller = "record with a lower limit, or describe the objects with smaller images"
        write_arrays(file, [header, *arrays], "recording", smaller)
    return place


def _written(contents: Contents) -> tuple[Entry, list[Entry]]:
    """Return the header and the arrays."""
    frames, turns = contents.frames, contents.history.turns
    phases, models, knobs = (_Index() for _ in range(3))
    groups: dict[tuple[tuple[int, ...], bool], list[Frame]] = {}
    for frame in frames:
        groups.setdefault((frame.Y.shape, frame.mixing is not None), []).append(frame)
    kinds = list(groups)
    words = [
        (phases[frame.phase], models[frame.model], kinds.index((frame.Y.shape, frame.mixing is not None)))
        for frame in frames
    ]
    for mapping in (*(frame.knobs for frame in frames), *(held for _, held in turns)):
        for name in mapping:
            knobs[name]
    out: list[Entry] = [
        _column("iterations", "<i8", [frame.iteration for frame in frames]),
        _column("costs", "<f8", [(frame.cost, frame.objective) for frame in frames]),
        _column("words", "<u4", words),
        *_table("knob", [(frame.knobs, frame.turned) for frame in frames], knobs),
        _column("turns", "<i8", [iteration for iteration, _ in turns]),
        *_table("turn", [(held, held) for _, held in turns], knobs),
    ]
    for g, ((shape, mixed), those) in enumerate(groups.items()):
        out.append((f"frames_{g}", "<f4", (len(those), *shape), [frame.Y for frame in those]))
        if mixed:
            proportions = [frame.mixing for frame in those if frame.mixing is not None]
            out.append((f"mixing_{g}", "<f4", (len(those), *shape[:2]), proportions))
    if pins := contents.history.pins:
        out.append(_column("pins_at", "<i8", [iteration for iteration, _ in pins]))
        out.append(_column("pins_ends", "<i8", np.cumsum([len(held) for _, held in pins])))
        out.append(_column("pins_of", "<i8", np.concatenate([held for _, held in pins])))
    memory = Arrays()
    states = [_state_node(state, memory) for state in contents.states]
    arrays, lengths = memory.written("memory")
    out += arrays
    _check_names([*phases, *models], knobs)
    facts, described = _written_facts(contents.facts)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "n_objects": contents.n_objects,
        "end": contents.end,
        "phases": list(phases),
        "models": list(models),
        "knobs": list(knobs),
        "mixing": [mixed for _, mixed in kinds],
        "marks": [list(mark) for mark in contents.marks],
        "chapters": [
            [chapter.iteration, chapter.model, encode(chapter.parameters, memory, "a parameter")]
            for chapter in contents.history.chapters
        ],
        "breaks": contents.history.breaks,
        "known_from": contents.history.known_from,
        "strides": list(contents.strides),
        "memory": lengths,
        "states": states,
        **described,
    }
    return written_header(header, "record with fewer most_states"), [*out, *facts]


class _Index(dict[str, int]):
    """Numbers things in the order in which they are first asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]


def _check_names(names: Iterable[str], knobs: Mapping[str, int]) -> None:
    """Refuse what `load` would refuse."""
    long = [name for name in (*names, *knobs) if len(name) > LONGEST_NAME]
    if long or len(knobs) > MOST_KNOBS:
        raise ValueError(
            f"a recording must have at most {MOST_KNOBS} knobs, and phases, models and knobs with names of at most "
            f"{LONGEST_NAME} characters, got {len(knobs)} knobs and {len(long)} longer names; rename them"
        )


def _column(name: str, dtype: str, values: Any) -> Entry:
    array = np.asarray(values, dtype=dtype)
    return name, dtype, array.shape, [array]


def _bytes(name: str, content: bytes) -> Entry:
    return _column(name, "|u1", np.frombuffer(content, dtype=np.uint8))


def _table(name: str, rows: Sequence[tuple[Mapping[str, float], Any]], knobs: Mapping[str, int]) -> list[Entry]:
    """Return a table of knobs: values, and flags that say which a row has (1) and which of them were held (2)."""
    values = np.zeros((len(rows), len(knobs)))
    flags = np.zeros(values.shape, dtype=np.uint8)
    for r, (mapping, held) in enumerate(rows):
        for knob, value in mapping.items():
            values[r, knobs[knob]] = value
            flags[r, knobs[knob]] = 3 if knob in held else 1
    return [_column(f"{name}_values", "<f8", values), _column(f"{name}_flags", "|u1", flags)]


def _state_node(state: State, memory: Arrays) -> Any:
    values = {field: getattr(state, field) for field in STATE_FIELDS}
    values.update(iteration=int(state.iteration), phase=str(state.phase), model=str(state.model))
    return encode(values, memory, f"the state of iteration {state.iteration}")


def _texts(name: str, values: Iterable[Any]) -> list[Entry]:
    texts = [str(text).encode("utf-8", "surrogatepass") for text in values]
    ends = _column(f"{name}_ends", "<i8", np.cumsum([len(text) for text in texts]))
    return [_bytes(f"{name}_text", b"".join(texts)), ends]


def _written_column(name: str, column: Column) -> list[Entry]:
    if column.kind != "text":
        beyond = [] if column.rest is None else [_column(f"{name}_rest", "<f8", column.rest)]
        return [_column(name, "<f8", column.entries), *beyond]
    missing = _column(f"{name}_missing", "|u1", [text is None for text in column.entries])
    order = _texts(f"{name}_order", column.order) if column.order else []
    return [missing, *_texts(name, [text or "" for text in column.entries]), *order]


def _written_facts(facts: Mapping[str, Any]) -> tuple[list[Entry], dict[str, Any]]:
    out: list[Entry] = []
    described: dict[str, Any] = {"title": facts.get("title"), "facts": []}
    if columns := facts.get("columns"):
        described["columns"] = [
            [column.name, column.kind, *([len(column.order)] if column.order else [])] for column in columns
        ]
        for k, column in enumerate(columns):
            out += _written_column(f"columns_{k}", column)
    if certainty := facts.get("certainty"):
        described["regions"] = len(certainty.regions)
        out += _texts("regions", certainty.regions)
        out += [_column("region", "<i8", certainty.region), _column("region_pairs", "<u4", certainty.counts)]
    if colors := facts.get("label_colors"):
        described["label_colors"] = [[*pair] for pair in colors.items()]
    for name in ("labels", "values", "names", "images", "neighbors", "importance"):
        value = facts.get(name)
        if value is None:
            continue
        if name == "labels" and (order := own_order(value)):
            described["label_order"] = len(order)
            out += _texts("label_order", order)
            value = check_labels(value)
        if name == "labels" and value.dtype.kind == "O":
            # Labels as those of before, with anything in the gaps, and which these are beside them.
            missing = np.array([label is None for label in value])
            out.append(_column("labels_missing", "|u1", missing))
            blank = np.asarray(value[~missing].tolist())
            whole = np.zeros(len(value), dtype=blank.dtype)
            whole[~missing] = blank
            value = whole
        name = SPELLED.get(name, name)
        if name == "names" or value.dtype.kind == "U":
            out += _texts(name, value)
        else:
            out.append((name, value.dtype, value.shape, [value]))
        described["facts"].append(name)
    return out, described
