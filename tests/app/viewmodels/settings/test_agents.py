"""Agents and skills in the settings: listed, switched, taken back, and put into words."""

from pathlib import Path

import pytest

from app.config.settings import LOCAL_PROJECT
from app.paths import paths_under
from app.service.catalog import CatalogFault, CatalogProblem
from app.viewmodels.settings.agents import AgentsViewModel, catalog_fault_text
from app.viewmodels.settings.setting_texts import changed_text
from tests.support.agent_settings_fixtures import agents_desk, settled
from tests.support.fake_service import FakeService
from tests.support.signals import emitted
from tests.support.window import has_chosen_hosted, has_chosen_offline

pytestmark = pytest.mark.anyio


def _on(agents: AgentsViewModel) -> list[str]:
    return [row.name for row in (*agents.view.agents, *agents.view.skills) if row.is_on]


async def test_switched_agent_is_off_in_the_service_and_can_be_switched_back(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with agents_desk(tmp_path) as (agents, desk):
        agents.refresh()
        await settled(agents)
        assert _on(agents) == ["broken", "files", "writer", "notes"]
        assert agents.view.skills[0].words == "included with Parley · version 1.2 · by Ada"
        assert agents.view.faults == ("agents/x.md, line 4: the line “name: …” is missing.",)

        agents.switch("agents", "files", is_on=False)
        agents.switch("skills", "notes", is_on=False)
        agents.choose_for_auto("writer")
        seen = emitted(agents.switched)
        await settled(agents)
        while agents.view.auto_agent != "writer" or len(_on(agents)) != 2:
            await emitted(agents.changed)
        assert [name for name, _ in agents.view.auto] == ["", "broken", "writer"]
        await seen

        subjects = ("agents.agent_off", "agents.skill_off", "agents.auto")
        assert desk.preferences.subjects == subjects
        done = ["Agent turned off", "Skill turned off", "Agent for Auto changed"]
        assert [changed_text(subject) for subject in subjects] == done
        for _ in subjects:
            desk.preferences.undo()
        while agents.view.auto_agent or len(_on(agents)) != 4:
            await emitted(agents.changed)
        assert not desk.preferences.can_undo


async def test_switch_that_cannot_be_kept_says_why_and_leaves_nothing_to_take_back(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with agents_desk(tmp_path) as (agents, desk):
        agents.refresh()
        await settled(agents)
        agents.switch("agents", "broken", is_on=False)
        while not agents.view.problem:
            await emitted(agents.changed)

        assert "cannot be written" in agents.view.problem
        assert "broken" in _on(agents)
        assert not desk.preferences.can_undo


async def test_new_chats_of_a_project_begin_with_whom_was_chosen_for_it(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.agents = [
            {"name": "poet", "display_name": "Poet", "is_default": True},
            {"name": "gone", "is_enabled": False},
        ]
        service.skills = [{"name": "rhyme", "version": "2"}]
        keyring = has_chosen_hosted(tmp_path, service)
        async with agents_desk(tmp_path, keyring) as (agents, desk):
            agents.refresh()
            await settled(agents)
            rows = (*agents.view.agents, *agents.view.skills)
            assert [(row.title, row.words) for row in rows] == [
                ("Poet", "used by Auto"),
                ("gone", ""),
                ("rhyme", "version 2"),
            ]
            assert not any(row.can_switch for row in rows)
            assert (agents.view.auto, agents.view.faults) == ((), ())
            assert agents.view.new_chats == (("", "Auto"), ("poet", "Poet"))

            agents.begin_new_chats_with("poet")
            assert agents.view.new_chat_agent == "poet"
            assert LOCAL_PROJECT not in desk.settings.current.agents.new_chats
            desk.preferences.undo("agents.new_chats")
            assert agents.view.new_chat_agent == ""


async def test_agent_for_new_chats_that_is_not_there_any_more_is_still_named(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with agents_desk(tmp_path) as (agents, desk):
        agents.begin_new_chats_with("poet")
        assert dict(desk.settings.current.agents.new_chats) == {LOCAL_PROJECT: "poet"}
        agents.refresh()
        await settled(agents)

        assert agents.view.new_chats[-1] == ("poet", "poet (not available)")


async def test_folder_for_own_agents_is_made_when_it_is_opened(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    folder = paths_under(tmp_path).service_data / "agents"
    async with agents_desk(tmp_path) as (agents, _desk):
        made = emitted(agents.folder_made)
        agents.open_folder("agents")

        assert (await made)[0] == str(folder)
        assert folder.is_dir()
        folder.with_name("skills").write_text("in the way")
        agents.open_folder("skills")
        while not agents.view.problem:
            await emitted(agents.changed)


@pytest.mark.parametrize(
    ("fault", "detail", "words"),
    [
        ("not_yaml", "found '{'", "this line is not valid (found '{')."),
        ("long_front_matter", "", "the text between the two “---” lines is too long."),
        ("something_new", "x", "The service says it."),
    ],
)
def test_fault_of_a_file_is_told_in_plain_words(fault: str, detail: str, words: str) -> None:
    told = {"path": "/data/agents/a.md", "line": 2, "fault": fault, "detail": detail}
    problem = CatalogProblem.model_validate({**told, "message": "The service says it."})

    assert catalog_fault_text(problem, Path("/data")) == f"agents/a.md, line 2: {words}"


def test_every_fault_that_the_service_can_find_has_words() -> None:
    for fault in CatalogFault:
        problem = CatalogProblem(path="/data/a.md", line=1, fault=fault, message="Unknown")
        assert "Unknown" not in catalog_fault_text(problem, Path("/data"))
