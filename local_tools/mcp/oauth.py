"""Signing in at a server's address, in the person's own browser (OAuth 2.1, by the SDK's client).

`SignIn` is one sign-in. The browser comes back from it to `Callback`: one page on this computer,
for one answer.

Nothing of it is kept here: what it gave is returned, and everything else is forgotten.
"""

import asyncio
import html
import secrets
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Final, NoReturn, Self
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

from local_tools.errors import ToolError, named
from local_tools.mcp.oauth_http import OAuthHttpClient
from local_tools.mcp.oauth_tokens import SignInTokens, expiry
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_PATH: Final = "/callback"
_HEAD_LIMIT_BYTES: Final = 16 * 1024
_READ_LIMIT_S: Final = 5.0
_VISITORS_LIMIT: Final = 16
_HEADERS: Final = (
    "Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\nConnection: close\r\n"
)


@dataclass(frozen=True, slots=True)
class PageWords:
    """What the page says, in the language of the window."""

    done: str = "You are signed in. You can close this page and go back to Parley."
    refused: str = "You are not signed in. You can close this page and go back to Parley."
    strange: str = "This page belongs to no sign-in that is under way."


@dataclass(frozen=True, slots=True)
class CallbackAnswer:
    """What the browser brought (RFC 6749, section 4.1.2; RFC 9207)."""

    code: str
    state: str
    issuer: str | None


class Callback:
    """Listens on this computer only, while its context lasts.

    Whoever comes without the state that was sent out is sent away, and the sign-in goes on.
    """

    def __init__(self, words: PageWords | None = None) -> None:
        self._words = words or PageWords()
        self._state = ""
        self._port = 0
        self._server: asyncio.Server | None = None
        self._visitors: set[asyncio.Task[None]] = set()
        self._answer: asyncio.Future[CallbackAnswer] = asyncio.get_running_loop().create_future()

    @property
    def url(self) -> str:
        """Where the browser is to be sent."""
        return f"http://127.0.0.1:{self._port}{_PATH}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._on_visitor, "127.0.0.1", 0, limit=_HEAD_LIMIT_BYTES
        )
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        for visitor in self._visitors:
            visitor.cancel()
        await asyncio.gather(*self._visitors, return_exceptions=True)
        if not self._answer.cancel() and not self._answer.cancelled():
            # Nobody may have waited for a refusal.
            self._answer.exception()

    def expect(self, state: str) -> None:
        """Take only who brings this."""
        self._state = state

    async def answer(self) -> CallbackAnswer:
        """Wait for the browser.

        Raises:
            ToolError: It brought a refusal.
        """
        return await self._answer

    async def _on_visitor(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._visitors) >= _VISITORS_LIMIT:
            writer.close()
            return
        self._visitors.add(task)
        task.add_done_callback(self._visitors.discard)
        try:
            async with asyncio.timeout(_READ_LIMIT_S):
                head = await reader.readuntil(b"\r\n\r\n")
                status, words, settle = self._judged(head.decode("ascii", "replace"))
                writer.write(_page(status, words))
                await writer.drain()
            # Only now, since the end of the sign-in ends this page, too.
            settle()
        except (EOFError, OSError, ValueError, TimeoutError, asyncio.LimitOverrunError):
            # Whoever that was does not speak as a browser does.
            pass
        finally:
            writer.close()

    def _judged(self, head: str) -> tuple[str, str, Callable[[], None]]:
        request, *lines = head.split("\r\n")
        method, _, rest = request.partition(" ")
        target = urlsplit(rest.rpartition(" ")[0])
        hosts = [line.partition(":")[2].strip() for line in lines if _is_host(line)]
        given = {key: values[0] for key, values in parse_qs(target.query).items()}
        is_ours = (method, hosts) == ("GET", [f"127.0.0.1:{self._port}"])
        state = given.get("state", "")
        if not is_ours or target.path != _PATH or not self._is_expected(state):
            return "400 Bad Request", self._words.strange, _nothing
        if "code" not in given:
            reason = named(given.get("error_description") or given.get("error", ""))
            words = f"The sign-in was refused: {reason}." if reason else "The sign-in was refused."
            return "200 OK", self._words.refused, lambda: self._refuse(words)
        answer = CallbackAnswer(given["code"], state, given.get("iss"))
        return "200 OK", self._words.done, lambda: self._settle(answer)

    def _is_expected(self, state: str) -> bool:
        is_same = secrets.compare_digest(state.encode(), self._state.encode())
        return bool(self._state) and is_same and not self._answer.done()

    def _settle(self, answer: CallbackAnswer) -> None:
        if not self._answer.done():
            self._answer.set_result(answer)

    def _refuse(self, words: str) -> None:
        if not self._answer.done():
            self._answer.set_exception(ToolError(words))


def _is_host(line: str) -> bool:
    return line.partition(":")[0].strip().lower() == "host"


def _page(status: str, words: str) -> bytes:
    title = "<!doctype html><meta charset=utf-8><title>Parley</title>"
    body = f"{title}<p>{html.escape(words)}</p>".encode()
    return f"HTTP/1.1 {status}\r\n{_HEADERS}Content-Length: {len(body)}\r\n\r\n".encode() + body


def _nothing() -> None:
    pass


_PERSON_LIMIT_S: Final = 600.0
_REQUESTS_LIMIT: Final = 20
# Anything that a server can be asked; it is the refusal that matters.
_KNOCK: Final = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
_ACCEPTED: Final = "application/json, text/event-stream"

_SAYS_NOT_WHERE: Final = QT_TRANSLATE_NOOP(
    "ToolServers", "It does not say where to sign in, or not so that it can be trusted."
)
_NO_PROGRAMS: Final = QT_TRANSLATE_NOOP(
    "ToolServers",
    "Where you would sign in, programs cannot make themselves known. Add the server again with a "
    "key in a header.",
)
_NO_KEY: Final = QT_TRANSLATE_NOOP("ToolServers", "The sign-in was not accepted in the end.")
_NOT_OPENED: Final = QT_TRANSLATE_NOOP("ToolServers", "The browser could not be opened.")
_TOO_LATE: Final = QT_TRANSLATE_NOOP("ToolServers", "Nobody signed in within 10 minutes.")
_UNREACHED: Final = QT_TRANSLATE_NOOP(
    "ToolServers", "Somebody who has to be asked for the sign-in cannot be reached."
)


class _Memory:
    """What the SDK keeps of one sign-in; gone with it."""

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
    """One sign-in at one server. Made for it, ends with `run`."""

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
            server_url: Of the server.
            asker: Asks whoever has to be asked.
            open_page: Opens a page in the person's browser; false when there is none.
            on_page: Told the host of that page, just before.
            words: For the page that the browser comes back to.
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
        """Let the person sign in; cancel it to give up.

        Raises:
            ToolError: It came to nothing; the sentence says why.
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
        """Do what the SDK asks for until there is a key; the server itself is not asked with it."""
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
        """Ask the server; some refuse only later, and describe the sign-in all the same."""
        if response.status_code == httpx2.codes.UNAUTHORIZED and not self._scope:
            return self._asker.own_word(response)
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
    """Return the one that the SDK sends out; what the server wrote before it does not count."""
    return parse_qs(urlsplit(url).query).get("state", [""])[-1]
