"""A search tells nothing of the secrets in files: no line of a key, and no right guess."""

import json
from pathlib import Path
from typing import Any

import pytest

from local_tools.context import Desktop
from local_tools.execution.call_runner import HostActions
from local_tools.registry import ToolRegistry
from local_tools.sandbox.types import SandboxState
from tests.support.chat_fixtures import chat_kit, results
from tests.support.fake_service import FakeService
from tests.support.rules import WHOLE, reading_in
from tests.support.tool_calls import built_in, prepared

pytestmark = [pytest.mark.anyio, pytest.mark.security(93)]

BODY = [f"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA{n:020}" for n in range(12)]
KEY = "\n".join(["-----BEGIN PRIVATE KEY-----", *BODY, "-----END PRIVATE KEY-----"])
ACCOUNT = json.dumps(
    {
        "type": "service_account",
        "note": "word " * 200,
        "private_key": KEY + "\n",
        "padding": "word " * 200,
        "client_email": "robot@example.org",
    }
)


async def whole() -> SandboxState:
    return WHOLE


def written(data: Path, text: str) -> None:
    (data / "notes").mkdir(exist_ok=True)
    (data / "notes" / "plan.txt").write_text(text, encoding="utf-8")


async def searched(data: Path, *queries: dict[str, Any]) -> list[str]:
    """Return what the service gets of these searches under a rule that lets the folder be read."""
    folder = (data / "notes").resolve()
    async with FakeService() as service, chat_kit(data, service, sandbox=whole) as kit:
        service.holds("c1")
        chat = await kit.open()
        await chat.session.set_folder(folder)
        await kit.rules.add(reading_in(folder))
        for query in queries:
            service.asks_tool("search_files", {"path": ".", **query}, call_id=str(query))
            service.says("Well.")
            await chat.said("Search")
        assert not any(state.is_asking for state in chat.states)
        return [text for _, text in results(service)]


async def test_no_line_of_a_private_key_is_told_by_a_search(tmp_path: Path) -> None:
    written(tmp_path, f"before\n{KEY}\nafter\n")
    pattern = {"query": "^[A-Za-z0-9+/=]{5,}$", "is_regex": True}

    told = await searched(tmp_path, {"query": "MIIEv"}, {"query": "KEY"}, pattern)

    assert [text.partition(".")[0] for text in told] == [
        *["Nothing found in 1 file of " + str(tmp_path / "notes")] * 2,
        "2 lines in 1 file of " + str(tmp_path / "notes"),
    ]
    assert told[2].splitlines()[1:] == ["plan.txt:1: before", "plan.txt:16: after"]


async def test_a_key_within_a_long_line_is_masked_wherever_the_search_cuts_it(
    tmp_path: Path,
) -> None:
    written(tmp_path, ACCOUNT)

    queries = ("client_email", "service_account", "private_key", "padding", BODY[5])
    told = await searched(tmp_path, *({"query": query} for query in queries))

    assert not any(line[:40] in text for text in told for line in BODY)
    assert "robot@example.org" in told[0]
    assert "[masked: private key]" in told[2]
    assert told[4].startswith("Nothing found")


SEARCH = built_in("search_files")
GUESSES: tuple[dict[str, Any], ...] = (
    *({"query": f"password = {letter}"} for letter in "hzm"),
    *({"query": letter} for letter in "hzm["),
    {"query": "masked"},
    {"query": "^password = h", "is_regex": True},
    {"query": "^password = [^h]", "is_regex": True},
    {"query": "^(?!password = h)", "is_regex": True},
    {"query": "^(?=.*= h).*$", "is_regex": True},
    {"query": r"= \\w{9}$", "is_regex": True},
    {"query": "user(?=[^=]*= [a-m])", "is_regex": True},
)


async def test_what_a_search_finds_does_not_depend_on_the_secrets_in_a_file(
    tmp_path: Path,
) -> None:
    told = []
    for number, secret in enumerate(("hunter2-hunter2", "zebra9-zebra-33", "xylophone")):
        data = tmp_path / str(number)
        data.mkdir()
        written(data, f"user = ada\npassword = {secret}\nhost = example.org\n")
        calls = [prepared(SEARCH, data, path=".", **guess) for guess in GUESSES]
        # Without the cost of a worker, which the other tests show.
        outcomes = [await HostActions(ToolRegistry.built_in(), Desktop()).run(c) for c in calls]
        told.append([outcome.text.replace(str(data), "") for outcome in outcomes])

    assert told[0] == told[1] == told[2]


@pytest.mark.security(92)
async def test_a_search_leaves_out_the_places_of_secrets_where_no_sandbox_hides_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    names = (".ssh/config", ".var/app/a/logins.json", "snap/a/x", ".config/gh/hosts", "notes/a")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("needle", encoding="utf-8")
    call = prepared(SEARCH, tmp_path, path=".", query="needle", include_hidden=True)

    found = await HostActions(ToolRegistry.built_in(), Desktop()).run(call)

    assert found.text.splitlines()[1:] == ["notes/a:1: needle"]
