"""Qt's event loop as asyncio's, so that the window and the network share one thread."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import shiboken6
from PySide6.QtCore import QAbstractEventDispatcher
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.garbage import Garbage


class AppEventLoop(QEventLoop):  # type: ignore[misc]  # qasync has no types
    """The Qt event loop, with asyncio's clean-up of abandoned async generators switched on.

    While it runs, garbage is collected on its thread only.

    WORKAROUND qasync's `run_forever` sets no async-generator hooks: a stream that is left half
    read would keep its inner generators until the garbage collector meets them.

    Made once by `app.main` (and by tests, one each); closed after `run_until_complete`.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)

    def run_forever(self) -> int:
        """Run until `stop()`; return Qt's exit code."""
        before = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(
            firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook
        )
        try:
            with _collected_here(QAbstractEventDispatcher.instance()):
                return int(super().run_forever())
        finally:
            sys.set_asyncgen_hooks(*before)

    def close(self) -> None:
        """Release everything; the loop cannot be used again.

        WORKAROUND qasync leaves its timer object, with timers running, to the garbage collector,
        which may meet it on another thread; Qt allows that on the thread of the loop only.
        """
        if self.is_closed():
            return
        timer = self._timer
        super().close()
        shiboken6.delete(timer)


@contextmanager
def _collected_here(dispatcher: QAbstractEventDispatcher) -> Iterator[None]:
    """Meanwhile garbage is collected on this thread, each time before it waits for events.

    What other threads leave waits for that, too: they have nothing to say to a window, or wake it.
    """
    was_enabled = gc.isenabled()
    garbage = Garbage()
    gc.disable()
    dispatcher.aboutToBlock.connect(garbage.collect_due)
    try:
        yield
    finally:
        dispatcher.aboutToBlock.disconnect(garbage.collect_due)
        if was_enabled:
            gc.enable()
