"""Lets a model of an Ollama on this computer answer, in Ollama's own protocol."""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

import httpx

from local_server.assistant.agents import Agent
from local_server.assistant.reply import Piece, ReplyRequest, Text, ToolRequest
from local_server.assistant.skills import find_named
from local_server.assistant.supervisor import choose_agent
from local_server.errors import StreamFailureError
from local_server.json_text import JsonTextError, parse_json
from local_server.loopback import OLLAMA_ADDRESS, loopback_client
from local_server.store.records import Message, Tool, ToolCall

log = logging.getLogger(__name__)

# A large model is loaded before its first word.
_TIMEOUT: Final = httpx.Timeout(10, read=180)
_LONGEST_LINE_BYTES: Final = 8 * 1024 * 1024

_BROKEN_OFF: Final = "Ollama broke off in the middle of its answer."

Json = dict[str, Any]


class _NoToolsError(StreamFailureError):
    """The model takes no tools; asked without them, it can still answer in words."""


class OllamaAssistant:
    """Answers with one model. One for the life of the service."""

    def __init__(self, model: str, address: str = OLLAMA_ADDRESS) -> None:
        self._model = model
        self._url = f"{address}/api/chat"

    async def choose_agent(self, message: str, agents: tuple[Agent, ...]) -> Agent:
        """Choose by the words that the message shares with names and descriptions."""
        return choose_agent(message, agents)

    async def aclose(self) -> None:
        """Hold nothing, and so let go of nothing."""

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Pass on what the model writes, up to the first tool that it asks for.

        Raises:
            StreamFailureError: When Ollama cannot answer or breaks off.
        """
        body: Json = {"model": self._model, "messages": prompt(request), "stream": True}
        tools = [_declared(tool) for tool in request.tools]
        try:
            async with aclosing(self._worded(body | {"tools": tools})) as pieces:
                async for piece in pieces:
                    yield piece
        except _NoToolsError:
            log.info("%s takes no tools; asking it without", self._model)
        else:
            return
        async with aclosing(self._worded(body)) as pieces:
            async for piece in pieces:
                yield piece

    async def _worded(self, body: Json) -> AsyncGenerator[Text | ToolRequest]:
        """Ask once; what goes wrong on the way is said in words."""
        try:
            async with aclosing(self._pieces(body)) as pieces:
                async for piece in pieces:
                    yield piece
        except httpx.ConnectError as exc:
            raise StreamFailureError(
                "Ollama does not answer on this computer. Start it and send again."
            ) from exc
        except httpx.HTTPError as exc:
            raise StreamFailureError(_BROKEN_OFF) from exc

    async def _pieces(self, body: Json) -> AsyncGenerator[Text | ToolRequest]:
        async with (
            loopback_client(_TIMEOUT) as client,
            client.stream("POST", self._url, json=body) as response,
        ):
            if response.status_code != httpx.codes.OK:
                raise self._refusal(response.status_code, await response.aread())
            async with aclosing(_told(response)) as pieces:
                async for piece in pieces:
                    yield piece

    def _refusal(self, status: int, body: bytes) -> Exception:
        if status == httpx.codes.NOT_FOUND:
            return StreamFailureError(f"Ollama has no model {self._model} any more.")
        if b"does not support tools" in body:
            return _NoToolsError("Ollama refused the request.")
        return StreamFailureError(f"Ollama refused the request (status {status}).")


def prompt(request: ReplyRequest) -> list[Json]:
    """Write the conversation as Ollama wants it, the tool calls of this reply in their places."""
    *before, last = request.history
    messages = [_system(request), *map(_spoken, before)]
    if not request.calls:
        return [*messages, _spoken(last)]
    start = 0
    for call in request.calls:
        messages += _called(last.content[start : call.offset], call)
        start = call.offset
    return messages


def _system(request: ReplyRequest) -> Json:
    parts = [request.agent.instruction]
    skill = find_named(request.message, request.skills)
    if skill is not None:
        parts.append(f"Use this skill:\n\n{skill.instructions}")
    return {"role": "system", "content": "\n\n".join(parts)}


def _spoken(message: Message) -> Json:
    return {"role": message.role, "content": message.content}


def _called(text: str, call: ToolCall) -> list[Json]:
    function = {"name": call.name, "arguments": call.input}
    return [
        {"role": "assistant", "content": text, "tool_calls": [{"function": function}]},
        {"role": "tool", "tool_name": call.name, "content": call.result or ""},
    ]


def _declared(tool: Tool) -> Json:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.input_schema,
    }
    return {"type": "function", "function": function}


async def _told(response: httpx.Response) -> AsyncGenerator[Text | ToolRequest]:
    async with aclosing(_lines(response)) as lines:
        async for line in lines:
            for piece in _pieces_of(line):
                yield piece


async def _lines(response: httpx.Response) -> AsyncGenerator[Json]:
    """Read objects, one a line, up to the one that says that all is done.

    httpx's own lines would end at more than line ends.
    """
    rest = b""
    async for chunk in response.aiter_bytes():
        *whole, rest = (rest + chunk).split(b"\n")
        if len(rest) > _LONGEST_LINE_BYTES:
            raise StreamFailureError("Ollama sent a line that is too long.")
        for line in whole:
            told = _object(line)
            yield told
            if told.get("done") is True:
                return
    raise StreamFailureError(_BROKEN_OFF)


def _object(line: bytes) -> Json:
    try:
        value = parse_json(line)
    except JsonTextError as exc:
        raise StreamFailureError(f"Ollama sent something unreadable: {exc}.") from exc
    if not isinstance(value, dict):
        raise StreamFailureError("Ollama sent something unreadable.")
    if "error" in value:
        raise StreamFailureError(f"Ollama reported: {str(value['error'])[:300]}")
    return value


def _pieces_of(line: Json) -> list[Text | ToolRequest]:
    message = line.get("message")
    if not isinstance(message, dict):
        return []
    pieces: list[Text | ToolRequest] = []
    text = message.get("content")
    if isinstance(text, str) and text:
        pieces.append(Text(text))
    for call in message.get("tool_calls") or []:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise StreamFailureError("Ollama asked for a tool in an unreadable way.")
        given = function.get("arguments")
        pieces.append(ToolRequest(function["name"], given if isinstance(given, dict) else {}))
    return pieces
