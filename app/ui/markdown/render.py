"""`render_parsed` turns parsed Markdown into blocks, alike for live text, history and export.

`Flattener` converts the tokens of one block: what is nested in a text becomes rails beside flat
blocks.
"""

from dataclasses import dataclass, field
from typing import Final

from markdown_it.token import Token

from app.ui.markdown.blocks import (
    Block,
    BlockPosition,
    Formula,
    HorizontalRule,
    OmittedBlock,
    Prose,
    Rail,
    RailKind,
    TableBlock,
    make_code,
)
from app.ui.markdown.formula_rules import FORMULA
from app.ui.markdown.parser import (
    DEPTH_LIMIT,
    LEFT_OUT_KEY,
    TASK_KEY,
    LinkDefinitions,
    Parsed,
    label_of_note,
    mark_tasks,
    parse_words,
    render_tokens,
    render_words,
)
from app.ui.markdown.sanitize import SafeHtml

_BULLETS: Final = ("•", "◦", "▪")


@dataclass(slots=True)
class _Level:
    """A list, an item or a quote that the next block stands in."""

    kind: str
    marker: str = ""
    next_number: int | None = None
    # The index of its first block, beside which the marker stands; -1 while there is none.
    first_block: int = -1


@dataclass(slots=True)
class Flattener:
    """Turns the tokens of one top-level block into blocks; `note` is its number as a footnote."""

    note: int | None = None
    blocks: list[Block] = field(default_factory=list)
    _levels: list[_Level] = field(default_factory=list)
    _before: list[_Level] = field(default_factory=list)

    def add(self, tokens: list[Token]) -> None:
        """Append the blocks of one top-level block."""
        self._before = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "table_open":
                end = _end_of(tokens, index)
                self._add_table(tokens[index : end + 1])
                index = end
            else:
                self._step(tokens, index)
            index += 1

    def _step(self, tokens: list[Token], index: int) -> None:
        token = tokens[index]
        match token.type:
            case "bullet_list_open" | "ordered_list_open" | "blockquote_open":
                self._levels.append(_open_level(token))
            case "footnote_reference_open":
                self._levels.append(_Level("item", f"{self.note}."))
            case "list_item_open":
                self._levels.append(_Level("item", self._next_marker()))
            case "list_item_close" | "footnote_reference_close":
                self._close_item()
            case "bullet_list_close" | "ordered_list_close" | "blockquote_close":
                self._levels.pop()
            case "inline" | "text":
                self._add_prose(token, tokens[index - 1])
            case "fence" | "code_block":
                self.blocks.append(make_code(token.content, token.info, self._place(False)))
            case str() as kind if kind == FORMULA:
                self.blocks.append(Formula(token.content, self._place(False)))
            case "hr":
                self.blocks.append(HorizontalRule(self._place(False)))

    def _add_prose(self, token: Token, opening: Token) -> None:
        level = int(opening.tag[1]) if opening.type == "heading_open" else 0
        item = self._levels[-1] if self._levels else None
        if item and item.kind == "item" and item.first_block < 0 and TASK_KEY in opening.meta:
            item.marker = opening.meta[TASK_KEY]
        html = SafeHtml(render_words(token))
        self.blocks.append(Prose(html, level, self._place(opening.hidden)))

    def _add_table(self, tokens: list[Token]) -> None:
        rows = sum(token.type == "tr_open" for token in tokens)
        if rows:
            for token in tokens:
                _align(token)
            self.blocks.append(
                TableBlock(SafeHtml(render_tokens(tokens)), rows, self._place(False))
            )
        if left_out := tokens[0].meta.get(LEFT_OUT_KEY):
            self.blocks.append(OmittedBlock(left_out, self._place(False)))

    def _next_marker(self) -> str:
        around = self._levels[-1]
        if around.next_number is None:
            return around.marker
        around.next_number += 1
        return f"{around.next_number - 1}."

    def _close_item(self) -> None:
        if self._levels[-1].first_block < 0:
            self.blocks.append(Prose(SafeHtml(""), 0, self._place(True)))
        self._levels.pop()

    def _place(self, is_hidden: bool) -> BlockPosition:
        """Return the position of the next block, and remember it."""
        levels = self._levels
        shared = _count_shared(self._before, levels)
        rails = tuple(self._rail(level) for level in levels if level.kind != "list")
        for level in levels:
            if level.first_block < 0:
                level.first_block = len(self.blocks)
        is_tight = is_hidden and bool(self._before) and _is_next_line(shared, self._before, levels)
        self._before = list(levels)
        shared_rails = sum(level.kind != "list" for level in levels[:shared])
        return BlockPosition(rails, shared_rails, is_tight, 0 if self.blocks else self.note or 0)

    def _rail(self, level: _Level) -> Rail:
        if level.kind == "quote":
            return Rail(RailKind.QUOTE)
        return Rail(RailKind.ITEM, level.marker if level.first_block < 0 else "")


def _open_level(token: Token) -> _Level:
    if token.type == "blockquote_open":
        return _Level("quote")
    if token.type == "ordered_list_open":
        return _Level("list", next_number=int(token.attrs.get("start", 1)))
    return _Level("list", marker=_BULLETS[min(token.level // 2, len(_BULLETS) - 1)])


def _count_shared(before: list[_Level], now: list[_Level]) -> int:
    count = 0
    for one, other in zip(before, now, strict=False):
        if one is not other:
            break
        count += 1
    return count


def _is_next_line(shared: int, before: list[_Level], now: list[_Level]) -> bool:
    """Return whether the next block goes on in the same list, or in one inside of it."""
    ended, begun = before[shared:], now[shared:]
    if before[-1].kind != "item" or any(level.kind == "quote" for level in [*ended, *begun]):
        return False
    return not (ended and begun and ended[0].kind == begun[0].kind == "list")


def _align(cell: Token) -> None:
    """Move the alignment of a cell from its style, which is filtered out, to an attribute."""
    style = str(cell.attrs.pop("style", ""))
    if style:
        cell.attrs["align"] = style.removeprefix("text-align:")


def _end_of(tokens: list[Token], start: int) -> int:
    level = tokens[start].level
    return next(
        index
        for index in range(start + 1, len(tokens))
        if tokens[index].level == level and tokens[index].nesting < 0
    )


@dataclass(slots=True)
class Rendered:
    """The blocks of one top-level block; those of a note stand at the end of the whole text."""

    blocks: list[Block] = field(default_factory=list)
    is_note: bool = False


def render_parsed(parsed: Parsed, notes_before: int) -> list[Rendered]:
    """Return the blocks of each top-level block of `parsed`.

    Args:
        parsed: A text, or a stretch of one.
        notes_before: How many notes there are before it.
    """
    lines = parsed.source.split("\n")
    rendered: list[Rendered] = []
    number = notes_before
    for tokens in parsed.top_blocks():
        is_note = label_of_note(tokens) is not None
        number += is_note
        first, end = tokens[0].map or (0, 0)
        source = "\n".join(lines[first:end])
        blocks = _render_one(tokens, source, parsed.names, number if is_note else None)
        rendered.append(Rendered(blocks, is_note))
    return rendered


def _render_one(
    tokens: list[Token], source: str, names: LinkDefinitions, note: int | None
) -> list[Block]:
    # The parser drops what is nested too deeply: show the source instead, so that nothing is lost.
    if any(token.level >= DEPTH_LIMIT - 1 for token in tokens):
        return [make_code(source, "", BlockPosition())]
    mark_tasks(tokens)
    parse_words(tokens, names)
    flattener = Flattener(note)
    flattener.add(tokens)
    return flattener.blocks
