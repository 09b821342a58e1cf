"""`ExampleCard` is the illustration of the first-run page: an approval card for a file change."""

from typing import Final

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout

from app.ui.theme import Theme
from app.ui.widgets.accessible import set_role
from app.ui.widgets.buttons import IconLabel
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import RoundedFrame

_WIDTH_PX: Final = 416
_HEAD_PX: Final = 34
_RADIUS_PX: Final = 10
_SMALL_RADIUS_PX: Final = 6
_PATH: Final = "/home/ada/Club/notes/helpers.md"
# One line removed and one added, in the kind of file that anybody may have.
_CHANGE: Final[tuple[tuple[str, Token], ...]] = (
    ("-10:00 to 12:00: open", "removed"),
    ("+10:00 to 12:00: Tom", "added"),
)


class ExampleCard(RoundedFrame):
    """An approval card as an illustration; nothing on it can be clicked or focused.

    Made by the first page.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _RADIUS_PX, line="warn-line")
        self._theme = theme
        self.set_band("warn-soft", theme.px(_HEAD_PX))
        hold_size(self, width_px=_WIDTH_PX)
        set_role(self, QAccessible.Role.Graphic)
        self.setAccessibleName(self.tr("Illustration: a card asks before a file is changed."))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 12)
        column.setSpacing(7)
        column.addLayout(self._make_head())
        column.addSpacing(7)
        column.addLayout(self._make_path())
        column.addWidget(self._make_change())
        column.addLayout(self._make_answers())

    def _make_head(self) -> QHBoxLayout:
        title = self.tr("Write a file on this computer?")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(IconLabel("shield-alert", self._theme, "warn", 15))
        row.addWidget(plain_label(title, self._theme, size="small", weight=Weight.DemiBold), 1)
        row.addWidget(plain_label(self.tr("changes files"), self._theme, size="small", ink="warn"))
        return row

    def _make_path(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(24)
        row.addWidget(plain_label(self.tr("Path"), self._theme, size="small", ink="ink-3"))
        row.addWidget(plain_label(_PATH, self._theme, is_code=True), 1)
        return row

    def _make_change(self) -> RoundedFrame:
        frame = RoundedFrame(self._theme, _SMALL_RADIUS_PX, line="bg")
        column = QVBoxLayout(frame)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for words, ground in _CHANGE:
            line = RoundedFrame(self._theme, 0, ground=ground, line=ground)
            inside = QHBoxLayout(line)
            inside.setContentsMargins(10, 1, 10, 1)
            inside.addWidget(plain_label(words, self._theme, is_code=True))
            column.addWidget(line)
        return frame

    def _make_answers(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._answer(self.tr("Allow once"), "on-accent", "accent"))
        row.addWidget(self._answer(self.tr("Always allow…"), "ink", "bg", opens=True))
        row.addStretch(1)
        row.addWidget(self._answer(self.tr("Deny…"), "bad", "bg"))
        return row

    def _answer(
        self, words: str, ink: Token, ground: Token, *, opens: bool = False
    ) -> RoundedFrame:
        line: Token = "accent" if ground == "accent" else "line-strong"
        frame = RoundedFrame(self._theme, _SMALL_RADIUS_PX, ground=ground, line=line)
        inside = QHBoxLayout(frame)
        inside.setContentsMargins(10, 5, 10, 5)
        label: QLabel = plain_label(words, self._theme, size="small", weight=Weight.Medium, ink=ink)
        inside.addWidget(label)
        if opens:
            inside.setSpacing(4)
            inside.addWidget(IconLabel("chevron-down", self._theme, "ink-3", 12))
        return frame
