"""The user's own certificate authority: read it from a file, and pin it by its fingerprint."""

import base64
import binascii
import enum
import hashlib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_LIMIT_BYTES: Final = 256 * 1024
_BEGIN: Final = b"-----BEGIN CERTIFICATE-----"
_END: Final = b"-----END CERTIFICATE-----"
_NAMES_SHOWN: Final = ("commonName", "organizationName", "organizationalUnitName", "countryName")


class CaCertificateFault(enum.Enum):
    """Why a file is refused."""

    UNREADABLE = "unreadable"
    NO_CERTIFICATE = "no_certificate"
    SEVERAL = "several"
    NO_AUTHORITY = "no_authority"
    CHANGED = "changed"


class CaCertificateRefused(ValueError):
    """The file does not hold the certificate of exactly one authority."""

    def __init__(self, fault: CaCertificateFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class CaCertificate:
    """What is known of the certificate.

    Attributes:
        der: the certificate itself.
        fingerprint: SHA-256 of `der`, as pairs of capital hex digits with colons between.
        subject: whose it is, as it names itself; untrusted text.
    """

    der: bytes
    fingerprint: str
    subject: str
    valid_from: datetime
    valid_until: datetime

    def is_valid_at(self, now: datetime) -> bool:
        """Return whether the certificate is valid at this time."""
        return self.valid_from <= now <= self.valid_until


@dataclass(frozen=True, slots=True)
class PinnedCaCertificate:
    """The file that the user chose, with the fingerprint that they saw and accepted."""

    path: Path
    fingerprint: str


def read_ca_certificate(path: Path) -> CaCertificate:
    """Read the certificate of an authority, PEM or DER; blocks for some milliseconds.

    Raises:
        CaCertificateRefused: the file cannot be read, or is something else.
    """
    der = _only_certificate(_beginning_of(path))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cadata=der)
    except (ssl.SSLError, ValueError) as error:
        raise CaCertificateRefused(CaCertificateFault.NO_CERTIFICATE) from error
    # A server's own certificate is loaded without an error, too, but not listed here.
    found = context.get_ca_certs()
    if not found:
        raise CaCertificateRefused(CaCertificateFault.NO_AUTHORITY)
    return CaCertificate(
        der=der,
        fingerprint=hashlib.sha256(der).digest().hex(":").upper(),
        subject=_subject(found[0]),
        valid_from=_time(found[0], "notBefore"),
        valid_until=_time(found[0], "notAfter"),
    )


def read_chosen(chosen: PinnedCaCertificate) -> CaCertificate:
    """Read the certificate again, and make sure that it still is the one that was chosen.

    Raises:
        CaCertificateRefused: it is not, or the file cannot be read.
    """
    authority = read_ca_certificate(chosen.path)
    if authority.fingerprint != chosen.fingerprint:
        raise CaCertificateRefused(CaCertificateFault.CHANGED)
    return authority


def _beginning_of(path: Path) -> bytes:
    try:
        # A pipe or a device would keep whoever opens it waiting.
        if path.is_file():
            with path.open("rb") as file:
                return file.read(_LIMIT_BYTES)
    except (OSError, ValueError) as error:
        raise CaCertificateRefused(CaCertificateFault.UNREADABLE) from error
    raise CaCertificateRefused(CaCertificateFault.UNREADABLE)


def _only_certificate(content: bytes) -> bytes:
    # No pattern: one that looks for the end of each beginning takes hours for a hostile file.
    _, *begun = content.split(_BEGIN)
    if len(begun) > 1:
        raise CaCertificateRefused(CaCertificateFault.SEVERAL)
    if not begun:
        return content
    try:
        return base64.b64decode(begun[0].partition(_END)[0])
    except binascii.Error as error:
        raise CaCertificateRefused(CaCertificateFault.NO_CERTIFICATE) from error


def _subject(certificate: Mapping[str, object]) -> str:
    parts = certificate.get("subject", ())
    names = dict(pair for part in parts for pair in part) if isinstance(parts, tuple) else {}
    return ", ".join(str(names[name]) for name in _NAMES_SHOWN if name in names)


def _time(certificate: Mapping[str, object], name: str) -> datetime:
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate[name])), UTC)
