"""`IncrementalMarkdown` parses a growing text: settled blocks stay, only the tail is parsed again.

The same text gives the same blocks, whatever pieces it arrives in. A block is settled when another
one has begun after it and no later line can change that: whether a line begins a block depends on
that line and the next at most, so both must be complete. A block that is too long is cut before it
is parsed, at a place that depends only on the text from its beginning on.

`ParseLimits` bound how much is read in one turn and of one block; `end_of_rest` finds where a
block that is too long ends. `OpenFence` reads only the new lines of a fenced block that is still
open. `ReferenceTracker` finds the parts to render again because a name in them was redefined.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from app.ui.markdown.blocks import (
    SIZE_LIMIT,
    Block,
    BlockPosition,
    Code,
    HorizontalRule,
    OmittedBlock,
    cut_code,
)
from app.ui.markdown.parser import LinkDefinitions, Parsed, definitions_in, parse_blocks
from app.ui.markdown.render import Rendered, render_parsed
from app.ui.markdown.sanitize import clean_source, show_hidden

# A line at the margin after an empty one that continues no list or quote. Text still to come must
# not undo a match, so digits at the end, which may become the number of an item, do not match.
_NEXT: Final = re.compile(
    r"\n[ \t]*\n(?=[^\s>])(?![-*+](?:[ \t\n]|\Z))(?!\d{1,9}(?:\Z|[.)](?:[ \t\n]|\Z)))"
)


@dataclass(frozen=True, slots=True)
class TextLimit:
    """At most so many lines and characters."""

    lines: int
    size: int

    def end(self, text: str, start: int) -> int:
        """Return the end of the part from `start`, after a line if one ends in its second half."""
        limit = min(len(text), start + self.size)
        end = start
        for _ in range(self.lines):
            end = text.find("\n", end, limit) + 1
            if not end:
                break
        else:
            return end
        if limit == len(text):
            return limit
        return text.rfind("\n", start + self.size // 2, limit) + 1 or limit


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """At most `turn` is read at once; what of a block exceeds `block` is left out."""

    turn: TextLimit = TextLimit(128, 8 * 1024)
    block: TextLimit = TextLimit(500, 32 * 1024)


def end_of_rest(text: str, start: int) -> int | None:
    """Return where the next block begins, when the text from `start` on is the rest of one."""
    found = _NEXT.search(text, max(0, start - 2))
    while found and found.end() < start:
        found = _NEXT.search(text, found.end() - 1)
    return found.end() if found else None


_OPENING: Final = re.compile(
    r"(?:[ \t]*\n)*(?:(?P<ticks>`{3,})(?P<info>[^`\n]*)|(?P<waves>~{3,})(?P<words>[^\n]*))\n"
)


class OpenFence:
    """Reads a fenced block that begins at the margin, line by line as it grows.

    Made by the `IncrementalMarkdown` that meets the fence; ends with its closing line.
    """

    def __init__(self, found: re.Match[str]) -> None:
        marks = found["ticks"] or found["waves"]
        self._info = found["info"] if found["ticks"] else found["words"]
        self._closing = re.compile(rf"^ {{0,3}}{marks[0]}{{{len(marks)},}}[ \t]*$", re.MULTILINE)
        self._start = self._read_to = found.end()
        self._end: int | None = None
        # The lines that are whole, as they are shown.
        self._shown = ""
        self._shown_to = found.end()

    @classmethod
    def at(cls, text: str, start: int, limit: TextLimit) -> "OpenFence | None":
        """Return the fence that the text from `start` begins with, if its first line is whole.

        None also if its first line exceeds `limit`: the block is cut there.
        """
        found = _OPENING.match(text, start)
        return cls(found) if found and found.end() <= limit.end(text, start) else None

    def read(self, text: str) -> int | None:
        """Read on; return where the text goes on after the closing line, or None."""
        closing = self._closing.search(text, self._read_to)
        self._end = closing.start() if closing else None
        if closing and closing.end() < len(text):
            return closing.end() + 1
        # The last line may become another one while it grows.
        self._read_to = max(self._read_to, text.rfind("\n") + 1)
        return None

    def block(self, text: str) -> Code:
        """Return the block as far as it was read."""
        end = self._content_end(text)
        limit = min(end, self._start + SIZE_LIMIT)
        whole = text.rfind("\n", self._shown_to, limit) + 1
        if whole > self._shown_to:
            self._shown += show_hidden(text[self._shown_to : whole])
            self._shown_to = whole
        shown = self._shown + show_hidden(text[self._shown_to : limit])
        if self._shown_to > limit:
            # The last whole line was followed by the closing line, so its break is not shown.
            shown = shown.removesuffix("\n")
        lines = text.count("\n", self._start, end) + 1
        return cut_code(Code(shown, self._info, lines, BlockPosition()), is_cut=limit < end)

    def _content_end(self, text: str) -> int:
        """Return where the content ends, without the break of its last line."""
        end = len(text) if self._end is None else self._end
        line = max(self._start, text.rfind("\n", self._start, end) + 1)
        # Blanks alone are no line yet: code may still follow them.
        if text[line:end].strip(" \t"):
            return end
        return max(self._start, line - 1)


class ReferenceTracker:
    """Tracks the names that each part uses, part by part. Ends with the growing text."""

    def __init__(self) -> None:
        self.names = LinkDefinitions()
        self._uses: list[frozenset[str] | None] = []
        self._meanings: dict[str, str] = {}
        self._unsure: set[int] = set()
        self._due: set[int] = set()

    @property
    def is_due(self) -> bool:
        """Whether some part is to be rendered anew."""
        return bool(self._due)

    def add(self, source: str, names: LinkDefinitions) -> None:
        """Add the next part, which was rendered with these names."""
        uses = definitions_in(source) if "[" in source else frozenset()
        meanings = names.meanings() if uses != frozenset() else {}
        used = uses if uses is not None else meanings.keys() | self._meanings.keys()
        if any(meanings.get(name) != self._meanings.get(name) for name in used):
            self._unsure.add(len(self._uses))
        self._uses.append(uses)

    def define(self, names: LinkDefinitions) -> None:
        """Set the names that the whole text defines now."""
        meanings, before = names.meanings(), self._meanings
        self.names, self._meanings = names, meanings
        self._due |= self._unsure
        self._unsure.clear()
        if meanings == before:
            return
        changed = {name for name, _ in meanings.items() ^ before.items()}
        for number, uses in enumerate(self._uses):
            if uses is None or not uses.isdisjoint(changed):
                self._due.add(number)

    def next(self) -> int | None:
        """Return the first part that is to be rendered anew; it counts as done then."""
        if not self._due:
            return None
        number = min(self._due)
        self._due.discard(number)
        return number


TEXT_LIMIT: Final = 1024 * 1024
"""Of a longer text only so many characters are shown."""


@dataclass(slots=True)
class _Chunk:
    """Blocks that were settled together, and the part of the text they came from.

    The last block of one that `is_cut` goes on where nothing is shown any more.
    """

    start: int
    end: int
    first_block: int
    is_cut: bool = False
    notes_before: int = 0
    blocks: list[Block] = field(default_factory=list)
    notes: list[Block] = field(default_factory=list)
    note_count: int = 0
    left_out: int = 0

    def set_rendered(self, rendered: list[Rendered]) -> None:
        """Set the blocks that the part was rendered to."""
        self.blocks, self.notes = _sort(rendered)
        self.note_count = sum(one.is_note for one in rendered)
        self.left_out = _pop_omitted_count(self.blocks) if self.is_cut else 0


class IncrementalMarkdown:
    """Keeps the blocks of one text up to date while it grows.

    `update` sets the text, `advance` parses the next part of it. Links may lead to `pages` of the
    manual. Made by the row that shows the text; ends with it.
    """

    def __init__(
        self, limits: ParseLimits | None = None, pages: frozenset[str] = frozenset()
    ) -> None:
        self._limits = limits or ParseLimits()
        self._raw = self._text = ""
        self._raw_lines_end = self._lines_end = 0
        self._blocks: list[Block] = []
        self._stable = self._notes_at = 0
        self._tail_notes: list[Block] = []
        self._start = self._read_to = 0
        self._is_wide = self._is_skipping = False
        self._fence: OpenFence | None = None
        self._chunks: list[_Chunk] = []
        self._definitions = LinkDefinitions(pages=pages)
        self._references = ReferenceTracker()
        self._left_out = 0
        self._is_read = True

    @property
    def blocks(self) -> list[Block]:
        """The blocks so far; only to be read."""
        return self._blocks

    @property
    def is_complete(self) -> bool:
        """Whether all of the text is in the blocks."""
        return self._is_read and not self._references.is_due

    @property
    def unread(self) -> int:
        """How many characters are not in the blocks yet."""
        return 0 if self._is_read else len(self._text) - self._read_to

    def update(self, text: str) -> bool:
        """Set the text; return False if it is no continuation of the text before."""
        raw, left_out = text[:TEXT_LIMIT], max(0, len(text) - TEXT_LIMIT)
        if not raw.startswith(self._raw):
            return False
        if len(raw) == len(self._raw) and left_out == self._left_out:
            return True
        # Lines are cleaned one by one, so that those that were whole need not be cleaned again.
        lines_end = raw.rfind("\n") + 1
        lines = clean_source(raw[self._raw_lines_end : lines_end])
        kept = self._text[: self._lines_end]
        self._raw, self._raw_lines_end = raw, lines_end
        self._lines_end += len(lines)
        self._text = "".join((kept, lines, clean_source(raw[lines_end:])))
        self._left_out = left_out
        self._is_read = False
        return True

    def advance(self) -> int:
        """Parse one more part; return the index of the first block that may have changed."""
        if self._is_read:
            return self._render_redefined()
        stable = self._stable
        if self._is_skipping:
            return min(stable, self._skip_rest())
        if self._fence is None:
            self._fence = OpenFence.at(self._text, self._start, self._limits.block)
        changed = self._read_fence(self._fence) if self._fence else self._read_window()
        return min(stable, changed)

    def _read_fence(self, fence: OpenFence) -> int:
        text = self._text
        end = fence.read(text)
        if end is None:
            return self._complete([Rendered([fence.block(text)])], self._definitions)
        self._settle(end, [Rendered([fence.block(text)])], self._definitions)
        self._fence = None
        return self._continue() if end < len(text) else self._complete([], self._definitions)

    def _read_window(self) -> int:
        text, limits = self._text, self._limits
        end = (limits.block if self._is_wide else limits.turn).end(text, self._start)
        parsed = parse_blocks(text[self._start : end], self._definitions)
        settled, line = _settled(parsed)
        if not settled and end < len(text):
            if self._is_wide:
                return self._cut(parsed, end)
            # Stays true until a block is settled: more text cannot shorten an open block.
            self._is_wide = True
            return self._stable
        rendered = render_parsed(parsed, self._definitions.note_count)
        if settled:
            end_of_settled = self._start + _offset_of(parsed.source, line)
            self._settle(end_of_settled, rendered[:settled], parsed.names)
            self._keep_definitions(parsed.names, line)
        if end == len(text):
            return self._complete(rendered[settled:], parsed.names)
        return self._continue()

    def _cut(self, parsed: Parsed, end: int) -> int:
        """Show the beginning of a block that is too long, and skip the rest of it."""
        rendered = render_parsed(parsed, self._definitions.note_count)
        self._settle(end, rendered, parsed.names, is_cut=True)
        self._definitions = parsed.names
        self._is_skipping = True
        return self._continue()

    def _skip_rest(self) -> int:
        text, cut = self._text, self._chunks[-1]
        end = end_of_rest(text, cut.end)
        count = cut.left_out + (len(text) if end is None else end) - cut.end
        rest: list[Block] = [OmittedBlock(count)] if count else []
        if end is None:
            return self._complete([Rendered(rest)], self._definitions)
        self._blocks[self._stable :] = rest
        self._stable += len(rest)
        self._start, self._is_skipping = end, False
        return self._continue()

    def _continue(self) -> int:
        del self._blocks[self._stable :]
        self._read_to = self._start
        return self._stable

    def _complete(self, tail: list[Rendered], names: LinkDefinitions) -> int:
        """Show all that there is: what is settled, the tail, then the notes."""
        self._is_read = True
        self._references.define(names)
        blocks, notes = _sort(tail)
        if self._left_out:
            blocks.append(OmittedBlock(_pop_omitted_count(blocks) + self._left_out))
        self._blocks[self._stable :] = blocks
        self._notes_at, self._tail_notes = len(self._blocks), notes
        self._show_notes()
        self._read_to = len(self._text)
        return self._stable

    def _show_notes(self) -> None:
        notes = [note for chunk in self._chunks for note in chunk.notes] + self._tail_notes
        self._blocks[self._notes_at :] = [HorizontalRule(), *notes] if notes else []

    def _settle(
        self, end: int, rendered: list[Rendered], names: LinkDefinitions, *, is_cut: bool = False
    ) -> None:
        chunk = _Chunk(self._start, end, self._stable, is_cut, self._definitions.note_count)
        chunk.set_rendered(rendered)
        self._references.add(self._text[self._start : end], names)
        self._chunks.append(chunk)
        self._blocks[self._stable :] = chunk.blocks
        self._stable += len(chunk.blocks)
        self._start, self._is_wide = end, False

    def _keep_definitions(self, names: LinkDefinitions, line: int) -> None:
        """Keep what the lines before `line` define; what follows may still change."""
        known = self._definitions
        for label, reference in names.references.items():
            if label not in known.references and reference["map"][1] <= line:
                known.references[label] = reference
        chunk = self._chunks[-1]
        known.note_count = chunk.notes_before + chunk.note_count
        for label, number in names.notes.items():
            if number <= known.note_count:
                known.notes[label] = number

    def _render_redefined(self) -> int:
        """Render one chunk anew that uses a name which means something else now."""
        number = self._references.next()
        if number is None:
            return self._stable
        chunk = self._chunks[number]
        parsed = parse_blocks(self._text[chunk.start : chunk.end], self._references.names)
        before, notes_before = len(chunk.blocks), chunk.notes
        chunk.set_rendered(render_parsed(parsed, chunk.notes_before))
        self._blocks[chunk.first_block : chunk.first_block + before] = chunk.blocks
        if chunk.notes != notes_before:
            self._show_notes()
        return chunk.first_block


def render(text: str) -> tuple[Block, ...]:
    """Return the blocks of a whole text."""
    markdown = IncrementalMarkdown()
    markdown.update(text)
    while not markdown.is_complete:
        markdown.advance()
    return tuple(markdown.blocks)


def _sort(rendered: list[Rendered]) -> tuple[list[Block], list[Block]]:
    """Return the blocks that stay where they were written, and those of notes."""
    blocks = [block for one in rendered if not one.is_note for block in one.blocks]
    return blocks, [block for one in rendered if one.is_note for block in one.blocks]


def _pop_omitted_count(blocks: list[Block]) -> int:
    """Remove a last block that says how much is left out; return how much."""
    if not blocks or not isinstance(blocks[-1], OmittedBlock):
        return 0
    last = blocks[-1]
    del blocks[-1]
    return last.count


def _settled(parsed: Parsed) -> tuple[int, int]:
    """Return how many top-level blocks are settled, and the line after them."""
    lines = parsed.source.split("\n")
    # The last line may still be incomplete, so it does not settle a block.
    decided = len(lines) - 2
    starts = [tokens[0].map or [0, 0] for tokens in parsed.top_blocks()]
    for index in range(len(starts) - 1, 0, -1):
        line, before = starts[index][0], starts[index - 1][1]
        gap = lines[before:line]
        # Text between two blocks that is in neither is a link definition, which may continue.
        if line + 1 <= decided and not any(text.strip() for text in gap):
            return index, line
    return 0, 0


def _offset_of(source: str, line: int) -> int:
    offset = 0
    for _ in range(line):
        offset = source.index("\n", offset) + 1
    return offset
