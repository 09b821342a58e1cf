"""Copies of a SQLite database, made before its shape is changed."""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

_KEPT: Final = 3
_NAME: Final = re.compile(r"parley-server\.revision-(\d+)\.sqlite3")
_UNFINISHED: Final = "parley-server.revision.unfinished"


class Backups:
    """The copies beside a database, one for each of the latest shapes that it had.

    Private like the database itself. What is deleted there is deleted here. Lives as long as
    the database; its methods are called in a thread.
    """

    def __init__(self, database: Path) -> None:
        self._database = database

    def make(self, revision: int) -> None:
        """Copy the database as it was last committed, and drop the oldest copies.

        Raises:
            OSError: When the folder cannot be written.
            sqlite3.Error: When the copy cannot be made.
        """
        unfinished = self._database.with_name(_UNFINISHED)
        _remove(unfinished)
        os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            _copy(self._database, unfinished)
        except (OSError, sqlite3.Error):
            # On a full disk it would take the room that others need.
            _remove(unfinished)
            raise
        unfinished.replace(self._database.with_name(f"parley-server.revision-{revision}.sqlite3"))
        for path in self._all()[:-_KEPT]:
            path.unlink(missing_ok=True)

    def forget(self, conversation_id: str) -> None:
        """Delete a conversation in all copies; one that cannot be changed is deleted itself."""
        for path in self._all():
            try:
                _delete_conversation(path, conversation_id)
            except sqlite3.Error:
                path.unlink(missing_ok=True)

    def _all(self) -> list[Path]:
        """The copies, oldest shape first."""
        found = [
            (int(match[1]), path)
            for path in self._database.parent.iterdir()
            if (match := _NAME.fullmatch(path.name))
        ]
        return [path for _, path in sorted(found)]


def _delete_conversation(path: Path, conversation_id: str) -> None:
    with closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA secure_delete=ON")
        copy.execute("PRAGMA foreign_keys=ON")
        with copy:
            copy.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))


def _copy(database: Path, target: Path) -> None:
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        # One file that is whole by itself.
        copy.execute("PRAGMA journal_mode=DELETE")
    handle = os.open(target, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(unfinished: Path) -> None:
    for path in (unfinished, unfinished.with_name(f"{unfinished.name}-journal")):
        path.unlink(missing_ok=True)
