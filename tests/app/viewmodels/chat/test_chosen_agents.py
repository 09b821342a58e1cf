"""Who answers in which chat of a window."""

import os
from pathlib import Path

import pytest

from app.service.catalog import NO_LOOK, AgentAppearance, ServiceCatalog
from app.viewmodels.chat.catalog import AgentRow, CatalogViewModel, auto_agent
from app.viewmodels.chat.chat_choices import ChosenAgents
from tests.support.signals import emitted

_WRITER = AgentRow("writer", "Writer", "Writes")
_FILES = AgentRow("files", "Files", "Finds")


def test_new_chats_begin_with_whom_the_settings_name_once_the_service_has_them() -> None:
    agents = ChosenAgents()
    agents.begin_with("writer")
    assert agents.now == auto_agent()
    agents.offer([auto_agent(), _WRITER, _FILES])

    assert agents.now == _WRITER
    agents.choose_for_new(_FILES)
    assert agents.now == _FILES
    agents.choose_for_new(None)
    assert agents.now == _WRITER

    agents.offer([auto_agent(), _FILES])
    assert agents.now == auto_agent()


def test_auto_that_was_chosen_for_a_new_chat_is_a_choice_too() -> None:
    agents = ChosenAgents()
    agents.begin_with("writer")
    agents.offer([_WRITER])
    agents.choose_for_new(auto_agent())

    assert agents.now == auto_agent()


@pytest.mark.anyio
async def test_agents_of_this_computer_have_their_icons_before_the_service_answers(
    tmp_path: Path,
) -> None:
    files = ServiceCatalog(tmp_path, os.environ)
    catalog = CatalogViewModel(files.looks, files.looks_by_title)
    catalog.show(None, is_local=True)
    await emitted(catalog.looks_changed)

    assert catalog.look_of("Assistant") == AgentAppearance("leaf", "green")
    assert catalog.look_of("Stranger") == NO_LOOK
    await catalog.aclose()
