"""Files are written whole or not at all, keep what they were to the system, and nothing else is ever replaced."""

import ast
import errno
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import notebook_sne
from notebook_sne.engine.machine import files
from tests.standins.process import printed, python
from tests.standins.waiting import LONG, PATIENCE

PACKAGE = Path(notebook_sne.__file__).parent


@pytest.fixture
def unnamed(tmp_path):
    """Skips a test where the system keeps no contents without a name."""
    if (file := files._open_unnamed(tmp_path / "a")) is None:
        pytest.skip("this file system keeps no contents without a name")
    file.close()


@pytest.fixture(params=["unnamed", "named", "without links"])
def way(request, monkeypatch):
    """Each way in which contents can wait beside their place."""

    def refuse(*given, **named):
        raise PermissionError(errno.EPERM, "not in this test")

    if request.param == "unnamed":
        request.getfixturevalue("unnamed")
        monkeypatch.setattr(files, "_open_named", refuse)
    elif request.param == "named":
        monkeypatch.setattr(files, "_open_unnamed", lambda place: None)
    else:
        monkeypatch.setattr(os, "link", refuse)
    return request.param


@pytest.fixture
def usual_umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


def names_in(folder):
    return sorted(os.listdir(folder))


def mode_of(place):
    return stat.S_IMODE(os.stat(place).st_mode)


def test_contents_take_the_place_of_a_file(tmp_path, way):
    place = tmp_path / "a"
    for content in (b"first", b"the second"):
        assert files.write(place, content) == place
        assert place.read_bytes() == content and names_in(tmp_path) == ["a"]


def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, way):
    place = tmp_path / "a"
    place.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), files.write_whole(place) as file:
        file.write(b"new")
        _ = 1 / 0
    assert place.read_bytes() == b"old" and names_in(tmp_path) == ["a"]


def test_a_reader_of_the_old_file_goes_on_reading_it(tmp_path, way):
    place = tmp_path / "a"
    place.write_bytes(b"old")
    with open(place, "rb") as reader:
        files.write(place, b"new")
        assert reader.read() == b"old"
    assert place.read_bytes() == b"new"


def test_a_new_file_follows_the_umask(tmp_path, way, usual_umask):
    assert mode_of(files.write(tmp_path / "a", b"")) == 0o640


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o666, 0o755])
def test_a_file_keeps_its_mode(tmp_path, way, usual_umask, mode):
    place = tmp_path / "a"
    place.touch()
    place.chmod(mode)
    with files.write_whole(place) as file:
        # Not even while it is written may others read what is private.
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == mode
    assert mode_of(place) == mode


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_file_keeps_its_owner(tmp_path, way):
    place = tmp_path / "a"
    place.touch(mode=0o600)
    os.chown(place, 1234, 2345)
    files.write(place, b"new")
    there = place.stat()
    assert (there.st_uid, there.st_gid, mode_of(place)) == (1234, 2345, 0o600)


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_a_read_only_file_stays_also_for_root(tmp_path, mode):
    place = tmp_path / "a"
    place.write_bytes(b"old")
    place.chmod(mode)
    with pytest.raises(PermissionError, match=r"got the read-only .*a; give another name, or allow writing"):
        files.write(place, b"new")
    assert place.read_bytes() == b"old" and mode_of(place) == mode


def test_a_read_only_folder_is_named():
    # Root writes into any folder, so root becomes somebody else, who could not even enter pytest's own folders.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        nobody = 65534 if os.geteuid() == 0 else os.geteuid()
        before = os.geteuid()
        os.seteuid(nobody)
        try:
            with pytest.raises(
                PermissionError, match=f"a folder that may be changed, got the read-only {folder}; give"
            ):
                files.write(Path(folder) / "a", b"new")
        finally:
            os.seteuid(before)
        os.chmod(folder, 0o755)
        assert names_in(folder) == []


def test_a_link_is_followed(tmp_path, way):
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(Path("there") / "a")
    for content in (b"one", b"two"):  # it leads nowhere at first
        assert files.write(link, content) == tmp_path / "there" / "a"
        assert link.is_symlink() and (tmp_path / "there" / "a").read_bytes() == content
    assert names_in(tmp_path) == ["link", "there"] and names_in(tmp_path / "there") == ["a"]


def test_the_tilde_is_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.write("~/a", b"") == tmp_path / "a"


@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_gets_the_contents_and_stays_a_pipe(tmp_path, linked):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    place = pipe
    if linked:
        place = tmp_path / "link"
        place.symlink_to(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    files.write(place, b"x" * 300_000)
    reader.join(timeout=PATIENCE)
    assert got == [b"x" * 300_000] and stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert names_in(tmp_path) == (["link", "pipe"] if linked else ["pipe"])


def test_a_pipe_gets_nothing_of_a_block_that_fails(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(ZeroDivisionError), files.write_whole(pipe) as file:
            file.write(b"half")
            _ = 1 / 0
        assert os.read(reader, 100) == b""
    finally:
        os.close(reader)


def test_a_device_gets_the_contents_and_stays_a_device():
    try:
        ours, theirs = os.openpty()
    except OSError:
        pytest.skip("this system gives no terminals")
    try:
        files.write(os.ttyname(theirs), b"a map")
        assert os.read(ours, 100) == b"a map" and stat.S_ISCHR(os.stat(os.ttyname(theirs)).st_mode)
    finally:
        os.close(ours)
        os.close(theirs)


def test_what_can_take_no_contents_is_refused(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match=r"path must be a file, a pipe or .*got .*socket; give another name"):
            files.write(tmp_path / "socket", b"")
    assert stat.S_ISSOCK(os.stat(tmp_path / "socket").st_mode)
    with pytest.raises(IsADirectoryError, match=r"path must be a file, got the folder .*; add a name"):
        files.write(tmp_path, b"")
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere; make it first"):
        files.write(tmp_path / "nowhere" / "a", b"")


WRITERS = {
    "bytes.bin": ("from notebook_sne.engine.machine import files", "files.write(path, bytes(10_000))"),
    "map.svg": ("import numpy as np; from notebook_sne import views", "views.svg(np.eye(300, 2), path=path)"),
    "page.html": (
        "from notebook_sne.browser.frontend.page import write_page",
        "write_page(path, kind='film', traits={}, title='')",
    ),
    "run.npz": (
        "from tests.runs.recorded import Recording, state; r = Recording(); r.add(state(0, shape=(1, 5000, 2)))",
        "r.save(path)",
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_keeps_the_old_file(tmp_path, name):
    place = tmp_path / name
    place.write_bytes(b"old")
    prepare, save = WRITERS[name]
    # No file of this process can grow beyond 4096 bytes.
    limit = "import resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\npath = sys.argv[1]"
    done = python(f"{prepare}\n{limit}\n{save}", place)
    assert done.returncode == 1 and f"File too large: '{place}'" in done.stderr, done.stderr
    assert place.read_bytes() == b"old" and names_in(tmp_path) == [name]


def test_a_killed_process_leaves_nothing_behind(tmp_path, unnamed):
    place = tmp_path / "a"
    place.write_bytes(b"old")
    program = (
        "import sys, time\nfrom notebook_sne.engine.machine import files\n"
        "with files.write_whole(sys.argv[1]) as file:\n"
        "    file.write(bytes(10_000)); file.flush(); print('half', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(place)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"half\n"
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=LONG)
    assert place.read_bytes() == b"old" and names_in(tmp_path) == ["a"]


def test_without_locks_a_save_removes_what_was_left_long_ago(tmp_path, way, monkeypatch):
    monkeypatch.setattr(files, "fcntl", None)
    long_ago = time.time() - 2 * 24 * 3600
    for name, at in ((".notebook_sne.old.part", long_ago), (".notebook_sne.new.part", None), (".other.part", long_ago)):
        (tmp_path / name).touch()
        if at is not None:
            os.utime(tmp_path / name, (at, at))
    files.write(tmp_path / "a", b"")
    assert names_in(tmp_path) == [".notebook_sne.new.part", ".other.part", "a"]


def test_of_two_writers_at_once_one_file_stays(tmp_path, way):
    place = tmp_path / "a"
    both = threading.Barrier(2)
    failures = []

    def work(letter):
        try:
            with files.write_whole(place) as file:
                file.write(letter * 100_000)
                both.wait(timeout=LONG)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(letter,)) for letter in (b"a", b"b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and place.read_bytes() in (b"a" * 100_000, b"b" * 100_000) and names_in(tmp_path) == ["a"]


def test_standard_output_is_known_under_all_its_names(tmp_path):
    program = (
        "import sys\nfrom notebook_sne.engine.machine import files\n"
        "sys.stderr.write(repr([files.is_stdout(path) for path in sys.argv[1:]]))"
    )
    with open(tmp_path / "out", "wb") as out:
        command = [sys.executable, "-c", program, "/dev/stdout", "/dev/fd/1", str(tmp_path / "out"), "nowhere", "."]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=True)
    assert done.stderr == b"[True, True, True, False, False]"


@pytest.mark.slow
def test_every_module_writes_through_this_one():
    # The cache of compiled code has names, locks and rules of its own; an archive writes into a file that is open.
    free = {
        PACKAGE / "engine" / "machine" / "files.py",
        PACKAGE / "engine" / "machine" / "compiled.py",
        PACKAGE / "engine" / "archives" / "archive.py",
    }
    found = []
    for path in PACKAGE.rglob("*.py"):
        if path in free or "bundled" in path.parts:
            continue
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            modes = [value.value for value in [*call.args, *(k.value for k in call.keywords)]
                     if isinstance(value, ast.Constant) and isinstance(value.value, str)]  # fmt: skip
            opens = name == "open" and any(set(mode) & set("wax+") and set(mode) <= set("wax+bt") for mode in modes)
            if opens or name in ("write_text", "write_bytes"):
                found.append(f"{path.relative_to(PACKAGE)}:{call.lineno}")
    assert not found


# Room that is taken before it is written to


def no_call(monkeypatch):
    monkeypatch.delattr(os, "posix_fallocate", raising=False)


def no_file_system(monkeypatch):
    def refuse(*given):
        raise OSError(errno.EOPNOTSUPP, "not here")

    monkeypatch.setattr(os, "posix_fallocate", refuse, raising=False)


@pytest.mark.parametrize("lacking", [lambda monkeypatch: None, no_call, no_file_system])
def test_room_is_taken_at_once_however_the_system_does_it(monkeypatch, tmp_path, lacking):
    lacking(monkeypatch)
    with open(tmp_path / "file", "w+b") as file:
        file.write(b"head")
        files.reserve(file, 3_000_001, tmp_path)
        assert file.tell() == 4
        array = np.memmap(file, np.uint8, "r+", offset=4, shape=3_000_001)
        assert not array.any()
        del array
    assert (tmp_path / "file").read_bytes()[:6] == b"head\0\0"
    there = (tmp_path / "file").stat()
    assert there.st_size == 3_000_005
    if hasattr(there, "st_blocks"):
        assert there.st_blocks * 512 >= 3_000_000  # the file has no holes


@pytest.mark.parametrize("lacking", [lambda monkeypatch: None, no_call])
def test_a_disk_without_the_room_is_an_error_that_names_it_and_how_much_was_needed(monkeypatch, tmp_path, lacking):
    def full(*given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    lacking(monkeypatch)
    with open(tmp_path / "file", "w+b") as file:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left on device, where 3,000,001 bytes are needed") as caught:
            files.reserve(file, 3_000_001, tmp_path)
    assert caught.value.errno == errno.ENOSPC and caught.value.filename == str(tmp_path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="files are locked on POSIX only")
@pytest.mark.parametrize("named", [False, True])
def test_what_a_killed_process_left_is_swept_by_the_next_save_and_what_is_written_is_not(tmp_path, named):
    left = """
        import os, sys
        from notebook_sne.engine.machine import files
        if sys.argv[2] == "True":
            files._open_unnamed = lambda place: None
        {}
        with files.write_whole(sys.argv[1]) as file:
            file.write(b"half")
            {}
    """
    place = tmp_path / "map.html"
    killed = left.format("os.replace = lambda *places: os.kill(os.getpid(), 9)", "pass")
    assert python(killed, place, named).returncode == -9
    assert len(list(tmp_path.glob(".notebook_sne.*.part"))) == 1
    beside = f"from tests.machine.test_files import _others_save; _others_save({str(tmp_path)!r})"
    assert python(left.format("", beside), place, named).returncode == 0
    assert place.read_bytes() == b"half"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["map.html", "other.html"]


def _others_save(folder):
    """Save from another process while this one is writing."""
    printed(
        "import sys; from notebook_sne.engine.machine import files; files.write(sys.argv[1] + '/other.html', b'o')",
        folder,
    )
