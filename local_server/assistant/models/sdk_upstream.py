"""Asks a model through pydantic-ai's model layer, and reads its stream below that."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import httpx2
from pydantic_ai.exceptions import AgentRunError, UserError

from local_server.assistant.models.access import Door, is_loopback
from local_server.assistant.models.answer import Answer
from local_server.assistant.models.events import EventReader
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.model_id import ModelId
from local_server.assistant.models.prompt import Prompt
from local_server.assistant.models.provider_models import make_provider_model, request_of
from local_server.assistant.models.sdk_failures import upstream_error
from local_server.assistant.models.tap import Tap, TappedClient, current_tap

_CONNECT_S: Final = 10
_SILENCE_S: Final = 120
# A server on this computer may have to load the model before its first word.
_LOADING_S: Final = 300
# How long the end of a stream may take once all was said; read, its connection serves again.
_TAIL_S: Final = 0.2


class SdkUpstream:
    """One model of OpenAI, Anthropic or Google, or of a server that speaks like OpenAI's.

    Made once, for the life of the service, in any thread.
    """

    def __init__(self, model_id: ModelId, door: Door, window: int) -> None:
        """Make one whose question and answer may have `window` tokens together."""
        self._model_id = model_id
        self._window = window
        self._client = _client(door)
        self._made = make_provider_model(model_id, door, self._client)

    @property
    def label(self) -> str:
        """What the user knows the model by."""
        return str(self._model_id)

    async def window(self) -> int:
        """How many tokens question and answer may have together."""
        return self._window

    async def ask(self, prompt: Prompt, answer: Answer) -> AsyncGenerator[str]:
        """Ask once, and pass on the text as it comes, joined for each read of the network.

        Raises:
            UpstreamError: When the model cannot answer, or breaks off.
        """
        reader = EventReader(self._made.read_event, answer)
        try:
            async with self._stream(prompt) as stream:
                async for chunk in stream:
                    yield reader.feed(chunk)
                    if answer.is_over:
                        break
                await _read_tail(stream)
            yield reader.finish()
        except httpx2.TimeoutException as exc:
            raise UpstreamError("slow") from exc
        except httpx2.HTTPError as exc:
            raise UpstreamError("broken_off") from exc

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._client.aclose()

    @asynccontextmanager
    async def _stream(self, prompt: Prompt) -> AsyncIterator[AsyncIterator[bytes]]:
        tap = Tap(self._made.opening)
        token = current_tap.set(tap)
        messages, settings, parameters = request_of(prompt)
        async with contextlib.AsyncExitStack() as opened:
            try:
                await opened.enter_async_context(
                    self._made.model.request_stream(messages, settings, parameters)
                )
            except (AgentRunError, UserError) as exc:
                raise upstream_error(exc) from exc
            finally:
                current_tap.reset(token)
            if tap.stream is None:
                raise UpstreamError("filtered")
            yield aiter(tap.stream)


async def _read_tail(stream: AsyncIterator[bytes]) -> None:
    with contextlib.suppress(TimeoutError, httpx2.HTTPError):
        async with asyncio.timeout(_TAIL_S):
            async for _ in stream:
                pass


def _client(door: Door) -> TappedClient:
    """Make the client for a door; on this computer without proxies and certificates."""
    is_here = is_loopback(door.address)
    timeout = httpx2.Timeout(_SILENCE_S, connect=_CONNECT_S)
    if not is_here:
        return TappedClient(shows_key=door.key is not None, timeout=timeout)
    timeout = httpx2.Timeout(_LOADING_S, connect=_CONNECT_S)
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return TappedClient(
        shows_key=door.key is not None, timeout=timeout, trust_env=False, verify=verify
    )
