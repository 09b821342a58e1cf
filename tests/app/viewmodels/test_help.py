"""The manual is read in the language of the window, and all of it is searched."""

import shutil
from pathlib import Path

import pytest

from app.paths import resources
from app.viewmodels.help import Manual

_FOLDER = resources() / "manual"
_LANGUAGES = sorted(path.name for path in _FOLDER.iterdir())


@pytest.mark.parametrize("language", _LANGUAGES)
def test_every_page_that_ships_is_in_the_manual_with_its_title(language: str) -> None:
    manual = Manual(_FOLDER, language)

    assert manual.names == {path.stem for path in (_FOLDER / language).iterdir()}
    for page in manual.pages:
        text = (_FOLDER / language / f"{page.name}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {page.title}\n")
        assert "\n".join(section.text for section in page.sections) == text.removesuffix("\n")


def test_pages_stand_in_the_order_of_the_index() -> None:
    names = [page.name for page in Manual(_FOLDER, "en").pages]

    assert names[:4] == ["index", "chats", "messages", "attachments"]
    assert names[-1] == "limits"


def test_a_page_that_is_not_translated_is_the_english_one(tmp_path: Path) -> None:
    shutil.copytree(_FOLDER, tmp_path / "manual")
    (tmp_path / "manual" / "de" / "updates.md").unlink()

    manual = Manual(tmp_path / "manual", "de")

    assert manual.page("updates").title == "Updates"
    assert manual.page("models").title == "Modelle"
    assert Manual(_FOLDER, "xx").page("models").title == "Models"


def test_a_name_that_no_page_has_leads_to_the_index() -> None:
    assert Manual(_FOLDER, "en").page("../../README").name == "index"


def _manual(folder: Path, **pages: str) -> Manual:
    (folder / "en").mkdir()
    index = "# All\n\n" + " ".join(f"[{name}]({name}.md)" for name in pages)
    for name, text in {"index": index, **pages}.items():
        (folder / "en" / f"{name}.md").write_text(text, encoding="utf-8")
    return Manual(folder, "en")


def test_a_search_finds_the_sections_that_have_all_words(tmp_path: Path) -> None:
    manual = _manual(
        tmp_path,
        one="# One\n\nA café.\n\n## Part\n\nThe table\nof the CAFE is free.\n",
        two="# Two\n\nOnly a table.\n",
    )

    [hit] = manual.search("cafe tab")

    assert (hit.page.name, hit.section, hit.place) == ("one", 1, "One › Part")
    assert hit.excerpt.text == "The table of the CAFE is free."
    assert [hit.excerpt.text[first:last] for first, last in hit.excerpt.marks] == ["tab", "CAFE"]


def test_a_fitting_heading_comes_before_mere_words(tmp_path: Path) -> None:
    manual = _manual(tmp_path, one="# One\n\nAbout tables.\n", two="# Tables\n\nWood.\n")

    assert [hit.page.name for hit in manual.search("tables")] == ["two", "one"]


@pytest.mark.parametrize("query", ["", "  ", "nowhere-to-be-found"])
def test_a_search_may_find_nothing(tmp_path: Path, query: str) -> None:
    assert _manual(tmp_path, one="# One\n").search(query) == ()


def test_lines_of_code_are_no_headings(tmp_path: Path) -> None:
    text = "# One\n\n```sh\n# not\n## either\n```\n\n## Two\n\nWords.\n"

    page = _manual(tmp_path, one=text).page("one")

    assert [section.heading for section in page.sections] == ["One", "Two"]
