"""A session with a tool server: initialization, its tools and calls, by the MCP SDK's client.

`opened` initializes a session over a `Transport` and yields an `McpSession`. `result_content`
converts a tool's result to text and images; it follows no link and decodes no image. An `Allowance`
limits the rate of a server's messages: more are dropped or delayed.
"""

import base64
import math
import re
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import anyio
import httpx2
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    METHOD_NOT_FOUND,
    Implementation,
    JSONRPCMessage,
    JSONRPCResponse,
    ListRootsResult,
    LoggingMessageNotificationParams,
    Root,
    ToolListChangedNotification,
)
from pydantic import ValidationError

from local_tools.attached_file import AttachedContent, ContentImage
from local_tools.canonical import canonical_text, frozen_json
from local_tools.context import Progress, ProgressSink
from local_tools.errors import InvalidInputError, ToolError, named
from local_tools.execution.frames import IMAGES_LIMIT, IMAGES_LIMIT_BYTES
from local_tools.log_tail import LogTail
from local_tools.mcp.config import ServerConfig
from local_tools.mcp.connection_events import ConnectionEvents
from local_tools.mcp.oauth_tokens import SignInRequired
from local_tools.mcp.remote_tool import TITLE, TOOLS_LIMIT, RemoteTool
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_KIB: Final = 1000
# Base64 inside other text: JSON may escape slashes, and it may be broken into lines.
_RUN: Final = r"(?:[A-Za-z0-9+/_-]|\\/)"
_BREAK: Final = r"(?:\\[nr]|[\r\n]){1,4}"
_DATA: Final = rf"{_RUN}{{20,}}+(?:{_BREAK}{_RUN}{{20,}}+)*+(?:{_BREAK}{_RUN}*+=)?={{0,2}}"
# How PNG, GIF, JPEG, WebP and other RIFF, TIFF, SVG, AVIF and HEIC, and icons begin in it.
_PICTURE: Final = (
    r"(?:iVBORw0KGgo|R0lGOD[dl]h|(?:\\?/)9j(?:\\?/)|UklGR|SUkqA|TU0AK|PHN2Zy"
    r"|AAAA[\w+/][GWm2]Z0eX[A-D]|AAABAA)"
)
_PICTURES: Final = re.compile(
    rf"data:([\w.+/-]{{1,100}})(?:;[\w.=+-]{{1,60}}){{0,4}};base64,(?:{_DATA}|{_RUN}*+={{0,2}})"
    rf"|(?<![A-Za-z0-9+/]){_PICTURE}{_DATA}"
)
_SUFFIXES: Final = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/jpg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "image/bmp": ".bmp",
    "image/tiff": ".tiff",
}
_NO_TEXT: Final = "The tool gave back nothing."


def result_content(
    contents: Iterable[Any], structured: Mapping[str, Any] | None
) -> AttachedContent:
    """Convert a tool's result, in order; structured content is used only if there is no text.

    Images are returned beside the text, which names them as `[image: image-1.png]`, or only by
    their media type if they exceed the limits of number or size. Base64 images within a text are
    replaced by a name, since nobody can read them.

    Args:
        contents: The SDK's content blocks.
        structured: The structured content beside them, if any.
    """
    taken = _TakenImages()
    parts = [text for block in contents for text in _block(block, taken)]
    if structured is not None and not any(getattr(b, "type", "") == "text" for b in contents):
        parts.append(_json(structured))
    text = _PICTURES.sub(_named_picture, "\n".join(parts)) or _NO_TEXT
    return AttachedContent(text, tuple(taken.images))


class _TakenImages:
    """The images of one result, as they came. Made for it."""

    def __init__(self) -> None:
        self.images: list[ContentImage] = []
        self._left_bytes = IMAGES_LIMIT_BYTES

    def take(self, block: Any) -> str:
        """Take an image, and return how the text names it; empty where it is not taken."""
        kind = str(getattr(block, "mime_type", None) or "")
        suffix = _SUFFIXES.get(kind.lower())
        size = _decoded_bytes(block.data)
        if suffix is None or len(self.images) >= IMAGES_LIMIT or size > self._left_bytes:
            return ""
        try:
            data = base64.b64decode(block.data, validate=True)
        except ValueError:
            return ""
        self._left_bytes -= len(data)
        name = f"image-{len(self.images) + 1}{suffix}"
        self.images.append(ContentImage(name, kind, 0, 0, data))
        return f"[image: {name}]"


def _named_picture(found: re.Match[str]) -> str:
    data = found[0].rpartition(",")[2]
    return f"[{found[1] or 'image'}, {_size(_decoded_bytes(data))}]"


def _block(block: Any, taken: _TakenImages) -> Iterator[str]:
    kind = getattr(block, "type", "")
    if kind == "text":
        yield str(block.text)
    elif kind == "image" and (named_image := taken.take(block)):
        yield named_image
    elif kind in ("image", "audio"):
        yield f"[{kind}: {_kind_of(block)}, {_size(_decoded_bytes(block.data))}]"
    elif kind == "resource_link":
        yield f"[link: {block.uri}] {named(block.name)}"
    elif kind == "resource":
        yield from _resource(block.resource)
    else:
        yield f"[{named(str(kind)) or 'unknown'}: left out]"


def _resource(resource: Any) -> Iterator[str]:
    text = getattr(resource, "text", None)
    if text is not None:
        yield f"[resource: {resource.uri}]"
        yield str(text)
    else:
        size = _size(_decoded_bytes(getattr(resource, "blob", "")))
        yield f"[resource: {resource.uri}, {_kind_of(resource)}, {size}]"


def _kind_of(block: Any) -> str:
    return named(str(getattr(block, "mime_type", None) or "unknown kind"))


def _decoded_bytes(data: str) -> int:
    return len(data.rstrip("=")) * 3 // 4


def _size(size_bytes: int) -> str:
    return f"{size_bytes} bytes" if size_bytes < _KIB else f"{round(size_bytes / _KIB)} kB"


def _json(value: Mapping[str, Any]) -> str:
    try:
        return canonical_text(frozen_json(value))
    except InvalidInputError as exc:
        return f"[structured content that cannot be read: {exc}]"


# What a server, or the way to it, can do to those who speak with it.
FAULTS: Final = (
    *(ToolError, MCPError, ValidationError, OSError, RuntimeError, ExceptionGroup),
    *(httpx2.HTTPError, anyio.ClosedResourceError, anyio.BrokenResourceError),
)

_PAGES_LIMIT: Final = 20
_PROGRESS_CHARS: Final = 200
_US: Final = Implementation(name="Parley", version="1")


class Transport(Protocol):
    """A connection to a server: a `StdioTransport` or a `StreamableHttpTransport`."""

    def streams(self) -> Any:
        """Return an async context manager that yields the SDK's two streams."""


class McpSession:
    """A session with one server over one transport. Made by `opened`, ends with its context."""

    def __init__(self, client: Client, signs: ConnectionEvents) -> None:
        self._client = client
        self._signs = signs

    @property
    def version(self) -> str:
        """The server's own name and version."""
        info = self._client.server_info
        return f"{info.name} {info.version}" if info else ""

    async def tools(self) -> tuple[RemoteTool, ...]:
        """Return the tools that it offers, at most `TOOLS_LIMIT`.

        Raises:
            ToolError: It does not answer, or with something that cannot be parsed.
        """
        found: list[RemoteTool] = []
        cursor: str | None = None
        for _ in range(_PAGES_LIMIT):
            try:
                page = await self._client.list_tools(cursor=cursor, cache_mode="bypass")
            except (MCPError, ValidationError) as exc:
                raise ToolError("It does not say which tools it has.") from exc
            found += [_offered(item) for item in page.tools]
            cursor = page.next_cursor
            if not cursor or len(found) > TOOLS_LIMIT:
                break
        return tuple(found[:TOOLS_LIMIT])

    async def call(
        self, name: str, values: Mapping[str, Any], on_progress: ProgressSink
    ) -> AttachedContent:
        """Call a tool; cancelling the task sends the server a cancellation.

        Raises:
            ToolError: The tool failed, or the server did.
        """

        async def report(progress: float, total: float | None, message: str | None) -> None:
            if math.isfinite(progress) and (total is None or math.isfinite(total)):
                on_progress(Progress(progress, total, (message or "")[:_PROGRESS_CHARS]))

        try:
            result = await self._client.call_tool(name, dict(values), progress_callback=report)
        except MCPError as exc:
            if exc.error.code == CONNECTION_CLOSED:
                raise ToolError("The server ended meanwhile.") from exc
            # The server may have dropped the session, or be down behind a proxy that answers.
            self._signs.doubt()
            raise ToolError(f"The server says: {exc.error.message}") from exc
        except (anyio.ClosedResourceError, anyio.BrokenResourceError) as exc:
            raise ToolError("The server ended meanwhile.") from exc
        except (ValidationError, RuntimeError) as exc:
            raise ToolError("The server's answer could not be understood.") from exc
        content = result_content(result.content, result.structured_content)
        if result.is_error:
            raise ToolError(content.text)
        return content

    async def ping(self) -> None:
        """Ping the server; return when it answers, raise one of `FAULTS` if it does not.

        Raises:
            ToolError: The server has ended the session.
        """
        try:
            await self._client.session.send_ping()
        except MCPError as exc:
            # Servers of 2026 need not know pings, and one that answers so is there.
            if exc.error.code != METHOD_NOT_FOUND:
                raise ToolError(QT_TRANSLATE_NOOP("ToolServers", "It stopped responding.")) from exc


@asynccontextmanager
async def opened(
    config: ServerConfig, line: Transport, signs: ConnectionEvents, tail: LogTail
) -> AsyncIterator[McpSession]:
    """Open and initialize a session. Enter and leave it in the same task.

    The only client capability offered is its folder (roots): no sampling, no elicitation.
    """

    async def on_message(message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            signs.change()

    async def on_log(params: LoggingMessageNotificationParams) -> None:
        tail.add(f"{params.level}: {params.data}")

    async def roots(context: ClientRequestContext) -> ListRootsResult:
        del context
        folder = config.bounds.folder
        found = [Root(uri=Path(folder).as_uri(), name=Path(folder).name)] if folder else []
        return ListRootsResult(roots=found)

    client = Client(
        line.streams(),
        mode="legacy" if config.speaks_legacy else "auto",
        message_handler=on_message,
        logging_callback=on_log,
        list_roots_callback=roots,
        client_info=_US,
        cache=None,
    )
    async with client, anyio.create_task_group() as group:
        group.start_soon(_follow_changes, client, signs)
        yield McpSession(client, signs)
        group.cancel_scope.cancel()


async def _follow_changes(client: Client, signs: ConnectionEvents) -> None:
    """Hear of other tools from a server that only tells those who listen (2026 and later)."""
    with suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
        async with client.listen(tools_list_changed=True) as changes:
            async for _change in changes:
                signs.change()


def _offered(item: Any) -> RemoteTool:
    hints = (
        item.annotations.model_dump(by_alias=True, exclude_none=True) if item.annotations else {}
    )
    if item.title:
        hints[TITLE] = item.title
    return RemoteTool(item.name, item.description or "", item.input_schema, hints)


def kind_of(fault: BaseException) -> Literal["fault", "unreached", "signed_out"]:
    """Classify why a connection ended: sign-in needed, no answer, or a fault."""
    causes = tuple(_single(fault))
    if any(isinstance(cause, SignInRequired) for cause in causes):
        return "signed_out"
    is_away = any(isinstance(cause, httpx2.TransportError) for cause in causes)
    return "unreached" if is_away else "fault"


def _single(fault: BaseException) -> Iterator[BaseException]:
    if isinstance(fault, BaseExceptionGroup):
        for part in fault.exceptions:
            yield from _single(part)
    else:
        yield fault


def words_of(fault: BaseException) -> str:
    """Return in one sentence why a connection ended or could not be opened."""
    if isinstance(fault, ExceptionGroup):
        return words_of(fault.exceptions[0])
    if isinstance(fault, ToolError):
        return str(fault)
    if isinstance(fault, TimeoutError):
        return QT_TRANSLATE_NOOP("ToolServers", "It did not answer in time.")
    if isinstance(fault, MCPError):
        return f"It says: {named(fault.error.message)}"
    if isinstance(fault, httpx2.HTTPError):
        return f"It cannot be reached ({type(fault).__name__})."
    return f"What it says cannot be understood ({type(fault).__name__})."


NOTICES_PER_S: Final = 10
# A server that says more is read more slowly, until its own pipe is full.
LINES_PER_S: Final = 200
LINE_LIMIT_BYTES: Final = 4 * 1024 * 1024


class Allowance:
    """A rate limit of events per second. Lives as long as a connection."""

    def __init__(self, per_s: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_s
        self._clock = clock
        self._began_at = clock()
        self._used = 0
        self.dropped = 0

    def take(self) -> bool:
        """Count one event; return whether it is within the limit."""
        now = self._clock()
        if now - self._began_at >= 1.0:
            self._began_at, self._used = now, 0
        self._used += 1
        if self._used <= self._per_s:
            return True
        self.dropped += 1
        return False

    def wait_s(self) -> float:
        """Return the seconds until the next event is allowed."""
        return max(0.0, self._began_at + 1.0 - self._clock())


def drop_result_schemas(message: JSONRPCMessage) -> None:
    """Remove the output schemas from a response to `tools/list`.

    The SDK would otherwise validate results in this process, with regular expressions that an
    untrusted server wrote.
    """
    tools = message.result.get("tools") if isinstance(message, JSONRPCResponse) else None
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            tool.pop("outputSchema", None)
