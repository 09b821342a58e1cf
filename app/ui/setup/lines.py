"""A field of the settings with lines to read and to mark, and nothing to type."""

from PySide6.QtWidgets import QPlainTextEdit

from app.ui.parts.scaling import hold_size
from app.ui.theme import Theme


def lines_field(theme: Theme, name: str, height_px: int, *, is_exact: bool) -> QPlainTextEdit:
    """Makes the field, `height_px` high in the design; exact lines are in the typeface of code."""
    field = QPlainTextEdit()
    field.setReadOnly(True)
    field.setFont(theme.mono() if is_exact else theme.font("secondary"))
    field.setTabChangesFocus(True)
    hold_size(field, height_px=height_px)
    field.setProperty("field", "address")
    field.setAccessibleName(name)
    return field
