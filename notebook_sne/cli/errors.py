"""The error that a command prints without a traceback."""

__all__ = ["CommandError"]


class CommandError(Exception):
    """A reason to stop, as the terminal shows it."""
