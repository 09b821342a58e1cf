"""The release of Qt for Python that is installed counts its references right."""

import subprocess
import sys

CALLS = 10_000
COUNT_NONE = f"""
import sys
from PySide6.QtCore import QObject
thing = QObject()
before = sys.getrefcount(None)
for _ in range({CALLS}):
    thing.setObjectName("")
print(before - sys.getrefcount(None))
"""


def test_calls_that_return_nothing_keep_the_references_to_none() -> None:
    # PySide6 6.12.0 on Python 3.11 loses one each time; the interpreter aborts in the end, so it
    # counts in a process of its own.
    counting = subprocess.run(
        [sys.executable, "-c", COUNT_NONE],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert counting.returncode == 0, counting.stderr
    assert int(counting.stdout) < CALLS / 100
