"""Defaults for the JupyterLab of the tutorials: it saves widgets with their state, asks for no news, and packs lines.

In a notebook that is saved without their state, only a still picture of a player remains; the question whether
JupyterLab may fetch news would lie over the first map. A server packs nothing that it sends to its pages unless it is
told to, by ``jupyter_server_config.json``. The other defaults are a file in the folder ``labconfig`` here;
``notebook-sne lab`` and Binder (``binder/start``) pass this folder to the JupyterLab that they start. No file of the
reader's is written, and no other JupyterLab reads them.
"""

import json
import os

from notebook_sne.engine.machine.package import PACKAGE

__all__ = ["FOLDER", "settings"]

FOLDER = PACKAGE / "browser" / "jupyter"
"""A folder of Jupyter settings, to be listed in `JUPYTER_CONFIG_PATH`."""


def settings() -> dict[str, str]:
    """Return the environment variables with which JupyterLab finds the defaults; none where readers have their own.

    A reader's choice in JupyterLab overrides all defaults. A reader's own ``labconfig`` folder would be overridden by
    these defaults, so they are left out where it sets the same.
    """
    from jupyter_server.services.config import ConfigManager

    ours = json.loads((FOLDER / "labconfig" / "default_setting_overrides.json").read_bytes())
    theirs = ConfigManager(config_dir_name="labconfig").get("default_setting_overrides")
    if any(name in theirs.get(plugin, {}) for plugin, values in ours.items() for name in values):
        return {}
    before = os.environ.get("JUPYTER_CONFIG_PATH")
    return {"JUPYTER_CONFIG_PATH": os.pathsep.join([before, str(FOLDER)] if before else [str(FOLDER)])}
