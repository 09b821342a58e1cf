"""`SourceRow` names what a reply refers to, in one line below it."""

from PySide6.QtCore import QPointF

from app.chat.items import Item, Source
from app.ui.transcript.blocks.text_box import TextBox
from app.ui.transcript.painting import PaintContext
from app.ui.transcript.rows.row import RowContext, SingleTextRow


class SourceRow(SingleTextRow):
    """The name of a source; it can be selected, copied and found as any text."""

    def __init__(self, row_context: RowContext) -> None:
        self._style = row_context.style
        self._name = ""
        self._box = TextBox(self._style, self._style.secondary, self._style.secondary_line_px)

    def show(self, item: Item) -> bool:
        """Show the name of the source."""
        if not isinstance(item, Source):
            return False
        self._name = item.text
        self._box.show_plain(item.text)
        self._fit()
        return True

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        self._box.set_width(width)
        self._fit()

    def paint(self, context: PaintContext) -> None:
        """Draw the name."""
        self._box.paint(context, self._text_origin, "ink-2", context.span_in(0, self._box.length))

    @property
    def shown_text(self) -> str:
        """The name, for copying and screen readers."""
        return self._name

    @property
    def _text_origin(self) -> QPointF:
        return QPointF(0, 0)

    def _fit(self) -> None:
        self.height = round(self._box.height)
