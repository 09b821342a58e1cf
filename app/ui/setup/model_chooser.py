"""The chip that shows which model answers, with a menu of those that were found."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction, QActionGroup

from app.ui.parts.chips import Chip
from app.ui.parts.labels import button_text
from app.ui.parts.menus import make_menu
from app.ui.theme import Theme
from app.viewmodels.settings.states import ModelRow

_GAP_PX = 4


class ModelChooser(Chip):
    """Lets one of several models be chosen; `model_id` is empty while there is none.

    Made by the page that it stands on.
    """

    model_chosen = Signal(str)
    """Somebody chose another model; argument: its id."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "", self.tr("Model"), opens=True)
        self._models: tuple[ModelRow, ...] = ()
        self.model_id = ""
        self._menu = make_menu(self, self.tr("Models"), theme)
        self._group = QActionGroup(self._menu)
        self._group.triggered.connect(self._on_group_triggered)
        self.clicked.connect(self._on_clicked)

    def show_models(self, models: Sequence[ModelRow]) -> None:
        """Offers these models; the choice made before stays if it is still there."""
        if tuple(models) != self._models:
            self._models = tuple(models)
            self._fill_menu()
        ids = [model.model_id for model in models]
        self._show_chosen(self.model_id if self.model_id in ids else next(iter(ids), ""))

    def _fill_menu(self) -> None:
        for action in self._group.actions():
            self._group.removeAction(action)
            action.deleteLater()
        for model in self._models:
            action = QAction(button_text(model.name), self._menu, checkable=True)
            action.setData(model.model_id)
            self._group.addAction(action)
            self._menu.addAction(action)

    def _show_chosen(self, model_id: str) -> None:
        self.model_id = model_id
        names = [model.name for model in self._models if model.model_id == model_id]
        self.show_choice(next(iter(names), ""))
        for action in self._group.actions():
            action.setChecked(action.data() == model_id)

    def _on_clicked(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + _GAP_PX)))

    def _on_group_triggered(self, action: QAction) -> None:
        model_id = str(action.data())
        if model_id != self.model_id:
            self._show_chosen(model_id)
            self.model_chosen.emit(model_id)
