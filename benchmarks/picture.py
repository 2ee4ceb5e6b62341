"""Take the README's picture: the player in a real JupyterLab, at rest after its last update, by a headless Chromium.

Run from the root of the repository as ``python -m benchmarks.picture``; needs the extra `test`.
"""

from pathlib import Path

from benchmarks.in_lab import opened

PICTURE = Path(__file__).parents[1] / "tutorials" / "figures" / "player.png"
CELL = """import notebook_sne as ns

digits = ns.datasets.load_digits()
ns.watch(ns.SNE(perplexity=30, random_state=0), digits, title="1797 handwritten digits")"""


def main():
    """Write the picture."""
    with opened([CELL], 1180, 900, device_scale_factor=1.5) as (page, notebook):
        notebook.run(0)
        view = notebook.player(0)
        view.until_status("finished", seconds=600)
        view.few = True  # as a reader finds it
        view.press("hint-close")
        page.mouse.move(0, 0)
        view.rest()
        view.root.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
