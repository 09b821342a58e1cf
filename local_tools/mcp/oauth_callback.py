"""The loopback page to which the browser is redirected after a sign-in.

Does not import the MCP SDK, which takes a second to load.
"""

import asyncio
import html
import secrets
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self
from urllib.parse import parse_qs, urlsplit

from local_tools.errors import ToolError, named

_PATH: Final = "/callback"
_HEAD_LIMIT_BYTES: Final = 16 * 1024
_READ_LIMIT_S: Final = 5.0
_CONNECTIONS_LIMIT: Final = 16
_HEADERS: Final = (
    "Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\nConnection: close\r\n"
)


@dataclass(frozen=True, slots=True)
class PageWords:
    """The texts of the page, in the window's language."""

    done: str = "You are signed in. You can close this page and go back to Parley."
    refused: str = "You are not signed in. You can close this page and go back to Parley."
    strange: str = "This page does not belong to a current sign-in."


@dataclass(frozen=True, slots=True)
class CallbackAnswer:
    """The parameters of the redirect (RFC 6749, section 4.1.2; RFC 9207)."""

    code: str
    state: str
    issuer: str | None


class Callback:
    """An HTTP listener on loopback for the redirect; used as a context manager.

    A request without the expected `state` is rejected, and the sign-in goes on.
    """

    def __init__(self, words: PageWords | None = None) -> None:
        self._words = words or PageWords()
        self._state = ""
        self._port = 0
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._answer: asyncio.Future[CallbackAnswer] = asyncio.get_running_loop().create_future()

    @property
    def url(self) -> str:
        """The redirect URI."""
        return f"http://127.0.0.1:{self._port}{_PATH}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._on_connection, "127.0.0.1", 0, limit=_HEAD_LIMIT_BYTES
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
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        if not self._answer.cancel() and not self._answer.cancelled():
            # Retrieve the exception: nobody may be waiting for it.
            self._answer.exception()

    def expect(self, state: str) -> None:
        """Set the `state` that a redirect must carry."""
        self._state = state

    async def answer(self) -> CallbackAnswer:
        """Wait for the redirect; return its parameters.

        Raises:
            ToolError: The redirect reports an error.
        """
        return await self._answer

    async def _on_connection(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._connections) >= _CONNECTIONS_LIMIT:
            writer.close()
            return
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        try:
            async with asyncio.timeout(_READ_LIMIT_S):
                head = await reader.readuntil(b"\r\n\r\n")
                status, words, settle = self._judged(head.decode("ascii", "replace"))
                writer.write(_page(status, words))
                await writer.drain()
            # Only now, since the end of the sign-in ends this page, too.
            settle()
        except (EOFError, OSError, ValueError, TimeoutError, asyncio.LimitOverrunError):
            # This was no browser.
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
