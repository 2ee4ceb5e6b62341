"""What `warm` compiles is what a run would have compiled."""

import os
import subprocess
import sys

_FIT = """
import numpy as np, notebook_sne as ns
digits = ns.datasets.load_digits()
X = digits.X[:200]
for kind in (ns.SNE, ns.SymmetricSNE, ns.UNISNE, ns.TSNE):
    with ns.Run(kind(perplexity=10, random_state=0), X) as run:
        run.steps(3)
        run.forces(0)
        run.costs()
words = ns.datasets.load_word_relations()
for model in (
    ns.AspectMaps(n_maps=3, max_iter=3, input="probabilities", random_state=0, progress=False),
    ns.AspectMaps(n_maps=2, max_iter=3, input="probabilities", normalisation="joint", random_state=0, progress=False),
    ns.MultipleMapsTSNE(n_maps=2, max_iter=3, input="probabilities", random_state=0, progress=False),
):
    model.fit(words.P)
ns.MixtureSNE(perplexity=10, max_iter=3, random_state=0, progress=False).fit(X)
ns.affinities.joint_with_one_sigma(X, 10)
from scipy.spatial.distance import cdist
ns.affinities.from_distances(cdist(X, X), 10)
"""


def compiled(cache):
    """The files of compiled code."""
    return {path.name for path in cache.rglob("*.nbc")}


def run(code, cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_after_it_nothing_is_left_to_compile(tmp_path):
    says = run(["-m", "notebook_sne.cli", "warm"], tmp_path)
    for name in ("affinities", "SNE", "SymmetricSNE", "UNISNE", "TSNE", "AspectMaps", "MultipleMapsTSNE", "MixtureSNE"):
        assert f"{name} (" in says
    ready = compiled(tmp_path)
    assert len(ready) > 10
    run(["-c", _FIT], tmp_path)
    assert compiled(tmp_path) == ready
