"""Authorities, and certificates of servers that must be refused or may be trusted."""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Issued:
    """A certificate with its key; `above` leads to whoever signed it, nearest first."""

    certificate: x509.Certificate
    key: Key
    above: tuple[x509.Certificate, ...] = ()

    @property
    def pem(self) -> bytes:
        """The certificate alone, in PEM."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def der(self) -> bytes:
        """The certificate alone, in DER."""
        return self.certificate.public_bytes(serialization.Encoding.DER)

    def context(self, folder: Path, *, is_lax: bool = False) -> ssl.SSLContext:
        """Make the server's side of TLS with it; `is_lax` also allows broken algorithms."""
        secret = self.key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        chain = [one.public_bytes(serialization.Encoding.PEM) for one in self.above]
        [name] = self.certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
        pem = folder / f"{name.value!s}.pem"
        pem.write_bytes(secret + self.pem + b"".join(chain))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if is_lax:
            context.set_ciphers("ALL:@SECLEVEL=0")
        context.load_cert_chain(pem)
        return context


def issue(
    name: str,
    *,
    by: Issued | None = None,
    is_authority: bool = False,
    host: str = "127.0.0.1",
    days: tuple[int, int] = (-1, 1),
    key: Key | None = None,
    usages: Sequence[x509.ObjectIdentifier] = (ExtendedKeyUsageOID.SERVER_AUTH,),
) -> Issued:
    """Make a certificate that holds between these days from now; signed by itself or `by`."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + days[0] * _DAY)
        .not_valid_after(now + days[1] * _DAY)
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
    )
    if not is_authority:
        builder = builder.add_extension(
            x509.SubjectAlternativeName([_general_name(host)]), critical=False
        ).add_extension(x509.ExtendedKeyUsage(usages), critical=False)
    certificate = builder.sign(by.key if by else key, hashes.SHA256())
    return Issued(certificate, key, (by.certificate, *by.above) if by else ())


def untrusted_context(folder: Path) -> ssl.SSLContext:
    """Make the server's side of TLS with a certificate for 127.0.0.1 that signed itself."""
    return issue("untrusted").context(folder)


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(IPv4Address(host))
    except ValueError:
        return x509.DNSName(host)
