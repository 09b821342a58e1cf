"""The listing of agents and skills."""

import shutil
from pathlib import Path

import pytest

from local_server.settings import RESOURCES
from tests.support.own_service import own_service

pytestmark = pytest.mark.anyio


@pytest.mark.spec("4.6-agents", "2.5-agent")
async def test_agents_are_a_bare_array_of_exactly_the_specified_fields(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.get("/v1/agents")
    agents = answer.json()
    assert answer.status_code == 200
    assert [agent["name"] for agent in agents] == ["assistant", "files"]
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
        ("plain-language", None),
        ("release-notes", "Parley"),
    ]
    for skill in skills:
        assert set(skill) == {"name", "display_name", "description", "version", "author"}
        assert skill["version"] == "1.0"
        assert 0 < len(skill["description"].split()) <= 75


@pytest.mark.spec("4.6-agents", "4.4-agent-name")
async def test_disabled_agent_is_neither_listed_nor_answers(tmp_path: Path) -> None:
    resources = shutil.copytree(RESOURCES, tmp_path / "resources")
    path = resources / "agents" / "files.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("metadata:", "metadata:\n  enabled: false"), encoding="utf-8")
    async with own_service(tmp_path, resources=resources) as service:
        agents = (await service.client.get("/v1/agents")).json()
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Hello", "agent_name": "files"}
        answer = await service.client.post("/v1/chat/stream", json=body)
        events = await service.chat(conversation_id, "read this file")
    assert [agent["name"] for agent in agents] == ["assistant"]
    assert answer.json()["error"]["code"] == "unknown_agent"
    assert events[1]["agent_name"] == "assistant"


@pytest.mark.spec("1-skills-metadata")
async def test_skill_that_a_message_names_is_used(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        events = await service.chat(await service.create(), "Write release notes for 2.0")
        text = "".join(e["delta"]["text"] for e in events if "delta" in e)
    assert "**Release notes** (version 1.0)" in text
    assert "2. Drop what nobody outside notices" in text
