"""Nothing that the assistant is told before a decision depends on what lies on the disk."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from app.approvals.rules import RuleLifetime, ToolScope, new_rule
from local_tools.paths.beneath import HASH_LIMIT_BYTES
from local_tools.registry import ToolRegistry
from local_tools.tool import GuardedPath, tool
from tests.support.chat_fixtures import START, STOP, ChatKit, chat_kit, results
from tests.support.fake_service import FakeService, sse

pytestmark = pytest.mark.anyio

HELD = "password = hunter2\n"
# What an assistant that guesses would ask, of a place that stands for `{}`.
CALLS: dict[str, dict[str, Any]] = {
    "edit_file": {"path": "{}", "old_text": "password = h", "new_text": "x"},
    "edit_file everywhere": {
        "path": "{}",
        "old_text": "password",
        "new_text": "password ",
        "replace_all": True,
    },
    "edit_file nothing": {"path": "{}", "old_text": "same", "new_text": "same"},
    "write_file": {"path": "{}", "content": HELD},
    "write_file as a folder": {"path": "{}/", "content": "x"},
    "move_file away": {"path": "{}", "new_path": "moved.txt"},
    "move_file there": {"path": "mine.txt", "new_path": "{}"},
    "move_file into": {"path": "mine.txt", "new_path": "{}/"},
    "delete_file": {"path": "{}"},
    "read_file": {"path": "{}"},
    "list_folder": {"path": "{}"},
    "search_files": {"path": "{}", "query": "password = h"},
    "search_files hidden": {
        "path": "{}",
        "query": "^p.*h",
        "is_regex": True,
        "include_hidden": True,
    },
    "open_file": {"path": "{}"},
    "run_command itself": {"argv": ["{}"]},
    "run_command on it": {"argv": ["cat", "{}"]},
    "run_shell": {"command": "cat {}"},
}
PLACES = {
    "protected": "{home}/.aws/deep/credentials",
    "protected, by ~": "~/.aws/deep/credentials",
    "secret in the folder": "deep/.env",
    "plain in the folder": "deep/plain.txt",
    "outside": "{home}/elsewhere/deep/diary.txt",
    "behind a link": "{home}/link/deep/credentials",
    "obeyed once it is there": "deep/mise.toml",
    "obeyed outside": "{home}/elsewhere/deep/.exrc",
}


def no_parent(place: Path) -> None:
    place.parent.rmdir()


def parent_is_a_file(place: Path) -> None:
    place.parent.rmdir()
    place.parent.write_text(HELD, encoding="utf-8")


def missing(_place: Path) -> None:
    """Nothing is made there."""


def right_guess(place: Path) -> None:
    place.write_text(HELD, encoding="utf-8")


def wrong_guess(place: Path) -> None:
    place.write_text("user = someone\n", encoding="utf-8")


def folder(place: Path) -> None:
    place.mkdir()
    (place / "mine.txt").write_text(HELD, encoding="utf-8")


def unreadable(place: Path) -> None:
    right_guess(place)
    place.chmod(0)


def no_text(place: Path) -> None:
    place.write_bytes(b"\xff\0")


def huge(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(HASH_LIMIT_BYTES + 1)


def many_lines(place: Path) -> None:
    place.write_text("password = h\n" * 5_000, encoding="utf-8")


def with_another_name(place: Path) -> None:
    right_guess(place)
    os.link(place, place.with_name("other"))


def link_to_a_secret(place: Path) -> None:
    place.symlink_to(Path.home() / ".ssh" / "id_ed25519")


def link_to_itself(place: Path) -> None:
    place.symlink_to(place)


def pipe(place: Path) -> None:
    os.mkfifo(place)


def program(place: Path) -> None:
    place.write_text("#!/bin/sh\necho hunter2\n", encoding="utf-8")
    place.chmod(0o755)


World: TypeAlias = Callable[[Path], None]
SOME: tuple[World, ...] = (right_guess, missing, link_to_a_secret)
ALL: tuple[World, ...] = (
    *(
        *SOME,
        folder,
        wrong_guess,
        no_parent,
        parent_is_a_file,
        unreadable,
        no_text,
        huge,
        many_lines,
    ),
    *(with_another_name, link_to_itself, pipe, program),
)


@pytest.mark.security(87)
@pytest.mark.parametrize(
    "worlds", [pytest.param(SOME, id="some"), pytest.param(ALL, id="all", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("place", PLACES)
async def test_nothing_is_told_of_a_place_before_somebody_decides(
    tmp_path: Path, place: str, worlds: Sequence[World]
) -> None:
    asked = PLACES[place].format(home=tmp_path)
    real = Path(asked.replace("~", str(tmp_path)))
    real = real if real.is_absolute() else tmp_path / "notes" / real
    (tmp_path / "notes").mkdir()
    (tmp_path / ".aws").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / ".aws")
    (tmp_path / "notes" / "mine.txt").write_text("mine", encoding="utf-8")
    seen: dict[str, list[Any]] = {}
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        for number, world in enumerate(worlds):
            real.parent.mkdir(parents=True)
            world(real)
            seen[world.__name__] = await heard(service, kit, asked, f"chat-{number:02}")
            clear(real.parent)
    other = {name: heard for name, heard in seen.items() if heard != seen["right_guess"]}
    assert other == {}


@pytest.mark.security(87)
async def test_inaccessible_path_is_asked_about_like_any_other(
    tmp_path: Path,
) -> None:
    (tmp_path / "notes").mkdir()
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("write_file", {"path": f"{'n' * 300}/.exrc", "content": "x"})
        service.says("Well.")
        chat = await kit.open("c1")
        await chat.session.set_folder(tmp_path / "notes")
        await chat.send("Guess")
        await chat.deny("No.")
        await chat.is_idle()
        ((_, result),) = results(service)
    assert result.startswith("The user declined")


@pytest.mark.security(87)
async def test_no_file_is_looked_at_for_a_call_that_is_declined_anyway(tmp_path: Path) -> None:
    """How long such a look takes would tell what lies there, as often as anybody asks."""
    registry, looks = ToolRegistry(), list[str]()

    @tool(title="Peek")
    def peek(path: GuardedPath) -> str:
        return str(path)

    @peek.preview
    def _look(path: GuardedPath) -> None:
        looks.append(path.relative)

    registry.add(peek)
    (tmp_path / "notes").mkdir()
    async with FakeService() as service, chat_kit(tmp_path, service, registry=registry) as kit:
        service.holds("c1")
        chat = await kit.open("c1")
        await chat.session.set_folder(tmp_path / "notes")
        asked = [sse("tool_use", id=f"d{n}", name="peek", input={"path": "a"}) for n in range(3)]
        service.sends(START, *asked, STOP)
        for _ in asked:
            service.says("Well.")
        await chat.send("Guess")
        await chat.deny("No.")
        await chat.is_idle()
        assert looks == ["a"]

        await kit.rules.add(
            new_rule(
                (peek.definition,), ToolScope(), RuleLifetime("c1"), kit.clock.wall(), denies=True
            )
        )
        service.asks_tool("peek", {"path": "b"}, call_id="f1")
        service.says("Well.")
        await chat.send("Guess on")
        await chat.is_idle()

        assert looks == ["a"]
        told = [text for _, text in results(service)]
        assert len(told) == 4
        assert "not asked again. Reason: No." in told[1] == told[2]
        assert "has a rule that forbids" in told[3]


@pytest.mark.security(87)
async def test_whether_the_folder_of_the_chat_is_still_there_is_not_told(tmp_path: Path) -> None:
    notes, place = tmp_path / "notes", "plain.txt"
    notes.mkdir()
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        there = await heard(service, kit, place, "chat-1")
        gone = await heard(service, kit, place, "chat-2", notes.rmdir)
    assert gone == there


async def heard(
    service: FakeService,
    kit: ChatKit,
    place: str,
    chat_id: str,
    change: Callable[[], None] = lambda: None,
) -> list[Any]:
    """All that the service received while each call was asked for and declined, if it asked.

    `change` is done once the chat has its folder.
    """
    service.holds(chat_id)
    chat = await kit.open(chat_id)
    await chat.session.set_folder(kit.home / "notes")
    change()
    uses = [
        sse("tool_use", id=str(n), name=name.partition(" ")[0], input=_about(place, given))
        for n, (name, given) in enumerate(CALLS.items())
    ]
    service.sends(START, *uses, STOP)
    for _ in uses:
        service.says("Well.")
    before, waiting = len(service.requests), kit.approvals.waiting
    asked: list[tuple[str, int]] = []
    await chat.send("Guess")
    while True:
        await chat.until(lambda: bool(waiting(chat_id)) or not chat.session.state.is_busy)
        if not chat.session.state.is_busy:
            break
        asked.append((waiting(chat_id)[0].request.call_id, len(service.requests) - before))
        await chat.deny("No.")
    chat.close()
    sent = service.requests[before:]
    said = [(r.method, r.path, r.body.replace(chat_id.encode(), b"")) for r in sent]
    return [*asked, *said]


def _about(place: str, given: dict[str, Any]) -> Any:
    return json.loads(json.dumps(given).replace("{}", place))


def clear(place: Path) -> None:
    """Remove whatever is there, links as themselves."""
    if place.is_dir() and not place.is_symlink():
        for item in place.iterdir():
            clear(item)
        place.rmdir()
    elif place.exists() or place.is_symlink():
        place.unlink()
