"""The way to a service: its client, with the proxy and the trust that the user chose."""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from app.api.address import is_loopback_url
from app.api.authority import ChosenAuthority
from app.api.budget import RequestBudget
from app.api.client import ApiClient
from app.api.system_proxy import system_proxy
from app.api.trust import Trust

ProxyKind = Literal["none", "system", "address"]


@dataclass(frozen=True, slots=True)
class Route:
    """What the user chose; `proxy_address` counts for the kind `address` only."""

    proxy: ProxyKind = "none"
    proxy_address: str = ""
    authority: ChosenAuthority | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """How one address is reached: whom to trust there, and through which proxy."""

    ssl_context: ssl.SSLContext
    proxy: str | None


class Network:
    """Makes the clients of services, each on the route that `route` returns at that time.

    What leads to this computer goes there without a proxy. One for the run; holds no resources.
    """

    def __init__(
        self,
        route: Callable[[], Route],
        trust: Trust,
        find_system_proxy: Callable[[str], str | None] = system_proxy,
    ) -> None:
        self._route: Final = route
        self._trust: Final = trust
        self._find_system_proxy: Final = find_system_proxy

    async def client_for(self, base_url: str, key: SecretStr) -> ApiClient:
        """Returns a client for a checked address; whoever asked closes it.

        Raises:
            ConnectFailed: nobody can be trusted, since the system's store cannot be read.
        """
        if not base_url.startswith("https:"):
            # Of these only loopback addresses are accepted.
            return ApiClient(base_url, key)
        way = await self.way_to(base_url)
        return ApiClient(
            base_url,
            key,
            ssl_context=way.ssl_context,
            proxy=way.proxy,
            budget=RequestBudget(),
        )

    async def way_to(self, url: str) -> Way:
        """Returns how an https address is reached now.

        Raises:
            ConnectFailed: nobody can be trusted, since the system's store cannot be read.
        """
        route, parts = self._route(), urlsplit(url)
        context = await self._trust.context_for(parts.netloc, route.authority)
        return Way(context, await self._proxy_for(url, parts.hostname or "", route))

    async def _proxy_for(self, base_url: str, host: str, route: Route) -> str | None:
        if route.proxy == "none" or is_loopback_url(base_url):
            return None
        if route.proxy == "address":
            return route.proxy_address
        return await asyncio.to_thread(self._find_system_proxy, host)
