"""Who answers in which chat of a window."""

from app.viewmodels.chat.catalog import auto_agent
from app.viewmodels.chat.chosen_agents import ChosenAgents
from app.viewmodels.chat.states import AgentRow

_WRITER = AgentRow("writer", "Writer", "Writes")
_FILES = AgentRow("files", "Files", "Finds")


def _name(agents: ChosenAgents, conversation_id: str) -> str | None:
    agents.follow(conversation_id)
    return agents.now.name


def test_choice_belongs_to_its_chat_and_another_one_has_auto() -> None:
    agents = ChosenAgents()
    agents.follow("one")
    agents.choose(_WRITER)

    assert [_name(agents, each) for each in ("one", "two", "", "one")] == [
        "writer",
        None,
        None,
        "writer",
    ]


def test_new_chats_begin_with_whom_the_settings_name_once_the_service_has_them() -> None:
    agents = ChosenAgents()
    agents.begin_with("writer")
    assert _name(agents, "") is None
    agents.offer([auto_agent(), _WRITER, _FILES])

    assert _name(agents, "") == "writer"
    assert _name(agents, "old") is None
    agents.follow("")
    agents.choose(_FILES)
    agents.give_to("new", agents.now)
    assert (_name(agents, "new"), _name(agents, "")) == ("files", "writer")

    agents.offer([auto_agent(), _FILES])
    assert _name(agents, "") is None


def test_auto_that_was_chosen_for_a_new_chat_is_a_choice_too() -> None:
    agents = ChosenAgents()
    agents.begin_with("writer")
    agents.offer([_WRITER])
    agents.choose(auto_agent())

    assert _name(agents, "") is None
