"""Small still pictures of maps, which a notebook shows where a state or a recording is the last word of a cell."""

import numpy as np

from notebook_sne.browser.widgets.fallback_image import caption_of, figure, legend, picture, scale_of
from notebook_sne.engine.objects.class_colors import read_class_colors
from notebook_sne.engine.objects.labels import Labels, read_labels
from notebook_sne.models import label_of
from notebook_sne.views.raster import png

__all__ = ["html_of_recording", "html_of_state"]

SIDE = 200  # pixels of a page
MOST_BYTES = 40_000  # of a picture
MOST_OBJECTS = 20_000  # in a picture
MOST_MAPS = 6
LEAST = 0.1  # proportion from which an object is drawn in one of several maps


def html_of_state(state):
    """Return HTML of a State: its maps, at most six of them, and what it is in one line."""
    n_maps, n_objects = state.Y.shape[:2]
    shown = range(min(n_maps, MOST_MAPS))
    images = [_picture(state, m, Labels(), f"map {m} of {n_maps}" if n_maps > 1 else "the map") for m in shown]
    more = [f"{n_objects:,} objects"]
    if n_maps > 1:
        more.append(f"{n_maps} maps" + (f", of which {MOST_MAPS} are drawn" if n_maps > MOST_MAPS else ""))
    more += [f"{name} {value:.4g}" for name, value in state.knobs.items()]
    return _framed(images, "", caption_of(state.model, state.iteration, state.cost, *more))


def html_of_recording(recording):
    """Return HTML of a Recording: its map at the begin, in the middle and at the end, colored as its objects are."""
    frames = recording.frames
    if not frames:
        return figure([], "", "A recording with nothing in it yet.")
    chosen = [frames[k] for k in dict.fromkeys((0, len(frames) // 2, len(frames) - 1))]
    labels, ends = read_labels(recording.labels, frames[0].Y.shape[1]), ()
    values = recording.values if recording.labels is None else labels.values
    if values is not None:
        labels, ends = scale_of(np.asarray(values, dtype=float))
    colors = read_class_colors(recording.label_colors, labels.class_names) if labels.class_names else []
    images = [_picture(frame, 0, labels, f"the map at step {frame.iteration:,}", colors) for frame in chosen]
    steps = ", ".join(f"{frame.iteration:,}" for frame in chosen)
    models = " → ".join(dict.fromkeys(label_of(frame.model) for frame in frames))
    words = f"{models}: {len(frames):,} frames of {frames[0].Y.shape[1]:,} objects; drawn: steps {steps}"
    return _framed(images, recording.title or "", words, legend(labels.groups(), ends, colors=colors))


def _framed(images, title, words, key=""):
    # No formulas: a title with dollars in it is a title.
    return f'<div class="mathjax_ignore">{figure(images, title, words, key)}</div>'


def _picture(moment, m, labels, words, colors=()):
    """Return HTML of map m of a State or Frame."""
    Y = np.zeros((moment.Y.shape[1], 2))
    Y[:, : moment.Y.shape[2]] = moment.Y[m, :, :2]
    there = np.isfinite(Y).all(axis=1)
    if moment.mixing is not None and len(moment.Y) > 1:
        there &= moment.mixing[m] >= LEAST
    drawn = np.flatnonzero(there)
    if len(drawn) > MOST_OBJECTS:
        drawn = np.sort(np.random.default_rng(0).choice(drawn, MOST_OBJECTS, replace=False))
    if not len(drawn):
        return f"({words}: no object is here)"
    looks = {}
    if labels.classes is not None:
        looks = {"classes": labels.classes[drawn], "colors": colors}
    elif labels.values is not None:
        low, high = np.nanmin(labels.values), np.nanmax(labels.values)
        shares = (labels.values - low) / (high - low) if high > low else 0.5 + 0 * labels.values
        looks["values"] = shares[drawn]
    return picture(png(Y[drawn], **looks, size=SIDE, most_bytes=MOST_BYTES), "png", SIDE, SIDE, words)
