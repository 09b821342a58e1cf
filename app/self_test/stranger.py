"""A server that nobody vouches for, met in memory: is it refused, and who would not be?"""

import re
import ssl
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

_NAME: Final = "stranger.invalid"
_HASHED: Final = re.compile(r"[0-9a-f]{8}\.\d+")
# A handshake takes two or three turns each way.
_MOST_TURNS: Final = 10


def refuses_stranger(context: ssl.SSLContext) -> bool:
    """Tells whether a client with this context refuses a certificate that vouches for itself."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(to_client, to_server, server_hostname=_NAME)
    server = _stranger().wrap_bio(to_server, to_client, server_side=True)
    for _ in range(_MOST_TURNS):
        try:
            if all([_went_on(client), _went_on(server)]):
                return False
        except ssl.SSLCertVerificationError:
            return True
    return False


def authorities_of(context: ssl.SSLContext) -> int | None:
    """Counts whom this context trusts; None where only the system knows.

    The context of the system's store says so only of a connection.
    """
    if sys.platform in {"win32", "darwin"}:
        return None
    connection = context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname=_NAME)
    return connection.context.cert_store_stats()["x509_ca"] or _hashed_authorities()


def _hashed_authorities() -> int:
    """Authorities in a folder of files, which are read only when one is asked for."""
    folder = ssl.get_default_verify_paths().capath
    if not folder:
        return 0
    return sum(bool(_HASHED.fullmatch(path.name)) for path in Path(folder).iterdir())


def _went_on(side: ssl.SSLObject) -> bool:
    """Takes a step of the handshake; tells whether it was the last one."""
    try:
        side.do_handshake()
    except ssl.SSLWantReadError:
        return False
    return True


def _stranger() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory(prefix="parley-stranger-") as folder:
        file = Path(folder) / "stranger.pem"
        file.write_bytes(_certificate())
        context.load_cert_chain(file)
    return context


def _certificate() -> bytes:
    """A certificate and its key, as PEM, that lasts for an hour and is signed by itself."""
    # They take a while to import.
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, _NAME)])
    now, hour = datetime.now(UTC), timedelta(hours=1)
    made = (
        x509.CertificateBuilder(name, name, key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - hour)
        .not_valid_after(now + hour)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(_NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
