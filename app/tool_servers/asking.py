"""The clients that ask tool servers at an address: by our network settings, and within bounds."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Final

from app.api.errors import ConnectFailed
from app.api.network import Network
from local_tools.errors import ToolError
from local_tools.mcp.config import RemoteAddress

_CONNECT_LIMIT_S: Final = 10.0
# A server may keep its stream open in silence.
_SILENCE_LIMIT_S: Final = 300.0


def clients_on(network: Network) -> Callable[[RemoteAddress], Awaitable[Any]]:
    """Makes what makes a client (httpx2) for an address; whoever asked closes it."""

    async def client_for(place: RemoteAddress) -> Any:
        # Both take a while to import, and most people have no such server.
        httpx2: Any = await asyncio.to_thread(import_module, "httpx2")
        line: Any = await asyncio.to_thread(import_module, "local_tools.mcp.address_line")
        if place.url.startswith("https:"):
            try:
                way = await network.way_to(place.url)
            except ConnectFailed as error:
                raise ToolError("Nobody can be trusted on https here.") from error
            inner = httpx2.AsyncHTTPTransport(
                verify=way.ssl_context, proxy=way.proxy, trust_env=False
            )
        else:
            # Making a context that trusts somebody takes a tenth of a second, and none is used.
            nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            inner = httpx2.AsyncHTTPTransport(verify=nobody, trust_env=False)
        return httpx2.AsyncClient(
            transport=line.BoundedTransport(inner),
            headers=dict(place.headers),
            follow_redirects=False,
            trust_env=False,
            timeout=httpx2.Timeout(_CONNECT_LIMIT_S, read=_SILENCE_LIMIT_S),
        )

    return client_for
