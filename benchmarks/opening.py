"""How quickly a page that computes opens and answers, and how large it is: 1,797 digits with their images, t-SNE.

Each round opens the page from disk in a fresh headless Chromium without a network, plays as soon as the player stands,
and turns the perplexity a little later. Beside the seconds by the clock, which count what else the machine does, is the
processor time of the browser's main thread, as it says itself.
"""

import gzip
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import notebook_sne as ns
from benchmarks.in_lab import noted
from benchmarks.record import keep, load
from tests.browser.jupyter import FLAGS, chromium_path
from tests.portable.engines import WASM

ROUNDS = 5
# Notes, frame by frame, when the player stands and when its map has moved; plays as soon as it can.
WATCH = """(() => {
  const seen = (window.seen = {});
  const look = () => {
    const root = document.querySelector(".nsne-player");
    const now = performance.now();
    if (root?.dataset.live === "true" && seen.stands === undefined && root.dataset.status === "paused") {
      Object.assign(seen, { stands: now, from: Number(root.dataset.iteration) });
      root.querySelector("[data-control=play]").click();
    } else if (seen.stands !== undefined && Number(root.dataset.iteration) > seen.from) {
      seen.moved = now;
      return;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
# Seconds from a perplexity typed into a page that plays to the first update with it.
TURN = """(value) => new Promise((done) => {
  const root = document.querySelector(".nsne-player");
  const field = root.querySelector("[data-control=knob-perplexity]");
  const told = `perplexity ${value} (turned)`;
  const turned = () => [...root.querySelectorAll(".nsne-sign")].some(({ title }) => title.includes(told));
  const began = performance.now();
  field.focus();
  field.value = String(value);
  for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  const look = () => (turned() ? done(performance.now() - began) : requestAnimationFrame(look));
  look();
})"""


def pages(folder):
    """Return {what it is: the file} of the pages of a player of the digits after one update."""
    player = ns.watch(ns.TSNE(random_state=0, n_jobs=1, max_iter=10**6), ns.datasets.load_digits(), autoplay=False)
    player.run.steps(1)
    made = {
        "film alone": player.to_html(folder / "film.html"),
        "computes, with the objects": player.to_html(folder / "X.html", live=True),
        "computes, with P alone": player.to_html(folder / "P.html", live=True, data="P"),
    }
    player.close()
    return made


class Opened:
    """A page in a browser of its own."""

    def __init__(self, playwright, path):
        self.browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        context = self.browser.new_context(offline=True, viewport={"width": 1280, "height": 800})
        self.page = context.new_page()
        self.page.add_init_script(WATCH)
        self.clock = context.new_cdp_session(self.page)
        self.clock.send("Performance.enable")
        began = self.processor()
        self.page.goto(path.as_uri())
        while not self.page.evaluate("window.seen.moved ?? 0"):
            self.page.wait_for_timeout(20)
        self.seen = self.page.evaluate("window.seen")
        self.took = self.processor() - began

    def processor(self):
        """Return the processor seconds of the main thread so far."""
        return {one["name"]: one["value"] for one in self.clock.send("Performance.getMetrics")["metrics"]}["ThreadTime"]

    def turn(self, value):
        """Return the seconds until a new perplexity is at work, by the clock and of processor time."""
        self.page.wait_for_timeout(1500)
        began = self.processor()
        return self.page.evaluate(TURN, value) / 1000, self.processor() - began


def main():
    """Measure, print and keep."""
    rows, add = noted()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        kernels = WASM.read_bytes()
        add("kernels, kB", round(len(kernels) / 1e3, 1))
        add("kernels by gzip, kB", round(len(gzip.compress(kernels)) / 1e3, 1))
        made = pages(Path(folder))
        for what, path in made.items():
            add(f"page: {what}, kB", round(path.stat().st_size / 1e3))
        stands, moved, took, turned = [], [], [], {29.0: ([], []), 60.0: ([], [])}
        for _ in range(ROUNDS):
            opened = Opened(playwright, made["computes, with the objects"])
            stands.append(opened.seen["stands"] / 1000)
            moved.append(opened.seen["moved"] / 1000)
            took.append(opened.took)
            for value in turned:
                for found, seconds in zip(turned[value], opened.turn(value), strict=True):
                    found.append(seconds)
            opened.browser.close()
        for what, found in (
            ("from opening to the player, s", stands), ("from opening to the first frame that moved, s", moved),
            ("in processor time, opening, s", took),
            ("from perplexity 30 to 29, s", turned[29.0][0]), ("from there to 60, s", turned[60.0][0]),
            ("in processor time, 29, s", turned[29.0][1]), ("in processor time, 60, s", turned[60.0][1]),
        ):  # fmt: skip
            add(f"{what}: least", round(min(found), 2))
            add(f"{what}: median", round(statistics.median(found), 2))
    keep("opening", {"objects": 1797, "rounds": ROUNDS, "load": load()}, rows, peers=("playwright",))


if __name__ == "__main__":
    main()
