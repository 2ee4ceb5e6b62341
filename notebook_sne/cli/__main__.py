"""``python -m notebook_sne.cli`` is the command ``notebook-sne``."""

import sys

from notebook_sne.cli.command import main

sys.exit(main())
