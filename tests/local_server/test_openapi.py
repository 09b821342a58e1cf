"""The description of the interface, and the service held to it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.event_streams import read_whole_stream
from tests.support.service import RunningService, get, http_client, running_service

_SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
_TOOL = {"name": "read_file", "description": "", "input_schema": {"type": "object"}}
_TOOL["input_schema"] = {"type": "object", "properties": {"path": {"type": "string"}}}

# What it is told: to do the same each time, and which conversation and tool call there are.
_CONFIG = """\
headers = {{ X-API-Key = "${{KEY_OF_THE_TEST}}" }}
max-stream-events = 500
warnings = false

[dictionaries]
conversations = {{ values = ["{conversation_id}"] }}
calls = {{ values = ["{call_id}"] }}

[parameters]
"path.conversation_id" = {{ dictionary = "conversations", probability = 0.5 }}
"body.conversation_id" = {{ dictionary = "conversations", probability = 0.7 }}
"body.tool_call_id" = {{ dictionary = "calls", probability = 0.7 }}

[generation]
deterministic = true
max-examples = 6
database = "none"

[phases.stateful]
max-steps = 6

[checks]
# Names of agents, conversations and calls are valid by what there is, not by their shape.
positive_data_acceptance = {{ enabled = false }}
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("described")
    with running_service(folder, plan="enterprise", per_minute=10**6) as running:
        yield running


@pytest.fixture(scope="module")
def client(service: RunningService) -> Iterator[httpx.Client]:
    with http_client(service.base_url, service.key) as made:
        yield made


@pytest.fixture(scope="module")
def described(client: httpx.Client) -> dict[str, Any]:
    answer = client.get("/openapi.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.spec("7.1-200", "7.2-body", "6-framing", "4-key-everywhere")
def test_service_answers_as_it_is_described(
    service: RunningService, client: httpx.Client, tmp_path: Path
) -> None:
    conversation_id = client.post("/v1/conversations").json()["data"]["id"]
    chat = {"conversation_id": conversation_id, "message": "read notes.md", "client_tools": [_TOOL]}
    events = read_whole_stream(client.post("/v1/chat/stream", json=chat).content)
    [call_id] = [event["id"] for event in events if event["type"] == "tool_use"]
    config = tmp_path / "schemathesis.toml"
    text = _CONFIG.format(conversation_id=conversation_id, call_id=call_id)
    config.write_text(text, encoding="utf-8")
    done = subprocess.run(
        (_SCHEMATHESIS, "--config-file", config, "run", f"{service.base_url}/openapi.json"),
        env={**os.environ, "KEY_OF_THE_TEST": service.key, "NO_COLOR": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    [cases] = re.findall(r"(\d+) generated", done.stdout)
    assert int(cases) > 200, done.stdout
    assert "Operations:       9 selected / 9 total" in done.stdout


def test_description_needs_a_key_like_everything_else(service: RunningService) -> None:
    answer = get(f"{service.base_url}/openapi.json")
    assert answer.status_code == 401


@pytest.mark.spec("7.1-201", "7.2-invalid-api-key", "7.2-conversation-not-found", "7.1-429")
def test_every_operation_is_described_with_its_errors(described: dict[str, Any]) -> None:
    codes = {
        f"{method.upper()} {path}": {
            status: _codes(response)
            for status, response in operation["responses"].items()
            if not status.startswith("2")
        }
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }
    anywhere = {
        "400": {"invalid_request", "bad_host"},
        "401": {"invalid_api_key"},
        "403": {"origin_refused"},
        "429": {"rate_limited"},
        "500": {"internal_error"},
        "503": {"overloaded", "unavailable"},
    }
    missing = anywhere | {"404": {"conversation_not_found"}}
    bodied = missing | {
        "409": {"conversation_busy"},
        "413": {"body_too_large"},
        "415": {"unsupported_media_type"},
    }
    replying = bodied | {"429": {"rate_limited", "ceiling_reached"}}
    assert codes == {
        "GET /v1/conversations": anywhere,
        "POST /v1/conversations": bodied | {"404": {"conversation_not_found", "message_not_found"}},
        "GET /v1/conversations/{conversation_id}": missing,
        "DELETE /v1/conversations/{conversation_id}": missing,
        "POST /v1/chat/stream": replying
        | {"400": anywhere["400"] | {"unknown_agent", "unknown_model", "images_full"}},
        "POST /v1/tool-result": replying
        | {
            "400": anywhere["400"] | {"images_full"},
            "404": {"conversation_not_found", "tool_call_not_found"},
            "409": {"conversation_busy", "tool_result_conflict"},
        },
        "GET /v1/agents": anywhere,
        "GET /v1/skills": anywhere,
        "GET /v1/models": anywhere | {"404": {"not_found"}},
    }


@pytest.mark.spec("6-framing", "6-message-start", "5-header")
def test_streams_are_described_event_by_event(described: dict[str, Any]) -> None:
    assert described["components"]["securitySchemes"]["key"]["name"] == "X-API-Key"
    assert described["security"] == [{"key": []}]
    for path in ("/v1/chat/stream", "/v1/tool-result"):
        answer = described["paths"][path]["post"]["responses"]["200"]
        assert set(answer["content"]) == {"text/event-stream"}
        assert "`event: TYPE` and `data: JSON`, and a blank\nline" in answer["description"]
        assert set(answer["headers"]) == {
            "RateLimit-Limit",
            "RateLimit-Remaining",
            "RateLimit-Reset",
        }
        kinds = answer["content"]["text/event-stream"]["schema"]["oneOf"]
        assert {kind["properties"]["event"]["const"] for kind in kinds} == {
            "message_start",
            "content_block_delta",
            "tool_use",
            "agent_start",
            "agent_end",
            "message_stop",
            "error",
            "thinking_delta",
            "usage",
            "title",
        }
    start = described["components"]["schemas"]["MessageStart"]
    assert start["required"] == ["type", "message_id", "conversation_id"]
    assert start["properties"]["agent_name"]["type"] == "string"


def test_nothing_is_said_of_what_is_never_answered(described: dict[str, Any]) -> None:
    text = json.dumps(described)
    assert "422" not in set(re.findall(r'"(\d{3})": {', text))
    assert "HTTPValidationError" not in text


def _codes(response: dict[str, Any]) -> set[str]:
    schema = response["content"]["application/json"]["schema"]
    return set(schema["properties"]["error"]["properties"]["code"]["enum"])
