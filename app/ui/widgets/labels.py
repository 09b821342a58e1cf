"""`plain_label` makes labels whose text stays text; labels are made nowhere else.

Names, titles and messages are untrusted. A QLabel that guesses its text format would render markup
in them; ours never do. Characters that are invisible, or reverse other letters, are shown as an
escape such as ‹U+202E›.

The other functions prepare untrusted text of any length for labels, buttons and tooltips, with
nothing hidden in it and not endless. `spoken` words errors: translated, filled in, and nothing
hidden in them.
"""

import html
import re
from collections.abc import Iterable, Iterator
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QToolTip, QWidget

from app.approvals.visible_text import RunKind, reveal_runs
from app.common.error_messages import ErrorMessage
from app.ui.markdown.sanitize import show_hidden
from app.ui.theme import Theme
from app.ui.widgets.focus_ring import has_ring
from app.ui.widgets.fonts import TextSize, Weight
from app.ui.widgets.painting import paint_focus_ring
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import cut_corners
from app.viewmodels.i18n import localized

NAME_LIMIT: Final = 40
_RING_RADIUS_PX: Final = 3
_TIP_RADIUS_PX: Final = 6
_CARET_ROOM: Final = "\u2009"
_ESCAPES: Final = re.compile("‹[^›]*›")
_ONE_LINE: Final = (
    Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
)
# More than any row can show; the rest of a very long text is not even processed.
LINE_LIMIT: Final = 500
_LONG_RUN: Final = re.compile(r"\S{12}(?=\S)")
_BREAK: Final = "\u200b"
_EMOJI: Final = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe"
    "\u2600-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f300-\U0001faff]"
    "[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]?"
)
# An emoji of several characters, of which some only join the others.
_PICTURE: Final = re.compile(
    "\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f|[0-9#*]\ufe0f\u20e3|"
    f"{_EMOJI}(?:\u200d{_EMOJI}){{0,8}}"
)


def one_line(text: str, limit: int = LINE_LIMIT) -> str:
    """Return untrusted text as one line of at most `limit` characters, nothing hidden in it.

    An escape is never cut in two, so that what is shown stands for what is there.
    """
    return _cut(_revealed(_joined(text, limit)), limit)


def title_line(text: str, limit: int = LINE_LIMIT) -> str:
    """Return an untrusted title as `one_line` does, but with emoji of several parts whole.

    For what names something and decides nothing: where somebody allows a thing, everything that
    draws nothing is to be seen, which is what `one_line` is for.
    """
    return _cut(title_pieces(_joined(text, limit)), limit)


def title_pieces(text: str) -> Iterator[str]:
    """Give the pieces of a title as it is shown, none of which can be cut in two."""
    at = 0
    for picture in _PICTURE.finditer(text):
        yield from _revealed(text[at : picture.start()])
        yield picture[0]
        at = picture.end()
    yield from _revealed(text[at:])


def short_name(text: str) -> str:
    """Return an untrusted name (an agent's, a skill's) as it may stand beside our own words."""
    return one_line(text, NAME_LIMIT)


def button_text(text: str) -> str:
    """Return untrusted text for a button or a menu."""
    return literal(one_line(text))


def literal(shown: str) -> str:
    """Return escaped text as buttons and menus take it, where a lone & would mark a shortcut."""
    return shown.replace("&", "&&")


def breakable(text: str) -> str:
    """Return the text so that its long words may break: a label would widen for them."""
    return _LONG_RUN.sub(lambda run: run[0] + _BREAK, text)


def set_plain_tooltip(widget: QWidget, text: str, *more: str) -> None:
    """Give `widget` a tooltip that shows `text` as it is, and each of `more` on a line of its own.

    A screen reader says it after the name of the widget, set before this, unless it repeats that.
    """
    _tooltip_of(widget).lines = lines = tuple(map(one_line, (text, *more)))
    shown = ". ".join(lines)
    name = widget.accessibleName() or (widget.text() if isinstance(widget, QLabel) else "")
    widget.setAccessibleDescription("" if shown == one_line(name) else shown)


def show_plain_tooltip(at: QPoint, text: str, widget: QWidget, *more: str) -> None:
    """Show `text` as it is beside this point of the screen, and each of `more` below it."""
    # Markup wraps its words, and what looks like markup in them is shown as it is.
    lines = [html.escape(one_line(line)) for line in (text, *more)]
    shown = lines[0]
    if more:
        # These are short, and stand in a column.
        shown = "".join(f'<div style="white-space: pre">{line}</div>' for line in lines)
    QToolTip.showText(at, f"<span>{shown}</span>", widget)
    _round_tooltip()


def _round_tooltip() -> None:
    """Cut the corners off what is shown.

    Qt has one window for tooltips that follow each other, whose shape stays where its size changes.
    """
    if QGuiApplication.platformName() != "xcb":
        return
    for window in QApplication.topLevelWidgets():
        if window.inherits("QTipLabel"):
            cut_corners(window, _TIP_RADIUS_PX)


def plain_tooltip(widget: QWidget) -> str:
    """Return the text of the tooltip of `widget`; empty if it has none."""
    return "\n".join(_tooltip_of(widget).lines)


def plain_label(
    text: str,
    theme: Theme,
    *,
    size: TextSize = "base",
    weight: Weight = Weight.Normal,
    ink: Token = "ink",
    wraps: bool = False,
    elides: bool = False,
    is_code: bool = False,
    is_reached: bool = False,
) -> QLabel:
    """Make a label that draws `text` as it is.

    Set other text with `setText`; the colour follows the theme by itself. With `elides` the label
    may be narrower than its text, and ends it with an ellipsis then. With `is_code` the font is
    that of code, in its one size. With `is_reached` it can have the keyboard, for what must be
    heard: a screen reader says its text then, or its name where it has one.
    """
    label = _ElidedLabel() if elides else _ReachedLabel(theme) if is_reached else QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    # Set before the style sheet is applied for the first time, which would reset a later font.
    label.setFont(theme.mono(weight) if is_code else theme.font(size, weight))
    label.setWordWrap(wraps)
    label.setText(text)
    set_ink(label, ink)
    return label


def set_ink(label: QLabel, ink: Token) -> None:
    """Draw the label in the colour of this token from now on."""
    label.setProperty("ink", ink)
    # A style sheet reads properties only when a widget is polished.
    label.style().unpolish(label)
    label.style().polish(label)


class _Tooltip(QObject):
    """Shows words about its parent beside the pointer.

    Qt's own tooltip of a widget would be read out after its name, with its markup and also where
    it is the name again.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.lines: tuple[str, ...] = ()
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not (isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip):
            return super().eventFilter(watched, event)
        text, *more = self.lines or ("",)
        if text and isinstance(watched, QWidget):
            show_plain_tooltip(event.globalPos(), text, watched, *more)
        return bool(text)


def _tooltip_of(widget: QWidget) -> _Tooltip:
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    kept = widget.findChild(_Tooltip, options=direct)
    return kept if isinstance(kept, _Tooltip) else _Tooltip(widget)


class _ElidedLabel(QLabel):
    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        """Return the size of the text, as high as its font says: what is measured may be less."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        """Return a size that any layout can give: an ellipsis stands for the rest."""
        return QSize(self.fontMetrics().horizontalAdvance("…"), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text, and an ellipsis for what does not fit."""
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, _ONE_LINE, shown)


class _ReachedLabel(QLabel):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and a ring around it while the keyboard is there."""
        super().paintEvent(event)
        if has_ring(self):
            paint_focus_ring(self, self._theme.color("accent"), _RING_RADIUS_PX, width_px=1)


def beside_caret(placeholder: str) -> str:
    """Return a placeholder that leaves room for the caret before its first letter."""
    return _CARET_ROOM + placeholder if placeholder else ""


def _joined(text: str, limit: int) -> str:
    return " ".join(text[: 4 * limit + 4].split())


def _revealed(text: str) -> Iterator[str]:
    for run in reveal_runs(text, breaks_lines=False):
        yield from _ESCAPES.findall(run.text) if run.kind is RunKind.HIDDEN else run.text


def _cut(pieces: Iterable[str], limit: int) -> str:
    kept: list[str] = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length > limit:
            break
    else:
        return "".join(kept)
    while length > limit - 1:
        length -= len(kept.pop())
    return "".join([*kept, "…"])


_SIZE_LIMIT: Final = 32 * 1024
_LINE_LIMIT: Final = 400


def shown_text(text: str) -> str:
    """Return the beginning of a text with what is hidden in it escaped, and what is left out."""
    cut = text[:_SIZE_LIMIT]
    lines = cut.split("\n", _LINE_LIMIT)
    cut = "\n".join(lines[:_LINE_LIMIT])
    shown = show_hidden(cut)
    if len(cut) == len(text):
        return shown.removesuffix("\n")
    words = QCoreApplication.translate("Transcript", "{count} more characters are not shown.")
    return f"{shown}\n… {words.format(count=f'{len(text) - len(cut):,}')}"


def spoken(words: ErrorMessage) -> str:
    """Return the sentence for people; what the service said in it is shown escaped."""
    return one_line(localized(words))
