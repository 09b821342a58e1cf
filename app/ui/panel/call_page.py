"""Everything about one call: exact input and result, its steps, and whether it can be undone."""

from collections.abc import Iterator

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QGridLayout, QLayout, QWidget

from app.ui.panel.details import DetailsPage, caption, exact_field
from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.labels import breakable, one_line, plain_label
from app.ui.parts.opening import open_by_system
from app.ui.theme import Theme
from app.viewmodels.tools.activity_words import StoryView


class CallPage(DetailsPage):
    """Shows one `StoryView` after the other. Made by the page of activity; ends with it."""

    undo_requested = Signal()
    """The call should be undone."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "")
        self._back.setAccessibleName(self.tr("Back to the list of calls"))
        self._view: StoryView | None = None

    def show_story(self, view: StoryView) -> None:
        """Shows everything about this call."""
        self._view = view
        self.fill(view.row.key, view.row.title, self._parts(view))

    def _parts(self, view: StoryView) -> Iterator[QWidget | QLayout]:
        theme, row = self._theme, view.row
        if row.target:
            target = breakable(one_line(row.target))
            yield plain_label(target, theme, ink="ink-2", wraps=True, is_code=True)
        yield plain_label(row.words, theme, size="small", ink="ink-2", wraps=True)
        for remark in view.remarks:
            said = breakable(one_line(remark))
            yield plain_label(said, theme, size="small", ink="ink-2", wraps=True)
        yield from self._buttons(view)
        for name, text in (
            (self.tr("Input"), view.input_text),
            (self.tr("Result"), view.result),
            (self.tr("What the assistant was told"), view.sent),
        ):
            if text:
                yield caption(name, theme)
                yield exact_field(text, name, theme)
        yield caption(self.tr("Steps"), theme)
        yield self._steps(view)

    def _buttons(self, view: StoryView) -> Iterator[QWidget | QLayout]:
        row = Flow()
        if view.can_undo:
            undo = push_button(self.tr("Undo"), "secondary", self._theme, icon="undo-2")
            undo.clicked.connect(self.undo_requested)
            row.add(undo)
        if view.output is not None:
            words = self.tr("Open full output")
            whole = push_button(words, "secondary", self._theme, icon="file-text")
            whole.clicked.connect(self._on_whole_clicked)
            row.add(whole)
        if row.count():
            yield row
        if view.undo_words:
            words = self.tr("Undo: {reason}").format(reason=breakable(one_line(view.undo_words)))
            yield plain_label(words, self._theme, size="small", ink="ink-3", wraps=True)

    def _steps(self, view: StoryView) -> QLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for number, (words, time) in enumerate(view.steps):
            grid.addWidget(plain_label(words, self._theme, size="small", ink="ink-2"), number, 0)
            label = plain_label(time, self._theme, size="small", ink="ink-3", elides=True)
            grid.addWidget(label, number, 1)
        return grid

    def _on_whole_clicked(self) -> None:
        if self._view and self._view.output:
            open_by_system(QUrl.fromLocalFile(str(self._view.output)))
