"""Templates of models that want a conversation in a form of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.engine import Engine, TinyModels, running_engine
from tests.support.event_streams import text_of, types_of
from tests.support.fake_models import models_of
from tests.support.own_service import READ_FILE, own_service
from tests.support.tiny_model import ALTERNATING_TEMPLATE

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def engine(tiny_models: TinyModels) -> Iterator[Engine]:
    with running_engine(tiny_models.file("alternating", ALTERNATING_TEMPLATE)) as running:
        yield running


async def test_chat_goes_on_after_a_message_that_was_not_answered(
    tmp_path: Path, engine: Engine
) -> None:
    async with (
        models_of("openai:away@http://127.0.0.1:1/v1") as nobody,
        own_service(tmp_path, assistant=nobody) as service,
    ):
        chat = await service.create()
        lost = await service.chat(chat, "Are you there?", agent_name="assistant")
    async with (
        models_of(engine.model, window=None) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        events = await service.chat(chat, "And now?", agent_name="assistant")
        messages = await service.messages(chat)
    assert lost[-1]["type"] == "error"
    assert types_of(events)[-1] == "message_stop", events[-1]
    assert text_of(events)
    assert [one["content"] for one in messages[:2]] == ["Are you there?", "And now?"]


@pytest.mark.parametrize("fields", [{}, {"agent_name": "assistant"}])
async def test_template_without_a_system_role_answers_message_after_message(
    tmp_path: Path, engine: Engine, fields: dict[str, str]
) -> None:
    async with (
        models_of(engine.model, window=None) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        chat = await service.create()
        for message in ("Hello", "And then?", "And what else?"):
            events = await service.chat(chat, message, client_tools=[READ_FILE], **fields)
            assert types_of(events)[-1] == "message_stop", events[-1]
            assert text_of(events)
