"""`ChoiceCard` offers one choice: icon, title, a sentence, and what else belongs to it.

`ModelChooser` is the chip on such a card that shows which model answers, with a menu of those
found.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.theme import Theme
from app.ui.widgets.chips import Chip
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import button_text, plain_label
from app.ui.widgets.menus import make_menu
from app.ui.widgets.painting import paint_focus_ring
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import set_card
from app.viewmodels.settings.models import ModelRow

_ICON_PX: Final = 18
_RADIUS_PX: Final = 9


class ChoiceCard(QFrame):
    """One of several cards, of which one is chosen.

    It is a radio button to the keyboard and to screen readers: arrows go from card to card. The
    `body` is shown only while the card is chosen. Made by the page that it stands on.
    """

    chosen = Signal()
    """This card is the chosen one now."""
    submitted = Signal()
    """Enter was pressed on the card."""

    def __init__(
        self,
        theme: Theme,
        group: QButtonGroup,
        *,
        icon: str,
        title: str,
        words: str,
        body: QWidget,
    ) -> None:
        super().__init__()
        self._theme = theme
        self.title = title
        self._icon_name = icon
        self._icon = plain_label("", theme)
        self._icon.setFixedSize(_ICON_PX, _ICON_PX)
        self._tick = plain_label("", theme)
        self._tick.setFixedSize(_ICON_PX, _ICON_PX)
        self._radio = _CardButton(theme, title, words)
        self._words = plain_label(words, theme, size="small", ink="ink-2", wraps=True)
        self._body = body
        self._radio.installEventFilter(self)
        group.addButton(self._radio)
        self._radio.toggled.connect(self._on_radio_toggled)
        self._radio.submitted.connect(self.submitted)
        theme.changed.connect(self._draw_icons)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._lay_out()
        self._show_choice()

    @property
    def is_chosen(self) -> bool:
        """Whether this is the chosen card."""
        return self._radio.isChecked()

    @property
    def has_keyboard(self) -> bool:
        """Whether the keyboard is on the card."""
        return self._radio.hasFocus()

    def choose(self) -> None:
        """Make this the chosen card."""
        self._radio.setChecked(True)

    def take_focus(self) -> None:
        """Move the focus to the card."""
        self._radio.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_words(self, words: str) -> None:
        """Show another sentence under the title."""
        self._words.setText(words)
        self._radio.setAccessibleDescription(words)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the card wherever it is clicked.

        The keyboard comes along: a ring around another card would look as if that were chosen.
        """
        if event.button() is Qt.MouseButton.LeftButton and not self.is_chosen:
            self.choose()
            self.take_focus()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card, and a ring around it while the keyboard is on it."""
        super().paintEvent(event)
        if self._radio.hasFocus():
            color, radius = self._theme.color("accent"), self._theme.px(_RADIUS_PX)
            paint_focus_ring(self, color, radius)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the keyboard onto the card and off it."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(3)
        column.addWidget(self._radio)
        column.addWidget(self._words)
        column.addWidget(self._body)
        row = QHBoxLayout(self)
        row.setContentsMargins(15, 14, 14, 14)
        row.setSpacing(10)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        row.addWidget(self._tick, 0, Qt.AlignmentFlag.AlignTop)

    def _on_radio_toggled(self, is_chosen: bool) -> None:
        self._show_choice()
        if is_chosen:
            self.chosen.emit()

    def _show_choice(self) -> None:
        set_card(self, "chosen" if self.is_chosen else "plain")
        self._body.setVisible(self.is_chosen)
        self._draw_icons()

    def _draw_icons(self) -> None:
        ratio = self.devicePixelRatio()
        ink: Token = "accent" if self.is_chosen else "ink-2"
        self._icon.setPixmap(
            self._theme.pixmap(self._icon_name, ink, self._theme.px(_ICON_PX), ratio)
        )
        self._tick.setPixmap(
            self._theme.pixmap("circle-check", "accent", self._theme.px(_ICON_PX), ratio)
        )
        self._tick.setVisible(self.is_chosen)


class _CardButton(QRadioButton):
    """The title of a card; the card itself shows whether it is chosen."""

    submitted = Signal()
    """Enter was pressed."""

    def __init__(self, theme: Theme, title: str, words: str) -> None:
        super().__init__(title)
        self._theme = theme
        self.setFont(theme.font("secondary", Weight.DemiBold))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take Enter for the choice; arrows and blank go the usual way."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.submitted.emit()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Return the size of the title."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 4, metrics.height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the title alone: whether it is chosen and focused is drawn by the card."""
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self._theme.color("ink"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, self.text())


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
        """Offer these models; the choice made before stays if it is still there."""
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
