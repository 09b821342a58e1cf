"""What a check of the self-test is, and how it ends when it does not end well."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal, get_args

CheckId = Literal[
    "files",
    "plugins",
    "folders",
    "keyring",
    "trust",
    "window",
    "fonts",
    "service",
    "catalog",
    "reply",
    "allow",
    "deny",
    "chats",
    "delete",
    "settings",
    "sandbox",
    "restart",
    "reopen",
    "end",
]

CHECK_IDS: Final[tuple[CheckId, ...]] = get_args(CheckId)
"""Every check, in the order in which they are made: what `--require` knows."""

_LIMIT_S: Final = 40.0


class CheckFailed(Exception):
    """A check did not find what it looks for; the text says what was there instead."""


class NotAvailable(Exception):
    """What a check looks for is not to be had here; the text says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to find out.

    Attributes:
        check_id: what `--require` calls it.
        name: what holds when it ends well, in the language of the window.
        run: finds it out; returns what else is worth knowing, or nothing.
        limit_s: how long it may take.
    """

    check_id: CheckId
    name: str
    run: Callable[[], Awaitable[str]]
    limit_s: float = _LIMIT_S


class UnknownCheck(ValueError):
    """No check has this name."""


def read_ids(text: str) -> frozenset[CheckId]:
    """Reads the ids of checks with commas between them.

    Raises:
        UnknownCheck: one of them is none; the message names those there are.
    """
    wanted = [word.strip() for word in text.split(",") if word.strip()]
    if unknown := [word for word in wanted if word not in CHECK_IDS]:
        named = ", ".join(repr(word) for word in unknown)
        raise UnknownCheck(f"there is no check {named}; there are {', '.join(CHECK_IDS)}")
    return frozenset(check_id for check_id in CHECK_IDS if check_id in wanted)
