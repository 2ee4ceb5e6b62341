"""What `warm` compiles is what a run would have compiled."""

import os
import subprocess
import sys

import pytest

_FIT = """
import hashlib
import numpy as np, notebook_sne as ns
def note(*arrays):
    print(hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()[:12])
digits = ns.datasets.load_digits()
X = digits.X[:200]
few = {"perplexity": 10, "random_state": 0, "progress": False}
for kind in (ns.SNE, ns.SymmetricSNE, ns.UNISNE, ns.TSNE):
    with ns.Run(kind(perplexity=10, random_state=0), X) as run:
        run.steps(3)
        note(*run.forces(0), run.costs(), run.state.Y)
    note(kind(sums="mesh", max_iter=20, **few).fit_transform(digits.X))
    note(kind(max_iter=1, **few).fit(X).transform(digits.X[200:220]))
many = np.random.default_rng(0).normal(size=(4500, 8))
model = ns.TSNE(perplexity=5, max_iter=3, random_state=0, progress=False).fit(many)
note(model.embedding_, model.transform(many[:10]))
note(model.set_params(init=many[:, :2] * [[1e3]]).fit_transform(many))  # a map of many empty cells
words = ns.datasets.load_word_relations()
few = {"max_iter": 3, "input": "probabilities", "random_state": 0, "progress": False}
for model in (
    ns.AspectMaps(n_maps=3, **{**few, "max_iter": 25}),
    ns.AspectMaps(n_maps=2, normalization="joint", **few),
    ns.MultipleMapsTSNE(n_maps=2, **few),
    ns.AspectMaps(n_maps=3, sums="mesh", **few),
    ns.MultipleMapsTSNE(n_maps=3, sums="mesh", **few),
):
    note(model.fit_transform(words.P), model.mixing_)
note(ns.MixtureSNE(perplexity=10, max_iter=3, random_state=0, progress=False).fit_transform(X))
note(ns.affinities.joint_with_one_sigma(X, 10))
from scipy.spatial.distance import cdist
note(ns.affinities.from_distances(cdist(X, X), 10))
"""

_WARM = """
import os, pathlib
from notebook_sne import cli
assert cli.main(["warm"]) == 0
print(sum(1 for path in pathlib.Path(os.environ["NUMBA_CACHE_DIR"]).rglob("*.nbc")))
"""


def compiled(cache):
    """The files of compiled code."""
    return {path.name for path in cache.rglob("*.nbc")}


def run(code, cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_after_it_nothing_is_left_to_compile_and_every_bit_stays_the_same(tmp_path):
    # This process compiles, and then runs what it has compiled itself ...
    says = run(["-c", _WARM + _FIT], tmp_path).splitlines()
    n_names = next(k for k, line in enumerate(says) if line.isdigit())
    names = [line.partition(" (")[0] for line in says[:n_names]]
    for name in ("affinities", "SNE", "SymmetricSNE", "UNISNE", "TSNE", "AspectMaps", "MultipleMapsTSNE", "MixtureSNE"):
        assert name in names
    ready = compiled(tmp_path)
    assert len(ready) == int(says[n_names]) > 10
    # ... and this one finds it on disk.
    assert run(["-c", _FIT], tmp_path).splitlines() == says[n_names + 1 :]
    assert compiled(tmp_path) == ready
    # What `lab` starts sees that there is nothing to do.
    for file in tmp_path.rglob("*.nbc"):
        file.unlink()
    run(["-m", "notebook_sne.cli.background"], tmp_path)
    assert not compiled(tmp_path)


@pytest.mark.slow
def test_in_the_background_the_same_is_compiled_and_then_nothing_more(tmp_path, monkeypatch):
    # Everything it does once it has looked whether it must, with a stand-in for the long part.
    code = """
import os, runpy, sys, types
warm = types.ModuleType("notebook_sne.cli.warm")
from notebook_sne.engine.machine.compiled import leave_mark
def stand_in():
    print("compiles at", os.nice(0), end=" ")
    yield
    leave_mark("warm")
warm.warm = stand_in
sys.modules["notebook_sne.cli.warm"] = warm
runpy.run_module("notebook_sne.cli.background", run_name="__main__")
"""
    lowest = min(os.nice(0) + 19, 19)  # of a process that was itself given a priority, as far down as one step goes
    assert run(["-c", code], tmp_path).split() == ["compiles", "at", str(lowest)]
    assert run(["-c", code], tmp_path) == ""


def test_where_nothing_can_be_kept_there_is_nothing_to_warm(tmp_path, monkeypatch, capsys):
    from notebook_sne import cli
    from notebook_sne.cli import warm

    monkeypatch.setattr(warm, "can_keep", lambda: False)
    assert cli.main(["warm"]) == 1
    assert "set NUMBA_CACHE_DIR to a folder that can" in capsys.readouterr().err


def test_it_is_started_apart_and_says_nothing(monkeypatch):
    from notebook_sne.cli import background

    commands = []
    monkeypatch.setattr(background.subprocess, "Popen", lambda command, **options: commands.append((command, options)))
    background.start()
    ((command, options),) = commands
    assert command == [sys.executable, "-m", "notebook_sne.cli.background"]
    assert {options[name] for name in ("stdin", "stdout", "stderr")} == {subprocess.DEVNULL}
    assert options["env"]["NUMBA_NUM_THREADS"] == "1"
