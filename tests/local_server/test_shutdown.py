"""How a service that runs alone ends: streams go on for a while, and nothing else keeps it."""

import http.client
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.service import RunningService, http_client, running_service

# Less than the nine seconds that replies under way get.
_ENDS_WITHIN_S = 8
_ENDED_IN_S = 20


@contextmanager
def _talking(service: RunningService) -> Iterator[tuple[httpx.Client, Iterator[str], str]]:
    """Yield a stream that has begun: its client, its lines, and the conversation."""
    with http_client(service.base_url, service.key) as client:
        conversation_id = client.post("/v1/conversations").json()["data"]["id"]
        body = {"conversation_id": conversation_id, "message": "Hello"}
        with client.stream("POST", "/v1/chat/stream", json=body) as answer:
            lines = answer.iter_lines()
            assert any("text_delta" in line for line in lines)
            yield client, lines, conversation_id


def test_stream_is_finished_before_the_service_ends(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with running_service(tmp_path, plan="pro", pace_s=0.01) as service:
        with _talking(service) as (_client, lines, _):
            service.process.send_signal(signal.SIGTERM)
            rest = list(lines)
        assert service.process.wait(_ENDED_IN_S) == 0
    assert 'data: {"type":"message_stop"}' in rest
    told = capfd.readouterr().err
    assert "Stopping; replies under way get 9 seconds. Ctrl+C again ends at once." in told
    assert "Model: demo, except for agents that name a model\n" in told


def test_second_signal_waits_for_no_stream_and_keeps_what_was_said(tmp_path: Path) -> None:
    with running_service(tmp_path, plan="pro", pace_s=0.4) as service:
        with _talking(service) as (_client, lines, conversation_id):
            # Two of the same kind could arrive as one.
            service.process.send_signal(signal.SIGTERM)
            service.process.send_signal(signal.SIGINT)
            rest = list(lines)
        assert service.process.wait(_ENDS_WITHIN_S) == 0
    assert any("The service is stopping." in line for line in rest)
    with closing(sqlite3.connect(service.data / "parley-server.sqlite3")) as database:
        query = "SELECT role, content FROM messages WHERE conversation_id = ? ORDER BY seq"
        [(asked, _), (answered, said)] = database.execute(query, (conversation_id,)).fetchall()
    assert (asked, answered) == ("user", "assistant")
    assert said


def test_idle_and_slow_connections_do_not_delay_the_shutdown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with running_service(tmp_path, plan="pro") as service:
        host = service.base_url.removeprefix("http://")
        resting, slow = http.client.HTTPConnection(host), http.client.HTTPConnection(host)
        resting.request("GET", "/v1/agents", headers={"X-API-Key": service.key})
        assert resting.getresponse().read()
        slow.connect()
        slow.send(b"GET /v1/agents HTTP/1.1\r\nX-Slow: ")
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(_ENDS_WITHIN_S) == 0
        resting.close()
        slow.close()
    assert "Stopping" not in capfd.readouterr().err
