"""Asks a model through pydantic-ai's model layer, and reads its stream below that."""

import httpx2
from pydantic_ai.exceptions import AgentRunError, UserError

from local_server.assistant.models.access import Door
from local_server.assistant.models.answer import Answer, Texts
from local_server.assistant.models.events import EventReader
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.model_id import ModelId
from local_server.assistant.models.prompt import Prompt
from local_server.assistant.models.provider_models import make_provider_model, request_of
from local_server.assistant.models.sdk_failures import upstream_error
from local_server.assistant.models.stream import BodyTexts
from local_server.assistant.models.tap import Tap, TappedClient, current_tap
from local_server.assistant.models.windows import CAREFUL, find_window
from local_server.loopback import connection_options


class SdkUpstream:
    """One model of OpenAI, Anthropic or Google, or of a server that speaks like OpenAI's.

    Made once, for the life of the service, in any thread.
    """

    def __init__(self, model_id: ModelId, door: Door, window: int | None) -> None:
        """Make one; without `window`, the server or a table says how many tokens it takes."""
        self._model_id = model_id
        self._door = door
        self._chosen_window = window
        self._known_window: int | None = None
        self._client = TappedClient(
            shows_key=door.key is not None, **connection_options(door.address)
        )
        self._made = make_provider_model(model_id, door, self._client)

    @property
    def label(self) -> str:
        """What the user knows the model by."""
        return self._model_id.display_name

    async def window(self) -> int:
        """How many tokens question and answer may have together.

        A server that could not be reached is asked again: it may have another model since.
        """
        if self._chosen_window is not None:
            return self._chosen_window
        if self._known_window is None:
            self._known_window = await find_window(self._model_id, self._door)
        return self._known_window or CAREFUL

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once, and wait until the answer begins.

        Raises:
            UpstreamError: When the model cannot answer.
        """
        stream = await self._stream(prompt)
        # Who answers without having said it will not say it.
        self._known_window = self._known_window or CAREFUL
        return BodyTexts(stream, EventReader(self._made.read_event, answer))

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._client.aclose()

    def _explained(self, failure: UpstreamError) -> UpstreamError:
        """Name what is mostly left out of the address of a server that speaks like OpenAI's."""
        speaks_openai = self._model_id.provider == "openai"
        if failure.kind == "unknown_model" and speaks_openai and self._door.lacks_path:
            return UpstreamError("unknown_path", failure.detail)
        return failure

    async def _stream(self, prompt: Prompt) -> httpx2.AsyncByteStream:
        tap = Tap(self._made.opening)
        try:
            await self._send(prompt, tap)
        except BaseException:
            if tap.stream is not None:
                await tap.stream.aclose()
            raise
        if tap.stream is None:
            raise UpstreamError("filtered")
        return tap.stream

    async def _send(self, prompt: Prompt, tap: Tap) -> None:
        """Ask, and leave the layers above the tap at once: open, they hold much."""
        token = current_tap.set(tap)
        try:
            async with self._made.model.request_stream(*request_of(prompt)):
                pass
        except (AgentRunError, UserError) as exc:
            failure = self._explained(upstream_error(exc))
            if failure.kind == "unreachable":
                self._known_window = None
            raise failure from exc
        finally:
            current_tap.reset(token)
