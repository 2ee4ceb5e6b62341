"""The benchmark of very many objects, on few."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import notebook_sne as ns
from benchmarks import deformed, million
from tests.benchmarks import pages

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def X():
    return ns.datasets.load_clusters((60, 80, 60), widths=1.0, n_features=8).X.astype(np.float32)


def deformed_images(images, **changes):
    """Images under the map of 0 degrees, no change of size, no shear and no move, but for what is given."""
    neutral = {"angle": 0.0, "high": 1.0, "wide": 1.0, "shear": 0.0, "right": 0.0, "down": 0.0}
    affine = np.array([list({**neutral, **changes}.values())] * len(images))
    made = np.zeros_like(images)
    deformed._deform(images, np.arange(len(images)), affine, made)
    return made


def test_an_image_under_no_deformation_is_itself_and_one_that_is_moved_stands_elsewhere():
    images = np.random.default_rng(0).random((3, 28, 28)).astype(np.float32)
    np.testing.assert_allclose(deformed_images(images), images, rtol=1e-5)
    moved = deformed_images(images, right=2.0, down=-1.0)
    np.testing.assert_allclose(moved[:, :-1, 2:], images[:, 1:, :-2], rtol=1e-5)
    assert not moved[:, -1].any() and not moved[:, :, :2].any()
    turned = deformed_images(images, angle=np.pi / 2)
    np.testing.assert_allclose(turned, np.rot90(images, -1, axes=(1, 2)), atol=1e-4)


def test_a_fit_is_told_whole_and_its_map_judged_by_the_cost_that_it_says_itself(X):
    Y, row = million.fit("t-SNE", X, 30, 1)
    assert row["fit"] == "t-SNE" and row["updates"] == 30 and row["recall of neighbors"] == 1.0
    assert row["seconds"] == pytest.approx(row["P and start, s"] + row["updates, s"], abs=0.11)
    model = ns.TSNE(init=Y, max_iter=1, exaggeration=1.0, random_state=0, progress=False)
    worth = million.judge(X, {"t-SNE": Y, "noise": np.random.default_rng(0).normal(size=Y.shape)}, 1)
    assert worth["t-SNE"]["KL"] == pytest.approx(next(model.iterate(X)).cost, abs=2e-3)
    assert worth["t-SNE"]["neighbors kept"] > 2 * worth["noise"]["neighbors kept"]


@pytest.mark.parametrize("name", sorted(set(million.OURS) - set(million.JUDGED)))
def test_the_other_models_are_told_by_their_neighbors_alone(X, name):
    Y, row = million.fit(name, X, 9, 1)
    assert row["fit"] == name and row["updates"] <= 9 and Y.shape == (len(X), 2)
    worth = million.judge(X, {name: Y}, 1)[name]
    assert worth["KL"] is None and 0 < worth["neighbors kept"] <= 1


@pytest.mark.slow
def test_a_run_keeps_its_rows_and_goes_on_from_what_is_kept(X, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(million, "deformed_digits", lambda n: (X[:n], None))
    asked = ["--objects", "150", "--models", "t-SNE", "SNE", "--updates", "12", "--threads", "1"]
    asked += ["--output", str(tmp_path / "out"), "--folder", str(tmp_path / "maps"), "--name", "few"]
    million.main(asked)
    first, again = json.loads((tmp_path / "out" / "few.json").read_text()), million.main(asked)
    assert again is None and [row["fit"] for row in first["rows"]] == ["t-SNE", "SNE"]
    assert re.search(r" 150 +t-SNE +12 ", capsys.readouterr().out)
    second = json.loads((tmp_path / "out" / "few.json").read_text())
    assert second["rows"][0] == first["rows"][0]  # t-SNE was not fitted anew


def test_the_guide_says_what_was_measured():
    text = (ROOT / "docs" / "guide" / "many.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^On two cores, .*?for each object\.", text, re.M | re.S)
    short, row = (pages.row("million_descent", objects=1_000_000, fit=fit) for fit in ("t-SNE, two thirds", "t-SNE"))
    minutes, share = row["seconds"] / 60, row["above imports and data, MB"] / 1000
    expected = [1e6, 50, minutes, row["P and start, s"] / 60, row["updates"], row["peak, MB"] / 1000, share]
    pages.agree(said, expected)
    (said,) = re.findall(r"Its map keeps\s.*?of the neighbors:", text, re.M | re.S)
    sne, symmetric, uniform = (
        pages.row("million", objects=1_000_000, fit=name) for name in ("SNE", "symmetric SNE", "UNI-SNE")
    )
    minutes = [each["seconds"] / 60 for each in (sne, symmetric, uniform)]
    kept = [each["neighbors kept"] for each in (row, short, sne, symmetric, uniform)]
    pages.agree(said, [kept[0], short["updates"], short["seconds"] / 60, kept[1], *minutes, *kept[2:]])
