"""Ask a model of Ollama, through Ollama's own API: only there can the window be set."""

import re
from base64 import b64encode
from typing import Any, Final

from local_server.assistant.models.answer import Answer, ContextWindow, Texts
from local_server.assistant.models.context_windows import is_window, listed_cost_usd, runs_here
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.openai_model import declaration
from local_server.assistant.models.prompt_builder import (
    ModelTurn,
    Prompt,
    Turn,
    with_images_of_results_apart,
)
from local_server.assistant.models.providers import Endpoint, ModelId
from local_server.assistant.models.stream_reader import (
    BodyTexts,
    EventReader,
    Json,
    arguments_of,
    open_stream,
    text_of,
    token_usage,
)
from local_server.assistant.reply import TokenUsage
from local_server.loopback import ask_for_object, new_client
from local_server.store.records import ThinkingLength

# A larger window may need more memory than there is, so it is used only if somebody chose it.
_LARGEST_UNASKED: Final = 16_384
_CAREFUL: Final = ContextWindow(4096, is_assumed=True)
_SHOW_TIMEOUT_S: Final = 5
_NO_TOOLS: Final = "does not support tools"
_HAS_LENGTHS: Final = re.compile(r"(^|/)gpt-oss\b")
_NUM_CTX: Final = re.compile(r"^num_ctx\s+(\d{1,9})\s*$", re.MULTILINE)


class OllamaModel:
    """One model of one Ollama. Made once, for the life of the service, in any thread."""

    def __init__(self, model_id: ModelId, endpoint: Endpoint, window: int | None) -> None:
        """Make one; without `window`, the model says how many tokens it takes."""
        self._model_id = model_id
        self._endpoint = endpoint
        self._address = endpoint.address
        self._window = window
        self._takes_tools = True
        self._shown: Json = {}
        self._client = new_client(endpoint.address)

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

        Without a choice of the user's it is what the model's file sets, or else what the model
        can, up to 16,384.
        """
        if self._window is None:
            self._window = window_of(await self._show())
        return ContextWindow(self._window) if self._window else _CAREFUL

    async def can_choose(self) -> bool:
        """Return whether it can choose the agent; not if it takes no tools."""
        return self._takes_tools and await self._can("tools")

    async def sees_images(self) -> bool:
        """Return whether it can be shown images; Ollama itself would leave them out silently."""
        return await self._can("vision")

    async def cost_usd(self, tokens: TokenUsage) -> float | None:
        """Return what an answer costs; None where nobody knows the price."""
        here = await runs_here(self._model_id, self._endpoint)
        return await listed_cost_usd(self._model_id, self._endpoint, tokens, runs_here=here)

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once, and wait until the answer begins.

        Raises:
            UpstreamError: When the model cannot answer.
        """
        if prompt.declared and not prompt.choices and not self._takes_tools:
            raise UpstreamError("no_tools")
        body = _body(self._model_id.name, prompt, (await self.window()).tokens)
        request = self._client.build_request("POST", f"{self._address}/api/chat", json=body)
        try:
            response = await open_stream(self._client, request)
        except UpstreamError as failure:
            # This answer is about the model, not about these tools: do not try again with others.
            if failure.kind == "no_tools" and failure.detail.endswith(_NO_TOOLS):
                self._takes_tools = False
            raise
        return BodyTexts(response, EventReader(read_ollama, answer, prefix=b""))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _can(self, capability: str) -> bool:
        """Return whether the model can do something; yes where an old Ollama does not say."""
        told = (await self._show()).get("capabilities")
        capabilities = told if isinstance(told, list) else []
        return not capabilities or capability in capabilities

    async def _show(self) -> Json:
        """Ask what the model is; nothing when Ollama does not say, so that it is asked again."""
        if not self._shown:
            url = f"{self._address}/api/show"
            request = self._client.build_request("POST", url, json={"model": self._model_id.name})
            self._shown = await ask_for_object(self._client, request, _SHOW_TIMEOUT_S)
        return self._shown


def window_of(shown: Json) -> int | None:
    """Find the window in what `/api/show` says; None when it says nothing."""
    parameters = shown.get("parameters")
    chosen = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    if chosen is not None:
        return int(chosen[1])
    info = shown.get("model_info")
    values = info.items() if isinstance(info, dict) else ()
    lengths = [v for k, v in values if k.endswith(".context_length") and is_window(v)]
    return min(lengths[0], _LARGEST_UNASKED) if lengths else None


def read_ollama(event: Json, answer: Answer) -> str:
    """Read a line of Ollama's `/api/chat`."""
    if event.get("done"):
        answer.is_over = True
        answer.ending = "length" if event.get("done_reason") == "length" else "stop"
        answer.tokens = token_usage(event.get("prompt_eval_count"), event.get("eval_count"))
    message = event.get("message")
    if not message:
        return ""
    answer.add_thought(message.get("thinking"))
    for call in message.get("tool_calls") or ():
        function = call["function"]
        key = answer.call_count
        answer.add_call(key, "", function["name"], arguments_of(function.get("arguments")))
    return text_of(message.get("content"))


def _body(model: str, prompt: Prompt, window: int) -> Json:
    options: dict[str, Any] = {"num_ctx": window}
    settings = prompt.settings
    if settings.max_output_tokens is not None:
        options["num_predict"] = settings.max_output_tokens
    if settings.temperature is not None:
        options["temperature"] = settings.temperature
    instructions = prompt.instructions
    messages = [{"role": "system", "content": instructions}] if instructions else []
    turns = with_images_of_results_apart(prompt.turns)
    messages += [message for turn in turns for message in _written(turn)]
    body: Json = {"model": model, "messages": messages, "stream": True, "options": options}
    if prompt.choices:
        # Ollama cannot be made to call a tool; it can be made to write JSON that fits a schema.
        schema = prompt.tools[0].input_schema if prompt.tools else None
        options["temperature"] = 0
        return body | ({"format": schema} if schema else {})
    if settings.thinking is not None:
        body["think"] = _think(model, settings.thinking)
    tools = [declaration(tool) for tool in prompt.declared]
    return body | ({"tools": tools} if tools else {})


def _think(model: str, length: ThinkingLength) -> bool | str:
    """Say how long to think: one family of models knows lengths alone, all others yes and no."""
    if _HAS_LENGTHS.search(model):
        return "high" if length == "long" else "low"
    return length != "off"


def _written(turn: Turn) -> list[Json]:
    if not isinstance(turn, ModelTurn):
        said: Json = {"role": "user", "content": turn.text}
        if turn.images:
            said["images"] = [b64encode(image.data).decode() for image in turn.images]
        return [said]
    message: Json = {"role": "assistant", "content": turn.text}
    if turn.calls:
        message["tool_calls"] = [
            {"function": {"name": call.name, "arguments": call.input}} for call in turn.calls
        ]
    results = [
        {"role": "tool", "tool_name": call.name, "content": call.result} for call in turn.calls
    ]
    return [message, *results]
