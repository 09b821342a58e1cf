"""Undo what PySide does to `import`, which makes every import of the program slower."""

import builtins


def remove_feature_hook() -> None:
    """Let imports go past PySide's `__feature__` hook, which nothing here uses.

    WORKAROUND PySide 6 replaces `__import__` by one that reads the source of every imported module
    to find `from __feature__ import …` (PYSIDE-2029): a tenth of our start. PySide keeps the one
    before it under a name of its own; without that name, nothing is changed.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
