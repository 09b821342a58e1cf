"""Verify an announcement of a version: signed, and valid for a limited time.

`read_release` checks signature, key, version and dates. `read_source` reads the address and the
public key that the packager has set.
"""

import base64
import enum
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from app.api.address import AddressRefused, check_base_url, check_page_url

LIMIT_BYTES: Final = 64 * 1024
# So that a signature made for something else never passes for one of a version.
PURPOSE: Final = b"parley release 1\n"
_VERSION: Final = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){1,3}")
_NOTES_LIMIT_CHARS: Final = 8000
_PARTS: Final = 4
# Clocks differ, and a laptop may have slept.
_AHEAD: Final = timedelta(days=1)


class ReleaseFault(enum.Enum):
    """Why an announcement is not believed."""

    UNREADABLE = "unreadable"
    WRONG_SIGNATURE = "wrong_signature"
    EXPIRED = "expired"
    AHEAD = "ahead"
    OLDER = "older"
    REPLAYED = "replayed"


class ReleaseRefused(ValueError):
    """What was announced is not believed."""

    def __init__(self, fault: ReleaseFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Release:
    """An announced version, its signature checked.

    Attributes:
        notes: what is new, plain text.
        link: the https page to get it from; only a person opens it.
    """

    version: str
    published: datetime
    notes: str
    link: str


class _Sealed(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True)

    release: str
    signature: str


class Announcement(BaseModel):
    """What the signature covers; what a newer version adds is left alone."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    version: str = Field(pattern=f"^{_VERSION.pattern}$")
    published: AwareDatetime
    expires: AwareDatetime
    notes: str = Field(default="", max_length=_NOTES_LIMIT_CHARS)
    link: str


def read_release(
    content: bytes, key: bytes, running: str, now: datetime, last: datetime | None = None
) -> Release:
    """Read an announcement, and believe it only if everything speaks for it.

    Args:
        content: JSON with `release`, base64 of JSON as it was signed, and `signature`, base64 of
            the Ed25519 signature over `PURPOSE` and those bytes.
        key: the public key, 32 bytes.
        running: the version that asks.
        now: the time, with its zone.
        last: when the newest that was believed before was published. One that lies ahead of
            `now` was believed by a clock that was wrong, or is: it counts for nothing, or nobody
            would be told of anything until then.

    Raises:
        ReleaseRefused: with the reason in `fault`.
    """
    announced = _opened(content, key)
    if announced.expires <= now:
        raise ReleaseRefused(ReleaseFault.EXPIRED)
    if announced.published > now + _AHEAD:
        raise ReleaseRefused(ReleaseFault.AHEAD)
    if is_newer(running, announced.version):
        raise ReleaseRefused(ReleaseFault.OLDER)
    if last is not None and announced.published < last <= now + _AHEAD:
        raise ReleaseRefused(ReleaseFault.REPLAYED)
    link = _checked_link(announced.link)
    try:
        published = announced.published.astimezone(UTC)
    except OverflowError as error:
        # In a zone that leads before the first year.
        raise ReleaseRefused(ReleaseFault.UNREADABLE) from error
    return Release(announced.version, published, announced.notes, link)


def is_newer(version: str, other: str) -> bool:
    """Return whether `version` comes after `other`; both are numbers with dots between."""
    return _numbers(version) > _numbers(other)


def _opened(content: bytes, key: bytes) -> Announcement:
    """Return what is inside, once the signature holds: nothing of a stranger is read before."""
    if len(content) > LIMIT_BYTES:
        raise ReleaseRefused(ReleaseFault.UNREADABLE)
    try:
        sealed = _Sealed.model_validate_json(content)
        signed = base64.b64decode(sealed.release, validate=True)
        signature = base64.b64decode(sealed.signature, validate=True)
    except ValueError as error:
        # Not the JSON of an announcement, not base64, or not even ASCII.
        raise ReleaseRefused(ReleaseFault.UNREADABLE) from error
    _verify(PURPOSE + signed, signature, key)
    try:
        return Announcement.model_validate_json(signed)
    except ValidationError as error:
        raise ReleaseRefused(ReleaseFault.UNREADABLE) from error


def _verify(content: bytes, signature: bytes, key: bytes) -> None:
    # cryptography is slow to import, and most users never check for updates.
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    try:
        ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except InvalidSignature as error:
        raise ReleaseRefused(ReleaseFault.WRONG_SIGNATURE) from error


def _checked_link(link: str) -> str:
    try:
        return check_page_url(link)
    except AddressRefused as error:
        raise ReleaseRefused(ReleaseFault.UNREADABLE) from error


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in _VERSION.findall(version)[0].split(".")]
    return tuple(numbers + [0] * (_PARTS - len(numbers)))


FILE_NAME: Final = "updates.json"
_KEY_BYTES: Final = 32
_NEEDED: Final = (
    f"it is no JSON with “address” (https) and “key” ({_KEY_BYTES} bytes in base64), and no more"
)


class SourceUnreadable(ValueError):
    """The packager's file does not say what it should."""


@dataclass(frozen=True, slots=True)
class UpdateSource:
    """An address that announces versions, and the Ed25519 key of whoever signs them.

    Attributes:
        url: https, with a path.
        key: the public key, 32 bytes.
    """

    url: str
    key: bytes

    @property
    def host(self) -> str:
        """The host of the address."""
        return urlsplit(self.url).netloc


class _Written(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    address: str = Field(max_length=400)
    key: str = Field(max_length=100)


def read_source(resources: Path) -> UpdateSource | None:
    """Read `updates.json` among the program's resources; without one, nobody is ever asked.

    Raises:
        SourceUnreadable: it is there, and does not name an https address and a key.
    """
    try:
        content = (resources / FILE_NAME).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceUnreadable(str(error)) from error
    try:
        written = _Written.model_validate_json(content)
        key = base64.b64decode(written.key, validate=True)
        checked = check_base_url(written.address)
    except ValueError as error:
        # Not the JSON of a source, not base64, not even ASCII, or an address that is refused.
        raise SourceUnreadable(_NEEDED) from error
    if not checked.startswith("https:") or len(key) != _KEY_BYTES:
        raise SourceUnreadable(_NEEDED)
    return UpdateSource(checked, key)
