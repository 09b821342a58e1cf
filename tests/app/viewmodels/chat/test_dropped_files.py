"""Dropped files become text, or are refused with words."""

from pathlib import Path

import pytest

from app.common.error_messages import explain
from app.common.errors import UserFacingError
from app.viewmodels.chat.drafts import read_as_text


def test_text_files_come_one_after_the_other_with_name_and_size(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    (tmp_path / "b.md").write_text("zwei – drei", encoding="utf-8")

    text = read_as_text([tmp_path / "a.txt", tmp_path / "b.md"])

    assert text == "a.txt (3 bytes)\n\none\n\nb.md (13 bytes)\n\nzwei – drei"


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\x89PNG\r\n\x1a\n\xff", "not a text file"), (b"a\0b", "not a text file")],
    ids=["not UTF-8", "a NUL"],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(content)

    with pytest.raises(UserFacingError) as refused:
        read_as_text([path])

    assert words in explain(refused.value).sentence
    assert "picture.png" in explain(refused.value).sentence


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"a" * (256 * 1024 + 1))

    with pytest.raises(UserFacingError) as refused:
        read_as_text([path])

    assert "256 kB" in explain(refused.value).sentence


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone.txt"):
        with pytest.raises(UserFacingError):
            read_as_text([path])
