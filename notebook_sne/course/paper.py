"""A page on paper: printed to PDF by a browser of the Chromium family, without a window.

Each page decides what it prints (``@media print`` in its styles); only a browser draws its figures and equations.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["browser", "print_page"]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_DRAWN = 20_000  # ms of the page's own time until all its figures are drawn
_WINDOW = "1280,720"  # pixels, as one slide has: figures are drawn for the window, and printed as they are
_MOST = 180  # s


def browser() -> str | None:
    """Return the program that prints, or None where there is none."""
    found = (shutil.which(name) for name in _NAMES)
    return next((path for path in (*found, *_ELSEWHERE) if path and Path(path).is_file()), None)


def print_page(program: str, page: Path) -> Path:
    """Print a page to a PDF beside it, and return that file; an OSError if the program doesn't write it."""
    paper = page.with_suffix(".pdf")
    with tempfile.TemporaryDirectory() as profile:
        printed = Path(profile, paper.name)
        command = [
            program, "--headless", "--disable-gpu", f"--user-data-dir={profile}", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--no-pdf-header-footer", f"--window-size={_WINDOW}", f"--virtual-time-budget={_DRAWN}",
            f"--print-to-pdf={printed}",
        ]  # fmt: skip
        if sys.platform.startswith("linux") and os.geteuid() == 0:
            command.append("--no-sandbox")  # which root cannot have; the page runs its own script alone
        try:
            done = subprocess.run(
                [*command, page.resolve().as_uri()], capture_output=True, text=True, timeout=_MOST, check=False
            )
        except subprocess.TimeoutExpired:
            raise OSError(f"{program} has not printed {page} within {_MOST} s") from None
        if not printed.is_file():
            said = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
            raise OSError(f"{program} did not print {page}: {said[0]}")
        shutil.move(printed, paper)
    return paper
