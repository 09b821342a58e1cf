"""A stand-in for Ollama: it has models, and says line by line what it was told to."""

import json
from typing import Any

from tests.support.fake_http import Answer, FakeHttp, Received

Line = dict[str, Any]


def words(*texts: str) -> list[Line]:
    """Return the lines of an answer in words, whole."""
    lines = [{"message": {"role": "assistant", "content": text}, "done": False} for text in texts]
    return [*lines, {"message": {"role": "assistant", "content": ""}, "done": True}]


def tool_call(name: str, arguments: Any, text: str = "") -> list[Line]:
    """Return the lines of an answer that ends in the wish to have a tool run."""
    call = {"function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": text, "tool_calls": [call]}
    return [{"message": message, "done": False}, *words()]


class FakeOllama(FakeHttp):
    """Speaks Ollama's protocol; an async context manager."""

    def __init__(self, **models: list[str]) -> None:
        """Make one with these models, each with what it can do."""
        super().__init__()
        self._models = models
        self.shown: dict[str, Any] = {}
        self._answers: list[Answer] = []

    @property
    def asked(self) -> list[Any]:
        """The questions so far."""
        return [request.json for request in self.requests if request.path == "/api/chat"]

    def says(self, lines: list[Line]) -> None:
        """Answer the next chat in these lines."""
        self.answers(
            b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)
        )

    def answers(self, body: bytes, status: int = 200) -> None:
        """Answer the next chat with exactly this."""
        self._answers.append(Answer(status, body, {"Content-Type": "application/x-ndjson"}))

    def choose(self, request: Received) -> Answer:
        if request.path == "/api/chat":
            return self._answers.pop(0)
        known: dict[str, Any] = {
            "/api/version": {"version": "0.1"},
            "/api/tags": {"models": [{"name": name} for name in self._models]},
        }
        if request.path == "/api/show":
            capabilities = self._models.get(request.json["model"], [])
            known["/api/show"] = {"capabilities": capabilities, **self.shown}
        if request.path not in known:
            return Answer(404, b"{}")
        return Answer(200, json.dumps(known[request.path]).encode())

    def check(self) -> None:
        assert not self._answers, "not every answer was asked for"
        for request in self.requests:
            assert request.header("X-API-Key") is request.header("Authorization") is None
