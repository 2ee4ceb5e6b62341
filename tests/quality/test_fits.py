"""Many fits: wherever joblib runs them they are the same, and their file is as it was written, or refused."""

import hashlib
import os
from collections import Counter

import joblib
import numpy as np
import pytest

import notebook_sne as ns
from tests.archives.damage import damaged
from tests.quality.mites import Mite

X = np.random.default_rng(1).standard_normal((30, 4))
FIRST = b"notebook_sne fits 1\n"
REFUSED = "path must be a new file, or one that holds fits and has no damage, got .*file .%s.*; give another path"
MODEL = ns.TSNE(perplexity=5, max_iter=20)


def refits(**options):
    return ns.refits(MODEL, X, 4, progress=False, **options)


def sweep(path, **options):
    """Return all that a sweep of two by two by two fits gives but the seconds."""
    asked = {"seeds": range(2), "scores": {"one": lambda fitted, X: 1.0}, "embeddings": True, "progress": False}
    table = ns.sweep(Mite(), X, {"step": [1, 2], "fails": [0, 1]}, path=path, **asked, **options)
    return table.drop(columns=["embedding", "seconds"]).to_numpy().tolist(), [
        np.array(Y).tolist() for Y in table.embedding
    ]


@pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=pytest.mark.slow)])
def test_threads_and_processes_change_no_bit(backend, tmp_path):
    alone = refits()
    with joblib.parallel_config(backend=backend, n_jobs=2):
        np.testing.assert_array_equal(refits(path=tmp_path / "file"), alone)
        assert repr(sweep(tmp_path / "other")) == repr(sweep(None))
    np.testing.assert_array_equal(refits(path=tmp_path / "file"), alone)


def test_an_interrupted_bootstrap_goes_on_where_it_was(tmp_path, monkeypatch):
    fit, fits, right = ns.TSNE.fit, [], refits()

    def counted(self, given):
        fits.append(len(given))
        if len(fits) == 3:
            raise KeyboardInterrupt
        return fit(self, given)

    monkeypatch.setattr(ns.TSNE, "fit", counted)
    with pytest.raises(KeyboardInterrupt):
        refits(path=tmp_path / "file")
    np.testing.assert_array_equal(refits(path=tmp_path / "file"), right)
    assert len(fits) == 5  # two, the interrupted one, and two
    ns.refits(MODEL, X, 5, path=tmp_path / "file", progress=False)
    assert len(fits) == 6
    refits(random_state=1, path=tmp_path / "file")
    assert len(fits) == 10


def test_a_line_that_an_interrupt_cut_off_is_written_again(tmp_path):
    path = tmp_path / "file"
    right = repr(sweep(path))
    content = path.read_bytes()
    for length in [*range(len(FIRST)), len(FIRST), len(FIRST) + 50, len(content) - 1]:
        path.write_bytes(content[:length])
        assert repr(sweep(path)) == right
        assert path.read_bytes().count(b"\n") == content.count(b"\n")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [b"so many words", *lines[1:]], "it does not begin as one"),
        (lambda lines: [b"notebook_sne fits 2", *lines[1:]], "it does not begin as one"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "a line in it is not as it was written"),
        (lambda lines: [lines[0], *lines[2:]], "a line in it is not as it was written"),
        (lambda lines: [*lines[:2], lines[1], *lines[2:]], "a line in it is not as it was written"),
        (lambda lines: [lines[0], lines[1].replace(b"mite", b"bite"), *lines[2:]], "a line in it is not as"),
        (lambda lines: [lines[0], b"", *lines[1:]], "not enough values"),
    ],
    ids=["text", "version", "exchanged", "one less", "one twice", "a word", "an empty line"],
)
def test_a_file_of_something_else_or_with_damage_is_refused_and_stays(tmp_path, change, words):
    path = tmp_path / "file"
    ns.sweep(Mite(), X, {"fails": [1, 0]}, path=path, scores=(), progress=False)
    path.write_bytes(b"\n".join(change(path.read_bytes().split(b"\n"))))
    before = path.read_bytes()
    with pytest.raises(ValueError, match=REFUSED % words):
        sweep(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "row",
    [
        b'["key", {"cost": "<b>x</b>"}]', b'["key", {"cost": 1}]', b'["key", {"cost": [1.0]}]',
        b'["key", {"area": null}]', b'["key", {"updates": 1.5}]', b'["key", {"updates": ' + b"9" * 5000 + b"}]",
        b'["key", {"error": 1.0}]', b'["key", {"embedding": 1.0}]', b'["key", {"embedding": [[1.0], [1.0, 2.0]]}]',
        b'["key", {"mixing": ["x"]}]',
        b'["key", {"embedding": [{"a": 1.0}]}]', b'["key", 5]', b'["key"]', b"5", b"{", b"\xff", b"[" * 100_000,
        b'[["key"], {"cost": 1.0}]',
    ],
    ids=range(18),
)  # fmt: skip
def test_a_hostile_row_is_refused_even_if_its_digest_is_right(tmp_path, row):
    digest = hashlib.blake2b(FIRST[:-1] + row, digest_size=16).hexdigest().encode()
    (tmp_path / "file").write_bytes(FIRST + digest + b" " + row + b"\n")
    with pytest.raises(ValueError, match=REFUSED % ""):
        sweep(tmp_path / "file")


def test_a_pipe_is_refused_before_it_is_opened(tmp_path):
    os.mkfifo(tmp_path / "file")
    with pytest.raises(ValueError, match=REFUSED % "it does not begin as one"):
        sweep(tmp_path / "file")


def outcomes(folder, n, seed=0):
    """Count what becomes of n damaged files."""
    path, rng, count = folder / "file", np.random.default_rng(seed), Counter()
    right = repr(sweep(path))
    content = path.read_bytes()
    for _ in range(n):
        path.write_bytes(harmed := damaged(content, rng))
        try:
            count["same" if repr(sweep(path)) == right else "misread"] += 1
        except ValueError as error:
            assert path.read_bytes() == harmed  # what is refused is left alone
            assert "file (" in str(error) and "; give another path" in str(error)
            count["refused"] += 1
    return count


def test_damaged_files_are_refused_by_name_or_the_damage_did_not_matter(tmp_path):
    count = outcomes(tmp_path, 40)
    assert count["refused"] > 20 and not count["misread"]


@pytest.mark.slow
def test_very_many_damaged_files_are_refused(tmp_path):
    count = outcomes(tmp_path, 500, seed=1)
    assert count["refused"] > 250 and not count["misread"]


def test_maps_that_are_no_numbers_are_the_error_of_their_row():
    class Texts(Mite):
        def fit(self, X):
            super().fit(X)
            self.embedding_ = np.full((len(X), 2), "here")
            return self

    with pytest.raises(
        ValueError, match="all 3 fits of the sweep failed, the first with ValueError: could not convert"
    ):
        ns.sweep(Texts(), X, [{}], scores=(), embeddings=True, progress=False)
