"""Files from anywhere: damaged or written to harm, they are refused with a reason and at little cost."""

import json
import os
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notebook_sne.engine.objects.region_pairs import RegionPairs
from notebook_sne.engine.runs.recording import Recording
from tests.archives.damage import header_of, members_of, npy, zipped
from tests.runs.recorded import full_recording, same_recording, state


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return full_recording().save(tmp_path_factory.mktemp("recordings") / "run.npz")


def rewritten(path, source, text=None, **members):
    """Write a copy of a file with a changed header or other members (None: left out), with right checksums."""
    found = members_of(source.read_bytes())
    if text is not None:
        found["header.npy"] = npy(np.frombuffer(text, dtype=np.uint8))
    found |= {f"{name}.npy": content for name, content in members.items()}
    present = {name: content for name, content in found.items() if content is not None}
    path.write_bytes(zipped(present, zipfile.ZIP_DEFLATED))
    return path


def with_header(path, source, **changes):
    header = {**header_of(source), **changes}
    return rewritten(path, source, text=json.dumps(header).encode())


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


@pytest.mark.slow
def test_a_flipped_byte_anywhere_is_noticed_or_does_not_matter(saved, tmp_path):
    whole, recording, place = saved.read_bytes(), full_recording(), tmp_path / "damaged.npz"
    rng = np.random.default_rng(0)
    # Most of them in the list of members at the end, where most of the danger is.
    begin = end_of(whole)[1]
    places = [*range(len(whole) - 22, len(whole)), *rng.integers(begin, len(whole), 600), *rng.integers(0, begin, 300)]
    refused = 0
    for k in places:
        damaged = bytearray(whole)
        damaged[k] ^= int(rng.integers(1, 256))
        place.write_bytes(damaged)
        refused += not loads_rightly_or_is_refused(place, recording)
    assert refused > len(places) // 2


def test_a_file_cut_anywhere_is_refused(saved, tmp_path):
    whole, place = saved.read_bytes(), tmp_path / "cut.npz"
    lengths = {*range(0, 80), *range(len(whole) - 80, len(whole)), *range(0, len(whole), 97)}
    for length in sorted(lengths):
        place.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"cannot be loaded: .*;"):
            Recording.load(place)
    place.write_bytes(whole + b"more")
    with pytest.raises(ValueError, match="something was added at its end"):
        Recording.load(place)


@given(st.binary(max_size=300))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_refused(tmp_path, content):
    place = tmp_path / "any.npz"
    place.write_bytes(content)
    with pytest.raises(ValueError, match=r"no \.npz file|list of its members"):
        Recording.load(place)


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


def costs(content):
    return {"costs": content}


MEMBERS = {
    "one axis": (costs(npy(np.zeros(31))), "does not fit"),
    "a pickle": (costs(plain(b"{'descr': '|O', 'fortran_order': False, 'shape': (31, 2), }", b"x")), "no plain array"),
    "code": (costs(plain(b"__import__('os').abort()")), "no plain array"),
    "another order": (costs(npy(np.asfortranarray(np.ones((31, 2))))), "no plain array"),
    "another type": (costs(npy(np.ones((31, 2), "f4"))), "float32, which does not belong there"),
    "big-endian": (costs(npy(np.ones((31, 2), ">f8"))), "no plain array"),
    "no array": (costs(b"hello"), "no plain array"),
    "nothing": (costs(b""), "no plain array"),
    "a later version": (costs(b"\x93NUMPY\x02\x00\x76\x00\x00\x00" + b" " * 117 + b"\n"), "no plain array"),
    "a very long header": (costs(plain(b"{" + b" " * 60_000)), "no plain array"),
    "fields": (costs(plain(b"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (31, 2)}")), "no plain array"),
    "negative": (costs(plain(b"{'descr': '<f8', 'fortran_order': False, 'shape': (-31, -2), }")), "cannot be read"),
    "NaN costs": (costs(npy(np.full((31, 2), np.nan))), "a cost or an objective in it is not finite"),
    "fewer costs": (costs(npy(np.ones((30, 2)))), r"shape \(30, 2\), which does not fit"),
    "a shape without room": (costs(npy(np.ones((31, 2)))[:-8]), "no room for its shape"),
    "more than it says": (costs(npy(np.ones((31, 2))) + b"more"), "no room for its shape"),
    "a shape of the world": (
        {"header": plain(b"{'descr': '|u1', 'fortran_order': False, 'shape': (999999999999,), }")}, "no room"
    ),
    "a longer shape": (
        {"header": plain(b"{'descr': '|u1', 'fortran_order': False, 'shape': (9999999999999,), }")}, "cannot be read"
    ),
    "no header": ({"header": None}, "header.npy is missing"),
    "falling iterations": ({"iterations": npy(np.arange(31)[::-1].copy())}, "iterations do not rise"),
    "equal iterations": ({"iterations": npy(np.zeros(31, int))}, "iterations do not rise"),
    "no frames": ({"iterations": npy(np.zeros(0, int))}, "it has no frames"),
    "other frames": ({"frames_0": npy(np.zeros((15, 2, 6, 4), "f4"))}, "does not fit the others"),
    "fewer frames": ({"frames_0": npy(np.zeros((14, 2, 5, 4), "f4"))}, "does not fit the others"),
    "far frames": ({"frames_0": npy(np.full((15, 2, 5, 4), np.inf, "f4"))}, "frames_0 are none, or not finite"),
    "flat frames": ({"frames_0": npy(np.zeros((15, 2, 5, 0), "f4"))}, "positions in frames_0 are none"),
    "NaN proportions": ({"mixing_0": npy(np.full((15, 2, 5), np.nan, "f4"))}, "mixing_0 are not finite"),
    "words": ({"words": npy(np.full((31, 3), 2**31, "u4"))}, "a phase, a model or a shape that is not there"),
    "knobs": ({"knob_values": npy(np.full((31, 3), np.inf))}, "a knob in knob_values is not finite"),
    "texts": ({"names_ends": npy(np.array([5, 4, 3, 2, 1]))}, "do not end where names_ends says"),
    "no text": (
        {"names_text": npy(np.full(16, 255, "u1")), "names_ends": npy(np.array([3, 6, 9, 12, 16]))}, "no UTF-8"
    ),
    "neighbors": ({"neighbours": npy(np.full((5, 2), 9, "u4"))}, "neighbors must lie from 0"),
    "a value": ({"values": npy(np.full(5, np.inf))}, "values must be finite"),
    "no value": ({"values": npy(np.full(5, np.nan))}, "values must hold at least one number"),
    "flags": ({"labels_missing": npy(np.ones(4, "u1"))}, "does not fit the others"),
    "images of no color": ({"images": npy(np.zeros((5, 2, 2, 2), "u1"))}, "images must have shape"),
    "no memory": ({"memory_0": None}, "memory_0.npy is missing"),
    "no turns": ({"turns": None}, "turns.npy is missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", MEMBERS)
def test_members_that_make_no_sense_are_refused(name, saved, tmp_path):
    members, words = MEMBERS[name]
    with pytest.raises(ValueError, match=words):
        Recording.load(rewritten(tmp_path / "wrong.npz", saved, **members))


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
    place = rewritten(tmp_path / "wrong.npz", saved, costs=plain(text.encode("latin-1"), bytes(31 * 2 * 8 - 1)))
    with pytest.raises(ValueError, match=r"the member costs\.npy .*; write the file again"):
        Recording.load(place)


def test_positions_of_a_state_must_be_finite(saved, tmp_path):
    groups = header_of(saved)["memory"]
    with np.load(saved) as members:
        shapes = {f"memory_{g}": members[f"memory_{g}"] for g in range(len(groups))}
    for name, array in shapes.items():
        if array.dtype == np.float64 and array.ndim == 4:
            with pytest.raises(ValueError, match="positions or proportions of a state in it are not finite"):
                Recording.load(rewritten(tmp_path / "wrong.npz", saved, **{name: npy(np.full_like(array, np.nan))}))
            break
    else:
        raise AssertionError(f"no positions among {shapes}")


HEADERS = {
    "another program": ({"format": "something"}, "not a recording of notebook_sne"),
    "newer": ({"version": 2}, "of version 2, and this notebook_sne reads up to 1; install a newer one"),
    "no version": ({"version": "1"}, "whole number version"),
    "true version": ({"version": True}, "whole number version"),
    "no objects": ({"n_objects": 0}, "n_objects of at least 1"),
    "very many objects": ({"n_objects": 10**9}, "1000000000 objects, which the limit of 1e\\+03 MB does not hold"),
    "other objects": ({"n_objects": 6}, "does not fit"),
    "no end": ({"end": None}, "at which iteration it ends"),
    "an early end": ({"end": 3}, "at which iteration it ends"),
    "phases": ({"phases": [1]}, "one of the phases in its header is no text"),
    "a long phase": ({"phases": ["x" * 1001, "y", "z"]}, "far too long"),
    "models": ({"models": {}}, "a list models"),
    "few phases": ({"phases": []}, "a phase, a model or a shape that is not there"),
    "many knobs": ({"knobs": ["k"] * 101}, "31 frames with 101 knobs"),
    "other knobs": ({"knobs": ["a"]}, "does not fit"),
    "marks": ({"marks": [[1, "kind", "text"]]}, "a mark in its header"),
    "a late mark": ({"marks": [[99, "knob", "text"]]}, "iterations of its marks do not rise, or go on after its end"),
    "many marks": ({"marks": [[1, "knob", "x"]] * 201}, "201 marks, where at most 200"),
    "a mark of markup": ({"marks": [[1, "knob", ["<b>"]]]}, "a mark is no text"),
    "chapters": ({"chapters": [[0, "TSNE"]]}, "a chapter in its header"),
    "parameters": ({"chapters": [[0, "TSNE", 5]]}, "a chapter in its header has no parameters"),
    "an array as a parameter": (
        {"chapters": [[0, "A", {"map": {"a": {"array": [0, 0]}}}]]},
        "one that is no plain value",
    ),
    "falling chapters": ({"chapters": [[5, "A", {"map": {}}], [4, "B", {"map": {}}]]}, "iterations of its chapters"),
    "breaks": ({"breaks": ["1"]}, "list of breaks"),
    "known": ({"known_from": 1.5}, "list of breaks"),
    "strides": ({"strides": [0, 1]}, "no strides"),
    "very many arrays": ({"memory": [10**12]}, "how many arrays its memory has"),
    "states": ({"states": [5], "memory": []}, "a state in it"),
    "an unknown kind": ({"states": [{"code": "exit()"}], "memory": []}, "a state in it holds a 'code'"),
    "no such array": (
        {"states": [{"tuple": [{"array": [0, 1]}, {"array": [99, 0]}]}], "memory": [2]},
        "an array that is not there",
    ),
    "negative arrays": (
        {"states": [{"tuple": [{"array": [0, 1]}, {"array": [0, -1]}]}], "memory": [2]},
        "an array that is not there",
    ),
    "facts": ({"facts": ["__class__"]}, "facts that no recording has"),
    "facts spelled in another way": ({"facts": ["neighbors"]}, "facts that no recording has"),
    "no title": ({"title": 5}, "title is no text"),
    "colors": ({"label_colors": [["a"]]}, "colors are not those of classes"),
    "a color": ({"label_colors": [["a", 5]]}, "a class or its color is no text"),
    "colors of nothing": ({"label_colors": [["no class", "red"]]}, "label_colors must"),
    "no list": ({"mixing": None}, "a list mixing"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_that_make_no_sense_are_refused(name, saved, tmp_path):
    changes, words = HEADERS[name]
    with pytest.raises(ValueError, match=words):
        Recording.load(with_header(tmp_path / "wrong.npz", saved, **changes))


STATE = {
    "cost": ("cost", "1"),
    "objective": ("objective", {"float": "inf"}),
    "iteration": ("iteration", 2.5),
    "knobs": ("knobs", []),
    "knob": ("knobs", {"map": {"jitter": None}}),
    "Y": ("Y", None),
    "mixing": ("mixing", {"tuple": []}),
    "phase": ("phase", 3),
    "model": ("model", "x" * 2000),
    "memory": ("memory", {"tuple": []}),
    "gradient_norm": ("gradient_norm", True),
    "a strange float": ("memory", {"float": "infinity"}),
    "two kinds": ("memory", {"map": {}, "tuple": []}),
    "no perplexities": ("memory", {"map": {"scales": {"tuple": []}}}),
    "perplexities in disorder": ("memory", {"map": {"scales": {"tuple": [9.0, 3.0]}}}),
    "a word for perplexities": ("memory", {"map": {"scales": "all"}}),
    "a perplexity of 0": ("memory", {"map": {"scales": {"tuple": [0.0, 3.0]}}}),
}


@pytest.mark.parametrize("name", STATE)
def test_states_that_make_no_sense_are_refused(name, saved, tmp_path):
    field, value = STATE[name]
    states = header_of(saved)["states"]
    states[1]["map"][field] = value
    with pytest.raises(ValueError, match=r"a state|of a state|state in it"):
        Recording.load(with_header(tmp_path / "wrong.npz", saved, states=states))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[1, 2]", "not a recording"),
        (b"{'a': 1}", "no JSON"),
        (b'{"version": NaN}', "no JSON"),
        (b'{"a": 1, "a": 2}', "no JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"1" * 100_000, "no JSON"),
        (b"[" + b"0," * 1_000_001 + b"0]", "far too long"),
        (b'"' + b"x" * 16_000_001 + b'"', "far more than any recording needs"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_headers_that_are_no_json_are_refused(text, words, saved, tmp_path):
    with pytest.raises(ValueError, match=words):
        Recording.load(rewritten(tmp_path / "wrong.npz", saved, text=text))


def places_in(value, path=()):
    """Every place in a tree of lists and dictionaries."""
    yield path
    for name, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places_in(inner, (*path, name))


def replaced(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


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
    place = rewritten(tmp_path / "wrong.npz", saved, text=json.dumps(header).encode())
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
        name = data.draw(st.sampled_from(members.namelist())).removesuffix(".npy")
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
    entry = whole.index(b"frames_0.npy", begin) - 46
    last = whole.index(b"more.npy", begin) - 46
    wanted = bytes(whole[entry + 24 : entry + 28])
    # frames_0 is now the bomb, and says that it has the size that frames_0 had.
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
    refused_cheaply(place, "header has 200.0 MB, far more than any recording needs")


def test_shapes_of_no_bytes_at_all_cost_nothing(saved, tmp_path):
    for name in ("memory_0", "frames_0", "turns", "images", "knob_values"):
        members = {
            name: npy(np.zeros((1, 0), "f4")).replace(b"(1, 0), }" + b" " * 13, b"(999999999999, 0), }".ljust(22))
        }
        assert b"999999999999" in members[name]
        refused_cheaply(
            rewritten(tmp_path / "wrong.npz", saved, **members), "does not fit|does not belong|no plain array"
        )
    refused_cheaply(with_header(tmp_path / "wrong.npz", saved, memory=[10**12]), "how many arrays")


def test_many_small_frames_are_counted_with_what_an_object_takes(saved, tmp_path):
    n = 100_000
    place = rewritten(tmp_path / "wrong.npz", saved, iterations=npy(np.arange(n)))
    refused_cheaply(place, "100000 frames with 3 knobs, which the limit of 50 MB does not hold", limit=5e7)


@pytest.mark.slow
def test_very_many_members_are_refused_before_they_are_listed(tmp_path):
    place = tmp_path / "many.npz"
    with zipfile.ZipFile(place, "w") as members:
        for k in range(20_000):
            members.writestr(f"a_{k}.npy", b"")
    refused_cheaply(place, "the list of its members is damaged, far too long")


NAMES = ["../costs.npy", "/costs.npy", "C:\\costs.npy", "costs.npy\0.exe", "a/b.npy", "costs.txt", "costs.npy"]


@pytest.mark.parametrize("name", NAMES)
def test_members_with_names_like_paths_or_of_others_are_refused(name, saved, tmp_path):
    place = rewritten(tmp_path / "wrong.npz", saved)
    stand_in = "x" * len(name)
    with zipfile.ZipFile(place, "a") as members:
        members.writestr(stand_in, npy(np.ones((31, 2))))
    place.write_bytes(place.read_bytes().replace(stand_in.encode(), name.encode()))
    with pytest.raises(ValueError, match=r"costs\.npy is there twice" if name == "costs.npy" else "strange name"):
        Recording.load(place)


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
    with pytest.raises(ValueError, match=words):
        Recording.load(place)


def test_an_ordinary_npz_file_is_no_recording(tmp_path):
    np.savez(tmp_path / "mine.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match=r"header\.npy is missing"):
        Recording.load(tmp_path / "mine.npz")
    np.savez(tmp_path / "mine.npz", X=np.zeros(3))
    with pytest.raises(ValueError, match="strange name"):
        Recording.load(tmp_path / "mine.npz")


def test_a_device_or_a_pipe_is_refused_before_it_is_opened(tmp_path):
    pipe = tmp_path / "run.npz"
    os.mkfifo(pipe)  # to open it would wait for a writer, and /dev/zero has no end
    for path in (pipe, "/dev/zero", "/dev/null"):
        with pytest.raises(ValueError, match=f"{path} cannot be loaded: it is a device or a pipe; give a file"):
            Recording.load(path)


PAIRS = {
    "few regions": ({"regions": 1}, {}, "regions of at least 2"),
    "very many": ({"regions": 10**9}, {}, "it has too many regions"),
    "no text": ({"regions": "2"}, {}, "whole number regions"),
    "no such region": ({}, {"region": npy(np.array([0, 1, 2, 0, 0]))}, "objects lie in other ones"),
    "one name": ({}, {"regions_text": npy(np.frombuffer(b"xx", "u1"))}, "its regions have one name"),
    "few objects": ({}, {"region": npy(np.zeros(4, "i8"))}, "does not fit the others"),
    "no counts": ({}, {"region_pairs": None}, "region_pairs.npy is missing"),
    "shares": ({}, {"region_pairs": npy(np.ones((1, 3)))}, "region_pairs"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_of_regions_that_make_no_sense_are_refused(name, tmp_path):
    pairs = RegionPairs(("x", "y"), np.array([0, 1, 0, 1, -1]), np.array([[6, 3, 1]], dtype=np.uint32))
    place = full_recording().describe(labels=["x", "y", "x", "y", None], certainty=pairs).save(tmp_path / "pairs.npz")
    assert Recording.load(place).certainty.regions == ("x", "y")
    changes, members, words = PAIRS[name]
    text = json.dumps({**header_of(place), **changes}).encode()
    with pytest.raises(ValueError, match=words):
        Recording.load(rewritten(tmp_path / "wrong.npz", place, text=text, **members))
