"""How often what is drawn has a nearest neighbor of its class: held-back MNIST images as they are, shifted, as strokes.

The strokes of an image are the middle of its lines, thinned to one pixel. They stand in the field at a random place and
size, and go the way of a drawing: through `imageOf` of the page's own ink.js, in Node.
"""

import json
import subprocess

import numpy as np
from scipy.ndimage import zoom

import notebook_sne as ns
from benchmarks.record import keep
from notebook_sne.browser.frontend.bundle import FOLDER
from notebook_sne.browser.widgets.drawing import _far_of, _look_of
from notebook_sne.engine.mathematics.neighbors import squares_between

_FINE, _SIDE, _HELD = 4, 1000, 1500  # times as many pixels to thin lines in; parts of a field; images
_PAGE = """import { readFileSync } from "node:fs"; import { imageOf } from %s;
const { look, drawings } = JSON.parse(readFileSync(0));
console.log(JSON.stringify(drawings.map((strokes) => [...imageOf(strokes, look)])));"""
_AROUND = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
_RULES = (((0, 2, 4), (2, 4, 6)), ((0, 2, 6), (0, 4, 6)))  # neighbors of which one must be empty, in turns


def thinned(on):
    """Return images of lines, bool of shape (n, height, width), with lines of one pixel.  [Zhang and Suen, 1984]"""
    on = np.pad(on, ((0, 0), (1, 1), (1, 1)))
    while True:
        before = on
        for sides in _RULES:
            p = [np.roll(on, (-dy, -dx), (1, 2)) for dy, dx in _AROUND]
            turns, around = sum(~p[k - 1] & p[k] for k in range(8)), np.sum(p, axis=0)
            open_sides = ~np.any([np.all([p[k] for k in three], axis=0) for three in sides], axis=0)
            on = on & ~((turns == 1) & (around >= 2) & (around <= 6) & open_sides)
        if (on == before).all():
            return on[:, 1:-1, 1:-1]


def strokes_of(images, rng):
    """Return the strokes of each image, at a random place and size: lists of x, y, x, y in parts of the field."""
    large = zoom(images.astype(float), (1, _FINE, _FINE), order=1, grid_mode=True, mode="nearest")
    found = []
    for line in thinned(large > 0.5 * images.max()):
        y, x = np.nonzero(line)
        numbers = np.pad(np.full(line.shape, -1), 1, constant_values=-1)
        numbers[y + 1, x + 1] = np.arange(len(x))
        unit = rng.uniform(0.4, 0.9) * _SIDE / len(line)
        at = unit * np.column_stack([x, y]) + rng.uniform(0, _SIDE - unit * len(line), 2)
        ahead = [(k, numbers[y[k] + 1 + dy, x[k] + 1 + dx]) for k in range(len(x)) for dy, dx in _AROUND[2:6]]
        found.append([[*at[k], *at[m]] for k, m in ahead if m >= 0])
    return found


def as_drawn(strokes, look):
    """Return the images that a page makes of strokes, shape (n, height * width)."""
    page = _PAGE % json.dumps(str(FOLDER / "drawing" / "ink.js"))
    work = json.dumps({"look": look, "drawings": strokes})
    command = ["node", "--input-type=module", "-e", page]
    return np.array(json.loads(subprocess.run(command, input=work, capture_output=True, text=True, check=True).stdout))


def shifted(images, rng):
    """Return images moved by up to an eighth of their side in both directions."""
    side = images.shape[1]
    most = side // 8
    wide = np.pad(images, ((0, 0), (most, most), (most, most)))
    moves = rng.integers(0, 2 * most + 1, (len(images), 2))
    return np.array([one[y : y + side, x : x + side] for one, (y, x) in zip(wide, moves, strict=True)])


def main():
    data, rng, rows = ns.datasets.load_mnist_5000(), np.random.default_rng(0), []
    images, labels, order = np.asarray(data.images), np.asarray(data.labels), rng.permutation(len(data))
    held, strokes = order[:_HELD], strokes_of(images[order[:_HELD]], rng)
    coarse = np.rint(images.reshape(-1, 14, 2, 14, 2).mean(axis=(2, 4)))
    for size, shown, n_fitted in (("28 x 28", images, 3500), ("28 x 28", images, 1000), ("14 x 14", coarse, 1000)):
        fitted = order[_HELD : _HELD + n_fitted]
        X, look, far = shown[fitted].reshape(n_fitted, -1), _look_of(shown[fitted]), _far_of(shown[fitted])
        model = ns.SNE(perplexity=30, random_state=0).fit(X)
        given = {"as they are": shown[held], "shifted": shifted(shown[held], rng), "strokes": as_drawn(strokes, look)}
        for how, asked in given.items():
            D = squares_between(asked.reshape(_HELD, -1), X)
            ten = np.argsort(D, axis=1, kind="stable")[:, :10]
            right = labels[fitted][ten] == labels[held][:, None]
            Y, places = model.embedding_, model.transform(asked.reshape(_HELD, -1))
            away = np.linalg.norm(places[:, None] - Y[ten], axis=2).min(axis=1) / np.linalg.norm(Y.std(axis=0))
            rows.append({
                "images": size, "fitted": n_fitted, "held-back images given": how,
                "nearest of its class": f"{right[:, 0].mean():.1%}", "of ten nearest": f"{right.mean():.1%}",
                "said to be far": f"{(np.sqrt(D.min(axis=1)) > far).mean():.1%}",
                "lands far from all ten": f"{(away > 0.5).mean():.1%}",
            })  # fmt: skip
    keep("drawn_digits", {"held back": _HELD, "seed": 0, "strokes": "random places, 40% to 90% of the field"}, rows)


if __name__ == "__main__":
    main()
