"""Replace a damaged ledger by a new one with all entries that can still be read.

If every entry can be read, the new file has the same chain. Otherwise the remaining entries are
chained again after an origin that names the head of the damaged ledger, so that verification
reports the loss. Lost entries must not make a call run twice: a call without a known end counts as
started, or is closed if nobody had decided about it.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from local_tools.ledger.chain import (
    ChainEntry,
    Head,
    LedgerOrigin,
    read_head,
    salted_hash,
    verify,
)
from local_tools.ledger.ledger_file import (
    ADD_ENTRY,
    EVERYTHING,
    UNDERSTOOD,
    LedgerFile,
    add_functions,
    chained_entries,
    head_path,
    make_tables,
    read_origin,
)
from local_tools.ledger.steps import (
    Decision,
    LedgerDamagedError,
    LedgerError,
    Step,
    StepDetails,
    StoredEntry,
    calls_of,
    details_text,
)
from local_tools.recovery import databases
from local_tools.recovery.files import PutAside, put_aside


def open_or_begin_anew(path: Path, now: datetime) -> tuple[LedgerFile, PutAside | None]:
    """Open a ledger; create it if it is missing, replace it if it is damaged.

    Returns:
        The ledger, and the damaged file that was put aside, if any, to tell the user.

    Raises:
        LedgerError: When it cannot be opened or written, or a newer version wrote it.
    """
    try:
        before = databases.finish_beginning_anew(path)
        if not databases.is_lost(path) and not _is_gone(path):
            with suppress(LedgerDamagedError):
                return LedgerFile(path), before
        aside = _begin_anew(path, now)
    except (OSError, sqlite3.Error) as exc:
        raise LedgerError(f"The record of tool calls in {path} cannot be made anew.") from exc
    return LedgerFile(path), aside


def _is_gone(path: Path) -> bool:
    """Return whether there is a note of where it ends, and nothing else."""
    noted = read_head(head_path(path))
    return not path.exists() and noted is not None and noted.count > 0


def _begin_anew(path: Path, now: datetime) -> PutAside:
    note = head_path(path)
    noted = read_head(note)
    is_gone = not path.exists() and not path.is_symlink()
    settle = partial(_settle, noted=noted, at=now.isoformat(timespec="milliseconds"))
    aside = databases.begin_anew(path, make_tables, _take_over, settle, now)
    if is_gone:
        # The note is all that is left to be shown.
        return PutAside(put_aside(note, moment=now))
    return aside


def _take_over(source: databases.Copy, target: sqlite3.Connection) -> int:
    add_functions(source)
    databases.copy_rows(source, target, "origin")
    count = databases.copy_rows(source, target, "entries", where=UNDERSTOOD)
    databases.copy_rows(source, target, "texts")
    return count


def _settle(target: sqlite3.Connection, noted: Head | None, at: str) -> None:
    """Keep the chain where nothing is lost of it; else chain anew what is left."""
    add_functions(target)
    stored = chained_entries(target.execute(EVERYTHING))
    found = verify(stored, noted, read_origin(target))
    if found.state != "broken" and found.entry_count > 0:
        return
    entries = [item.entry for item in chained_entries(target.execute(EVERYTHING))]
    before = noted or _last_of(target)
    left = _of_known_calls(entries)
    numbers = {entry.number: number for number, entry in enumerate(left, start=1)}
    entries = [*left, *_closing(left, at)]
    _chain(target, entries, LedgerOrigin(at, before, len(left), len(entries)))
    _keep_texts(target, numbers)


def _last_of(target: sqlite3.Connection) -> Head:
    query = "SELECT number, link FROM entries ORDER BY number DESC LIMIT 1"
    row = target.execute(query).fetchone()
    return Head(*row) if row else Head()


def _of_known_calls(entries: Sequence[ChainEntry]) -> list[ChainEntry]:
    """Leave out what is left of calls of which nobody knows what they asked for."""
    known = {_call_of(entry) for entry in entries if entry.step == Step.ASKED}
    return [entry for entry in entries if _call_of(entry) in known]


def _closing(left: Sequence[ChainEntry], at: str) -> Iterator[ChainEntry]:
    """Add a step to calls of which no end is known, so that none of them runs (again)."""
    stored = (StoredEntry(entry, None) for entry in left)
    for call in calls_of(stored):
        if call.step is Step.ASKED:
            step, details = Step.DECIDED, StepDetails(decision=Decision.CLOSED)
        elif (
            call.step is Step.DECIDED
            and (decision := call.details.decision)
            and (decision.is_runnable)
        ):
            step, details = Step.STARTED, StepDetails()
        else:
            continue
        profile, conversation_id, call_id = astuple(call.key)
        said = (step.value, at, call.tool, call.digest, details_text(details), "")
        yield ChainEntry(0, profile, conversation_id, call_id, *said)


def _chain(target: sqlite3.Connection, entries: Sequence[ChainEntry], origin: LedgerOrigin) -> None:
    target.execute("DELETE FROM entries")
    target.execute("DELETE FROM origin")
    values = (origin.at, *astuple(origin.before), origin.kept, origin.count)
    target.execute("INSERT INTO origin VALUES (?, ?, ?, ?, ?)", values)
    link = origin.head.link
    for number, entry in enumerate(entries, start=1):
        numbered = replace(entry, number=number)
        link = numbered.link_after(link)
        target.execute(ADD_ENTRY, (*astuple(numbered), link))


def _keep_texts(target: sqlite3.Connection, numbers: Mapping[int, int]) -> None:
    """Give texts the new numbers of their entries; a text that its hash does not fit is dropped."""
    target.execute("CREATE TEMP TABLE found AS SELECT number, salt, text FROM texts")
    target.execute("DELETE FROM texts")
    hashes = dict(target.execute("SELECT number, text_hash FROM entries").fetchall())
    for number, salt, text in target.execute("SELECT number, salt, text FROM found"):
        new = numbers.get(number)
        if new is not None and hashes[new] == salted_hash(salt, text):
            target.execute("INSERT INTO texts VALUES (?, ?, ?)", (new, salt, text))


def _call_of(entry: ChainEntry) -> tuple[str, str, str]:
    return entry.profile, entry.conversation_id, entry.call_id
