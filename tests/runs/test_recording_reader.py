"""Files from anywhere: damaged or written to harm, they are refused with a reason and at little cost."""

import io
import json
import math
import os
import struct
import tempfile
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notebook_sne.engine.archives.values import read_value
from notebook_sne.engine.objects.region_pairs import RegionPairs
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.recording import file as file_module
from tests.archives.damage import damaged, header_of, members_of, npy, sealed, zipped
from tests.runs.recorded import full_recording, same_recording, state


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return full_recording().save(tmp_path_factory.mktemp("recordings") / "run.npz")


def rewritten(path, source, header=None, **members):
    """Write a copy of a file with another header or other members (None: left out), with right checksums."""
    found = members_of(source.read_bytes())
    if header is not None:
        text = header if isinstance(header, bytes) else json.dumps(header).encode()
        found["header.npy"] = npy(np.frombuffer(text, dtype=np.uint8)[None])
    found |= {f"{name}.npy": content for name, content in members.items()}
    present = {name: content for name, content in found.items() if content is not None}
    path.write_bytes(zipped(sealed(present), zipfile.ZIP_DEFLATED))
    return path


def refused(path, words):
    """Check that a file is not loaded, and that the error says why."""
    with pytest.raises(ValueError, match=words):
        Recording.load(path)


# ---- damage ----


def loads_rightly_or_is_refused(path, recording):
    """Load a damaged file: it is refused with a ValueError, or the damage did not matter."""
    try:
        back = Recording.load(path)
    except ValueError as error:
        assert str(path) in str(error) and (";" in str(error))  # what, and the way out
        return False
    assert same_recording(back, recording)
    return True


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 15))])
def test_a_damaged_file_is_refused_or_the_damage_does_not_matter(seed, saved, tmp_path):
    whole, recording, rng, refused = saved.read_bytes(), full_recording(), np.random.default_rng(seed), 0
    for _ in range(100):
        (tmp_path / "damaged.npz").write_bytes(damaged(whole, rng))
        refused += not loads_rightly_or_is_refused(tmp_path / "damaged.npz", recording)
    assert refused > 70


def test_a_file_cut_anywhere_is_refused(saved, tmp_path):
    whole, place = saved.read_bytes(), tmp_path / "cut.npz"
    lengths = {*range(0, 80), *range(len(whole) - 80, len(whole)), *range(0, len(whole), 97)}
    for length in sorted(lengths):
        place.write_bytes(whole[:length])
        refused(place, r"cannot be loaded: .*;")
    place.write_bytes(whole + b"more")
    refused(place, "something was added at its end")


@given(st.binary(max_size=300))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_refused(tmp_path, content):
    place = tmp_path / "any.npz"
    place.write_bytes(content)
    refused(place, r"no \.npz file|list of its members")


def test_a_file_that_is_not_there_is_no_value_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        Recording.load(tmp_path / "none.npz")
    with pytest.raises(OSError):  # which one depends on the system
        Recording.load(tmp_path)
    with pytest.raises(ValueError, match="limit"):
        Recording.load(tmp_path / "none.npz", limit=0)


# ---- files that are written to harm ----


def plain(text, content=b""):
    """A member with any header."""
    text = text.ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


# The first member of the file, float32 of shape (15, 2, 5, 4).
MEMBERS = {
    "a pickle": (plain(b"{'descr': '|O', 'fortran_order': False, 'shape': (15, 2), }", b"x"), "no plain array"),
    "code": (plain(b"__import__('os').abort()"), "no plain array"),
    "another order": (npy(np.asfortranarray(np.ones((15, 2)))), "no plain array"),
    "big-endian": (npy(np.ones((15, 2), ">f4")), "no plain array"),
    "no array": (b"hello", "no plain array"),
    "nothing": (b"", "no plain array"),
    "a later version": (b"\x93NUMPY\x02\x00\x76\x00\x00\x00" + b" " * 117 + b"\n", "no plain array"),
    "a very long header": (plain(b"{" + b" " * 60_000), "no plain array"),
    "fields": (plain(b"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (15, 2)}"), "no plain array"),
    "negative": (plain(b"{'descr': '<f8', 'fortran_order': False, 'shape': (-15, -2), }"), "cannot be read"),
    "fewer": (npy(np.ones((14, 2, 5, 4), "f4")), "not 15 entries"),
    "no axis": (npy(np.ones(())), "not 15 entries"),
    "a shape without room": (npy(np.ones((15, 2)))[:-8], "no room for its shape"),
    "more than it says": (npy(np.ones((15, 2))) + b"more", "no room for its shape"),
    "a shape of the world": (
        plain(b"{'descr': '|u1', 'fortran_order': False, 'shape': (15, 99999999999), }"),
        "no room",
    ),
    "a longer shape": (plain(b"{'descr': '|u1', 'fortran_order': False, 'shape': (15, 9999999999999), }"), "cannot be"),
    "missing": (None, "arrays_0.npy is missing"),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_members_that_are_no_plain_arrays_are_refused(name, saved, tmp_path):
    content, words = MEMBERS[name]
    refused(rewritten(tmp_path / "wrong.npz", saved, arrays_0=content), words)


LITERALS = st.one_of(
    st.text(st.characters(max_codepoint=255), max_size=40),
    st.builds("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}".format, *[st.one_of(
        st.sampled_from("False|(31, 2)|()|[]|{}|'<f8'|'O'|[()]|((), 1)|'f8,f8'|31L|-1".split("|")),
        st.recursive(st.integers(), lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5).map(repr),
        st.text(st.characters(max_codepoint=255), max_size=8),
        st.builds(lambda sign, n: sign * n, st.sampled_from("(-[{~"), st.integers(90, 900)),
    )] * 3),
)  # fmt: skip


@pytest.mark.slow
@given(LITERALS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_any_text_as_the_header_of_an_array_is_refused(saved, tmp_path, text):
    place = rewritten(tmp_path / "wrong.npz", saved, arrays_0=plain(text.encode("latin-1"), bytes(31 * 2 * 8 - 1)))
    refused(place, r"the member arrays_0\.npy .*; write the file again")


def archived(node, *arrays):
    """An archive in memory with these arrays, each a member, and any JSON that may point at them."""
    text = json.dumps([[1] * len(arrays), node]).encode()
    members = {"header": np.frombuffer(text, "u1")} | {f"arrays_{g}": np.array(one) for g, one in enumerate(arrays)}
    return io.BytesIO(zipped(sealed({f"{name}.npy": npy(one[None]) for name, one in members.items()})))


NODES = {
    "code": ({"code": [0, 0], "array": [0, 0]}, "not written as values are"),
    "an unknown kind": ({"tuple": [{"array": [0, 0]}, {"code": "exit()"}]}, "a value in it is a 'code'"),
    "no such array": ({"array": [0, 1]}, "an array that is not there"),
    "no such group": ({"array": [1, 0]}, "an array that is not there"),
    "negative arrays": ({"array": [-1, 0]}, "an array that is not there"),
    "an array as a number": ({"scalar": [0, 0]}, "a value in it is a 'scalar'"),
    "a strange float": ({"tuple": [{"array": [0, 0]}, {"float": "infinity"}]}, "a value in it is a 'float'"),
    "a list": ({"map": {"a": {"array": [0, 0]}, "b": [1]}}, "not written as values are"),
    "nothing points at it": ("array", "how many arrays it has"),
}


@pytest.mark.parametrize("name", NODES)
def test_json_that_is_no_value_is_refused(name):
    node, words = NODES[name]
    with pytest.raises(ValueError, match=words):
        read_value(archived(node, np.zeros(3)), 1e6)


def test_many_texts_are_read_as_they_were_written_or_refused():
    def read(letters, lengths, limit=1e6):
        return read_value(archived({"texts": [[0, 0], [1, 0]]}, letters, lengths), limit)

    letters = np.frombuffer("zwei名".encode(), "u1")
    assert read(letters, [4, -1, 0, 3]) == ("zwei", None, "", "名")
    for lengths, words in (
        ([4, -1, 0, 2], "do not end where their lengths say"),
        ([5, -1, 0, 2], "no UTF-8"),
        ([4, -2, 0, 3], "not written as texts are"),
        ([4.0, 3.0], "not written as texts are"),
        ([[4, 3]], "not written as texts are"),
    ):
        with pytest.raises(ValueError, match=words):
            read(letters, lengths)
    with pytest.raises(ValueError, match="not written as texts are"):
        read(letters.astype("i8"), [4, 3])
    with pytest.raises(ValueError, match="its texts take more than the limit"):
        read(letters, [7, *[0] * 1000], 5e4)


# ---- values that are no recording ----


def places_in(value, path=()):
    """Every place in a tree of tables and rows."""
    yield path
    rows = isinstance(value, list | tuple)
    for name, part in value.items() if isinstance(value, Mapping) else enumerate(value) if rows else ():
        yield from places_in(part, (*path, name))


def at(value, path):
    """What is at a place."""
    return at(value[path[0]], path[1:]) if path else value


def replaced(value, path, new):
    """A copy with something else at a place; None leaves it out of a table."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, Mapping) else list(value)
    if new is None and len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = replaced(copy.get(path[0]) if isinstance(copy, dict) else copy[path[0]], path[1:], new)
    return type(value)(copy)


@pytest.fixture(scope="module")
def whole():
    """The value in a file with all there is, and facts of all kinds."""
    counts, blurs = np.array([[6, 3, 1]], dtype=np.uint32), np.zeros((2, 5), np.uint8)
    pairs = RegionPairs(("x", "y"), np.array([0, 1, 0, 1, -1]), counts, blurs)
    size = pd.Categorical(["low", "high", None, "low", "high"], categories=["low", "high"], ordered=True)
    recording = full_recording().describe(
        labels=["x", "y", "x", "y", None], certainty=pairs, label_colors={"x": "#ff0000"},
        columns={"year": [1, 2, 3, 4, 2**60 + 1], "size": size}, importance=[1, 2, 3, 4, 5],
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, open(recording.save(Path(folder) / "run.npz"), "rb") as file:
        value = read_value(file, 1e9)
    back = file_module._contents(value, 1e9)
    assert back.facts["certainty"].regions == ("x", "y") and back.facts["columns"][1].order == ("low", "high")
    return value


def chosen(value):
    """The places of a value, of rows that are alike the first two, and but for what may be anything."""
    for path in places_in(value):
        free = (
            "memory" in path[:-1] or "entries" in path[:-1] or (path[:1] == ("chapters",) and len(path) > 3) or not path
        )
        if not free and all(part in (0, 1) for part in path if isinstance(part, int) and path[0] != "chapters"):
            yield path


def test_a_part_of_another_kind_is_refused_wherever_it_is(whole):
    paths = list(chosen(whole))
    assert len(paths) > 80 and {("frames", 0, "Y"), ("states", 1, "mixing"), ("facts", "images"), ("end",)} <= {*paths}
    for path in paths:
        part = at(whole, path)
        others = [True, -0.5, "x" * 1001, math.nan, (), MappingProxyType({}), np.zeros(3)]
        others = [new for new in others if type(new) is not type(part)]
        if isinstance(part, np.ndarray):
            others += [part[None], part[:0], part.astype("<f2"), part.astype("<i2"), np.full_like(part, np.inf, "<f8")]
        for new in others:
            with pytest.raises(ValueError, match=" "):
                file_module._contents(replaced(whole, path, new), 1e9)
                raise AssertionError(f"{path} may be {new!r}")


def test_a_table_has_all_its_names_and_no_other(whole):
    tables = [path for path in [(), *chosen(whole)] if isinstance(at(whole, path), Mapping)]
    tables = [path for path in tables if path[-1:] not in (("knobs",), ("label_colors",), ("memory",))]
    tables = [path for path in tables if path[:1] not in (("turns",), ("chapters",))]
    assert len(tables) == 7
    for path in tables:
        for name in [*at(whole, path), "__class__"]:
            with pytest.raises(ValueError, match=r"must have|not a recording|must be a whole number"):
                new = None if name in at(whole, path) else 5
                file_module._contents(replaced(whole, (*path, name), new), 1e9)


VALUES = {
    "no table": ("", 5, "not a recording of notebook_sne"),
    "another program": ("format", "something", "not a recording of notebook_sne"),
    "newer": ("version", 2, "of version 2, and this notebook_sne reads 1; install a newer one"),
    "very many objects": ("n_objects", 10**9, "1000000000 objects, which the limit of 1e\\+03 MB does not hold"),
    "no frames": ("frames", (), "it has no frames"),
    "an early end": ("end", 3, "iterations of its frames do not rise, or go on after its end"),
    "an endless end": ("end", 2**70, "end of it must be a whole number"),
    "equal iterations": ("frames 1 iteration", 0, "iterations of its frames do not rise"),
    "a late state": ("states 2 iteration", 99, "iterations of its states do not rise, or go on after its end"),
    "a late mark": ("marks 0", (99, "knob", "text"), "iterations of its marks do not rise, or go on"),
    "falling chapters": ("chapters", ((5, "A", {}), (4, "B", {})), "iterations of its chapters"),
    "many marks": ("marks", ((1, "knob", "x"),) * 201, "must be at most 200, got 201"),
    "an unknown mark": ("marks 0", (1, "kind", "text"), "marks of it must be one of start"),
    "many knobs": ("frames 0 knobs", {f"k{k}": 1.0 for k in range(101)}, "at most 100 names"),
    "an array as a parameter": ("chapters 0", (0, "A", {"a": np.zeros(3)}), "plain values"),
    "proportions of other maps": ("frames 0 mixing", np.ones((1, 5), "f4"), "do not fit its positions"),
    "no perplexities": ("states 0 memory scales", (), "perplexities that are none"),
    "perplexities in disorder": ("states 0 memory scales", (9.0, 3.0), "perplexities that are none"),
    "a word for perplexities": ("states 0 memory scales", "all", "perplexities that are none"),
    "pins that are none": ("states 0 memory pins", "all", "pins or perplexities that are none"),
    "pins of others": ("states 0 memory pins", np.array([[5, 0]]), "must name its objects and maps"),
    "a negative pin": ("states 0 memory pins", np.array([[-1, 0]]), "must name its objects and maps"),
    "held ones of others": ("pins", ((3, np.array([[0, 2]])),), "must name its objects and maps"),
    "neighbors": ("facts neighbors", np.full((5, 2), 9, "u4"), "neighbors must lie from 0"),
    "no value": ("facts values", np.full(5, np.nan), "values must hold at least one number"),
    "images of no color": ("facts images", np.zeros((5, 2, 2, 2), "u1"), "images must have shape"),
    "labels of labels": ("facts labels entries", ((),) * 5, "must be 5 labels"),
    "a long label": ("facts labels entries 0", "x" * 10**8, "one of its labels is far too long"),
    "an order of others": ("facts labels order", ("a", "c"), "classes of its labels and their order do not fit"),
    "colors of nothing": ("facts label_colors", {"no class": "red"}, "label_colors must"),
    "one region": ("facts certainty 0", ("x",), "must be names of regions"),
    "one name": ("facts certainty 0", ("x", "x"), "must be names of regions"),
    "more regions": ("facts certainty 0", ("x", "y", "z"), "are not those of its objects or pairs"),
    "no such region": ("facts certainty 1", np.arange(5), "are not those of its objects or pairs"),
    "numbers as texts": ("facts columns 0 1", "text", "column year must be 5 texts"),
    "an unknown kind": ("facts columns 0 1", "link", "columns of facts of it must be one of number"),
    "many columns": ("facts columns", ((),) * 65, "must be at most 64, got 65"),
    "rests": ("facts columns 0 3", np.full(5, 0.5), "rests that are not those of whole numbers"),
    "another order": ("facts columns 1 4", ("low", "none"), "their order do not fit together"),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_values_that_make_no_sense_are_refused(name, whole):
    place, new, words = VALUES[name]
    path = [int(part) if part.isdigit() else part for part in place.split()]
    with pytest.raises(ValueError, match=words):
        file_module._contents(replaced(whole, path, new), 1e9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[1, 2]", "how many arrays it has"),
        (b"{'a': 1}", "no JSON"),
        (b'{"version": NaN}', "no JSON"),
        (b'{"a": 1, "a": 2}', "no JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"1" * 100_000, "no JSON"),
        (b"[" + b"0," * 4_000_001 + b"0]", "far too long"),
        (b'"' + b"x" * 64_000_001 + b'"', "far more than any file needs"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_headers_that_are_no_json_are_refused(text, words, saved, tmp_path):
    refused(rewritten(tmp_path / "wrong.npz", saved, text), words)


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5),
        st.sampled_from([0, 1, -1, 2**63, 2**70, "map", "inf"]), st.just({"array": [0, 0]}), st.just({"scalar": [1, 0]})
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["map", "tuple", "array", "float", "a"]), inner, max_size=2),
    ),
    max_leaves=6,
)  # fmt: skip


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_change_of_the_header_is_refused_or_makes_sense(saved, tmp_path, data):
    header = header_of(saved)
    for _ in range(data.draw(st.integers(1, 2))):
        header = replaced(header, data.draw(st.sampled_from(list(places_in(header)))), data.draw(JSON))
    place = rewritten(tmp_path / "wrong.npz", saved, header)
    try:
        back = Recording.load(place)
    except ValueError:
        return
    back.save(tmp_path / "again.npz")  # what makes sense can be kept, shown and gone on with
    assert same_recording(Recording.load(tmp_path / "again.npz"), back)
    back.add(state(back.recorded_to + 1))
    assert repr(back) and len(back.frames) and back.start_for(back.recorded_to) is not None


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_change_of_an_array_is_refused_or_makes_sense(saved, tmp_path, data):
    with zipfile.ZipFile(saved) as members:
        name = data.draw(st.sampled_from(members.namelist()[1:])).removesuffix(".npy")  # but for the header
    with np.load(saved) as members:
        old = members[name]
    if data.draw(st.booleans()):
        dtype = data.draw(
            st.sampled_from(["|b1", "|u1", "<i8", "<u4", "<f4", "<f8", ">f8", "|S3", "<U2", "<c16", "<M8[s]"])
        )
        shape = data.draw(st.one_of(st.just(old.shape), st.lists(st.integers(0, 6), max_size=4)))
        new = np.zeros(shape, dtype)
    else:
        new = np.frombuffer(data.draw(st.binary(min_size=old.nbytes, max_size=old.nbytes)), old.dtype).reshape(
            old.shape
        )
    try:
        back = Recording.load(rewritten(tmp_path / "wrong.npz", saved, **{name: npy(new)}))
    except ValueError:
        return
    back.save(tmp_path / "again.npz")


# ---- bombs ----


def refused_cheaply(path, words, **options):
    """Check that a file is refused with less than 20 MB of memory, and after less than that has been unpacked."""
    unpacked, read = [0], zipfile.ZipExtFile.read

    def counted(stream, *given):
        data = read(stream, *given)
        unpacked[0] += len(data)
        return data

    tracemalloc.start()
    try:
        with pytest.MonkeyPatch.context() as patch, pytest.raises(ValueError, match=words):
            patch.setattr(zipfile.ZipExtFile, "read", counted)
            Recording.load(path, **options)
        assert tracemalloc.get_traced_memory()[1] < 20e6 and unpacked[0] < 20e6
    finally:
        tracemalloc.stop()


def zeros(n):
    """The content of a member that is n bytes of zeros under a header that says so."""
    head = npy(np.zeros(1, "u1"))[:-1].replace(b"(1,), }" + b" " * 9, f"({n},), }}".encode().ljust(16))
    yield head
    for _ in range(n // 10**6):
        yield bytes(10**6)


@pytest.fixture(scope="module")
def bomb(saved, tmp_path_factory):
    """A small file with a member of 300 MB of zeros."""
    path = rewritten(tmp_path_factory.mktemp("bombs") / "bomb.npz", saved)
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as members,
        members.open("more.npy", "w") as stream,
    ):
        for piece in zeros(300 * 10**6):
            stream.write(piece)
    assert path.stat().st_size < 3e6
    return path


def test_a_bomb_is_refused_by_what_it_declares(bomb):
    refused_cheaply(bomb, "declares 300 MB of contents, more than the limit of 100 MB; give a larger limit", limit=1e8)


def test_a_bomb_that_lies_about_its_size_is_refused_by_its_checksum(bomb, tmp_path):
    whole = bytearray(bomb.read_bytes())
    begin = end_of(whole)[1]
    entry = whole.index(b"arrays_0.npy", begin) - 46
    last = whole.index(b"more.npy", begin) - 46
    wanted = bytes(whole[entry + 24 : entry + 28])
    # arrays_0 is now the bomb, and says that it has the size that it had.
    whole[entry + 16 : entry + 28] = whole[last + 16 : last + 24] + wanted
    whole[entry + 42 : entry + 46] = whole[last + 42 : last + 46]
    local = struct.unpack("<L", whole[last + 42 : last + 46])[0]
    assert whole[local + 30 : local + 38] == b"more.npy"
    whole[last + 46 : last + 54] = b"more.npx"
    place = tmp_path / "liar.npz"
    place.write_bytes(whole)
    refused_cheaply(place, "damaged|strange name")
    whole[last + 46 : last + 54] = b"mure.npy"
    place.write_bytes(whole)
    refused_cheaply(place, "damaged")


def test_a_header_that_is_a_bomb_is_refused(saved, tmp_path):
    place = tmp_path / "bomb.npz"
    with (
        zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as members,
        members.open("header.npy", "w") as stream,
    ):
        for piece in zeros(200 * 10**6):
            stream.write(piece)
    refused_cheaply(place, "header has 200.0 MB, far more than any file needs")


def test_shapes_of_no_bytes_at_all_cost_nothing(saved, tmp_path):
    many = npy(np.zeros((1, 0), "f4")).replace(b"(1, 0), }" + b" " * 13, b"(999999999999, 0), }".ljust(22))
    assert b"999999999999" in many
    refused_cheaply(rewritten(tmp_path / "wrong.npz", saved, arrays_0=many), "not 15 entries")
    _, root = header_of(saved)
    refused_cheaply(rewritten(tmp_path / "wrong.npz", saved, [[10**12], root], arrays_0=many), "how many arrays")


@pytest.mark.slow
def test_very_many_members_are_refused_before_they_are_listed(tmp_path):
    place = tmp_path / "many.npz"
    with zipfile.ZipFile(place, "w") as members:
        for k in range(20_000):
            members.writestr(f"a_{k}.npy", b"")
    refused_cheaply(place, "the list of its members is damaged, far too long")


NAMES = ["../a.npy", "/a.npy", "C:\\a.npy", "a.npy\0.exe", "a/b.npy", "a.txt", "arrays_0.npy"]


@pytest.mark.parametrize("name", NAMES)
def test_members_with_names_like_paths_or_of_others_are_refused(name, saved, tmp_path):
    place = rewritten(tmp_path / "wrong.npz", saved)
    stand_in = "x" * len(name)
    with zipfile.ZipFile(place, "a") as members:
        members.writestr(stand_in, npy(np.ones((31, 2))))
    place.write_bytes(place.read_bytes().replace(stand_in.encode(), name.encode()))
    refused(place, r"arrays_0\.npy is there twice" if name == "arrays_0.npy" else "strange name")


def end_of(whole):
    """The length and the begin of the list of members."""
    return struct.unpack("<LL", whole[-10:-2])


def encrypted(whole):
    at = end_of(whole)[1] + 8
    return whole[:at] + bytes([whole[at] | 1]) + whole[at + 1 :]


def announcing_more_than_4_gb(whole):
    """With the 20 bytes before the end that announce a list of members somewhere else."""
    length, begin = end_of(whole)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    return whole[:-22] + locator + whole[-22:-10] + struct.pack("<LLH", length + 20, begin, 0)


def far_away(whole):
    """With a last member that lies 16 million TB after the beginning."""
    length, begin = end_of(whole)
    at = begin + whole[begin:].rindex(b"PK\x01\x02")
    name = whole[at + 46 : -22]
    entry = whole[at : at + 30] + struct.pack("<H", 12) + whole[at + 32 : at + 42] + b"\xff" * 4
    extra = struct.pack("<HHQ", 1, 8, 2**64 - 1)
    return whole[:at] + entry + name + extra + whole[-22:-10] + struct.pack("<LLH", length + 12, begin, 0)


KINDS = {
    "bzip2": (lambda whole: zipped(members_of(whole), zipfile.ZIP_BZIP2), "compressed in an unknown way"),
    "encrypted": (encrypted, "encrypted"),
    "a comment": (lambda whole: whole[:-2] + b"\x05\0hello", "something was added at its end"),
    "something before": (lambda whole: b"#!/bin/sh" + whole, "list of its members is damaged"),
    "more than 4 GB": (announcing_more_than_4_gb, "of a kind that is never written here"),
    "a member outside": (far_away, "is not in the file"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_other_kinds_of_zip_files_are_refused(kind, saved, tmp_path):
    change, words = KINDS[kind]
    place = tmp_path / "other.npz"
    place.write_bytes(change(saved.read_bytes()))
    refused(place, words)


def test_an_ordinary_npz_file_is_no_recording(tmp_path):
    np.savez(tmp_path / "mine.npz", a=np.zeros(3))
    refused(tmp_path / "mine.npz", r"header\.npy is missing")
    np.savez(tmp_path / "mine.npz", X=np.zeros(3))
    refused(tmp_path / "mine.npz", "strange name")


def test_a_device_or_a_pipe_is_refused_before_it_is_opened(tmp_path):
    pipe = tmp_path / "run.npz"
    os.mkfifo(pipe)  # to open it would wait for a writer, and /dev/zero has no end
    for path in (pipe, "/dev/zero", "/dev/null"):
        refused(path, f"{path} cannot be loaded: it is a device or a pipe; give a file")
