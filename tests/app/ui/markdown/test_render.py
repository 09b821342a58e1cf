"""What a text becomes: blocks in their places, cut where they are too much."""

from app.ui.markdown.blocks import (
    Block,
    Code,
    HorizontalRule,
    OmittedBlock,
    Prose,
    RailKind,
    TableBlock,
)
from app.ui.markdown.incremental import ParseLimits, render

_LINE_LIMIT = ParseLimits().block.lines
_SIZE_LIMIT = ParseLimits().block.size


def _words(blocks: tuple[Block, ...]) -> list[str]:
    return [str(block.html) for block in blocks if isinstance(block, Prose)]


def _markers(block: Block) -> list[str]:
    return [rail.marker for rail in block.place.rails]


def test_every_kind_of_block_is_found() -> None:
    blocks = render(
        "# Head\n\ntext\n\n---\n\n```py\nx = 1\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n    indented"
    )

    assert [type(block) for block in blocks] == [
        Prose,
        Prose,
        HorizontalRule,
        Code,
        TableBlock,
        Code,
    ]
    assert [block.level for block in blocks if isinstance(block, Prose)] == [1, 0]
    assert [(b.language, b.text) for b in blocks if isinstance(b, Code)] == [
        ("py", "x = 1"),
        ("", "indented"),
    ]


def test_items_carry_their_markers_once() -> None:
    blocks = render("3. three\n\n   more\n4. four\n   - in\n     - deeper\n- [x] done\n- [ ] open")

    assert [_markers(block) for block in blocks] == [
        ["3."],
        [""],
        ["4."],
        ["", "◦"],
        ["", "", "▪"],
        ["[x]"],
        ["[ ]"],
    ]
    assert _words(blocks)[-2:] == ["done", "open"]


def test_empty_item_keeps_its_marker() -> None:
    (block, _) = render("-\n- a")

    assert _markers(block) == ["•"]


def test_items_of_a_tight_list_follow_like_lines() -> None:
    tight = render("before\n\n- a\n- b\n  - c\n\nafter")
    loose = render("- a\n\n- b")

    assert [block.place.is_tight for block in tight] == [False, False, True, True, False]
    assert [block.place.is_tight for block in loose] == [False, False]


def test_two_lists_stand_apart() -> None:
    assert [block.place.is_tight for block in render("- a\n\n1. b")] == [False, False]


def test_quotes_are_rails_that_blocks_share() -> None:
    blocks = render("> a\n>\n> > b\n>\n> c\n\nd")

    kinds = [[rail.kind for rail in block.place.rails] for block in blocks]
    assert kinds == [[RailKind.QUOTE], [RailKind.QUOTE] * 2, [RailKind.QUOTE], []]
    assert [block.place.shared for block in blocks] == [0, 1, 1, 0]


def test_code_in_an_item_is_a_block_of_its_own() -> None:
    blocks = render("1. run\n\n   ```bash\n   ls\n   ```\n\n2. done")

    code = blocks[1]
    assert isinstance(code, Code)
    assert (code.text, code.language, code.place.shared) == ("ls", "bash", 1)


def test_cells_are_aligned_by_an_attribute() -> None:
    (table,) = render("|a|b|\n|:-:|-:|\n|1|2|")

    assert isinstance(table, TableBlock)
    assert '<td align="center">1</td>' in str(table.html)
    assert '<td align="right">2</td>' in str(table.html)


def test_table_with_too_many_cells_says_what_is_left_out() -> None:
    table, left_out = render("|a|b|\n|-|-|\n" + "|1|2|\n" * 2000)

    assert isinstance(table, TableBlock)
    assert isinstance(left_out, OmittedBlock)
    assert str(table.html).count("<td") <= 1000
    assert left_out.count == len("|1|2|\n") * (2000 - (table.rows - 1))


def test_table_with_too_many_columns_is_shown_as_written() -> None:
    wide = "|a" * 200 + "|"

    (words,) = render(f"{wide}\n{'|-' * 200}|\n{wide}")

    assert isinstance(words, Prose)
    assert wide in str(words.html)


def test_nesting_deeper_than_the_parser_goes_is_shown_as_written() -> None:
    text = "> " * 100 + "words"

    (block,) = render(text)

    assert isinstance(block, Code)
    assert block.text == text


def test_long_block_is_cut_and_says_so() -> None:
    words, left_out = render("word " * 30_000)

    assert isinstance(words, Prose)
    assert isinstance(left_out, OmittedBlock)
    assert len(str(words.html)) <= _SIZE_LIMIT
    assert left_out.count >= 150_000 - _SIZE_LIMIT - 1


def test_list_of_too_many_items_is_cut_and_says_so() -> None:
    blocks = render("- a\n" * 5000)

    assert len(blocks) == _LINE_LIMIT + 1
    assert blocks[-1] == OmittedBlock((5000 - _LINE_LIMIT) * len("- a\n"))


def test_long_code_is_cut_by_lines_and_by_size() -> None:
    (by_lines,) = render("```\n" + "x\n" * 5000 + "```")
    (by_size,) = render("```\n" + "y" * 200_000 + "\nz\n```")

    assert isinstance(by_lines, Code)
    assert (by_lines.text.count("\n"), by_lines.left_out) == (1999, 3000)
    assert isinstance(by_size, Code)
    assert (len(by_size.text), by_size.left_out) == (64 * 1024, 2)


def test_long_text_is_cut_and_says_so() -> None:
    blocks = render("a word " * 200_000)

    last = blocks[-1]
    assert isinstance(last, OmittedBlock)
    assert len(blocks) == 2
    assert last.count >= 1_400_000 - _SIZE_LIMIT


def test_language_is_the_first_word_and_short() -> None:
    (block,) = render(f"```{'a' * 100} title=x\ncode\n```")

    assert isinstance(block, Code)
    assert block.language == "a" * 40


def test_entities_and_escapes_are_read() -> None:
    assert _words(render(r"a &amp; b \* c")) == ["a &amp; b * c"]
