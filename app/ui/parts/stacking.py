"""Parts below each other, from edge to edge of what they stand in."""

from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget


def stack(whole: QWidget, spacing_px: int, *parts: QWidget | QLayout) -> QVBoxLayout:
    """Lay the parts out in `whole` from its top; more can be added to what is returned."""
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(spacing_px)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return column
