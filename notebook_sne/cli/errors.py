"""What a command says instead of a traceback."""

__all__ = ["CommandError"]


class CommandError(Exception):
    """A reason to stop, in words for the terminal."""
