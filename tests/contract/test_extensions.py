"""Our client and our service agree on thinking, usage, titles, settings and images of a chat."""

import hashlib
from pathlib import Path

import pytest

from app.api.client import MOST_INSTRUCTIONS_CHARS
from app.api.events import Usage
from app.api.models import AnswerSettings
from app.chat.items import ReplyPart, Thought, UserMessage
from local_server.assistant.assistants import ModelSelection
from local_server.assistant.models.providers import ProviderAccess
from local_server.assistant.reply import (
    AnswerUsage,
    RequestedToolCall,
    SuggestedTitle,
    ThoughtText,
    TokenUsage,
)
from local_server.model_catalog import ModelCatalog
from tests.support.attached_files import pdf
from tests.support.chat_fixtures import chat_kit
from tests.support.images import png
from tests.support.own_service import KEY, own_service
from tests.support.scripted_assistant import ScriptedAssistant

pytestmark = pytest.mark.anyio

_LONGEST = "\N{PARTY POPPER}" * MOST_INSTRUCTIONS_CHARS


async def test_thought_usage_title_and_settings_pass_between_client_and_service(
    tmp_path: Path,
) -> None:
    used = AnswerUsage(TokenUsage(100, 10), 8000, 0.5, "openai:thinker", is_window_assumed=True)
    script = ScriptedAssistant((ThoughtText("Hm."), "Hello.", used), ("Again.", used))
    script.titles = [(SuggestedTitle("A greeting", used),)]
    models = ModelCatalog(ModelSelection("offline"), ProviderAccess({}, {}))
    async with (
        own_service(tmp_path / "service", assistant=script, models=models) as service,
        chat_kit(tmp_path, address=(service.base_url, KEY)) as kit,
    ):
        before = kit.dependencies.client.offers_settings
        await kit.dependencies.client.list_agents()
        assert (before, kit.dependencies.client.offers_settings) == (None, True)
        chat = await kit.open(await service.create())
        chat.session.settings.choose_answers(AnswerSettings("short"))
        chat.session.settings.choose_instructions(_LONGEST)
        await chat.session.send("Hi", "assistant")
        await chat.is_idle()
        # What is not ready by the end of one reply comes with the next.
        await chat.session.send("Hi again", "assistant")
        await chat.is_idle()

        assert [asked.instructions for asked in script.asked] == [_LONGEST] * 2
        kinds = [type(item) for item in chat.items]
        assert kinds == [UserMessage, Thought, ReplyPart, UserMessage, ReplyPart]
        assert chat.session.state.title == "A greeting"
        usage = chat.session.state.usage
        assert isinstance(usage, Usage)
        assert (usage.context_window, usage.is_window_assumed) == (8000, True)
        # Nobody chose a model: the service says which one answered.
        parts = [item for item in chat.items if isinstance(item, ReplyPart)]
        assert [part.model for part in parts] == ["thinker"] * 2
        assert usage.cost_usd is not None
        assert usage.cost_usd >= 1.0
        assert all(
            "Hm." not in row["content"]
            for row in await service.messages(chat.session.conversation_id)
        )


async def test_images_of_messages_and_tools_pass_between_client_and_service(tmp_path: Path) -> None:
    drawn = RequestedToolCall("read_attachment", {"name": "offer.pdf", "draw": True})
    script = ScriptedAssistant((drawn,), ("Seen.",))
    async with (
        own_service(tmp_path / "service", assistant=script) as service,
        chat_kit(tmp_path, address=(service.base_url, KEY)) as kit,
    ):
        await kit.dependencies.client.list_agents()
        assert kit.dependencies.client.offers_attachments
        chat = await kit.open(await service.create())
        place = chat.session.conversation_id
        image = await kit.attachments.add_content(place, "a.png", png())
        offer = await kit.attachments.add_content(place, "offer.pdf", pdf("One"))
        await chat.session.send("Look", "assistant", attachments=(image, offer))
        await chat.is_idle()

        assert chat.text == "Seen."
        shown = script.asked[-1].images
        assert [one.name for one in shown] == ["a.png", "page-1.png"]
        assert hashlib.sha256(shown[0].data).hexdigest() == image.sha256
        (row,) = chat.tool_rows
        assert hashlib.sha256(shown[1].data).hexdigest() == row.images[0].sha256
        assert shown[1].call_id == row.call_id
