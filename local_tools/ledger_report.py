"""What a ledger says, in lines for a terminal or a file."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import platformdirs

from local_tools.ledger_file import LedgerFile
from local_tools.steps import LedgerError, Verification

_SENTENCES = {
    "ok": "All {count} entries are as they were written.",
    "erased": "All {count} entries are as they were written; the words of {erased} were erased.",
    "broken": "Entry {broken} is not what was written.",
}


def default_ledger() -> Path:
    """Where Parley keeps its ledger for this user."""
    return platformdirs.user_data_path("parley", appauthor=False) / "ledger.db"


def verified(path: Path) -> tuple[Verification, str]:
    """Check a whole ledger; gives what was found, and the sentence that says so.

    Raises:
        LedgerError: When there is none, or it cannot be read.
    """
    with closing(_opened(path)) as file:
        found = file.verify()
    sentence = _SENTENCES[found.state].format(
        count=f"{found.entry_count:,}", erased=f"{found.erased_count:,}", broken=found.broken_at
    )
    return found, sentence


def shown(path: Path, last: int) -> Iterator[str]:
    """The latest entries, oldest first, one a line, without words of the user or the assistant.

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
    """Every entry as one line of JSON, words included.

    Raises:
        LedgerError: When there is no ledger, or it cannot be read.
    """
    with closing(_opened(path)) as file:
        for item in file.entries(None):
            yield json.dumps(item.known(), ensure_ascii=False)


def _opened(path: Path) -> LedgerFile:
    # To open one makes it, which is not what somebody who looks wants.
    if not path.is_file():
        raise LedgerError(f"There is no record of tool calls at {path}.")
    return LedgerFile(path)
