"""Following the model: what the parts of a view learn when items come, go and change."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Signal

from app.ui.transcript.announcer import Announcer
from app.ui.transcript.blocks.highlighter import HighlightScheduler
from app.ui.transcript.interaction_state import InteractionState
from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.rows.row_cache import RowCache


class ModelObserver(QObject):
    """Tells layout, marks and announcer of each change of the model, in this order.

    Made by the view; ends with it.
    """

    moved = Signal()
    """Rows are gone, or all are others: what is in the window wants to be laid out at once."""
    grown = Signal()
    """Items came or say something else: the window may follow with the next frame."""

    def __init__(  # noqa: PLR0917 - these are the parts that learn of it
        self,
        model: QAbstractItemModel,
        rows: RowCache,
        layout: TranscriptLayout,
        marks: InteractionState,
        announcer: Announcer,
        colourist: HighlightScheduler,
    ) -> None:
        super().__init__(announcer)
        self._rows = rows
        self._layout = layout
        self._marks = marks
        self._announcer = announcer
        self._colourist = colourist
        model.rowsInserted.connect(self._on_model_rows_inserted)
        model.rowsRemoved.connect(self._on_model_rows_removed)
        model.dataChanged.connect(self._on_model_data_changed)
        model.modelReset.connect(self._on_model_reset)

    def _on_model_rows_inserted(self, _parent: object, first: int, last: int) -> None:
        count = last - first + 1
        for part in (self._layout, self._marks.selection, self._marks.reading):
            part.insert(first, count)
        self._marks.finding.note_shift(first, count)
        self._layout.follows_end |= self._rows.ends_with_own_words(last)
        self._announcer.note_new(first, last)
        self._take_note(first, last)

    def _on_model_rows_removed(self, _parent: object, first: int, last: int) -> None:
        count = last - first + 1
        for part in (self._layout, self._marks.selection, self._marks.reading):
            part.remove(first, count)
        self._marks.finding.note_shift(last + 1, -count)
        self.moved.emit()

    def _on_model_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self._announcer.note(first.row(), last.row())
        self._take_note(first.row(), last.row())

    def _on_model_reset(self) -> None:
        self._marks.selection.clear()
        self._marks.focus.clear()
        self._marks.reading.leave()
        self._announcer.forget_all()
        self._colourist.forget_all()
        self._layout.reset()
        self._marks.finding.start_anew()
        self.moved.emit()

    def _take_note(self, first: int, last: int) -> None:
        self._marks.finding.note_rows(first, last)
        self.grown.emit()
