"""Authenticate requests: find the project and the limit of the key in X-API-Key (specification 5).

Keys are 256 random bits, so a plain hash is enough to protect them in the database, and looking one
up by its hash leaks nothing through timing.
"""

import hashlib
import hmac
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Final, Protocol

from fastapi import Depends, Request
from pydantic import SecretStr

from local_server.settings import Clock
from local_server.store.projects import Keys
from local_server.store.records import Mode, Owner

KEY_HEADER: Final = "X-API-Key"
KEY_PREFIX: Final = "pk_"
LOCAL_PROJECT: Final = "local"
# Requests a minute, by plan (specification 8); an enterprise key has a number of its own.
PLANS: Final = {"free": 60, "pro": 300}
ENTERPRISE: Final = "enterprise"
_WRONG_KEYS_A_MINUTE: Final = 20


@dataclass(frozen=True)
class Caller:
    """The sender of a request: what it may see, and how often it may ask.

    Attributes:
        key_id: Identifies the key without revealing it.
        owner: The project and mode whose rows the caller sees.
        per_minute: The limit of requests a minute; None for no limit.
    """

    key_id: str
    owner: Owner
    per_minute: int | None


class KeyCheck(Protocol):
    """Finds whose key was presented."""

    def find(self, presented: bytes) -> Awaitable[Caller | None]:
        """Find the caller, or None for a key that is not valid."""


def make_key(mode: Mode) -> str:
    """Make a new key of 256 random bits, `pk_live_…` or `pk_test_…`."""
    return f"{KEY_PREFIX}{mode}_{secrets.token_urlsafe(32)}"


def hash_key(key: bytes) -> str:
    """Compute what is stored of a key."""
    return hashlib.sha256(key).hexdigest()


class StoredKeys:
    """The keys made with `keys create`. Lives as long as the application."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    async def find(self, presented: bytes) -> Caller | None:
        """Find the caller by the key's hash; revoking one takes effect with the next request."""
        digest = hash_key(presented)
        record = await self._keys.find(digest)
        if record is None or not hmac.compare_digest(record.hash, digest):
            return None
        return Caller(record.id, record.owner, record.per_minute)


class LaunchKey:
    """The one key of a service in child mode: project `local`, live, without a limit."""

    def __init__(self, key: SecretStr) -> None:
        self._hash = hash_key(key.get_secret_value().encode())
        self._caller = Caller("launch", Owner(LOCAL_PROJECT, "live"), None)

    async def find(self, presented: bytes) -> Caller | None:
        """Compare with the launch key, in constant time."""
        is_ours = hmac.compare_digest(self._hash, hash_key(presented))
        return self._caller if is_ours else None


class WrongKeys:
    """Slows down guessing: after 20 wrong keys in a minute, each further answer is delayed.

    Wrong keys of all clients are counted together, since on this computer all have the same
    address. Requests with a valid key are not delayed, and a waiting one costs only a connection.
    One for the life of the application.
    """

    def __init__(self, clock: Clock, pause: Callable[[], Awaitable[object]]) -> None:
        self._clock = clock
        self._pause = pause
        self._times: deque[float] = deque(maxlen=_WRONG_KEYS_A_MINUTE)

    async def delay(self) -> None:
        """Count a wrong key, and wait until it may be answered."""
        now = self._clock().timestamp()
        are_many = len(self._times) == _WRONG_KEYS_A_MINUTE and now - self._times[0] < 60
        self._times.append(now)
        if are_many:
            await self._pause()


# A coroutine, since FastAPI runs plain functions in a worker thread, which costs more than all
# that this one does.
async def current_caller(request: Request) -> Caller:
    """Return the caller whose key was found valid, to a route."""
    caller: Caller = request.state.caller
    return caller


# What a route declares to get it.
CurrentCaller = Annotated[Caller, Depends(current_caller)]
