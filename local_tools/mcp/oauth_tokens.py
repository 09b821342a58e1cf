"""The tokens of a sign-in: sent with each request to their server, refreshed, never displayed."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, Literal, Protocol

import httpx2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from local_tools.errors import ToolError
from local_tools.translation_marks import QT_TRANSLATE_NOOP

# The part of its lifetime for which a token is used, so that it does not expire on the way.
_USED_PART: Final = 0.9
# What a header can carry.
_SCOPE: Final = re.compile(r'scope="([\x20-\x7e]{1,1000}?)"')
_KEY: Final = r"^[\x21-\x7e]+$"

_WANTED: Final = QT_TRANSLATE_NOOP("ToolServers", "You need to sign in to it.")
_MORE_WANTED: Final = QT_TRANSLATE_NOOP("ToolServers", "It needs more permissions. Sign in again.")
_NOT_NOW: Final = QT_TRANSLATE_NOOP("ToolServers", "The sign-in could not be renewed right now.")
_REFUSED: Final = QT_TRANSLATE_NOOP(
    "ToolServers", "It does not accept the key. Add the server again."
)


class SignInRequired(ToolError):
    """The server needs a new sign-in by the user; the message is a sentence."""


class SignInTokens(BaseModel):
    """The tokens of one sign-in, for one server address.

    Attributes:
        server_url: The only address that they are sent to.
        expires_at: In seconds since 1970; None if the server did not say.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    server_url: str
    access_token: str = Field(repr=False, pattern=_KEY)
    refresh_token: str | None = Field(default=None, repr=False)
    expires_at: float | None = None
    scope: str | None = None
    token_url: str = ""
    client_id: str = ""
    client_secret: str | None = Field(default=None, repr=False)
    client_auth: Literal["none", "client_secret_post", "client_secret_basic"] = "none"
    resource: str | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secret values, to be masked in logs and results."""
        return tuple(filter(None, (self.access_token, self.refresh_token, self.client_secret)))

    def refresh_request(self) -> httpx2.Request:
        """Return the refresh request (RFC 6749, section 6; RFC 8707)."""
        form = {
            "grant_type": "refresh_token",
            "refresh_token": self.refresh_token or "",
            "client_id": self.client_id,
        }
        if self.resource:
            form["resource"] = self.resource
        request = httpx2.Request("POST", self.token_url, data=form)
        if self.client_secret and self.client_auth == "client_secret_post":
            form["client_secret"] = self.client_secret
            return httpx2.Request("POST", self.token_url, data=form)
        if self.client_secret and self.client_auth == "client_secret_basic":
            basic = httpx2.BasicAuth(self.client_id, self.client_secret)
            return next(basic.sync_auth_flow(request))
        return request


class _Renewed(BaseModel):
    model_config = ConfigDict(extra="ignore")

    access_token: str = Field(repr=False, pattern=_KEY)
    refresh_token: str | None = Field(default=None, repr=False)
    expires_in: int | None = None
    scope: str | None = None

    def added_to(self, kept: SignInTokens) -> SignInTokens:
        return kept.model_copy(
            update={
                "access_token": self.access_token,
                "refresh_token": self.refresh_token or kept.refresh_token,
                "expires_at": expiry(self.expires_in),
                "scope": self.scope or kept.scope,
            }
        )


def expiry(expires_in_s: int | None) -> float | None:
    """Convert `expires_in` to the time (seconds since 1970) until which to use the token."""
    return None if expires_in_s is None else time.time() + _USED_PART * expires_in_s


class OAuthSender(Protocol):
    """The interface of `OAuthHttpClient` that refreshing needs."""

    async def ask(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; return the answer, read and closed."""


class SignInAuth(httpx2.Auth):
    """An httpx auth flow that adds and refreshes the tokens. Lives as long as its client.

    It never opens the browser: if the user is needed, it raises `SignInRequired`.
    """

    def __init__(
        self,
        kept: SignInTokens | None,
        asker: OAuthSender,
        keep: Callable[[SignInTokens], Awaitable[None]],
        want: Callable[[str], None],
    ) -> None:
        """Make a flow for one server.

        Args:
            kept: The tokens of a sign-in; None for none.
            asker: Sends the refresh requests.
            keep: Stores refreshed tokens.
            want: Called with all scopes to ask for when the server wants more than were granted.
        """
        self._kept = kept
        self._asker = asker
        self._keep = keep
        self._want = want
        self._renewing = asyncio.Lock()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secret values, to be masked in logs and results."""
        return self._kept.secrets if self._kept else ()

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Send the request with the access token; after a 401, refresh it and send once more."""
        kept = self._kept
        if kept is None or not _is_for(kept, request):
            response = yield request
            if kept is None:
                self._refuse(response)
            return
        if kept.expires_at is not None and kept.expires_at <= time.time():
            kept = await self._renewed(kept)
        response = yield _signed(request, kept)
        if response.status_code == httpx2.codes.UNAUTHORIZED:
            kept = await self._renewed(kept)
            response = yield _signed(request, kept)
        self._refuse(response)

    async def _renewed(self, old: SignInTokens) -> SignInTokens:
        """Return new tokens in place of expired ones; concurrent requests share one refresh.

        Raises:
            SignInRequired: It cannot be renewed.
            ToolError: It cannot be renewed at the moment.
        """
        async with self._renewing:
            if self._kept is not None and self._kept is not old:
                return self._kept
            if not old.refresh_token or not old.token_url:
                raise SignInRequired(_WANTED)
            response = await self._asker.ask(old.refresh_request())
            if response.is_server_error or response.status_code == httpx2.codes.TOO_MANY_REQUESTS:
                raise ToolError(_NOT_NOW)
            try:
                new = _Renewed.model_validate_json(response.content).added_to(old)
            except ValidationError as exc:
                raise SignInRequired(_WANTED) from exc
            if response.status_code != httpx2.codes.OK:
                raise SignInRequired(_WANTED)
            self._kept = new
            await self._keep(new)
            return new

    def _refuse(self, response: httpx2.Response) -> None:
        if response.status_code == httpx2.codes.UNAUTHORIZED:
            raise SignInRequired(_WANTED)
        said = response.headers.get("www-authenticate", "")
        if response.status_code == httpx2.codes.FORBIDDEN and "insufficient_scope" in said:
            wanted = _SCOPE.search(said)
            before = self._kept.scope if self._kept else None
            self._want(" ".join(filter(None, (before, wanted and wanted[1]))))
            raise SignInRequired(_MORE_WANTED)


class HeaderKeyAuth(httpx2.Auth):
    """An httpx auth flow for a server with a key in a header; reports that the key was refused."""

    secrets: Final[tuple[str, ...]] = ()

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Send the request; check the status of the answer."""
        response = yield request
        if response.status_code == httpx2.codes.UNAUTHORIZED:
            raise ToolError(_REFUSED)


def _is_for(kept: SignInTokens, request: httpx2.Request) -> bool:
    """Return whether a request goes to the server of the tokens; others must not get them."""
    own = httpx2.URL(kept.server_url)
    return (request.url.scheme, request.url.netloc) == (own.scheme, own.netloc)


def _signed(request: httpx2.Request, kept: SignInTokens) -> httpx2.Request:
    request.headers["Authorization"] = f"Bearer {kept.access_token}"
    return request
