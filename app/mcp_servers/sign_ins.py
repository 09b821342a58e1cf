"""Sign in at tool servers (OAuth), and make the HTTP clients for them.

`SignIns` keeps tokens in the keyring, by the address of the server.
`http_client_factory` makes the clients for tool servers at an address: by our network settings, and
within bounds.
"""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Final

from pydantic import SecretStr, ValidationError

from app.api.errors import ConnectFailed
from app.api.network import Network
from app.config.key_store import KeyLocation, KeyStore
from local_tools.errors import ToolError
from local_tools.mcp.config import RemoteAddress
from local_tools.mcp.oauth_callback import PageWords
from local_tools.web.fetching import Resolve, resolve_by_system

_CONNECT_LIMIT_S: Final = 10.0
# A server may keep its stream open in silence.
_SILENCE_LIMIT_S: Final = 300.0


def http_client_factory(network: Network) -> Callable[[RemoteAddress], Awaitable[Any]]:
    """Return a function that makes a client (httpx2) for an address; its caller closes it."""

    async def client_for(place: RemoteAddress) -> Any:
        # Both take a while to import, and most people have no such server.
        httpx2: Any = await asyncio.to_thread(import_module, "httpx2")
        line: Any = await asyncio.to_thread(import_module, "local_tools.mcp.http_transport")
        if place.url.startswith("https:"):
            try:
                way = await network.options_for(place.url)
            except ConnectFailed as error:
                raise ToolError("Nobody can be trusted on https here.") from error
            inner = httpx2.AsyncHTTPTransport(
                verify=way.ssl_context, proxy=way.proxy, trust_env=False
            )
        else:
            # Loading the trust store takes a tenth of a second, and plain http uses none.
            nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            inner = httpx2.AsyncHTTPTransport(verify=nobody, trust_env=False)
        return httpx2.AsyncClient(
            transport=line.BoundedTransport(inner),
            headers=dict(place.headers),
            # Headers may hold a key; a redirect would carry it to another host (threat 59).
            follow_redirects=False,
            trust_env=False,
            timeout=httpx2.Timeout(_CONNECT_LIMIT_S, read=_SILENCE_LIMIT_S),
        )

    return client_for


log = logging.getLogger(__name__)

_KEY_HEADER: Final = "authorization"


class SignIns:
    """Keeps what sign-ins gave, and lets a person sign in. One for the run.

    What one address was given is never sent to another, since it is kept and looked up by the
    whole address.
    """

    def __init__(
        self,
        keys: KeyStore,
        network: Network,
        open_page: Callable[[str], bool],
        resolve: Resolve = resolve_by_system,
    ) -> None:
        """Take what it needs.

        Args:
            keys: Where all of it is kept.
            network: The way to every address.
            open_page: Opens a page in the person's browser; false when there is none.
            resolve: Finds the machines of a host.
        """
        self._keys = keys
        self._network = network
        self._open_page = open_page
        self._resolve_host = resolve
        self._client_for = http_client_factory(network)
        # By address: whether there is a sign-in, as far as it was looked up.
        self._known: dict[str, bool] = {}
        # By address: the OAuth scopes for the next sign-in, where the server has named them.
        self._wanted: dict[str, str] = {}

    def is_signed_in(self, place: RemoteAddress) -> bool:
        """Return whether there is anything to send along, as far as it was looked up."""
        return self._known.get(_origin(place), False)

    def is_kept(self, place: RemoteAddress) -> bool:
        """Return whether a sign-in is kept when the program ends; without a keyring it is not."""
        return self._keys.place_of(_origin(place)) is KeyLocation.KEYRING

    async def client_for(self, place: RemoteAddress) -> Any:
        """Return a client (httpx2) that asks a server as who signed in; whoever asked closes it.

        Raises:
            ToolError: Nobody can be trusted on https here.
        """
        client = await self._client_for(place)
        sdk: Any = await asyncio.to_thread(import_module, "local_tools.mcp.oauth_tokens")
        if any(name.lower() == _KEY_HEADER for name in place.headers):
            client.auth = sdk.HeaderKeyAuth()
            return client

        async def keep(kept: Any) -> None:
            # The user may have signed out while the token was refreshed.
            if self.is_signed_in(place):
                await self._save(place, kept)

        def want(scope: str) -> None:
            self._wanted[_origin(place)] = scope

        kept, asker = await self._load(place), await self._asker(place)
        client.auth = sdk.SignInAuth(kept, asker, keep, want)
        return client

    async def sign_in(
        self, place: RemoteAddress, on_page: Callable[[str], None], words: PageWords
    ) -> None:
        """Sign in at a server through the browser, and keep the tokens. Cancel it to give up.

        Args:
            place: The server.
            on_page: Told the host of the page that the browser opens, just before.
            words: For the page that the browser comes back to.

        Raises:
            ToolError: It came to nothing; the sentence says why.
        """
        sdk: Any = await asyncio.to_thread(import_module, "local_tools.mcp.oauth")
        asker, scope = await self._asker(place), self._wanted.get(_origin(place), "")
        sign_in = sdk.SignIn(place.url, asker, self._open_page, on_page, words=words, scope=scope)
        await self._save(place, await sign_in.run())
        self._wanted.pop(_origin(place), None)

    async def sign_out(self, place: RemoteAddress) -> None:
        """Forget what a sign-in gave."""
        # First: a token that is being refreshed is kept only while there is a sign-in.
        self._known.pop(_origin(place), None)
        self._wanted.pop(_origin(place), None)
        await self._keys.forget(_origin(place))

    async def _asker(self, place: RemoteAddress) -> Any:
        asking: Any = await asyncio.to_thread(import_module, "local_tools.mcp.oauth_http")
        return asking.OAuthHttpClient(place.url, self._client_for, self._resolve)

    async def _resolve(self, url: str) -> Resolve | None:
        """Return who finds the machines of an address: a proxy, where there is one."""
        try:
            way = await self._network.options_for(url)
        except ConnectFailed:
            return self._resolve_host
        return None if way.proxy else self._resolve_host

    async def _load(self, place: RemoteAddress) -> Any:
        sdk: Any = await asyncio.to_thread(import_module, "local_tools.mcp.oauth_tokens")
        found = await self._keys.load(_origin(place))
        try:
            kept = found and sdk.SignInTokens.model_validate_json(found.get_secret_value())
        except ValidationError:
            kept = None
        self._known[_origin(place)] = kept is not None
        return kept

    async def _save(self, place: RemoteAddress, kept: Any) -> None:
        await self._keys.save(_origin(place), SecretStr(kept.model_dump_json()))
        self._known[_origin(place)] = True


def _origin(place: RemoteAddress) -> str:
    """Under which name it is kept."""
    return f"tool-sign-in:{place.url}"
