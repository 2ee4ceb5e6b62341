"""Defaults for the JupyterLab of the tutorials: it saves widgets in a notebook with their state.

Where a notebook is saved without that, a still picture is all that is left of a player. The defaults are a file in the
folder ``labconfig`` here; ``notebook-sne lab`` and Binder (``binder/start``) name this folder to the JupyterLab that
they start. Nothing of a reader's is written, and no other JupyterLab reads them.
"""

import json
import os
from pathlib import Path

__all__ = ["FOLDER", "settings"]

FOLDER = Path(__file__).resolve().parent
"""Of Jupyter's settings, as `JUPYTER_CONFIG_PATH` lists them."""


def settings():
    """Return the environment variables with which JupyterLab finds the defaults.

    What a reader chooses in JupyterLab goes before all defaults. What a ``labconfig`` folder says would come after
    these, so they are left out where one speaks of the same.

    Returns
    -------
    variables : dict of str to str
        None at all where the reader has defaults of their own.
    """
    from jupyter_server.services.config import ConfigManager

    ours = json.loads((FOLDER / "labconfig" / "default_setting_overrides.json").read_bytes())
    theirs = ConfigManager(config_dir_name="labconfig").get("default_setting_overrides")
    if any(name in theirs.get(plugin, {}) for plugin, values in ours.items() for name in values):
        return {}
    before = os.environ.get("JUPYTER_CONFIG_PATH")
    return {"JUPYTER_CONFIG_PATH": os.pathsep.join([before, str(FOLDER)] if before else [str(FOLDER)])}
