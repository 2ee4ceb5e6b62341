"""`python -m benchmarks.peers` from its arguments to what it leaves in its folder, on a few hundred objects."""

import contextlib
import importlib.util
import json
import math
import re
import shlex

import pandas as pd
import pytest

from benchmarks.peers import __main__ as command
from benchmarks.peers import theirs
from benchmarks.record import RESULTS

pytestmark = pytest.mark.slow

# The extra that the tests want does not bring it.
HAS_OPENTSNE = importlib.util.find_spec("openTSNE") is not None
PEERS = [*(["openTSNE"] if HAS_OPENTSNE else []), "scikit-learn"]
SIZES = (150, 300)
PARTS = ("iterations", "gaussian", "fits")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a small run, with what it printed in printed.md and said in said.txt."""
    folder = tmp_path_factory.mktemp("peers")
    options = "--quick --rounds 2 --threads 1 --sizes 150 300 --fits 150".split()
    with (folder / "printed.md").open("w") as out, (folder / "said.txt").open("w") as err:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            command.main([*options, "--output", str(folder)])
    return folder


@pytest.fixture(scope="module")
def results(folder):
    return {part: json.loads((folder / f"peers_{part}.json").read_text(encoding="utf-8")) for part in PARTS}


def rows_of(results, part, **cells):
    return [row for row in results[part]["rows"] if all(row.get(name) == value for name, value in cells.items())]


def test_every_part_is_kept_with_machine_and_versions(results):
    for result in results.values():
        assert {"date", "machine", "packages", "settings", "rows"} == set(result)
        assert {"cpu", "cores", "load", "system", "python"} == set(result["machine"])
        assert {"notebook_sne", "numpy", "scipy", "numba", *PEERS} <= set(result["packages"])
        assert result["settings"]["threads"] == 1 and result["settings"]["rounds"] == 2
        assert result["rows"]
        for row in result["rows"]:
            for name, value in row.items():
                assert isinstance(value, str | int) or (math.isfinite(value) and value >= 0), (name, value)


def test_the_command_that_repeats_a_run_is_kept(results):
    words = shlex.split(results["fits"]["settings"]["command"])
    assert words[:3] == ["python", "-m", "benchmarks.peers"]
    asked = command.plan(words[3:])
    assert (asked.sizes, asked.fits, asked.gaussian_fits) == (list(SIZES), [150], [])
    assert (asked.rounds, asked.threads, asked.quick) == (2, 1, True)


@pytest.mark.parametrize("part", PARTS)
def test_the_command_of_a_kept_result_is_one_that_there_is(part):
    kept = json.loads((RESULTS / f"peers_{part}.json").read_text(encoding="utf-8"))
    # Aspect maps of words were measured by the same command, and are not any more.
    words = shlex.split(re.sub(r" --word(s|-fits)( \d+)+", "", kept["settings"]["command"]))
    assert words[:3] == ["python", "-m", "benchmarks.peers"]
    asked = command.plan(words[3:])
    assert (asked.rounds, asked.threads) == (kept["settings"]["rounds"], kept["settings"]["threads"])
    if part != "fits":
        assert {row["objects"] for row in kept["rows"]} == set(asked.sizes)


def test_all_codes_are_measured_at_all_sizes(results):
    ours = {"notebook_sne", "notebook_sne, mesh", "notebook_sne, exact", "notebook_sne, update"}
    theirs = {"scikit-learn, Barnes-Hut", "scikit-learn, exact"}
    theirs |= {"openTSNE, FFT", "openTSNE, Barnes-Hut"} if HAS_OPENTSNE else set()
    for size in SIZES:
        assert {row["code"] for row in rows_of(results, "iterations", objects=size)} == ours | theirs
        models = {row["model"] for row in rows_of(results, "gaussian", objects=size)}
        assert models == {"t-SNE", "SNE", "symmetric SNE", "UNI-SNE"}


def test_a_median_lies_between_the_extremes_and_ratios_are_those_of_the_times(results):
    for part in ("iterations", "gaussian"):
        for row in results[part]["rows"]:
            assert 0 < row["ms, least"] <= row["ms, median"] <= row["ms, greatest"]
    for size in SIZES:
        (ours,) = rows_of(results, "iterations", objects=size, code="notebook_sne")
        assert ours["times ours"] == 1
        for row in rows_of(results, "iterations", objects=size):
            # The median of ratios lies between the extreme ones; the digits of all are rounded.
            least, greatest = row["ms, least"] / ours["ms, greatest"], row["ms, greatest"] / ours["ms, least"]
            assert 0.999 * least <= row["times ours"] <= 1.001 * greatest


def test_errors_are_those_that_the_codes_are_known_for(results):
    for size in SIZES:
        errors = {
            row["code"]: row["error / repulsion"]
            for row in rows_of(results, "iterations", objects=size)
            if "error / repulsion" in row
        }
        assert errors["scikit-learn, exact"] < 1e-12  # double precision
        assert errors["notebook_sne, exact"] < 1e-5  # single
        assert "notebook_sne, update" not in errors
        for name, error in errors.items():
            # A wrong factor, or an attraction left out, would be an error of 1.
            assert error < 0.1, name


def test_fits_say_what_they_took_and_reached(results):
    fits = {row["fit"]: row for row in results["fits"]["rows"]}
    assert set(fits) == {"notebook_sne", "scikit-learn, Barnes-Hut", *(["openTSNE, FFT"] if HAS_OPENTSNE else [])}
    for row in fits.values():
        assert row["seconds"] == pytest.approx(row["affinities, s"] + row["optimization, s"], rel=1e-3)
        assert row["KL"] == pytest.approx(fits["notebook_sne"]["KL"], rel=0.2)  # equally good maps, or nearly
        assert row["KL, of ours"] == pytest.approx(row["KL"] / fits["notebook_sne"]["KL"], rel=1e-3)
        assert 0.1 < row["neighbor recall"] <= 1 and row["1-NN error"] < 0.2
        assert 0 < row["updates"] <= 300


def test_progress_is_told_and_tables_are_printed(folder, results):
    said, printed = ((folder / name).read_text(encoding="utf-8") for name in ("said.txt", "printed.md"))
    assert f"{SIZES[0]} objects: gradients of t-SNE" in said
    assert "notebook_sne: a fit of 150 objects" in said
    for part, result in results.items():
        assert f"peers_{part}\n{pd.DataFrame(result['rows']).to_string(index=False)}\n" in printed


def test_a_part_that_is_not_asked_for_stays_as_it_was(folder, results, capsys):
    kept = {part: (folder / f"peers_{part}.json").read_bytes() for part in PARTS}
    command.main(["--quick", "--sizes", "150", "--rounds", "1", "--output", str(folder)])
    now = {part: (folder / f"peers_{part}.json").read_bytes() for part in PARTS}
    assert [part for part in PARTS if now[part] != kept[part]] == ["iterations", "gaussian"]
    for part in PARTS:
        (folder / f"peers_{part}.json").write_bytes(kept[part])
    assert "150 objects: gradients" in capsys.readouterr().err


def test_a_peer_that_is_missing_is_named_and_left_out(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "openTSNE" else name)
    assert theirs.installed() == ["scikit-learn"]
    command.main(["--quick", "--output", str(tmp_path / "new")])
    assert 'openTSNE is not installed and not measured: pip install ".[bench]"' in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--sizes", "20"], "must be a whole number of at least 150 and at most 70000, got '20'"),
        (["--sizes", "1000", "70001"], "must be a whole number of at least 150 and at most 70000, got '70001'"),
        (["--gaussian-fits", "70001"], "at most 70000"),
        (["--rounds", "0"], "must be a whole number of at least 1, got '0'"),
        (["--threads", "two"], "got 'two'"),
        (["--fits", "-5"], "--fits"),
    ],
)
def test_wrong_options_are_wrong_usage(arguments, words, capsys):
    with pytest.raises(SystemExit, match="2"):
        command.main(arguments)
    assert words in capsys.readouterr().err
