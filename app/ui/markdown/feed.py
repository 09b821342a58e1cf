"""A text that grows: what was parsed stays, and only its tail is parsed again.

The same text gives the same blocks however it came. A block is settled when another one has begun
after it and no later line can change that: a line decides with the line after it at most, so the
beginning of the next block and the line that follows must be there whole.
"""

from dataclasses import dataclass
from typing import Final

from app.ui.markdown.blocks import Block, LeftOut
from app.ui.markdown.fence import OpenFence
from app.ui.markdown.parser import Parsed, References, parse_blocks
from app.ui.markdown.render import render_parsed
from app.ui.markdown.source import clean_source

TEXT_LIMIT: Final = 1024 * 1024
"""Of a longer text only so many characters are shown."""

_WINDOW: Final = 16 * 1024
_WIDENED_BY: Final = 4
# Short lines cost as much as long ones: a window has at most a line for so many characters.
_LETTERS_A_LINE: Final = 32


@dataclass(slots=True)
class _Chunk:
    """Blocks that were settled together, and the part of the text they came from."""

    start: int
    end: int
    first_block: int
    block_count: int


class MarkdownFeed:
    """Keeps the blocks of one text up to date while it grows.

    `update` gives the text, `advance` parses the next stretch of it. Made by the row that shows
    the text; ends with it.
    """

    def __init__(self) -> None:
        self._raw = self._text = ""
        self._raw_lines_end = self._lines_end = 0
        self._blocks: list[Block] = []
        self._stable = 0
        self._start = self._read_to = 0
        self._window = _WINDOW
        self._fence: OpenFence | None = None
        self._chunks: list[_Chunk] = []
        self._references: References = {}
        self._rendered_with: dict[str, str] = {}
        self._left_out = 0
        self._is_complete = True

    @property
    def blocks(self) -> list[Block]:
        """The blocks so far; only to be read."""
        return self._blocks

    @property
    def is_complete(self) -> bool:
        """Whether all of the text is in the blocks."""
        return self._is_complete

    @property
    def unread(self) -> int:
        """How many characters are not in the blocks yet."""
        return 0 if self._is_complete else len(self._text) - self._read_to

    def update(self, text: str) -> bool:
        """Take the text as it is now; False if it is no continuation of the text before."""
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
        self._is_complete = False
        return True

    def advance(self) -> int:
        """Parse one more stretch; return the index of the first block that may be another now."""
        stable = self._stable
        if self._fence is None:
            self._fence = OpenFence.at(self._text, self._start)
        changed = self._read_fence(self._fence) if self._fence else self._read_window()
        if self._is_complete and self._left_out:
            self._blocks.append(LeftOut(self._left_out))
        return min(stable, changed)

    def _read_fence(self, fence: OpenFence) -> int:
        text = self._text
        end = fence.read(text)
        self._replace_tail([fence.block(text)])
        self._read_to = len(text)
        if end is None:
            self._is_complete = True
            return self._link_again(self._references)
        self._settle(end, 1)
        self._fence = None
        self._is_complete = self._start == len(text)
        self._read_to = end
        return self._stable

    def _read_window(self) -> int:
        text = self._text
        end = self._window_end(text)
        parsed = parse_blocks(text[self._start : end], self._references)
        settled, line = _settled(parsed, is_whole=end == len(text))
        if not settled and end < len(text):
            self._window *= _WIDENED_BY
            return self._stable
        self._window = _WINDOW
        rendered = render_parsed(parsed)
        self._replace_tail([block for blocks in rendered for block in blocks])
        self._read_to = end
        self._is_complete = end == len(text)
        if settled:
            self._keep_references(parsed.references, line)
            count = sum(len(blocks) for blocks in rendered[:settled])
            self._settle(self._start + _offset_of(parsed.source, line), count)
        return self._link_again(parsed.references) if self._is_complete else self._stable

    def _window_end(self, text: str) -> int:
        end = self._line_limit(text)
        if end >= len(text):
            return len(text)
        line_end = text.rfind("\n", self._start, end)
        if line_end < 0:
            line_end = text.find("\n", end)
        return line_end + 1 if line_end >= 0 else len(text)

    def _line_limit(self, text: str) -> int:
        """Return where so many lines end, or so many characters if that is sooner."""
        limit = min(len(text), self._start + self._window)
        end = self._start
        for _ in range(self._window // _LETTERS_A_LINE):
            end = text.find("\n", end, limit) + 1
            if not end:
                return limit
        return end

    def _replace_tail(self, blocks: list[Block]) -> None:
        self._blocks[self._stable :] = blocks

    def _settle(self, end: int, block_count: int) -> None:
        self._chunks.append(_Chunk(self._start, end, self._stable, block_count))
        self._stable += block_count
        self._start = end

    def _keep_references(self, references: References, line: int) -> None:
        for label, reference in references.items():
            if label not in self._references and reference["map"][1] <= line:
                self._references[label] = reference

    def _link_again(self, references: References) -> int:
        """Render anew what may use a name, when other names are defined now."""
        addresses = {label: str(reference["href"]) for label, reference in references.items()}
        if addresses == self._rendered_with:
            return self._stable
        self._rendered_with = addresses
        first_changed = self._stable
        for chunk in self._chunks:
            source = self._text[chunk.start : chunk.end]
            if "[" not in source:
                continue
            rendered = render_parsed(parse_blocks(source, references))
            last = chunk.first_block + chunk.block_count
            self._blocks[chunk.first_block : last] = [b for blocks in rendered for b in blocks]
            first_changed = min(first_changed, chunk.first_block)
        return first_changed


def render(text: str) -> tuple[Block, ...]:
    """Return the blocks of a whole text."""
    feed = MarkdownFeed()
    feed.update(text)
    while not feed.is_complete:
        feed.advance()
    return tuple(feed.blocks)


def _settled(parsed: Parsed, *, is_whole: bool) -> tuple[int, int]:
    """Return how many top-level blocks are settled, and the line after them."""
    lines = parsed.source.split("\n")
    # The last line may still grow; a window's last line break ends nothing that was cut.
    decided = len(lines) - 2 if is_whole else len(lines) - 1
    starts = [tokens[0].map or [0, 0] for tokens in parsed.top_blocks()]
    for index in range(len(starts) - 1, 0, -1):
        line, before = starts[index][0], starts[index - 1][1]
        gap = lines[before:line]
        # What stands between two blocks and is no block defines a name, and may go on.
        if line + 1 <= decided and not any(text.strip() for text in gap):
            return index, line
    return 0, 0


def _offset_of(source: str, line: int) -> int:
    offset = 0
    for _ in range(line):
        offset = source.index("\n", offset) + 1
    return offset
