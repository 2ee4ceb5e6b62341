"""Runs: a model's generator driven by a thread, with no knowledge of what shows it.

`run` is what a hand takes hold of and `worker` the thread behind it; `recording` keeps what happened.
"""
