"""Files that appear whole or not at all."""

from pathlib import Path

import pytest

from app.import_export.chat_export import AlreadyThere, NotWritten, appearing_file, appearing_folder


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    with appearing_file(target, may_replace=False) as part:
        part.write_text("words")
        assert not target.exists()

    assert target.read_text() == "words"
    assert list(tmp_path.iterdir()) == [target]


def test_interrupted_write_leaves_no_file(tmp_path: Path) -> None:
    def begin_file() -> None:
        with appearing_file(tmp_path / "a", may_replace=True) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    def begin_folder() -> None:
        with appearing_folder(tmp_path / "b") as folder:
            (folder / "c").write_text("half")
            raise KeyboardInterrupt

    for begin in (begin_file, begin_folder):
        with pytest.raises(KeyboardInterrupt):
            begin()

    assert list(tmp_path.iterdir()) == []


def test_existing_file_is_replaced_only_if_allowed(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_text("mine")
    with pytest.raises(AlreadyThere), appearing_file(target, may_replace=False) as part:
        part.write_text("new")
    assert target.read_text() == "mine"

    with appearing_file(target, may_replace=True) as part:
        part.write_text("new")
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "chats"
    target.mkdir()
    with pytest.raises(AlreadyThere), appearing_folder(target) as folder:
        (folder / "a").write_text("new")

    assert list(target.iterdir()) == []


def test_a_folder_that_is_not_there_is_explained(tmp_path: Path) -> None:
    target = tmp_path / "gone" / "a.md"
    with pytest.raises(NotWritten) as raised, appearing_file(target, may_replace=True):
        pass

    assert raised.value.values == {"name": "a.md"}


def test_folder_in_place_of_the_file_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.mkdir()
    with pytest.raises(NotWritten), appearing_file(target, may_replace=True):
        pytest.fail("nothing is written before this is known")

    assert list(tmp_path.iterdir()) == [target]
