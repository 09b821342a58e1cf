"""Ask models of OpenAI, Anthropic, Google and OpenRouter through pydantic-ai.

`PydanticAiModel` asks; `stream_error` and `upstream_error` translate what pydantic-ai reports into
our own failures.

pydantic-ai and the providers' libraries write the request and read the stream. Importing them takes
one to two seconds, so this module is imported in a thread when such a model is first used, and each
function imports its provider's library only then. No library may retry by itself or look for keys
and addresses in the environment.
"""

import asyncio
import json
import logging
import warnings
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final, cast

import httpx2
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UserError,
)
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import CacheConfig, ModelSettings, ThinkingLevel
from pydantic_ai.tools import ToolDefinition

from local_server.assistant.models.answer import Answer, ContextWindow, Ending, Texts, clean
from local_server.assistant.models.context_windows import known_window, listed_cost_usd
from local_server.assistant.models.failures import (
    FailureKind,
    UpstreamError,
    counted_tokens,
    kind_of_words,
)
from local_server.assistant.models.prompt_builder import AnsweredCall, ModelTurn, Prompt
from local_server.assistant.models.providers import Endpoint, ModelId, Provider
from local_server.assistant.reply import TokenUsage
from local_server.loopback import new_client
from local_server.store.records import MessageImage, Origin, ThinkingLength

# The first match counts, so subclasses come before their bases.
_KINDS: Final[tuple[tuple[type[AgentRunError], FailureKind], ...]] = (
    (ModelRateLimitError, "rate_limited"),
    (ModelQuotaExceededError, "credit"),
    (ModelUnavailableError, "overloaded"),
    (ModelTimeoutError, "slow"),
    (ModelContextWindowExceededError, "too_long"),
    (ModelAuthenticationError, "key"),
    (ModelNotFoundError, "unknown_model"),
    (ContentFilterError, "filtered"),
)


# Google's words for a call that its models did not write as it is declared.
_BAD_CALLS: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"})

log = logging.getLogger(__name__)

# pydantic-ai would leave a temperature out without a word to the user.
warnings.filterwarnings("error", "Sampling parameters", UserWarning)

# A placeholder, since the libraries insist on a key; `_withhold_keys` removes it from requests.
_NO_KEY: Final = "none"
# The headers in which the libraries send keys, even keys that they took from the environment.
_KEY_HEADERS: Final = ("Authorization", "X-Api-Key", "X-Goog-Api-Key")
_THINKING: Final[Mapping[ThinkingLength, ThinkingLevel]] = {
    "off": False,
    "short": "low",
    "long": "high",
}
_SUMMARY: Final = "openai_reasoning_summary"
_ENDINGS: Final[Mapping[str, Ending]] = {
    "stop": "stop",
    "length": "length",
    "tool_call": "calls",
    "content_filter": "filter",
}


def stream_error(response: ModelResponse) -> UpstreamError | None:
    """Find what is wrong with an answer whose stream ended; None where nothing is."""
    details = response.provider_details or {}
    reason = details.get("finish_reason")
    if response.finish_reason == "content_filter":
        return UpstreamError("filtered", str(details.get("refusal", "")))
    if reason in _BAD_CALLS:
        return UpstreamError("bad_call")
    if response.finish_reason == "error":
        return UpstreamError("refused", str(reason or ""))
    # If an OpenRouter stream breaks off, pydantic-ai reports "stop" but no finish reason.
    if response.state != "complete" or reason is None:
        return UpstreamError("broken_off")
    return None


def upstream_error(exc: AgentRunError | UserError) -> UpstreamError:
    """Translate what stopped a request, or broke its stream off."""
    detail = _detail(exc)
    wait_s = exc.retry_after if isinstance(exc, ModelAPIError) else None
    body = getattr(exc, "body", None)
    counted = counted_tokens(detail)
    words = json.dumps(body, default=str)
    # OpenRouter answers 404 where a model lacks tools or images, as for a model it does not know.
    without = kind_of_words(words, "refused")
    if isinstance(exc, ModelNotFoundError) and without in {"no_tools", "no_images"}:
        return UpstreamError(without, detail)
    for kind_of_error, kind in _KINDS:
        if isinstance(exc, kind_of_error):
            return UpstreamError(kind, detail, wait_s, counted)
    if isinstance(exc, ModelConnectionError):
        is_sent = exc.phase in {"read", "write"}
        return UpstreamError("broken_off" if is_sent else "unreachable")
    if isinstance(exc, ModelRequestRejectedError | ModelServerError):
        # Servers on this computer refuse with a 500, too.
        otherwise: FailureKind = "overloaded" if isinstance(exc, ModelServerError) else "refused"
        kind = kind_of_words(words, otherwise)
        return UpstreamError(kind, detail, wait_s, counted)
    return UpstreamError("refused" if isinstance(exc, ModelAPIError) else "unreadable", detail)


def _detail(exc: AgentRunError | UserError) -> str:
    """Find the provider's own sentence."""
    body: object = getattr(exc, "body", None)
    for _ in range(2):
        if isinstance(body, dict):
            body = body.get("message") or body.get("error") or body.get("detail")
    return body if isinstance(body, str) else ""


class PydanticAiModel:
    """One model of a provider. Made once, for the life of the service, in any thread."""

    def __init__(self, model_id: ModelId, endpoint: Endpoint, window: int | None) -> None:
        """Make one; without `window`, a table says how many tokens it takes."""
        self._model_id = model_id
        self._endpoint = endpoint
        self._window = None if window is None else ContextWindow(window)
        self._takes_summaries = True
        self._sees_images = True
        self._client = new_client(endpoint.address)
        if endpoint.key is None:
            self._client.event_hooks = {"request": [_withhold_keys]}
        make = _MAKERS[model_id.provider]
        self._model = make(model_id.name, endpoint.address, _key(endpoint), self._client)

    @property
    def id(self) -> str:
        """The id by which it is chosen."""
        return str(self._model_id)

    @property
    def label(self) -> str:
        """The name under which the user knows it."""
        return self._model_id.display_name

    async def window(self) -> ContextWindow:
        """Return how many tokens question and answer may have together."""
        if self._window is None:
            self._window = await asyncio.to_thread(known_window, self._model_id)
        return self._window

    async def can_choose(self) -> bool:
        """Return true: these models can choose the agent."""
        return True

    async def sees_images(self) -> bool:
        """Return whether it can be shown images: until it refused one."""
        return self._sees_images

    async def cost_usd(self, tokens: TokenUsage) -> float | None:
        """Return what an answer costs; None where nobody knows the price."""
        return await listed_cost_usd(self._model_id, self._endpoint, tokens)

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once; the text, to be closed by the caller, raises what keeps it from beginning."""
        return self._texts(prompt, answer)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _texts(self, prompt: Prompt, answer: Answer) -> AsyncGenerator[str]:
        """Ask for what the model thinks too, and once more without where that is refused."""
        settings = self._settings(prompt)
        try:
            async with aclosing(self._asked(prompt, answer, settings)) as texts:
                async for text in texts:
                    yield text
        except UpstreamError as failure:
            if _SUMMARY not in settings or "summar" not in failure.detail.lower():
                raise
            self._takes_summaries = False
        else:
            return
        async with aclosing(self._asked(prompt, answer, self._settings(prompt))) as texts:
            async for text in texts:
                yield text

    def _settings(self, prompt: Prompt) -> ModelSettings:
        settings = _settings(prompt)
        is_openai = self._model_id.provider == "openai"
        if is_openai and self._takes_summaries and prompt.settings.thinking in {"short", "long"}:
            # OpenAI tells what its models think in summaries, and only to accounts it knows.
            return cast("ModelSettings", {**settings, _SUMMARY: "auto"})
        return settings

    async def _asked(
        self, prompt: Prompt, answer: Answer, settings: ModelSettings
    ) -> AsyncGenerator[str]:
        asked = model_request_stream(
            self._model,
            _messages(prompt, str(self._model_id)),
            model_settings=settings,
            model_request_parameters=_parameters(prompt),
        )
        try:
            async with asked as stream:
                async for event in stream:
                    answer.add_thought(_thought_of(event))
                    yield clean(_text_of(event))
                self._finish(stream.get(), answer)
        except (AgentRunError, UserError) as exc:
            failure = upstream_error(exc)
            self._sees_images = self._sees_images and failure.kind != "no_images"
            raise failure from exc
        except httpx2.HTTPError as exc:
            raise UpstreamError("broken_off") from exc
        except UserWarning as exc:
            raise UpstreamError("refused", "temperature") from exc
        except (AttributeError, KeyError, TypeError, ValueError) as exc:
            # The libraries trip over what gateways write otherwise than their providers.
            log.info("%s cannot be read", self._model_id, exc_info=exc)
            raise UpstreamError("unreadable") from exc

    def _finish(self, response: ModelResponse, answer: Answer) -> None:
        """Read what came beside the text.

        Raises:
            UpstreamError: When the answer is not whole.
        """
        failure = stream_error(response)
        if failure is not None:
            raise failure
        used = response.usage
        if used.has_values():
            answer.tokens = TokenUsage(
                used.input_tokens,
                used.output_tokens,
                used.cache_read_tokens,
                used.cache_write_tokens,
            )
        # OpenRouter alone says it.
        cost = (response.provider_details or {}).get("cost")
        answer.cost_usd = float(cost) if isinstance(cost, int | float) else None
        answer.ending = _ENDINGS.get(response.finish_reason or "", "stop")
        for place, call in enumerate(response.tool_calls):
            answer.add_call(place, call.tool_call_id, call.tool_name, call.args_as_json_str())
        if any(map(_is_signed, response.parts)):
            content = ModelMessagesTypeAdapter.dump_json([response]).decode()
            answer.origin = Origin(str(self._model_id), content)


def _text_of(event: ModelResponseStreamEvent) -> str:
    """Read the text of an event; thoughts and calls have none."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _thought_of(event: ModelResponseStreamEvent) -> str | None:
    """Read what a model thinks from an event."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, ThinkingPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, ThinkingPartDelta):
        return event.delta.content_delta
    return None


def _settings(prompt: Prompt) -> ModelSettings:
    settings = ModelSettings(cache=True)
    chosen = prompt.settings
    if chosen.max_output_tokens is not None:
        settings["max_tokens"] = chosen.max_output_tokens
    if chosen.temperature is not None:
        settings["temperature"] = chosen.temperature
    if chosen.thinking is not None:
        settings["thinking"] = _THINKING[chosen.thinking]
    if prompt.choices:
        settings |= ModelSettings(
            tool_choice="required", thinking=False, cache=CacheConfig(messages=False)
        )
    return settings


def _parameters(prompt: Prompt) -> ModelRequestParameters:
    """Declare the tools; who asked for the reply runs them, never pydantic-ai."""
    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.input_schema,
            strict=False,
            kind="external",
        )
        for tool in prompt.declared
    ]
    return ModelRequestParameters(function_tools=tools)


def _messages(prompt: Prompt, model: str) -> list[ModelMessage]:
    instructions = prompt.instructions
    parts: list[ModelRequestPart] = [SystemPromptPart(instructions)] if instructions else []
    messages: list[ModelMessage] = []
    for turn in prompt.turns:
        if not isinstance(turn, ModelTurn):
            shown = map(_shown, turn.images)
            parts.append(UserPromptPart([turn.text, *shown] if turn.images else turn.text))
            continue
        messages += [ModelRequest(parts), _response(turn, model)]
        parts = [
            ToolReturnPart(
                call.name,
                [call.result, *map(_shown, call.images)] if call.images else call.result,
                tool_call_id=call.id,
            )
            for call in turn.calls
        ]
    return [*messages, ModelRequest(parts)]


def _shown(image: MessageImage) -> BinaryContent:
    return BinaryContent(image.data, media_type=image.media_type)


def _response(turn: ModelTurn, model: str) -> ModelResponse:
    """Write an answer again, as its provider wrote it if this is the same model."""
    if turn.origin is not None and turn.origin.model == model:
        written = _as_written(turn.origin, turn.calls)
        if written is not None:
            return written
    text = [TextPart(turn.text)] if turn.text else []
    calls = [ToolCallPart(call.name, call.input, tool_call_id=call.id) for call in turn.calls]
    return ModelResponse([*text, *calls])


def _as_written(origin: Origin, calls: Sequence[AnsweredCall]) -> ModelResponse | None:
    """Read an answer, its calls under the ids that they have here.

    Calls that were met without a result are left out. None where others do not stand in it.
    """
    [message] = ModelMessagesTypeAdapter.validate_json(origin.content)
    if not isinstance(message, ModelResponse):
        return None
    left = list(calls)
    parts: list[ModelResponsePart] = []
    for part in message.parts:
        if not isinstance(part, ToolCallPart):
            parts.append(part)
        elif left and (part.tool_name, part.args_as_dict()) == (left[0].name, left[0].input):
            parts.append(replace(part, tool_call_id=left.pop(0).id))
    return None if left else replace(message, parts=parts)


def _is_signed(part: ModelResponsePart) -> bool:
    """Return whether the provider wants to see a part again as it is: thoughts, and their marks."""
    if isinstance(part, ThinkingPart):
        return True
    return isinstance(part, TextPart | ToolCallPart) and bool(part.provider_details)


def _openai(name: str, address: str, key: str, client: httpx2.AsyncClient) -> Model:
    from openai import AsyncOpenAI  # noqa: PLC0415 - heavy
    from pydantic_ai.models.openai import (  # noqa: PLC0415 - heavy
        OpenAIResponsesModel,
        OpenAIResponsesModelSettings,
    )
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415 - heavy

    library = AsyncOpenAI(api_key=key, base_url=address, http_client=client, max_retries=0)
    # OpenAI would otherwise keep each answer for a month.
    settings = OpenAIResponsesModelSettings(openai_store=False)
    provider = OpenAIProvider(openai_client=library)
    return OpenAIResponsesModel(name, provider=provider, settings=settings)


def _openrouter(name: str, address: str, key: str, client: httpx2.AsyncClient) -> Model:
    from openai import AsyncOpenAI  # noqa: PLC0415 - heavy
    from pydantic_ai.models.openrouter import OpenRouterModel  # noqa: PLC0415 - heavy
    from pydantic_ai.providers.openrouter import OpenRouterProvider  # noqa: PLC0415 - heavy

    library = AsyncOpenAI(api_key=key, base_url=address, http_client=client, max_retries=0)
    return OpenRouterModel(name, provider=OpenRouterProvider(openai_client=library))


def _anthropic(name: str, address: str, key: str, client: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic  # noqa: PLC0415 - heavy
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415 - heavy
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415 - heavy

    library = AsyncAnthropic(api_key=key, base_url=address, http_client=client, max_retries=0)
    return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=library))


def _google(name: str, address: str, key: str, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415 - heavy
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415 - heavy

    provider = GoogleProvider(api_key=key, base_url=address, http_client=client)
    return GoogleModel(name, provider=provider)


_MAKERS: Final[Mapping[Provider, Callable[[str, str, str, httpx2.AsyncClient], Model]]] = {
    "openai": _openai,
    "openrouter": _openrouter,
    "anthropic": _anthropic,
    "google": _google,
}


def _key(endpoint: Endpoint) -> str:
    return endpoint.key.get_secret_value() if endpoint.key else _NO_KEY


async def _withhold_keys(request: httpx2.Request) -> None:
    """Remove the keys from a request to a server that was given none."""
    for name in _KEY_HEADERS:
        request.headers.pop(name, None)
