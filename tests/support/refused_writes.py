"""A database that refuses to be written for a while, as on a full disk, at exactly one place.

with refused_writes(tmp_path / "ledger.db", "INSERT ON entries WHEN NEW.step = 'finished'"):
    await chat.said("Run it")
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

REPLIES: Final = (
    "INSERT ON pieces",
    "UPDATE ON pieces",
    "DELETE ON pieces",
    "UPDATE ON turns WHEN NEW.state <> 'sending'",
)
"""Whatever is written about a message once it is on its way."""


@contextmanager
def refused_writes(file: Path, *events: str) -> Iterator[None]:
    """Let each of these writes fail until the end of the block, whoever tries.

    An event is what follows `BEFORE` in a trigger. The file is there and has its tables.
    """
    names = [f"refused_{number}" for number in range(len(events))]
    with closing(sqlite3.connect(file)) as database:
        for name, event in zip(names, events, strict=True):
            database.execute(
                f"CREATE TRIGGER {name} BEFORE {event}"
                " BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
            )
        try:
            yield
        finally:
            for name in names:
                database.execute(f"DROP TRIGGER {name}")
