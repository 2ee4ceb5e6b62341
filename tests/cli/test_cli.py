import base64
import json
import os
import re
import subprocess
import sys
import zlib
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from notebook_sne import __version__, cli, datasets
from notebook_sne.browser import jupyter
from notebook_sne.cli import lab, tutorials
from notebook_sne.cli.errors import CommandError
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.run import Run
from notebook_sne.models.sne import SNE
from tests.standins import Drifting
from tests.standins.process import printed

FIRST_COPY = {"01-first.ipynb": "first", "02-later.ipynb": "second", "figures/digits.svg": "<svg/>"}
ANSWERS = {"solutions/01-first.ipynb": "answers"}


@pytest.fixture
def source(tmp_path):
    """The package's tutorials."""
    folder = tmp_path / "package" / "tutorials"
    hidden = {".keep": "", ".ipynb_checkpoints/01-first.ipynb": "left over"}
    for name, text in {**FIRST_COPY, **ANSWERS, **hidden}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def folder(tmp_path):
    """The reader's folder; not made yet."""
    return tmp_path / "reader" / "tutorials"


@pytest.fixture
def started(source, monkeypatch):
    """Commands that were started, which end at once with exit code 7."""
    commands = []
    monkeypatch.setattr(lab, "tutorials_folder", lambda: source)
    monkeypatch.setattr(lab, "_start", lambda command, _: commands.append(command) or 7)
    monkeypatch.setattr(lab.background, "start", lambda: None)
    monkeypatch.setattr(lab.importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(lab, "_is_root", lambda: False)
    return commands


def contents(folder):
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != tutorials.MANIFEST)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


# copying


def test_all_but_hidden_files_and_answers_are_copied(source, folder):
    (report,) = tutorials.copy_tutorials(source, folder)
    assert contents(folder) == FIRST_COPY
    assert report == f"The tutorials are in {folder} (3 copied)"


def test_answers_are_copied_when_they_are_asked_for_and_stay_until_they_are_deleted(source, folder):
    tutorials.copy_tutorials(source, folder)
    (report,) = tutorials.copy_tutorials(source, folder, answers=True)
    assert contents(folder) == FIRST_COPY | ANSWERS and report.endswith("(1 copied)")
    (report,) = tutorials.copy_tutorials(source, folder)
    assert contents(folder) == FIRST_COPY | ANSWERS and report.endswith("(nothing to do)")
    (folder / "solutions/01-first.ipynb").unlink()
    tutorials.copy_tutorials(source, folder)
    assert contents(folder) == FIRST_COPY
    tutorials.copy_tutorials(source, folder, answers=True)
    assert contents(folder) == FIRST_COPY | ANSWERS


def test_answers_that_are_there_are_treated_as_any_other_file(source, folder):
    tutorials.copy_tutorials(source, folder, answers=True)
    (source / "solutions/01-first.ipynb").write_text("better answers")
    (report,) = tutorials.copy_tutorials(source, folder)
    assert contents(folder) == FIRST_COPY | {"solutions/01-first.ipynb": "better answers"}
    assert report.endswith("(1 updated)")
    (folder / "solutions/01-first.ipynb").write_text("mine")
    (source / "solutions/01-first.ipynb").write_text("answers")
    _, said = tutorials.copy_tutorials(source, folder)
    assert said.startswith("solutions/01-first.ipynb has a newer version: yours is unchanged")
    assert contents(folder)["solutions/01-first.ipynb"] == "mine"


def test_a_second_time_there_is_nothing_to_do(source, folder):
    tutorials.copy_tutorials(source, folder)
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*.ipynb")}
    (report,) = tutorials.copy_tutorials(source, folder)
    assert report.endswith("(nothing to do)")
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.ipynb")} == times


def test_what_the_reader_changed_stays(source, folder):
    tutorials.copy_tutorials(source, folder)
    (folder / "01-first.ipynb").write_text("mine")
    (folder / "notes.txt").write_text("also mine")
    (report,) = tutorials.copy_tutorials(source, folder)
    assert contents(folder) == {**FIRST_COPY, "01-first.ipynb": "mine", "notes.txt": "also mine"}
    assert report.endswith("(1 kept as you changed them)")


def test_what_the_reader_did_not_change_is_updated(source, folder):
    tutorials.copy_tutorials(source, folder)
    (source / "01-first.ipynb").write_text("first, improved")
    (report,) = tutorials.copy_tutorials(source, folder)
    assert contents(folder) == {**FIRST_COPY, "01-first.ipynb": "first, improved"}
    assert report.endswith("(1 updated)")
    (source / "01-first.ipynb").write_text("first, improved twice")
    tutorials.copy_tutorials(source, folder)
    assert contents(folder)["01-first.ipynb"] == "first, improved twice"


def test_a_new_version_of_a_changed_file_is_put_beside_it_once(source, folder):
    tutorials.copy_tutorials(source, folder)
    (folder / "01-first.ipynb").write_text("mine")
    (source / "01-first.ipynb").write_text("improved")
    _, said = tutorials.copy_tutorials(source, folder)
    assert said == "01-first.ipynb has a newer version: yours is unchanged, the new one is 01-first.new.ipynb beside it"
    assert contents(folder) == {**FIRST_COPY, "01-first.ipynb": "mine", "01-first.new.ipynb": "improved"}

    (folder / "01-first.new.ipynb").unlink()
    assert len(tutorials.copy_tutorials(source, folder)) == 1
    assert contents(folder) == {**FIRST_COPY, "01-first.ipynb": "mine"}


def test_a_new_version_never_replaces_an_older_one_that_is_being_worked_on(source, folder):
    tutorials.copy_tutorials(source, folder)
    (folder / "01-first.ipynb").write_text("mine")
    for version in ("2", "3"):
        (source / "01-first.ipynb").write_text(version)
        tutorials.copy_tutorials(source, folder)
        (folder / "01-first.new.ipynb").write_text("mine as well")
    found = contents(folder)
    assert (found["01-first.ipynb"], found["01-first.new.ipynb"]) == ("mine", "mine as well")
    assert found["01-first.new2.ipynb"] == "3"


def test_what_the_reader_deleted_comes_back(source, folder):
    tutorials.copy_tutorials(source, folder)
    (folder / "01-first.ipynb").unlink()
    tutorials.copy_tutorials(source, folder)
    assert contents(folder) == FIRST_COPY


def test_a_file_that_was_there_before_is_the_readers(source, folder):
    folder.mkdir(parents=True)
    (folder / "01-first.ipynb").write_text("was here")
    tutorials.copy_tutorials(source, folder)
    assert contents(folder) == {**FIRST_COPY, "01-first.ipynb": "was here", "01-first.new.ipynb": "first"}


@pytest.mark.parametrize("manifest", ["", "no json", "[]", '{"01-first.ipynb": 3}', "\udcff"])
def test_with_a_damaged_manifest_every_other_file_is_the_readers(source, folder, manifest):
    tutorials.copy_tutorials(source, folder)
    (folder / tutorials.MANIFEST).write_bytes(manifest.encode(errors="surrogateescape"))
    (source / "01-first.ipynb").write_text("improved")
    tutorials.copy_tutorials(source, folder)
    assert contents(folder) == {**FIRST_COPY, "01-first.new.ipynb": "improved"}
    assert set(json.loads((folder / tutorials.MANIFEST).read_text())) == set(FIRST_COPY)


def test_a_copy_that_was_cut_short_is_completed(source, folder, monkeypatch):
    write, n_writes = tutorials._write, []

    def full_disk(place, content):
        n_writes.append(place)
        if len(n_writes) == 3:
            raise OSError("No space left on device")
        write(place, content)

    monkeypatch.setattr(tutorials, "_write", full_disk)
    with pytest.raises(OSError, match="No space left"):
        tutorials.copy_tutorials(source, folder)
    monkeypatch.setattr(tutorials, "_write", write)
    (report,) = tutorials.copy_tutorials(source, folder)
    assert contents(folder) == FIRST_COPY
    assert report.endswith("(1 copied)")


def test_the_packages_own_folder_is_left_as_it_is(source):
    before = contents(source)
    tutorials.copy_tutorials(source, source)
    assert contents(source) == before
    assert not (source / tutorials.MANIFEST).exists()


# lab


def test_lab_opens_the_first_tutorial_with_the_same_python(started, folder, capsys):
    assert cli.main(["lab", str(folder), "--no-browser", "--port", "9000", "--", "--ip=0.0.0.0"]) == 7
    assert started == [
        [
            *(sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"),
            *("--LabApp.default_url=/lab/tree/01-first.ipynb", "--no-browser", "--port=9000"),
            *("--Application.log_level=WARN", "--ip=0.0.0.0"),
        ]
    ]
    first, *others = capsys.readouterr().out.splitlines()
    assert first == f"The tutorials are in {folder} (3 copied)" and len(others) == 1


@pytest.mark.parametrize("own", ["--log-level=INFO", "--Application.log_level=10", "--debug"])
def test_a_log_level_of_the_readers_is_the_only_one(own, started, folder):
    cli.main(["lab", str(folder), "--", own])
    assert [one for one in started[0] if one == own or "log_level" in one.partition("=")[0]] == [own]


def test_without_a_folder_lab_takes_one_under_the_present_one(started, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli.main(["lab", "--", "--allow-root"])
    assert contents(tmp_path / "notebook_sne_tutorials") == FIRST_COPY
    assert started[0][3:] == [
        f"--ServerApp.root_dir={tmp_path / 'notebook_sne_tutorials'}",
        "--LabApp.default_url=/lab/tree/01-first.ipynb",
        "--Application.log_level=WARN",
        "--allow-root",
    ]


def test_lab_brings_the_answers_when_they_are_asked_for(started, folder):
    assert cli.main(["lab", str(folder), "--answers"]) == 7
    assert contents(folder) == FIRST_COPY | ANSWERS


def test_lab_compiles_in_the_background(started, folder, monkeypatch):
    monkeypatch.setattr(lab.background, "start", lambda: started.append("compile"))
    cli.main(["lab", str(folder)])
    assert started[0] == "compile" and started[1][2] == "jupyterlab"
    # Where JupyterLab cannot be started, nothing is.
    monkeypatch.setattr(lab.importlib.util, "find_spec", lambda name: None)
    cli.main(["lab", str(folder)])
    assert len(started) == 2


def test_root_gets_the_option_without_which_jupyterlab_refuses(started, folder, monkeypatch, capsys):
    monkeypatch.setattr(lab, "_is_root", lambda: True)
    cli.main(["lab", str(folder)])
    assert "--allow-root" in capsys.readouterr().out
    assert started[0].count("--allow-root") == 1
    cli.main(["lab", str(folder), "--", "--allow-root"])
    assert started[1].count("--allow-root") == 1


def test_without_jupyterlab_the_tutorials_are_copied_and_the_way_out_is_named(started, folder, monkeypatch, capsys):
    monkeypatch.setattr(lab.importlib.util, "find_spec", lambda name: None)
    assert cli.main(["lab", str(folder)]) == 1
    assert 'pip install "notebook_sne[lab]"' in capsys.readouterr().err
    assert contents(folder) == FIRST_COPY
    assert started == []


def test_a_file_in_place_of_the_folder_is_an_error(started, tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    assert cli.main(["lab", str(tmp_path / "file")]) == 1
    assert "FOLDER must be a folder, got the file" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"


def test_without_tutorials_lab_says_so(started, source, folder, capsys):
    for path in source.glob("*.ipynb"):
        path.unlink()
    assert cli.main(["lab", str(folder)]) == 1
    assert "there is no numbered notebook in" in capsys.readouterr().err
    assert not folder.exists()


def test_tutorials_are_found_inside_the_package_or_beside_it_in_the_repository(tmp_path, monkeypatch):
    package = tmp_path / "notebook_sne"
    package.mkdir()
    (tmp_path / "tutorials").mkdir()
    monkeypatch.setattr(tutorials, "PACKAGE", package)
    # In site-packages, a folder "tutorials" may be anybody's.
    with pytest.raises(CommandError, match="this installation has no tutorials"):
        tutorials.tutorials_folder()
    (tmp_path / "pyproject.toml").touch()
    assert tutorials.tutorials_folder() == tmp_path / "tutorials"
    (package / "tutorials").mkdir()
    assert tutorials.tutorials_folder() == package / "tutorials"


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the command runs below ours")
def test_the_exit_code_is_that_of_the_command():
    program = "import sys; from notebook_sne.cli.lab import _start; _start([sys.executable, '-c', 'exit(5)'], {})"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 5


def read_lab_settings(environment):
    """Ask the parts of JupyterLab that read its defaults, in a process of its own, and whether it packs its lines."""
    program = (
        "import json, sys; from jupyterlab_server.settings_utils import get_settings; "
        "from jupyter_server.serverapp import ServerApp as App; app = App(); app.load_config_file(); "
        "schemas = sys.prefix + '/share/jupyter/labextensions'; "
        "settings, _ = get_settings('/nowhere', '/nowhere', sys.argv[1], schema_name=sys.argv[2], "
        "labextensions_path=[schemas]); "
        "packs = bool(app.websocket_compression_options); "
        "print(json.dumps([settings['schema']['properties']['saveState']['default'], settings['settings'], packs]))"
    )
    asked = [sys.executable, "-c", program, environment["JUPYTERLAB_SETTINGS_DIR"], MANAGER]
    done = subprocess.run(asked, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


MANAGER = "@jupyter-widgets/jupyterlab-manager:plugin"


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """A reader's own settings, still empty."""
    pytest.importorskip("jupyterlab")
    environment = {"JUPYTER_CONFIG_DIR": str(tmp_path / "own"), "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings")}
    monkeypatch.delenv("JUPYTER_CONFIG_PATH", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return environment


@pytest.mark.slow
def test_lab_starts_jupyterlab_so_that_it_saves_the_state_of_players(started, folder, reader, tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr(lab, "_start", lambda command, environment: given.append(environment))
    cli.main(["lab", str(folder)])
    assert read_lab_settings(reader) == [False, {}, False]
    assert read_lab_settings(given[0]) == [True, {}, True]
    assert "JUPYTER_CONFIG_PATH" not in os.environ and not Path(reader["JUPYTER_CONFIG_DIR"]).exists()

    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path / "theirs"))
    cli.main(["lab", str(folder)])
    assert given[1]["JUPYTER_CONFIG_PATH"] == os.pathsep.join([str(tmp_path / "theirs"), str(jupyter.FOLDER)])


def test_the_jupyterlab_that_is_really_started_has_our_settings_and_the_readers(folder, tmp_path):
    (tmp_path / "jupyterlab").mkdir()
    (tmp_path / "jupyterlab" / "__init__.py").touch()
    (tmp_path / "jupyterlab" / "__main__.py").write_text("import json, os; print(json.dumps(dict(os.environ)))")
    program = (
        "import sys; from notebook_sne import cli; from notebook_sne.cli import lab; "
        "lab.background.start = int; sys.exit(cli.main(sys.argv[1:]))"
    )
    unset = ("JUPYTER_CONFIG_PATH", "NUMBA_NUM_THREADS")
    theirs = {name: value for name, value in os.environ.items() if name not in unset}
    theirs |= {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]), "OF_THE_READER": "kept"}
    asked = [sys.executable, "-c", program, "lab", str(folder)]
    done = subprocess.run(asked, env=theirs, capture_output=True, text=True, check=True)
    given = json.loads(done.stdout.splitlines()[-1])
    assert given["JUPYTER_CONFIG_PATH"].split(os.pathsep)[-1] == str(jupyter.FOLDER)
    assert int(given["NUMBA_NUM_THREADS"]) >= 1 and given["OF_THE_READER"] == "kept"


@pytest.mark.slow
def test_what_the_reader_chose_wins_over_our_defaults(reader, tmp_path):
    settings = tmp_path / "settings" / "@jupyter-widgets" / "jupyterlab-manager" / "plugin.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"saveState": false}')
    assert read_lab_settings({**reader, **jupyter.settings()}) == [True, {"saveState": False}, True]

    own = tmp_path / "own" / "labconfig" / "default_setting_overrides.json"
    own.parent.mkdir(parents=True)
    own.write_text(json.dumps({MANAGER: {"saveState": False}}))
    assert jupyter.settings() == {}


# fetch


def test_fetch_says_where_the_files_are(monkeypatch, capsys, tmp_path):
    calls = []
    monkeypatch.setitem(datasets.FETCHERS, "usps", lambda **options: calls.append(options) or "digits")
    monkeypatch.setenv("NOTEBOOK_SNE_DATA", str(tmp_path))
    file = tmp_path / "usps" / "zip.train.gz"
    file.parent.mkdir()
    file.touch()
    assert cli.main(["fetch", "usps", "usps"]) == 0
    assert calls == [{"progress": True}]
    assert str(file) in capsys.readouterr().out


def test_a_failed_download_is_a_message_and_the_others_go_on(monkeypatch, capsys):
    def fail(progress):
        raise ConnectionError("could not download it; save it by hand")

    monkeypatch.setitem(datasets.FETCHERS, "mnist", fail)
    monkeypatch.setitem(datasets.FETCHERS, "usps", lambda progress: "digits")
    assert cli.main(["fetch", "mnist", "usps"]) == 1
    said = capsys.readouterr()
    assert said.err == "notebook-sne: mnist: could not download it; save it by hand\n"
    assert "usps: 'digits'" in said.out


def test_an_unknown_data_set_is_an_error_that_lists_the_known(capsys):
    assert cli.main(["fetch", "imagenet"]) == 1
    assert f"NAME must be one of {', '.join(datasets.FETCHERS)}, got imagenet" in capsys.readouterr().err


def test_fetch_lists_what_there_is(capsys):
    assert cli.main(["fetch", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(datasets.FETCHERS)


def test_an_interrupt_is_quiet(monkeypatch, capsys):
    def interrupt(progress):
        raise KeyboardInterrupt

    monkeypatch.setitem(datasets.FETCHERS, "usps", interrupt)
    assert cli.main(["fetch", "usps"]) == 130
    assert capsys.readouterr().err == "\n"


# pages


@pytest.fixture
def recording(tmp_path):
    """A small recording in a file."""
    recording = Recording()
    for state in islice(Drifting().iterate(np.zeros((6, 3))), 12):
        recording.add(state)
    return recording.describe(title="its own title").save(tmp_path / "run.npz")


def test_a_page_is_written_beside_the_recording(recording, capsys):
    assert cli.main(["page", str(recording)]) == 0
    page = recording.with_suffix(".html")
    assert page.read_text().startswith("<!DOCTYPE html>") and "<title>its own title</title>" in page.read_text()
    assert capsys.readouterr().out.startswith(f"{page} (0.")


def test_a_page_gets_its_place_title_and_frames(recording, tmp_path, capsys):
    place = tmp_path / "pages" / "a page.html"
    place.parent.mkdir()
    assert cli.main(["page", str(recording), "-o", str(place), "--frames", "3", "--title", "<b>Mine</b>"]) == 0
    text = place.read_text()
    assert "<title>&lt;b&gt;Mine&lt;/b&gt;</title>" in text
    packed = json.loads(re.search('<script type="application/json"[^>]*>(.*?)</script>', text)[1])["bytes"]["film"]
    film = zlib.decompress(base64.b64decode(packed))
    assert len(json.loads(film[4 : 4 + int.from_bytes(film[:4], "little")])["frames"]) == 3


def test_a_page_that_cannot_be_made_or_compute_is_one_line(computed, recording, tmp_path, capsys):
    computed, objects = computed
    (tmp_path / "text.npz").write_text("no recording")
    (tmp_path / "text.npy").write_text("no array")
    np.savez(tmp_path / "X.npz", X=np.zeros((30, 4)))
    for arguments, words in [
        ([str(tmp_path / "missing.npz")], "missing.npz"),
        ([str(tmp_path / "text.npz")], "text.npz"),
        ([str(recording), "-o", str(tmp_path)], "path must be a file, got the folder"),
        ([str(recording), "-o", str(tmp_path / "nowhere" / "a.html")], "there is no folder"),
        ([str(recording), "-o", str(recording)], "FILE.html must be another file than the recording"),
        ([str(recording), "--live", str(objects)], "live=True needs"),
        ([str(computed), "--live", str(tmp_path / "missing.npy")], "missing.npy"),
        ([str(computed), "--live", str(tmp_path / "text.npy")], "OBJECTS.npy must hold an array"),
        ([str(computed), "--live", str(tmp_path / "X.npz")], "OBJECTS.npy must hold one array"),
    ]:
        assert cli.main(["page", *arguments]) == 1
        said = capsys.readouterr()
        assert said.err.startswith("notebook-sne: ") and said.err.count("\n") == 1 and words in said.err
        assert not said.out
    assert Recording.load(recording).title == "its own title"  # it was not written over


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_a_page_on_standard_output_is_the_page_and_nothing_else(recording, tmp_path, name):
    assert cli.main(["page", str(recording)]) == 0
    page = recording.with_suffix(".html").read_bytes()
    command = [sys.executable, "-m", "notebook_sne.cli", "page", str(recording), "-o", name]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, check=True)
    assert done.stdout == page and not done.stderr
    with open(tmp_path / "into.txt", "wb") as file:  # as with > into.txt after what a script wrote there before
        file.write(b"before")
        file.flush()
        subprocess.run(command, stdout=file, cwd=tmp_path, check=True)
    assert (tmp_path / "into.txt").read_bytes() == b"before" + page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["into.txt", "run.html", "run.npz"]


@pytest.mark.slow
def test_a_page_into_a_closed_pipe_is_one_line(recording):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "notebook_sne.cli", "page", str(recording), "-o", "-"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert done.returncode == 1 and done.stderr == "notebook-sne: [Errno 32] Broken pipe\n"


@pytest.fixture
def computed(tmp_path):
    """A recording of a model that a page can compute, and the file of its objects."""
    X = np.random.default_rng(0).normal(size=(30, 4))
    np.save(tmp_path / "X.npy", X)
    with Run(SNE(perplexity=5, random_state=0, max_iter=50), X) as run:
        run.steps(5)
        run.recording.save(tmp_path / "computed.npz")
    return tmp_path / "computed.npz", tmp_path / "X.npy"


def test_a_page_that_computes_says_what_it_holds(computed, capsys):
    recording, objects = computed
    for more, what in ([], "holds the objects"), (["--p-only"], "holds P"):
        assert cli.main(["page", str(recording), "--live", str(objects), *more]) == 0
        page = recording.with_suffix(".html").read_text()
        assert "'wasm-unsafe-eval'" in page and f'"data":"{"P" if more else "X"}"' in page
        assert f"; it computes, and {what}: who has the page has the data)" in capsys.readouterr().out


# the command as a whole


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(line, "") for line in ("", "fetch", "fetch usps -- --ip", "page", "lab a b")]
    + [(f"lab --port={port}", "must be a whole number from 1 to 65535") for port in ("0", "65536", "-1", "x", "²")]
    + [(f"page run.npz --frames={n}", "must be a whole number of at least 1") for n in ("0", "-3", "many", "1.5")]
    + [("page run.npz --p-only", "--p-only needs --live OBJECTS.npy")],
)
def test_wrong_usage_ends_with_code_2(started, arguments, words, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments.split())
    said = capsys.readouterr().err
    assert "usage: notebook-sne" in said and words in said


def test_help_imports_no_large_library():
    program = (
        "import sys\nfrom notebook_sne import cli\ntry: cli.main(['--help'])\nexcept SystemExit: pass\n"
        "print([name for name in ('numpy', 'sklearn', 'bokeh', 'pandas', 'jupyterlab') if name in sys.modules])"
    )
    assert printed(program).splitlines()[-1] == "[]"


def test_version(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"notebook_sne {__version__}\n"


def test_a_folder_may_begin_at_home_and_have_spaces(started, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    cli.main(["lab", "~/my maps"])
    assert contents(Path(tmp_path) / "my maps") == FIRST_COPY


def test_a_tutorial_that_was_made_read_only_stays_as_it_is(tmp_path):
    source, folder = tmp_path / "source", tmp_path / "mine"
    source.mkdir()
    (source / "01-first.ipynb").write_text("old")
    tutorials.copy_tutorials(source, folder)
    place = folder / "01-first.ipynb"
    place.chmod(0o444)
    (source / "01-first.ipynb").write_text("new")
    report = tutorials.copy_tutorials(source, folder)
    assert place.read_text() == "old" and (folder / "01-first.new.ipynb").read_text() == "new"
    assert "kept" in report[0]
