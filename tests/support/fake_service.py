"""A stand-in for the service that is told, verb by verb, what to answer.

It speaks HTTP over a real socket on the loopback, keeps what it was asked, and complains about
whatever it was not told to expect:

    async with FakeService() as service:
        service.says("Hel", "lo")
        async with ApiClient(service.base_url, service.api_key) as client: ...
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from pydantic import SecretStr

from tests.support.fake_http import Answer, FakeHttp, Received

TIME = "2025-01-02T03:04:05Z"
# Stands for the two POSTs that are answered by a stream; "POST" alone for the one that creates.
STREAM = "STREAM"
_STREAM_PATHS = frozenset({"/v1/chat/stream", "/v1/tool-result"})

Json = Mapping[str, Any]


def sse(type_: str, **fields: Any) -> bytes:
    """One event as it stands on the wire."""
    data = json.dumps({"type": type_, **fields}, ensure_ascii=False)
    return f"event: {type_}\ndata: {data}\n\n".encode()


def delta(text: str) -> bytes:
    """One fragment of text as it stands on the wire."""
    return sse("content_block_delta", delta={"type": "text_delta", "text": text})


def thinking(text: str) -> bytes:
    """One fragment of what the model thinks as it stands on the wire (extension `thinking`)."""
    return sse("thinking_delta", text=text)


def summary(conversation_id: str, message_count: int = 0) -> dict[str, Any]:
    """Return a row of the list."""
    return {
        "id": conversation_id,
        "created_at": TIME,
        "updated_at": TIME,
        "message_count": message_count,
    }


class FakeService(FakeHttp):
    """The service with verbs; an async context manager that fails on surprises when it ends."""

    def __init__(self, api_key: str = "pk_test_fake") -> None:
        super().__init__()
        self.api_key = SecretStr(api_key)
        self.surprises: list[str] = []
        self.conversations: dict[str, list[dict[str, Any]]] = {}
        self.agents: list[dict[str, Any]] = []
        self.skills: list[dict[str, Any]] = []
        self.models: list[Any] | None = None
        self.forks: dict[str, str] | None = None
        # Extensions that add events or fields alone.
        self.extensions: tuple[str, ...] = ()
        self._script: deque[tuple[str, Answer]] = deque()
        self._message_ids = 0

    @property
    def address(self) -> tuple[str, str]:
        """Where it answers, and to which key."""
        return self.base_url, self.api_key.get_secret_value()

    # What it holds.

    def holds(self, conversation_id: str, *messages: tuple[str, str]) -> None:
        """Keep a conversation with (role, content) messages."""
        self.conversations[conversation_id] = [
            {"id": f"{conversation_id}-{n}", "role": role, "content": text, "created_at": TIME}
            for n, (role, text) in enumerate(messages)
        ]

    # What it answers to the next POST that expects a stream.

    def says(
        self, *texts: str, conversation_id: str | None = None, agent: str | None = None
    ) -> None:
        """Reply with these fragments."""
        self.sends(*self._framed([delta(text) for text in texts], conversation_id, agent))

    def asks_tool(
        self,
        name: str,
        input: Json,  # noqa: A002 the interface's own word
        *,
        call_id: str = "call-1",
        after: Sequence[str] = (),
    ) -> None:
        """Reply with the request for a tool, after some text."""
        use = sse("tool_use", id=call_id, name=name, input=input)
        self.sends(*self._framed([*(delta(text) for text in after), use], None, None))

    def sends(self, *events: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Reply with exactly these bytes, each flushed by itself."""
        self._expect(STREAM, Answer(events=events, headers=headers or {}))

    def cuts_after(self, n_events: int) -> None:
        """Cut the connection after so many events of the reply told last."""
        self._change_last(lambda answer: replace(answer, cut_after=n_events))

    def hangs_after(self, n_events: int) -> None:
        """Fall silent after so many events of the reply told last, keeping the connection."""
        self._change_last(lambda answer: replace(answer, hang_after=n_events))

    def pauses_after(self, n_events: int) -> asyncio.Event:
        """Pause after so many events of the reply told last, until the event returned is set."""
        self._change_last(lambda answer: replace(answer, pause_after=n_events))
        return self._script[-1][1].go_on

    # What it answers to the next request of a method.

    def hangs(self, method: str = STREAM) -> None:
        """Never answer."""
        self._expect(method, Answer(never=True))

    def cuts(self, method: str = STREAM) -> None:
        """Take the request and cut the connection without an answer."""
        self._expect(method, Answer(events=(), cut_after=-1))

    def creates_slowly(self) -> asyncio.Event:
        """Answer the next request for a new conversation only when the event returned is set."""
        new = f"conversation-{len(self.conversations) + 1}"
        self.holds(new)
        answer = replace(_json(201, {"data": self._detail(new)}), pause_after=0)
        self._expect("POST", answer)
        return answer.go_on

    def lists_slowly(self, *conversation_ids: str) -> asyncio.Event:
        """Answer the next list request with these only when the event returned is set."""
        rows = [summary(id_) for id_ in conversation_ids]
        meta = {"total": len(rows), "limit": 20, "offset": 0}
        answer = replace(_json(200, {"data": rows, "meta": meta}), pause_after=0)
        self._expect("GET", answer)
        return answer.go_on

    def fails_with(
        self,
        status: int,
        code: str = "",
        message: str = "",
        *,
        retry_after: float | str | None = None,
        method: str = STREAM,
    ) -> None:
        """Answer with an error."""
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        body = json.dumps({"error": {"code": code or f"e{status}", "message": message}}).encode()
        self.answers(status, body, headers=headers, method=method)

    def answers(
        self,
        status: int,
        body: bytes = b"",
        *,
        headers: Mapping[str, str] | None = None,
        method: str = "GET",
    ) -> None:
        """Answer with exactly this."""
        told = {"Content-Type": "application/json", **(headers or {})}
        self._expect(method, Answer(status, body, told))

    # What a test waits for and checks.

    def check(self) -> None:
        """Fail if something came that was not expected, or did not come that was."""
        left = [method for method, _ in self._script]
        if self.surprises or left:
            raise AssertionError(f"not expected: {self.surprises}; still expected: {left}")

    def _expect(self, method: str, answer: Answer) -> None:
        self._script.append((method, answer))

    def _change_last(self, change: Callable[[Answer], Answer]) -> None:
        method, answer = self._script.pop()
        self._script.append((method, change(answer)))

    def _framed(
        self, events: Sequence[bytes], conversation_id: str | None, agent: str | None
    ) -> list[bytes]:
        self._message_ids += 1
        fields: dict[str, Any] = {"message_id": f"message-{self._message_ids}"}
        # `$conversation` becomes the id of the request that is answered.
        fields["conversation_id"] = conversation_id or "$conversation"
        if agent is not None:
            fields |= {"agent_name": agent, "agent_display_name": agent.title()}
        return [sse("message_start", **fields), *events, sse("message_stop")]

    def choose(self, request: Received) -> Answer:
        if (request.header("x-api-key") or "") != self.api_key.get_secret_value():
            return _error(401, "invalid_api_key")
        told = self._take(STREAM if request.path in _STREAM_PATHS else request.method)
        if told is not None:
            return told
        answer = self._from_what_it_holds(request)
        if answer is None:
            self.surprises.append(f"{request.method} {request.target}")
            return _error(500, "unexpected_request")
        return answer

    def _take(self, method: str) -> Answer | None:
        for entry in self._script:
            if entry[0] == method:
                self._script.remove(entry)
                return entry[1]
        return None

    def _page(self, request: Received) -> dict[str, Any]:
        """Return the page that was asked for (specification 4.1)."""
        asked = dict(parse_qsl(request.target.partition("?")[2]))
        limit, offset = int(asked.get("limit", "20")), int(asked.get("offset", "0"))
        rows = [summary(id_, len(held)) for id_, held in self.conversations.items()]
        meta = {"total": len(rows), "limit": limit, "offset": offset}
        return {"data": rows[offset : offset + limit], "meta": meta}

    def _from_what_it_holds(  # noqa: PLR0911 one return an operation
        self, request: Received
    ) -> Answer | None:
        match request.method, request.path.split("/")[1:]:
            case "GET", ["v1", "agents"]:
                return replace(
                    _json(200, self.agents), headers={**_json(200, 0).headers, **self._announced()}
                )
            case "GET", ["v1", "models"] if self.models is not None:
                return _json(200, {"data": self.models})
            case "GET", ["v1", "skills"]:
                return _json(200, self.skills)
            case "GET", ["v1", "conversations"]:
                return _json(200, self._page(request))
            case "POST", ["v1", "conversations"] if self.forks is not None and request.json:
                return self._fork(self.forks, request.json)
            case "POST", ["v1", "conversations"]:
                new = f"conversation-{len(self.conversations) + 1}"
                self.holds(new)
                return _json(201, {"data": self._detail(new)})
            case "GET", ["v1", "conversations", id_] if id_ in self.conversations:
                return _json(200, {"data": self._detail(id_)})
            case "DELETE", ["v1", "conversations", id_] if id_ in self.conversations:
                del self.conversations[id_]
                return Answer(204)
            case "GET" | "DELETE", ["v1", "conversations", _]:
                return _error(404, "conversation_not_found")
        return None

    def _announced(self) -> dict[str, str]:
        offered = {"models": self.models, "fork": self.forks}
        names = [*self.extensions, *(name for name, held in offered.items() if held is not None)]
        return {"Parley-Extensions": ", ".join([*names, "other"])} if names else {}

    def _fork(self, made: dict[str, str], asked: Json) -> Answer:
        """Make a fork, or find the one that was made before (extension `fork`)."""
        new = made.get(asked["fork_id"])
        if new is None:
            given = asked.get("messages")
            if given is None and asked["from"] not in self.conversations:
                return _error(404, "conversation_not_found")
            source = given if given is not None else self.conversations[asked["from"]]
            ids = [row.get("id") for row in source]
            if given is None and asked["through"] not in [*ids, None]:
                return _error(404, "message_not_found")
            count = len(source) if given is not None else _place(ids, asked["through"])
            new = made[asked["fork_id"]] = f"conversation-{len(self.conversations) + 1}"
            self.holds(new, *((row["role"], row["content"]) for row in source[:count]))
        return _json(201, {"data": self._detail(new)})

    def _detail(self, id_: str) -> dict[str, Any]:
        times = {"created_at": TIME, "updated_at": TIME}
        return {"id": id_, **times, "messages": self.conversations[id_]}


def _place(ids: Sequence[str | None], through: str | None) -> int:
    return 0 if through is None else ids.index(through) + 1


def _json(status: int, value: Any) -> Answer:
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json"})


def _error(status: int, code: str) -> Answer:
    return _json(status, {"error": {"code": code, "message": code.replace("_", " ")}})
