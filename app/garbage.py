"""Cyclic garbage is collected on the thread of the windows only.

Python collects on whichever thread makes an object at that moment. Where the garbage holds an
object of Qt, that thread would destroy it; Qt allows this on the object's own thread only, and
what it then cannot take back (a socket notifier, a running timer) crashes the program later.
"""

import gc
import time
from typing import Final

# A search through everything may take this share of the time. Our choice.
_FULL_SHARE: Final = 1 / 500


class Garbage:
    """Collects when Python would, whenever it is called. Used on the thread of the windows."""

    def __init__(self) -> None:
        self._next_full_s = 0.0

    def collect_due(self) -> None:
        """Collects the oldest generation that is due, if any is; `gc` says what is due."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        if counts[0] <= thresholds[0]:
            return
        began_s = time.monotonic()
        if counts[2] > thresholds[2] and began_s >= self._next_full_s:
            gc.collect()
            now_s = time.monotonic()
            self._next_full_s = now_s + (now_s - began_s) / _FULL_SHARE
        else:
            gc.collect(1 if counts[1] > thresholds[1] else 0)
