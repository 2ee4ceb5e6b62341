"""Updates a second of a page that computes beside other programs for t-SNE in the same browser, and beside Python.

    python -m benchmarks.browser_peers DRUID TSNEJS

DRUID is ``dist/druid.js`` of the npm package @saehrimnir/druidjs (LGPL), TSNEJS the file ``tsne.js`` of
github.com/karpathy/tsnejs (MIT, as its readme says); both are read from where they lie, and nothing of them is kept.
The first has WebAssembly of its own, the second is plain JavaScript. Ours are the modules and the data of a page as
`to_html` writes it, without its pictures; Python's is a fit on one thread with exact sums.

All get the same objects and the same perplexity, and make updates in turns, so that a noisy neighbor slows all of them.
What is told is processor time, of the browser's main thread as it says itself, the best of the rounds. As each has
schedules of its own, maps are compared by one formula: KL(P||Q) in nats with the P of Python over all pairs. They are
compared after as many updates, and after as many seconds as ours took, with those for P.
"""

import base64
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import notebook_sne as ns
from benchmarks.kernels import BEFORE, Native, data
from benchmarks.record import keep
from notebook_sne.affinities import conditional, joint
from tests.browser.jupyter import FLAGS, chromium_path

SIZES = 300, 1000, 1797, 5000
ROUNDS, SECONDS, UPDATES, PERPLEXITY = 3, 0.5, 500, 30
MANY = 2000  # objects from which on the others would take minutes for so many updates

PLAIN = """<!DOCTYPE html><meta charset="utf-8"><title>peers</title><script>%s</script>"""

# Each is made anew by `make`, which ends when P is there; `step` is one update, `map` the positions.
MAKERS = """async ({ours, druid, perplexity}) => {
  const load = (text) => import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  const { makeModel, readPage } = await load(ours.script);
  const theirs = await load(druid);
  const data = document.createElement("textarea");
  data.value = ours.data;
  const X = [...globalThis.rows];
  const still = { performance, setInterval() {}, setTimeout() {} };
  globalThis.makers = {
    ours: async () => {
      const { run } = await makeModel(await readPage(data.value), { clock: still });
      const goOn = (iteration) => {
        while (run.task || run.control.moment?.iteration !== iteration) run.advance(() => false);
      };
      run.control.restart();
      goOn(0);
      run.control.play();
      let at = 0;
      return { step: () => goOn(++at), map: () => [...run.positionsOf(run.control.moment)] };
    },
    druid: async () => {
      const one = new theirs.TSNE(X, { perplexity, d: 2, seed: 0 }).init();
      return { step: () => one.next(), map: () => [...one.Y.values] };
    },
    tsnejs: async () => {
      const one = new globalThis.tsnejs.tSNE({ perplexity });
      one.initDataRaw(X);
      return { step: () => one.step(), map: () => one.getSolution().flat() };
    },
  };
  globalThis.made = {};
}"""

GO = """async ({name, fresh, updates, seconds}) => {
  if (fresh || !made[name]) made[name] = await makers[name]();
  const began = performance.now();
  let n = 0;
  while (n < updates && performance.now() - began < 1000 * seconds) made[name].step(), n++;
  return n;
}"""


class Browser:
    """Programs in one page of a headless Chromium, driven one after the other."""

    def __init__(self, playwright, druid, tsnejs):
        self.browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        self.texts = druid, tsnejs

    def open(self, X, folder):
        """Open a page with all of them, for these objects."""
        druid, tsnejs = self.texts
        place = folder / "peers.html"
        place.write_text(PLAIN % tsnejs.replace("</script", "<\\/script"))
        self.page = self.browser.new_context(offline=True).new_page()
        self.page.set_default_timeout(0)
        self.page.goto(place.as_uri())
        self.clock = self.page.context.new_cdp_session(self.page)
        self.clock.send("Performance.enable")
        text = base64.b64encode(np.ascontiguousarray(X, "<f8").tobytes()).decode()
        self.page.evaluate(
            """([text, width]) => {
              const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
              const all = new Float64Array(bytes.buffer);
              const row = (_, i) => [...all.subarray(i * width, (i + 1) * width)];
              globalThis.rows = Array.from({ length: all.length / width }, row);
            }""",
            [text, X.shape[1]],
        )
        self.page.evaluate(MAKERS, {"ours": page_of(X, folder), "druid": druid, "perplexity": PERPLEXITY})

    def processor(self):
        """Return the processor seconds of the page's main thread so far."""
        return {one["name"]: one["value"] for one in self.clock.send("Performance.getMetrics")["metrics"]}["ThreadTime"]

    def go(self, name, updates=10**9, seconds=1e9, fresh=False):
        """Return how many updates were made, and the processor seconds of all that."""
        began = self.processor()
        n = self.page.evaluate(GO, {"name": name, "fresh": fresh, "updates": updates, "seconds": seconds})
        return n, self.processor() - began

    def map(self, name):
        return np.reshape(self.page.evaluate("name => made[name].map()", name), (-1, 2))


def page_of(X, folder):
    """Return the modules and the data of a page that computes."""
    model = ns.TSNE(perplexity=PERPLEXITY, random_state=0, n_jobs=1, sums="exact", max_iter=10**6)
    run = ns.Run(model, X)
    run.steps(1)
    player = ns.Player(run)
    text = player.to_html(folder / "live.html", live=True).read_text()
    player.close()
    data = text.split('id="nsne-data">')[1].split("</script>")[0]
    script = text.split('<script type="module">')[1].split("</script>")[0]
    last = script.rstrip().rfind("\n")
    assert script[last:].strip().startswith("openLivePage(")
    return {"script": script[:last] + "\nexport { readPage };", "data": data}  # exports makeModel


def divergence(P, Y):
    """Return KL(P||Q) in nats of a joint P over all pairs, with Student's t in the map."""
    D = np.square(Y[:, None, 0] - Y[None, :, 0]) + np.square(Y[:, None, 1] - Y[None, :, 1])
    Q = 1.0 / (1.0 + D)
    np.fill_diagonal(Q, 0.0)
    Q /= Q.sum()
    some = P > 0.0
    return float(np.sum(P[some] * np.log(P[some] / Q[some])))


def main(druid, tsnejs, sizes=SIZES):
    """Measure, print and keep."""
    rows = []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        for n in sizes:
            X = data(n)
            browser = Browser(playwright, Path(druid).read_text(), Path(tsnejs).read_text())
            browser.open(X, Path(place))
            native = Native("tsne", X)
            names = "ours", "druid", "tsnejs"
            begun = {name: browser.go(name, updates=20, fresh=True)[1] for name in names}
            rates = {name: [] for name in ("native", *names)}
            for _ in range(ROUNDS):
                rates["native"].append(native.measure())
                for name in names:
                    done, took = browser.go(name, seconds=SECONDS)
                    rates[name].append(done / took)
            best = {name: max(found) for name, found in rates.items()}
            P = np.asarray(joint(conditional(X, PERPLEXITY)))
            row = {"objects": n, "Python, one thread": round(best["native"], 1), "page": round(best["ours"], 1)}
            row |= {"DruidJS": round(best["druid"], 2), "tsnejs": round(best["tsnejs"], 2)}
            row["page / DruidJS"] = round(best["ours"] / best["druid"], 1)
            row["page / tsnejs"] = round(best["ours"] / best["tsnejs"], 1)
            _, whole = browser.go("ours", updates=UPDATES, fresh=True)
            row[f"KL after {UPDATES} updates: page"] = round(divergence(P, browser.map("ours")), 3)
            for name, label in (("druid", "DruidJS"), ("tsnejs", "tsnejs")):
                after = None
                if n < MANY:
                    browser.go(name, updates=UPDATES, fresh=True)
                    after = round(divergence(P, browser.map(name)), 3)
                row[label + "'s"] = after
            row["processor s of the page"] = round(whole, 2)
            for name, label in (("druid", "DruidJS"), ("tsnejs", "tsnejs")):
                # Those for P count: what is left of the seconds is for updates, as many as there is time for.
                _, spent = browser.go(name, updates=0, fresh=True)
                n_left = max(0, int((whole - spent) * best[name]))
                browser.go(name, updates=n_left)
                row[f"{label} in these s"] = round(divergence(P, browser.map(name)), 3)
            rows.append(row)
            print(row, {"begun": begun}, flush=True)
            browser.browser.close()
    settings = {"rounds": ROUNDS, "perplexity": PERPLEXITY, "updates before, Python": BEFORE, "druidjs": "0.9.0"}
    settings |= {"tsnejs": "13ece5d", "model": "TSNE, its defaults, exact sums"}
    keep("browser_peers", settings, rows, peers=("playwright",))


if __name__ == "__main__":
    main(*sys.argv[1:3], *([tuple(map(int, sys.argv[3:]))] if sys.argv[3:] else []))
