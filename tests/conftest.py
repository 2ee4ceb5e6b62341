"""What several test folders share: the stand-in model of tests/runs is importable as `drifting`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "runs"))
