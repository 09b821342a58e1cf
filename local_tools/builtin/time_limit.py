"""Ending something that Python itself cannot be asked to end, such as a regular expression."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from local_tools.errors import ToolTimeoutError


@contextmanager
def time_limit(limit_s: float, sentence: str) -> Iterator[None]:
    """Raise out of what is done inside when it takes too long.

    It works where signals do: in the main thread, not on Windows. Elsewhere the worker's own
    limit ends the whole worker.

    Raises:
        ToolTimeoutError: With that sentence.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise ToolTimeoutError(sentence)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
