"""What the site and the course as pages take: seconds, memory, bytes; broken links; what they ask of a network.

Each is built by its one command, and then every page of it is opened from disk in a headless Chromium without a
network: ``python -m benchmarks.site``, or with ``site`` or ``course`` for one of them. With ``--keep FOLDER`` what was
built stays in ``FOLDER/site`` and ``FOLDER/course``. Each takes a quarter of an hour or more.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.record import keep, kept_rows, load
from tests.browser.jupyter import FLAGS, chromium_path
from tests.browser.site import links_of, read_pages

ROOT = Path(__file__).parents[1]
COMMANDS = {
    "site": [sys.executable, str(ROOT / "docs" / "make.py")],
    "course": [sys.executable, "-m", "notebook_sne.cli", "course", "--html"],
}
LOCAL = "file:", "data:", "blob:"
SCREEN = {"width": 390, "height": 844}


def built(command, folder):
    """Run a command that writes pages into a folder; return its seconds, and what it and its processes used."""
    start = time.perf_counter()
    process = subprocess.Popen([*command, str(folder)], cwd=ROOT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return time.perf_counter() - start, used


def opened(browser, site, names):
    """Open pages on a small screen; return what they asked a network for, those that are too wide, and what failed."""
    asked, wide, failed = set(), [], []
    context = browser.new_context(viewport=SCREEN, offline=True)
    context.on("request", lambda request: request.url.startswith(LOCAL) or asked.add(request.url))
    for name in names:
        page = context.new_page()
        page.on("pageerror", lambda error, name=name: failed.append((name, str(error))))
        page.goto((site / name).as_uri(), timeout=120_000)
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            wide.append(name)
        page.close()
    context.close()
    return sorted(asked), wide, failed


def measured(what, command, folder, browser):
    """Return the row of a build, and the words that say what is wrong with it."""
    seconds, used = built(command, folder)
    files = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    pages = read_pages(folder)
    inside, broken, outside = links_of(folder, pages)
    asked, wide, failed = opened(browser, folder, pages)
    largest = max(pages, key=files.get)
    row = {
        "what": what,
        "seconds": round(seconds),
        "processor seconds": round(used.ru_utime + used.ru_stime),
        "peak memory of a process, MB": round(used.ru_maxrss / 1024),
        "files": len(files),
        "MB": round(sum(files.values()) / 1e6, 1),
        "pages": len(pages),
        "largest page": largest,
        "its MB": round(files[largest] / 1e6, 2),
        "links within": len(inside),
        "of them broken": len(broken),
        "links to elsewhere": len(outside),
        "requests to elsewhere": len(asked),
        "pages wider than 390 px": len(wide),
        "pages with an error": len({name for name, _ in failed}),
    }
    return row, [*broken, *asked, *wide, *failed]


def add(row):
    """Put a row in the place of the last one of the same command."""
    rows = [old for old in kept_rows("site") if old["what"] != row["what"]] + [row]
    rows.sort(key=lambda row: [*COMMANDS].index(row["what"]))
    keep("site", {"load": load(), "screen": SCREEN}, rows, peers=("sphinx", "pydata-sphinx-theme", "playwright"))


def main():
    """Build, open, print and keep."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", choices=[*COMMANDS], default=[*COMMANDS], help="both by default")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave what was built here")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as room, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for what in told.what:
            row, wrong = measured(what, COMMANDS[what], (told.keep or Path(room)).resolve() / what, browser)
            add(row)
            for word in wrong:
                print(word, file=sys.stderr)
        browser.close()


if __name__ == "__main__":
    main()
