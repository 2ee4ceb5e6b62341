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
from tests.standins.process import printed
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
    for name in ("compiled.py", "kept_code.py", "package.py"):
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


@pytest.mark.slow
def test_code_is_kept_beside_the_sources(copy):
    assert run(copy)[0] == ["20.0", "1", "0"]
    assert list((copy / "__pycache__").glob("outer.*.nbc"))
    assert run(copy)[0] == ["20.0", "0", "1"]


def test_to_import_a_kernel_compiles_nothing(copy):
    run(copy, "import notebook_sne.engine.machine.outer")
    assert not list(copy.rglob("*.nbc"))


@pytest.mark.slow
def test_code_is_as_fresh_as_what_it_calls(copy):
    run(copy)
    # Numba by itself would look at outer.py alone, and answer 20.
    (copy / "inner.py").write_text(INNER.replace("1.0", "2.0"))
    assert run(copy)[0] == ["30.0", "1", "0"]
    # What counts is the content: not the time that an installer, or the layer of an image, gives a file.
    os.utime(copy / "outer.py", (1, 1))
    assert run(copy)[0] == ["30.0", "0", "1"]


@pytest.mark.slow
def test_a_read_only_package_keeps_its_code_in_the_users_folder(copy, read_only):
    read_only(copy)
    cache = copy.parents[3] / "cache"
    assert run(copy, before=bound(), XDG_CACHE_HOME=str(cache)) == (["20.0", "1", "0"], "")
    assert list(cache.rglob("outer.*.nbc")) and not list(copy.rglob("*.nbc"))
    assert run(copy, before=bound(), XDG_CACHE_HOME=str(cache))[0] == ["20.0", "0", "1"]


@pytest.mark.slow
def test_what_an_administrator_compiled_is_read_by_who_cannot_write(copy, read_only):
    run(copy)
    read_only(copy)
    # Neither with a cache folder of one's own, nor without.
    for cache in (str(copy.parents[3] / "cache"), os.devnull):
        assert run(copy, before=bound(), XDG_CACHE_HOME=cache, HOME=os.devnull) == (["20.0", "0", "1"], "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "more", [{}, pytest.param({"NUMBA_CACHE_DIR": os.path.join(os.devnull, "cache")}, marks=pytest.mark.slow)]
)
def test_where_nothing_can_be_written_it_runs_and_says_so_once(copy, more):
    # A file stands where each folder would be: that keeps root out as well.
    (copy / "__pycache__").touch()
    for _ in range(2):
        found, said = run(copy, HOME=os.devnull, XDG_CACHE_HOME=os.devnull, **more)
        assert found == ["20.0", "1", "0"]
        assert said.count("RuntimeWarning: compiled code cannot be kept") == 1
        assert "set NUMBA_CACHE_DIR" in said


@pytest.mark.slow
def test_without_a_home_it_runs(copy):
    (copy / "__pycache__").touch()
    code = "import os\ndel os.environ['HOME']\n" + CALL
    assert run(copy, code, XDG_CACHE_HOME=os.devnull)[0] == ["20.0", "1", "0"]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a limit to the size of files stands in for a full disk")
def test_a_full_disk_is_a_warning(copy):
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    found, said = run(copy, full + CALL)
    assert found == ["20.0", "1", "0"] and said.count("cannot be kept") == 1
    assert run(copy) == (["20.0", "1", "0"], "")


@pytest.mark.slow
def test_what_was_cut_short_is_compiled_anew(copy):
    run(copy)
    for file in (copy / "__pycache__").glob("outer.*"):
        file.write_bytes(file.read_bytes()[:50])
    assert run(copy)[0] == ["20.0", "1", "0"]
    assert run(copy)[0] == ["20.0", "0", "1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "place"),
    [
        pytest.param(kind, place, marks=[] if place == 0.3 else [pytest.mark.slow])
        for kind in ("nbi", "nbc")
        for place in (0.02, 0.3, 0.6, 0.98)
    ],
)
def test_one_wrong_bit_is_found_out(copy, kind, place):
    run(copy)
    for file in (copy / "__pycache__").glob(f"outer.*.{kind}"):
        content = bytearray(file.read_bytes())
        content[int(place * len(content))] ^= 1 << 3
        file.write_bytes(content)
    assert run(copy)[0] == ["20.0", "1", "0"]
    assert run(copy)[0] == ["20.0", "0", "1"]


@pytest.mark.slow
def test_files_that_come_from_elsewhere_are_compiled_anew(copy):
    run(copy)
    for file in (copy / "__pycache__").glob("outer.*"):
        file.write_bytes(b"\x80\x04K\x01.")  # a pickle, but none of ours
    assert run(copy)[0] == ["20.0", "1", "0"]
    assert run(copy)[0] == ["20.0", "0", "1"]


# A file of a user other than this one, as far as Python can tell.
FOREIGN = "import os\nos.fstat = lambda file: os.stat_result((0o100644, 0, 0, 1, 4242, 0, 0, 0, 0, 0))\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="files have no owner that Python knows")
def test_code_of_another_user_is_not_run(copy):
    run(copy)
    # A pickle that says so when it is read, with the digest that belongs to it.
    code = b"cbuiltins\nprint\n(S'planted'\ntR."
    for file in (copy / "__pycache__").glob("outer.*"):
        file.write_bytes(hashlib.sha256(code).digest() + code)
    assert run(copy, FOREIGN + CALL)[0] == ["20.0", "1", "0"]
    assert run(copy)[0] == ["20.0", "0", "1"]  # it was written anew


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_files_that_were_given_to_another_user_are_compiled_anew(copy, kind):
    run(copy)
    for file in (copy / "__pycache__").glob(f"outer.*.{kind}"):
        os.chown(file, 4242, -1)
    assert run(copy)[0] == ["20.0", "1", "0"]
    assert run(copy)[0] == ["20.0", "0", "1"]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="files have no owner that Python knows")
def test_code_of_the_owner_of_the_package_is_run_by_others(copy):
    run(copy)
    assert run(copy, "import os\nos.geteuid = lambda: 4242\n" + CALL)[0] == ["20.0", "0", "1"]


@pytest.mark.slow
def test_another_processor_gets_code_of_its_own(copy):
    assert run(copy)[0] == ["20.0", "1", "0"]
    assert run(copy, NUMBA_CPU_NAME="generic")[0] == ["20.0", "1", "0"]
    assert run(copy)[0] == run(copy, NUMBA_CPU_NAME="generic")[0] == ["20.0", "0", "1"]
    assert len(list((copy / "__pycache__").glob("outer.*.nbc"))) == 2


@pytest.mark.slow
def test_processes_that_compile_at_once_do_not_mix_up_their_code(copy):
    # Each writes other kinds of arguments to the same index, again and again.
    code = """
    import sys
    from numba.core import types
    from notebook_sne.engine.machine.outer import outer
    kept, first = outer._cache._cache_file, int(sys.argv[1])
    for k in range(first, 400, 4):
        kept.save(("kind", k), k)
    """
    command, where = [sys.executable, "-c", textwrap.dedent(code)], {"env": variables(copy), "cwd": copy.parents[3]}
    workers = [subprocess.Popen([*command, str(k)], **where) for k in range(4)]
    assert [worker.wait(timeout=LONG) for worker in workers] == [0] * 4
    read = """
    from notebook_sne.engine.machine.outer import outer
    kept = outer._cache._cache_file
    print(sum(kept.load(("kind", k)) == k for k in range(400)))
    """
    assert run(copy, read)[0] == ["400"]


@pytest.mark.skipif(sys.platform == "win32", reason="without locks of files both compile")
@pytest.mark.parametrize("end, compiled", [("outer(1.0)", ["0", "1"]), ("os._exit(0)", ["1", "0"])])
def test_a_process_waits_for_what_another_one_compiles_unless_that_one_dies(copy, end, compiled):
    second = """
    from notebook_sne.engine.machine import kept_code
    kept_code.listeners.append(lambda: print("asked", flush=True))
    """
    first = f"""
    import os, subprocess, sys
    from notebook_sne.engine.machine import kept_code
    from notebook_sne.engine.machine.outer import outer
    kept_code._at_work.begin(outer._cache._cache_path, outer._cache._impl.filename_base)
    command = [sys.executable, "-c", {textwrap.dedent(second) + CALL!r}]
    other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    print(other.stdout.readline().strip(), flush=True)
    if os.fork():
        {end}
        os._exit(0)
    print(other.communicate()[0])
    """
    said = run(copy, first)[0]
    assert said[0] == "asked" and said[-2:] == compiled


@pytest.mark.slow
def test_a_mark_holds_for_these_sources_and_this_processor(copy):
    ask = "from notebook_sne.engine.machine.compiled import *\nprint(find_mark('done'))"
    leave = "from notebook_sne.engine.machine.compiled import *\nleave_mark('done')"
    assert run(copy, ask)[0] == ["False"]
    run(copy, leave)
    assert run(copy, ask)[0] == ["True"]
    assert run(copy, ask, NUMBA_CPU_NAME="generic")[0] == ["False"]
    (copy / "inner.py").write_text(INNER + "\n")
    assert run(copy, ask)[0] == ["False"]


# What a release of Numba may rename without a word. It knows its own names, and we look for the old ones in vain.
RENAMED = """
import sys, types
import numba
caching = sys.modules["numba.core.caching"]
other = sys.modules["numba.core.caching"] = types.ModuleType("numba.core.caching")
vars(other).update(vars(caching))
"""
HOW = {
    "a class": "del other.IndexDataCacheFile",
    "another one": "del other._CacheLocator",
    "a member": "other.FunctionCache = type('FunctionCache', (), {'__init__': lambda self, function: None})",
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [pytest.param(how, marks=[] if how == "a class" else [pytest.mark.slow]) for how in HOW]
)
def test_where_numba_has_renamed_its_private_parts_code_is_kept_by_its_own_rules(copy, how):
    code = RENAMED + HOW[how] + CALL
    found, said = run(copy, code)
    assert found == ["20.0", "1", "0"]
    assert said.count("RuntimeWarning") == 1 and "keeps compiled code in another way" in said
    # The second time it is found, and so is what `notebook-sne warm` leaves.
    code += "from notebook_sne.engine.machine.compiled import *\nleave_mark('done')\nprint(folder(), find_mark('done'))"
    assert run(copy, code)[0] == ["20.0", "0", "1", str(copy / "__pycache__"), "True"]


@pytest.mark.slow
def test_such_a_numba_gives_the_same_fits(tmp_path):
    code = """
    import hashlib
    import numpy as np
    import notebook_sne as ns
    X = np.random.default_rng(0).normal(size=(60, 4))
    model = ns.TSNE(perplexity=5, max_iter=20, random_state=0, progress=False).fit(X)
    print(hashlib.sha256(model.embedding_.tobytes()).hexdigest())
    """
    found = []
    for name, before in (("renamed", RENAMED + HOW["a class"]), ("as it is", "")):
        whole = before + textwrap.dedent(code)
        found.append(printed(whole, flags=("-W", "ignore"), NUMBA_CACHE_DIR=str(tmp_path / name)))
    assert found[0] == found[1]


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
