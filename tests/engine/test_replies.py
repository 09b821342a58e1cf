"""Replies of the real engine, through the service as people start it."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.engine import Engine, TinyModels, running_engine
from tests.support.event_streams import Event, read_whole_stream, text_of, types_of
from tests.support.service import RunningService, http_client, running_service
from tests.support.tiny_model import PLAIN_TEMPLATE


@pytest.fixture(scope="module")
def engine(tiny_models: TinyModels) -> Iterator[Engine]:
    with running_engine(tiny_models.file("plain", PLAIN_TEMPLATE)) as running:
        yield running


@pytest.fixture(scope="module")
def service(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("engine")
    options = ("--model", engine.model)
    with running_service(folder, plan="enterprise", per_minute=10**6, options=options) as running:
        yield running


@pytest.fixture
def client(service: RunningService) -> Iterator[httpx.Client]:
    with http_client(service.base_url, service.key) as made:
        yield made


def _say(client: httpx.Client, chat: str, message: str, **fields: str) -> list[Event]:
    body = {"conversation_id": chat, "message": message, **fields}
    answer = client.post("/v1/chat/stream", json=body)
    assert answer.status_code == 200, answer.text
    return read_whole_stream(answer.content)


def _new_chat(client: httpx.Client) -> str:
    chat: str = client.post("/v1/conversations").json()["data"]["id"]
    return chat


@pytest.mark.parametrize(("fields", "count"), [({}, 20), ({"agent_name": "assistant"}, 10)])
def test_every_message_of_many_gets_a_whole_reply(
    client: httpx.Client, fields: dict[str, str], count: int
) -> None:
    """The engine closes its connections without a word, whenever it likes."""
    endings = []
    for number in range(count):
        events = _say(client, _new_chat(client), f"Tell me about number {number}.", **fields)
        endings.append(events[-1])
        assert text_of(events), events
        assert types_of(events)[-2:] == ["agent_end", "message_stop"], events[-1]
    assert len(endings) == count
