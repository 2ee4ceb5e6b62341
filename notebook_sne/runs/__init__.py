"""Runs: a model's generator driven by a thread, with no knowledge of widgets.

`run` is what a hand takes hold of and `worker` the thread behind it; `recording` keeps the film, and `page` writes it
as a file that plays in any browser.
"""
