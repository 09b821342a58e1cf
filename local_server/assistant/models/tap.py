"""An HTTP client that keeps a provider's stream for us, below the layers that cost.

pydantic-ai and the providers' own libraries write the request, send it and judge its refusal.
Of a stream that has begun they get one event of ours, which says nothing, and are left; the bytes
themselves are read here. Their own way costs thirty times as much for each event, and what they
hold for each stream is more than all of ours.
"""

from contextvars import ContextVar
from typing import Any, Final

import httpx2

from local_server.assistant.models.stream import stream_of
from local_server.loopback import ServerClient

_READ_REFUSAL_BYTES: Final = 64 * 1024
# What only the provider itself is to see, not a server that speaks alike.
_PRIVATE_HEADERS: Final = (
    "Authorization",
    "X-Api-Key",
    "X-Goog-Api-Key",
    "OpenAI-Organization",
    "OpenAI-Project",
)


# Followed, the conversation and the key would go to whom nobody chose.
_MOVED: Final = "requests have to be sent to another address"


class Tap:
    """Takes the stream of one request, to be closed here alone. Made for one question."""

    def __init__(self, opening: bytes) -> None:
        """Make one that tells the layers above `opening`, the least that they accept."""
        self.opening = opening
        self.stream: httpx2.AsyncByteStream | None = None


# The request is sent from the task that asks, so that this is how the client knows whose it is.
current_tap: ContextVar[Tap] = ContextVar("current_tap")


class TappedClient(ServerClient):
    """Sends the requests of the providers' libraries. One for each door; its maker closes it."""

    def __init__(self, *, shows_key: bool, **options: Any) -> None:
        super().__init__(**options)
        self._shows_key = shows_key

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request; its stream goes to the tap of the task that asks."""
        if not self._shows_key:
            # The libraries insist on a key, and look into the environment for more.
            for name in _PRIVATE_HEADERS:
                request.headers.pop(name, None)
        request.headers["Accept-Encoding"] = "identity"
        response = await super().send(request, **{**options, "stream": True})
        if response.is_redirect:
            await response.aclose()
            return httpx2.Response(400, json={"error": {"message": _MOVED}}, request=request)
        stream = stream_of(response)
        if response.status_code != httpx2.codes.OK:
            return await _refusal(request, response, stream)
        tap = current_tap.get()
        tap.stream = stream
        return httpx2.Response(
            response.status_code,
            headers={"Content-Type": "text/event-stream"},
            content=tap.opening,
            request=request,
        )


async def _refusal(
    request: httpx2.Request, response: httpx2.Response, stream: httpx2.AsyncByteStream
) -> httpx2.Response:
    body = b""
    try:
        async for chunk in stream:
            body += chunk
            if len(body) > _READ_REFUSAL_BYTES:
                break
    finally:
        await response.aclose()
    kept = [
        (name, value)
        for name, value in response.headers.multi_items()
        if name in {"content-type", "retry-after", "retry-after-ms"}
    ]
    return httpx2.Response(response.status_code, headers=kept, content=body, request=request)
