"""The benchmark beside peers, ``python -m benchmarks.peers``: one run, every ratio, on the machine that it is asked on.

Seconds depend on the machine and on what else it does; ratios within one run do so much less. So all codes get the same
P, the same map points and the same number of threads, and take turns, round by round; medians are compared. `layouts`
makes the map points, `theirs` wraps the gradients of openTSNE and scikit-learn, and `ours` those of this package;
`iterations` and `fits` are the parts of a run.

openTSNE comes with the extra ``bench``.
"""
