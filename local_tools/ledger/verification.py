"""Checking a whole ledger: every link, every text, and where it ends."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from local_tools.ledger.steps import ChainEntry, Head, LedgerOrigin, Step, Verification, salted_hash


@dataclass(frozen=True, slots=True)
class ChainedEntry:
    """An entry as it lies in the database, with its link and its words, if they are there."""

    entry: ChainEntry
    link: str
    salt: bytes | None
    text: str | None


def verify(
    chained: Iterable[ChainedEntry], noted: Head | None, origin: LedgerOrigin | None = None
) -> Verification:
    """Check entries in their order against each other and against the head noted outside.

    The note may lag behind, since it is written after the entry; it never runs ahead.
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
        call_count += item.entry.step == Step.ASKED
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
