"""``notebook-sne course``: the lectures as pages, slides and handouts."""

import sys
from importlib.util import find_spec
from pathlib import Path

from notebook_sne.cli.errors import CommandError
from notebook_sne.cli.tutorials import tutorials_folder

__all__ = ["course"]

NEEDED = ("latex2mathml", "nbclient", "nbconvert")


def course(folder, numbers=(), *, kinds=("page",), pdf=False, answers=False):
    """Write the lectures of these numbers, or all, into a folder, and print them as PDF; return the exit code.

    `kinds` says as what: "page", "slides", "handout"; with `answers` pages of those to their exercises, too.
    """
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        raise CommandError(f"course needs {', '.join(lacking)}: pip install 'notebook_sne[lab]'")
    from notebook_sne.browser.frontend.page import is_ours
    from notebook_sne.course.pages import LectureError, pages_of, write_course
    from notebook_sne.course.paper import browser, print_page

    program = browser() if pdf else None
    if pdf and program is None:
        raise CommandError("--pdf needs Chromium, Chrome or Edge; install one, or print the pages from any browser")
    source, place = tutorials_folder(), Path(folder).expanduser()
    there = {int(path.name[:2]): path for path in sorted(source.glob("[0-9][0-9]-*.ipynb"))}
    unknown = [n for n in numbers if n not in there]
    if unknown:
        raise CommandError(f"--lecture must be from {min(there)} to {max(there)}, got {unknown[0]}")
    if place.exists() and not place.is_dir():
        raise CommandError(f"FOLDER must be a folder, got the file {place}; name another one")
    chosen = [there[n] for n in (sorted(set(numbers)) or there)]
    for page in pages_of(chosen, place, source, kinds, answers):
        ours = page.exists() and is_ours(page)
        paper = page.with_suffix(".pdf")
        for file in (page, paper) if pdf else (page,):
            if file.exists() and not ours:  # a PDF of ours has its page beside it
                raise CommandError(f"{file} is a file of yours; move it away, or name another folder")
    try:
        for page, size in write_course(chosen, place, source, kinds, answers):
            print(f"{page} ({size / 1e6:.1f} MB)", flush=True)
            if program is not None and page.name != "index.html":
                print(print_page(program, page), flush=True)
    except (LectureError, OSError) as error:
        raise CommandError(str(error)) from None
    sys.stdout.flush()
    return 0
