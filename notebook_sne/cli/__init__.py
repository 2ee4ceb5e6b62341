"""The command ``notebook-sne``; `command` reads its arguments, and each command is a module beside it."""

from notebook_sne.cli.command import main

__all__ = ["main"]
