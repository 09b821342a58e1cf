"""What other software set in our environment neither listens in nor leads astray."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.support.certificates import untrusted_context

pytestmark = pytest.mark.anyio

_PROGRAM = """
import asyncio, ssl, sys
from socket import create_connection
from pydantic import SecretStr
from app.api.client import ApiClient
from app.api.errors import ApiError
from app.api.client import Retry
from app.api.network import make_ssl_context
from app.environment import take_out_foreign_variables

port = int(sys.argv[1])
if sys.argv[2] == "take_out":
    take_out_foreign_variables()

def shake_hands():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with create_connection(("127.0.0.1", port)) as plain:
        context.wrap_socket(plain).close()

async def ask():
    address = f"https://127.0.0.1:{port}"
    client = ApiClient(
        address, SecretStr("k"), ssl_context=make_ssl_context(), retry=Retry(attempts=1)
    )
    async with client:
        try:
            await client.list_agents()
        except ApiError as error:
            print(error.reason)

shake_hands()
asyncio.run(ask())
"""


@asynccontextmanager
async def doors(folder: Path) -> AsyncIterator[tuple[int, int, list[str]]]:
    """Yield a TLS server that nobody trusts, a proxy, and who connected to the proxy."""
    at_proxy: list[str] = []

    def on_tls(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    def on_proxy(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        at_proxy.append("connected")
        writer.close()

    tls = await asyncio.start_server(on_tls, "127.0.0.1", 0, ssl=untrusted_context(folder))
    proxy = await asyncio.start_server(on_proxy, "127.0.0.1", 0)
    async with tls, proxy:
        ports = [server.sockets[0].getsockname()[1] for server in (tls, proxy)]
        yield ports[0], ports[1], at_proxy


@pytest.mark.security(62)
@pytest.mark.parametrize("way", ["take_out", "keep"])
async def test_keys_of_tls_are_logged_only_where_the_environment_was_kept(
    way: str, tmp_path: Path
) -> None:
    key_log = tmp_path / "keys.log"
    async with doors(tmp_path) as (tls_port, proxy_port, at_proxy):
        proxy = f"http://127.0.0.1:{proxy_port}"
        astray = {
            "SSLKEYLOGFILE": str(key_log),
            "SSL_CERT_FILE": str(tmp_path / "untrusted.pem"),
            "HTTPS_PROXY": proxy,
            "https_proxy": proxy,
            "ALL_PROXY": proxy,
        }
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _PROGRAM, str(tls_port), way),
            env={**os.environ, **astray},
            stdout=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(20):
            told, _ = await child.communicate()
    assert child.returncode == 0
    assert at_proxy == []
    assert key_log.exists() is (way == "keep")
    # With the variables kept, SSL_CERT_FILE makes the stranger trusted.
    assert told.split() == [b"connect_tls_unknown" if way == "take_out" else b"connection_lost"]
