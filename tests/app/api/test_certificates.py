"""Servers with bad certificates learn nothing; an authority of one's own makes its own one good."""

import hashlib
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID
from pydantic import SecretStr

from app.api.ca_certificate import (
    CaCertificateFault,
    CaCertificateRefused,
    PinnedCaCertificate,
    read_ca_certificate,
)
from app.api.client import ApiClient
from app.api.errors import ConnectCause, ConnectFailed
from app.api.network import Trust
from app.api.refusals import Retry
from tests.support.certificates import Issued, issue
from tests.support.tls_server import TlsServer, tls_server

pytestmark = pytest.mark.anyio

_KEY = "pk_live_canary0123456789"
_TLS_HANDSHAKE = b"\x16"


@pytest.fixture(scope="module")
def authority() -> Issued:
    """Return the authority of the user's own, whom Parley was told to trust."""
    return issue("Our own authority", is_authority=True, days=(-1, 30))


@pytest.fixture
def chosen(authority: Issued, tmp_path: Path) -> PinnedCaCertificate:
    return _chosen(authority, tmp_path)


def _chosen(authority: Issued, folder: Path) -> PinnedCaCertificate:
    file = folder / "authority.pem"
    file.write_bytes(authority.pem)
    return PinnedCaCertificate(file, read_ca_certificate(file).fingerprint)


def _with_old_tls(issued: Issued, folder: Path) -> ssl.SSLContext:
    context = issued.context(folder, is_lax=True)
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        context.minimum_version = ssl.TLSVersion.TLSv1
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        context.maximum_version = ssl.TLSVersion.TLSv1
    return context


def _signed_by_a_server(authority: Issued) -> Issued:
    return issue("server", by=issue("another server", by=authority))


def _of_unknown_authority(_authority: Issued) -> Issued:
    return issue("server", by=issue("Somebody else", is_authority=True))


def _with_weak_key(authority: Issued) -> Issued:
    weak = rsa.generate_private_key(65537, 1024)  # noqa: S505 - that it is refused is the point
    return issue("server", by=authority, key=weak)


# Apart from what is named here, the authority that Parley trusts vouches for each of them.
_BAD: dict[str, tuple[Callable[[Issued], Issued], ConnectCause]] = {
    "expired": (lambda ours: issue("s", by=ours, days=(-9, -1)), ConnectCause.TLS_DATE),
    "not yet valid": (lambda ours: issue("s", by=ours, days=(1, 9)), ConnectCause.TLS_DATE),
    "wrong host": (lambda ours: issue("s", by=ours, host="127.0.0.2"), ConnectCause.TLS_NAME),
    "self-signed": (lambda _ours: issue("s"), ConnectCause.TLS_UNKNOWN),
    "unknown authority": (_of_unknown_authority, ConnectCause.TLS_UNKNOWN),
    "signed by a server": (_signed_by_a_server, ConnectCause.TLS),
    "not for servers": (
        lambda ours: issue("s", by=ours, usages=[ExtendedKeyUsageOID.CLIENT_AUTH]),
        ConnectCause.TLS,
    ),
    "weak key": (_with_weak_key, ConnectCause.TLS),
}


async def _cause_at(server: TlsServer, chosen: PinnedCaCertificate | None) -> ConnectCause:
    """Read, and send a message; both must fail in the same way."""
    context = await Trust().context_for("127.0.0.1", chosen)
    client = ApiClient(
        server.address, SecretStr(_KEY), ssl_context=context, retry=Retry(first_pause_s=0)
    )
    async with client:
        with pytest.raises(ConnectFailed) as reading:
            await client.list_agents()
        with pytest.raises(ConnectFailed) as sending:
            async with client.chat_stream("c1", "A secret message"):
                pass
    assert reading.value.cause is sending.value.cause
    return reading.value.cause


def _learnt_nothing(server: TlsServer) -> bool:
    """Whether it saw no request, and on every connection somebody who wants TLS."""
    assert len(server.raw) >= 2
    on_wire = b"".join(server.raw)
    asked = any(word in on_wire for word in (b"HTTP/", b"canary", b"secret"))
    return (
        not server.requests
        and not asked
        and all(raw.startswith(_TLS_HANDSHAKE) for raw in server.raw)
    )


@pytest.mark.security(61)
@pytest.mark.parametrize("kind", _BAD)
async def test_a_bad_certificate_gets_no_byte_of_a_request(
    kind: str, authority: Issued, chosen: PinnedCaCertificate, tmp_path: Path
) -> None:
    make, cause = _BAD[kind]
    context = make(authority).context(tmp_path, is_lax=kind == "weak key")

    async with tls_server(context) as server:
        assert await _cause_at(server, chosen) is cause
        assert _learnt_nothing(server)


@pytest.mark.security(61)
@pytest.mark.parametrize("kind", ["old TLS", "plain HTTP"])
async def test_a_server_without_good_tls_gets_no_byte_of_a_request(
    kind: str, authority: Issued, chosen: PinnedCaCertificate, tmp_path: Path
) -> None:
    context = None
    if kind == "old TLS":
        context = _with_old_tls(issue("server", by=authority), tmp_path)

    async with tls_server(context) as server:
        assert await _cause_at(server, chosen) is ConnectCause.TLS
        assert _learnt_nothing(server)


@pytest.mark.security(61)
async def test_an_authority_of_ones_own_makes_its_own_server_good_and_no_other(
    authority: Issued, chosen: PinnedCaCertificate, tmp_path: Path
) -> None:
    other = issue("Another authority", is_authority=True)
    async with (
        tls_server(issue("s", by=authority).context(tmp_path)) as good,
        tls_server(issue("s", by=other).context(tmp_path)) as bad,
    ):
        context = await Trust().context_for("127.0.0.1", chosen)
        async with ApiClient(good.address, SecretStr(_KEY), ssl_context=context) as client:
            assert await client.list_agents() == ()

        assert _KEY.encode() in good.requests
        assert await _cause_at(bad, chosen) is ConnectCause.TLS_UNKNOWN
        assert _learnt_nothing(bad)


@pytest.mark.security(61)
async def test_without_the_choice_the_same_server_is_refused_by_the_same_trust(
    authority: Issued, chosen: PinnedCaCertificate, tmp_path: Path
) -> None:
    trust = Trust()
    with_choice = await trust.context_for("127.0.0.1", chosen)

    assert await trust.context_for("127.0.0.1") is not with_choice
    async with tls_server(issue("s", by=authority).context(tmp_path)) as server:
        assert await _cause_at(server, None) is ConnectCause.TLS_UNKNOWN
        assert _learnt_nothing(server)


@pytest.mark.security(61)
@pytest.mark.parametrize("becomes", ["another certificate", "gone", "nonsense"])
async def test_a_file_that_changed_since_it_was_chosen_counts_for_nothing(
    becomes: str, chosen: PinnedCaCertificate, tmp_path: Path
) -> None:
    other = issue("Another authority", is_authority=True)
    chosen.path.unlink()
    if becomes != "gone":
        chosen.path.write_bytes(other.pem if becomes == "another certificate" else b"nonsense")

    async with tls_server(issue("s", by=other).context(tmp_path)) as server:
        assert await _cause_at(server, chosen) is ConnectCause.TLS_UNKNOWN
        assert _learnt_nothing(server)


def test_an_authority_is_known_by_its_fingerprint_name_and_dates(
    authority: Issued, tmp_path: Path
) -> None:
    for content in (authority.pem, authority.der, b"Our own\n" + authority.pem):
        file = tmp_path / "authority"
        file.write_bytes(content)
        read = read_ca_certificate(file)

        plain = hashlib.sha256(authority.der).hexdigest()
        assert read.fingerprint.replace(":", "").lower() == plain
        assert read.subject == "Our own authority"
        assert read.is_valid_at(datetime.now(UTC))
        assert not read.is_valid_at(datetime.now(UTC) + timedelta(days=31))


def test_a_file_that_is_no_single_authority_is_refused(authority: Issued, tmp_path: Path) -> None:
    leaf = issue("server", by=authority)
    endless = b"-----BEGIN CERTIFICATE-----" + b"\n" * 250_000
    # Our choice: of several certificates nobody could say which one was meant.
    refused = {
        CaCertificateFault.NO_CERTIFICATE: (
            b"",
            b"hello",
            authority.pem[:80],
            b"\x30\x82\x00",
            # A careless search takes hours for this.
            endless,
        ),
        CaCertificateFault.SEVERAL: (authority.pem + leaf.pem,),
        CaCertificateFault.NO_AUTHORITY: (leaf.pem, issue("signed itself").pem),
    }
    file = tmp_path / "file"
    for fault, contents in refused.items():
        for content in contents:
            file.write_bytes(content)
            with pytest.raises(CaCertificateRefused) as caught:
                read_ca_certificate(file)
            assert caught.value.fault is fault
    for path in (tmp_path, tmp_path / "none", Path("\0")):
        with pytest.raises(CaCertificateRefused) as caught:
            read_ca_certificate(path)
        assert caught.value.fault is CaCertificateFault.UNREADABLE
