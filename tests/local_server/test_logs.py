"""The log: one line a request, with its name and its figures, and nothing that anybody said."""

import asyncio
import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy import text as sql

from local_server.assistant.agents import Agent
from local_server.assistant.reply import AgentChoice, RequestedToolCall
from local_server.errors import StreamFailureError
from local_server.observability import FIELDS, JsonLines, LogFormat, TextLines, log_handler
from tests.support.event_streams import first_of
from tests.support.own_service import KEY, READ_FILE, OwnService, new_client, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio

Line = dict[str, Any]


class LogLines:
    """What was logged, at every level."""

    def __init__(self) -> None:
        self._stream = io.StringIO()
        self._news = asyncio.Event()

    @property
    def text(self) -> str:
        """All of it."""
        return self._stream.getvalue()

    @property
    def lines(self) -> list[Line]:
        """Its lines, of a log in JSON."""
        return [json.loads(line) for line in self.text.splitlines()]

    async def request(self, route: str, **fields: object) -> Line:
        """Wait for the line of a request, with these fields, and return it."""
        wanted = {"message": "request", "route": route, **fields}
        async with asyncio.timeout(20):
            while True:
                self._news.clear()
                for line in self.lines:
                    if wanted.items() <= line.items():
                        return line
                await self._news.wait()

    def add(self, handler: logging.Handler, record: logging.LogRecord) -> None:
        """Take a record in."""
        if handler.filter(record):
            self._stream.write(f"{handler.format(record)}\n")
            self._news.set()


class _Keeper(logging.Handler):
    def __init__(self, lines: LogLines, writer: logging.Handler) -> None:
        super().__init__()
        self._lines = lines
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.add(self._writer, record)


@contextmanager
def log_lines(log_format: LogFormat = LogFormat.JSON) -> Iterator[LogLines]:
    """Collect the log within this block."""
    lines = LogLines()
    keeper = _Keeper(lines, log_handler(log_format, io.StringIO()))
    root = logging.getLogger()
    level = root.level
    root.addHandler(keeper)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.setLevel(level)
        root.removeHandler(keeper)


_CHAT = "/v1/chat/stream"
_ONE = "/v1/conversations/{conversation_id}"


async def test_each_answer_carries_the_name_of_its_line_in_the_log(tmp_path: Path) -> None:
    with log_lines() as log:
        async with own_service(tmp_path) as service:
            answers = [await service.client.get("/v1/conversations/nix") for _ in range(2)]
            names = [answer.headers["X-Request-Id"] for answer in answers]
            for name in names:
                line = await log.request(_ONE, request_id=name)
                assert line["level"] == "info"
                assert line["status"] == 404
                assert line["method"] == "GET"
                assert line["key_id"].startswith("key_")
                assert line["duration_ms"] >= 0
    assert len(set(names)) == 2
    assert all(re.fullmatch(r"req_[0-9a-f]{24}", name) for name in names)


@pytest.mark.parametrize(
    ("call", "key", "status", "route"),
    [
        (("GET", "/v1/agents"), "wrong", 401, "none"),
        (("GET", "/nowhere"), KEY, 404, "none"),
        (("PUT", "/v1/agents"), KEY, 405, "/v1/agents"),
        (("POST", "/v1/chat/stream"), KEY, 415, "/v1/chat/stream"),
    ],
)
async def test_refusals_are_named_and_logged_too(
    tmp_path: Path, call: tuple[str, str], key: str, status: int, route: str
) -> None:
    method, path = call
    with log_lines() as log:
        async with own_service(tmp_path) as service, new_client(service.base_url, key) as client:
            answer = await client.request(method, path)
            name = answer.headers["X-Request-Id"]
            line = await log.request(route, request_id=name, status=status, method=method)
    assert ("key_id" in line) == (key == KEY)
    assert "nowhere" not in log.text


async def test_name_that_a_client_gives_is_not_taken(tmp_path: Path) -> None:
    """Our choice: it could put anything into the log."""
    with log_lines() as log:
        async with own_service(tmp_path) as service:
            answer = await service.client.get("/v1/agents", headers={"X-Request-Id": "mine\tX"})
            await log.request("/v1/agents", request_id=answer.headers["X-Request-Id"])
    assert "mine" not in log.text
    assert "mine" not in answer.headers["X-Request-Id"]


async def test_probes_are_no_news(tmp_path: Path) -> None:
    with log_lines() as log:
        async with own_service(tmp_path) as service:
            await service.client.get("/healthz")
            assert (await log.request("/healthz"))["level"] == "debug"


async def test_line_of_a_stream_has_its_figures(tmp_path: Path) -> None:
    with log_lines() as log:
        async with own_service(tmp_path, assistant=ScriptedAssistant(("one ", "two"))) as service:
            await service.chat(await service.create(), "Hello")
            line = await log.request(_CHAT)
    assert line["ended"] == "whole"
    assert (line["deltas"], line["characters"], line["asks_tool"]) == (2, 7, False)
    assert 0 < line["first_delta_ms"] <= line["duration_ms"]


async def test_line_says_when_a_stream_waits_for_a_tool(tmp_path: Path) -> None:
    script = ScriptedAssistant((RequestedToolCall("read_file", {"path": "a"}),))
    with log_lines() as log:
        async with own_service(tmp_path, assistant=script) as service:
            await service.chat(await service.create(), "Hello", client_tools=[READ_FILE])
            line = await log.request(_CHAT)
    assert (line["ended"], line["asks_tool"]) == ("whole", True)
    assert "first_delta_ms" not in line


async def test_line_says_that_a_stream_failed(tmp_path: Path) -> None:
    script = ScriptedAssistant(("one", StreamFailureError("No more.")))
    with log_lines() as log:
        async with own_service(tmp_path, assistant=script) as service:
            await service.chat(await service.create(), "Hello")
            assert (await log.request(_CHAT))["ended"] == "failed"


@pytest.mark.parametrize("ending", ["left", "stopped"])
async def test_line_says_who_ended_a_stream_early(tmp_path: Path, ending: str) -> None:
    pause = Pause()
    with log_lines() as log:
        async with own_service(tmp_path, assistant=ScriptedAssistant(("one", pause))) as service:
            await _leave_or_stop(service, pause, ending)
            line = await log.request(_CHAT)
    assert (line["ended"], line["deltas"]) == (ending, 1)


async def _leave_or_stop(service: OwnService, pause: Pause, ending: str) -> None:
    body = {"conversation_id": await service.create(), "message": "Hello"}
    async with service.client.stream("POST", _CHAT, json=body) as answer:
        await pause.is_reached.wait()
        if ending == "stopped":
            service.stop()
            await answer.aread()


@pytest.mark.expects_log("unexpected failure")
async def test_reference_of_an_unforeseen_failure_is_in_the_log_of_its_request(
    tmp_path: Path,
) -> None:
    with log_lines() as log:
        async with own_service(tmp_path) as service:
            await _break(service)
            answer = await service.client.get("/v1/conversations/any")
    assert answer.status_code == 500
    reference = re.search(r"reference (\w+)", answer.json()["error"]["message"])
    assert reference is not None
    (line,) = [line for line in log.lines if "unexpected failure" in line["message"]]
    assert reference[1] in line["message"]
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert line["level"] == "error"
    assert line["exception"][-1].endswith("Error")


async def _break(service: OwnService) -> None:
    """Take tables away, which nothing in the service expects."""

    def rename(connection: Connection) -> None:
        for table in ("conversations", "messages"):
            connection.execute(sql(f"ALTER TABLE {table} RENAME TO gone_{table}"))

    await service.store.database.write(rename)


class _Marked(ScriptedAssistant):
    """Cannot choose who answers, and says so in words of the message."""

    async def choose_agent(
        self, message: str, agents: tuple[Agent, ...], model: str | None = None
    ) -> AgentChoice:
        del agents, model
        raise StreamFailureError(f"Nobody answers “{message}”.")


@pytest.mark.parametrize("log_format", list(LogFormat))
@pytest.mark.expects_log("unexpected failure")
async def test_nothing_that_was_said_read_or_kept_secret_is_in_the_log(
    tmp_path: Path, log_format: LogFormat, capfd: pytest.CaptureFixture[str]
) -> None:
    """A session with marked words everywhere, in which everything fails that can."""
    mark = "zebra"
    script = _Marked(
        (f"{mark} reply", RequestedToolCall("read_file", {"path": f"{mark}.md"})),
        (f"{mark} end",),
        (StreamFailureError(f"{mark} failure"),),
        (ValueError(f"{mark} mistake"),),
    )
    with log_lines(log_format) as log:
        async with own_service(tmp_path, assistant=script) as service:
            key = f"pk_live_{mark}"
            await service.add_key(key)
            async with new_client(service.base_url, key) as client:
                await _session(replace(service, client=client), mark)
                conversation_id = await service.create()
                await _break(service)
                await client.get(f"/v1/conversations/{mark}")
                body = {"conversation_id": conversation_id, "message": mark}
                assert (await client.post(_CHAT, json=body)).status_code == 500
    assert "request" in log.text
    assert "unexpected failure" in log.text
    assert mark not in log.text.casefold()
    captured = capfd.readouterr()
    assert mark not in (captured.out + captured.err).casefold()


async def _session(service: OwnService, mark: str) -> None:
    conversation_id = await service.create()
    tool = READ_FILE | {"description": f"{mark} tool"}
    events = await service.chat(conversation_id, f"{mark} message", client_tools=[tool])
    call_id = first_of(events, "tool_use")["id"]
    await service.post_result(conversation_id, call_id, f"{mark} result")
    await service.post_result(conversation_id, call_id, f"{mark} other result")
    for _ in range(2):
        await service.chat(conversation_id, f"{mark} again")
    refused: list[dict[str, object]] = [
        {"content": f'{{"{mark}": '.encode(), "headers": {"Content-Type": "application/json"}},
        {"json": {"message": 5, mark: mark}},
        {"json": {"conversation_id": mark, "message": mark, "agent_name": mark}},
        {"content": mark, "headers": {"Content-Type": mark}},
        {"json": {}, "headers": {"X-API-Key": mark}},
        {"json": {}, "headers": {"Host": mark}},
        {"json": {}, "headers": {"Origin": mark}},
    ]
    for request in refused:
        answer = await service.client.post(f"{_CHAT}?{mark}={mark}", **request)  # type: ignore[arg-type]  # as httpx has them
        assert answer.status_code >= 400


def _record(name: str, level: int, message: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord(name, level, "p.py", 1, message, args, None)


async def test_library_logs_only_warnings_and_without_their_arguments() -> None:
    with log_lines() as log:
        logging.getLogger("some.library").info("sent %s", "zebra")
        logging.getLogger("some.library").getChild("deep").debug("zebra")
    assert log.text == ""
    urgent = _record("some.library", logging.WARNING, "cannot send %s\nzebra", "zebra")
    assert json.loads(JsonLines().format(urgent))["message"] == "cannot send %s"


@pytest.mark.parametrize("lines", [JsonLines(), TextLines()])
async def test_name_of_a_file_can_neither_begin_a_line_nor_speak_to_a_terminal(
    lines: logging.Formatter,
) -> None:
    name = "a\n\r\x1b[2J\x85\u2028\udcff.md"
    line = lines.format(_record("local_server.x", logging.WARNING, "%s:1: it is broken.", name))
    assert "a   [2J   .md:1: it is broken." in line
    assert not {"\n", "\r", "\x1b", "\x85", "\u2028", "\udcff"} & set(line)


def _raise_with_cause() -> None:
    try:
        Path("/nowhere/zebra").read_bytes()
    except OSError as exc:
        raise ValueError("zebra") from exc


async def test_exception_is_told_by_type_and_place_and_by_its_cause() -> None:
    record = _record("local_server.x", logging.ERROR, "it broke")
    with pytest.raises(ValueError, match="zebra") as caught:
        _raise_with_cause()
    record.exc_info = (ValueError, caught.value, caught.tb)
    told = json.loads(JsonLines().format(record))["exception"]
    assert "builtins.FileNotFoundError (ENOENT)" in told
    assert told[-1] == "builtins.ValueError"
    assert "test_logs.py" in told[0]
    text = TextLines().format(record)
    assert "zebra" not in text
    assert text.splitlines()[0].endswith("ERROR local_server.x: it broke")


async def test_line_for_people_names_what_is_known() -> None:
    record = _record("local_server.x", logging.INFO, "read %d\nlines", 3)
    record.__dict__[FIELDS] = {"status": 200}
    assert TextLines().format(record).endswith("INFO local_server.x: read 3 lines status=200")
