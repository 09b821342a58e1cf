"""Paths lead to a root and names below it, or are refused with words."""

import os
from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.paths.resolve import NO_FOLDER, refuse_form, resolve


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    (place / "notes" / "deep").mkdir(parents=True)
    (place / "notes-evil").mkdir()
    return place


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a.txt", ("a.txt",)),
        ("./deep/a.txt", ("deep", "a.txt")),
        ("deep//a.txt", ("deep", "a.txt")),
        (".", ()),
        ("~/notes/a.txt", ("a.txt",)),
        ("...", ("...",)),
        ("a..b", ("a..b",)),
        ("12:30", ("12:30",)),
    ],
)
def test_paths_in_the_folder_are_relative_to_it(
    home: Path, text: str, parts: tuple[str, ...]
) -> None:
    place = resolve(text, home / "notes", home)
    assert (place.root, place.parts, place.is_inside_folder) == (home / "notes", parts, True)


def test_absolute_paths_in_the_folder_are_relative_to_it_too(home: Path) -> None:
    place = resolve(str(home / "notes" / "deep" / "a"), home / "notes", home)
    assert (place.relative, place.is_inside_folder) == ("deep/a", True)
    assert place.absolute == home / "notes" / "deep" / "a"


def test_a_folder_with_a_like_beginning_is_outside(home: Path) -> None:
    place = resolve(str(home / "notes-evil" / "a"), home / "notes", home)
    assert (place.root, place.parts, place.is_inside_folder) == (
        home / "notes-evil", ("a",), False,
    )  # fmt: skip


def test_outside_the_folder_links_are_followed_and_the_end_is_shown(home: Path) -> None:
    (home / "link").symlink_to(home / "notes-evil")
    place = resolve("~/link/a", home / "notes", home)
    assert place.absolute == home / "notes-evil" / "a"
    assert not place.is_inside_folder


def test_a_link_from_outside_into_the_folder_counts_as_inside(home: Path) -> None:
    (home / "link").symlink_to(home / "notes")
    place = resolve("~/link/deep", home / "notes", home)
    assert (place.relative, place.is_inside_folder) == ("deep", True)


def test_a_folder_picked_through_a_link_is_its_real_self(home: Path) -> None:
    (home / "picked").symlink_to(home / "notes")
    for text in ("a", str(home / "picked" / "a"), str(home / "notes" / "a")):
        place = resolve(text, home / "picked", home)
        assert (place.root, place.relative) == (home / "notes", "a")


def test_an_absolute_folder_is_its_own_root(home: Path) -> None:
    place = resolve(str(home / "notes"), None, home)
    assert (place.root, place.parts, place.relative) == (home / "notes", (), ".")


def test_without_a_folder_relative_paths_have_no_place(home: Path) -> None:
    with pytest.raises(ToolError) as caught:
        resolve("a.txt", None, home)
    assert str(caught.value) == NO_FOLDER
    assert resolve("~/notes/a", None, home).absolute == home / "notes" / "a"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "empty"),
        ("a\0b", "NUL"),
        ("x" * 5000, "longer"),
        ("..", "“..”"),
        ("a/../../b", "“..”"),
        ("/etc/../x", "“..”"),
        ("~/..", "“..”"),
        ("a/..", "“..”"),
        ("..\\x", "Windows"),
        ("\\\\server\\share", "Windows"),
        ("\\\\?\\C:\\x", "Windows"),
        ("C:x", "Windows"),
        ("c:/x", "Windows"),
        ("~root/x", "only ~/"),
        ("~..", "only ~/"),
    ],
)
def test_odd_forms_are_refused_with_words(home: Path, text: str, part: str) -> None:
    with pytest.raises(ToolError, match=part):
        resolve(text, home / "notes", home)


@pytest.mark.parametrize("name", ["notes:b", "nul", "COM1.txt", "a.", "a ", "x/con/y"])
def test_names_that_windows_reads_otherwise_are_refused_there_only(name: str) -> None:
    refuse_form(name, is_windows=False)
    with pytest.raises(ToolError, match="Windows"):
        refuse_form(name, is_windows=True)


def test_a_missing_folder_is_reported(home: Path) -> None:
    with pytest.raises(ToolError, match="is not there"):
        resolve("a", home / "gone", home)
    with pytest.raises(ToolError, match="is not there"):
        resolve(str(home / "gone" / "a"), None, home)


def test_a_link_that_leads_to_itself_is_reported(home: Path) -> None:
    (home / "loop").symlink_to(home / "loop")
    with pytest.raises(ToolError, match="leads to itself"):
        resolve("~/loop", None, home)


def test_a_place_whose_name_is_not_text_is_refused(home: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(home) + b"/\xff"))
    odd.mkdir()
    (home / "link").symlink_to(odd / "a")
    for text, folder in (("a", odd), ("~/link", None), (str(home / "notes" / "x"), odd)):
        with pytest.raises(ToolError, match="not text"):
            resolve(text, folder, home)
