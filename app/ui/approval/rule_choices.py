"""What can be chosen of a rule: what it leaves out, and for how long it holds."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.approval.giving_up import GivingUp
from app.ui.parts.chips import Chip
from app.ui.parts.choice_chip import ChoiceChip
from app.ui.parts.flow import Flow
from app.ui.parts.labels import one_line
from app.ui.parts.line_edit import LineEdit
from app.ui.theme import Theme
from app.viewmodels.approval.rule_states import RulePageView


class RuleChoices(QWidget):
    """Chips for exceptions and span. Made by the page on which a rule is made."""

    exception_added = Signal(str)
    """The person leaves out a place: its path below the folder."""
    exception_removed = Signal(str)
    """The person leaves out a place no longer: its path below the folder."""
    span_chosen = Signal(str)
    """The rule shall hold for so long: the key of the span."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._exceptions: dict[str, Chip] = {}
        self._add = Chip(theme, self.tr("Exception"), "", icon="plus")
        self._add.setAccessibleName(self.tr("Add an exception"))
        self._path = LineEdit()
        self._path.setPlaceholderText(self.tr("A file or folder inside, such as private/"))
        self._path.setAccessibleName(self.tr("Path of the exception"))
        self._path.hide()
        self._span = ChoiceChip(theme, self.tr("How long"))
        self._chips = QWidget()
        self._row = Flow(self._chips)
        self._lay_out_row()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._chips)
        column.addWidget(self._path)
        self._add.clicked.connect(self._on_add_clicked)
        self._path.returnPressed.connect(self._on_path_entered)
        GivingUp(self._path).given_up.connect(self._on_path_given_up)
        self._span.chosen.connect(self.span_chosen)

    def show_view(self, view: RulePageView) -> None:
        """Show what is chosen."""
        self._add.setVisible(view.can_except)
        if not view.can_except:
            self._path.hide()
        if tuple(self._exceptions) != view.exceptions:
            self._show_exceptions(view.exceptions)
        self._span.offer(view.spans)
        self._span.show_value(view.span)

    def start_over(self) -> None:
        """Another rule: nothing is typed."""
        self._path.clear()
        self._path.hide()

    def _show_exceptions(self, exceptions: tuple[str, ...]) -> None:
        for chip in self._exceptions.values():
            chip.setParent(None)
            chip.deleteLater()
        self._exceptions = {path: self._exception(path) for path in exceptions}
        self._lay_out_row()

    def _lay_out_row(self) -> None:
        while self._row.takeAt(0) is not None:
            pass
        self._row.add(*self._exceptions.values(), self._add, self._span)
        self._theme.fit(self._chips)

    def _exception(self, path: str) -> Chip:
        words = self.tr("Except {path}").format(path=one_line(path))
        chip = Chip(self._theme, words, "", icon="x")
        chip.setAccessibleName(self.tr("Remove the exception {path}").format(path=one_line(path)))
        chip.setProperty("path", path)
        chip.clicked.connect(self._on_exception_clicked)
        return chip

    def _on_exception_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Chip):
            self.exception_removed.emit(str(sender.property("path")))

    def _on_add_clicked(self) -> None:
        self._path.show()
        self._path.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_path_entered(self) -> None:
        text = self._path.text()
        self.start_over()
        self.exception_added.emit(text)

    def _on_path_given_up(self) -> None:
        self.start_over()
        self._add.setFocus(Qt.FocusReason.OtherFocusReason)
