"""Sweeps: a model fitted at many settings and from many seeds, as one table that survives an interrupt.

`settings` reads what is asked for, `scores` what each fit is judged by, `one_fit` makes a row wherever it is called,
`places` has it called here, in processes of this machine or on a cluster, `kept` writes what has ended into a file, and
`sweep` joins them.
"""
