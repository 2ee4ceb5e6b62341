"""Files from the network: where each is published, where it is kept, how it is checked.

A file is looked for in three places, in this order:

1. the folder that the environment variable ``NOTEBOOK_SNE_DATA`` names, which is laid out as the keys of
   ``REMOTE_FILES`` say; a file that isn't there is looked for in the other two places;
2. the cache folder of the user, laid out in the same way; a file put there by hand is as good as a fetched one;
3. the addresses at which it is published, one after the other, into the cache folder.

A file from any of them is untrusted: a published checksum is verified before anything reads the file, no reader
unpacks more than the file should hold, and none unpickles.
"""

from __future__ import annotations

import gzip
import os
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path

__all__ = ["REMOTE_FILES", "DamagedFile", "RemoteFile", "cache_folder", "find", "local_files", "read_gzip"]


@dataclass(frozen=True)
class RemoteFile:
    """A published file."""

    addresses: tuple[str, ...]  # where it is published, in the order in which they are tried
    sha256: str | None  # its published checksum; without one, its content is checked when it is read
    note: str  # what it holds
    # That of the copy that this package was tested with, where none is published; a different one gives a warning.
    tested_sha256: str | None = None
    # Checksums, as "md5:..." or "sha256:...", of copies with the same content that are good as well: of the same pixels
    # in another file, or published elsewhere.
    copies: tuple[str, ...] = ()


_MNIST_SITES = (
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "http://yann.lecun.com/exdb/mnist/",  # the original, which often refuses
)
_MNIST_FILES = {
    "train-images-idx3-ubyte.gz": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    "train-labels-idx1-ubyte.gz": "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    "t10k-images-idx3-ubyte.gz": "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    "t10k-labels-idx1-ubyte.gz": "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
}
_USPS_SITES = (
    "https://hastie.su.domains/ElemStatLearn/datasets/",
    "https://web.stanford.edu/~hastie/ElemStatLearn/datasets/",  # the older address of the same pages
)
_COIL_PLACE = "CAVE/databases/SLAM_coil-20_coil-100/coil-20/coil-20-proc.zip"
_USF_SITE = "http://w3.usf.edu/FreeAssociation/AppendixA/"
_USF_FILES = {
    "Cue_Target_Pairs.A-B": "f06452a7706c35b0ef65acb5c9853b0ed7e5573162c872710d3ac37ff5fb5c1f",
    "Cue_Target_Pairs.C": "f223b9444e97f3e9b59a4527309ee5b698605085f85247620a6c8f162682e1ab",
    "Cue_Target_Pairs.D-F": "533bcf6dc665b2825a21b4c975ee7dfd1b5c1e8e41dc2e914bb59e0afb21c7e3",
    "Cue_Target_Pairs.G-K": "3e49f5cd5b474646eb5f9250adc6c39e88e6a55d740e390d3ce01065f84a5ac8",
    "Cue_Target_Pairs.L-O": "6787a6b7096b86058c4e7d8f779c521cd0e8df36b6aef84a520ab22984da8fc9",
    "Cue_Target_Pairs.P-R": "1583b9be670db84e04cb3ffdae87cb74a6d3adffaa4b4c0ff78e986ac1c580cc",
    "Cue_Target_Pairs.S": "0c0809437801bf3dbd99eeedbacf20f155c10a85773cba3833213c29ad570286",
    "Cue_Target_Pairs.T-Z": "2404a0995df5aeb1e74de82b2dc44c547641c3363dcaad95be3cd9d4b1c5ea2e",
}

REMOTE_FILES = {
    **{
        f"mnist/{name}": RemoteFile(tuple(site + name for site in _MNIST_SITES), sha256, "idx, unsigned bytes")
        for name, sha256 in _MNIST_FILES.items()
    },
    **{
        f"usps/{name}": RemoteFile(tuple(site + name for site in _USPS_SITES), None, "text, an image a line")
        for name in ("zip.train.gz", "zip.test.gz")
    },
    **{
        f"usf/{name}": RemoteFile((_USF_SITE + name,), None, "text in a web page, a pair of words a line", sha256)
        for name, sha256 in _USF_FILES.items()
    },
    "nips/nips-corpus-20111211.zip": RemoteFile(
        # An earlier edition, under its own name; its reader takes either.
        ("http://www.arbylon.net/projects/nips/nips-20110223.zip",),
        None,
        "zip, text: the words and the authors of each paper",
        "0ab35663f1f0e8d5e9026a01f35750a1f39e2885c5d2a1cdac360db10f4f3a50",
    ),
    "olivetti/olivettifaces.mat": RemoteFile(
        # As scikit-learn's; then the original.
        ("https://ndownloader.figshare.com/files/5976027", "https://cs.nyu.edu/~roweis/data/olivettifaces.mat"),
        "b612fb967f2dc77c9c62d3e1266e0c73d5fca46a4b8906c18e454d41af987794",
        "MATLAB, an image a column",
        copies=("sha256:b1988d02c72fe5b8ee82b5ef3bb7982eafc74f1e1ff0ae0ade35061ad0af534d",),
    ),
    "coil20/coil-20-proc.zip": RemoteFile(
        tuple(f"{scheme}://www.cs.columbia.edu/{_COIL_PLACE}" for scheme in ("https", "http")),
        None,
        "zip, a gray image a view",
        # Tested with a copy of 32 x 32 pixels; the MD5 of the published archive is told by others.
        "79fe682ee0c47c69f8fac054272db1d343dc6a50261c2444191aa9395eb57c2e",
        copies=("md5:464dec76a6abfcd00e8de6cf1e7d0acc",),
    ),
}
"""Every file that can be fetched, under its place in the data folder."""


class DamagedFile(ValueError):
    """A file that isn't what it should be; ``reason`` says why, without the file's name."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(file, reason)
        self.file = file
        self.reason = reason

    def __str__(self) -> str:
        return f"the file {self.file} {self.reason}; delete it and fetch it again"


def cache_folder():
    """Return the folder in which fetched files are kept, a Path."""
    import pooch

    return pooch.os_cache("notebook_sne")


def local_files(*keys: str, check=None, progress: bool = True) -> list[Path]:
    """Fetch the files that aren't here yet, and return where all of them are, in the order of the keys.

    These are keys of ``REMOTE_FILES``. ``check(key, file)`` raises a DamagedFile if the file isn't what it should be.
    It checks a download before it is kept, as a network may send its log-in page instead; needed where no checksum is
    published. A file with a published checksum has been verified; a UserWarning says that one without isn't the one
    that this package was tested with. A progress bar is shown while a file is fetched.

    FileNotFoundError says that NOTEBOOK_SNE_DATA names a folder that doesn't exist; ConnectionError, that a file is
    not here and no address gave it, and where to put it by hand; DamagedFile, that a file that was here doesn't have
    its published checksum.
    """
    missing = [key for key in keys if find(key) is None]
    for position, key in enumerate(missing):
        failures = _download(key, check, progress)
        if failures:
            raise ConnectionError(_advice(missing[position:], failures))
    files = [find(key) for key in keys]
    for key, file in zip(keys, files, strict=True):
        _verify(file, REMOTE_FILES[key])
    return files


def read_gzip(file: Path, at_most: int):
    """Unpack a gzip file of at most that many bytes; DamagedFile if it is cut off or altered, or holds more.

    Some servers and browsers unpack a .gz while it is sent and keep its name: a file that doesn't begin like a gzip
    file is returned as it is.
    """
    with open(file, "rb") as packed:
        is_packed = packed.read(2) == b"\x1f\x8b"
        packed.seek(0)
        try:
            content = (gzip.GzipFile(fileobj=packed) if is_packed else packed).read(at_most + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise DamagedFile(file, f"is cut off or altered ({error})") from error
    if len(content) > at_most:
        raise DamagedFile(file, f"holds more than the {at_most} bytes that it should")
    return content


def find(key):
    """Return where the file of a key of `REMOTE_FILES` is on this machine, a Path, or None."""
    places = [cache_folder()]
    named = os.environ.get("NOTEBOOK_SNE_DATA")
    if named:
        places.insert(0, Path(named).expanduser())
        if not places[0].is_dir():
            raise FileNotFoundError(
                f"the environment variable NOTEBOOK_SNE_DATA must name a folder, got {named!r}, "
                "which is not a folder; correct it, or unset it to use downloads"
            )
    return next((place / key for place in places if (place / key).is_file()), None)


def _verify(file, remote):
    import pooch

    expected = remote.sha256 or remote.tested_sha256
    if expected is None or (actual := pooch.file_hash(str(file))) == expected:
        return
    if any(pooch.file_hash(str(file), copy.partition(":")[0]) == copy.partition(":")[2] for copy in remote.copies):
        return
    if remote.sha256 is not None:
        raise DamagedFile(file, f"has the SHA-256 checksum {actual} and not the published one, {expected}")
    warnings.warn(
        f"the file {file} has the SHA-256 checksum {actual}; the copy that this package was tested with has "
        f"{expected}. None is published, so it may be another edition: compare the number of objects before you rely "
        "on it",
        stacklevel=4,  # the caller of fetch_*
    )


def _download(key, check, progress):
    """Fetch a file into the cache folder; return {} or, if no address gave it, {address: why}."""
    import pooch
    import requests

    place = cache_folder() / key
    http = pooch.HTTPDownloader(progressbar=progress, chunk_size=2**16)

    def download_and_check(address, part, _):
        http(address, part, None)
        if check is not None:
            check(key, Path(part))

    failures: dict[str, str] = {}
    for address in REMOTE_FILES[key].addresses:
        try:
            pooch.retrieve(address, REMOTE_FILES[key].sha256, place.name, place.parent, downloader=download_and_check)
            return {}
        except DamagedFile as error:
            failures[address] = f"the file there {error.reason}"
        except requests.RequestException as error:
            # The reason alone, where there is one, without the text that the connection pool puts around it.
            failures[address] = str(getattr(error.args[0] if error.args else None, "reason", error))
        except ValueError as error:  # pooch says so where the checksum is not the published one
            failures[address] = str(error)
    return failures


def _advice(keys, failures):
    """Say what was tried for the first of the keys, and where to put all of them by hand."""
    tried = "\n".join(f"  {address}: {reason}" for address, reason in failures.items())
    by_hand = "\n".join(f"  {REMOTE_FILES[key].addresses[0]}\n    as {cache_folder() / key}" for key in keys)
    return (
        f"could not download {keys[0]}; tried\n{tried}\n"
        f"Try again with a network, or get what is missing by other means and save\n{by_hand}\n"
        "or name a folder that holds the same in the environment variable NOTEBOOK_SNE_DATA."
    )
