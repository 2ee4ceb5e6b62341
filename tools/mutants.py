"""Put one fault after another into a copy of the tree, and see that the tests named beside it fail.

    python -m tools.mutants                # all of tools/mutants.json
    python -m tools.mutants sums1 player2  # some of them

An entry of the list has a name, a file, an ``old`` text that stands there once, the ``new`` one, and the tests that are
to see it: arguments of pytest, or files of ``node --test``. With ``"jit": false`` Numba compiles nothing. One that
changes nothing a test could see has the reason as ``equivalent``, and is not run unless it is named. Ends with a line
of counts; survivors come before, a line each, and make it fail.

A process that has imported the libraries is forked for each fault. The test that failed is run once more without the
fault: where it fails again, it is no witness.
"""

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tools" / "mutants.json"
_LIBRARIES = ("numpy", "scipy.sparse.linalg", "scipy.spatial", "numba", "pandas", "sklearn.manifold", "pytest")
_CPU, _WALL = 600, 3600  # s: a fault may make a loop endless, or let two wait for each other
_PLAIN = "not slow and not notebooks and not browser and not compiled"  # what the lane "plain" runs
_SEEN = (1, 2)  # pytest's codes where a test failed or could not be imported; others mean that none was run


def read():
    """Return the entries of the list, a dict each."""
    return json.loads(LIST.read_text())


def misfits(entries, root=ROOT):
    """Return what is wrong with entries of the list, a sentence each."""
    names = [entry["name"] for entry in entries]
    found = [f"{name} stands in the list {names.count(name)} times." for name in set(names) if names.count(name) > 1]
    for entry in entries:
        name, file = entry["name"], root / entry["file"]
        count = file.read_text().count(entry["old"]) if file.is_file() else 0
        if count != 1:
            found.append(
                f"{name}: {entry['old']!r} stands in {entry['file']} {count} times, and must stand there once."
            )
        if entry["old"] == entry["new"]:
            found.append(f"{name}: old and new are the same.")
        missing = [test for test in entry["tests"] if not (root / test.partition("::")[0]).exists()]
        found += [f"{name}: there is no {test}." for test in missing if "/" in test]
        if not any("/" in test for test in entry["tests"]):
            found.append(f"{name}: no test is named.")
    return found


def copy_to(folder):
    """Copy to a folder what Git knows of the tree, as it is now, and what it would take up."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in listed.stdout.decode().split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def run(tests, folder, jit=True):
    """Run tests in the copy, in a fork; return whether they failed, and the names of those that did."""
    witness, log = folder / "witness", folder / "log"
    witness.write_text("")
    sys.stdout.flush()
    if not (pid := os.fork()):
        try:
            _run_here(tests, folder, jit, witness, log)
        finally:
            os._exit(70)
    try:
        status = os.waitpid(pid, 0)[1]
    finally:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # what the tests have started and not ended
    endless = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM)
    code = os.waitstatus_to_exitcode(status)
    if not endless and code not in (0, *_SEEN):
        raise SystemExit(f"{' '.join(tests)} could not be run (code {code}):\n{log.read_text()[-3000:]}")
    return code != 0, witness.read_text().split("\n")[:-1]


def _run_here(tests, folder, jit, witness, log):
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU, _CPU + 60))
    signal.alarm(_WALL)
    os.chdir(folder)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.environ["PYTHONPATH"] = str(folder)
    if _is_of_node(tests):
        os.execvp("node", ["node", "--test", "--no-warnings", *tests])
    sys.path[:] = [str(folder), *(path for path in sys.path if Path(path or ".").resolve() != ROOT)]
    sys.modules.pop("tools", None)
    if not jit:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        import_module("numba").config.DISABLE_JIT = True
        tests = ["-m", _PLAIN, *tests]

    class Witness:
        def pytest_runtest_logreport(self, report):
            if report.failed:
                with witness.open("a") as file:
                    file.write(f"{report.nodeid}\n")

    os._exit(import_module("pytest").main(["-p", "no:cacheprovider", "-p", "no:xdist", "-qx", *tests], [Witness()]))


def _is_of_node(tests):
    return tests[0].endswith(".mjs")


def sees(entry, folder):
    """Return whether the tests of an entry fail by its fault, which is in the copy for so long."""
    file, tests, jit = folder / entry["file"], entry["tests"], entry.get("jit", True)
    whole, stat = file.read_text(), file.stat()
    file.write_text(whole.replace(entry["old"], entry["new"]))
    try:
        failed, witnesses = run(tests, folder, jit)
    finally:
        file.write_text(whole)
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # by which Python knows what it has compiled
    again = ["-m", "", *witnesses] if witnesses else tests  # a witness may be slow
    if failed and run(again, folder, jit)[0]:
        print(f"{entry['name']}: {' '.join(again)} fails without the fault, too.")
        return False
    return failed


def main():
    """Run the faults that are named, or all; return 1 if one survives."""
    asked = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.partition("\n")[0])
    asked.add_argument("names", nargs="*", metavar="NAME", help="of the list; default: all")
    names, entries = asked.parse_args().names, read()
    wrong = misfits(entries)
    wrong += [f"There is no {name} in the list." for name in set(names) - {entry["name"] for entry in entries}]
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    entries = [entry for entry in entries if not names or entry["name"] in names]
    counts = {"killed": 0, "equivalent": 0, "survived": 0}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        copy_to(folder)
        os.environ["NUMBA_CACHE_DIR"] = str(folder / "compiled")
        for library in _LIBRARIES:
            import_module(library)
        for entry in entries:
            same = "equivalent" in entry
            result = "equivalent" if same and not names else "killed" if sees(entry, folder) else "survived"
            if same and result == "survived":
                result = "equivalent"
            counts[result] += 1
            if names or result == "survived":
                print(f"{entry['name']} {result}: {entry['file']}: {entry['old']!r} -> {entry['new']!r}", flush=True)
    print(f"{len(entries)} mutants: {', '.join(f'{count} {result}' for result, count in counts.items())}")
    return int(counts["survived"] > 0)


if __name__ == "__main__":
    sys.exit(main())
