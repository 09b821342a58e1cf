"""The time that a proxy has for letting a connection through."""

import asyncio
from collections.abc import Mapping
from typing import Final, Protocol

_CONNECT_S: Final = 10.0


class _Asked(Protocol):
    @property
    def method(self) -> bytes:
        """The verb of a request."""


class TunnelWatch:
    """Shortens the time of a request while a proxy is asked for the connection.

    The library has one limit for every answer, and that of a reply is far too long for this.
    Call it as the library's `trace`.
    """

    def __init__(self, limit: asyncio.Timeout, limit_s: float = _CONNECT_S) -> None:
        self._limit = limit
        self._limit_s = limit_s
        self._usual: float | None = None
        self.is_asking = False

    async def __call__(self, event: str, info: Mapping[str, _Asked]) -> None:
        """Takes note of a step of the library."""
        step, _, state = event.rpartition(".")
        request = info.get("request")
        if step != "http11.receive_response_headers":
            return
        if state == "started" and request and request.method == b"CONNECT":
            self.is_asking = True
            self._usual = self._limit.when()
            self._limit.reschedule(asyncio.get_running_loop().time() + self._limit_s)
        elif state == "complete" and self.is_asking:
            self.is_asking = False
            self._limit.reschedule(self._usual)
