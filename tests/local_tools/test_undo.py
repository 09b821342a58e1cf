"""What a file tool changed is put back, only while nobody else changed it, and said honestly."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from local_tools.context import Desktop
from local_tools.diff import line_counts
from local_tools.errors import ToolError
from local_tools.execution.call_runner import CallRunner, HostActions
from local_tools.execution.prepare import PreparedCall
from local_tools.execution.tool_runner import ToolRunner
from local_tools.ledger.steps import CallKey
from local_tools.outcome import ToolOutcome
from local_tools.registry import ToolRegistry
from local_tools.undo.undo import (
    COPY_LIMIT_BYTES,
    KeptChange,
    RecordFolder,
    UndoRecord,
    UndoStore,
    restore,
)
from tests.support.held_work import HeldWork
from tests.support.tool_calls import built_in, call_runner, prepared

pytestmark = pytest.mark.anyio

KEY = CallKey("home", "conversation", "call-1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the chat's folder, with a trash and the kept copies beside it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path) -> UndoStore:
    return UndoStore(tmp_path / "undo")


async def run(store: UndoStore, call: PreparedCall, key: CallKey = KEY) -> None:
    """Run a call as the program does, but without the cost of a worker."""
    host = HostActions(ToolRegistry.built_in(), Desktop())
    store.before(key, call)
    assert (await host.run(call)).status == "ok"
    store.after(key)


def call_of(name: str, folder: Path, /, **values: object) -> PreparedCall:
    return prepared(built_in(name), folder, **values)


async def test_a_written_file_gets_its_contents_and_mode_back(
    folder: Path, store: UndoStore
) -> None:
    (folder / "a").write_text("old")
    (folder / "a").chmod(0o600)
    await run(store, call_of("write_file", folder, path="a", content="new"))
    assert store.look(KEY).state == "available"
    assert str(store.undo(KEY)) == f"Restored {folder / 'a'}."
    assert (folder / "a").read_text() == "old"
    assert (folder / "a").stat().st_mode & 0o777 == 0o600
    assert (store.look(KEY).state, str(store.look(KEY).reason)) == (
        "done",
        "This call has already been undone.",
    )
    with pytest.raises(ToolError, match="This call has already been undone"):
        store.undo(KEY)


async def test_a_new_file_is_removed_again(folder: Path, store: UndoStore) -> None:
    await run(store, call_of("write_file", folder, path="a", content="new\n"))
    made = KeptChange("@@ line 1 @@\n+new", is_new=True)
    assert store.change(KEY) == made
    assert str(store.undo(KEY)) == f"Removed {folder / 'a'}."
    assert not (folder / "a").exists()
    assert store.change(KEY) == made


@pytest.mark.security(9)
async def test_kept_difference_has_the_lines_that_were_shown(
    folder: Path, store: UndoStore
) -> None:
    # With the line ends of other systems, the first line would go on as a removed one.
    await run(store, call_of("write_file", folder, path="a", content="one\r-two\r\n"))
    assert store.change(KEY) == KeptChange("@@ line 1 @@\n+one\r-two\r", is_new=True)


async def test_an_edit_is_undone(folder: Path, store: UndoStore) -> None:
    (folder / "a").write_text("one two")
    await run(store, call_of("edit_file", folder, path="a", old_text="one", new_text="1"))
    kept = store.change(KEY)
    assert kept is not None
    assert (line_counts(kept.diff), kept.is_new) == ((1, 1), False)
    store.undo(KEY)
    assert (folder / "a").read_text() == "one two"


async def test_moved_things_are_moved_back(folder: Path, store: UndoStore) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a").write_text("text")
    for number, (path, new_path) in enumerate((("sub/a", "b"), ("sub", "other"))):
        key = CallKey("home", "conversation", f"call-{number}")
        (folder / "c").write_text("in the way of nothing")
        await run(store, call_of("move_file", folder, path=path, new_path=new_path), key)
        store.undo(key)
        assert store.change(key) == KeptChange("", is_new=False)
    assert (folder / "sub" / "a").read_text() == "text"
    assert not (folder / "b").exists()
    assert not (folder / "other").exists()


async def test_trashed_things_come_out_of_the_trash(
    folder: Path, store: UndoStore, tmp_path: Path
) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a").write_text("text")
    await run(store, call_of("delete_file", folder, path="sub"))
    trash = tmp_path / "data" / "Trash"
    assert (trash / "files" / "sub").is_dir()
    store.undo(KEY)
    assert (folder / "sub" / "a").read_text() == "text"
    assert not any((trash / "files").iterdir())
    assert not any((trash / "info").iterdir())


async def test_a_file_is_put_back_although_the_trash_was_emptied(
    folder: Path, store: UndoStore, tmp_path: Path
) -> None:
    (folder / "a").write_text("text")
    (folder / "a").chmod(0o600)
    await run(store, call_of("delete_file", folder, path="a"))
    (tmp_path / "data" / "Trash" / "files" / "a").unlink()
    store.undo(KEY)
    assert (folder / "a").read_text() == "text"
    assert (folder / "a").stat().st_mode & 0o777 == 0o600


def _change(path: Path) -> None:
    path.write_text("somebody else's")


def _replace_by_equal(path: Path) -> None:
    path.with_name("other").write_bytes(path.read_bytes())
    path.with_name("other").replace(path)


def _remove(path: Path) -> None:
    path.unlink()


def _become_a_link(path: Path) -> None:
    path.rename(path.with_name("real"))
    path.symlink_to("real")


@pytest.mark.parametrize("change", [_change, _replace_by_equal, _remove, _become_a_link])
async def test_what_changed_since_is_left_as_it_is(
    folder: Path, store: UndoStore, change: Callable[[Path], None]
) -> None:
    (folder / "a").write_text("old")
    await run(store, call_of("write_file", folder, path="a", content="new"))
    change(folder / "a")
    state = store.look(KEY)
    assert state.state == "unavailable"
    assert str(folder / "a") in str(state.reason)
    with pytest.raises(ToolError):
        store.undo(KEY)
    assert not (folder / "a").exists() or (folder / "a").read_text() != "old"


def _become_another(folder: Path) -> None:
    folder.rename(folder.with_name("gone"))
    folder.mkdir()
    (folder / "a").write_text("new")


async def test_a_folder_that_is_another_one_now_is_left_alone(
    folder: Path, store: UndoStore
) -> None:
    await run(store, call_of("write_file", folder, path="a", content="new"))
    _become_another(folder)
    assert "is a different folder now" in str(store.look(KEY).reason)


async def test_a_folder_that_lost_its_trash_is_said_to_be_lost(
    folder: Path, store: UndoStore, tmp_path: Path
) -> None:
    (folder / "sub").mkdir()
    await run(store, call_of("delete_file", folder, path="sub"))
    (tmp_path / "data" / "Trash" / "files" / "sub").rmdir()
    assert "no longer in the trash" in str(store.look(KEY).reason)


async def test_without_a_copy_it_is_said_why(folder: Path, store: UndoStore) -> None:
    assert str(store.look(KEY).reason) == "No copy of the earlier contents was kept."
    (folder / "large").write_bytes(b"x" * (COPY_LIMIT_BYTES + 1))
    await run(store, call_of("move_file", folder, path="large", new_path="b"))
    assert store.look(KEY).state == "available"  # Moving back needs no copy.
    call = call_of("delete_file", folder, path="b")
    other = CallKey("home", "conversation", "call-2")
    store.before(other, call)
    (folder / "b").unlink()
    store.after(other)
    assert "no longer in the trash" in str(store.look(other).reason)


async def test_a_call_that_did_nothing_or_was_cut_off_is_said_so(
    folder: Path, store: UndoStore
) -> None:
    (folder / "a").write_text("old")
    call = call_of("write_file", folder, path="a", content="new")
    store.before(KEY, call)
    assert "is not known" in str(store.look(KEY).reason)
    store.after(KEY)
    assert str(store.look(KEY).reason) == "This call changed nothing."


async def test_copies_are_for_their_owner_only_and_go_with_their_chat(
    folder: Path, store: UndoStore, tmp_path: Path
) -> None:
    before = os.umask(0)
    try:
        (folder / "a").write_text("old")
        await run(store, call_of("write_file", folder, path="a", content="new"))
    finally:
        os.umask(before)
    kept = [tmp_path / "undo", *(tmp_path / "undo").rglob("*")]
    assert len(kept) == 6
    assert all(item.stat().st_mode & 0o077 == 0 for item in kept)
    store.erase("home", "another")
    assert store.look(KEY).state == "available"
    store.erase("home", "conversation")
    assert store.look(KEY).state == "unavailable"
    assert store.change(KEY) is None
    assert not any((tmp_path / "undo").iterdir())


async def test_old_and_excess_undo_copies_are_deleted(folder: Path, tmp_path: Path) -> None:
    now = [0.0]
    room = COPY_LIMIT_BYTES + 9_000
    store = UndoStore(tmp_path / "undo", lambda: now[0], kept_limit_bytes=room)
    keys = [CallKey("home", f"chat-{number}", "call") for number in range(3)]
    for number, key in enumerate(keys):
        (folder / "a").write_text("x" * 3_000)
        await run(store, call_of("write_file", folder, path="a", content=f"{number}"), key)
        (folder / "a").unlink()
        # Within a tick of some milliseconds, many systems mark all changes with the same time.
        os.utime(RecordFolder(tmp_path / "undo", key).path, (number, number))
    kept = [
        key
        for key in keys
        if str(store.look(key).reason) != "No copy of the earlier contents was kept."
    ]
    assert kept == keys[1:]
    now[0] = 2**40
    store.before(KEY, call_of("write_file", folder, path="a", content="new"))
    assert all(
        str(store.look(key).reason) == "No copy of the earlier contents was kept." for key in keys
    )


async def test_a_full_disk_keeps_no_copy_but_does_not_stop_the_call(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "undo").write_text("a file where a folder should be")
    store = UndoStore(tmp_path / "undo")
    (folder / "a").write_text("old")
    await run(store, call_of("write_file", folder, path="a", content="new"))
    assert (folder / "a").read_text() == "new"
    assert store.look(KEY).state == "unavailable"


@pytest.fixture
def runner(store: UndoStore) -> CallRunner:
    return call_runner(ToolRegistry.built_in(), store, ToolRunner())


async def test_calls_run_where_they_belong_and_can_be_undone(
    folder: Path, store: UndoStore, runner: CallRunner
) -> None:
    written = await runner.run(KEY, call_of("write_file", folder, path="a", content="new"))
    other = CallKey("home", "conversation", "call-2")
    trashed = await runner.run(other, call_of("delete_file", folder, path="a"))
    read = await runner.run(CallKey("home", "c", "3"), call_of("calculate", folder, expression="1"))
    assert [item.status for item in (written, trashed, read)] == ["ok"] * 3
    store.undo(other)
    store.undo(KEY)
    assert not (folder / "a").exists()
    assert store.look(CallKey("home", "c", "3")).state == "unavailable"


class Vanishing(ToolRunner):
    """Workers that change something and are then stopped."""

    async def run(self, call: PreparedCall, **_more: object) -> ToolOutcome:
        _change(Path(call.facts[1].value))
        raise InterruptedError


class Slow(UndoStore):
    """Copies that take their time."""

    def __init__(self, folder: Path, copying: HeldWork, looking: HeldWork) -> None:
        super().__init__(folder)
        self._copying = copying
        self._looking = looking

    def before(self, key: CallKey, call: PreparedCall) -> None:
        self._copying.wait()
        super().before(key, call)

    def after(self, key: CallKey) -> None:
        self._looking.wait()
        super().after(key)


async def test_stopped_call_ends_after_its_undo_copies_are_written(
    folder: Path, tmp_path: Path
) -> None:
    copying, looking = HeldWork(), HeldWork()
    store = Slow(tmp_path / "undo", copying, looking)
    runner = call_runner(ToolRegistry.built_in(), store, Vanishing())
    (folder / "a").write_text("old")
    call = call_of("write_file", folder, path="a", content="new")

    task = asyncio.create_task(runner.run(KEY, call))
    asked_twice = asyncio.create_task(looking.cancel(task))
    await copying.cancel(task)

    assert await asked_twice
    assert (folder / "a").read_text() == "old"
    assert str(store.look(KEY).reason) == "This call changed nothing."


async def test_what_a_stopped_call_did_can_be_undone(folder: Path, store: UndoStore) -> None:
    (folder / "a").write_text("old")
    runner = call_runner(ToolRegistry.built_in(), store, Vanishing())
    with pytest.raises(InterruptedError):
        await runner.run(KEY, call_of("write_file", folder, path="a", content="new"))
    store.undo(KEY)
    assert (folder / "a").read_text() == "old"


async def _write(store: UndoStore, folder: Path, number: int, path: str, content: str) -> CallKey:
    key = CallKey("home", "conversation", f"call-{number}")
    await run(store, call_of("write_file", folder, path=path, content=content), key)
    return key


async def test_calls_that_follow_each_other_are_undone_newest_first(
    folder: Path, store: UndoStore
) -> None:
    (folder / "a").write_text("0")
    keys = [await _write(store, folder, n, "a", str(n)) for n in (1, 2, 3)]
    keys.append(await _write(store, folder, 4, "new", "4"))
    assert set(store.restorable(keys[::-1])) == {str(folder / "a"), str(folder / "new")}
    rewound = store.rewind(keys[::-1])
    assert set(rewound.restored) == {str(folder / "a"), str(folder / "new")}
    assert rewound.left == ()
    assert (folder / "a").read_text() == "0"
    assert not (folder / "new").exists()
    assert store.restorable(keys[::-1]) == ()
    assert store.rewind(keys[::-1]) == type(rewound)()


async def test_older_call_can_be_undone_after_the_newer_one_of_another_chat(
    folder: Path, store: UndoStore
) -> None:
    first = await _write(store, folder, 1, "a", "1")
    second = CallKey("home", "another", "call")
    await run(store, call_of("write_file", folder, path="a", content="2"), second)
    assert store.look(first).state == "unavailable"
    store.undo(second)
    assert store.look(first).state == "available"
    store.undo(first)
    assert not (folder / "a").exists()


@pytest.mark.security(107)
@pytest.mark.parametrize("is_new", [False, True])
async def test_what_somebody_writes_while_a_call_is_undone_is_kept_by_the_calls_before(
    folder: Path, store: UndoStore, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    place = folder / "a"
    place.write_text("0")
    first = CallKey("home", "conversation", "call-1")
    if is_new:
        await run(store, call_of("delete_file", folder, path="a"), first)
    else:
        await run(store, call_of("write_file", folder, path="a", content="1"), first)
    second = await _write(store, folder, 2, "a", "2")

    def restored_and_changed(record: UndoRecord, copies: Path, root: int) -> None:
        restore(record, copies, root)
        place.write_text("mine")

    monkeypatch.setattr("local_tools.undo.undo.restore", restored_and_changed)
    store.undo(second)
    assert store.look(first).state == "unavailable"
    assert place.read_text() == "mine"


def _grow(path: Path) -> None:
    with path.open("a") as file:
        file.write(" and more")


def _move(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


@pytest.mark.parametrize("change", [_change, _grow, _move, _become_a_link, _replace_by_equal])
async def test_rewinding_leaves_what_somebody_changed_and_names_it_once(
    folder: Path, store: UndoStore, change: Callable[[Path], None]
) -> None:
    (folder / "mine").write_text("0")
    keys = [await _write(store, folder, n, "mine", str(n)) for n in (1, 2)]
    keys.append(await _write(store, folder, 3, "theirs", "3"))
    change(folder / "mine")
    assert store.restorable(keys[::-1]) == (str(folder / "theirs"),)
    rewound = store.rewind(keys[::-1])
    assert rewound.restored == (str(folder / "theirs"),)
    (left,) = rewound.left
    assert str(folder / "mine") in str(left)
    assert not (folder / "theirs").exists()


async def test_rewinding_that_was_cut_off_goes_on_with_what_is_left(
    folder: Path, store: UndoStore
) -> None:
    (folder / "a").write_text("0")
    keys = [await _write(store, folder, n, "a", str(n)) for n in (1, 2, 3)]
    store.undo(keys[2])
    rewound = store.rewind(keys[::-1])
    assert rewound.restored == (str(folder / "a"),)
    assert (folder / "a").read_text() == "0"
