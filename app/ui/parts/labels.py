"""Text on the window that stays text: the only place where labels are made.

Names, titles and messages come from elsewhere. A label that guesses whether its text is markup
would let them draw; ours never do. What draws nothing, or turns other letters around, is shown as
an escape such as ‹U+202E›.
"""

import html
import re
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.approvals.reveal import RunKind, reveal_runs
from app.ui.parts.fonts import TextSize, Weight
from app.ui.parts.tokens import Token
from app.ui.theme import Theme

NAME_LIMIT: Final = 40
_ESCAPES: Final = re.compile("‹[^›]*›")
_ONE_LINE: Final = (
    Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
)
# More than any row can show; the rest of a very long text is not worth the look.
LINE_LIMIT: Final = 500


def one_line(text: str, limit: int = LINE_LIMIT) -> str:
    """Return untrusted text as one line of at most `limit` characters, nothing hidden in it.

    An escape is never cut in two, so that what is shown stands for what is there.
    """
    words = " ".join(text[: 4 * limit + 4].split())
    pieces: list[str] = []
    length = 0
    for run in reveal_runs(words, breaks_lines=False):
        for piece in _ESCAPES.findall(run.text) if run.kind is RunKind.HIDDEN else run.text:
            pieces.append(piece)
            length += len(piece)
            if length > limit:
                return _cut(pieces, limit)
    return "".join(pieces)


def short_name(text: str) -> str:
    """Return an untrusted name (an agent's, a skill's) as it may stand beside our own words."""
    return one_line(text, NAME_LIMIT)


def button_text(text: str) -> str:
    """Return untrusted text for a button or a menu."""
    return literal(one_line(text))


def literal(shown: str) -> str:
    """Return escaped text as buttons and menus take it, where a lone & would mark a shortcut."""
    return shown.replace("&", "&&")


def set_plain_tooltip(widget: QWidget, text: str) -> None:
    """Give `widget` a tooltip that shows `text` as it is."""
    widget.setToolTip(f"<span>{html.escape(one_line(text))}</span>" if text else "")


def plain_label(
    text: str,
    theme: Theme,
    *,
    size: TextSize = "base",
    weight: Weight = Weight.Normal,
    ink: Token = "ink",
    wraps: bool = False,
    elides: bool = False,
) -> QLabel:
    """Make a label that draws `text` as it is.

    Set other text with `setText`; the colour follows the theme by itself. With `elides` the label
    may be narrower than its text, and ends it with an ellipsis then.
    """
    label = _ElidedLabel() if elides else QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(theme.font(size, weight))
    label.setWordWrap(wraps)
    label.setText(text)
    set_ink(label, ink)
    return label


def set_ink(label: QLabel, ink: Token) -> None:
    """Draw the label in the colour of this token from now on."""
    label.setProperty("ink", ink)
    label.style().unpolish(label)
    label.style().polish(label)


class _ElidedLabel(QLabel):
    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Returns a size that any layout can give: an ellipsis stands for the rest."""
        return QSize(self.fontMetrics().horizontalAdvance("…"), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the text, and an ellipsis for what does not fit."""
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, _ONE_LINE, shown)


def _cut(pieces: list[str], limit: int) -> str:
    while sum(map(len, pieces)) > limit - 1:
        pieces.pop()
    return "".join([*pieces, "…"])
