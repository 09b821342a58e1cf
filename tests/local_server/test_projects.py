"""Agents and skills of a project: its own, what it switched, and what changes while it serves."""

import asyncio
import json
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest

from local_server.assistant.catalog import Catalogs, read_inventory
from local_server.assistant.catalog_overrides import ProjectNameError
from local_server.assistant.front_matter import DefinitionFault, DefinitionProblem
from local_server.commands.catalog_command import Listing, set_default, switch
from local_server.settings import RESOURCES
from tests.support.event_streams import text_of
from tests.support.own_service import HandClock, OwnService, new_client, own_service
from tests.support.service import get, running_service
from tests.support.service_commands import run_here

pytestmark = pytest.mark.anyio


def _add_agent(folder: Path, name: str, text: str = "", file: str | None = None) -> Path:
    path = folder / "agents" / (file or f"{name}.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    fields = f"name: {name}\ndescription: Minds {name}.\nmetadata:\n  version: 1\n"
    path.write_text(f"---\n{fields}{text}---\nBe {name}.", encoding="utf-8")
    return path


def _add_skill(folder: Path, name: str, version: str = "1") -> Path:
    path = folder / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    fields = f"name: {name}\ndescription: Use when {name}.\nmetadata:\n  version: {version}\n"
    path.write_text(f"---\n{fields}---\n1. Do {name}.", encoding="utf-8")
    return path


async def _names(client: httpx.AsyncClient, path: str) -> list[str]:
    return [thing["name"] for thing in (await client.get(path)).json()]


async def _own_names(service: OwnService, path: str) -> list[str]:
    """List what does not ship, once the files may be looked at again."""
    service.clock.move(1)
    ship = {"assistant", "files", "terminal", "writer"}
    ship |= {"meeting-notes", "plain-language", "release-notes", "tidy-folder"}
    return [name for name in await _names(service.client, path) if name not in ship]


async def _refusal(client: httpx.AsyncClient, conversation_id: str, agent: str) -> Any:
    body = {"conversation_id": conversation_id, "message": "Hello", "agent_name": agent}
    answer = await client.post("/v1/chat/stream", json=body)
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.spec("1-skills-metadata", "4.6-agents", "4.7-skills", "4.4-agent-name")
async def test_two_projects_have_different_agents_and_skills(tmp_path: Path) -> None:
    data = tmp_path / "data"
    one, two = data / "projects" / "one", data / "projects" / "two"
    _add_agent(data, "gardener")
    _add_skill(data, "water-plants")
    _add_agent(one, "cook")
    _add_skill(one, "bake-bread")
    _add_agent(two, "files")
    switch(two / "catalog.toml", "agents", "gardener", is_enabled=False)
    switch(two / "catalog.toml", "skills", "release-notes", is_enabled=False)
    async with own_service(tmp_path) as service:
        await service.add_key("pk_live_one", "one")
        await service.add_key("pk_live_two", "two")
        first, second = (
            new_client(service.base_url, "pk_live_one"),
            new_client(service.base_url, "pk_live_two"),
        )
        async with first, second:
            agents = [await _names(client, "/v1/agents") for client in (first, second)]
            skills = [await _names(client, "/v1/skills") for client in (first, second)]
            described = (await second.get("/v1/agents")).json()[1]["description"]
            conversation_id = (await second.post("/v1/conversations")).json()["data"]["id"]
            refused = [await _refusal(second, conversation_id, n) for n in ("cook", "gardener")]
    assert agents[0] == ["assistant", "cook", "files", "gardener", "terminal", "writer"]
    assert agents[1] == ["assistant", "files", "terminal", "writer"]
    assert described == "Minds files."
    assert skills[0] == [
        "bake-bread", "meeting-notes", "plain-language", "release-notes", "tidy-folder",
        "water-plants",
    ]  # fmt: skip
    assert skills[1] == ["meeting-notes", "plain-language", "tidy-folder", "water-plants"]
    assert refused == [(400, "unknown_agent")] * 2


@pytest.mark.spec("4.4-routing")
@pytest.mark.expects_log("the default agent “nobody” is not one of the project’s enabled agents")
async def test_projects_choice_of_a_default_goes_before_what_files_say(tmp_path: Path) -> None:
    project = tmp_path / "data" / "projects" / "tests"
    _add_agent(tmp_path / "data", "b", "  default: true\n")
    _add_agent(project, "a", "  default: true\n")
    _add_agent(project, "c")
    switches = project / "catalog.toml"
    told: list[tuple[str | None, list[str]]] = []
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        for choose in ("by the files", "c", "nobody", None):
            if choose != "by the files":
                set_default(switches, choose)
            service.clock.move(1)
            agents = (await service.client.get("/v1/agents")).json()
            events = await service.chat(conversation_id, "Mind b")
            told.append(
                (events[0].get("agent_name"), [a["name"] for a in agents if a["is_default"]])
            )
    assert told == [("a", ["a"]), ("c", ["c"]), (None, []), (None, [])]


async def test_agent_that_is_switched_off_is_not_used(tmp_path: Path) -> None:
    switches = tmp_path / "data" / "projects" / "tests" / "catalog.toml"
    used: list[bool] = []
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        for is_enabled in (True, False, True):
            switch(switches, "skills", "release-notes", is_enabled=is_enabled)
            service.clock.move(1)
            events = await service.chat(conversation_id, "Write release notes for 2.0")
            used.append("the skill **Release notes**" in text_of(events))
    assert used == [True, False, True]


async def test_running_service_follows_each_change_after_a_second_our_choice(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    async with own_service(tmp_path) as service:
        assert await _own_names(service, "/v1/agents") == []
        cook = _add_agent(data, "cook")
        assert "cook" not in await _names(service.client, "/v1/agents")
        assert await _own_names(service, "/v1/agents") == ["cook"]
        cook.rename(cook.with_name("chef.md"))
        cook = _add_agent(data, "chief-cook", file="chef.md")
        assert await _own_names(service, "/v1/agents") == ["chief-cook"]
        cook.unlink()
        service.clock.move(-1000)
        assert await _own_names(service, "/v1/agents") == []
        assert await _own_names(service, "/v1/skills") == []
        knit = _add_skill(data, "knit")
        assert await _own_names(service, "/v1/skills") == ["knit"]
        knit.parent.rename(knit.parent.with_name(".hidden"))
        assert await _own_names(service, "/v1/skills") == []


@pytest.mark.expects_log("cook.md:3: this is not YAML")
async def test_broken_file_is_named_once_and_what_it_said_before_stays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    cook = _add_agent(data, "cook")
    _add_agent(data, "gardener")
    broken = "---\nname: cook\ndescription: [\n---\n"

    def told() -> int:
        return sum("cook.md:3:" in record.getMessage() for record in caplog.records)

    async with own_service(tmp_path) as service:
        assert await _own_names(service, "/v1/agents") == ["cook", "gardener"]
        cook.write_text(broken, encoding="utf-8")
        for _ in range(3):
            assert await _own_names(service, "/v1/agents") == ["cook", "gardener"]
        _add_agent(data, "baker")
        assert await _own_names(service, "/v1/agents") == ["baker", "cook", "gardener"]
        assert told() == 1
        (data / "agents" / "baker.md").unlink()
        _add_agent(data, "cook")
        assert await _own_names(service, "/v1/agents") == ["cook", "gardener"]
        cook.write_text(broken, encoding="utf-8")
        assert await _own_names(service, "/v1/agents") == ["cook", "gardener"]
        assert told() == 2
    async with own_service(tmp_path) as service:
        assert await _own_names(service, "/v1/agents") == ["gardener"]


@pytest.mark.expects_log("agents:1: it cannot be read: Not a directory.")
@pytest.mark.expects_log("knit/SKILL.md:1: it cannot be read: Too many levels of symbolic links.")
async def test_folder_that_cannot_be_read_leaves_what_was_in_it_in_use(tmp_path: Path) -> None:
    data = tmp_path / "data"
    _add_agent(data, "cook")
    knit = _add_skill(data, "knit")
    async with own_service(tmp_path) as service:
        assert await _own_names(service, "/v1/agents") == ["cook"]
        (data / "agents").rename(data / "away")
        (data / "agents").write_text("in the way", encoding="utf-8")
        knit.unlink()
        knit.symlink_to("SKILL.md")
        assert await _own_names(service, "/v1/agents") == ["cook"]
        assert await _own_names(service, "/v1/skills") == ["knit"]
        (data / "agents").unlink()
        assert await _own_names(service, "/v1/agents") == []
    assert read_inventory(RESOURCES, data, "tests").problems[0].path == str(knit)


@pytest.mark.expects_log("double.md:1:")
async def test_first_file_wins_in_a_folder_and_the_projects_own_over_others(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    _add_agent(data, "cook")
    _add_agent(data, "cook", file="double.md")
    (data / "agents" / "README.md").write_text("No agent.", encoding="utf-8")
    (data / "agents" / ".#cook.md").symlink_to("nowhere")
    own = _add_agent(data / "projects" / "tests", "cook", "  display-name: Own cook\n")
    async with own_service(tmp_path) as service:
        agents = (await service.client.get("/v1/agents")).json()
        assert [a["display_name"] for a in agents if a["name"] == "cook"] == ["Own cook"]
        own.unlink()
        service.clock.move(1)
        agents = (await service.client.get("/v1/agents")).json()
        assert [a["display_name"] for a in agents if a["name"] == "cook"] == ["Cook"]


@pytest.mark.expects_log("broken.md:2: this is not YAML")
async def test_faults_in_shared_files_are_logged_once_at_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "broken.md").write_text("---\nname: [\n---\n", encoding="utf-8")
    catalogs = Catalogs(RESOURCES, tmp_path, HandClock())
    catalogs.check_shared()
    assert caplog.text.count("broken.md:2: this is not YAML") == 1
    await catalogs.of("one")
    assert caplog.text.count("broken.md:2: this is not YAML") == 1


async def test_requests_that_come_at_once_get_one_catalog(tmp_path: Path) -> None:
    for number in range(50):
        _add_agent(tmp_path, f"a{number}")
    clock = HandClock()
    catalogs = Catalogs(RESOURCES, tmp_path, clock)
    found = await asyncio.gather(*(catalogs.of(name) for name in ["one", "two"] * 10))
    assert len({id(catalog) for catalog in found}) == 2
    assert {len(catalog.agents) for catalog in found} == {54}
    clock.move(1)
    assert await catalogs.of("one") is found[0]
    _add_agent(tmp_path, "shared")
    clock.move(1)
    assert [len((await catalogs.of(name)).agents) for name in ("one", "two")] == [55, 55]
    with pytest.raises(ProjectNameError):
        await catalogs.of("../one")


@pytest.mark.parametrize("command", ["agents list", "skills list", "agents disable files"])
@pytest.mark.parametrize("project", ["../up", "/etc", "a/b", ".", "", "Ä", "a" * 64, "a\0b"])
def test_name_of_a_project_is_no_path(tmp_path: Path, command: str, project: str) -> None:
    with pytest.raises(ProjectNameError):
        read_inventory(RESOURCES, tmp_path, project)
    if project == "../up":
        code, out, error = run_here(
            *command.split(), "--project", project, "--data-dir", str(tmp_path)
        )
        assert (code, out, error.count("\n")) == (1, "", 1)
        assert error.startswith("A project’s name has small letters")
    assert list(tmp_path.iterdir()) == []


def test_commands_list_switch_and_choose(tmp_path: Path) -> None:
    where = ("--project", "demo", "--data-dir", str(tmp_path))
    broken = tmp_path / "agents" / "broken.md"
    _add_agent(tmp_path, "cook")
    broken.write_text("---\nname: [\n---\n", encoding="utf-8")
    assert run_here("agents", "disable", "files", *where)[:2] == (
        0, "files is disabled for demo.\n",
    )  # fmt: skip
    assert run_here("agents", "default", "cook", *where)[0] == 0
    _, table, errors = run_here("agents", "list", *where)
    lines = [line.split(maxsplit=4) for line in table.splitlines()]
    assert lines[0] == ["NAME", "ENABLED", "DEFAULT", "FROM", "DESCRIPTION"]
    assert [line[:4] for line in lines[1:4]] == [
        ["assistant", "yes", "no", "built-in"],
        ["cook", "yes", "yes", "shared"],
        ["files", "no", "no", "built-in"],
    ]
    assert errors.startswith(f"{broken}:2: this is not YAML: ")
    report = json.loads(run_here("skills", "list", "--json", *where)[1])
    assert [skill["name"] for skill in report["skills"]][:2] == ["meeting-notes", "plain-language"]
    [problem] = report["problems"]
    assert (problem["path"], problem["line"], problem["fault"]) == (str(broken), 2, "not_yaml")
    assert f"{broken}:2: {problem['message']}" == errors.strip()
    for arguments, sentence in (
        (("skills", "disable", "cook"), "There is no skill “cook” here. There are: meeting-notes"),
        (("agents", "default", "files"), "The agent “files” is disabled. Enable it first"),
        (("agents", "default"), "Give either the name of an agent or --none."),
    ):
        code, out, error = run_here(*arguments, *where)
        assert (code != 0, out) == (True, "")
        assert sentence in error
    assert run_here("agents", "disable", "cook", *where)[1] == (
        "cook is disabled for demo. It was the default; the supervisor chooses now.\n"
    )
    assert run_here("agents", "default", "--none", *where)[0] == 0
    assert 'default_agent = ""' in (tmp_path / "projects" / "demo" / "catalog.toml").read_text()


def test_choices_are_private_and_keep_what_people_wrote_around_them(tmp_path: Path) -> None:
    path = tmp_path / "data" / "projects" / "demo" / "catalog.toml"
    switch(path, "agents", "files", is_enabled=False)
    modes = [stat.S_IMODE(place.stat().st_mode) for place in (path, *list(path.parents)[:3])]
    assert modes == [0o600, 0o700, 0o700, 0o700]
    path.write_text("# mine\nlater = 3\n[agents]\nfiles = false # no\n", encoding="utf-8")
    switch(path, "agents", "ö: 'x'", is_enabled=True)
    set_default(path, "cook")
    text = path.read_text(encoding="utf-8")
    assert "# mine\nlater = 3\n" in text
    assert "files = false # no\n" in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [place.name for place in path.parent.iterdir()] == ["catalog.toml"]


def test_listing_for_programs_can_be_printed_whatever_files_are_called() -> None:
    problem = DefinitionProblem("\udcff.md", 1, DefinitionFault.FIELD_MISSING, "name")
    listing = Listing("agents", (), (problem,))
    assert listing.as_json().isascii()
    assert json.loads(listing.as_json())["problems"][0]["path"] == "\udcff.md"


def test_child_of_the_app_has_the_agents_and_choices_of_the_project_local(tmp_path: Path) -> None:
    data = tmp_path / "service"
    _add_agent(data, "cook")
    _add_skill(data / "projects" / "local", "bake-bread")
    switch(data / "projects" / "local" / "catalog.toml", "agents", "files", is_enabled=False)
    with running_service(tmp_path) as service:
        agents = get(service.base_url + "/v1/agents", service.key).json()
        skills = get(service.base_url + "/v1/skills", service.key).json()
    assert [agent["name"] for agent in agents] == ["assistant", "cook", "terminal", "writer"]
    assert "bake-bread" in [skill["name"] for skill in skills]
