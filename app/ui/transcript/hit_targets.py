"""`HitTarget` is an area of a row that can be pressed by mouse or keyboard, with its action.

`ClickFeedback` remembers the last action for a moment, so that its button can show it.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal

from app.chat.items import Action
from app.store.records import StoredAttachment


@dataclass(frozen=True, slots=True)
class OpenLink:
    """Leave the window for this address, which stands behind these words."""

    address: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """Show the page of the manual with this name, which stands behind these words."""

    name: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class ToNote:
    """Go from `from_piece` to the note with this number, which begins with `to_piece`.

    It is the same action when the note moves, as it does while a reply streams.
    """

    number: int
    from_piece: int = 0
    to_piece: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class FromNote:
    """Go back to what refers to the note; the first reference stands in `to_piece`."""

    number: int
    to_piece: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class CopyText:
    """Put this text on the clipboard."""

    text: str


@dataclass(frozen=True, slots=True)
class SaveCode:
    """Save a block of code as a file; of one that `is_cut` there is more than this text."""

    text: str
    language: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class PreviewCode:
    """Show in the browser what a block of code draws; the fields are those of `SaveCode`."""

    text: str
    language: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class CopyMessage:
    """Put a whole message on the clipboard: of a reply, all its parts."""


@dataclass(frozen=True, slots=True)
class Toggle:
    """Open the row, or close it."""


@dataclass(frozen=True, slots=True)
class Wrap:
    """Break the long lines of a piece, or leave them whole."""

    piece: int


@dataclass(frozen=True, slots=True)
class ShowRest:
    """Show all lines of a piece, or its beginning only."""

    piece: int


@dataclass(frozen=True, slots=True)
class Scroll:
    """Scroll a block sideways that is wider than its place, by mouse or arrow keys."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Move a message that waits back into the composer."""


@dataclass(frozen=True, slots=True)
class OpenImage:
    """Show an image at its own size, in the system's program."""

    image: StoredAttachment


@dataclass(frozen=True, slots=True)
class Choose:
    """Do what a notice or a message offers."""

    choice: Action


InlineAction = OpenLink | OpenPage | ToNote
"""Actions in the middle of words; a selection can begin there, too."""

TargetAction = (
    InlineAction
    | FromNote
    | CopyText
    | CopyMessage
    | SaveCode
    | PreviewCode
    | Toggle
    | Wrap
    | ShowRest
    | Scroll
    | Withdraw
    | OpenImage
    | Choose
)


@dataclass(frozen=True, slots=True)
class HitTarget:
    """An area of a row that can be pressed; `name` is its accessible name.

    A link that goes on in the next line has further boxes. Of what is wider than its block only
    the part inside `window` can be pressed. `tooltip` says what an icon does.
    """

    action: TargetAction
    box: QRectF
    name: str
    more_boxes: tuple[QRectF, ...] = ()
    window: QRectF | None = None
    tooltip: str = ""

    def contains(self, point: QPointF) -> bool:
        """Return whether a point is inside."""
        is_seen = self.window is None or self.window.contains(point)
        return is_seen and any(box.contains(point) for box in (self.box, *self.more_boxes))

    def moved(self, x: float, y: float) -> "HitTarget":
        """Return the same target, moved by so many pixels."""
        more_boxes = tuple(box.translated(x, y) for box in self.more_boxes)
        window = self.window.translated(x, y) if self.window else None
        return replace(self, box=self.box.translated(x, y), more_boxes=more_boxes, window=window)


_SHOWN_MS: Final = 1500


class ClickFeedback(QObject):
    """Remembers the last action for a moment, so that its button can show it. One for a view."""

    changed = Signal()
    """A button should show that it was pressed, or show it no longer."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._done: tuple[str, TargetAction] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def show(self, key: str, action: TargetAction) -> None:
        """Remember the action that was done in a row."""
        self._done = (key, action)
        self._timer.start()
        self.changed.emit()

    def in_row(self, key: str) -> TargetAction | None:
        """Return the action done in a row just now."""
        return self._done[1] if self._done and self._done[0] == key else None

    def _on_timer_timeout(self) -> None:
        self._done = None
        self.changed.emit()
