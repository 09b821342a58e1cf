"""How ledger entries hang together, and the note outside the database of where they end.

Each entry's link hashes the entry and the link before it, so nothing in between can change. The
words of an entry are represented by a salted hash: once they are erased with their salt, nobody
can find out by guessing what they were. The head, kept in a file of its own, shows a tail that
was cut off.
"""

import hashlib
import json
import os
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Final

START: Final = "0" * 64
_SALT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the chain.

    Attributes:
        number: From 1, without gaps.
        details: Canonical JSON.
        text_hash: Salted, of the words that belong to it; empty when there are none.
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
        """The link of this entry, when `previous` is the one before."""
        row = json.dumps(astuple(self), ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(f"{previous}\n{row}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Head:
    """How many entries there are and the link of the last."""

    count: int = 0
    link: str = START


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record begins that took the place of a damaged one.

    The links begin with its hash, so that the cut cannot be hidden later.

    Attributes:
        at: When it was begun; ISO 8601, UTC.
        before: Where the damaged record ended, as far as that was known.
        kept: So many entries could still be read; they are the first ones, numbered anew.
        count: So many entries the record began with, some that close calls included.
    """

    at: str
    before: Head
    kept: int
    count: int

    @property
    def head(self) -> Head:
        """What the first entry follows."""
        said = [self.at, *astuple(self.before), self.kept, self.count]
        row = json.dumps(said, separators=(",", ":"))
        return Head(0, hashlib.sha256(f"begun anew\n{row}".encode()).hexdigest())

    def explains(self, noted: Head | None, count: int) -> bool:
        """Tell whether a note of the end is the one from before the cut, or not made yet."""
        return noted in (None, self.before) and count <= self.count


def new_salt() -> bytes:
    """A salt for one text."""
    return os.urandom(_SALT_BYTES)


def salted_hash(salt: bytes, text: str) -> str:
    """The hash that stands for a text."""
    return hashlib.sha256(salt + text.encode("utf-8", "surrogatepass")).hexdigest()


def read_head(path: Path) -> Head | None:
    """The head as noted; None when there is no readable note."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Head(int(data["count"]), str(data["link"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_head(path: Path, head: Head) -> None:
    """Note the head, whole or not at all."""
    # One of each program, or two would take it from under each other.
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(head), file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
