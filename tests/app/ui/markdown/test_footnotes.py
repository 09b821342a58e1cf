"""Notes are numbered where they stand and collected at the end of the message."""

import pytest

from app.ui.markdown.blocks import Block, HorizontalRule, Prose
from app.ui.markdown.incremental import IncrementalMarkdown, render
from app.ui.markdown.sanitize import SafeHtml, replace_note_links


def _words(blocks: tuple[Block, ...]) -> list[str]:
    found = [str(block.html) for block in blocks if isinstance(block, Prose)]
    return [replace_note_links(html, lambda number, words: f"<{number}>{words}") for html in found]


def _markers(blocks: tuple[Block, ...]) -> list[str]:
    return [rail.marker for block in blocks for rail in block.place.rails]


def test_footnotes_are_listed_at_the_end_by_number() -> None:
    blocks = render(
        "One[^a] two[^b] one[^a].\n\n[^a]: First *note*.\n\n[^b]: Second.\n\n    More.\n\nEnd"
    )

    assert _words(blocks) == [
        "One<1>[1] two<2>[2] one<1>[1].",
        "End",
        "First <em>note</em>.",
        "Second.",
        "More.",
    ]
    assert isinstance(blocks[2], HorizontalRule)
    assert _markers(blocks[3:]) == ["1.", "2.", ""]


def test_mark_of_a_note_that_is_not_there_is_shown_as_written() -> None:
    assert _words(render("see[^1]")) == ["see[^1]"]


def test_note_that_comes_later_gives_earlier_marks_their_number() -> None:
    markdown = IncrementalMarkdown()
    text = "see[^1]\n\n" + "words\n\n" * 600
    for part in (text, text + "[^1]: the note"):
        markdown.update(part)
        while not markdown.is_complete:
            markdown.advance()

    assert _words(tuple(markdown.blocks))[0] == "see<1>[1]"
    assert _words(tuple(markdown.blocks))[-1] == "the note"


def test_unused_and_repeated_footnotes_are_shown() -> None:
    blocks = render("[^a]: unused\n\n[^a]: again\n\n> [^b]: in a quote")

    assert _words(blocks) == ["[^b]: in a quote", "unused", "again"]
    assert _markers(blocks[-2:]) == ["1.", "2."]


def test_notes_may_refer_to_notes() -> None:
    assert _words(render("[^a]: see[^b]\n[^b]: see[^a]")) == ["see<2>[2]", "see<1>[1]"]


def test_only_the_first_block_of_a_note_begins_it() -> None:
    blocks = render("a[^x]\n\n[^x]: - one\n    - two\n\n[^y]: unused")

    assert [block.place.note for block in blocks] == [0, 0, 1, 0, 2]


def test_mark_among_the_words_of_a_link_leads_to_its_note_alone() -> None:
    assert _words(render("[see[^1]](/x)\n\n[^1]: n"))[0] == "[see<1>[1]](/x)"


_NO_NOTES = ("[x](note:1)", "<note:1>", "[x][r]\n\n[r]: note:1", "![x](note:1)")


@pytest.mark.security(76)
@pytest.mark.parametrize(
    "text", ["[x](note:1)", "<note:1>", "[x][r]\n\n[r]: note:1", "![x](note:1)"]
)
def test_nobody_can_write_a_link_to_a_note(text: str) -> None:
    assert "<a" not in "".join(_words(render(f"{text}\n\n[^1]: note")))
    assert "<" not in _words(render(f"{text}\n\n[^1]: note"))[0].replace("&lt;", "")


@pytest.mark.security(76)
@pytest.mark.parametrize(
    "address", ["note:", "note:0", "note:x", "note:1x", "note://1", "note:12345678"]
)
def test_bracket_that_is_no_footnote_number_is_no_link(address: str) -> None:
    assert "href" not in str(SafeHtml(f'<a href="{address}">x</a>'))
