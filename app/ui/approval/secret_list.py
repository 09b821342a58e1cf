"""The secrets of a result, one a line, each with a tick that lets it leave as it is."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListWidget, QListWidgetItem, QSizePolicy

from app.ui.approval.tick_delegate import TickDelegate
from app.ui.theme import Theme
from app.viewmodels.approval.held_words import SecretView

_MOST_LINES: Final = 4
_LEAST_LINES: Final = 2
_TICKED, _PARTLY = Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked


class SecretList(QListWidget):
    """Lists what was found; at first nothing is ticked. Above several stands one line for all.

    Up and Down lead from one to the next, Space ticks. Made by the card of a result.
    """

    changed = Signal(object)
    """Other secrets are ticked; argument: their numbers, a frozen set."""
    pointed_at = Signal(int)
    """The person has come to this secret; argument: its number."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._all: QListWidgetItem | None = None
        self.setAccessibleName(self.tr("Secrets; ticked ones are sent as they are"))
        self.setItemDelegate(TickDelegate(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setUniformItemSizes(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme.changed.connect(self.viewport().update)
        self.itemChanged.connect(self._on_item_changed)
        self.currentRowChanged.connect(self._on_current_row_changed)

    def show_secrets(self, secrets: Sequence[SecretView]) -> None:
        """List these, nothing ticked."""
        self.blockSignals(True)
        self.clear()
        self._all = None
        if len(secrets) > 1:
            self._all = self._item(self.tr("All %n secrets", "", len(secrets)))
        for secret in secrets:
            self._item(secret.words)
        self.blockSignals(False)
        self.updateGeometry()

    @property
    def ticked(self) -> frozenset[int]:
        """The numbers of the secrets that are sent as they are."""
        rows = range(self._above, self.count())
        return frozenset(r - self._above for r in rows if self.item(r).checkState() == _TICKED)

    def wanted_height(self) -> int:
        """Return the height at which some of them are in sight."""
        return self._height(min(self.count(), _MOST_LINES))

    def least_height(self) -> int:
        """Return the height at which there is something to scroll through."""
        return self._height(min(self.count(), _LEAST_LINES))

    def sizeHint(self) -> QSize:
        """Ask for a few lines."""
        return QSize(super().sizeHint().width(), self.wanted_height())

    def minimumSizeHint(self) -> QSize:
        """Keep fewer."""
        return QSize(0, self.least_height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin with the first."""
        super().focusInEvent(event)
        if self.currentRow() < 0:
            self.setCurrentRow(0, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    @property
    def _above(self) -> int:
        """How many lines stand above the secrets."""
        return 0 if self._all is None else 1

    def _item(self, words: str) -> QListWidgetItem:
        item = QListWidgetItem(words, self)
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsUserCheckable
        )
        item.setCheckState(Qt.CheckState.Unchecked)
        return item

    def _height(self, lines: int) -> int:
        return max(1, lines) * max(1, self.sizeHintForRow(0)) + 2 * self.frameWidth()

    def _on_item_changed(self, item: QListWidgetItem) -> None:
        self.blockSignals(True)
        if self._all is item and item.checkState() != _PARTLY:
            for row in range(self._above, self.count()):
                self.item(row).setCheckState(item.checkState())
        ticked = self.ticked
        if self._all is not None:
            is_all = len(ticked) == self.count() - self._above
            none = Qt.CheckState.Unchecked
            self._all.setCheckState(_TICKED if is_all else _PARTLY if ticked else none)
        self.blockSignals(False)
        self.viewport().update()
        self.changed.emit(ticked)

    def _on_current_row_changed(self, row: int) -> None:
        if row >= self._above:
            self.pointed_at.emit(row - self._above)
