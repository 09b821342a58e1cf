"""The connection to the Redis that services share, with errors in our words."""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from typing import Any, Final

from pydantic import SecretStr
from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.commands.core import AsyncScript

from local_server.coordination import CoordinationError
from local_server.errors import UnavailableError

log = logging.getLogger(__name__)

_SCHEMES: Final = ("redis://", "rediss://", "unix://")
_CONNECTIONS: Final = 32
_CONNECT_TIMEOUT_S: Final = 1.0
# Covers waiting for a free connection, replacing a dead one, and the answer.
_ANSWER_TIMEOUT_S: Final = 2.0
# Python's TimeoutError is an OSError; an answer that Redis never gives raises ValueError.
_FAILURES: Final = (exceptions.RedisError, OSError, ValueError)
_SILENCES: Final = (exceptions.ConnectionError, exceptions.TimeoutError, OSError)


class RedisServer:
    """Asks Redis, and says in our words when it does not answer.

    Whoever opened it closes it.
    """

    def __init__(self, pool: BlockingConnectionPool) -> None:
        self._pool = pool
        self._client = Redis(connection_pool=pool)
        self._is_away = False

    @classmethod
    async def open(cls, url: SecretStr) -> "RedisServer":
        """Connect to `redis://…`, `rediss://…` (TLS) or `unix://…`.

        Raises:
            CoordinationError: When that is no such address, or Redis cannot be used there.
        """
        server = cls(_pool(url))
        try:
            await _in_time(server._client.ping())
        except _FAILURES as exc:
            await server.aclose()
            # The original's text may hold parts of the address.
            raise CoordinationError(_refusal(exc)) from None
        return server

    def script(self, text: str) -> AsyncScript:
        """Prepare a script for `run`."""
        return self._client.register_script(text)

    async def run(
        self, script: AsyncScript, keys: Sequence[str], arguments: Sequence[str | int]
    ) -> Any:
        """Run a script, which is one step for everybody else.

        Raises:
            UnavailableError: When Redis does not answer in time, or refuses.
        """
        try:
            answer = await _in_time(script(keys=keys, args=arguments))
        except _FAILURES as exc:
            self._note_away(exc)
            raise UnavailableError from exc
        self._note_back()
        return answer

    async def is_there(self) -> bool:
        """Return whether Redis answers just now."""
        try:
            await _in_time(self._client.ping())
        except _FAILURES as exc:
            self._note_away(exc)
            return False
        self._note_back()
        return True

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()
        await self._pool.disconnect()

    def _note_away(self, exc: Exception) -> None:
        if not self._is_away:
            log.warning("Redis does not answer (%s); requests are refused", type(exc).__name__)
        self._is_away = True

    def _note_back(self) -> None:
        if self._is_away:
            log.info("Redis answers again")
        self._is_away = False


def _pool(url: SecretStr) -> BlockingConnectionPool:
    address = url.get_secret_value()
    if not address.startswith(_SCHEMES):
        raise CoordinationError(
            "The address of Redis has to begin with redis://, rediss:// or unix://."
        )
    try:
        return BlockingConnectionPool.from_url(
            address,
            max_connections=_CONNECTIONS,
            timeout=_ANSWER_TIMEOUT_S,
            socket_connect_timeout=_CONNECT_TIMEOUT_S,
            socket_timeout=_ANSWER_TIMEOUT_S,
            # A connection may have died unnoticed since it was last used.
            retry=Retry(NoBackoff(), 1),
            protocol=2,
        )
    except (ValueError, TypeError):
        raise CoordinationError("The address of Redis cannot be read.") from None


async def _in_time(answer: Awaitable[Any]) -> Any:
    async with asyncio.timeout(_ANSWER_TIMEOUT_S):
        return await answer


def _refusal(exc: Exception) -> str:
    # redis-py wraps errors of connecting: the cause is in the arguments.
    if any(isinstance(part, exceptions.AuthenticationError) for part in (exc, *exc.args)):
        return "Redis refuses the name or the password in its address."
    if isinstance(exc, _SILENCES):
        return "Redis does not answer at its address."
    return f"Redis cannot be used at its address ({type(exc).__name__})."
