"""Asks the packager's address what is new: one request, without a key or a name in it."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from app.api.errors import AnswerFault, UnexpectedAnswer
from app.api.network import Network
from app.api.wire import Wire, WireLimits
from app.updates.memory import LastBelieved
from app.updates.release import LIMIT_BYTES, Release, read_release
from app.updates.source import UpdateSource

_OK: Final = 200
_LIMITS: Final = WireLimits(head_s=10.0, body_s=20.0)

Look = Callable[[UpdateSource, str], Awaitable[Release]]
"""Asks a source what it announces to this version."""


def looking_by(
    network: Network, last: LastBelieved, now: Callable[[], datetime] | None = None
) -> Look:
    """Makes what looks for newer versions, by our settings of the network.

    What was believed before is remembered: whoever is between cannot show an older one again. A
    redirect is an answer like any other wrong one: nobody is followed.
    """
    clock = now or _utc_now

    async def look(source: UpdateSource, running: str) -> Release:
        content = await _fetch(network, source.url)
        believed_before = last.published(source.key)
        release = read_release(content, source.key, running, clock(), believed_before)
        last.keep(source.key, release.published)
        return release

    return look


async def _fetch(network: Network, url: str) -> bytes:
    """Gets the announcement.

    Raises:
        ApiError: it cannot be had, or is larger than `LIMIT_BYTES`.
    """
    way, parts = await network.way_to(url), urlsplit(url)
    wire = Wire(
        f"{parts.scheme}://{parts.netloc}",
        None,
        transport=None,
        ssl_context=way.ssl_context,
        user_agent="parley",
        proxy=way.proxy,
        limits=_LIMITS,
    )
    try:
        stream = await wire.connect("GET", parts.path or "/")
        try:
            answer = stream.answer
            if answer.status != _OK:
                fault = _fault_of(answer.status)
                raise UnexpectedAnswer(fault, wire.host, target=answer.location)
            return (await wire.read_body(stream, LIMIT_BYTES)).body
        finally:
            await stream.aclose()
    finally:
        await wire.aclose()


def _fault_of(status: int) -> AnswerFault:
    return AnswerFault.REDIRECT if 300 <= status < 400 else AnswerFault.UNREADABLE


def _utc_now() -> datetime:
    return datetime.now(UTC)
