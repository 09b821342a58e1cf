"""Signing in at tool servers. What that gives is in the keyring, by the address of the server."""

import asyncio
import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from pydantic import SecretStr, ValidationError

from app.api.errors import ConnectFailed
from app.api.network import Network
from app.key_store import Kept, KeyStore
from app.tool_servers.asking import clients_on
from local_tools.fetching import Resolve, resolve_by_system
from local_tools.mcp.callback import PageWords
from local_tools.mcp.config import RemoteAddress

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
        self._client_for = clients_on(network)
        # By address: who is signed in, as far as anybody looked.
        self._known: dict[str, bool] = {}
        # Which rights are wanted at the next sign-in, where that was said.
        self._wanted: dict[str, str] = {}

    def is_signed_in(self, place: RemoteAddress) -> bool:
        """Whether there is anything to send along, as far as it was looked up."""
        return self._known.get(_origin(place), False)

    def is_kept(self, place: RemoteAddress) -> bool:
        """Whether who signed in stays so when the program ends: not without a keyring."""
        return self._keys.place_of(_origin(place)) is Kept.KEYRING

    async def client_for(self, place: RemoteAddress) -> Any:
        """A client (httpx2) that asks a server as who signed in; whoever asked closes it.

        Raises:
            ToolError: Nobody can be trusted on https here.
        """
        client = await self._client_for(place)
        sdk: Any = await asyncio.to_thread(import_module, "local_tools.mcp.signed_in")
        if any(name.lower() == _KEY_HEADER for name in place.headers):
            client.auth = sdk.GivenKey()
            return client

        async def keep(kept: Any) -> None:
            # Somebody may have signed out while it was renewed.
            if self.is_signed_in(place):
                await self._save(place, kept)

        def want(scope: str) -> None:
            self._wanted[_origin(place)] = scope

        kept, asker = await self._load(place), await self._asker(place)
        client.auth = sdk.KeptSignIn(kept, asker, keep, want)
        return client

    async def sign_in(
        self, place: RemoteAddress, on_page: Callable[[str], None], words: PageWords
    ) -> None:
        """Let the person sign in at a server, and keep what that gives. Cancel it to give up.

        Args:
            place: The server.
            on_page: Told the host of the page that the browser opens, just before.
            words: For the page that the browser comes back to.

        Raises:
            ToolError: It came to nothing; the sentence says why.
        """
        sdk: Any = await asyncio.to_thread(import_module, "local_tools.mcp.sign_in")
        asker, scope = await self._asker(place), self._wanted.get(_origin(place), "")
        sign_in = sdk.SignIn(place.url, asker, self._open_page, on_page, words=words, scope=scope)
        await self._save(place, await sign_in.run())
        self._wanted.pop(_origin(place), None)

    async def sign_out(self, place: RemoteAddress) -> None:
        """Forget what a sign-in gave."""
        self._known.pop(_origin(place), None)
        self._wanted.pop(_origin(place), None)
        await self._keys.forget(_origin(place))

    async def _asker(self, place: RemoteAddress) -> Any:
        asking: Any = await asyncio.to_thread(import_module, "local_tools.mcp.sign_in_asking")
        return asking.SignInAsker(place.url, self._client_for, self._resolve)

    async def _resolve(self, url: str) -> Resolve | None:
        """Who finds the machines of an address: a proxy, where there is one."""
        try:
            way = await self._network.way_to(url)
        except ConnectFailed:
            return self._resolve_host
        return None if way.proxy else self._resolve_host

    async def _load(self, place: RemoteAddress) -> Any:
        sdk: Any = await asyncio.to_thread(import_module, "local_tools.mcp.signed_in")
        found = await self._keys.load(_origin(place))
        try:
            kept = found and sdk.SignedIn.model_validate_json(found.get_secret_value())
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
