"""The middle column that transcript, cards and composer share."""

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QWidget

COLUMN_WIDTH_PX: Final = 720
_MARGIN_PX: Final = 16


class Column(QWidget):
    """Centres one widget, at most as wide as a line is good to read."""

    def __init__(self, content: QWidget, *, top_px: int = 0, bottom_px: int = 0) -> None:
        super().__init__()
        content.setMaximumWidth(COLUMN_WIDTH_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN_PX, top_px, _MARGIN_PX, bottom_px)
        row.setSpacing(0)
        # The content takes all the width up to its maximum; what is left is shared.
        row.addStretch(1)
        row.addWidget(content, 1000)
        row.addStretch(1)
