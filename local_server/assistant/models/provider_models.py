"""Makes pydantic-ai's models, one function for each provider, and asks them.

All of this is heavy (two seconds), so this module is imported in a thread when a model is first
used, and each function imports its provider's library only then. No library retries by itself
or looks for keys and addresses in the environment.
"""

from dataclasses import dataclass
from typing import Final

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from local_server.assistant.models.access import Door
from local_server.assistant.models.dialects import read_anthropic, read_google, read_openai
from local_server.assistant.models.events import ReadEvent
from local_server.assistant.models.model_id import ModelId
from local_server.assistant.models.prompt import ModelTurn, Prompt
from local_server.assistant.models.tap import TappedClient

# What stands for a key where the libraries insist on one; the client takes it out again.
_NO_KEY: Final = "none"
_ANTHROPIC_OPENING: Final = (
    b'event: message_start\ndata: {"type":"message_start","message":{"id":"-","type":"message",'
    b'"role":"assistant","content":[],"model":"-","stop_reason":null,"stop_sequence":null,'
    b'"usage":{"input_tokens":0,"output_tokens":0}}}\n\n'
)
_GOOGLE_OPENING: Final = b'data: {"candidates":[]}\n\n'


@dataclass(frozen=True)
class ProviderModel:
    """A model of pydantic-ai, and how its stream is tapped.

    Attributes:
        opening: The least that the layers above the tap accept as a stream.
        read_event: Reads an event of the stream itself.
    """

    model: Model
    opening: bytes
    read_event: ReadEvent


def make_provider_model(model_id: ModelId, door: Door, client: TappedClient) -> ProviderModel:
    """Make the model that an id names."""
    make = {"openai": _openai, "anthropic": _anthropic, "google": _google}[model_id.provider]
    return make(model_id.name, door, client)


def request_of(prompt: Prompt) -> tuple[list[ModelMessage], ModelSettings, ModelRequestParameters]:
    """Write a question in pydantic-ai's terms."""
    settings = ModelSettings()
    if prompt.max_tokens is not None:
        settings["max_tokens"] = prompt.max_tokens
    if prompt.choices:
        settings["temperature"] = 0
        settings["tool_choice"] = "required"
    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.input_schema,
            strict=False,
        )
        for tool in prompt.declared
    ]
    return _messages(prompt), settings, ModelRequestParameters(function_tools=tools)


def _messages(prompt: Prompt) -> list[ModelMessage]:
    told = prompt.instructions
    parts: list[ModelRequestPart] = [SystemPromptPart(told)] if told else []
    messages: list[ModelMessage] = []
    for turn in prompt.turns:
        if not isinstance(turn, ModelTurn):
            parts.append(UserPromptPart(turn.text))
            continue
        messages += [ModelRequest(parts), ModelResponse(_said(turn))]
        parts = [
            ToolReturnPart(call.name, call.result, tool_call_id=call.id) for call in turn.calls
        ]
    return [*messages, ModelRequest(parts)]


def _said(turn: ModelTurn) -> list[ModelResponsePart]:
    text = [TextPart(turn.text)] if turn.text else []
    return [
        *text,
        *(ToolCallPart(call.name, call.input, tool_call_id=call.id) for call in turn.calls),
    ]


def _openai(name: str, door: Door, client: TappedClient) -> ProviderModel:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - heavy
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415 - heavy
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415 - heavy

    from local_server.assistant.models.openai_client import OpenAIClient  # noqa: PLC0415 - heavy

    library = OpenAIClient(
        api_key=_key(door), base_url=door.address, http_client=client, max_retries=0
    )
    # Schemas go out as they were declared; servers that speak alike know the older name only.
    profile = OpenAIModelProfile(
        json_schema_transformer=None, openai_chat_supports_max_completion_tokens=door.is_home
    )
    model = OpenAIChatModel(name, provider=OpenAIProvider(openai_client=library), profile=profile)
    return ProviderModel(model, b"", read_openai)


def _anthropic(name: str, door: Door, client: TappedClient) -> ProviderModel:
    from anthropic import AsyncAnthropic  # noqa: PLC0415 - heavy
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415 - heavy
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415 - heavy

    library = AsyncAnthropic(
        api_key=_key(door), base_url=door.address, http_client=client, max_retries=0
    )
    profile = ModelProfile(json_schema_transformer=None)
    provider = AnthropicProvider(anthropic_client=library)
    model = AnthropicModel(name, provider=provider, profile=profile)
    return ProviderModel(model, _ANTHROPIC_OPENING, read_anthropic)


def _google(name: str, door: Door, client: TappedClient) -> ProviderModel:
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415 - heavy
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415 - heavy

    provider = GoogleProvider(api_key=_key(door), base_url=door.address, http_client=client)
    return ProviderModel(GoogleModel(name, provider=provider), _GOOGLE_OPENING, read_google)


def _key(door: Door) -> str:
    return door.key.get_secret_value() if door.key else _NO_KEY
