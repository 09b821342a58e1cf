"""Format a ledger as lines of text, for a terminal or a file."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import platformdirs

from local_tools.ledger.chain import Verification
from local_tools.ledger.ledger_file import LedgerFile
from local_tools.ledger.steps import CallFilter, LedgerError

_AT_A_TIME = 100
_SENTENCES = {
    "ok": "All {count} entries are as they were written.",
    "erased": "All {count} entries are as they were written; the words of {erased} were erased.",
    "broken": "Entry {broken} is not what was written.",
}
_BEGUN = (
    "The record was begun anew at {at}, since the one before it, of {before} entries, was damaged; "
    "{kept} of them were taken over."
)


def default_ledger() -> Path:
    """Return the path of this user's ledger."""
    return platformdirs.user_data_path("parley", appauthor=False) / "ledger.db"


def verified(path: Path) -> tuple[Verification, str]:
    """Verify a whole ledger; return the result, and a sentence about it.

    Raises:
        LedgerError: When there is no ledger, or it cannot be read.
    """
    with closing(_opened(path)) as file:
        found = file.verify()
    sentence = _SENTENCES[found.state].format(
        count=f"{found.entry_count:,}", erased=f"{found.erased_count:,}", broken=found.broken_at
    )
    if found.begun_at:
        begun = _BEGUN.format(
            at=found.begun_at, before=f"{found.before_count:,}", kept=f"{found.kept_count:,}"
        )
        sentence = f"{sentence} {begun}"
    return found, sentence


def shown(path: Path, last: int) -> Iterator[str]:
    """Yield the latest entries, oldest first, one per line, without their texts.

    Raises:
        LedgerError: When there is no ledger, or it cannot be read.
    """
    with closing(_opened(path)) as file:
        for item in file.entries(last):
            entry = item.entry
            details = json.loads(entry.details)
            said = details.get("decision") or details.get("status") or ""
            yield f"{entry.number:>6}  {entry.at}  {entry.tool:<18}  {entry.step:<12}  {said}"


def exported(path: Path) -> Iterator[str]:
    """Yield every entry as one line of JSON with its text; of a result only what was sent.

    Raises:
        LedgerError: When there is no ledger, or it cannot be read.
    """
    with closing(_opened(path)) as file:
        last = 0
        while some := file.leaving(CallFilter(), last, _AT_A_TIME):
            yield from (json.dumps(item.known(), ensure_ascii=False) for item in some)
            last = some[-1].entry.number


def write_private(file: Path, lines: Iterable[str]) -> None:
    """Write lines to a new file that only its owner can read.

    Raises:
        LedgerError: When the file exists, or cannot be written.
    """
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
            out.writelines(f"{line}\n" for line in lines)
    except FileExistsError:
        raise LedgerError(f"{file} is there already.") from None
    except OSError as exc:
        raise LedgerError(f"{file} cannot be written: {exc.strerror}.") from exc


def _opened(path: Path) -> LedgerFile:
    # To open one makes it, which is not what somebody who looks wants.
    if not path.is_file():
        raise LedgerError(f"There is no record of tool calls at {path}.")
    return LedgerFile(path)
