"""What is refused before anybody looks at a request: foreign hosts, web pages, crowds, huge bodies.

Plain ASGI, so that nothing here buffers a stream.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_server.connection_limit import place_of
from local_server.errors import (
    ApiError,
    BadHostError,
    BodyTooLargeError,
    OriginRefusedError,
    OverloadedError,
    error_response,
)


def header_values(scope: Scope, name: bytes) -> list[bytes]:
    """List the values of a header, one for each time that it was sent."""
    return [value for key, value in scope["headers"] if key == name]


class OriginGuard:
    """Answers only requests addressed to this service by name, and none from a web page.

    The exact comparison, of upper and lower case too (our choice), stops DNS rebinding; refusing
    every Origin stops the rest of the web. The paths of `any_host` are for whoever asks by address.
    ASGI middleware; made with the application.
    """

    def __init__(
        self, app: ASGIApp, allowed_hosts: frozenset[str], any_host: frozenset[str]
    ) -> None:
        self._app = app
        self._any_host = any_host
        self._allowed = {host.encode("ascii") for host in allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass the request on."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await error_response(refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> ApiError | None:
        hosts = header_values(scope, b"host")
        is_ours = len(hosts) == 1 and hosts[0] in self._allowed
        if not (is_ours or scope["path"] in self._any_host):
            return BadHostError()
        if header_values(scope, b"origin"):
            return OriginRefusedError()
        return None


class CrowdGuard:
    """Answers 503 to what comes while so many requests are being answered.

    It stands behind the key, so that no stranger can keep a place. ASGI middleware; made with
    the application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or keep the place of the connection until the request is answered."""
        place = place_of(scope) if "caller" in scope.get("state", {}) else None
        if place is None or place.keep():
            await self._app(scope, receive, send)
        else:
            await error_response(OverloadedError())(scope, receive, send)


class BodyGuard:
    """Stops reading a request body at a size, whether it was announced or not.

    ASGI middleware; made with the application.
    """

    def __init__(self, app: ASGIApp, limit_bytes: int) -> None:
        self._app = app
        self._limit = limit_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is announced as too large; count what is not announced."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = header_values(scope, b"content-length")
        if announced and announced[0].isdigit() and int(announced[0]) > self._limit:
            await error_response(BodyTooLargeError(self._limit))(scope, receive, send)
            return
        await self._app(scope, self._counted(receive), send)

    def _counted(self, receive: Receive) -> Receive:
        read = 0

        async def counted_receive() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._limit:
                raise BodyTooLargeError(self._limit)
            return message

        return counted_receive
