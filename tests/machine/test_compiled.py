"""Compiled code is kept where it can be, found where it is, and never another one than it ought to be."""

import ast
import hashlib
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import notebook_sne
from tests.standins.waiting import LONG

PACKAGE = Path(notebook_sne.__file__).parent

pytestmark = pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")

# A kernel in two modules, as small as can be, and how often it was compiled in this process.
INNER = """
from notebook_sne.engine.machine.compiled import njit
@njit(cache=True)
def inner(x):
    return x + 1.0
"""
OUTER = """
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.inner import inner
@njit(cache=True)
def outer(x):
    return 10.0 * inner(x)
"""
CALL = """
import sys
from notebook_sne.engine.machine.outer import outer
print(float(outer(1.0)), sum(outer.stats.cache_misses.values()), sum(outer.stats.cache_hits.values()))
"""


@pytest.fixture
def copy(tmp_path):
    """A folder with a package that has these two modules, and what it takes to compile them."""
    machine = tmp_path / "site" / "notebook_sne" / "engine" / "machine"
    machine.mkdir(parents=True)
    for package in (*machine.parents[:2], machine):
        (package / "__init__.py").touch()
    for name in ("compiled.py", "files.py", "kept_code.py", "package.py"):
        shutil.copy(PACKAGE / "engine" / "machine" / name, machine)
    (machine / "inner.py").write_text(INNER)
    (machine / "outer.py").write_text(OUTER)
    return machine


def variables(copy, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON", "XDG_"))}
    home = copy.parents[3] / "home"
    home.mkdir(exist_ok=True)
    return {**kept, "PYTHONPATH": str(copy.parents[2]), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(home), **more}


def run(copy, code=CALL, before=(), **more):
    done = subprocess.run(
        [*before, sys.executable, "-c", textwrap.dedent(code)],
        env=variables(copy, **more),
        cwd=copy.parents[3],
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


def bound():
    """What stands before a command whose process is held to the permissions of files, also where we are root."""
    if os.geteuid() != 0:
        return []
    command = ["setpriv", "--bounding-set", "-dac_override"]
    try:
        works = subprocess.run([*command, "true"], capture_output=True).returncode == 0
    except OSError:
        works = False
    if not works:
        pytest.skip("we are root, to whom permissions mean nothing, and cannot give that up (setpriv)")
    return command


@pytest.fixture
def read_only():
    """Take away the right to write a folder and all below it."""
    taken = []

    def take(folder):
        for path in (folder, *folder.rglob("*")):
            taken.append((path, path.stat().st_mode))
            path.chmod(path.stat().st_mode & ~0o222)

    yield take
    for path, mode in taken:
        path.chmod(mode)


def kept(copy, name="outer"):
    """The files with the code of a kernel."""
    return sorted((copy.parents[3] / "home").rglob(f"{name}.*.nbc"))


COMPILED, FOUND = ["20.0", "1", "0"], ["20.0", "0", "1"]


def test_to_import_a_kernel_compiles_and_writes_nothing(copy):
    before = set(copy.parents[3].rglob("*"))
    run(copy, "import notebook_sne.engine.machine.outer")
    assert set(copy.parents[3].rglob("*")) - before <= {copy.parents[3] / "home"}


@pytest.mark.slow
@pytest.mark.parametrize("place", ["a folder", "a read-only folder", "a zip"])
def test_code_is_kept_and_as_fresh_as_what_it_calls(copy, read_only, place):
    site = copy.parents[2]

    def found():
        if place != "a zip":
            return run(copy, before=bound())
        packed = shutil.make_archive(site.parent / "packed", "zip", site)
        return run(copy, before=bound(), PYTHONPATH=packed)

    if place == "a read-only folder":
        read_only(site)
    assert found() == (COMPILED, "") and found() == (FOUND, "")
    assert len(kept(copy)) == 1 and not list(site.rglob("*.nbc"))
    # Numba by itself would look at outer.py alone, and answer 20.
    (copy / "inner.py").chmod(0o644)
    (copy / "inner.py").write_text(INNER.replace("1.0", "2.0"))
    assert found()[0] == ["30.0", "1", "0"]
    # What counts is the content: not the time that an installer, or the layer of an image, gives a file.
    os.utime(copy / "outer.py", (1e9, 1e9))
    assert found()[0] == ["30.0", "0", "1"]


@pytest.mark.slow
def test_what_an_administrator_compiled_is_read_by_who_cannot_write(copy, read_only):
    shared = copy.parents[3] / "shared"
    run(copy, NUMBA_CACHE_DIR=str(shared))
    (folder,) = (shared / "notebook_sne" / "compiled").iterdir()
    assert folder.stat().st_mode & 0o777 == 0o755
    read_only(shared)
    assert run(copy, before=bound(), NUMBA_CACHE_DIR=str(shared)) == (FOUND, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "more", [{}, {"NUMBA_CACHE_DIR": os.path.join(os.devnull, "cache")}, {"XDG_CACHE_HOME": os.devnull}]
)
def test_where_nothing_can_be_written_it_runs_and_says_so_once(copy, more):
    for _ in range(2):
        found, said = run(copy, **{"HOME": os.devnull, **more})
        assert found == COMPILED and said.count("RuntimeWarning: compiled code cannot be kept") == 1
        assert "set NUMBA_CACHE_DIR" in said


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a limit to the size of files stands in for a full disk")
def test_a_full_disk_is_a_warning(copy):
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    found, said = run(copy, full + CALL)
    assert found == COMPILED and said.count("cannot be kept") == 1
    assert run(copy) == (COMPILED, "")


def one_bit(share):
    def change(content):
        place = int(share * len(content))
        return content[:place] + bytes([content[place] ^ 8]) + content[place + 1 :]

    return change


PLANTED = b"cbuiltins\nprint\n(S'planted'\ntR."  # a pickle that says so when it is read


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda content: b"",
        lambda content: content[:50],
        one_bit(0.001),
        one_bit(0.3),
        one_bit(0.98),
        lambda content: PLANTED,
        lambda content: hashlib.sha256(PLANTED).digest() + PLANTED,
    ],
)
def test_what_is_damaged_or_was_not_written_here_is_compiled_anew(copy, change):
    run(copy)
    (file,) = kept(copy)
    file.write_bytes(change(file.read_bytes()))
    assert run(copy)[0] == COMPILED and run(copy)[0] == FOUND


@pytest.mark.slow
def test_the_code_of_one_kernel_is_not_taken_for_that_of_another(copy):
    run(copy, CALL + "from notebook_sne.engine.machine.inner import inner\ninner(1.0)")
    (inner,), (outer,) = kept(copy, "inner"), kept(copy)
    shutil.copyfile(inner, outer)
    assert run(copy)[0] == COMPILED and run(copy)[0] == FOUND


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="files have no owner that Python knows")
@pytest.mark.parametrize("owner, taken", [("4242", False), ("0", True), ("os.geteuid()", True), ("5151", True)])
def test_code_is_run_of_this_user_of_root_and_of_the_owner_of_python(copy, owner, taken):
    run(copy)
    (file,) = kept(copy)
    file.write_bytes(hashlib.sha256(file.name.encode() + PLANTED).digest() + PLANTED)
    code = f"""
    import os, sys
    def stat_of(owner):
        return os.stat_result((0o100644, 0, 0, 1, owner, 0, 0, 0, 0, 0))
    os.fstat = lambda file, owner={owner}: stat_of(owner)
    os.stat = lambda path, stat=os.stat, **more: stat_of(5151) if path == sys.prefix else stat(path, **more)
    """
    found = run(copy, textwrap.dedent(code) + CALL)[0]
    assert found[-3:] == COMPILED and ("planted" in found) == taken


@pytest.mark.slow
def test_another_processor_gets_code_and_marks_of_its_own(copy):
    ask = "from notebook_sne.engine.machine.compiled import *\nprint(find_mark('done'))\nleave_mark('done')"
    generic = {"NUMBA_CPU_NAME": "generic"}
    assert [run(copy)[0], run(copy, **generic)[0]] == [COMPILED] * 2
    assert [run(copy)[0], run(copy, **generic)[0]] == [FOUND] * 2
    assert len(kept(copy)) == len({file.parent for file in kept(copy)}) == 2
    assert [run(copy, ask)[0], run(copy, ask)[0], run(copy, ask, **generic)[0]] == [["False"], ["True"], ["False"]]
    (copy / "inner.py").write_text(INNER + "\n")
    assert run(copy, ask)[0] == ["False"]


@pytest.mark.slow
def test_processes_that_compile_at_once_do_not_mix_up_their_code(copy):
    code = """
    import sys
    import numpy as np
    from notebook_sne.engine.machine.outer import outer
    kinds = [kind(1) for kind in (np.float64, np.float32, np.int64, np.int32, np.uint8, np.complex64)]
    first = int(sys.argv[1])
    print(*(outer(kind) for kind in kinds[first:] + kinds[:first]), sum(outer.stats.cache_misses.values()))
    """
    command, where = [sys.executable, "-c", textwrap.dedent(code)], {"env": variables(copy), "cwd": copy.parents[3]}
    workers = [subprocess.Popen([*command, str(k)], stdout=subprocess.DEVNULL, **where) for k in (0, 2, 4)]
    assert [worker.wait(timeout=LONG) for worker in workers] == [0] * 3
    last = subprocess.run([*command, "0"], capture_output=True, text=True, check=True, **where)
    assert last.stdout.split() == ["20.0"] * 5 + ["(20+0j)", "0"] and len(kept(copy)) == 6


def test_folders_that_were_not_used_for_longest_are_removed(copy):
    ask = "from notebook_sne.engine.machine.compiled import folder\nprint(folder())"
    first = Path(run(copy, ask)[0][0])
    for k in range(15):
        other = first.with_name(f"{k:020x}")
        other.mkdir()
        (other / "outer.nbc").touch()
        os.utime(other, (1000 + k, 1000 + k))
    os.utime(first, (1, 1))
    run(copy, ask)  # so this one has been used
    (copy / "inner.py").write_text(INNER + "\n")
    new = Path(run(copy, ask)[0][0])
    left = {path.name for path in first.parent.iterdir()}
    assert left == {first.name, new.name, *(f"{k:020x}" for k in range(7, 15))}


# What a release of Numba may rename without a word. It knows its own names, and we look for the old ones in vain.
RENAMED = """
import sys, types
import numba
caching = sys.modules["numba.core.caching"]
other = sys.modules["numba.core.caching"] = types.ModuleType("numba.core.caching")
vars(other).update(vars(caching))
"""
HOW = {
    "a class": "del other.FunctionCache",
    "a member": "other.FunctionCache = type('FunctionCache', (), {'_py_func': property(lambda self: None)})",
    "the place of the cache": """
class Place:
    def __get__(self, kernel, kind):
        if sys._getframe(1).f_globals["__name__"].startswith("numba."):
            return vars(kernel)["_cache"]
        raise AttributeError("_cache")
    def __set__(self, kernel, value):
        vars(kernel)["_cache"] = value
numba.core.dispatcher.Dispatcher._cache = Place()
""",
}


# Numba imports parts of itself later.
RESTORED = "\nimport notebook_sne.engine.machine.compiled\nsys.modules['numba.core.caching'] = caching\n"


@pytest.mark.slow
@pytest.mark.parametrize("how", HOW)
def test_where_numba_has_renamed_its_private_parts_it_keeps_the_code_by_its_own_rules(copy, how):
    code = RENAMED + HOW[how] + RESTORED + CALL
    assert run(copy, code) == (COMPILED, "")
    # The second time it is found, and so is what `notebook-sne warm` leaves.
    code += "from notebook_sne.engine.machine.compiled import *\nleave_mark('done')\nprint(folder(), find_mark('done'))"
    found = run(copy, code)[0]
    assert found[:3] == FOUND and Path(found[3]) in kept(copy)[0].parents and found[4] == "True"
    (copy / "inner.py").write_text(INNER.replace("1.0", "2.0"))
    assert run(copy, code)[0][:3] == ["30.0", "1", "0"]


def test_every_kernel_is_kept_by_these_rules():
    engine = PACKAGE / "engine"
    paths = sorted(path for room in ("machine", "sums", "mathematics") for path in (engine / room).glob("*.py"))
    taken = [
        f"{path.name}: {name.name}"
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "numba"
        for name in node.names
    ]
    faults = [each for each in taken if each.endswith((": njit", ": jit"))]
    assert paths and not faults, f"take njit from notebook_sne.engine.machine.compiled: {', '.join(faults)}"


@pytest.mark.slow
def test_two_processors_share_a_folder_and_agree(tmp_path):
    """A kernel with all the vector instructions of this one, and with those that all have."""
    code = """
    import sys
    import numpy as np
    from notebook_sne.engine.sums import pair_sums
    Y = np.random.default_rng(0).normal(size=(500, 2))
    np.savez(sys.argv[1], *pair_sums.gaussian_sums(Y), *pair_sums.student_sums(Y))
    """
    found = {}
    for name in ("host", "generic", "host again", "generic again"):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
        environment["NUMBA_CACHE_DIR"] = str(tmp_path)
        if name.startswith("generic"):
            environment["NUMBA_CPU_NAME"] = "generic"
        file = tmp_path / f"{name}.npz"
        subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(file)], env=environment, check=True)
        with np.load(file) as sums:
            found[name] = [sums[key] for key in sums.files], len(list(tmp_path.rglob("*.nbc")))
    (host, n_host), (generic, n_both) = found["host"], found["generic"]
    assert n_both == found["host again"][1] == found["generic again"][1] == 2 * n_host
    for a, b in zip(host, generic, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5 * np.abs(a).max())  # single precision, in another order
    for name in ("host", "generic"):  # nobody got the code of the other
        assert all(np.array_equal(a, b) for a, b in zip(found[name][0], found[f"{name} again"][0], strict=True))
