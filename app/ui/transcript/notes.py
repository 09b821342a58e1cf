"""Notes of a message: from what refers to one to the note, and back."""

from app.ui.transcript.announcer import Announcer
from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.reading import Reading
from app.ui.transcript.row import Row
from app.ui.transcript.spots import Selected, Spot
from app.ui.transcript.target_focus import TargetFocus
from app.ui.transcript.targets import FromNote, Target, ToNote


class Notes:
    """Goes to a note, and back to where one came from. One for a view; ends with it."""

    def __init__(
        self,
        layout: TranscriptLayout,
        focus: TargetFocus,
        reading: Reading,
        announcer: Announcer,
    ) -> None:
        self._layout = layout
        self._focus = focus
        self._reading = reading
        self._announcer = announcer
        self._came_from: dict[tuple[str, int], int] = {}

    def follow(self, key: str, deed: ToNote | FromNote) -> None:
        """Go to the other end of a note in the row with this key, and say what stands there."""
        index = next((row.index for row in self._layout.placed if row.key == key), None)
        if index is None:
            return
        piece = deed.to
        if isinstance(deed, ToNote):
            self._came_from[key, deed.number] = deed.at
        else:
            piece = self._came_from.get((key, deed.number), piece)
        target = None
        # What is far from the window is laid out where it comes to stand, then again nearby.
        for _ in range(2):
            row = self._layout.row(index)
            row.box_of(piece)
            target = _other_end(row, deed, piece)
            if target is None:
                return
            self._layout.reveal_box(index, target.box, target.window)
        if target:
            self._arrive(index, target, piece)

    def _arrive(self, index: int, target: Target, piece: int) -> None:
        row = self._layout.row(index)
        self._focus.go_to(index, target)
        self._reading.index, self._reading.has_caret = index, False
        text = row.box_of(piece)
        words = row.text(Selected(Spot(piece, 0), Spot(piece, text.box.length))) if text else ""
        # What the keyboard is at is told by itself.
        self._announcer.say(words)


def _other_end(row: Row, deed: ToNote | FromNote, piece: int) -> Target | None:
    targets = row.targets()
    if isinstance(deed, ToNote):
        back = FromNote(deed.number)
        return next((target for target in targets if target.deed == back), None)
    marks = (t for t in targets if isinstance(t.deed, ToNote) and t.deed.number == deed.number)
    return min(marks, key=lambda mark: _distance(mark, piece), default=None)


def _distance(mark: Target, piece: int) -> int:
    return abs(mark.deed.at - piece) if isinstance(mark.deed, ToNote) else 0
