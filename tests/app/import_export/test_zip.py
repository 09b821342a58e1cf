"""Zip files that chats are imported from: read in memory and within limits, never unpacked."""

import json
import struct
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.common.error_messages import ErrorCode
from app.import_export import sources
from app.import_export.chat_import import ChatImport, Imported
from app.import_export.loading import Labels
from app.import_export.sources import NotImported
from app.store.store import Store
from tests.support.import_export_fixtures import chatgpt_chat, write_json

pytestmark = [pytest.mark.anyio, pytest.mark.security(31)]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(tmp_path / "data" / "store.db")
    await store.open()
    yield store
    await store.close()


async def _import(store: Store, path: Path) -> Imported:
    return await ChatImport(path, store.archive, Labels()).run(lambda _share, _outcome: None)


def _zip(path: Path, members: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def _chats(*ids: str) -> str:
    return json.dumps([chatgpt_chat(chat_id) for chat_id in ids])


def _files_around(folder: Path) -> set[Path]:
    own = {path for path in folder.rglob("*") if path.suffix != ".db-wal"}
    return own | set(folder.parent.iterdir())


async def test_every_part_of_an_export_is_read(store: Store, tmp_path: Path) -> None:
    members = {
        "export/conversations-000.json": _chats("a", "b"),
        "export/conversations-001.json": _chats("c"),
        "export/user.json": "{}",
        "chat.html": "<script>",
    }
    assert await _import(store, _zip(tmp_path / "a.zip", members)) == Imported(new=3)


async def test_nothing_is_written_wherever_a_name_leads(store: Store, tmp_path: Path) -> None:
    names = ["../conversations.json", "/conversations.json", "C:/x/conversations.json"]
    path = _zip(tmp_path / "a.zip", {n: _chats(str(i)) for i, n in enumerate(names)})
    before = _files_around(tmp_path)

    await _import(store, path)

    assert _files_around(tmp_path) == before


async def test_a_bomb_is_read_only_up_to_the_limit(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_PLAIN_BYTES", 10_000)
    bomb = f"[{_chats('a')[1:-1]}, {json.dumps('x' * 50_000_000)}]"
    path = _zip(tmp_path / "a.zip", {"conversations.json": bomb})

    outcome = await _import(store, path)

    assert outcome == Imported(new=1, is_cut=True)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
async def test_compressions_that_may_want_any_memory_are_left_alone(
    store: Store, tmp_path: Path, method: int
) -> None:
    path = _zip(tmp_path / "a.zip", {"conversations.json": _chats("a")}, method)
    with pytest.raises(NotImported) as raised:
        await _import(store, path)

    assert raised.value.reason == ErrorCode.IMPORT_NOTHING_FOUND


async def test_a_damaged_zip_gives_what_was_whole(store: Store, tmp_path: Path) -> None:
    chats = _chats(*(str(number) for number in range(500)))
    path = _zip(tmp_path / "a.zip", {"conversations.json": chats}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    at = data.rindex(b"Good day")
    data[at : at + 4] = b"Evil"
    path.write_bytes(data)

    outcome = await _import(store, path)

    assert outcome.is_cut
    assert 0 < outcome.new < 500


async def test_a_list_of_names_without_end_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "DIRECTORY_LIMIT_BYTES", 500)
    names = {f"file-{number}.txt": "" for number in range(50)}
    path = _zip(tmp_path / "a.zip", {**names, "conversations.json": _chats("a")})
    with pytest.raises(NotImported) as raised:
        await _import(store, path)

    assert raised.value.reason == ErrorCode.IMPORT_TOO_LARGE


async def test_a_list_of_names_is_measured_as_it_will_be_read(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record for large files counts, whatever the ordinary one says."""
    monkeypatch.setattr(sources, "DIRECTORY_LIMIT_BYTES", 500)
    names = {f"file-{number}.txt": "" for number in range(50)}
    path = _zip(tmp_path / "a.zip", {**names, "conversations.json": _chats("a")})
    data = path.read_bytes()
    (size, start), end = struct.unpack("<2L", data[-10:-2]), len(data) - 22
    large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 51, 51, size, start)
    place = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    small = data[end : end + 12] + struct.pack("<2L", 10, start) + data[-2:]
    path.write_bytes(data[:end] + large + place + small)
    assert len(zipfile.ZipFile(path).namelist()) == 51

    with pytest.raises(NotImported) as raised:
        await _import(store, path)

    assert raised.value.reason == ErrorCode.IMPORT_TOO_LARGE


@pytest.mark.parametrize(
    ("field", "byte", "reason"),
    [
        (6, 0xFF, ErrorCode.IMPORT_UNREADABLE),  # a version that nobody wrote yet
        (8, 0x20, ErrorCode.IMPORT_NOTHING_FOUND),  # patched
        (8, 0x40, ErrorCode.IMPORT_NOTHING_FOUND),  # encrypted
        (46, 0xFF, ErrorCode.IMPORT_UNREADABLE),  # a name that is no UTF-8
    ],
)
async def test_a_list_of_names_that_lies_is_explained(
    store: Store, tmp_path: Path, field: int, byte: int, reason: ErrorCode
) -> None:
    path = _zip(tmp_path / "a.zip", {"é/conversations.json": _chats("a")})
    data = bytearray(path.read_bytes())
    data[data.rindex(b"PK\x01\x02") + field] = byte
    path.write_bytes(data)
    with pytest.raises(NotImported) as raised:
        await _import(store, path)

    assert raised.value.reason == reason


async def test_a_part_with_a_damaged_beginning_leaves_the_others(
    store: Store, tmp_path: Path
) -> None:
    members = {"conversations-000.json": _chats("a"), "conversations-001.json": _chats("b")}
    path = _zip(tmp_path / "a.zip", members)
    data = bytearray(path.read_bytes())
    data[0:4] = b"none"
    path.write_bytes(data)

    assert await _import(store, path) == Imported(new=1, is_cut=True)


async def test_a_file_with_a_byte_order_mark_is_read(store: Store, tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", [chatgpt_chat("a")])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert await _import(store, path) == Imported(new=1)
