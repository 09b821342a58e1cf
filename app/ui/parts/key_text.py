"""Keys as people read them on their system."""

import sys

from PySide6.QtGui import QKeySequence


def key_text(keys: QKeySequence) -> str:
    """Return the keys in the spelling of the system, without a plus between them: "Ctrl K"."""
    native = keys.toString(QKeySequence.SequenceFormat.NativeText)
    if sys.platform == "darwin":
        return native
    # A plus at the end is the key itself.
    return native[:-1].replace("+", " ") + native[-1:]
