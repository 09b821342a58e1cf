"""The hash chain of a ledger: its entries, its head, and their verification.

A `ChainEntry` is what the chain knows of one step: its link hashes the entry and the link before
it, so nothing in between can change. The text of an entry is represented by a salted hash: after
the text and its salt are erased, nobody can find the text by guessing. The `Head` notes where the
chain ends; kept in a file of its own, outside the database, it shows a tail that was cut off.
`verify` checks every link, every text, and the end.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path
from typing import Final, Literal

from local_tools.recovery.files import write_atomically

START: Final = "0" * 64
_SALT_BYTES: Final = 16
# The step that begins each call (a value of `steps.Step`).
_FIRST_STEP: Final = "asked"


@dataclass(frozen=True, slots=True)
class ChainEntry:
    """One entry of the chain.

    Attributes:
        number: From 1, without gaps.
        details: Canonical JSON.
        text_hash: The salted hash of the entry's text; empty if it has none.
    """

    number: int
    profile: str
    conversation_id: str
    call_id: str
    step: str
    at: str
    tool: str
    digest: str
    details: str
    text_hash: str

    def link_after(self, previous: str) -> str:
        """Return the link of this entry after the link `previous`."""
        row = json.dumps(astuple(self), ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(f"{previous}\n{row}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the chain: the number of entries and the link of the last."""

    count: int = 0
    link: str = START


@dataclass(frozen=True, slots=True)
class LedgerOrigin:
    """The start of a ledger that replaced a damaged one.

    Its hash is the link before the first entry, so the replacement cannot be hidden later.

    Attributes:
        at: When the new ledger was begun; ISO 8601, UTC.
        before: The head of the damaged ledger, if known.
        kept: The number of entries that could be read; they are the first ones, renumbered.
        count: The number of entries that the new ledger began with, including those that close
            calls.
    """

    at: str
    before: Head
    kept: int
    count: int

    @property
    def head(self) -> Head:
        """The head that the first entry follows."""
        said = [self.at, *astuple(self.before), self.kept, self.count]
        row = json.dumps(said, separators=(",", ":"))
        return Head(0, hashlib.sha256(f"begun anew\n{row}".encode()).hexdigest())

    def explains(self, noted: Head | None, count: int) -> bool:
        """Return whether a noted head is from before the replacement, or was not written yet."""
        return noted in (None, self.before) and count <= self.count


def new_salt() -> bytes:
    """Return a random salt for one text."""
    return os.urandom(_SALT_BYTES)


def salted_hash(salt: bytes, text: str) -> str:
    """Return the salted hash of a text."""
    return hashlib.sha256(salt + text.encode("utf-8", "surrogatepass")).hexdigest()


def read_head(path: Path) -> Head | None:
    """Read the noted head; None if the file is missing or unreadable."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Head(int(data["count"]), str(data["link"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_head(path: Path, head: Head) -> None:
    """Write the head atomically."""
    write_atomically(path, json.dumps(asdict(head)))


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of verifying the whole chain.

    Attributes:
        state: `erased` is intact as well, but some texts were removed on request.
        broken_at: The number of the first entry that does not match.
        call_count: How many calls the entries up to there belong to.
        begun_at: When this ledger replaced a damaged one; empty if it never did.
        before_count: How many entries the damaged ledger had, if known.
        kept_count: How many of them were taken over.
    """

    state: Literal["ok", "erased", "broken"]
    entry_count: int
    erased_count: int
    broken_at: int | None = None
    call_count: int = 0
    begun_at: str = ""
    before_count: int = 0
    kept_count: int = 0


@dataclass(frozen=True, slots=True)
class ChainedEntry:
    """An entry as stored, with its link and, if it was not erased, its text."""

    entry: ChainEntry
    link: str
    salt: bytes | None
    text: str | None


def verify(
    chained: Iterable[ChainedEntry], noted: Head | None, origin: LedgerOrigin | None = None
) -> Verification:
    """Verify entries, in order, against each other and against the head noted outside the database.

    The noted head may lag behind, since it is written after the entry; it is never ahead.
    """
    found = _verified(chained, noted, origin)
    if origin is None:
        return found
    before_count = origin.before.count
    return replace(found, begun_at=origin.at, before_count=before_count, kept_count=origin.kept)


def _verified(
    chained: Iterable[ChainedEntry], noted: Head | None, origin: LedgerOrigin | None
) -> Verification:
    last, erased_count, call_count = Head() if origin is None else origin.head, 0, 0
    is_noted = noted == last
    for item in chained:
        number = last.count + 1
        if not _follows(item, last) or not _is_whole(item):
            return Verification("broken", last.count, erased_count, number, call_count)
        last = Head(number, item.link)
        erased_count += bool(item.entry.text_hash) and item.text is None
        call_count += item.entry.step == _FIRST_STEP
        is_noted = is_noted or last == noted
        if (
            noted is not None
            and noted.count == number
            and not _is_explained(is_noted, noted, last, origin)
        ):
            return Verification("broken", number, erased_count, number, call_count)
    if not _is_explained(is_noted, noted, last, origin):
        return Verification("broken", last.count, erased_count, last.count + 1, call_count)
    state: Literal["erased", "ok"] = "erased" if erased_count else "ok"
    return Verification(state, last.count, erased_count, call_count=call_count)


def _is_explained(
    is_noted: bool, noted: Head | None, last: Head, origin: LedgerOrigin | None
) -> bool:
    """Tell whether the note is of this record, or cannot be yet."""
    if is_noted or (noted is None and last.count <= 1):
        return True
    return origin is not None and origin.explains(noted, last.count)


def _follows(item: ChainedEntry, last: Head) -> bool:
    is_next = item.entry.number == last.count + 1
    return is_next and item.entry.link_after(last.link) == item.link


def _is_whole(item: ChainedEntry) -> bool:
    if item.text is None:
        return True
    return item.salt is not None and salted_hash(item.salt, item.text) == item.entry.text_hash
