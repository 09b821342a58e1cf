"""Notes are numbered where they stand and collected at the end of the message."""

from app.ui.markdown.blocks import Block, Prose, Rule
from app.ui.markdown.feed import MarkdownFeed, render


def _words(blocks: tuple[Block, ...]) -> list[str]:
    return [str(block.html) for block in blocks if isinstance(block, Prose)]


def _markers(blocks: tuple[Block, ...]) -> list[str]:
    return [rail.marker for block in blocks for rail in block.place.rails]


def test_notes_stand_at_the_end_under_their_numbers() -> None:
    blocks = render(
        "One[^a] two[^b] one[^a].\n\n[^a]: First *note*.\n\n[^b]: Second.\n\n    More.\n\nEnd"
    )

    assert _words(blocks) == [
        "One[1] two[2] one[1].",
        "End",
        "First <em>note</em>.",
        "Second.",
        "More.",
    ]
    assert isinstance(blocks[2], Rule)
    assert _markers(blocks[3:]) == ["1.", "2.", ""]


def test_mark_of_a_note_that_is_not_there_is_shown_as_written() -> None:
    assert _words(render("see[^1]")) == ["see[^1]"]


def test_note_that_comes_later_gives_earlier_marks_their_number() -> None:
    feed = MarkdownFeed()
    text = "see[^1]\n\n" + "words\n\n" * 600
    for part in (text, text + "[^1]: the note"):
        feed.update(part)
        while not feed.is_complete:
            feed.advance()

    assert _words(tuple(feed.blocks))[0] == "see[1]"
    assert _words(tuple(feed.blocks))[-1] == "the note"


def test_no_note_is_lost() -> None:
    blocks = render("[^a]: unused\n\n[^a]: again\n\n> [^b]: in a quote")

    assert _words(blocks) == ["[^b]: in a quote", "unused", "again"]
    assert _markers(blocks[-2:]) == ["1.", "2."]


def test_notes_may_refer_to_notes() -> None:
    assert _words(render("[^a]: see[^b]\n[^b]: see[^a]")) == ["see[2]", "see[1]"]
