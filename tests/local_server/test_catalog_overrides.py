"""What a project switched on and off: a file by hand, which may be anything."""

from pathlib import Path

import httpx
import pytest

from local_server.assistant.catalog import read_inventory
from local_server.assistant.catalog_overrides import read_overrides
from local_server.assistant.front_matter import DefinitionError
from local_server.commands.catalog_command import switch
from local_server.commands.options import CommandError
from local_server.settings import RESOURCES
from tests.support.own_service import own_service
from tests.support.service_commands import run_here

pytestmark = pytest.mark.anyio


async def _names(client: httpx.AsyncClient, path: str) -> list[str]:
    return [thing["name"] for thing in (await client.get(path)).json()]


@pytest.mark.expects_log("catalog.toml:2: this is not TOML", "until this can be read")
async def test_choices_that_cannot_be_read_leave_those_before_in_use_or_else_nothing(
    tmp_path: Path,
) -> None:
    switches = tmp_path / "data" / "projects" / "tests" / "catalog.toml"
    switch(switches, "agents", "files", is_enabled=False)
    async with own_service(tmp_path) as service:
        before = await _names(service.client, "/v1/agents")
        switches.write_text("[agents]\nfiles = yes\n", encoding="utf-8")
        service.clock.move(1)
        after = await _names(service.client, "/v1/agents")
        switches.unlink()
        service.clock.move(1)
        without = await _names(service.client, "/v1/agents")
        # Nobody knows what was to be switched off here.
        switches.write_text("[agents]\nfiles = no\n", encoding="utf-8")
        service.clock.move(1)
        closed = [await _names(service.client, f"/v1/{kind}") for kind in ("agents", "skills")]
        created = await service.client.post("/v1/conversations")
        message = {"conversation_id": created.json()["data"]["id"], "message": "Hello"}
        refused = (await service.client.post("/v1/chat/stream", json=message)).json()["error"]
        switches.write_text("[agents]\nfiles = false\n", encoding="utf-8")
        service.clock.move(1)
        mended = await _names(service.client, "/v1/agents")
    assert closed == [[], []]
    assert refused["code"] == "unknown_agent"
    assert "until catalog.toml can be read" in refused["message"]
    assert mended == before
    assert before == after == ["assistant", "terminal", "writer"]
    assert "files" in without


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[agents]\nfiles = yes", ":2: this is not TOML: Invalid value (at line 2, column 9)."),
        ("[agents]\nfiles = 'no'", ":1: “agents.files” must be true or false."),
        ("skills = 1", ":1: “skills” must be true or false."),
        ("default_agent = true", ":1: “default_agent” must be a name in quotes."),
        ("\udcff", ":1: this is not UTF-8 text."),
        ("a = " + "9" * 5000, ":1: it has a number that is too large."),
        ("a = " + "[" * 50_000, ":1: this TOML is nested too deeply."),
    ],
    ids=lambda value: str(value)[:30].encode("ascii", "replace").decode(),
)
def test_choices_that_are_none_are_named_and_never_overwritten(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "projects" / "demo" / "catalog.toml"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(CommandError) as caught:
        switch(path, "agents", "files", is_enabled=True)
    assert str(caught.value) == f"{path}{problem}"
    inventory = read_inventory(RESOURCES, tmp_path, "demo")
    closed = f"{path}:1: no agent and no skill is used until this can be read."
    assert tuple(map(str, inventory.problems)) == (f"{path}{problem}", closed)
    assert inventory.agents
    assert not any(found.item.is_enabled for found in inventory.agents)
    assert not any(found.item.is_enabled for found in inventory.skills)
    assert path.read_bytes() == text.encode(errors="surrogateescape")


def test_choices_in_a_place_that_cannot_be_looked_into_are_named(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 300)
    with pytest.raises(DefinitionError, match="it cannot be read"):
        read_overrides(path)


def test_choices_that_cannot_be_written_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "projects").write_text("in the way", encoding="utf-8")
    code, out, error = run_here(
        "skills", "enable", "tidy-folder", "--project", "demo", "--data-dir", str(tmp_path)
    )
    assert (code, out) == (1, "")
    assert error.strip().endswith("catalog.toml cannot be written: Not a directory.")
