"""USF: the free association norms of the University of South Florida, the objects of [Cook2007, Fig. 5 and 6].

More than 6,000 people wrote down the first word that came to mind at each of 5,018 cues. Appendix A of the norms is
eight files, each the text of a web page: ``<HTML> <BODY> <PRE>``, a header line, a line of 31 fields for each pair of
a cue and a target, and the closing tags. Of the fields, CUE and TARGET are words, and #P is the number of people
that gave the target, at least 2. FSG, the strength, was rounded and doesn't always agree with #P: it isn't used.
"""

from __future__ import annotations

import re

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.downloads import DamagedFile, local_files, read_gzip
from notebook_sne.datasets.pairs import map_pairs

__all__ = ["fetch_usf_associations"]

_FILES = tuple(f"usf/Cue_Target_Pairs.{letters}" for letters in ("A-B", "C", "D-F", "G-K", "L-O", "P-R", "S", "T-Z"))
_N_FIELDS = 31
_CUE, _TARGET, _GROUP, _PEOPLE = 0, 1, 3, 4
_MOST_BYTES = 8_000_000  # the largest of the files has 1.5 million
_WHOLE = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_OPENING, _CLOSING = {"<html>", "<body>", "<pre>"}, {"</pre>", "</body>", "</html>"}


def fetch_usf_associations(n_words: int | None = 1000, *, progress: bool = True) -> Dataset:
    """Return the USF word associations of the 1,000 commonest responses; downloads 10 MB once.

    Words are kept by the sum of #P over all 5,018 cues; [Cook2007] says that its 1,000 were the ones "most often given
    as responses". Where the sum is the same, the first by name is kept: at 1,000 words, eight are equal.
    Responses that only one person gave aren't in the norms, so that #P sums to about 0.82 of the people asked; P is #P
    over its sum among the kept words.

    Parameters
    ----------
    n_words : int or None, default 1000
        Number of words; None keeps every cue that some other mapped word is a response to.
    progress : bool, default True
        Whether to show a progress bar while a file is downloaded.

    Returns
    -------
    dataset : Dataset
        The words, most often given ones first, with the fields that `associations` describes: names, counts (#P), P,
        kept (0.715 on average), outside, whole and report.

    Raises
    ------
    ConnectionError
        If the files aren't here and can't be downloaded; the message says where to put them by hand.
    FileNotFoundError
        If the environment variable NOTEBOOK_SNE_DATA names a folder that doesn't exist.
    DamagedFile
        If a file doesn't hold the norms; the message says in which line.
    TypeError, ValueError
        If n_words isn't a whole number of at least 3.

    Warns
    -----
    UserWarning
        If a file isn't the one that this package was tested with: no checksum is published.
    """
    files = local_files(*_FILES, check=_read, progress=progress)
    cues, responses, people = [], [], []
    for key, file in zip(_FILES, files, strict=True):
        for cue, target, count in _read(key, file):
            cues.append(cue)
            responses.append(target)
            people.append(count)
    return map_pairs(
        cues,
        responses,
        np.array(people, dtype=float),
        n_words,
        made={"file": "USF, Appendix A", "count": "#P"},
        title="USF free associations",
        citation="D. L. Nelson, C. L. McEvoy and T. A. Schreiber, The University of South Florida word association, "
        "rhyme, and word fragment norms, 1998",
        license="Copyright Nelson, McEvoy and Schreiber; made available to interested researchers and scholars; not "
        "to be passed on with this package",
    )


def _read(key, file):
    """Return the (cue, target, #P) of each line of a file, or raise a DamagedFile."""
    try:
        text = read_gzip(file, at_most=_MOST_BYTES).decode("ascii")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DamagedFile(
            file, f"has in line {line} a byte that is not ASCII, 0x{error.object[error.start]:02x}"
        ) from None
    pairs: list[tuple[str, str, int]] = []
    groups: dict[str, str] = {}
    has_header, closed = False, False
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        tag = line.strip().lower()
        if not tag or (tag in _OPENING and not has_header):
            continue
        if has_header and tag in _CLOSING:
            closed = closed or tag == "</pre>"
            continue
        fields = [field.strip() for field in line.split(",")]
        if len(fields) != _N_FIELDS:
            advice = "; it is cut off there" if number == len(lines) else ""
            raise DamagedFile(file, f"has {len(fields)} fields in line {number} where {_N_FIELDS} are expected{advice}")
        # Once, and by three fields: CUE is itself a cue, and the later fields of the header vary in their spelling.
        if not has_header and fields[:3] == ["CUE", "TARGET", "NORMED?"]:
            if fields[_GROUP : _PEOPLE + 1] != ["#G", "#P"]:
                raise DamagedFile(file, f"has other columns than #G and #P in its header, line {number}")
            has_header = True
            continue
        if not has_header or closed:
            raise DamagedFile(file, f"has data {'after its end' if closed else 'before its header'} in line {number}")
        pairs.append(_pair(fields, groups, file, number))
    if not has_header or not pairs:
        raise DamagedFile(file, "is empty" if not lines else "has no pairs of words in it")
    if not closed:
        raise DamagedFile(file, f"is cut off after line {len(lines)}: </PRE> is missing")
    return pairs


def _pair(fields, groups, file, number):
    """Return cue, target and #P of a line, which must agree with the #G of the cue in the lines before."""
    cue, target, group, people = (fields[position] for position in (_CUE, _TARGET, _GROUP, _PEOPLE))
    if not cue or not target:
        raise DamagedFile(file, f"lacks a {'target' if cue else 'cue'} in line {number}")
    for name, value in (("#G", group), ("#P", people)):
        if not _WHOLE.fullmatch(value):
            raise DamagedFile(file, f"has in line {number} {value!r} as {name}, which is no whole number above 0")
    if int(people) > int(group) or groups.setdefault(cue, group) != group:
        raise DamagedFile(
            file,
            f"contradicts itself in line {number}: {people} of {group} people answered {cue} with {target}"
            + (f", but {groups[cue]} were asked" if groups.get(cue, group) != group else ""),
        )
    return cue, target, int(people)
