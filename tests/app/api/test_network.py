"""The way to a service: straight, or through the proxy that the user chose; never for loopback."""

import asyncio
import ssl
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest
from pydantic import SecretStr

from app.api.address import (
    AddressFault,
    AddressRefused,
    check_base_url,
    check_proxy_address,
)
from app.api.ca_certificate import PinnedCaCertificate, read_ca_certificate
from app.api.errors import ConnectCause, ConnectFailed, ConnectionLost
from app.api.http_exchange import TransportLimits
from app.api.network import Network, ProxySettings, Trust, desktop_proxy
from app.api.transport import HttpTransport
from tests.support.certificates import Issued, issue
from tests.support.connections import serving
from tests.support.fake_service import FakeService
from tests.support.proxy import Manner, proxy_to
from tests.support.tls_server import tls_server

pytestmark = pytest.mark.anyio

_KEY = "pk_live_canary0123456789"
_HOST = "chat.example.invalid"


@pytest.fixture(scope="module")
def authority() -> Issued:
    return issue("Our own authority", is_authority=True)


@pytest.fixture
def chosen(authority: Issued, tmp_path: Path) -> PinnedCaCertificate:
    file = tmp_path / "authority.pem"
    file.write_bytes(authority.pem)
    return PinnedCaCertificate(file, read_ca_certificate(file).fingerprint)


def _network(route: ProxySettings, found: str | None = None) -> Network:
    return Network(lambda: route, Trust(), lambda _host: found)


def _through(proxy: str, context: ssl.SSLContext, limits: TransportLimits) -> HttpTransport:
    return HttpTransport(
        f"https://{_HOST}",
        SecretStr(_KEY),
        ssl_context=context,
        user_agent="parley",
        proxy=proxy,
        limits=limits,
    )


@pytest.mark.security(62)
@pytest.mark.parametrize("kind", ["address", "system"])
async def test_a_proxy_leads_to_the_service_and_learns_its_name_alone(
    kind: str, authority: Issued, chosen: PinnedCaCertificate, tmp_path: Path
) -> None:
    context = issue("s", by=authority, host=_HOST).context(tmp_path)
    async with tls_server(context) as server, proxy_to(server.port) as proxy:
        route = ProxySettings("system", "", chosen)
        if kind == "address":
            route = ProxySettings("address", proxy.address, chosen)
        network = _network(route, proxy.address)
        async with await network.client_for(f"https://{_HOST}", SecretStr(_KEY)) as client:
            assert await client.list_agents() == ()

    assert _KEY.encode() in server.requests
    [head] = proxy.heads
    assert head.startswith(f"CONNECT {_HOST}:443 ".encode())
    assert b"canary" not in head
    assert b"X-API-Key" not in head


async def test_a_proxy_cannot_stand_for_the_service(
    chosen: PinnedCaCertificate, tmp_path: Path
) -> None:
    stranger = issue("s", host=_HOST).context(tmp_path)
    async with tls_server(stranger) as server, proxy_to(server.port) as proxy:
        network = _network(ProxySettings("address", proxy.address, chosen))
        async with await network.client_for(f"https://{_HOST}", SecretStr(_KEY)) as client:
            with pytest.raises(ConnectFailed) as caught:
                await client.list_agents()

    assert caught.value.cause is ConnectCause.TLS_UNKNOWN
    assert server.requests == b""


@pytest.mark.security(62)
async def test_requests_to_loopback_bypass_the_proxy(
    authority: Issued, chosen: PinnedCaCertificate, tmp_path: Path
) -> None:
    context = issue("s", by=authority).context(tmp_path)
    named = issue("n", by=authority, host="localhost").context(tmp_path)
    async with (
        FakeService(_KEY) as plain,
        tls_server(context) as server,
        tls_server(named) as by_name,
        proxy_to(0) as proxy,
    ):
        for kind in ("address", "system"):
            route = ProxySettings(
                "address" if kind == "address" else "system", proxy.address, chosen
            )
            network = _network(route, proxy.address)
            for address in (
                plain.base_url,
                server.address,
                check_base_url(f"https://localhost:{by_name.port}"),
            ):
                async with await network.client_for(address, SecretStr(_KEY)) as client:
                    await client.list_agents()

    assert proxy.heads == []


@pytest.mark.parametrize("manner", ["asks", "hangs"])
async def test_a_proxy_that_does_not_lead_on_is_named_as_the_cause(
    manner: Manner, chosen: PinnedCaCertificate
) -> None:
    context = await Trust().context_for(_HOST, chosen)
    async with proxy_to(0, manner) as proxy:
        limits = TransportLimits(proxy_s=0.05 if manner == "hangs" else 20)
        wire = _through(proxy.address, context, limits)
        with pytest.raises(ConnectFailed) as caught:
            await wire.ask("GET", "/v1/agents")
        await wire.aclose()

    assert caught.value.cause is ConnectCause.PROXY
    assert not caught.value.was_maybe_delivered


@pytest.mark.parametrize("manner", ["leads", "hangs"])
async def test_client_that_closes_while_a_proxy_answers_does_not_wait(manner: Manner) -> None:
    """Whatever step the proxy's answer leads to, the request that is under way ends."""

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    context = ssl.create_default_context()
    async with serving(say_nothing) as port:
        for turns in range(40):
            async with proxy_to(port, manner) as proxy:
                wire = _through(proxy.address, context, TransportLimits())
                asked = asyncio.create_task(wire.ask("GET", "/v1/agents"))
                for _ in range(turns):
                    await anyio.lowlevel.checkpoint()
                with anyio.fail_after(5):
                    await wire.aclose()
                (outcome,) = await asyncio.gather(asked, return_exceptions=True)
                assert isinstance(outcome, ConnectionLost), turns


async def test_a_proxy_that_is_not_there_is_named_as_the_cause() -> None:
    async with proxy_to(0) as proxy:
        address = proxy.address
    network = _network(ProxySettings("address", address))
    async with await network.client_for(f"https://{_HOST}", SecretStr(_KEY)) as client:
        with pytest.raises(ConnectFailed) as caught:
            await client.list_agents()

    assert caught.value.cause is ConnectCause.PROXY


@pytest.mark.parametrize(
    ("typed", "used"),
    [
        ("proxy.example:3128", "http://proxy.example:3128"),
        (" http://proxy.example:80/ ", "http://proxy.example"),
        ("https://proxy.example:8443", "https://proxy.example:8443"),
        ("localhost:3128", "http://127.0.0.1:3128"),
    ],
)
def test_the_address_of_a_proxy_needs_no_scheme(typed: str, used: str) -> None:
    assert check_proxy_address(typed) == used


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("", AddressFault.EMPTY),
        ("socks5://proxy.example", AddressFault.NO_SCHEME),
        ("http://user:word@proxy.example:1", AddressFault.HAS_USER),
        ("proxy.example/path", AddressFault.BAD_PATH),
        ("proxy.example:99999", AddressFault.BAD_PORT),
    ],
)
def test_invalid_proxy_address_is_refused(typed: str, fault: AddressFault) -> None:
    with pytest.raises(AddressRefused) as caught:
        check_proxy_address(typed)
    assert caught.value.fault is fault


def _desktop(mode: str) -> str:
    return (
        f"org.gnome.system.proxy mode '{mode}'\n"
        "org.gnome.system.proxy ignore-hosts ['localhost', '10.0.0.0/8', '*.home.example']\n"
        "org.gnome.system.proxy.http enabled false\n"
        "org.gnome.system.proxy.https host 'proxy.example'\n"
        "org.gnome.system.proxy.https port 3128\n"
    )


@pytest.mark.parametrize(
    ("host", "mode", "found"),
    [
        ("chat.example", "manual", "http://proxy.example:3128"),
        ("chat.example", "none", None),
        ("chat.example", "auto", None),
        ("a.home.example", "manual", None),
        ("home.example", "manual", None),
        ("nothome.example", "manual", "http://proxy.example:3128"),
        ("10.1.2.3", "manual", None),
    ],
)
def test_the_desktop_names_a_proxy_by_hand_only(host: str, mode: str, found: str | None) -> None:
    asked: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> str:
        asked.append(command)
        return _desktop(mode)

    assert desktop_proxy(host, run) == found
    assert [command[0] for command in asked] == ["gsettings"]


def test_a_system_that_says_nothing_has_no_proxy() -> None:
    assert desktop_proxy("chat.example", lambda _command: "") is None
