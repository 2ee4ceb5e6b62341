"""Files of calls that take long: what is damaged is refused by name, and never taken for what was written."""

import os
import tracemalloc
import warnings
import zipfile
from collections import Counter

import numpy as np
import pytest

from notebook_sne.engine.archives.archive import expect
from notebook_sne.engine.archives.resumable import Form, OtherCall, check_same, reading, write
from notebook_sne.senses import trials
from tests.archives.damage import damaged, members_of, npy, rewritten, zipped

FORM = Form("probe", "probe", "try_out", 2, "write less", "give another path")
NEITHER = r"path must be a new file, or one that try_out has written, but .*file is neither \(%s.*\); give another path"
X = np.random.default_rng(1).standard_normal((230, 6))


@pytest.fixture
def place(tmp_path):
    """A file of two arrays."""
    whole = np.arange(6.0).reshape(3, 2)
    write(tmp_path / "file", FORM, {"of": "this"}, [("some", "<f8", (3, 2), [*whole]), ("none", "<i8", (0,), [])])
    return tmp_path / "file"


def read(place):
    with reading(place, FORM) as (header, archive):
        check_same(header, {"of": "this"})
        return archive.array("some", ("<f8",), (3, 2)), archive.array("none", ("<i8",), (None,))


def test_what_is_written_is_read(place):
    some, none = read(place)
    assert some.tolist() == [[0, 1], [2, 3], [4, 5]] and none.shape == (0,)
    with np.load(place) as file:  # it is a plain .npz
        assert {*file.files} == {"header", "some", "none", "digests"}


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda m: {**m, "some.npy": npy(np.ones((3, 2)))}, "the member some.npy is not what was written"),
        (lambda m: {**m, "some.npy": m["some.npy"].replace(b"(3, 2)", b"(2, 3)")}, "some.npy is not what was written"),
        (lambda m: {**m, "header.npy": m["header.npy"].replace(b"this", b"that")}, "header.npy is not what was"),
        (lambda m: {**m, "none.npy": m["some.npy"], "some.npy": m["none.npy"]}, "none.npy is not what was written"),
        (lambda m: {("more.npy" if n == "none.npy" else n): each for n, each in m.items()}, "more.npy is not what"),
        (lambda m: {**m, "more.npy": m["some.npy"]}, "the member digests.npy has shape"),
        (lambda m: {n: each for n, each in m.items() if n != "some.npy"}, "the member digests.npy has shape"),
        (lambda m: {n: each for n, each in m.items() if n != "digests.npy"}, "the member digests.npy is missing"),
        (lambda m: {n: each for n, each in m.items() if n != "header.npy"}, "the member header.npy is missing"),
    ],
)  # fmt: skip
def test_a_change_is_noticed_where_every_checksum_of_the_zip_file_is_right(place, harm, words):
    place.write_bytes(zipped(harm(members_of(place.read_bytes()))))
    with pytest.raises(ValueError, match=NEITHER % f".*{words}"):
        read(place)


def test_what_makes_no_sense_is_refused_though_its_digests_are_right(place):
    for changes, arrays, words in [
        ({"format": "notebook_sne recording"}, {}, "it is no probe"),
        ({}, {"more": np.ones(2)}, "more does not belong there"),
        ({}, {"some": np.ones((3, 2), "f4")}, "the member some.npy holds float32"),
        ({}, {"some": None}, "the member some.npy is missing"),
    ]:
        write(place, FORM, {"of": "this"}, [("some", "<f8", (3, 2), [np.ones(6)]), ("none", "<i8", (0,), [])])
        rewritten(place, changes, **arrays)
        with pytest.raises(ValueError, match=NEITHER % words):
            read(place)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"of": "that"}, "is of other of"),
        ({"version": 1}, "is of version 1 of the format, and this is 2"),
        ({"version": "<b>" * 99}, "is of version '<b><b><b><b><b><b>< of the format, and this is 2"),
    ],
)
def test_a_file_of_another_call_or_version_is_called_that(place, changes, words):
    rewritten(place, changes)
    with pytest.raises(ValueError, match=f"path must be a new file or one of this call, but .*file {words}; give"):
        read(place)


def test_a_file_of_the_first_version_is_called_that(tmp_path):
    for content in (b'{"format": "notebook_sne probe", "version": 1}', None):
        if content is None:
            np.savez(tmp_path / "file.npz", header=np.array('{"format": "notebook_sne probe", "version": 1}'))
        (tmp_path / "file").write_bytes(content or (tmp_path / "file.npz").read_bytes())
        with pytest.raises(ValueError, match="file is of an older version of the format, and this is 2; give another"):
            read(tmp_path / "file")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_is_refused_before_it_is_opened(tmp_path):
    os.mkfifo(tmp_path / "file")
    with pytest.raises(ValueError, match=NEITHER % "it is a device or a pipe"):
        read(tmp_path / "file")


def test_an_error_of_the_reader_names_the_file(place):
    for error, words in [(ValueError("odd"), "is neither .odd."), (OtherCall("is odd"), "file is odd; give another")]:
        with pytest.raises(ValueError, match=words), reading(place, FORM):
            raise error
    with pytest.raises(ValueError, match=r"is neither \(odd\)"), reading(place, FORM):
        expect(False, "odd")


def bomb(kind):
    """A small file that would fill the memory."""
    shape, dtype = ((10**9,), "|u1") if kind == "long" else ((), "<U500000000")
    head = b"{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (dtype.encode(), str(shape).encode())
    head = b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + head.ljust(117) + b"\n"
    return head + bytes(30_000_000)


@pytest.mark.slow
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("kind", ["long", "text"])
@pytest.mark.parametrize("name", ["header.npy", "some.npy", "digests.npy"])
def test_a_file_that_would_fill_the_memory_is_refused_before_it_is_unpacked(place, name, kind, compression):
    place.write_bytes(zipped({**members_of(place.read_bytes()), name: bomb(kind)}, compression))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="is neither"):
            read(place)
        assert tracemalloc.get_traced_memory()[1] < 5e6
    finally:
        tracemalloc.stop()


def test_members_that_share_their_bytes_cannot_declare_more_than_the_file_has(place):
    content = place.read_bytes()
    at = content.find(b"PK\x01\x02")
    harmed = bytearray(content)
    harmed[at + 20 : at + 28] = (2**30).to_bytes(4, "little") * 2  # the sizes of the first member
    place.write_bytes(harmed)
    with pytest.raises(ValueError, match="its members declare more bytes than it has"):
        read(place)


# One file of each kind: how it is written, and what is read from it


class Evidence:
    def __init__(self, folder):
        self.path, rng = folder / "a.evidence", np.random.default_rng(2)
        kept = trials.Kept(self.path, {"words": [1, 2]}, 30)
        for restart in range(3):
            n, m = 6 + restart, 9 - restart
            found = {"word": np.sort(rng.integers(0, 30, n)), "map": rng.integers(0, 4, n)}
            found |= {"proportion": rng.random(n), "neighbors": rng.integers(0, 30, (n, 5))}
            found |= {name: rng.standard_normal(n) for name in ("regrown", "trained", "expected")}
            found |= {name: rng.standard_normal(m) for name in ("with_copy", "without_copy")}
            kept.add(0, restart, found | {"ended": np.array(restart < 2)})

    def read(self):
        kept = trials.Kept(self.path, {"words": [1, 2]}, 30)
        found = [kept.get(0, restart) for restart in range(3)]
        return [{name: (array.shape, array.tolist()) for name, array in each.items()} for each in found if each]


KINDS = {
    "evidence": Evidence,
}


def outcomes(kind, folder, n, seed=0):
    """Count what becomes of n damaged files of one kind."""
    file, rng, count = KINDS[kind](folder), np.random.default_rng(seed), Counter()
    content, right = file.path.read_bytes(), file.read()
    for _ in range(n):
        file.path.write_bytes(harmed := damaged(content, rng))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                count["same" if file.read() == right else "misread"] += 1
        except ValueError as error:
            assert file.path.read_bytes() == harmed  # what is refused is left alone
            assert str(file.path.name) in str(error) and "; give another path" in str(error)
            count["refused"] += 1
    return count


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_refused_by_name_or_the_damage_did_not_matter(kind, tmp_path):
    count = outcomes(kind, tmp_path, 40)
    assert count["refused"] > 30 and not count["misread"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_very_many_damaged_files_are_refused(kind, tmp_path):
    count = outcomes(kind, tmp_path, 500, seed=1)
    assert count["refused"] > 400 and not count["misread"]
