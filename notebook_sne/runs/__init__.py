"""Runs: a model's generator driven by a thread, with no knowledge of widgets."""
