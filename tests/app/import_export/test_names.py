"""Names of exported files."""

import pytest

from app.import_export.chat_export import file_stem, free_name


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Why is it slow?", "Why is it slow"),
        ("a/b\\c:d*e", "a b c d e"),
        ("../../etc/passwd", "etc passwd"),
        ("  .hidden ", "hidden"),
        ("-rf", "rf"),
        ("CON", "CON_"),
        ("com1.txt", "com1.txt_"),
        ("aux  .h", "aux .h_"),
        ("tab\tand\nbreak", "tab and break"),
        ("\u202egpj.exe", "gpj.exe"),
        ("", "Chat"),
        ("...", "Chat"),
        ("Grüße 🎉", "Grüße 🎉"),
    ],
)
def test_a_title_becomes_a_name_for_every_system(title: str, stem: str) -> None:
    assert file_stem(title, "Chat") == stem


def test_a_long_title_is_cut_to_what_a_name_may_have() -> None:
    assert len(file_stem("word " * 100, "Chat")) <= 80
    assert len(file_stem("🎉" * 100, "Chat").encode()) <= 200


def test_names_differ_whatever_their_case() -> None:
    assert free_name("a", "md", {"A.md", "a (2).md"}) == "a (3).md"
    assert free_name("a", "", {"A"}) == "a (2)"
