"""One whole fit in a process of its own: ``python -m benchmarks.peers.one_fit CODE OBJECTS.npy MAP.npy``.

So that its peak memory is its own, above what its imports take. The map goes to MAP.npy; a line of JSON to stdout says
how long the affinities and the optimization took, how many updates were made, and the peak in megabytes.
"""

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

__all__ = ["CODES", "main"]

_PERPLEXITY = 30.0


def _t_sne(updates, threads):
    from benchmarks.peers.ours import recipe
    from notebook_sne.models.tsne import TSNE

    return _ours(TSNE(perplexity=_PERPLEXITY, **recipe(updates), n_jobs=threads))


def _gaussian(name, updates, threads):
    from notebook_sne.models.sne import SNE
    from notebook_sne.models.symmetric import SymmetricSNE
    from notebook_sne.models.unisne import UNISNE

    kind = {"SNE": SNE, "symmetric SNE": SymmetricSNE, "UNI-SNE": UNISNE}[name]
    most = {} if updates is None else {"max_iter": updates}
    return _ours(kind(perplexity=_PERPLEXITY, **most, random_state=0, n_jobs=threads, progress=False))


def _ours(model):
    from sklearn.decomposition import PCA  # noqa: F401  what a first fit imports is an import, too
    from sklearn.neighbors import NearestNeighbors  # noqa: F401

    import notebook_sne.engine.fitting.problem  # noqa: F401

    def fit(X):
        began = time.perf_counter()
        model.fit(X)
        seconds = time.perf_counter() - began
        # The trace counts from the first state on, for which P was needed.
        optimization = float(model.trace_.seconds.iloc[-1])
        return model.embedding_, seconds - optimization, optimization, model.n_iter_

    return fit


def _opentsne(updates, threads):
    import openTSNE
    from openTSNE import affinity, initialization

    def fit(X):
        began = time.perf_counter()
        P = affinity.PerplexityBasedNN(X, perplexity=_PERPLEXITY, n_jobs=threads, random_state=0)
        affinities = time.perf_counter() - began
        start = initialization.pca(X, random_state=0)
        embedding = openTSNE.TSNEEmbedding(start, P, negative_gradient_method="fft", n_jobs=threads, random_state=0)
        embedding.optimize(updates // 3, exaggeration=12, momentum=0.5, inplace=True)
        embedding.optimize(updates - updates // 3, momentum=0.8, inplace=True)
        return np.asarray(embedding), affinities, time.perf_counter() - began - affinities, updates

    return fit


def _scikit_learn(updates, threads):
    from sklearn.manifold import TSNE

    class Timed(TSNE):
        """scikit-learn's, which notes when its affinities are done."""

        _EXPLORATION_MAX_ITER = updates // 3

        def _tsne(self, *arguments, **options):
            self.turned_ = time.perf_counter()
            return super()._tsne(*arguments, **options)

    def fit(X):
        model = Timed(perplexity=_PERPLEXITY, max_iter=updates, init="pca", random_state=0, n_jobs=threads)
        began = time.perf_counter()
        Y = model.fit_transform(X)
        return Y, model.turned_ - began, time.perf_counter() - model.turned_, model.n_iter_ + 1

    return fit


CODES: dict[str, Callable] = {
    "notebook_sne": _t_sne,
    "openTSNE, FFT": _opentsne,
    "scikit-learn, Barnes-Hut": _scikit_learn,
    **{name: partial(_gaussian, name) for name in ("SNE", "symmetric SNE", "UNI-SNE")},
}
"""What can be fitted, by name: functions of the number of updates and of threads that import what they need and return
a fit, a function of X that returns (map, seconds of affinities, seconds of optimization, updates made)."""


def _status(key):
    """Return a line of /proc/self/status in megabytes, or None where there is no such file."""
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith(f"{key}:"))
    except (OSError, StopIteration):
        return None


def _resident():
    return _peak() if (now := _status("VmRSS")) is None else now


def _peak():
    """Return the greatest resident memory so far in megabytes, or None where the system does not tell.

    Linux keeps ru_maxrss across the start of another program, so that it would show the parent's.
    """
    if (peak := _status("VmHWM")) is not None:
        return peak
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def main(arguments=None):
    """Fit, and say what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", choices=CODES)
    parser.add_argument("objects")
    parser.add_argument("map")
    parser.add_argument("--updates", type=int, help="left out, what a model of ours makes by itself")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args(arguments)
    fit = CODES[asked.code](asked.updates, asked.threads)
    gc.collect()
    before = _resident()
    X = np.load(asked.objects, allow_pickle=False)
    Y, affinities, optimization, updates = fit(X)
    peak = _peak()
    np.save(asked.map, np.asarray(Y, dtype=np.float64))
    print(
        json.dumps(
            {
                "affinities, s": affinities,
                "optimization, s": optimization,
                "updates": int(updates),
                "peak above imports, MB": None if peak is None or before is None else peak - before,
            }
        )
    )


if __name__ == "__main__":
    main()
