"""Small static pictures for a page: maps of thousands of points, maps of words, curves, a sheet of digits.

`notebook_sne.views.svg` draws one map, a mark for each object; a page wants several side by side in a few kilobytes.
So here a class is one path, whose points are strokes without length, in whole thousandths of the panel's side.
"""

import itertools
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
from PIL import Image

from notebook_sne.views.names import place_names, text_width
from notebook_sne.views.palette import FONT, GROUND, INK, PULL, PUSH, RULE, SOFT, blend, color

FIGURES = Path(__file__).parent / "figures"
_HEAD, _GAP, _UNITS = 26, 12, 1000
_HALO = f'stroke="{GROUND}" stroke-width="3" paint-order="stroke" stroke-linejoin="round"'


def unit_square(Y, margin=0.04, frame=None):
    """Return map points in a square of side 1, y downwards, equal scales; `frame` are the points that must fit in."""
    frame = Y if frame is None else frame
    low, high = frame.min(axis=0), frame.max(axis=0)
    scale = (1 - 2 * margin) / max(high - low)
    places = 0.5 + (Y - (low + high) / 2) * scale
    return np.column_stack([places[:, 0], 1 - places[:, 1]])


def _text(x, y, text, size, extra=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" {extra}>{escape(str(text))}</text>'


def _dots(places, side):
    """Return a path whose points are strokes without length."""
    return "".join(f"M{x:.0f} {y:.0f}h0" for x, y in places * _UNITS)


def scatter(Y, labels=None, *, side, width=4.0, class_names=True, names=None, order=(), links=(), frame=None):
    """Return the lines of a map: a path for each class, its name at its middle, names of objects, links of pairs.

    `order` lists the objects to be named, the most important first; `links` pairs of objects; `frame` points that must
    fit in, for several maps at one scale.
    """
    places, k = unit_square(np.asarray(Y, dtype=float), frame=frame), _UNITS / side
    classes = np.unique(labels) if labels is not None else [None]
    lines = [f'<g transform="scale({1 / k:.4g})" fill="none" stroke-linecap="round" stroke-width="{width * k:.0f}">']
    if len(links):
        ends = " ".join("M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*(places[list(pair)].ravel() * _UNITS)) for pair in links)
        lines.append(f'<path stroke="{SOFT}" stroke-opacity="0.6" stroke-width="{0.8 * k:.1f}" d="{ends}"/>')
    for i, name in enumerate(classes):
        own = places if name is None else places[np.asarray(labels) == name]
        shade = SOFT if name is None else color(i)
        lines.append(f'<path stroke="{shade}" stroke-opacity="0.75" d="{_dots(own, side)}"/>')
    lines.append("</g>")
    if class_names and labels is not None:
        taken, few = np.full((1, 2), np.inf), len(classes) < 15
        for i, name in enumerate(classes):
            x, y = np.median(places[np.asarray(labels) == name], axis=0) * side
            while few and np.hypot(*(taken - [x, y]).T).min() < 14:  # beside a name that is there already
                x += 14
            if np.hypot(*(taken - [x, y]).T).min() < 10:
                continue
            taken = np.vstack([taken, [x, y]])
            style = f'text-anchor="middle" font-weight="700" fill="{color(i)}" {_HALO}'
            lines.append(_text(x, y + 5, name, 15 if few else 10, style))
    return lines + named(places * side, names, order, side, width / 2)


def named(points, names, order, side, radius, size=10):
    """Return the lines of the names for which there is room."""
    if names is None:
        return []
    order = list(order)
    upright = np.column_stack([points[:, 0], side - points[:, 1]])
    radii = np.broadcast_to(radius, len(points))
    marks = np.column_stack([upright, radii])
    texts = [str(names[i]) for i in order]
    found = place_names(upright[order], radii[order], texts, side, font_size=size, obstacles=marks, cover=1.5)
    lines = []
    for i, text, place in zip(order, texts, found, strict=True):
        if place is not None:
            anchor = {"left": "start", "center": "middle", "right": "end"}[place.align]
            x, y = points[i, 0] + place.x, points[i, 1] - place.y + 0.35 * size
            lines.append(_text(x, y, text, size, f'text-anchor="{anchor}" fill="{INK}" {_HALO}'))
    return lines


def words(Y, shares, names, *, side, threshold=0.1, most=40, first=()):
    """Return the lines of one of several maps: dots of an area that is the proportion, the largest ones named."""
    here = np.flatnonzero(shares >= threshold)
    points = unit_square(Y[here], margin=0.1) * side
    radii = 1.0 + 4.5 * np.sqrt(shares[here])
    lines = [
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.1f}" fill="{color(0)}" fill-opacity="0.35"/>'
        for (x, y), r in zip(points, radii, strict=True)
    ]
    texts = [str(names[i]) for i in here]
    chosen = [k for k, text in enumerate(texts) if text in first]
    chosen += [k for k in np.argsort(-shares[here], kind="stable") if k not in chosen]
    return lines + named(points, texts, chosen[:most], side, radii, size=9)


def curves(series, *, side, x_label="", y_label="", frame=None, names_at=(12, 22)):
    """Return the lines of curves, {name: (x, y)}, from 0 on the vertical axis where nothing is below it.

    `frame` has the ends of both axes, (left, right, low, high), which are written beside them then; what lies outside
    is left out. Where a name has several curves, y has shape (n_curves, n), and a curve of one point is a dot.
    `names_at` is where the first name stands.
    """
    xs = np.concatenate([np.ravel(x) for x, _ in series.values()])
    ys = np.concatenate([np.ravel(y) for _, y in series.values()])
    left, right, low, high = frame or (xs.min(), xs.max(), min(0.0, ys.min()), ys.max() * 1.05)
    lines = []
    for i, (name, several) in enumerate(series.items()):
        for x, y in zip(*map(np.atleast_2d, several), strict=True):
            inside = (x >= left) & (x <= right) & (y >= low) & (y <= high)
            points = np.column_stack([(x - left) / (right - left), 1 - (y - low) / (high - low)])
            points = points[inside] * (side - 40) + [30, 8]
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            dash = ("none", "7 4", "2 3")[i % 3]
            look = f'fill="none" stroke="{color(i)}" stroke-width="2" stroke-dasharray="{dash}"'
            if len(x) == 1:
                lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{color(i)}"/>' for a, b in points]
            else:
                lines.append(f'<polyline points="{path}" {look}/>')
        lines.append(_text(names_at[0], names_at[1] + 17 * i, name, 12, f'fill="{color(i)}" {_HALO}'))
    if frame:
        ends = [(30, side - 18, left, ""), (side - 10, side - 18, right, 'text-anchor="end"')]
        ends += [(26, side - 34, low, 'text-anchor="end"'), (26, 16, high, 'text-anchor="end"')]
        lines += [_text(x, y, f"{value:g}", 11, f'fill="{SOFT}" {extra}') for x, y, value, extra in ends]
    lines.append(_text(side / 2, side - 8, x_label, 12, f'text-anchor="middle" fill="{SOFT}"'))
    turned = f'text-anchor="middle" fill="{SOFT}" transform="rotate(-90 14 {side / 2:.0f})"'
    return [*lines, _text(14, side / 2, y_label, 12, turned)]


def sheet(name, panels, *, columns, side, folder=None):
    """Write figures/NAME.svg, or into another folder, from panels, a list of (title, lines), in rows of so many."""
    rows = -(-len(panels) // columns)
    width, height = columns * (side + _GAP) + _GAP, rows * (side + _HEAD + _GAP) + _GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-family="{FONT}" fill="{INK}">',
        f"<title>{escape('; '.join(title for title, _ in panels))}</title>",
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>',
    ]
    for i, (title, inside) in enumerate(panels):
        x, y = _GAP + (i % columns) * (side + _GAP), _GAP + (i // columns) * (side + _HEAD + _GAP)
        lines.append(_text(x, y + 15, title, 14 if text_width(title, 14) < side else 12, 'font-weight="600"'))
        lines.append(f'<g transform="translate({x} {y + _HEAD})">')
        lines.append(f'<rect width="{side}" height="{side}" fill="none" stroke="{RULE}"/>')
        lines += [*inside, "</g>"]
    path = (folder or FIGURES) / f"{name}.svg"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([*lines, "</svg>", ""]), encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def heat(values, *, side, x_label="", y_label="", levels=9):
    """Return the lines of a surface, shape (rows, columns), row 0 at the bottom: blue above 0, red below, white at 0.

    One color runs over each stretch of a row that has one level; the levels are even steps of the greatest size.
    """
    step = np.round(values / np.abs(values).max() * levels).astype(int)
    rows, columns = step.shape
    # Whole pixels, so that no seam shows between two rows.
    across, down = (np.round(np.linspace(0, side - 30, n + 1)).astype(int) for n in (columns, rows))
    lines = ['<g shape-rendering="crispEdges">']
    for r, row in enumerate(step):
        edges = np.flatnonzero(np.diff(row)) + 1
        for begin, end in itertools.pairwise([0, *edges, columns]):
            if row[begin]:
                fill = blend(GROUND, PULL if row[begin] > 0 else PUSH, abs(row[begin]) / levels)
                x, y = 30 + across[begin], down[rows - 1 - r]
                size = f'width="{across[end] - across[begin]}" height="{down[rows - r] - y}"'
                lines.append(f'<rect x="{x}" y="{y}" {size} fill="{fill}"/>')
    lines.append("</g>")
    lines.append(_text(side / 2, side - 10, x_label, 12, f'text-anchor="middle" fill="{SOFT}"'))
    turned = f'text-anchor="middle" fill="{SOFT}" transform="rotate(-90 18 {side / 2:.0f})"'
    return [*lines, _text(18, side / 2, y_label, 12, turned)]


def digits(name, Y, images, *, side=1100, seed=0):
    """Write figures/NAME.png: images at their map points, in random order, only where no image is yet.

    This is the rule of [Hinton2002, Fig. 1].
    """
    height, width = images.shape[1:]
    low, high = images.min(), images.max()
    ink = 255 - np.round(255 * (images - low) / (high - low) / 17) * 17  # 16 grays
    sheet = np.full((side, side), 255, dtype=np.uint8)
    free = np.ones((side, side), dtype=bool)
    corners = np.round(unit_square(Y, margin=0.02) * side).astype(int) - [width // 2, height // 2]
    shown = 0
    for i in np.random.default_rng(seed).permutation(len(Y)):
        x, y = corners[i]
        place = np.s_[y : y + height, x : x + width]
        if free[place].all() and min(x, y) >= 0 and max(x + width, y + height) <= side:
            sheet[place], free[place] = ink[i], False
            shown += 1
    FIGURES.mkdir(exist_ok=True)
    path = FIGURES / f"{name}.png"
    Image.fromarray(sheet).quantize(16).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, {shown} of {len(Y)} images")
