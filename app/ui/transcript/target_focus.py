"""Which link or button the keyboard is at."""

from dataclasses import dataclass
from typing import Final

from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.targets import Target

# So many rows are looked through for something to press.
_REACH: Final = 40


@dataclass(frozen=True, slots=True)
class _At:
    key: str
    number: int


class TargetFocus:
    """Goes from target to target in the order of reading.

    One for a view; ends with it.
    """

    def __init__(self, layout: TranscriptLayout) -> None:
        self._layout = layout
        self._at: _At | None = None

    @property
    def index(self) -> int | None:
        """The number of the row that the keyboard is in, if it is in the window."""
        return next((row.index for row in self._layout.placed if row.key == self.key), None)

    @property
    def key(self) -> str:
        """The key of the row that the keyboard is in, or nothing."""
        return self._at.key if self._at else ""

    @property
    def target(self) -> Target | None:
        """What the keyboard is at, in the measures of its row."""
        at = self._at
        if at is None:
            return None
        for placed in self._layout.placed:
            if placed.key == at.key:
                targets = placed.row.targets()
                return targets[at.number] if at.number < len(targets) else None
        return None

    @property
    def number(self) -> int | None:
        """The number of what the keyboard is at among the targets of its row."""
        return self._at.number if self._at else None

    def clear(self) -> None:
        """Be at nothing."""
        self._at = None

    def move(self, step: int, begin: int | None = None) -> bool:
        """Go to the next target (`step` 1) or the one before (-1); False if there is none near.

        `begin` is the row to begin in, if the keyboard is at no target yet.
        """
        index, number = self._start(step, begin)
        for row_index in range(index, index + step * _REACH, step):
            if not 0 <= row_index < self._layout.count:
                break
            targets = self._layout.row(row_index).targets()
            if row_index != index or number is None:
                number = 0 if step > 0 else len(targets) - 1
            if 0 <= number < len(targets):
                self._be_at(row_index, number, targets[number])
                return True
        self._at = None
        return False

    def go_to(self, index: int, target: Target) -> None:
        """Go to a target of a row."""
        targets = self._layout.row(index).targets()
        number = next((n for n, other in enumerate(targets) if other.deed == target.deed), None)
        if number is not None:
            self._be_at(index, number, targets[number])

    def _start(self, step: int, begin: int | None) -> tuple[int, int | None]:
        """Return the row to begin with, and the target in it if that is known."""
        placed = self._layout.placed
        if at := self._at:
            # What was scrolled out of the window is no place to go on from.
            for row in placed:
                if row.key == at.key:
                    return row.index, at.number + step
        if begin is not None or not placed:
            return begin or 0, None
        whole = [p.index for p in placed if p.top >= 0] or [placed[0].index]
        return (whole[0] if step > 0 else placed[-1].index), None

    def _be_at(self, index: int, number: int, target: Target) -> None:
        self._layout.reveal_box(index, target.box, target.window)
        key = next((p.key for p in self._layout.placed if p.index == index), "")
        self._at = _At(key, number)
