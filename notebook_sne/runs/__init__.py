"""Runs: a model's generator driven by a thread, with no knowledge of what shows it.

`run` is what a hand takes hold of and `readable` what can be read of it (a `snapshot` at once). Its methods put
`commands`; `control` decides what each of them does, as a state machine without a thread. The thread in `worker` takes
one task after the other and does it with a `maker` of states; `protocols` says what that asks of a model. `trace` and
`recording` keep what happened.
"""
