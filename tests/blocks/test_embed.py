"""Objects placed in blocks: the same map however it is made, files that go on, and what is refused."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

import notebook_sne as ns
from notebook_sne.blocks import kept, places
from notebook_sne.machine import files
from tests.archives.damage import rewritten

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


@pytest.mark.slow
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

    def counted(model, X, block, n_features):
        made.append((block.start, len(block.wanted) > 0))
        return found(model, X, block, n_features)

    monkeypatch.setattr(places, "_placed", counted)
    Y = run(path=path)
    # Of those that are done, only the rows are compared.
    assert made == [*((start, False) for start in (0, 37, 74)), *((start, True) for start in (111, 148, 185, 222))]
    assert np.array_equal(Y, undisturbed) and np.array_equal(np.load(path), undisturbed)
    assert isinstance(Y, np.memmap) and not Y.flags.writeable
    made.clear()
    assert np.array_equal(run(path=path), undisturbed) and not any(placed for _, placed in made)


def test_a_refined_file_is_not_refined_again(tmp_path, monkeypatch):
    path = tmp_path / "map.npy"
    refined = run(refine=15)
    assert np.array_equal(run(refine=15, path=path), refined)
    monkeypatch.setattr(ns.TSNE, "fit", None)
    assert np.array_equal(run(refine=15, path=path), refined)


def test_an_interrupt_before_the_refined_map_is_written_has_it_refined_again(tmp_path, monkeypatch):
    path = tmp_path / "map.npy"
    with monkeypatch.context() as patch:

        def fails(*given):
            raise OSError("the disk is full")

        patch.setattr(np, "save", fails)
        with pytest.raises(OSError, match="the disk is full"):
            run(refine=15, path=path)
    assert np.array_equal(run(refine=15, path=path), run(refine=15))


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
    with pytest.raises(ValueError, match=f"path must be a new file or one of this call, .* is of other {what}"):
        run(path=tmp_path / "map.npy", **changes)


def test_a_file_of_something_else_is_refused_and_stays(tmp_path):
    (tmp_path / "map.npy").write_text("mine")
    with pytest.raises(ValueError, match="path must be a new file, or one that embed_in_blocks has written"):
        run(path=tmp_path / "map.npy")
    assert (tmp_path / "map.npy").read_text() == "mine"


def begun(path, blocks=3, **options):
    """Place some blocks into a file."""
    found = places._placed

    def fails(model, X, block, n_features):
        if block.start >= 37 * blocks:
            raise places.Lost("the power failed")
        return found(model, X, block, n_features)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(RuntimeError, match="the power failed"):
        patch.setattr(places, "_placed", fails)
        run(path=path, **options)
    return path


FITTED = np.sort(np.random.default_rng(2).choice(230, 80, replace=False))
OTHERS = np.setdiff1d(np.arange(230), FITTED)


@pytest.mark.parametrize("blocks", [3, 7])
def test_rows_that_have_changed_since_they_were_placed_are_refused(tmp_path, blocks):
    path = begun(tmp_path / "map.npy") if blocks == 3 else tmp_path / "map.npy"
    if blocks == 7:
        run(path=path)
    before = path.read_bytes()
    changed = X.copy()
    changed[OTHERS[OTHERS >= 37][0], 3] += 1e-9
    with pytest.raises(ValueError, match=r"X must be what it was .* rows 37 to 73 have changed; give the X of before"):
        run(changed, path=path)
    changed[OTHERS] *= 3.0
    with pytest.raises(ValueError, match=f"rows 0 to 36 and those of {blocks - 1} more blocks have changed"):
        run(changed, path=path)
    assert path.read_bytes() == before
    later = X.copy()
    later[OTHERS[OTHERS >= 111]] *= 3.0
    if blocks == 3:
        assert not np.array_equal(run(later, path=path), run())  # what is not placed yet may change


def harm(path, begin, end=None, content=None):
    whole = path.read_bytes()
    path.write_bytes(whole[:begin] + (bytes(end - begin) if content is None else content) + whole[end or len(whole) :])


HARMS = {
    "cut": (lambda path: harm(path, 2000, None, b""), "it has 2,000 bytes, and its places need 3,808"),
    "cut in its header": (lambda path: harm(path, 90, None, b""), "it is no plain array of numbers"),
    "empty": (lambda path: path.write_bytes(b""), "it is no plain array of numbers"),
    "longer": (lambda path: harm(path, 3808, None, b"more"), "it has 3,812 bytes, and its places need 3,808"),
    "of text": (lambda path: path.write_text("mine"), "it is no plain array of numbers"),
    "NaN": (lambda path: np.save(path, np.full((230, 2), np.nan)), "the places of the sample are not those"),
    "small": (lambda path: np.save(path, np.zeros((7, 3), "i2")), r"it holds int16 of shape \(7, 3\), and its pl"),
    "of another type": (lambda path: np.save(path, np.zeros((230, 2), "f4")), "it holds float32 of shape"),
    "by columns": (lambda path: np.save(path, np.zeros((2, 230)).T), "it is no plain array of numbers"),
    "of the sample": (lambda path: harm(path, 128 + 16 * FITTED[5], 136 + 16 * FITTED[5]), "the places of the sample"),
    "of a block": (lambda path: harm(path, 130 + 16 * OTHERS[30], 131 + 16 * OTHERS[30]), "places of rows 37 to 73"),
    "gone": (lambda path: path.unlink(), "it is not there"),
}  # fmt: skip


@pytest.mark.parametrize("name", HARMS)
def test_a_damaged_file_is_refused_by_name_and_stays_as_it_is(tmp_path, name):
    damage, words = HARMS[name]
    path = begun(tmp_path / "map.npy")
    damage(path)
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(ValueError, match=rf"embed_in_blocks left it, but .*map.npy is damaged \(.*{words}"):
        run(path=path)
    assert (path.read_bytes() if path.exists() else None) == before


def test_a_refined_file_that_is_damaged_is_refused(tmp_path):
    run(refine=3, path=tmp_path / "map.npy")
    harm(tmp_path / "map.npy", 128, 136)
    with pytest.raises(ValueError, match=r"map.npy is damaged \(the places of the sample"):
        run(refine=3, path=tmp_path / "map.npy")


def test_a_list_without_blocks_or_of_other_ones_is_refused(tmp_path):
    path = begun(tmp_path / "map.npy")
    listed = path.with_name("map.npy.blocks")
    before = listed.read_bytes()
    for changes, arrays, words in [
        ({"shape": [231, 2]}, {}, "the shape of the places"),
        ({"shape": [230, 0]}, {}, "the shape of the places"),
        ({"shape": [230, True]}, {}, "the shape of the places"),
        ({"fitted": None}, {}, "what was fitted or refined"),
        ({}, {"done": np.array([0, 37, 73])}, "blocks that there are not"),
        ({}, {"done": np.array([0, 37, 37])}, "blocks that there are not"),
        ({}, {"done": np.array([0, 37])}, "does not fit the others"),
        ({"shape": [230, 3]}, {}, r"float64 of shape \(230, 2\), and its places are float64 of shape \(230, 3\)"),
    ]:
        listed.write_bytes(before)
        rewritten(listed, changes, **arrays)
        with pytest.raises(ValueError, match=f"map.npy.* is (neither|damaged) .*{words}.*; give another path"):
            run(path=path)
    listed.unlink()
    with pytest.raises(ValueError, match=r"with map.npy.blocks beside it, but .*map.npy is neither; give another path"):
        run(path=path)


@pytest.mark.parametrize("moment", ["before the list", "before the places", "before the first block"])
def test_a_kill_in_the_first_moment_leaves_what_the_next_call_understands(undisturbed, tmp_path, monkeypatch, moment):
    path, listed = tmp_path / "map.npy", tmp_path / "map.npy.blocks"

    def dies(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        if moment == "before the first block":
            patch.setattr(places, "_placed", dies)
        else:
            patch.setattr(*(kept, "write") if moment == "before the list" else (files, "reserve"), dies)
        run(path=path)
    assert (listed.exists(), path.exists()) == (moment != "before the list", moment == "before the first block")
    assert np.array_equal(run(path=path), undisturbed)


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
