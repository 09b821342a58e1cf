"""Ask a model by OpenAI's chat completions, which most servers and gateways speak."""

import json
from base64 import b64encode
from typing import Final

import httpx2

from local_server.assistant.models.answer import Answer, ContextWindow, Ending, Texts
from local_server.assistant.models.context_windows import (
    CAREFUL,
    find_window,
    listed_cost_usd,
    runs_here,
)
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt_builder import (
    AnsweredCall,
    ModelTurn,
    Prompt,
    Turn,
    UserTurn,
    with_images_of_results_apart,
)
from local_server.assistant.models.providers import Endpoint, ModelId
from local_server.assistant.models.stream_reader import (
    BodyTexts,
    EventReader,
    Json,
    arguments_of,
    open_stream,
    raise_reported,
    text_of,
    thought_of,
    token_usage,
)
from local_server.assistant.reply import TokenUsage
from local_server.loopback import new_client
from local_server.store.records import ReplySettings, StoredTool, ThinkingLength

_ENDINGS: Final[dict[str, Ending]] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "calls",
    "function_call": "calls",
    "content_filter": "filter",
}
_EFFORTS: Final[dict[ThinkingLength, str]] = {"off": "none", "short": "low", "long": "high"}
_SHORT_THINKING_TOKENS: Final = 1024


class OpenAiModel:
    """One model of a server that speaks OpenAI's chat completions.

    Made once, for the life of the service, in any thread.
    """

    def __init__(self, model_id: ModelId, endpoint: Endpoint, window: int | None) -> None:
        """Make one; without `window`, the server or a table says how many tokens it takes."""
        self._model_id = model_id
        self._endpoint = endpoint
        self._chosen_window = None if window is None else ContextWindow(window)
        self._known_window: ContextWindow | None = None
        self._runs_here: bool | None = None
        self._takes_tools = True
        self._sees_images = True
        # Parsed once, not for each question.
        self._url = httpx2.URL(f"{endpoint.address}/chat/completions")
        self._client = new_client(endpoint.address, endpoint.socket_path)
        if endpoint.key is not None:
            self._client.headers["Authorization"] = f"Bearer {endpoint.key.get_secret_value()}"

    @property
    def id(self) -> str:
        """The id by which it is chosen."""
        return str(self._model_id)

    @property
    def label(self) -> str:
        """The name under which the user knows it."""
        return self._model_id.display_name

    async def window(self) -> ContextWindow:
        """Return how many tokens question and answer may have together.

        A server that could not be reached is asked again: it may have another model since.
        """
        if self._chosen_window is not None:
            return self._chosen_window
        if self._known_window is None:
            self._known_window = await find_window(self._model_id, self._endpoint)
        return self._known_window or CAREFUL

    async def can_choose(self) -> bool:
        """Return whether it can choose the agent; not once it has refused tools."""
        return self._takes_tools

    async def sees_images(self) -> bool:
        """Return whether it can be shown images: until it refused one."""
        return self._sees_images

    async def cost_usd(self, tokens: TokenUsage) -> float | None:
        """Return what an answer costs; None where nobody knows the price."""
        if self._runs_here is None:
            self._runs_here = await runs_here(self._model_id, self._endpoint)
        here = self._runs_here
        return await listed_cost_usd(self._model_id, self._endpoint, tokens, runs_here=here)

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once, and wait until the answer begins.

        Raises:
            UpstreamError: When the model cannot answer.
        """
        body = request_body(self._model_id, prompt)
        request = self._client.build_request("POST", self._url, json=body)
        try:
            response = await open_stream(self._client, request)
        except UpstreamError as failure:
            if failure.kind == "unreachable":
                self._known_window = None
            self._takes_tools = self._takes_tools and failure.kind != "no_tools"
            self._sees_images = self._sees_images and failure.kind != "no_images"
            raise self._explained(failure) from failure
        # The server answers but does not tell its window: assume a small one.
        self._known_window = self._known_window or CAREFUL
        return BodyTexts(response, EventReader(read_openai, answer))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def _explained(self, failure: UpstreamError) -> UpstreamError:
        """Explain an unknown model by the address, where that lacks its path (such as `/v1`)."""
        if failure.kind == "unknown_model" and self._endpoint.lacks_path:
            return UpstreamError("unknown_path", failure.detail)
        return failure


def request_body(model_id: ModelId, prompt: Prompt) -> Json:
    """Write a question."""
    instructions = prompt.instructions
    messages: list[Json] = [{"role": "system", "content": instructions}] if instructions else []
    for turn in with_images_of_results_apart(prompt.turns):
        messages += _messages(turn)
    body: Json = {"model": model_id.name, "messages": messages, "stream": True}
    # Mistral says unasked how much was used, and refuses fields that it does not know.
    if model_id.provider != "mistral":
        body["stream_options"] = {"include_usage": True}
    if prompt.declared:
        body["tools"] = [declaration(tool) for tool in prompt.declared]
    body |= _settings(model_id, prompt.settings)
    if prompt.choices:
        body |= {"temperature": 0, "tool_choice": "required"}
    return body


def _settings(model_id: ModelId, settings: ReplySettings) -> Json:
    written: Json = {}
    if settings.max_output_tokens is not None:
        # Azure serves OpenAI's own models, which know the newer name alone.
        name = "max_completion_tokens" if model_id.provider == "azure" else "max_tokens"
        written[name] = settings.max_output_tokens
    if settings.temperature is not None:
        written["temperature"] = settings.temperature
    if settings.thinking is not None:
        written |= _thinking(model_id, settings.thinking)
    return written


def _thinking(model_id: ModelId, length: ThinkingLength) -> Json:
    """Ask for short or long thinking, or none, as the server is known to take it."""
    if model_id.provider == "deepseek":
        return {"thinking": {"type": "disabled" if length == "off" else "enabled"}}
    if model_id.provider != "openai":
        return {"reasoning_effort": _EFFORTS[length]}
    # llama.cpp and vLLM tell the template; the one also bounds it, other servers pass over that.
    written: Json = {"chat_template_kwargs": {"enable_thinking": length != "off"}}
    if length != "off":
        written["reasoning_effort"] = _EFFORTS[length]
    if length == "short":
        written["thinking_budget_tokens"] = _SHORT_THINKING_TOKENS
    return written


def _messages(turn: Turn) -> list[Json]:
    if not isinstance(turn, ModelTurn):
        return [{"role": "user", "content": _content(turn)}]
    message: Json = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        message["tool_calls"] = [_call(call) for call in turn.calls]
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": call.result} for call in turn.calls
    ]
    return [message, *results]


def _content(turn: UserTurn) -> str | list[Json]:
    if not turn.images:
        return turn.text
    parts: list[Json] = [{"type": "text", "text": turn.text}]
    for image in turn.images:
        url = f"data:{image.media_type};base64,{b64encode(image.data).decode()}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


def _call(call: AnsweredCall) -> Json:
    given = json.dumps(call.input, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": given}}


def declaration(tool: StoredTool) -> Json:
    """Declare a tool, as Ollama takes it, too."""
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.input_schema,
    }
    return {"type": "function", "function": function}


def read_openai(event: Json, answer: Answer) -> str:
    """Read a chunk of a chat completion, as OpenAI and those that speak alike send it."""
    usage = event.get("usage")
    if usage:
        details = usage.get("prompt_tokens_details") or {}
        # DeepSeek has a field of its own.
        cached = details.get("cached_tokens") or usage.get("prompt_cache_hit_tokens")
        answer.tokens = token_usage(
            usage.get("prompt_tokens"), usage.get("completion_tokens"), cached
        )
    choices = event.get("choices")
    if not choices:
        return ""
    choice = choices[0]
    finish = choice.get("finish_reason")
    if finish:
        if finish == "error":
            raise_reported({"error": choice.get("error") or "server_error"})
        answer.ending = _ENDINGS.get(finish, "stop")
    delta = choice.get("delta") or choice.get("message")
    if not delta:
        return ""
    calls = delta.get("tool_calls")
    if calls:
        for place, call in enumerate(calls):
            function = call.get("function") or {}
            answer.add_call(
                place if call.get("index") is None else call["index"],
                call.get("id") or "",
                function.get("name") or "",
                arguments_of(function.get("arguments")),
            )
    content = delta.get("content")
    # DeepSeek, llama.cpp and vLLM say it in the one, Groq and gateways in the other, some in both.
    answer.add_thought(
        delta.get("reasoning_content") or delta.get("reasoning") or thought_of(content)
    )
    return text_of(content) or text_of(delta.get("refusal"))
