"""What would change in a file, line by line: taken out, put in, left."""

from collections.abc import Iterator
from typing import Final

from app.approvals.reveal import iter_runs
from app.ui.approval.revealed_text import Paragraph, RevealedText
from app.ui.parts.tokens import Token

_GROUNDS: Final[dict[str, Token]] = {"+": "added", "-": "removed"}
_NOTE_STARTS: Final = ("@@", "\\")


class DiffView(RevealedText):
    """A unified diff with added and removed lines on their own ground, nothing hidden or cut.

    Made by an approval card; ends with it.
    """

    def show_diff(self, diff: str) -> None:
        """Show `diff`, whose lines end in a line feed; any other control is written out."""
        self.show_paragraphs(diff_paragraphs(diff))


def diff_paragraphs(diff: str) -> Iterator[Paragraph]:
    """Yield the lines of a diff as they are drawn."""
    is_in_hunk = False
    for line in diff.removesuffix("\n").split("\n"):
        runs = iter_runs(line, breaks_lines=False)
        is_in_hunk = is_in_hunk or line.startswith("@@")
        if not is_in_hunk or line.startswith(_NOTE_STARTS):
            yield Paragraph(runs, ink="ink-3")
        else:
            yield Paragraph(runs, ground=_GROUNDS.get(line[:1]))
