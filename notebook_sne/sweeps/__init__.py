"""Sweeps: a model fitted at many settings and from many seeds, as one table that survives an interrupt.

`settings` reads the grid and the seeds, `scores` the measures of each fit. `one_fit` makes a row wherever it is called;
`places` calls it here, in processes of this machine or on a cluster; `kept` writes the finished rows into a file; and
`sweep` joins them.
"""
