"""The program's own folders."""

from pathlib import Path

import pytest

from app.paths import paths_under


def test_a_folder_on_a_disk_that_is_not_there_is_no_damage(tmp_path: Path) -> None:
    """Whoever keeps their chats on such a disk finds them again when it is back."""
    disk, link = tmp_path / "disk", tmp_path / "parley" / "data"
    link.parent.mkdir()
    link.symlink_to(disk)
    paths = paths_under(tmp_path / "parley")

    with pytest.raises(OSError, match=str(link)):
        paths.make()

    assert link.readlink() == disk
    disk.mkdir()
    paths.make()
    assert link.readlink() == disk


def test_a_file_in_the_place_of_a_folder_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("words", encoding="utf-8")

    paths_under(tmp_path).make()

    (aside,) = tmp_path.glob("data.damaged-*")
    assert aside.read_text(encoding="utf-8") == "words"
    assert (tmp_path / "data").is_dir()
