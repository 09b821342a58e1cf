"""Asks a model through pydantic-ai's model layer, and reads its stream below that."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager

from pydantic_ai.exceptions import AgentRunError, UserError

from local_server.assistant.models.access import Door
from local_server.assistant.models.answer import Answer
from local_server.assistant.models.events import EventReader
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.model_id import ModelId
from local_server.assistant.models.prompt import Prompt
from local_server.assistant.models.provider_models import make_provider_model, request_of
from local_server.assistant.models.sdk_failures import upstream_error
from local_server.assistant.models.stream import read_all
from local_server.assistant.models.tap import Tap, TappedClient, current_tap
from local_server.assistant.models.windows import find_window
from local_server.loopback import connection_options


class SdkUpstream:
    """One model of OpenAI, Anthropic or Google, or of a server that speaks like OpenAI's.

    Made once, for the life of the service, in any thread.
    """

    def __init__(self, model_id: ModelId, door: Door, window: int | None) -> None:
        """Make one; without `window`, the server or a table says how many tokens it takes."""
        self._model_id = model_id
        self._door = door
        self._window = window
        self._client = TappedClient(
            shows_key=door.key is not None, **connection_options(door.address)
        )
        self._made = make_provider_model(model_id, door, self._client)

    @property
    def label(self) -> str:
        """What the user knows the model by."""
        return str(self._model_id)

    async def window(self) -> int:
        """How many tokens question and answer may have together."""
        if self._window is None:
            self._window = await find_window(self._model_id, self._door)
        return self._window

    async def ask(self, prompt: Prompt, answer: Answer) -> AsyncGenerator[str]:
        """Ask once, and pass on the text as it comes, joined for each read of the network.

        Raises:
            UpstreamError: When the model cannot answer, or breaks off.
        """
        reader = EventReader(self._made.read_event, answer)
        async with self._stream(prompt) as stream, aclosing(read_all(stream, reader)) as texts:
            async for text in texts:
                yield text

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._client.aclose()

    def _explained(self, failure: UpstreamError) -> UpstreamError:
        """Name what is mostly left out of the address of a server that speaks like OpenAI's."""
        speaks_openai = self._model_id.provider == "openai"
        if failure.kind == "unknown_model" and speaks_openai and self._door.lacks_path:
            return UpstreamError("unknown_path", failure.detail)
        return failure

    @asynccontextmanager
    async def _stream(self, prompt: Prompt) -> AsyncIterator[AsyncIterator[bytes]]:
        tap = Tap(self._made.opening)
        token = current_tap.set(tap)
        messages, settings, parameters = request_of(prompt)
        async with AsyncExitStack() as opened:
            try:
                await opened.enter_async_context(
                    self._made.model.request_stream(messages, settings, parameters)
                )
            except (AgentRunError, UserError) as exc:
                raise self._explained(upstream_error(exc)) from exc
            finally:
                current_tap.reset(token)
            if tap.stream is None:
                raise UpstreamError("filtered")
            # Not every library closes what it was given.
            opened.push_async_callback(tap.stream.aclose)
            yield aiter(tap.stream)
