"""Draw the picture of the lecture on seventy thousand objects: ``python -m benchmarks.dense``.

All 70,000 MNIST images in 50 principal components, by t-SNE at perplexity 30 with 750 updates and seed 0, as in
`benchmarks.peers`. A pixel is the darker the more objects lie there, and has the mean of their colors, as in the
player; each class has its name at its median. The data come from the folder that NOTEBOOK_SNE_DATA names, or are
downloaded.
"""

import struct
import zlib
from base64 import b64encode
from pathlib import Path

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from notebook_sne.views.palette import COLORS

PICTURE = Path(__file__).parents[1] / "tutorials" / "figures" / "seventy_thousand.svg"
SIDE, MARGIN = 440, 12  # pixels
FAINTEST = 0.35  # how much of its color a pixel keeps that holds one object
HIGH = 0.995  # share of the pixels with objects that are below the full tone
TITLE = "70,000 handwritten digits by t-SNE"


def pixels(Y):
    """Return the column and the row of each map point, shape (N, 2)."""
    low, high = Y.min(axis=0), Y.max(axis=0)
    at = SIDE / 2 + (Y - (low + high) / 2) / (high - low).max() * (SIDE - 2 * MARGIN)
    return np.column_stack([at[:, 0], SIDE - at[:, 1]]).astype(int)


def tones(places, labels):
    """Return a picture of counts, shape (SIDE, SIDE, 3), uint8."""
    at = places[:, 1], places[:, 0]
    colors = np.array([[int(color[k : k + 2], 16) for k in (1, 3, 5)] for color in COLORS[:10]], float)[labels]
    counts, sums = np.zeros((SIDE, SIDE)), np.zeros((SIDE, SIDE, 3))
    np.add.at(counts, at, 1)
    np.add.at(sums, at, colors)
    some = counts > 0
    share = np.log1p(counts[some]) / np.log1p(np.quantile(counts[some], HIGH))
    tone = FAINTEST + (1 - FAINTEST) * np.minimum(share, 1)
    picture = np.full((SIDE, SIDE, 3), 255.0)
    picture[some] += tone[:, None] * (sums[some] / counts[some][:, None] - 255)
    return picture.astype(np.uint8)


def png(picture):
    """Return a picture as the bytes of a PNG."""
    height, width = picture.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def drawn(Y, labels):
    """Return the map as the text of an SVG."""
    places = pixels(Y)
    names = []
    for label in np.unique(labels):
        x, y = np.median(places[labels == label], axis=0)
        names.append(f'<text x="{x:.0f}" y="{y + 9:.0f}">{label}</text>')
    picture = b64encode(png(tones(places, labels))).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}" width="{SIDE}" height="{SIDE}" '
        'role="img">\n'
        f"<title>{TITLE}</title>\n"
        f'<image width="{SIDE}" height="{SIDE}" href="data:image/png;base64,{picture}"/>\n'
        '<g font-family="sans-serif" font-size="26" font-weight="bold" text-anchor="middle" fill="#111" stroke="#fff" '
        f'stroke-width="5" paint-order="stroke">{"".join(names)}</g>\n</svg>\n'
    )


def main():
    """Fit and draw."""
    digits = ns.datasets.fetch_mnist("both")
    X = PCA(50, random_state=0).fit_transform(digits.X / 255.0)
    model = ns.TSNE(perplexity=30, max_iter=750, random_state=0).fit(X)
    print(f"cost {model.cost_:.4f} nats, neighbors found {model.neighbor_recall_:.1%}")
    PICTURE.write_text(drawn(model.embedding_, digits.labels), encoding="utf-8")


if __name__ == "__main__":
    main()
