"""NIPS authors: who wrote papers with whom, and with which words; the objects of [Hinton2002, Fig. 2].

The 1,740 papers of the volumes 0 to 12 (1987 to 1999), as word counts. A zip file holds them as text, a line for each
paper: ``nips.corpus`` has the number of different words and then ``word:count`` for each, ``nips.authors`` the
authors, both as numbers from 0; ``nips.authors.key`` has the name of an author a line. No checksum is published, so the
files are judged by what the paper says of them: 13,649 words, and 676 authors with more than one paper.
"""

from __future__ import annotations

import lzma
import zipfile
import zlib

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.downloads import DamagedFile, local_files

__all__ = ["fetch_nips_authors"]

_FILE = "nips/nips-corpus-20111211.zip"
_N_PAPERS, _N_WORDS, _N_TOKENS, _N_AUTHORS = 1740, 13_649, 2_301_375, 676
# No file in the archive may unpack to more; the real ones have 6.0, 0.02 and 0.02 million bytes.
_MOST_BYTES = {"nips.corpus": 12_000_000, "nips.authors": 100_000, "nips.authors.key": 100_000}


def fetch_nips_authors(*, progress: bool = True) -> Dataset:
    """Return the 676 authors with more than one NIPS paper, 1987-1999; downloads 3 MB once.

    The words of a paper are divided equally among its authors; then c, the sum for each author and word, becomes
    log(1 + c). The paper says "log of aggregate word counts"; the 1, which it doesn't mention, gives a word that an
    author never used the value 0.

    ``counts`` are shared papers. Of 52 authors, all co-authors, if any, wrote a single paper: their rows are empty,
    which no row of a P can be. The others are::

        authors = fetch_nips_authors()
        connected = authors.select(authors.counts.sum(axis=1) > 0)
        P = notebook_sne.affinities.from_counts(connected.counts)

    Parameters
    ----------
    progress : bool, default True
        Whether to show a progress bar while a file is downloaded.

    Returns
    -------
    dataset : Dataset
        X (676, 13649), float64, 74 MB; counts (676, 676), scipy.sparse CSR, symmetric with an empty diagonal; names
        such as Hinton_G, spelled as in the file, in its order.

    Raises
    ------
    ConnectionError
        If the file isn't here and can't be downloaded; the message says where to put it by hand.
    FileNotFoundError
        If the environment variable NOTEBOOK_SNE_DATA names a folder that doesn't exist.
    DamagedFile
        If the file doesn't hold the papers.

    Warns
    -----
    UserWarning
        If the file isn't the one that this package was tested with: no checksum is published.
    """
    from scipy import sparse

    (file,) = local_files(_FILE, check=_read, progress=progress)
    words, authors, names = _read(_FILE, file)
    several = np.flatnonzero(authors.sum(axis=0) > 1)
    authors_of_paper = authors.sum(
        axis=1
    )  # of all 2,037: the words of an author with one paper are not given to others
    authors = authors[:, several]
    shares = sparse.diags_array(1 / authors_of_paper) @ authors
    together = (authors.T @ authors).tocsr().astype(np.int64)
    together.setdiag(0)
    together.eliminate_zeros()
    return Dataset(
        title="NIPS authors",
        X=np.log1p((shares.T @ words).toarray()),
        counts=together,
        names=names[several],
        citation="S. Roweis, NIPS conference papers, volumes 0-12, as word counts, 2002; the text form of G. Heinrich",
        license="None stated for the counts; the papers are their authors'; use for research is customary",
    )


def _read(_, file):
    """Return words (n_papers, n_words) and authors (n_papers, n_authors), CSR, and names; or raise a DamagedFile."""
    texts = _unzip(file)
    names = np.array([line.strip() for line in texts["nips.authors.key"].splitlines()])
    words = _table(file, "nips.corpus", texts["nips.corpus"], _word_counts, _N_WORDS)
    authors = _table(file, "nips.authors", texts["nips.authors"], _authors_once, len(names))
    found = int(words.sum()), int((authors.sum(axis=0) > 1).sum())
    if found != (_N_TOKENS, _N_AUTHORS):
        raise DamagedFile(
            file,
            f"has {found[0]} words and {found[1]} authors with more than one paper where {_N_TOKENS} and {_N_AUTHORS} "
            "are expected",
        )
    return words, authors, names


def _unzip(file):
    """Return the text of each file in the archive that is needed; nothing is written to disk."""
    texts = {}
    try:
        with zipfile.ZipFile(file) as archive:
            for name, at_most in _MOST_BYTES.items():
                # Editions differ in the folder.
                inside = [member for member in archive.namelist() if member.rpartition("/")[2] == name]
                if len(inside) != 1:
                    raise DamagedFile(file, f"must hold one {name}, got {len(inside)}")
                with archive.open(inside[0]) as packed:
                    content = packed.read(at_most + 1)
                if len(content) > at_most:
                    raise DamagedFile(file, f"holds more than {at_most} bytes of {name}")
                texts[name] = content.decode("ascii")
    except UnicodeDecodeError as error:
        raise DamagedFile(file, f"has in {name} a byte that is not ASCII") from error
    # RuntimeError: encrypted; NotImplementedError: packed by a method that zipfile does not know.
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, OSError) as error:
        raise DamagedFile(file, f"cannot be unpacked ({error})") from error
    return texts


def _table(file, name, text, parse, n_columns):
    """Return a row of numbers for each paper, CSR, from a line for each paper."""
    from scipy import sparse

    lines = text.rstrip().splitlines()  # nips.corpus ends with an empty line
    if len(lines) != _N_PAPERS:
        raise DamagedFile(file, f"has {len(lines)} papers in {name} where {_N_PAPERS} are expected")
    columns: list[int] = []
    values: list[int] = []
    ends = [0]
    for number, line in enumerate(lines, start=1):
        try:
            entries = parse(line)
            if not entries or min(entries) < 0 or max(entries) >= n_columns or min(entries.values()) < 1:
                raise ValueError(f"{len(entries)} entries, of which some may not be from 0 to {n_columns - 1}")
        except ValueError as error:
            raise DamagedFile(file, f"cannot be read in line {number} of {name} ({error})") from error
        columns += entries
        values += entries.values()
        ends.append(len(columns))
    return sparse.csr_array((np.array(values, float), np.array(columns), np.array(ends)), shape=(_N_PAPERS, n_columns))


def _word_counts(line):
    """Return {word: count} from "2 0:18 5:1"."""
    announced, *entries = line.split()
    counts = {int(word): int(count) for word, count in (entry.split(":") for entry in entries)}
    if len(counts) != int(announced):
        raise ValueError(f"{announced} words are announced, {len(counts)} are there")
    return counts


def _authors_once(line):
    """Return {author: 1} from "21 27 748"."""
    return {int(author): 1 for author in line.split()}
