"""``notebook-sne page``: a recorded run as one HTML file."""

import sys
from pathlib import Path

from notebook_sne import files
from notebook_sne.cli.errors import CommandError

__all__ = ["page"]


def page(recording, output, frames, title):
    """Write the page of a recording, beside it, elsewhere or to stdout; return the exit code."""
    from notebook_sne.frontend.film_page import film_page
    from notebook_sne.runs.recording import Recording

    source = Path(recording).expanduser()
    place = source.with_suffix(".html") if output is None else Path(output).expanduser()
    to_stdout = output == "-" or files.is_stdout(place)
    try:
        if place.resolve() == source.resolve():
            raise CommandError(f"FILE.html must be another file than the recording, got {place}")
        if not to_stdout:
            place = files.check_place(place)
        content = film_page(Recording.load(source), frames=frames, title=title)
    except ValueError as error:  # not a recording, or too large for a page
        raise CommandError(str(error)) from None
    if to_stdout:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    else:
        print(f"{files.write(place, content)} ({len(content) / 1e6:.1f} MB)")
    return 0
