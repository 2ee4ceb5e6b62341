"""Where pickles of early states look for them."""

from notebook_sne.engine.fitting.state import State

__all__ = ["State"]
