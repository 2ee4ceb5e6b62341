"""A thread beside the sending one, for what takes long."""

import threading
import time
from collections.abc import Callable
from typing import Any

from notebook_sne.engine.machine.parallel import threads

__all__ = ["BackgroundCall"]


class BackgroundCall:
    """A thread that does one call at a time; its result is fetched when it is there."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._result: Any = None
        self._error: Exception | None = None
        self.seconds = 0.0
        """That the last call took."""

    @property
    def busy(self) -> bool:
        """Whether a call is under way, or its result not fetched."""
        return self._thread is not None

    def start(self, call: Callable[..., Any], *arguments: Any) -> None:
        """Begin a call; none may be under way."""

        def work() -> None:
            began = time.monotonic()
            try:
                with threads(1):
                    self._result = call(*arguments)
            except Exception as error:
                self._error = error
            self.seconds = time.monotonic() - began

        self._thread = threading.Thread(target=work, name="notebook_sne scores", daemon=True)
        self._thread.start()

    def fetch(self) -> Any:
        """Return the result of a call that has ended, or None; what it raised is raised here."""
        if self._thread is None or self._thread.is_alive():
            return None
        result, error = self._result, self._error
        self._thread = self._result = self._error = None
        if error is not None:
            raise error
        return result
