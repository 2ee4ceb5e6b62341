"""The benchmark of KL against seconds, on few objects."""

import json

import numpy as np
import pytest

import notebook_sne as ns
from benchmarks import against_seconds, drawing, figures


@pytest.fixture(scope="module")
def X():
    return ns.datasets.load_clusters((60, 80, 60), widths=1.0, n_features=8).X.astype(np.float32)


def test_the_clock_stands_still_while_a_map_is_kept(monkeypatch):
    told = iter([100.0, 103.0, 110.0, 112.0, 120.0])  # begun; asked and kept, twice
    monkeypatch.setattr(against_seconds.time, "perf_counter", lambda: next(told))
    watch = against_seconds._Watch()
    watch.keep(0, [[0.0, 1.0]])
    watch.keep(25, [[0.0, 1.0]])
    assert watch.seconds == [3.0, 5.0] and watch.updates == [0, 25]


@pytest.mark.slow
def test_maps_of_ours_are_those_of_a_fit(X):
    updates, seconds, maps = against_seconds.maps_of("notebook_sne", X, 0, 1)
    assert updates == list(range(0, 751, 25)) and seconds == sorted(seconds)
    for state in ns.TSNE(random_state=0, n_jobs=1, progress=False).iterate(X):
        if state.iteration == 100:
            break
    np.testing.assert_array_equal(maps[4], state.embedding.astype(np.float32))


@pytest.mark.slow
def test_a_run_keeps_rows_of_all_maps_and_goes_on_from_what_is_kept(X, tmp_path, capsys):
    (tmp_path / "200").mkdir()
    np.save(tmp_path / "200" / "objects.npy", X)
    arguments = [
        "--objects",
        "200",
        "--methods",
        "notebook_sne",
        "--seeds",
        "2",
        "--threads",
        "1",
        "--output",
        str(tmp_path / "kept"),
    ]
    against_seconds.main([*arguments, "--folder", str(tmp_path)])
    whole = json.loads((tmp_path / "kept" / "against_seconds.json").read_text())
    kept = whole["settings"]["curves"]
    assert [row["updates"] for row in whole["rows"]] == [250, 350, 500, 750] and whole["rows"][3]["seeds"] == 2
    assert (
        min(kept[30]["KL"], kept[61]["KL"])
        <= whole["rows"][3]["KL"] + 1e-3
        <= max(kept[30]["KL"], kept[61]["KL"]) + 2e-3
    )
    assert [row["seed"] for row in kept] == [0] * 31 + [1] * 31
    assert kept[30]["KL"] < kept[10]["KL"] and kept[30]["neighbors kept"] > kept[0]["neighbors kept"]
    (tmp_path / "200" / "notebook_sne 1.json").unlink()
    against_seconds.main([*arguments, "--folder", str(tmp_path)])
    again = json.loads((tmp_path / "kept" / "against_seconds.json").read_text())["settings"]["curves"]
    assert [row["seconds"] for row in again[:31]] == [row["seconds"] for row in kept[:31]]
    assert [row["KL"] for row in again] == [row["KL"] for row in kept]
    capsys.readouterr()


def test_curves_lie_within_their_frame_whose_ends_are_written(tmp_path, monkeypatch):
    series = {"one": ([[0, 5, 200]] * 2, [[3.0, 2.7, 2.5], [3.1, 2.8, 9.0]]), "a dot": ([[10]], [[2.6]])}
    lines = "\n".join(drawing.curves(series, side=300, frame=(0, 100, 2.5, 3.5)))
    assert lines.count("<polyline") == 2 and lines.count("<circle") == 1
    assert all(f">{end}<" in lines for end in ("0", "100", "2.5", "3.5"))
    assert not any(float(x) > 290 for x in lines.split('points="')[1].split('"')[0].replace(",", " ").split())


def test_the_figure_is_drawn_from_what_was_kept(tmp_path, monkeypatch, capsys):
    rows = [
        {"fit": fit, "seed": 0, "updates": n, "seconds": float(n), "KL": kl, "neighbors kept": 0.38}
        for fit, n, kl in (("notebook_sne", 25, 3.0), ("notebook_sne", 50, 2.6), ("umap-learn", 60, None))
    ]
    monkeypatch.setattr(figures, "kept", lambda name: {"settings": {"curves": rows}})
    monkeypatch.setattr(drawing, "FIGURES", tmp_path)
    figures.kl_against_seconds()
    drawn = (tmp_path / "kl_against_seconds.svg").read_text()
    assert drawn.count("<polyline") == 2 and drawn.count("<circle") == 1 and "nats" in drawn
    capsys.readouterr()


def test_a_row_tells_when_ours_is_as_low_as_another_ends():
    def rows(fit, *costs):
        return [
            {"objects": 9, "fit": fit, "seed": seed, "updates": 25 * k, "seconds": k + seed, "KL": cost,
             "neighbors kept": 0.1 * k}
            for seed in (0, 1) for k, cost in enumerate(costs)
        ]  # fmt: skip

    found = against_seconds.ends([*rows("notebook_sne", 4, 2, 1), *rows("openTSNE", 5, 3), *rows("scikit-learn", 0.5)])
    assert [row["until the end of"] for row in found] == ["notebook_sne", "openTSNE", "scikit-learn"]
    ours, theirs, never = found
    assert (ours["seconds"], ours["ours, seconds"], theirs["seconds"], theirs["KL"]) == (2.5, 2.5, 1.5, 3)
    assert (theirs["ours, seconds"], theirs["ours, updates"], theirs["ours, neighbors kept"]) == (1.5, 25, 0.1)
    assert never["ours, seconds"] is None and never["seeds"] == 2
