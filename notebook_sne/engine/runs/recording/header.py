"""The format of a recording's file, as its header declares it."""

from typing import Any

from notebook_sne.engine.archives import header as archived
from notebook_sne.engine.archives.archive import Archive
from notebook_sne.engine.archives.header import number_in

__all__ = ["FORMAT", "MOST_KNOBS", "SPELLED", "VERSION", "read_header"]

FORMAT, VERSION = "notebook_sne recording", 1
SPELLED = {"neighbors": "neighbours"}
"""Names of facts that version 1 of the format spells in another way than the package."""
MOST_KNOBS = 100


def read_header(archive: Archive) -> tuple[dict[str, Any], int]:
    """Return the header, and how many arrays it can point at."""
    header, n_places = archived.read_header(archive)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("it is not a recording of notebook_sne; give a file that Recording.save wrote")
    if number_in(header, "version", 1) > VERSION:
        raise ValueError(
            f"it is of version {header['version']}, and this notebook_sne reads up to {VERSION}; install a newer one"
        )
    return header, n_places
