"""``notebook-sne fetch``: data sets, downloaded once."""

import sys

from notebook_sne.cli.errors import CommandError

__all__ = ["fetch"]


def fetch(names, listed):
    """Download data sets and print where they are; the exit code is 1 if one failed."""
    from notebook_sne.datasets import FETCHERS

    unknown = [name for name in names if name not in FETCHERS]
    if unknown:
        raise CommandError(f"NAME must be one of {', '.join(FETCHERS)}, got {', '.join(unknown)}")
    if listed:
        for name, fetcher in FETCHERS.items():
            # "Return the ...; downloads 10 MB once.", without its verb.
            says = (fetcher.__doc__ or "").partition("\n")[0].removeprefix("Return ")
            print(f"{name:8} {says}".rstrip())
    failed = False
    for name in dict.fromkeys(names):
        try:
            data = FETCHERS[name](progress=True)
        except (OSError, ValueError) as error:  # no network, a full disk; a damaged file
            print(f"notebook-sne: {name}: {error}", file=sys.stderr)
            failed = True
            continue
        print(f"{name}: {data!r}")
        for file in _fetched_files(name):
            print(f"  {file}")
    return int(failed)


def _fetched_files(name):
    """Return where the files of a data set are."""
    from notebook_sne.datasets import downloads

    keys = [key for key in downloads.REMOTE_FILES if key.startswith(f"{name}/")]
    return [file for key in keys if (file := downloads.find(key)) is not None]
