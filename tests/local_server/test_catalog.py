"""The listing of agents and skills, and what ships."""

import re
import shutil
from pathlib import Path

import pytest
from skills_ref import validate  # type: ignore[import-untyped] # it has no annotations

from local_server.assistant.agents import choose_agent
from local_server.assistant.catalog import read_inventory
from local_server.assistant.skills import Skill, count_tokens
from local_server.settings import RESOURCES
from tests.support.own_service import own_service

pytestmark = pytest.mark.anyio

_SHIPS = read_inventory(RESOURCES, None, "tests")


@pytest.mark.spec("4.6-agents", "2.5-agent")
async def test_agents_are_a_bare_array_of_exactly_the_specified_fields(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.get("/v1/agents")
    agents = answer.json()
    assert answer.status_code == 200
    assert [agent["name"] for agent in agents] == ["assistant", "files", "terminal", "writer"]
    for agent in agents:
        assert set(agent) == {"name", "display_name", "description", "is_default", "is_enabled"}
        assert (agent["is_default"], agent["is_enabled"]) == (False, True)


@pytest.mark.spec("4.7-skills", "2.6-skill", "1-skills-metadata", "8-skill-description")
@pytest.mark.spec("9-skill-version")
async def test_skills_are_a_bare_array_of_their_metadata(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.get("/v1/skills")
    skills = answer.json()
    assert answer.status_code == 200
    assert [(skill["name"], skill["author"]) for skill in skills] == [
        ("meeting-notes", "Parley"),
        ("plain-language", "Parley"),
        ("release-notes", "Parley"),
        ("tidy-folder", "Parley"),
    ]
    for skill in skills:
        assert set(skill) == {"name", "display_name", "description", "version", "author"}
        assert skill["version"] == "1.0"
        assert 0 < count_tokens(skill["description"]) <= 100


@pytest.mark.spec("4.6-agents", "4.4-agent-name")
async def test_agent_that_its_file_disables_is_neither_listed_nor_answers(tmp_path: Path) -> None:
    resources = shutil.copytree(RESOURCES, tmp_path / "resources")
    path = resources / "agents" / "files.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("metadata:", "metadata:\n  enabled: false"), encoding="utf-8")
    async with own_service(tmp_path, resources=resources) as service:
        agents = (await service.client.get("/v1/agents")).json()
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Hello", "agent_name": "files"}
        answer = await service.client.post("/v1/chat/stream", json=body)
        events = await service.chat(conversation_id, "list this folder")
    assert "files" not in [agent["name"] for agent in agents]
    assert answer.json()["error"]["code"] == "unknown_agent"
    assert events[1]["agent_name"] == "assistant"


@pytest.mark.spec("1-skills-metadata")
async def test_skill_that_a_message_names_is_used(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        events = await service.chat(await service.create(), "Write release notes for 2.0")
        text = "".join(e["delta"]["text"] for e in events if "delta" in e)
    assert "**Release notes** (version 1.0)" in text
    assert "Drop what nobody outside notices" not in text


def test_included_agents_are_valid_and_the_supervisor_is_the_default() -> None:
    assert _SHIPS.problems == ()
    assert not any(found.item.is_default for found in _SHIPS.agents)
    for found in _SHIPS.agents:
        agent = found.item
        assert agent.name == found.path.stem
        assert len(agent.display_name) <= 20
        assert len(agent.instruction.split()) > 150
        assert agent.model is None


@pytest.mark.parametrize("skill", [found.item for found in _SHIPS.skills], ids=lambda s: s.name)
def test_skill_that_ships_is_of_the_open_format_with_steps_and_files_that_exist(
    skill: Skill,
) -> None:
    assert validate(skill.folder) == []
    assert not skill.is_shortened
    assert "\n1. " in skill.instructions
    named = re.findall(r"`(references/[^`]+)`", skill.instructions)
    assert sorted(named) == sorted(skill.files())
    assert all(skill.read_file(path).startswith("# ") for path in named)


@pytest.mark.spec("4.4-routing")
@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("read notes.md from my folder", "files"),
        ("Which folders hold my files?", "files"),
        ("explain general relativity", "assistant"),
        ("How are you?", "assistant"),
        ("run git status", "terminal"),
        ("Why is my build failing?", "terminal"),
        ("Write an email to my landlord", "writer"),
        ("Please proofread this letter", "writer"),
        ("write release notes for: fixed the login", "writer"),
        ("Could you write a poem about the sea?", "writer"),
        ("Save this in a file", "files"),
        ("", "assistant"),
        ("zzz", "assistant"),
    ],
)
def test_plain_messages_find_the_agent_that_ships_for_them(message: str, name: str) -> None:
    agents = [found.item for found in _SHIPS.agents]
    assert choose_agent(message, agents[::-1]).name == name
