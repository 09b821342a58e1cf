"""Agents and skills of the bundled service, asked of its real program."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.common.error_messages import explain
from app.common.errors import UserFacingError
from app.service.catalog import AgentAppearance, CatalogFault, ServiceCatalog
from app.service.server_command import catalog_command
from tests.support.agent_files import write_agents

pytestmark = pytest.mark.anyio


async def test_agents_and_skills_are_listed_and_switched(tmp_path: Path) -> None:
    write_agents(tmp_path, "--none")
    broken = tmp_path / "skills" / "bad" / "SKILL.md"
    broken.parent.mkdir(parents=True)
    broken.write_text("---\ndescription: x\n---\n", encoding="utf-8")
    catalog = ServiceCatalog(tmp_path, os.environ)

    await catalog.switch("agents", "--none", is_on=False)
    with pytest.raises(UserFacingError) as refused:
        await catalog.choose_default("--none")
    found = await catalog.read()

    own = next(agent for agent in found.agents if agent.source == "shared")
    assert (own.name, own.is_enabled) == ("--none", False)
    assert own.path == str(tmp_path / "agents" / "--none.md")
    assert "“--none” is disabled" in explain(refused.value).sentence
    assert all(skill.version and skill.source == "built-in" for skill in found.skills)
    [problem] = found.problems
    assert (problem.path, problem.line) == (str(broken), 1)
    assert (problem.fault, problem.detail) == (CatalogFault.FIELD_MISSING, "name")
    assert problem.message == "the field “name” is missing."


async def test_program_that_is_not_there_is_an_answer_in_words(tmp_path: Path) -> None:
    catalog = ServiceCatalog(tmp_path, os.environ, lambda _arguments: [str(tmp_path / "none")])

    with pytest.raises(UserFacingError) as refused:
        await catalog.read()

    assert "could not do this" in explain(refused.value).sentence


async def test_looks_of_agents_are_read_from_files_that_may_be_anything(tmp_path: Path) -> None:
    asked: list[Sequence[str]] = []

    def command(arguments: Sequence[str]) -> Sequence[str]:
        asked.append(arguments)
        return catalog_command(arguments)

    catalog = ServiceCatalog(tmp_path, os.environ, command)
    own = catalog.folder("agents")
    own.mkdir()
    (own / "broken.md").write_bytes(b"\xff\xfe\x00")
    (own / "folder.md").mkdir()
    assert (await catalog.looks())["writer"] == AgentAppearance("feather", "orange")
    (own / "talker.md").write_text("---\ndescription: Talks of the model it is.\n---\n")
    assert "talker" in await catalog.looks()
    title = '\nmetadata:\n  display-name: "Poet: verses"\n  icon: mail\n---\n'
    (own / "poet.md").write_text(f"---\nname: poet\ndescription: Rhymes.{title}")
    titles = await catalog.looks_by_title()
    assert titles["Poet: verses"] == AgentAppearance("mail")
    assert titles["Assistant"] == AgentAppearance("leaf", "green")
    assert "talker" not in titles
    # The service's program is asked only where a file speaks of a model.
    assert asked == []

    model = "openai:m@http://127.0.0.1:9/v1"
    (own / "a.md").write_text(
        "---\nname: club\ndescription: |\n  a text\n  model: other\nmetadata:\n  icon: mail\n"
        f"  colour: 'pink'\nmodel : \"{model}\" # ours\n---\ncolour: blue\nmodel: none\n",
        encoding="utf-8",
    )
    looks = await catalog.looks()
    assert looks["club"] == AgentAppearance("mail", "pink", model)
    assert looks["writer"] == AgentAppearance("feather", "orange")
