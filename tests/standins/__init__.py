"""What stands in for a model and for a browser, and how a test waits for another thread."""

from tests.standins.drifting import Drawing, Drifting
from tests.standins.waiting import our_threads, until

__all__ = ["Drawing", "Drifting", "our_threads", "until"]
