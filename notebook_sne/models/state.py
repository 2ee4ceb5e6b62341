"""Where pickles of early states look for them."""

from notebook_sne.fitting.state import State

__all__ = ["State"]
