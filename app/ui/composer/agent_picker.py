"""`AgentPicker` is the composer's chip with the agent and model; `AgentLists` are to choose them.

`AgentDelegate` paints an agent in the list: its name, its description, and a tick if it is chosen.
"""

from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QListView,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.api.models import AnswerSettings
from app.ui.composer.model_list import SCROLL_BAR_PX, ModelList
from app.ui.composer.settings_foot import SettingsFoot
from app.ui.theme import Theme
from app.ui.widgets.buttons import tint_icon, untint
from app.ui.widgets.chips import Chip
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, short_name
from app.ui.widgets.marks import Mark, mark_icon, mark_of, paint_mark
from app.ui.widgets.menus import round_window
from app.ui.widgets.painting import PaintedParagraph, Pen, paint_round_ground
from app.ui.widgets.screen_fit import fitted
from app.ui.widgets.surfaces import HEADER_HEIGHT_PX, RoundedFrame, hairline
from app.ui.widgets.toggles import Segments
from app.viewmodels.chat.catalog import AgentRow
from app.viewmodels.chat.model_choice import ModelOption
from app.viewmodels.rows import ROW_ROLE, Index

_INSET_PX: Final = 4
_PADDING_PX: Final = 8
_TICK_PX: Final = 16
_MARK_PX: Final = 20
_MARK_GAP_PX: Final = 8
_AUTO_ICON: Final = "waypoints"
_DESCRIPTION_LINES: Final = 2


class AgentDelegate(QStyledItemDelegate):
    """Paints `AgentRow`s as wide as their list. Made by the picker; ends with it."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._chosen_name: str | None = None

    def choose(self, name: str | None) -> None:
        """Set the agent that is ticked at the next paint."""
        self._chosen_name = name

    def is_chosen(self, agent: AgentRow) -> bool:
        """Return whether this agent is the one ticked."""
        return agent.name == self._chosen_name

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the room for the name and at most two lines of description."""
        width = self._view.viewport().width()
        return QSize(width, self.row_height(index.data(ROW_ROLE), width))

    def row_height(self, agent: AgentRow, width: int) -> int:
        """Return the height of an agent's row in a list of this width."""
        height = self._name_pen().line_height() + self._description(agent, width).height
        return round(height + 2 * _PADDING_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        agent: AgentRow = index.data(ROW_ROLE)
        room = QRectF(option.rect).adjusted(_INSET_PX, 1, -_INSET_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_round_ground(painter, room, self._theme, option.state)
        self._write(painter, room.adjusted(_PADDING_PX, _PADDING_PX - 1, -_PADDING_PX, 0), agent)
        painter.restore()

    def _write(self, painter: QPainter, room: QRectF, agent: AgentRow) -> None:
        pen, side = self._name_pen(), self._theme.px(_MARK_PX)
        mark = QRectF(room.left(), room.top() + 1, side, side)
        if agent.name is None:
            ratio = painter.device().devicePixelRatioF()
            auto = self._theme.pixmap(_AUTO_ICON, "ink-2", side, ratio)
            painter.drawPixmap(mark.topLeft(), auto)
        else:
            paint_mark(painter, mark, self._theme, _mark_of(agent))
        room = room.adjusted(side + _MARK_GAP_PX, 0, 0, 0)
        line = QRectF(room.left(), room.top(), room.width() - _TICK_PX, pen.line_height())
        pen.write(painter, line, short_name(agent.display_name))
        width = self._view.viewport().width()
        self._description(agent, width).write(
            painter, QPointF(room.left(), line.bottom()), self._text_width(width)
        )
        if self.is_chosen(agent):
            ratio = painter.device().devicePixelRatioF()
            tick = self._theme.pixmap("check", "accent", _TICK_PX, ratio)
            painter.drawPixmap(QPointF(room.right() - _TICK_PX, line.top() + 1), tick)

    def _name_pen(self) -> Pen:
        return Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))

    def _description(self, agent: AgentRow, width: int) -> PaintedParagraph:
        pen = Pen(self._theme.font("small"), self._theme.color("ink-2"))
        return PaintedParagraph(
            one_line(agent.description), pen, self._text_width(width), _DESCRIPTION_LINES
        )

    def _text_width(self, width: int) -> float:
        room = width - 2 * (_INSET_PX + _PADDING_PX) - SCROLL_BAR_PX
        return room - self._theme.px(_MARK_PX) - _MARK_GAP_PX


_WIDTH_PX: Final = 640
_HEAD_PX: Final = 4
_MARGIN_PX: Final = 5
# The margin and the hairline around the list.
_EDGE_PX: Final = _MARGIN_PX + 1
_GAP_PX: Final = 6
_RADIUS_PX: Final = 10
_ENOUGH_PX: Final = 400
_ROWS_SHOWN: Final = 7
_TAKES: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_AGENTS: Final = "agents"
_MODELS: Final = "models"


def _mark_of(agent: AgentRow) -> Mark:
    return mark_of(agent.display_name, agent.look.icon, agent.look.colour)


class AgentLists(RoundedFrame):
    """The lists of agents and models above the chip, and what else can be set for the chat.

    Arrows and letters move in a list, Enter or Space takes, Esc closes; a switch above leads from
    agents to models. Made by the picker when it is opened first; ends with it.
    """

    agent_chosen = Signal(object)
    """Another agent should answer; argument: its `AgentRow`."""
    model_chosen = Signal(object)
    """Another model should answer; argument: its `ModelOption`."""
    answers_chosen = Signal(object)
    """The chat should have other settings for its answers; argument: the `AnswerSettings`."""
    instructions_requested = Signal()
    """The instructions of the chat should be changed."""
    download_requested = Signal()
    """A model file should be downloaded."""
    file_requested = Signal()
    """A model file should be opened."""
    key_requested = Signal()
    """A provider's key should be added."""

    def __init__(
        self,
        agents: QAbstractItemModel,
        models: QAbstractItemModel,
        theme: Theme,
        picker: QWidget,
    ) -> None:
        super().__init__(theme, _RADIUS_PX, line="line-strong", parent=picker)
        self._picker = picker
        self._beside, self._width = picker, 0
        self.setWindowFlags(Qt.WindowType.Popup)
        round_window(self, _RADIUS_PX, theme)
        self._list = self._make_list(agents)
        self._delegate = AgentDelegate(theme, self._list)
        self._list.setItemDelegate(self._delegate)
        self._models = ModelList(models, theme)
        self._models.chosen.connect(self._on_models_chosen)
        self._models.left.connect(self.hide)
        self._models.resized.connect(self._on_models_resized)
        self._leave_by(self._models.download_requested, self.download_requested)
        self._leave_by(self._models.file_requested, self.file_requested)
        self._leave_by(self._models.key_requested, self.key_requested)
        self._switch = Segments(
            theme, {_AGENTS: (self.tr("Agent"), ""), _MODELS: (self.tr("Model"), "")}
        )
        self._switch.show_value(_AGENTS)
        self._switch.chosen.connect(self._on_switch_chosen)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._models)
        self._foot = SettingsFoot(theme)
        self._foot.chosen.connect(self.answers_chosen)
        self._leave_by(self._foot.instructions_requested, self.instructions_requested)
        self._lay_out()
        theme.fit(self)
        theme.changed.connect(self._list.viewport().update)

    def show_agent(self, agent: AgentRow) -> None:
        """Tick the agent that answers the next message."""
        self._delegate.choose(agent.name)

    def show_model(self, model: ModelOption) -> None:
        """Tick the model that answers the next message."""
        self._models.show_chosen(model.model)

    def show_answers(
        self, answers: AnswerSettings, model: ModelOption | None, *, can_set: bool | None
    ) -> None:
        """Show how answers are in this chat, and whether that can be set; None if not known."""
        self._foot.show_answers(
            answers,
            can_set=can_set,
            has_thinking=model.has_thinking if model else True,
            always_thinks=model.always_thinks if model else False,
        )

    def show_ways(self, *, is_local: bool) -> None:
        """Offer to add models where the service runs on this computer."""
        self._models.show_ways(is_local=is_local)

    def show_instructions(self, *, has_some: bool) -> None:
        """Show whether the chat has instructions of its own."""
        self._foot.show_instructions(has_some=has_some)

    def open(self, beside: QWidget, width: int) -> None:
        """Open the lists above this widget, with the chosen agent under the cursor."""
        self._beside, self._width = beside, width
        # Until it is shown, what was hidden in it still counts for its height.
        for layout in self._foot.findChildren(QLayout):
            layout.activate()
        self._list.setCurrentIndex(self._list.model().index(self._chosen_row(), 0))
        self._models.begin()
        self.setGeometry(self._place())
        self.show()
        self._take_focus()

    def turn_to_models(self) -> None:
        """Show the list of models, whatever was shown last."""
        self._switch.show_value(_MODELS)
        self._on_switch_chosen(_MODELS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Choose the agent under the cursor on Enter and Space; close the list on Esc."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in _TAKES:
                self._on_list_clicked(self._list.currentIndex())
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.hide()
                return True
        return super().eventFilter(watched, event)

    def _make_list(self, model: QAbstractItemModel) -> QListView:
        view = QListView()
        view.setModel(model)
        view.setAccessibleName(self.tr("Agents"))
        view.setMouseTracking(True)
        # Descriptions wrap, so the heights of rows depend on the width.
        view.setResizeMode(QListView.ResizeMode.Adjust)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.installEventFilter(self)
        view.clicked.connect(self._on_list_clicked)
        return view

    def _take_focus(self) -> None:
        if self._pages.currentWidget() is self._list:
            self._list.setFocus()
        else:
            self._models.take_focus()

    def _on_switch_chosen(self, side: str) -> None:
        self._pages.setCurrentWidget(self._models if side == _MODELS else self._list)
        self._show_search()
        if self.isVisible():
            self.setGeometry(self._place())
        self._take_focus()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(_HEAD_PX, _HEAD_PX, _HEAD_PX, 0)
        head.setSpacing(_GAP_PX * 2)
        head.addWidget(self._switch)
        head.addWidget(self._models.search, 1)
        head.addStretch(0)
        # Without it the head stays as high, and the switch where it is.
        policy = self._models.search.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._models.search.setSizePolicy(policy)
        self._models.search.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        column.setSpacing(_GAP_PX)
        column.addLayout(head)
        column.addWidget(self._pages, 1)
        column.addWidget(hairline())
        column.addWidget(self._foot)

    def _leave_by(self, asked: SignalInstance, passed_on: SignalInstance) -> None:
        """Close the lists when something is asked for that is done elsewhere."""
        asked.connect(self.hide)
        asked.connect(passed_on)

    def _show_search(self) -> None:
        is_shown = self._pages.currentWidget() is self._models and self._models.has_rows
        self._models.search.setVisible(is_shown)

    def _on_models_resized(self) -> None:
        self._show_search()
        if self.isVisible():
            self.setGeometry(self._place())

    def _on_models_chosen(self, model: object) -> None:
        if isinstance(model, ModelOption) and model.is_available:
            self.hide()
            self.model_chosen.emit(model)

    def _on_list_clicked(self, index: QModelIndex) -> None:
        agent = index.data(ROW_ROLE)
        self.hide()
        if isinstance(agent, AgentRow):
            self.agent_chosen.emit(agent)

    def _chosen_row(self) -> int:
        rows = range(self._list.model().rowCount())
        chosen = (row for row in rows if self._delegate.is_chosen(self._row(row)))
        return next(chosen, 0)

    def _row(self, number: int) -> AgentRow:
        row: AgentRow = self._list.model().index(number, 0).data(ROW_ROLE)
        return row

    def _wanted_size(self) -> QSize:
        inside = self._width - 2 * _EDGE_PX
        rows = range(min(self._list.model().rowCount(), _ROWS_SHOWN))
        agents = sum(self._delegate.row_height(self._row(row), inside) for row in rows)
        # As high for the one as for the other, so that the switch stays under the pointer.
        height = max(agents, self._models.wanted_height(_ROWS_SHOWN, inside))
        head = max(self._switch.sizeHint().height(), self._models.search.sizeHint().height())
        height += head + _HEAD_PX + 2 * _GAP_PX + 1
        height += self._foot.heightForWidth(inside) + _GAP_PX
        return QSize(self._width, height + 2 * _EDGE_PX)

    def _place(self) -> QRect:
        """Return where the lists go: above the chip if they fit there."""
        screen, size = self._picker.screen().availableGeometry(), self._wanted_size()
        corner = self._beside.mapToGlobal(QPoint(0, -_GAP_PX))
        foot = corner.y() + self._beside.height() + 2 * _GAP_PX
        above, below = corner.y() - screen.top(), screen.bottom() + 1 - foot
        # The head of the window stays in view where that leaves enough.
        head = self._picker.window().mapToGlobal(QPoint(0, self._theme.px(HEADER_HEIGHT_PX)))
        if corner.y() - head.y() >= self._theme.px(_ENOUGH_PX):
            above = min(above, corner.y() - head.y())
        size.setHeight(min(size.height(), max(above, below)))
        top = corner.y() - size.height() if size.height() <= above else foot
        return fitted(QRect(QPoint(corner.x(), top), size), screen)


class AgentPicker(QWidget):
    """Shows the chosen agent and model, and offers to choose others.

    `agents` gives `AgentRow`s under `ROW_ROLE`, Auto first, and `models` gives `ModelOption`s, the
    default first. The lists open above the chip, or as wide as the widget of `stand_above` and
    above that; they are made when they are opened first. The choice itself comes back through
    `show_agent` and `show_model`. Made by the composer.
    """

    agent_chosen = Signal(object)
    """Another agent should answer; argument: its `AgentRow`."""
    model_chosen = Signal(object)
    """Another model should answer; argument: its `ModelOption`."""
    answers_chosen = Signal(object)
    """The chat should have other settings for its answers; argument: the `AnswerSettings`."""
    instructions_requested = Signal()
    """The instructions of the chat should be changed."""
    download_requested = Signal()
    """A model file should be downloaded."""
    file_requested = Signal()
    """A model file should be opened."""
    key_requested = Signal()
    """A provider's key should be added."""
    opened = Signal()
    """The lists are shown: they should be current."""

    def __init__(
        self,
        agents: QAbstractItemModel,
        models: QAbstractItemModel,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._offered_agents = agents
        self._offered_models = models
        self._chip = Chip(theme, "", self.tr("Agent"), icon=_AUTO_ICON, opens=True)
        self._chip.stand_in_row("composer")
        self._chip.clicked.connect(self.open)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._chip)
        self._agent: AgentRow | None = None
        self._model: ModelOption | None = None
        self._anchor: QWidget | None = None
        self._answers: tuple[AnswerSettings, bool | None] | None = None
        self._is_local: bool | None = None
        self._has_instructions = False
        self._lists: AgentLists | None = None
        self.setFocusProxy(self._chip)
        theme.changed.connect(self._show_choice)

    def stand_above(self, anchor: QWidget) -> None:
        """Open the lists above this widget from now on, and as wide."""
        self._anchor = anchor

    def show_agent(self, agent: AgentRow) -> None:
        """Show who answers the next message."""
        self._agent = agent
        if self._lists:
            self._lists.show_agent(agent)
        self._show_choice()

    def show_model(self, model: ModelOption) -> None:
        """Show which model answers the next message; one without a name is not known."""
        self._model = model
        if self._lists:
            self._lists.show_model(model)
        self._show_choice()

    def show_answers(self, answers: AnswerSettings, *, can_set: bool | None) -> None:
        """Show how answers are in this chat, and whether that can be set; None if not known."""
        self._answers = answers, can_set
        if self._lists:
            self._lists.show_answers(answers, self._model, can_set=can_set)

    def show_ways(self, *, is_local: bool) -> None:
        """Offer to add models where the service runs on this computer."""
        self._is_local = is_local
        if self._lists:
            self._lists.show_ways(is_local=is_local)

    def show_instructions(self, instructions: str) -> None:
        """Show whether the chat has instructions of its own."""
        self._has_instructions = bool(instructions)
        if self._lists:
            self._lists.show_instructions(has_some=self._has_instructions)

    def open(self) -> None:
        """Open the lists, with the chosen agent under the cursor."""
        self._lists = self._lists or self._make_lists()
        width = self._anchor.width() if self._anchor else self._theme.px(_WIDTH_PX)
        self._lists.open(self._anchor or self._chip, width)
        self.opened.emit()

    def open_models(self) -> None:
        """Open the list of models, whatever was shown last."""
        self._lists = self._lists or self._make_lists()
        self._lists.turn_to_models()
        self.open()

    def _make_lists(self) -> AgentLists:
        """Make the lists, which show what was chosen before somebody opened them."""
        lists = AgentLists(self._offered_agents, self._offered_models, self._theme, self)
        lists.agent_chosen.connect(self.agent_chosen)
        lists.model_chosen.connect(self.model_chosen)
        lists.answers_chosen.connect(self.answers_chosen)
        lists.instructions_requested.connect(self.instructions_requested)
        lists.download_requested.connect(self.download_requested)
        lists.file_requested.connect(self.file_requested)
        lists.key_requested.connect(self.key_requested)
        if self._agent:
            lists.show_agent(self._agent)
        if self._model:
            lists.show_model(self._model)
        if self._answers:
            answers, can_set = self._answers
            lists.show_answers(answers, self._model, can_set=can_set)
        if self._is_local is not None:
            lists.show_ways(is_local=self._is_local)
        lists.show_instructions(has_some=self._has_instructions)
        return lists

    def _show_choice(self) -> None:
        """Show both choices in the chip, the model only if it has a name."""
        agent, model = self._agent, self._model
        if agent is None:
            return
        if agent.name is None:
            tint_icon(self._chip, _AUTO_ICON, self._theme)
        else:
            untint(self._chip)
            self._chip.setIcon(mark_icon(self._theme, _mark_of(agent)))
        names = [agent.display_name, model.display_name if model else ""]
        words = " · ".join(filter(None, names))
        self._chip.show_choice(words, agent.description, lead=names[0])
