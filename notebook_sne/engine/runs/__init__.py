"""Runs: a model's generator driven by a thread, independent of the views that show it.

`run` has the commands for a reader and `run_view` what can be read (all at one time in a `snapshot`). Its methods put
`commands`; `control` decides what each of them does, as a state machine without a thread. The thread in `worker` takes
one task after the other and does it with a `maker` of states; `protocols` says what that asks of a model. `trace` and
`recording` keep what happened; `plan` is a run as data, from which a page goes on. `aligned` fits the maps of several
steps together, and `aligned_maps` holds them, and makes a recording that moves from each to the next.
"""
