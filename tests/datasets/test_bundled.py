"""Files of data in the package: what a script has written, small, without pickles, and with the notice they need."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from notebook_sne import datasets

BUNDLED = Path(datasets.__file__).parent / "bundled"
# A new checksum needs a new run of the file's build script in tools, and its reason in the commit.
FILES = {
    "mnist_5000": (1_000_000, "246e0c30eeea57c8d0037d3f38c8e00651ec204cc61b8022563e9aeeb9d756f4"),
    "word_relations": (100_000, "fe8f775e06772681ab1b63da6672ef5ff2c57c8bd63184126a4c5df23baad5d5"),
    "common_words": (200_000, "ed660c9370fc201e372f660d64f6167f199e4c90b1df971324e55cd69ac12e39"),
    "docstrings": (1_000_000, None),
}
NOTICES = {
    "mnist_5000": ["Copyright Y. LeCun and C. Cortes", "creativecommons.org/licenses/by-sa/3.0"],
    "word_relations": [
        "WordNet 3.1 Copyright 2011 by Princeton University.  All rights reserved.",
        "THIS SOFTWARE AND DATABASE IS PROVIDED",
        f"{len(datasets.load_word_relations())} common nouns",
    ],
    "common_words": ["PDDL"],
    "docstrings": ["BSD"],
}


@pytest.mark.parametrize("name", FILES)
def test_a_bundled_file_is_what_its_script_writes_and_its_notice_travels_with_it(name):
    file, (most, checksum) = BUNDLED / f"{name}.npz", FILES[name]
    content = file.read_bytes()
    assert len(content) < most
    assert checksum in (None, hashlib.sha256(content).hexdigest())
    with np.load(file, allow_pickle=False) as stored:
        assert all(stored[member].dtype.kind in "uifUS" for member in stored.files)
    notice = file.with_suffix(".NOTICE").read_text(encoding="utf-8")
    assert all(words in notice for words in NOTICES[name])
