"""Files of recordings: the same to the last bit, and written whole or not at all."""

import io
import json
import os
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import notebook_sne as ns
from notebook_sne.engine.archives import archive
from notebook_sne.engine.runs.recording import Recording
from tests.runs.recorded import full_recording, recording_of, recording_with, same, same_recording, state


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return full_recording().save(tmp_path_factory.mktemp("recordings") / "run.npz")


# ---- there and back ----


def test_everything_comes_back_to_the_last_bit(saved):
    recording, back = full_recording(), Recording.load(saved)
    assert same_recording(recording, back)
    assert back.states[0].memory["pairs"][0][1].dtype == np.int32
    assert type(back.states[0].memory["single"]) is np.float32
    assert back.chapters[-1].parameters["perplexity"] == 7.5 and back.chapters[-1].estimator is None
    assert back.names == ("0", "eins", "\u202e", "zw\0ei", "名") and back.labels.tolist()[1] == "a \ud800"
    assert [frame.Y.shape for frame in back.frames][13:17] == [(2, 5, 4), (2, 5, 4), (2, 5, 2), (2, 5, 2)]


def test_a_loaded_recording_can_be_saved_again_to_the_same_bytes(saved, tmp_path):
    again = Recording.load(saved).save(tmp_path / "again.npz")
    assert again.read_bytes() == saved.read_bytes()


def test_a_file_is_what_numpy_loads_without_pickles(saved):
    with np.load(saved, allow_pickle=False) as members:
        assert members["arrays_0"].shape == (15, 2, 5, 4) and members["arrays_0"].dtype == np.float32
        assert json.loads(members["header"].tobytes())[1]["map"]["version"] == 1


@pytest.mark.parametrize(
    "labels", [[1, 2, 3, 4, 5], [True, False, True, False, True], np.linspace(0, 1, 5), list("abcde")]
)
def test_labels_keep_their_kind(labels, tmp_path):
    back = Recording.load(recording_of([0]).describe(labels=labels).save(tmp_path / "run.npz"))
    assert back.labels.dtype == np.asarray(labels).dtype and back.labels.tolist() == list(labels)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_memory_comes_back(tmp_path, data):
    numbers = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(), max_size=8),
        st.builds(lambda k, n: np.arange(n).astype(k), st.sampled_from("f8 f4 i8 u2 ?".split()), st.integers(0, 4)),
    )  # fmt: skip
    values = st.recursive(
        numbers,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(tuple), st.dictionaries(st.text(max_size=4), inner, max_size=3)
        ),
        max_leaves=12,
    )
    memory = data.draw(st.dictionaries(st.text(max_size=5), values, max_size=4))
    recording = recording_with(memory=memory)
    back = Recording.load(recording.save(tmp_path / "run.npz"))
    assert same(recording.states[0], back.states[0])


def test_a_loaded_recording_goes_on_and_stays_bounded(tmp_path):
    model = ns.TSNE(perplexity=7.0)
    recording = recording_of(range(100), lambda k: {"model": model}, most_frames=30)
    back = Recording.load(recording.save(tmp_path / "run.npz"))
    back.add(state(99), model=ns.TSNE(perplexity=7.0))  # the same hyperparameters: the same chapter
    for k in range(100, 3000):
        back.add(state(k), model=back.model_at(99))
    assert [mark.kind for mark in back.marks] == ["start"] and len(back) <= 1024
    gaps = np.diff(back.iterations)[:-1]
    assert (gaps != 4).sum() <= 1 and gaps.max() <= 5  # the last frame of the file lay beside the grid
    other = Recording.load(tmp_path / "run.npz")
    other.add(state(100), model=ns.TSNE(perplexity=12.0))
    assert [mark.kind for mark in other.marks] == ["start", "model"]


def test_a_recording_that_was_cut_is_saved_up_to_there(tmp_path):
    recording = recording_of(range(500), lambda k: {"turned": {"jitter": 0.5} if k > 300 else {}}, most_frames=10)
    recording.truncate(333)
    back = Recording.load(recording.save(tmp_path / "run.npz"))
    assert same_recording(recording, back) and back.recorded_to == 333 and back.turned_at(320) == {"jitter": 0.5}


def test_numbers_that_repeat_are_compressed_and_noise_is_not(tmp_path):
    recording = recording_with(shape=(1, 500, 2), memory={"noise": np.random.default_rng(0).standard_normal(4000)})
    path = recording.describe(images=np.zeros((500, 28, 28))).save(tmp_path / "run.npz")
    with zipfile.ZipFile(path) as members:
        kinds = {info.filename: info.compress_type for info in members.infolist()}
    assert kinds["header.npy"] == zipfile.ZIP_DEFLATED
    assert [*kinds.values()].count(zipfile.ZIP_STORED) == 2  # the noise and the digest
    assert path.stat().st_size < 60_000


# ---- whole or not at all ----


def test_an_earlier_file_survives_a_save_that_fails(tmp_path):
    place = tmp_path / "run.npz"
    place.write_bytes(b"earlier")
    recording = recording_with(memory={"own": np.array([object()])})  # met when half of the file is written
    with pytest.raises(TypeError, match="must hold plain numbers, got object"):
        recording.save(place)
    assert place.read_bytes() == b"earlier" and os.listdir(tmp_path) == ["run.npz"]


def test_a_save_replaces_what_a_link_points_at(tmp_path):
    recording = full_recording()
    (tmp_path / "link.npz").symlink_to(tmp_path / "run.npz")
    assert recording.save(tmp_path / "link.npz") == (tmp_path / "run.npz").resolve()
    assert (tmp_path / "link.npz").is_symlink() and same_recording(Recording.load(tmp_path / "link.npz"), recording)


def test_what_cannot_be_saved_is_named(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="nothing to save"):
        Recording().save(tmp_path / "run.npz")
    with pytest.raises(ValueError, match=r"end in \.npz, got .*; write 'run\.npz'"):
        full_recording().save(tmp_path / "run.zip")
    deep: tuple = ()
    for _ in range(40):
        deep = (deep,)
    for looks, error, words in (
        ({"memory": {"own": {"steps": [1, 2]}}}, TypeError, "a recording, states, memory, own, steps holds a list"),
        ({"memory": {3: 1}}, TypeError, "memory holds a .*which a file cannot hold"),
        ({"memory": {"deep": deep}}, ValueError, "more than 24 deep"),
        ({"phase": "x" * 1001}, ValueError, "at most 1000 letters, so that a file cannot hold it"),
    ):
        with pytest.raises(error, match=words):
            recording_with(**looks).save(tmp_path / "run.npz")
    monkeypatch.setattr(archive, "_MOST_BYTES", 2000)
    with pytest.raises(ValueError, match="must fit into a file"):
        full_recording().save(tmp_path / "run.npz")
    monkeypatch.setattr(archive, "_MOST_BYTES", 2 * archive._LONGEST_HEADER + 2000)
    with pytest.raises(ValueError, match="b makes it larger"):  # both together
        archive.write_arrays(io.BytesIO(), [(name, [np.zeros(150)]) for name in "ab"], "")
    assert os.listdir(tmp_path) == []
