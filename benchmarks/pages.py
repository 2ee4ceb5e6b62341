"""How large recorded pages are: the player's page, with no kernel and no network, of few and of very many objects.

The digits of scikit-learn come with their images, names and neighbors, and with 100 frames of t-SNE; the others, in ten
classes without images, with as many frames as a page takes of so many objects. A page that is sent compressed, as
servers do, is as small as stands beside it.
"""

import gzip
import itertools
import tempfile
from pathlib import Path

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep, load
from notebook_sne.frontend.film import choose_frames

FRAMES = 101
SIZES = 70_000, 1_000_000


def digits():
    """Return a recording of t-SNE on the 1,797 digits."""
    data = ns.datasets.load_digits()
    recording = ns.Recording()
    recording.describe(labels=data.labels, images=data.images, title=data.title)
    for state in itertools.islice(ns.TSNE(random_state=0, n_jobs=1).iterate(data.X), FRAMES):
        recording.add(state)
    return recording


def moving(n, frames):
    """Return a recording of so many objects, each on its own way."""
    rng, k = np.random.default_rng(0), np.arange(n) % 10
    Y = rng.normal(size=(10, 2))[k] * 3 + rng.normal(size=(n, 2))
    way = rng.normal(size=(n, 2)) / 100
    recording = ns.Recording(limit=1e9)
    recording.describe(labels=k)
    for t in choose_frames(range(FRAMES), [], frames):
        recording.add(ns.State(t, "moving", 1.0, 1.0, (Y + t * way)[None], None, 0.0, {}, "TSNE", {}))
    return recording


def main():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for n in (1797, *SIZES):
            recording = digits() if n == 1797 else moving(n, 60 if n < 1e5 else 6)
            page = recording.to_html(Path(folder) / "page.html")
            content = page.read_bytes()
            rows.append(
                {
                    "objects": n,
                    "frames recorded": len(recording.frames),
                    "page, MB": round(len(content) / 1e6, 2),
                    "compressed, MB": round(len(gzip.compress(content, 6)) / 1e6, 2),
                }
            )
            print(rows[-1], flush=True)
    keep("pages", {"load": load()}, rows)


if __name__ == "__main__":
    main()
