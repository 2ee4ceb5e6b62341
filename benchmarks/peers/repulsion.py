"""The sums over all pairs alone, by particle mesh: a Gaussian beside Student's t, on maps of both sizes."""

from functools import partial

import numpy as np

from benchmarks.peers.layouts import gaussian_layout
from benchmarks.peers.rounds import in_turns, rounded, spread, times_as_long
from notebook_sne.machine.parallel import threads as at_most
from notebook_sne.sums.mesh_sums import gaussian_mesh_sums, student_mesh_sums
from notebook_sne.sums.pair_sums import gaussian_sums, student_sums

__all__ = ["MOST_POINTS", "rows"]

MOST_POINTS = 50_000
_KERNELS = {"Student-t": (student_mesh_sums, student_sums), "Gaussian": (gaussian_mesh_sums, gaussian_sums)}


def rows(Y, n_rounds, threads):
    """Measure both kernels on a late layout of t-SNE and on the same scaled to the size of the Gaussian models' maps.

    Of more than 50,000 points of Y, shape (N, 2), the first 50,000 are taken. Return a row for each kernel and layout,
    with the error of its forces against sums in double precision, both in root mean square.
    """
    Y = np.ascontiguousarray(Y[:MOST_POINTS], dtype=np.float64)
    layouts = {"t-SNE": Y, "Gaussian models": gaussian_layout(Y)}
    with at_most(threads):
        calls = {
            (layout, kernel): partial(sums, points)
            for layout, points in layouts.items()
            for kernel, (sums, _) in _KERNELS.items()
        }
        times = in_turns(calls, n_rounds)
        made = []
        for (layout, kernel), call in calls.items():
            right = _KERNELS[kernel][1](layouts[layout], dtype=np.float64)[1]
            made.append(
                {
                    "objects": len(Y),
                    "layout of": layout,
                    "width": rounded(np.ptp(layouts[layout], axis=0).max(), 3),
                    "kernel": kernel,
                    **spread(times[layout, kernel]),
                    "times Student-t": times_as_long(times[layout, kernel], times[layout, "Student-t"]),
                    "error of the forces": rounded(np.linalg.norm(call()[1] - right) / np.linalg.norm(right), 2),
                }
            )
    return made
