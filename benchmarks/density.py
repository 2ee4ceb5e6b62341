"""Painting very many points, beside jupyter-scatter: one JupyterLab, one Chromium without a graphics card.

For 10,000, 100,000 and 1,000,000 points in ten classes, the same for both, a wheel turns forth and back over each view.
What is told is the time from a notch to the end of the second animation frame after it, which holds the painting.
jupyter-scatter draws with WebGL, here in software: with a graphics card it is far faster than these numbers.
Needs ``pip install jupyter-scatter``.
"""

import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.record import keep, load
from tests.browser.jupyter import FLAGS, Jupyter, write_notebook
from tests.browser.pages import Notebook

SIZES = 10_000, 100_000, 1_000_000
NOTCHES = 24
SETUP = """
import numpy as np, pandas as pd
import notebook_sne as ns, jscatter
class Still:
    max_iter = 3
    def iterate(self, X, start=None, knobs=None):
        t = 0
        while True:
            yield ns.State(t, "still", 1.0, 1.0, X[None].copy(), None, 0.0, {}, "Still", {})
            t += 1
def points(n):
    rng, k = np.random.default_rng(0), np.arange(n) % 10
    return (rng.normal(size=(10, 2))[k] * 3 + rng.normal(size=(n, 2)) * (0.2 + 0.15 * k[:, None])).astype("f4"), k
"""
OURS = """
Y, k = points({n})
player = ns.Player(ns.Run(Still(), Y), labels=k)
player.run.step(0)
player"""
THEIRS = """
Y, k = points({n})
frame = pd.DataFrame({{"x": Y[:, 0], "y": Y[:, 1], "k": pd.Categorical(k)}})
jscatter.Scatter("x", "y", data=frame, color_by="k", height=460).show()"""
TURN = """async (canvas, notches) => {
  const box = canvas.getBoundingClientRect();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const times = [];
  for (let k = 0; k < notches; k++) {
    const began = performance.now();
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: k % 2 ? 120 : -120, ctrlKey: true, bubbles: true,
      cancelable: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }));
    await frame();
    await frame();
    // What was drawn is only then drawn when it is read: one pixel.
    const pen = canvas.getContext("2d");
    const gl = pen ? null : canvas.getContext("webgl2") ?? canvas.getContext("webgl");
    if (pen) pen.getImageData(0, 0, 1, 1);
    else if (gl) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    times.push(performance.now() - began);
  }
  return times;
}"""


def times(page, canvas):
    """Return the median and the 90th percentile of the ms from a notch to its painting."""
    canvas.evaluate(TURN, 4)
    found = sorted(canvas.evaluate(TURN, NOTCHES))
    return round(statistics.median(found), 1), round(found[int(0.9 * len(found))], 1)


def measure(page, jupyter):
    cells = [SETUP, *(text.format(n=n) for n in SIZES for text in (OURS, THEIRS))]
    write_notebook(jupyter.folder / "density.ipynb", cells)
    notebook = Notebook(page, jupyter, "density.ipynb")
    notebook.run(0)
    rows = []
    for j, n in enumerate(SIZES):
        row = {"objects": n}
        for cell, name, canvas in (
            (1 + 2 * j, "player", ".nsne-stage > canvas"),
            (2 + 2 * j, "jupyter-scatter", "canvas"),
        ):
            notebook.run(cell, seconds=240)
            target = notebook.cell(cell).locator(canvas).first
            target.wait_for(state="visible", timeout=240_000)
            page.wait_for_timeout(8000)
            row[f"{name}, median ms"], row[f"{name}, 90 % within ms"] = times(page, target)
            page.screenshot(path=str(jupyter.folder / f"{name} {n}.png"))
            notebook.cell(cell).locator(".jp-OutputCollapser").first.click()
        print(row, flush=True)
        rows.append(row)
    return rows


def main():
    folder = Path(tempfile.mkdtemp())
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    jupyter = Jupyter("jupyterlab", folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.set_default_timeout(240_000)
            rows = measure(page, jupyter)
            browser.close()
    finally:
        jupyter.close()
    settings = {"notches": NOTCHES, "view": "1280 x 900", "drawing": "in software", "load": load()}
    keep("density", settings, rows, peers=["jupyter-scatter"])
    print("pictures in", folder)


if __name__ == "__main__":
    main()
