"""Ask the packager's address for the newest version: one request, without a key or a name in it.

`make_update_checker` makes the checker. `LastTrustedRelease` keeps the date of the newest trusted
announcement, so that an older one cannot be replayed.
"""

import base64
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from app.api.errors import AnswerFault, UnexpectedAnswer
from app.api.http_exchange import TransportLimits
from app.api.network import Network
from app.common.clock import utc_now
from app.updates.release import LIMIT_BYTES, Release, UpdateSource, read_release
from local_tools.recovery.files import is_no_file, put_aside, write_atomically

log = logging.getLogger(__name__)

_LIMIT_BYTES: Final = 1024


class _Believed(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True)

    key: str
    published: AwareDatetime
    # The version whose notice a person has closed.
    dismissed: str = ""


class LastTrustedRelease:
    """Keeps when the newest announcement that was believed was published, for one key.

    Beside it, the version of which a person does not want to be told at the start again.

    It is stored with the program's data, not among the settings: undoing those, or taking them
    to another computer, must not change it. A missing or damaged file is ignored: refusing every
    announcement from then on would be worse than a replayed one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def published(self, key: bytes) -> datetime | None:
        """When it was published; None when nothing of this key was believed yet."""
        believed = self._read(key)
        return believed.published if believed else None

    def keep(self, key: bytes, published: datetime) -> None:
        """Store the date of a trusted announcement; if that fails, it is only logged."""
        believed = self._read(key)
        dismissed = believed.dismissed if believed else ""
        self._write(_Believed(key=_text(key), published=published, dismissed=dismissed))

    def is_dismissed(self, key: bytes, version: str) -> bool:
        """Whether a person has closed the notice of this version."""
        believed = self._read(key)
        return believed is not None and believed.dismissed == version

    def dismiss(self, key: bytes, version: str) -> None:
        """Remember that a person has closed the notice of a version that was believed."""
        if believed := self._read(key):
            self._write(believed.model_copy(update={"dismissed": version}))

    def _read(self, key: bytes) -> _Believed | None:
        try:
            with self._path.open("rb") as file:
                believed = _Believed.model_validate_json(file.read(_LIMIT_BYTES))
        except (OSError, ValidationError):
            return None
        return believed if believed.key == _text(key) else None

    def _write(self, believed: _Believed) -> None:
        try:
            if is_no_file(self._path):
                put_aside(self._path)
            write_atomically(self._path, believed.model_dump_json())
        except OSError as error:
            log.info("Cannot save the date of the newest release: %s", error.strerror)


def _text(key: bytes) -> str:
    return base64.b64encode(key).decode()


_OK: Final = 200
_LIMITS: Final = TransportLimits(head_s=10.0, body_s=20.0)

Look = Callable[[UpdateSource, str], Awaitable[Release]]
"""Asks a source what it announces to this version."""


def make_update_checker(
    network: Network, last: LastTrustedRelease, now: Callable[[], datetime] | None = None
) -> Look:
    """Make what looks for newer versions, by our settings of the network.

    What was believed before is remembered: whoever is between cannot show an older one again. A
    redirect is an answer like any other wrong one: nobody is followed.
    """
    clock = now or utc_now

    async def look(source: UpdateSource, running: str) -> Release:
        content = await _fetch(network, source.url)
        believed_before = last.published(source.key)
        release = read_release(content, source.key, running, clock(), believed_before)
        last.keep(source.key, release.published)
        return release

    return look


async def _fetch(network: Network, url: str) -> bytes:
    """Get the announcement.

    Raises:
        ApiError: it cannot be had, or is larger than `LIMIT_BYTES`.
    """
    from app.api.transport import HttpTransport  # noqa: PLC0415 - the start imports no httpx

    way, parts = await network.options_for(url), urlsplit(url)
    wire = HttpTransport(
        f"{parts.scheme}://{parts.netloc}",
        None,
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
