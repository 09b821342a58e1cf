"""What one event of a provider's stream says: OpenAI's chat completions, Anthropic, Google, Ollama.

Reasoning is left out. Fields that a server leaves out or sends as null mean nothing.
"""

import json
from typing import Any, Final

from local_server.assistant.models.answer import Answer, Ending
from local_server.assistant.models.events import Json, raise_reported

_OPENAI_ENDINGS: Final[dict[str, Ending]] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "calls",
    "function_call": "calls",
    "content_filter": "filter",
}
_ANTHROPIC_ENDINGS: Final[dict[str, Ending]] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "calls",
    "refusal": "filter",
}
_GOOGLE_ENDINGS: Final[dict[str, Ending]] = {
    "MAX_TOKENS": "length",
    "SAFETY": "filter",
    "RECITATION": "filter",
    "BLOCKLIST": "filter",
    "PROHIBITED_CONTENT": "filter",
    "SPII": "filter",
    "LANGUAGE": "filter",
}


def read_openai(event: Json, answer: Answer) -> str:
    """Read a chunk of a chat completion, as OpenAI and those that speak alike send it."""
    choices = event.get("choices")
    if not choices:
        return ""
    choice = choices[0]
    finish = choice.get("finish_reason")
    if finish:
        if finish == "error":
            raise_reported({"error": choice.get("error") or "server_error"})
        answer.ending = _OPENAI_ENDINGS.get(finish, "stop")
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
                _arguments(function.get("arguments")),
            )
    return _text(delta.get("content")) or _text(delta.get("refusal"))


def read_anthropic(event: Json, answer: Answer) -> str:
    """Read an event of Anthropic's messages."""
    kind = event.get("type")
    if kind == "content_block_delta":
        delta = event["delta"]
        if delta["type"] == "text_delta":
            return _text(delta["text"])
        if delta["type"] == "input_json_delta":
            answer.add_call(event["index"], "", "", delta["partial_json"])
    elif kind == "content_block_start":
        block = event["content_block"]
        if block["type"] == "text":
            return _text(block.get("text"))
        if block["type"] == "tool_use":
            given = block.get("input")
            answer.add_call(event["index"], block["id"], block["name"], _arguments(given or None))
    elif kind == "message_delta":
        reason = event["delta"].get("stop_reason")
        if reason:
            answer.ending = _ANTHROPIC_ENDINGS.get(reason, "stop")
    elif kind == "message_stop":
        answer.is_over = True
    return ""


def read_google(event: Json, answer: Answer) -> str:
    """Read a part of Google's `streamGenerateContent`."""
    if (event.get("promptFeedback") or {}).get("blockReason"):
        answer.ending = "filter"
    candidates = event.get("candidates")
    if not candidates:
        return ""
    candidate = candidates[0]
    if candidate.get("finishReason"):
        answer.ending = _GOOGLE_ENDINGS.get(candidate["finishReason"], "stop")
    texts = []
    for part in (candidate.get("content") or {}).get("parts") or ():
        call = part.get("functionCall")
        if call:
            key = answer.call_count
            answer.add_call(key, call.get("id") or "", call["name"], _arguments(call.get("args")))
        elif not part.get("thought"):
            texts.append(_text(part.get("text")))
    return "".join(texts)


def read_ollama(event: Json, answer: Answer) -> str:
    """Read a line of Ollama's `/api/chat`."""
    if event.get("done"):
        answer.is_over = True
        answer.ending = "length" if event.get("done_reason") == "length" else "stop"
    message = event.get("message")
    if not message:
        return ""
    for call in message.get("tool_calls") or ():
        function = call["function"]
        key = answer.call_count
        answer.add_call(key, "", function["name"], _arguments(function.get("arguments")))
    return _text(message.get("content"))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    # Some servers send content in parts.
    parts = value if isinstance(value, list) else ()
    return "".join(part["text"] for part in parts if part.get("type") == "text")


def _arguments(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
