"""Every refusal: its status, its code, its shape."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.own_service import KEY, READ_FILE, own_service

pytestmark = pytest.mark.anyio

_CHAT: dict[str, object] = {"conversation_id": "conv_nix", "message": "Hello"}
_RESULT: dict[str, object] = {
    "conversation_id": "conv_nix",
    "tool_call_id": "call_nix",
    "result": "r",
}
_JSON = {"Content-Type": "application/json"}


@pytest.mark.spec("7.1-400", "7.2-body", "4.4-chat", "4.5-tool-result", "2.7-tool-definition")
async def test_body_of_another_shape_is_refused_our_choice(tmp_path: Path) -> None:
    tool = READ_FILE
    wrong_chats: list[object] = [
        {},
        {"message": "Hello"},
        {"conversation_id": "c"},
        _CHAT | {"message": ""},
        _CHAT | {"message": " \n\t"},
        _CHAT | {"message": 5},
        _CHAT | {"message": None},
        _CHAT | {"conversation_id": 5},
        _CHAT | {"agent_name": 5},
        _CHAT | {"client_tools": "read_file"},
        _CHAT | {"client_tools": [tool, tool]},
        _CHAT | {"client_tools": [tool | {"name": ""}]},
        _CHAT | {"client_tools": [tool | {"description": None}]},
        _CHAT | {"client_tools": [tool | {"input_schema": {"type": "object"}}]},
        _CHAT | {"client_tools": [tool | {"input_schema": {"type": "array", "properties": {}}}]},
        _CHAT | {"client_tools": [tool | {"input_schema": {"type": "object", "properties": []}}]},
    ]
    others: tuple[object, ...] = (None, 1, {}, [])
    wrong_results: list[object] = [_RESULT | {name: o} for name in _RESULT for o in others]
    wrong_results += [{k: v for k, v in _RESULT.items() if k != name} for name in _RESULT]
    async with own_service(tmp_path) as service:
        for path, bodies in (("chat/stream", wrong_chats), ("tool-result", wrong_results)):
            for body in (*bodies, [], "text", None, 1):
                answer = await service.client.post(f"/v1/{path}", json=body, headers=_JSON)
                assert answer.status_code == 400, body
                assert set(answer.json()) == {"error"}
                assert set(answer.json()["error"]) == {"code", "message"}
                assert answer.json()["error"]["code"] == "invalid_request"


@pytest.mark.spec("4.4-chat", "4.4-client-tools")
async def test_body_may_hold_more_than_is_specified_our_choice(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {}, "required": ["path"], "title": "Input"}
    tool = READ_FILE | {"input_schema": schema}
    async with own_service(tmp_path) as service:
        events = await service.chat(await service.create(), "Hello", client_tools=[tool], more=1)
        bare = await service.chat(
            await service.create(), "Hello", client_tools=None, agent_name=None
        )
    assert events[-1] == bare[-1] == {"type": "message_stop"}


@pytest.mark.spec("1-wire", "7.1-400")
async def test_text_that_is_not_json_is_refused_our_choice(tmp_path: Path) -> None:
    good = json.dumps(_CHAT).encode()
    broken = [
        b"",
        b"{",
        good[:-1],
        good + b"x",
        good.replace(b"Hello", b"\xff\xfe"),
        good.replace(b'"Hello"', b"NaN"),
        good.replace(b'"Hello"', b'"Hello", "more": Infinity'),
        good.replace(b"Hello", rb"\ud800"),
        b"\xef\xbb\xbf" + good,
        good.decode().encode("utf-16"),
        good.replace(b"Hello", b"Hel\nlo"),
        good.replace(b"Hello", b"Hello\\x41"),
        good.replace(b"{", b"{/* words */", 1),
        good.replace(b"}", b",}"),
        good.replace(b'"Hello"', b"'Hello'"),
        good.replace(b'"Hello"', b'"Hello", "more": 01'),
        good.replace(b'"Hello"', b'"Hello", "more": 0x1F'),
        good.replace(b'"Hello"', b'"Hello", "more": [' + b"[]," * 20_000 + b"[]]"),
        good.replace(b'"Hello"', b'"Hello", "more": [' + rb'"\"",' * 220_000 + b"[]]"),
        good.replace(b'"Hello"', b'"Hello", "more": ' + b"9" * 1000),
        good.replace(b'"Hello"', b'"Hello", "more": -1e999'),
        good.replace(b'"Hello"', b'"Hello", "more": ' + b"[" * 100_000 + b"]" * 100_000),
        good.replace(b'"Hello"', b'"Hello", "more": ' + b'{"a":' * 150 + b"1" + b"}" * 150),
    ]
    async with own_service(tmp_path) as service:
        for body in broken:
            answer = await service.client.post("/v1/chat/stream", content=body, headers=_JSON)
            assert answer.status_code == 400, body[:80]
            assert answer.json()["error"]["code"] == "invalid_request"


@pytest.mark.spec("1-wire", "7.1-400", "7.2-body")
@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b'{"conversation_id": "a", "message": "one", "message": "two"}', "“message”"),
        (rb'{"message": "one", "m\u0065ssage": "one"}', "“message”"),
        (b'{"message": "m", "client_tools": [{"name": "a", "name": "b"}]}', "“name”"),
        (rb'{"\ud800": 1, "\ud800": 1}', "“\N{REPLACEMENT CHARACTER}”"),
        (b'{"%b": 1, "%b": 1}' % (b"k" * 999, b"k" * 999), f"“{'k' * 60}…”"),
    ],
)
async def test_key_twice_in_one_object_is_refused_with_a_reason_our_choice(
    tmp_path: Path, body: bytes, key: str
) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.post("/v1/chat/stream", content=body, headers=_JSON)
    assert answer.status_code == 400
    assert answer.json()["error"] == {
        "code": "invalid_request",
        "message": f"The body cannot be read: the JSON has the key {key} twice in one object.",
    }


@pytest.mark.spec("1-wire")
async def test_body_that_is_not_declared_as_json_is_refused_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        body = json.dumps(_CHAT | {"conversation_id": await service.create()}).encode()
        for declared in (
            None,
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/jso",
            "application/json+x",
        ):
            headers = {"Content-Type": declared} if declared else {}
            answer = await service.client.post("/v1/chat/stream", content=body, headers=headers)
            assert answer.status_code == 415
            assert answer.json()["error"]["code"] == "unsupported_media_type"
        packed = _JSON | {"Content-Encoding": "gzip"}
        answer = await service.client.post("/v1/chat/stream", content=body, headers=packed)
        assert answer.status_code == 415
        headers = {"Content-Type": "Application/JSON; charset=utf-8"}
        fine = await service.client.post("/v1/chat/stream", content=body, headers=headers)
    assert fine.status_code == 200


@pytest.mark.spec("7.1-404", "9-path")
async def test_path_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        for path in ("/", "/v1", "/v2/conversations", "/v1/agents/", "/v1/conversations/", "/docs"):
            answer = await service.client.get(path)
            assert answer.status_code == 404, path
            assert answer.json()["error"]["code"] == "not_found"


async def test_wrong_method_is_refused_and_the_right_one_named_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        for method, path, right in (
            ("PUT", "/v1/agents", "GET"),
            ("POST", "/v1/skills", "GET"),
            ("GET", "/v1/chat/stream", "POST"),
            ("PATCH", "/v1/tool-result", "POST"),
            ("OPTIONS", "/v1/conversations", "GET, POST"),
            ("TRACE", "/v1/conversations", "GET, POST"),
            ("PUT", "/v1/conversations/conv_nix", "DELETE, GET"),
            ("PROPFIND", "/v1/skills", "GET"),
        ):
            answer = await service.client.request(method, path)
            assert answer.status_code == 405
            assert answer.json()["error"]["code"] == "method_not_allowed"
            assert answer.headers["allow"] == right
        head = await service.client.head("/v1/conversations")
    assert (head.status_code, head.content, head.headers["allow"]) == (405, b"", "GET, POST")


async def test_body_over_8_mib_is_refused_announced_or_not_our_choice(tmp_path: Path) -> None:
    size = 8 * 1024 * 1024

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(9):
            yield b" " * 1024 * 1024

    async with own_service(tmp_path) as service:
        announced = await service.client.post(
            "/v1/chat/stream", content=b" " * (size + 1), headers=_JSON
        )
        streamed = await service.client.post("/v1/chat/stream", content=chunks(), headers=_JSON)
        largest = await service.client.post("/v1/chat/stream", content=b" " * size, headers=_JSON)
    for answer in (announced, streamed):
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "body_too_large"
    assert largest.status_code == 400


async def test_client_that_leaves_in_the_middle_of_its_request_troubles_nobody(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        host = service.base_url.removeprefix("http://")
        _, writer = await asyncio.open_connection(*host.split(":"))
        lines = (
            "POST /v1/chat/stream HTTP/1.1",
            f"Host: {host}",
            f"X-API-Key: {KEY}",
            "Content-Type: application/json",
            "Content-Length: 1000",
            "",
            '{"conv',
        )
        writer.write("\r\n".join(lines).encode())
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        assert (await service.client.get("/v1/agents")).status_code == 200


async def test_ids_of_all_kinds_are_just_not_found(tmp_path: Path) -> None:
    odd = ["..", "%2e%2e", "%00", "%ff", "%ed%a0%80", "' OR 1=1 --", "a" * 5000, "{id}", "%25"]
    async with own_service(tmp_path) as service:
        for conversation_id in odd:
            for method in ("GET", "DELETE"):
                path = f"/v1/conversations/{conversation_id}"
                answer = await service.client.request(method, path)
                assert answer.status_code in {404, 405}, conversation_id


@pytest.mark.spec("7.1-404", "7.2-conversation-not-found")
async def test_chat_in_an_unknown_conversation_is_not_found_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.post("/v1/chat/stream", json=_CHAT)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "conversation_not_found"


@pytest.mark.spec("7.1-500", "7.2-body")
@pytest.mark.expects_log("unexpected failure")
async def test_unexpected_error_has_a_reference_that_is_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        rename = "ALTER TABLE messages RENAME TO elsewhere"
        await service.store.database.write(lambda open_: open_.exec_driver_sql(rename))
        body = {"conversation_id": conversation_id, "message": "the secret words"}
        answer = await service.client.post("/v1/chat/stream", json=body)
        alive = await service.client.get("/v1/agents")
    assert answer.status_code == 500
    error = answer.json()["error"]
    assert error["code"] == "internal_error"
    assert error["message"].partition("reference ")[2].rstrip(").") in caplog.text
    assert "secret words" not in caplog.text
    assert alive.status_code == 200
