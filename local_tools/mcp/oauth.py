"""Sign in to a server at an address in the user's browser (OAuth 2.1, by the MCP SDK's client).

`SignIn` is one sign-in. It returns the tokens and stores nothing.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NoReturn
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import (
    OAuthClientProvider,
    OAuthFlowError,
    OAuthRegistrationError,
    OAuthTokenError,
)
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl, ValidationError

from local_tools.errors import ToolError
from local_tools.mcp.oauth_callback import Callback, PageWords
from local_tools.mcp.oauth_http import OAuthHttpClient
from local_tools.mcp.oauth_tokens import SignInTokens, expiry
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_PERSON_LIMIT_S: Final = 600.0
_REQUESTS_LIMIT: Final = 20
# Any request would do: only the refusal matters, which says where to sign in.
_KNOCK: Final = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
_ACCEPTED: Final = "application/json, text/event-stream"

_SAYS_NOT_WHERE: Final = QT_TRANSLATE_NOOP(
    "ToolServers", "It does not name a sign-in service that can be trusted."
)
_NO_PROGRAMS: Final = QT_TRANSLATE_NOOP(
    "ToolServers",
    "The sign-in service does not accept new programs. Add the server again with a key in a "
    "header.",
)
_NO_KEY: Final = QT_TRANSLATE_NOOP("ToolServers", "The sign-in was not accepted.")
_NOT_OPENED: Final = QT_TRANSLATE_NOOP("ToolServers", "The browser could not be opened.")
_TOO_LATE: Final = QT_TRANSLATE_NOOP("ToolServers", "Sign-in timed out after 10 minutes.")
_UNREACHED: Final = QT_TRANSLATE_NOOP("ToolServers", "The sign-in service cannot be reached.")


class _Memory:
    """The SDK's token storage for one sign-in, in memory."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class SignIn:
    """One sign-in to one server. Made for one `run`."""

    def __init__(
        self,
        server_url: str,
        asker: OAuthHttpClient,
        open_page: Callable[[str], bool],
        on_page: Callable[[str], None],
        *,
        words: PageWords | None = None,
        scope: str = "",
    ) -> None:
        """Take what it needs.

        Args:
            server_url: The address of the server.
            asker: Sends the requests of the sign-in.
            open_page: Opens a page in the person's browser; false when there is none.
            on_page: Called with the host of that page, just before.
            words: The texts of the page that the browser returns to.
            scope: The rights to ask for; by default those that the server says.
        """
        self._scope = scope
        self._server_url = server_url
        self._asker = asker
        self._open_page = open_page
        self._on_page = on_page
        self._words = words
        self._memory = _Memory()

    async def run(self) -> SignInTokens:
        """Sign in through the browser and return the tokens; cancel the task to give up.

        Raises:
            ToolError: The sign-in failed; the message says why.
        """
        async with Callback(self._words) as callback:
            provider = self._provider(callback)
            try:
                await self._go(provider)
            except OAuthRegistrationError as exc:
                raise ToolError(_NO_PROGRAMS) from exc
            except OAuthTokenError as exc:
                raise ToolError(_NO_KEY) from exc
            # In the texts of the SDK's own errors there is what nobody should read.
            except (OAuthFlowError, ValidationError, ValueError) as exc:
                raise ToolError(_SAYS_NOT_WHERE) from exc
            except httpx2.HTTPError as exc:
                raise ToolError(_UNREACHED) from exc
        return self._given(provider)

    def _provider(self, callback: Callback) -> OAuthClientProvider:
        async def open_page(url: str) -> None:
            host = self._asker.check_page(url)
            callback.expect(_state_in(url) or _unknown_page())
            self._on_page(host)
            if not self._open_page(url):
                raise ToolError(_NOT_OPENED)

        async def come_back() -> AuthorizationCodeResult:
            try:
                async with asyncio.timeout(_PERSON_LIMIT_S):
                    answer = await callback.answer()
            except TimeoutError as exc:
                raise ToolError(_TOO_LATE) from exc
            return AuthorizationCodeResult(code=answer.code, state=answer.state, iss=answer.issuer)

        metadata = OAuthClientMetadata(
            client_name="Parley",
            redirect_uris=[AnyUrl(callback.url)],
            token_endpoint_auth_method="none",  # noqa: S106 - no password, but that there is none
        )
        return OAuthClientProvider(self._server_url, metadata, self._memory, open_page, come_back)

    async def _go(self, provider: OAuthClientProvider) -> None:
        """Send the SDK's requests until there are tokens; do not send those to the server yet."""
        headers = {"Accept": _ACCEPTED}
        knock = httpx2.Request("POST", self._server_url, json=_KNOCK, headers=headers)
        flow = provider.async_auth_flow(knock)
        try:
            request = await anext(flow)
            for _ in range(_REQUESTS_LIMIT):
                response = await self._asker.ask(request)
                if request is knock:
                    response = self._refusal(response)
                request = await flow.asend(response)
                if request is knock and self._memory.tokens is not None:
                    return
        finally:
            await flow.aclose()
        raise ToolError(_SAYS_NOT_WHERE)

    def _refusal(self, response: httpx2.Response) -> httpx2.Response:
        """Return the server's 401, or make one if it refuses only later or a scope is wanted."""
        if response.status_code == httpx2.codes.UNAUTHORIZED and not self._scope:
            return self._asker.without_foreign_metadata(response)
        said = f'Bearer scope="{self._scope}"' if self._scope else "Bearer"
        return httpx2.Response(
            httpx2.codes.UNAUTHORIZED, headers={"WWW-Authenticate": said}, request=response.request
        )

    def _given(self, provider: OAuthClientProvider) -> SignInTokens:
        tokens, client, context = self._memory.tokens, self._memory.client, provider.context
        if tokens is None or client is None:
            raise ToolError(_NO_KEY)
        metadata = context.oauth_metadata
        method = client.token_endpoint_auth_method
        has_resource = context.should_include_resource_param(context.protocol_version)
        try:
            return SignInTokens.model_validate(
                {
                    "server_url": self._server_url,
                    "access_token": tokens.access_token,
                    "refresh_token": tokens.refresh_token,
                    "expires_at": expiry(tokens.expires_in),
                    "scope": tokens.scope,
                    "token_url": str(metadata.token_endpoint) if metadata else "",
                    "client_id": client.client_id,
                    "client_secret": client.client_secret,
                    "client_auth": method or "none",
                    "resource": context.get_resource_url() if has_resource else None,
                }
            )
        except ValidationError as exc:
            raise ToolError(_NO_KEY) from exc


def _unknown_page() -> NoReturn:
    raise ToolError(_SAYS_NOT_WHERE)


def _state_in(url: str) -> str:
    """Return the SDK's `state`, which is the last: the server may have put its own before."""
    return parse_qs(urlsplit(url).query).get("state", [""])[-1]
