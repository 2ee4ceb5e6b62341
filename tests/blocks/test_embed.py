"""Objects placed in blocks: the same map however it is made, files that go on, and what is refused."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

import notebook_sne as ns
from notebook_sne.blocks import places

RNG = np.random.default_rng(3)
X = RNG.standard_normal((4, 6))[np.arange(230) % 4] * 4 + RNG.standard_normal((230, 6))


def model(**changes):
    return ns.TSNE(**{"perplexity": 6, "max_iter": 40, "random_state": 2, "progress": False, **changes})


def run(given=X, estimator=None, **options):
    return ns.embed_in_blocks(
        model() if estimator is None else estimator,
        given,
        **{"sample": 80, "block": 37, "refine": 0, "progress": False, **options},
    )


@pytest.fixture(scope="module")
def undisturbed():
    return run()


def test_a_sample_is_fitted_and_the_others_are_placed(undisturbed):
    which = np.sort(np.random.default_rng(2).choice(230, 80, replace=False))
    fitted = model().fit(X[which])
    rest = np.setdiff1d(np.arange(230), which)
    assert undisturbed.shape == (230, 2)
    assert np.array_equal(undisturbed[which], fitted.embedding_)
    assert np.array_equal(undisturbed[rest], fitted.transform(X[rest]))


@pytest.mark.parametrize("block", [1000, 230, 16])
def test_the_size_of_a_block_changes_no_bit(undisturbed, block):
    assert np.array_equal(run(block=block), undisturbed)


def test_other_processes_change_no_bit(undisturbed):
    assert np.array_equal(run(n_jobs=2), undisturbed)


def test_an_array_on_disk_is_read_in_blocks(undisturbed, tmp_path):
    np.save(tmp_path / "X.npy", X)
    on_disk = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert np.array_equal(run(on_disk), undisturbed)


class Counted:
    """An array of which it is known how many rows were asked for at a time."""

    def __init__(self, X):
        self.X, self.shape, self.asked = X, X.shape, []

    def __getitem__(self, which):
        found = self.X[which]
        self.asked.append(len(found))
        return found


def test_never_are_all_rows_asked_for(undisturbed):
    counted = Counted(X)
    assert np.array_equal(run(counted), undisturbed)
    assert counted.asked[0] == 80 and max(counted.asked[1:]) == 37 and sum(counted.asked[1:]) == 230


def test_all_are_refined_together(undisturbed):
    refined = run(refine=15)
    wanted = model(init=undisturbed, max_iter=15, exaggeration=1.0).fit(X).embedding_
    assert np.array_equal(refined, wanted) and not np.array_equal(refined, undisturbed)


def test_another_seed_draws_another_sample(undisturbed):
    assert not np.array_equal(run(estimator=model(random_state=1)), undisturbed)


def test_any_estimator_that_transforms_will_do():
    which = np.sort(np.random.default_rng(2).choice(230, 80, replace=False))
    Y = run(estimator=PCA(2, random_state=2), refine=None)
    np.testing.assert_allclose(Y, PCA(2, random_state=2).fit(X[which]).transform(X))


# Files


def test_what_is_done_is_not_done_again(undisturbed, tmp_path, monkeypatch):
    path, found = tmp_path / "map.npy", places._placed

    def fails(model, X, block, n_features):
        if block.start == 111:
            raise places.Lost("the power failed")
        return found(model, X, block, n_features)

    monkeypatch.setattr(places, "_placed", fails)
    with pytest.raises(RuntimeError, match=r"the power failed; 3 of 7 blocks are done.* 0, 37, 74: they are in .*map"):
        run(path=path)
    made = []
    monkeypatch.setattr(places, "_placed", lambda *given: made.append(given[2].start) or found(*given))
    Y = run(path=path)
    assert made == [111, 148, 185, 222]
    assert np.array_equal(Y, undisturbed) and np.array_equal(np.load(path), undisturbed)
    assert isinstance(Y, np.memmap) and not Y.flags.writeable
    assert np.array_equal(run(path=path), undisturbed) and len(made) == 4


def test_a_refined_file_is_not_refined_again(tmp_path, monkeypatch):
    path = tmp_path / "map.npy"
    refined = run(refine=15)
    assert np.array_equal(run(refine=15, path=path), refined)
    monkeypatch.setattr(ns.TSNE, "fit", None)
    assert np.array_equal(run(refine=15, path=path), refined)


def test_an_interrupt_before_the_refined_map_is_written_has_it_refined_again(tmp_path, monkeypatch):
    from notebook_sne.machine import files

    path = tmp_path / "map.npy"
    with monkeypatch.context() as patch:

        def fails(path):
            raise OSError("the disk is full")

        patch.setattr(files, "write_whole", _only_the_list(files.write_whole, fails))
        with pytest.raises(OSError, match="the disk is full"):
            run(refine=15, path=path)
    assert np.array_equal(run(refine=15, path=path), run(refine=15))


def _only_the_list(write, fails):
    return lambda path: write(path) if str(path).endswith(".blocks") else fails(path)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"given": X + 1.0}, "data"),
        ({"estimator": model(perplexity=7)}, "parameters"),
        ({"block": 50}, "block"),
        ({"refine": 3}, "refine"),
        ({"estimator": ns.SNE(perplexity=6, max_iter=40, random_state=2)}, "model, parameters"),
    ],
    ids=["data", "parameters", "block", "refine", "model"],
)
def test_a_file_of_another_call_is_refused(tmp_path, changes, what):
    run(path=tmp_path / "map.npy")
    with pytest.raises(ValueError, match=f"path must be a new file or one of this call, .* another {what}"):
        run(path=tmp_path / "map.npy", **changes)


def test_a_file_of_something_else_is_refused_and_stays(tmp_path):
    (tmp_path / "map.npy").write_text("mine")
    with pytest.raises(ValueError, match="path must be a new file, or one that embed_in_blocks has written"):
        run(path=tmp_path / "map.npy")
    assert (tmp_path / "map.npy").read_text() == "mine"


# Bad input


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"sample": 230}, ValueError, "sample must be below the number of objects, 230, got 230"),
        ({"sample": 2}, ValueError, "sample must be at least 3"),
        ({"block": 0}, ValueError, "block must be at least 1"),
        ({"refine": -1}, ValueError, "refine must be at least 0"),
        ({"given": X[0]}, ValueError, "X must have two dimensions"),
        ({"estimator": ns.TSNE}, TypeError, "model must be an estimator"),
        ({"estimator": ns.AspectMaps()}, TypeError, "in one map by transform, which AspectMaps does not"),
        ({"estimator": model(input="distances")}, ValueError, "model must be of vectors"),
        ({"estimator": PCA(2), "refine": 3}, ValueError, "refine must be 0 for a model without init"),
        ({"estimator": model(random_state=None), "path": "map.npy"}, ValueError, "random_state of the model must be"),
        ({"client": "tcp://127.0.0.1:1", "n_jobs": 2}, ValueError, "n_jobs must be left out"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be at least 1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_is_refused_in_words(options, error, words):
    with pytest.raises(error, match=words):
        run(**options)


def test_an_array_that_changes_its_shape_is_refused():
    class Shrinking(Counted):
        def __getitem__(self, which):
            return super().__getitem__(which)[:30] if isinstance(which, slice) else super().__getitem__(which)

    with pytest.raises(ValueError, match=r"X must keep its shape, but rows 0 to 36 are now of shape \(30, 6\)"):
        run(Shrinking(X))


def test_an_error_of_a_block_says_which():
    which = np.sort(np.random.default_rng(2).choice(230, 80, replace=False))
    bad = X.copy()
    bad[np.setdiff1d(np.arange(111, 148), which)[0], 0] = np.nan
    with pytest.raises(ValueError, match="X must be finite") as caught:
        run(bad)
    assert caught.value.__notes__ == ["in the block of rows 111 to 147 of X"]
