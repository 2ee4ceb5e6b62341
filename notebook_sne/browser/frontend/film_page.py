"""The page of a film: a recording as one HTML file that plays in any browser, with no kernel and no network.

With the plan of a run (`pages`) it is a page that computes: the run goes on in the browser from where it stands.
"""

import json
from typing import Any

import numpy as np

from notebook_sne.browser.frontend.film import pack_film
from notebook_sne.browser.frontend.page import page_of
from notebook_sne.engine.machine import files
from notebook_sne.engine.machine.package import PACKAGE
from notebook_sne.engine.objects.labels import check_labels
from notebook_sne.engine.objects.traits import first_names, object_traits, pack_images

__all__ = ["axes_note", "explorer_traits", "film_page", "film_traits", "live_traits", "write_film"]

MOST_FILM_BYTES = 32_000_000  # 100 frames of 80,000 objects
PAGE_NOTE = "Computed in this page by the same kernels as in Python; long runs differ from Python's in the last digits."
KERNELS = PACKAGE / "engine" / "portable" / "kernels.wasm"

# Those traits of a view of a map that a film says nothing of; the reader changes some of them in the page.
_UNSAID: dict[str, Any] = {
    "classes": b"", "class_names": [], "class_colors": [], "values": b"", "value_range": [],
    "image_size": [], "images": b"",
    "neighbors": b"", "selection": [], "spring_of": None, "axes": "follow", "hide_labels": False,
    "show_images": False, "show_table": False, "name_size": 12.0, "compact": False, "pace": None, "height": 460,
    "message": "", "snapshot_step": None,
    "snapshot": b"", "knobs": [], "models": [], "pins": [], "object_columns": [], "object_numbers": b"",
    "importance": b"", "controls": "few", "main_knobs": ["perplexity"], "from_start": False,
    "uncolored": {}, "region_pairs": b"", "show_pairs": True, "blurs": b"", "focus": 1,
}  # fmt: skip


def write_film(
    recording, path, *, frames=100, labels=None, values=None, names=None, images=None, title=None, columns=None,
    importance=None, certainty=None, label_colors=None, plan=None, chosen=None,
):  # fmt: skip
    """Write a recording as one HTML file that plays in any browser, with no kernel and no network; return its path.

    A file that is there already is replaced, and passes on its mode. A device or a pipe is written into. There are at
    most `frames` frames, fewer where they would take more than 32 MB. The facts about the objects are as for
    `Recording.describe`, and come from there where left out. Images are held whole: at most 8 million pixels in all, of
    images in color a third of that. `plan` is that of the run that is to go on in the page; `chosen` are traits of the
    view that it begins with.

    Raises a ValueError or TypeError if nothing is recorded, or labels, values, names or images don't fit the objects
    or are too many; an OSError if the file is read-only or can't be written: one that was there is then as it was.
    """
    given = {"labels": labels, "values": values, "names": names, "images": images, "title": title, "columns": columns}
    given |= {"importance": importance, "certainty": certainty, "label_colors": label_colors}
    return files.write(path, film_page(recording, frames=frames, plan=plan, chosen=chosen, **given))


def film_page(recording, *, frames=100, plan=None, chosen=None, **given):
    """Return the page of a film as bytes; parameters and errors are those of `write_film`."""
    kind, traits, heading = film_view(recording, frames=frames, plan=plan, **given)
    return page_of(kind=kind, traits=traits | (chosen or {}), title=heading)


def film_view(recording, *, frames=100, plan=None, **given):
    """Return the kind of the page of a film, its traits and its heading; parameters are those of `write_film`."""
    traits = film_traits(recording, frames=frames, most_bytes=MOST_FILM_BYTES, **given)
    traits["color"] = "label" if "classes" in traits else "value" if "values" in traits else "none"
    traits["show_names"] = first_names(traits.get("names"), traits.get("classes"))
    heading = traits["title"] or f"{traits['model_name']}: a map of {traits['n_objects']} objects"
    traits = {"key": "page", **_UNSAID, **traits}
    if plan is None:
        return "film", traits, heading
    return "live", traits | live_traits(plan), heading


def live_traits(plan):
    """Return the traits of a view whose run goes on in the page, beside those of what it shows."""
    at = plan.facts["at"]
    return {
        **{f"plan_{name}": packed for name, packed in plan.arrays.items()},
        "plan": plan.facts,
        "kernels": KERNELS.read_bytes(),
        "live": True,
        "status": "paused",
        "page_note": PAGE_NOTE,
        "uncolored": plan.facts["uncolored"],
        "springless": "Springs are those of a model with one map" if plan.facts["present"]["n_maps"] > 1 else "",
        "models": plan.choices,
        "model_name": plan.facts["present"]["id"],
        "iteration": at["iteration"],
        "cost": at["cost"],
        "phase": plan.phase,
        "present": at["knobs"],
        "pins": [i for i in at["pins"] if i < plan.facts["objects"]["shape"][0]],
        "turned": sorted(plan.facts["turned"]),
    }


def explorer_traits(plan, costs):
    """Return the traits of an explorer whose fit goes on in the page, beside those of its words; costs are (K, 2)."""
    unknown = dict.fromkeys(("other_maps", "senses", "column_values", "film"), b"")
    shown = {"fits": [], "best": 0, "fit": 0, "columns": [], "marks": [], "knobs": [], "moment": 1, "message": ""}
    return live_traits(plan) | unknown | shown | {"trace": np.asarray(costs, dtype="<f8").tobytes()}


def film_traits(
    recording, *, frames, most_bytes, labels=None, values=None, names=None, images=None, title=None, columns=None,
    importance=None, certainty=None, label_colors=None,
):  # fmt: skip
    """Return the traits of a view that has no run, only a film; parameters and errors are those of `write_film`."""
    film = pack_film(recording, most_frames=frames, most_bytes=most_bytes)
    if not film:
        raise ValueError("recording must hold something to show, but nothing is recorded yet; play or step the run")
    header = json.loads(film[4 : 4 + int.from_bytes(film[:4], "little")])
    last, n_objects = header["frames"][-1], header["n_objects"]
    facts = {"labels": labels, "values": values, "names": names, "images": images, "title": title, "columns": columns}
    facts |= {"importance": importance, "certainty": certainty, "label_colors": label_colors}
    own = {name for name, value in facts.items() if value is None}
    if labels is not None:
        own -= {"certainty", "label_colors"}  # which are of the recording's own labels
    facts |= {name: getattr(recording, name) for name in own}
    if facts["values"] is not None and facts["labels"] is not None and check_labels(facts["labels"]).dtype.kind == "f":
        facts["values"] = None  # floats as labels are the values to show
    # A run that goes on may have recorded more by now than the film holds.
    shown = [frame for frame in recording.frames if frame.iteration <= last["iteration"]]
    packed = pack_images(facts.pop("images"), n_objects)
    traits = object_traits(n_objects, **facts) | packed
    if recording.neighbors is not None:
        traits["neighbors"] = recording.neighbors.astype("<u4").tobytes()
    return traits | {
        "live": False,
        "reads_queries": False,
        "status": "recorded",
        "film": film,
        "marks": header["marks"],
        "iteration": last["iteration"],
        "recorded_to": last["iteration"],
        "cost": last["cost"],
        "phase": last["phase"],
        "model_name": last["model"],
        "without_unit": list(recording.without_unit),
        "present": last["knobs"],
        "pins": last.get("pins", []),
        "turned": list(shown[-1].turned),
        "trace": np.array([(frame.iteration, frame.cost) for frame in shown], dtype="<f8").tobytes(),
        "axes_note": axes_note(shown[-1].Y),
        "moment": 1,
    }


def axes_note(Y):
    """Say which part of Y (M, N, d) is drawn, where that isn't all of it."""
    n_maps, _, d = Y.shape
    notes = [f"map 1 of {n_maps}"] if n_maps > 1 else []
    if d > 2:
        notes.append(f"first 2 of {d} coordinates")
    return ", ".join(notes)
