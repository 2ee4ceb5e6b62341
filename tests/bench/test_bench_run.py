"""`notebook-sne bench` from its arguments to what it leaves in its folder, on a few hundred objects."""

import importlib.util
import json
import math
import re

import numpy as np
import pytest

from notebook_sne import cli
from notebook_sne.bench import command, report
from notebook_sne.cli import command as commands

# The extra that the tests want does not bring it.
HAS_OPENTSNE = importlib.util.find_spec("openTSNE") is not None
PEERS = ["scikit-learn", *(["openTSNE"] if HAS_OPENTSNE else [])]
SIZES, WORDS = (150, 300), (150, 250)


@pytest.fixture(scope="module")
def said():
    return []


@pytest.fixture(scope="module")
def folder(tmp_path_factory, said):
    """The folder of a small run."""
    folder = tmp_path_factory.mktemp("bench") / "results"
    options = "--quick --rounds 2 --maps 3 --threads 1 --fits 150 --word-fits 150 --gaussian-fits".split()
    options += ["--sizes", *map(str, SIZES), "--words", *map(str, WORDS), "--peers", *PEERS, "--output", str(folder)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "_say", lambda line, began: said.append(line))
        assert cli.main(["bench", *options]) == 0
    return folder


@pytest.fixture(scope="module")
def results(folder):
    return report.read(folder)


def rows_of(results, part, **cells):
    return [row for row in results[part]["rows"] if all(row.get(name) == value for name, value in cells.items())]


def test_every_part_is_kept_with_machine_and_versions(results):
    assert list(results) == list(report.PARTS)
    for result in results.values():
        assert {"date", "machine", "packages", "settings", "rows"} == set(result)
        assert {"cpu", "cores", "load", "system", "python"} == set(result["machine"])
        assert {"notebook_sne", "numpy", "scipy", "numba", *PEERS} <= set(result["packages"])
        assert result["settings"]["threads"] == 1 and result["settings"]["rounds"] == 2
        assert result["rows"]
        for row in result["rows"]:
            for name, value in row.items():
                # A slope of a few times, so short here, may have any sign.
                least = -math.inf if name == "growth exponent" else 0
                assert isinstance(value, str | int) or (math.isfinite(value) and value >= least), (name, value)


def test_the_command_that_repeats_a_run_is_kept(results):
    words = results["peers_fits"]["settings"]["command"].split()
    assert words[:2] == ["notebook-sne", "bench"] and words[-1] == "--quick"
    asked = commands._parser().parse_args(words[1:])
    assert (asked.sizes, asked.fits, asked.words, asked.gaussian_fits) == (list(SIZES), [150], list(WORDS), [])
    assert (asked.peers, asked.rounds, asked.maps, asked.threads) == (PEERS, 2, 3, 1)


def test_all_codes_are_measured_at_all_sizes(results):
    ours = {"notebook_sne", "notebook_sne, mesh", "notebook_sne, exact", "notebook_sne, update"}
    theirs = {"scikit-learn, Barnes-Hut", "scikit-learn, exact"}
    theirs |= {"openTSNE, FFT", "openTSNE, Barnes-Hut"} if HAS_OPENTSNE else set()
    for size in SIZES:
        assert {row["code"] for row in rows_of(results, "peers_iterations", objects=size)} == ours | theirs
        models = {row["model"] for row in rows_of(results, "peers_gaussian", objects=size)}
        assert models == {"t-SNE", "SNE", "symmetric SNE", "UNI-SNE"}
    assert {row["kernel"] for row in rows_of(results, "peers_repulsion", objects=300)} == {"Gaussian", "Student-t"}


def test_a_median_lies_between_the_extremes_and_ratios_are_those_of_the_times(results):
    for part in ("peers_iterations", "peers_gaussian", "peers_repulsion", "peers_words"):
        for row in results[part]["rows"]:
            if "growth exponent" not in row:
                assert 0 < row["ms, least"] <= row["ms, median"] <= row["ms, greatest"]
    for size in SIZES:
        (ours,) = rows_of(results, "peers_iterations", objects=size, code="notebook_sne")
        assert ours["times ours"] == 1
        for row in rows_of(results, "peers_iterations", objects=size):
            # The median of ratios lies between the extreme ones; the digits of all are rounded.
            least, greatest = row["ms, least"] / ours["ms, greatest"], row["ms, greatest"] / ours["ms, least"]
            assert 0.999 * least <= row["times ours"] <= 1.001 * greatest


def test_errors_are_those_that_the_codes_are_known_for(results):
    for size in SIZES:
        errors = {
            row["code"]: row["error / repulsion"]
            for row in rows_of(results, "peers_iterations", objects=size)
            if "error / repulsion" in row
        }
        assert errors["scikit-learn, exact"] < 1e-12  # double precision
        assert errors["notebook_sne, exact"] < 1e-5  # single
        assert "notebook_sne, update" not in errors
        for name, error in errors.items():
            # A wrong factor, or an attraction left out, would be an error of 1.
            assert error < 0.1, name


def test_words_grow_and_fits_are_compared(results):
    sums = {"auto", "mesh", "exact"}
    for place in ("start", "fitted"):
        rows = rows_of(results, "peers_words", place=place)
        for words in WORDS:
            assert {row["sums"] for row in rows if row["words"] == words} == sums
        grown = [row for row in rows if "growth exponent" in row]
        assert {row["sums"] for row in grown} == sums
        assert {row["words"] for row in grown} == {f"{WORDS[0]} to {WORDS[1]}"}
    fits = {row["sums"]: row for row in rows_of(results, "peers_word_fits", words=150)}
    assert set(fits) == sums and fits["exact"]["cost / exact"] == 1
    assert fits["auto"]["times auto"] == 1
    assert fits["mesh"]["cost / exact"] == pytest.approx(fits["mesh"]["cost"] / fits["exact"]["cost"], rel=1e-4)


def test_fits_say_what_they_took_and_reached(results):
    fits = {row["fit"]: row for row in results["peers_fits"]["rows"]}
    assert set(fits) == {"notebook_sne", "scikit-learn, Barnes-Hut", *(["openTSNE, FFT"] if HAS_OPENTSNE else [])}
    for row in fits.values():
        assert row["seconds"] == pytest.approx(row["affinities, s"] + row["optimization, s"], rel=1e-3)
        assert row["KL"] == pytest.approx(fits["notebook_sne"]["KL"], rel=0.2)  # equally good maps, or nearly
        assert row["KL, of ours"] == pytest.approx(row["KL"] / fits["notebook_sne"]["KL"], rel=1e-3)
        assert 0.1 < row["neighbor recall"] <= 1 and row["1-NN error"] < 0.2
        assert 0 < row["updates"] <= 300


def test_progress_is_told(said, results):
    assert f"{SIZES[0]} objects: gradients of t-SNE" in said
    assert "notebook_sne: a fit of 150 objects" in said


def test_the_tables_are_written_as_markdown(folder, results):
    text = (folder / "peers.md").read_text(encoding="utf-8")
    for part, title in report.PARTS.items():
        assert f"## {title}\n" in text
        columns = list(dict.fromkeys(key for row in results[part]["rows"] for key in row))
        assert "| " + " | ".join(columns) + " |" in text
    assert results["peers_fits"]["machine"]["cpu"] in text


def test_the_figure_shows_the_growth_of_every_code_and_fetches_nothing(folder, results):
    column = report.figure(results)
    student, _, words = column.children
    for figure, part, of in (
        (student, "peers_iterations", lambda row: row["code"]),
        (words, "peers_words", lambda row: f"{row['sums']}, {row['place']}"),
    ):
        assert [type(axis).__name__ for axis in figure.axis] == ["LogAxis", "LogAxis"]
        assert figure.yaxis.axis_label.text == "milliseconds, median"
        measured = [row for row in results[part]["rows"] if "ms, median" in row]
        for name in {of(row) for row in measured}:
            (line,) = [renderer for renderer in figure.renderers if renderer.name == name]
            expected = [row["ms, median"] for row in measured if of(row) == name]
            np.testing.assert_array_equal(line.data_source.data["y"], expected)
    np.testing.assert_array_equal(student.renderers[0].data_source.data["x"], SIZES)
    page = (folder / "peers.html").read_text(encoding="utf-8")
    assert "t-SNE, one gradient" in page
    assert not re.search(r"<(script|link)[^>]+(src|href)=", page)


def test_a_code_that_was_not_measured_everywhere_leaves_a_gap(results):
    fewer = json.loads(json.dumps(results))
    rows = fewer["peers_iterations"]["rows"]
    rows.remove(next(row for row in rows if row["objects"] == 300 and row["code"] == "scikit-learn, exact"))
    student = report.figure(fewer).children[0]
    (line,) = [renderer for renderer in student.renderers if renderer.name == "scikit-learn, exact"]
    assert np.isnan(line.data_source.data["y"][1]) and line.data_source.data["y"][0] > 0


def test_one_size_has_no_growth_to_draw():
    rows = [{"objects": 150, "code": "notebook_sne", "ms, median": 1.0}]
    assert report.figure({"peers_iterations": {"rows": rows}}) is None
    assert report.page({}) is None


def test_a_part_that_is_not_asked_for_stays_as_it_was(folder, results, capsys):
    kept = {name: (folder / f"{name}.json").read_bytes() for name in report.PARTS}
    options = ["--sizes", "--fits", "--words", "150", "--word-fits", "--peers", "--rounds", "1", "--maps", "2"]
    assert cli.main(["bench", "--quick", *options, "--output", str(folder)]) == 0
    now = {name: (folder / f"{name}.json").read_bytes() for name in report.PARTS}
    assert [name for name in report.PARTS if now[name] != kept[name]] == ["peers_words"]
    assert "## Whole fits" in (folder / "peers.md").read_text(encoding="utf-8")
    (folder / "peers_words.json").write_bytes(kept["peers_words"])
    assert "150 words: gradients" in capsys.readouterr().err


def test_a_missing_peer_is_an_error_that_names_the_extra(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "openTSNE" else name)
    assert cli.main(["bench", "--quick", "--output", str(tmp_path / "new")]) == 1
    said = capsys.readouterr().err
    assert 'pip install "notebook_sne[bench]"' in said and "--peers scikit-learn" in said
    assert said.count("\n") == 1 and not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "arguments", [["--sizes", "20"], ["--rounds", "0"], ["--threads", "two"], ["--peers", "umap"], ["--fits", "-5"]]
)
def test_wrong_options_of_bench_are_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["bench", *arguments])
    assert "usage: notebook-sne bench" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--sizes", "1000", "70001"], "--sizes must be at most 70000, all that there are, got 70001"),
        (["--gaussian-fits", "80000"], "--gaussian-fits must be at most 70000"),
        (["--word-fits", "6000"], "--word-fits must be at most 5018"),
    ],
)
def test_more_objects_than_there_are_is_an_error(arguments, words, tmp_path, capsys):
    assert cli.main(["bench", "--peers", "scikit-learn", *arguments, "--output", str(tmp_path)]) == 1
    assert words in capsys.readouterr().err
