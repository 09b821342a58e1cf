"""The clients that ask tool servers at an address: by our network settings, and within bounds."""

from collections.abc import Awaitable, Callable
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
        import httpx2  # noqa: PLC0415

        from local_tools.mcp.address_line import BoundedTransport  # noqa: PLC0415

        if place.url.startswith("https:"):
            try:
                way = await network.way_to(place.url)
            except ConnectFailed as error:
                raise ToolError("Nobody can be trusted on https here.") from error
            inner = httpx2.AsyncHTTPTransport(
                verify=way.ssl_context, proxy=way.proxy, trust_env=False
            )
        else:
            inner = httpx2.AsyncHTTPTransport(trust_env=False)
        return httpx2.AsyncClient(
            transport=BoundedTransport(inner),
            headers=dict(place.headers),
            follow_redirects=False,
            trust_env=False,
            timeout=httpx2.Timeout(_CONNECT_LIMIT_S, read=_SILENCE_LIMIT_S),
        )

    return client_for
