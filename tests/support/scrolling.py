"""A part that stands low on a page, as in the settings."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget


@contextmanager
def low_on_a_page(part: QWidget, above_px: int) -> Iterator[QScrollArea]:
    """Show a page of 600 x 900 pixels with `part` that far down."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.addSpacing(above_px)
    column.addWidget(part)
    scroll = QScrollArea(widgetResizable=True)
    scroll.setWidget(page)
    scroll.resize(600, 900)
    scroll.show()
    try:
        yield scroll
    finally:
        part.setParent(None)
        # To close the last window would end the program.
        scroll.hide()
        scroll.deleteLater()


def is_in_view(scroll: QScrollArea, part: QWidget) -> bool:
    """Tells whether the top of `part` can be seen."""
    at = part.mapTo(scroll.viewport(), QPoint(0, 0))
    return scroll.viewport().rect().contains(at)
