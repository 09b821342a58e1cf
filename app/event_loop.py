"""Run asyncio on Qt's event loop (qasync), so that window and network share one thread.

`AppEventLoop` is the loop. While it runs, `GuiThreadGarbageCollector` collects cyclic garbage on
the GUI thread only. Python collects on whichever thread happens to allocate. If the garbage holds a
QObject, that thread would destroy it, which Qt allows on the object's own thread only: a socket
notifier or a running timer that is left behind crashes the program later. `remove_feature_hook`
undoes what PySide does to `import`.
"""

import builtins
import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import shiboken6
from PySide6.QtCore import QAbstractEventDispatcher
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

# Full collections may take this share of the time. Our choice.
_FULL_SHARE: Final = 1 / 500


class GuiThreadGarbageCollector:
    """Collects garbage when called, as often as Python would. Used on the thread of the windows."""

    def __init__(self) -> None:
        self._next_full_s = 0.0

    def collect_if_due(self) -> None:
        """Collect the oldest generation that is due, if any is; `gc` says what is due."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        if counts[0] <= thresholds[0]:
            return
        began_s = time.monotonic()
        # A full collection walks every object; after a slow one the next waits longer, so that
        # windows do not.
        if counts[2] > thresholds[2] and began_s >= self._next_full_s:
            gc.collect()
            now_s = time.monotonic()
            self._next_full_s = now_s + (now_s - began_s) / _FULL_SHARE
        else:
            gc.collect(1 if counts[1] > thresholds[1] else 0)


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
    garbage = GuiThreadGarbageCollector()
    gc.disable()
    dispatcher.aboutToBlock.connect(garbage.collect_if_due)
    try:
        yield
    finally:
        dispatcher.aboutToBlock.disconnect(garbage.collect_if_due)
        if was_enabled:
            gc.enable()


def remove_feature_hook() -> None:
    """Take PySide's `__feature__` hook out of imports; nothing here uses it.

    WORKAROUND PySide 6 replaces `__import__` by one that reads the source of every imported module
    to find `from __feature__ import …` (PYSIDE-2029): a tenth of our start. PySide keeps the one
    before it under a name of its own; without that name, nothing is changed.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
