"""The metrics: what is counted, and the port of its own where it is read."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from local_server.assistant.reply import RequestedToolCall
from local_server.cluster.prometheus import PrometheusMeter, serving_metrics
from local_server.errors import StreamFailureError
from local_server.observability import AnsweredRequest
from local_server.serving import allowed_hosts, base_url, bind_socket
from tests.support.event_streams import first_of
from tests.support.own_service import READ_FILE, new_client, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio


def _samples(text: str) -> Iterator[tuple[str, Mapping[str, str], float]]:
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            yield sample.name, sample.labels, sample.value


def _value(meter: PrometheusMeter, name: str, **labels: str) -> float:
    found = [
        value
        for sample, given, value in _samples(meter.text().decode())
        if sample == f"parley_{name}" and labels.items() <= given.items()
    ]
    return sum(found)


class _Meter(PrometheusMeter):
    """Tells when it has added something."""

    def __init__(self) -> None:
        super().__init__()
        self.news = asyncio.Event()

    def answered(self, request: AnsweredRequest) -> None:
        super().answered(request)
        self.news.set()


async def _until(meter: _Meter, value: float, name: str, **labels: str) -> None:
    """Wait until the service has closed its books on a request that the client has read."""
    async with asyncio.timeout(20):
        while _value(meter, name, **labels) != value:
            await meter.news.wait()
            meter.news.clear()


async def test_requests_are_counted_by_the_template_of_their_path(tmp_path: Path) -> None:
    meter = _Meter()
    async with own_service(tmp_path, meter=meter) as service:
        one = await service.create()
        await service.client.get(f"/v1/conversations/{one}")
        await service.client.get("/v1/conversations/nix")
        await service.client.get("/nowhere/at/all")
        async with new_client(service.base_url, "wrong") as stranger:
            await stranger.get("/v1/agents")
        template = "/v1/conversations/{conversation_id}"
        await _until(meter, 1, "requests_total", route=template, method="GET", status="200")
        await _until(meter, 1, "requests_total", route=template, method="GET", status="404")
        await _until(meter, 1, "requests_total", route="none", status="404")
        await _until(meter, 1, "requests_total", route="none", status="401")
        assert _value(meter, "request_seconds_count", route=template) == 2
    assert one not in meter.text().decode()
    assert "nowhere" not in meter.text().decode()


async def test_streams_are_counted_while_they_are_open_and_by_their_end(tmp_path: Path) -> None:
    meter, pause = _Meter(), Pause()
    script = ScriptedAssistant(("one ", pause, "two"), (StreamFailureError("No."),))
    async with own_service(tmp_path, assistant=script, meter=meter) as service:
        conversation_id = await service.create()
        chatting = asyncio.create_task(service.chat(conversation_id, "Hello"))
        await pause.is_reached.wait()
        assert _value(meter, "streams_open") == 1
        pause.is_over.set()
        await chatting
        await _until(meter, 1, "streams_total", ended="whole")
        assert _value(meter, "deltas_total") == 2
        assert _value(meter, "characters_total") == 7
        assert _value(meter, "first_delta_seconds_count") == 1
        await service.chat(conversation_id, "Hello")
        await _until(meter, 1, "streams_total", ended="failed")
        assert _value(meter, "streams_open") == 0


async def test_tool_calls_are_counted_when_asked_for_and_when_answered(tmp_path: Path) -> None:
    meter = _Meter()
    script = ScriptedAssistant((RequestedToolCall("read_file", {"path": "a"}),), ("done",))
    async with own_service(tmp_path, assistant=script, meter=meter) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "Hello", client_tools=[READ_FILE])
        await _until(meter, 1, "tool_calls_total", step="suspended")
        assert _value(meter, "tool_calls_total", step="answered") == 0
        await service.give_result(conversation_id, first_of(events, "tool_use")["id"], "text")
        await _until(meter, 1, "tool_calls_total", step="answered")
        assert _value(meter, "tool_calls_total", step="suspended") == 1


async def test_limits_that_were_met_are_counted(tmp_path: Path) -> None:
    meter = _Meter()
    async with own_service(tmp_path, meter=meter) as service:
        await service.add_key("pk_live_slow", per_minute=1)
        async with new_client(service.base_url, "pk_live_slow") as client:
            answers = [await client.get("/v1/agents") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 429, 429]
        await _until(meter, 2, "limits_hit_total", limit="requests")


async def test_time_in_the_store_is_measured_only_while_somebody_wants_it(tmp_path: Path) -> None:
    meter = _Meter()
    async with own_service(tmp_path, meter=meter) as service:
        await service.create()
        assert _value(meter, "store_seconds_count") == 0
        with meter.watching_store():
            await service.create()
        measured = _value(meter, "store_seconds_count")
        assert measured > 0
        await service.create()
        assert _value(meter, "store_seconds_count") == measured


@asynccontextmanager
async def _metrics_client(meter: PrometheusMeter) -> AsyncIterator[httpx.AsyncClient]:
    bound = bind_socket("127.0.0.1", 0)
    with bound:
        async with (
            serving_metrics(meter, bound, allowed_hosts(bound)),
            new_client(base_url(bound)) as client,
        ):
            del client.headers["X-API-Key"]
            yield client


@pytest.mark.security(55)
async def test_metrics_are_read_on_a_port_of_their_own_without_a_key() -> None:
    async with _metrics_client(_Meter()) as client:
        answer = await client.get("/metrics")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("text/plain; version=")
        assert {name for name, _, _ in _samples(answer.text)} >= {"parley_streams_open"}
        assert (await client.get("/")).status_code == 404
        assert (await client.get("/v1/agents")).status_code == 404
        assert (await client.post("/metrics")).status_code == 405
        assert (await client.get("/metrics", headers={"Host": "evil.example"})).status_code == 400
        assert (await client.get("/metrics", headers={"Origin": "http://x"})).status_code == 403


@pytest.mark.security(55)
async def test_metrics_are_not_on_the_port_of_the_service(tmp_path: Path) -> None:
    async with own_service(tmp_path, meter=_Meter()) as service:
        assert (await service.client.get("/metrics")).status_code == 404
