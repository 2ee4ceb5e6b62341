"""Print the card of lecture 13, tools/card.html, to tutorials/figures/card.pdf: ``python tools/build_card.py``."""

import shutil
from pathlib import Path

from notebook_sne.course.paper import browser, print_page

HERE = Path(__file__).parent


def main():
    """Write the file; a browser of the Chromium family must be there."""
    program = browser()
    if program is None:
        raise SystemExit("the card needs Chromium, Chrome or Edge")
    printed = print_page(program, HERE / "card.html")
    print(shutil.move(printed, HERE.parent / "tutorials" / "figures" / "card.pdf"))


if __name__ == "__main__":
    main()
