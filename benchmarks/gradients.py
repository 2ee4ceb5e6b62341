"""Time of one exact gradient beside scikit-learn's exact t-SNE gradient, in one run.

Wanted at 5000 objects with a sparse P: at least 30 times faster, for the Student-t and the Gaussian kernel alike.
Rounds are interleaved, so that a noisy neighbor slows all of them, and medians are compared. The accuracy of the
single-precision sums is measured on the same layout, a fitted map, against plain NumPy in double precision.
"""

from functools import partial

import numpy as np
from scipy.spatial.distance import squareform
from sklearn.manifold import _t_sne

import notebook_sne as ns
from benchmarks.peers.rounds import in_turns
from benchmarks.record import keep
from notebook_sne.fitting.inputs import target
from notebook_sne.mathematics import sne, tsne, unisne
from tests import reference

ROUNDS = 7


def main(n_objects=5000):
    """Measure, print and keep."""
    X = ns.datasets.load_clusters(n_objects=(n_objects // 10,) * 10, widths=(1.0,) * 10, n_features=30).X
    joint = target(X, "vectors", 30, "joint").P
    conditional = target(X, "vectors", 30, "conditional").P
    Y = {
        "t": ns.TSNE(max_iter=400, random_state=0, progress=False).fit_transform(X),
        "gaussian": ns.SymmetricSNE(max_iter=400, random_state=0, progress=False).fit_transform(X),
    }
    dense = squareform(joint.toarray(), checks=False)
    pairs = tsne.attractive_pairs(joint)
    calls = {
        "scikit-learn, exact t-SNE": partial(_t_sne._kl_divergence, Y["t"].ravel(), dense, 1.0, n_objects, 2),
        "t-SNE": partial(tsne.cost_and_gradient, pairs, Y["t"]),
        "symmetric SNE": partial(unisne.cost_and_gradient, pairs, Y["gaussian"]),
        "UNI-SNE": partial(unisne.cost_and_gradient, pairs, Y["gaussian"], 0.2),
        "SNE": partial(sne.cost_and_gradient, sne.attractive_pairs(conditional), Y["gaussian"]),
    }
    plain = {
        "t-SNE": lambda: reference.tsne(joint.toarray(), Y["t"]),
        "symmetric SNE": lambda: reference.unisne(joint.toarray(), Y["gaussian"]),
        "UNI-SNE": lambda: reference.unisne(joint.toarray(), Y["gaussian"], 0.2),
        "SNE": lambda: reference.sne(conditional.toarray(), Y["gaussian"]),
    }
    times = in_turns(calls, ROUNDS)
    peer = np.median(times["scikit-learn, exact t-SNE"])
    rows = []
    for name in calls:
        row = {"gradient": name, "ms, median": round(1e3 * float(np.median(times[name])), 2)}
        if name in plain:
            row["times faster"] = round(float(peer / np.median(times[name])), 1)
            cost, gradient = plain[name]()
            here = calls[name]()
            kind = {"t-SNE": "tsne", "SNE": "sne"}.get(name, "symmetric")
            P, map_points = (
                (conditional if kind == "sne" else joint).toarray(),
                Y["t" if kind == "tsne" else "gaussian"],
            )
            scale = reference.attraction_norm(P, map_points, kind)
            row["error / attraction"] = float(f"{np.linalg.norm(here.gradient - gradient) / scale:.2g}")
            row["cost error"] = float(f"{abs(here.cost - cost) / abs(cost):.2g}")
        rows.append(row)
    keep("gradients", {"objects": n_objects, "stored pairs": int(joint.nnz), "rounds": ROUNDS}, rows)


if __name__ == "__main__":
    main()
