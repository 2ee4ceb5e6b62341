"""``notebook-sne lab``: copy the tutorials to the reader's folder, and open JupyterLab on the first one."""

import importlib.util
import os
import shlex
import subprocess
import sys
from pathlib import Path

from notebook_sne.browser import jupyter
from notebook_sne.cli import background
from notebook_sne.cli.errors import CommandError
from notebook_sne.cli.tutorials import copy_tutorials, first_tutorial, tutorials_folder
from notebook_sne.engine.machine import process

__all__ = ["lab"]


def lab(folder, browser, port, more, answers=False):
    """Copy the tutorials, and answers if asked for; compile in the background, and run JupyterLab.

    Return its exit code, except on POSIX.
    """
    folder = Path(folder).expanduser().resolve()
    source = tutorials_folder()
    first = first_tutorial(source)
    for line in copy_tutorials(source, folder, answers):
        print(line)
    if importlib.util.find_spec("jupyterlab") is None:
        raise CommandError(
            f"JupyterLab is not installed for {sys.executable}; install it with\n"
            f'  {shlex.quote(sys.executable)} -m pip install "notebook_sne[lab]"\n'
            "or open the folder with the program that you use for notebooks"
        )
    if _is_root() and "--allow-root" not in more:
        # In a container every user is root. The server still listens on this machine only, and asks for its token.
        print("You are root: JupyterLab is started with --allow-root")
        more = [*more, "--allow-root"]
    print("JupyterLab says its address below; Control-C, twice, ends it", flush=True)
    background.start()
    environment = {**os.environ, **jupyter.settings(), **process.variables()}
    return _start(_lab_command(folder, first, browser, port, more), environment)


def _lab_command(folder, first, browser, port, more):
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    # Not as a file to open: the address that --no-browser prints would then lead to the folder.
    command.append(f"--LabApp.default_url=/lab/tree/{first}")
    if not browser:
        command.append("--no-browser")
    if port is not None:
        command.append(f"--port={port}")
    if not any("log-level" in one or "log_level" in one or one == "--debug" for one in more):
        command.append("--Application.log_level=WARN")  # otherwise the address stands below fifteen lines
    return command + more


def _start(command, environment):
    """Run a command to its end and return its exit code."""
    sys.stdout.flush()
    if os.name == "posix":
        # It replaces this process instead of being its child: Ctrl-C, signals and the exit code are then JupyterLab's.
        os.execve(command[0], command, environment)
    with subprocess.Popen(command, env=environment) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # JupyterLab got Ctrl-C as well, and may ask for confirmation


def _is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0
