"""`AgentEditor` is the page that makes and changes an agent, with its try-out beside it."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.service.catalog import AgentDraft
from app.ui.settings.agent_trial_box import AgentTrialPane
from app.ui.theme import Theme
from app.ui.widgets.buttons import icon_button, push_button
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.fields import Field, TextArea
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label
from app.ui.widgets.marks import Mark, MarkChoice
from app.ui.widgets.menus import make_menu
from app.ui.widgets.scaling import NO_LIMIT_PX, hold_size
from app.ui.widgets.surfaces import (
    HEADER_HEIGHT_PX,
    hairline,
    set_card,
    set_surface,
    upright_hairline,
)
from app.ui.widgets.toggles import CheckBox, Segments, Slider
from app.viewmodels.settings.agent_editing import (
    AgentEditorView,
    AgentEditorViewModel,
    EditorItem,
    SaveState,
)
from app.viewmodels.settings.trial_run import AgentTrialViewModel

_TRIAL_PX: Final = 376
_TRIAL_HEIGHT_PX: Final = 320
# Narrower than this, the try-out stands below the fields.
_BESIDE_PX: Final = 900
# Narrower than this, fields that stand side by side stand below each other.
_LINE_PX: Final = 760
_TEXT_PX: Final = 160
_STEPS: Final = 20
_A_STEP: Final = 0.1
# Where the slider stands while the agent leaves the temperature to the model.
_USUAL_STEP: Final = 7
_AS_MODEL: Final = "model"
_FEW_TOOLS: Final = 4


class AgentEditor(QWidget):
    """Edits the agent of its view model. Made by the agents section.

    Esc saves and goes back to the list.
    """

    def __init__(
        self, theme: Theme, editor: AgentEditorViewModel, trial: AgentTrialViewModel
    ) -> None:
        super().__init__()
        self._theme = theme
        self._editor = editor
        self._trial = trial
        self._lines: list[QBoxLayout] = []
        self._make_head()
        self._make_fields()
        self._tools = _ItemList(theme, self.tr("Tools"))
        self._skills = _ItemList(theme, self.tr("Skills"))
        self._pane = AgentTrialPane(theme, trial)
        self._edge = upright_hairline(self)
        self._lay_out()
        self._connect()
        self._show(editor.view)

    def begin(self) -> None:
        """Give the name field the focus."""
        self._trial.start_over()
        self._name.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._editor.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Save the edits when another page is shown."""
        super().hideEvent(event)
        # Spontaneous: the window was minimised, and the editor is still open in it.
        if not event.spontaneous():
            self._editor.save()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the try-out below the fields in a narrow window, else beside them."""
        super().resizeEvent(event)
        is_beside = self.width() >= self._theme.px(_BESIDE_PX)
        direction = QBoxLayout.Direction
        self._place_trial(is_beside=is_beside)
        is_wide = is_beside or self.width() >= self._theme.px(_LINE_PX)
        for line in self._lines:
            line.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)

    def _place_trial(self, *, is_beside: bool) -> None:
        """Put the try-out beside the fields, or at the end of what scrolls."""
        target = self._row if is_beside else self._fields
        self._edge.setVisible(is_beside)
        if target.indexOf(self._pane) < 0:
            # Adding the widget to one layout removes it from the other.
            target.addWidget(self._pane)
            # `hold_size` sets only the side it is given: the old limits would stay.
            self._pane.setMinimumSize(0, 0)
            self._pane.setMaximumSize(NO_LIMIT_PX, NO_LIMIT_PX)
            width, height = (_TRIAL_PX, 0) if is_beside else (0, _TRIAL_HEIGHT_PX)
            hold_size(self._pane, width_px=width, height_px=height)
            self._theme.fit(self._pane)

    def _make_head(self) -> None:
        theme = self._theme
        self._back = push_button(self.tr("Agents"), "quiet", theme, icon="arrow-left")
        self._title = plain_label("", theme, weight=Weight.DemiBold, elides=True)
        self._saved = plain_label("", theme, size="small", ink="ink-2")
        self._undo = push_button(self.tr("Undo"), "quiet", theme, icon="undo-2")
        self._more = icon_button("ellipsis", self.tr("More"), theme)
        self._menu = make_menu(self._more, self.tr("More"), theme)
        self._remove = QAction(self.tr("Delete this agent’s file"), self._menu)
        self._menu.addAction(self._remove)
        self._problem = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._reload = push_button(self.tr("Reload file"), "secondary", theme)
        self._overwrite = push_button(self.tr("Overwrite file"), "secondary", theme)

    def _make_fields(self) -> None:
        theme = self._theme
        self._name = Field(theme, self.tr("Name"))
        self._icons = MarkChoice(theme, _icon_words(), is_colour=False)
        self._colours = MarkChoice(theme, _colour_words(), is_colour=True)
        self._description = Field(
            theme,
            self.tr("When to use this agent (read by Auto)"),
            placeholder=self.tr("For example: letters, minutes and announcements"),
        )
        self._text = TextArea()
        self._text.setFont(theme.font("secondary"))
        self._text.setProperty("field", "text")
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(self.tr("Instructions"))
        hold_size(self._text, height_px=_TEXT_PX)
        self._text_words = plain_label("", theme, size="small", ink="ink-2")
        self._model = ChoiceChip(theme, self.tr("Model"))
        self._model.stand_as_field()
        self._model_words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._temperature = Slider(_STEPS, self.tr("Temperature"))
        self._temperature_words = plain_label("", theme, size="small", ink="ink-2")
        self._as_model = push_button(self.tr("Model default"), "quiet", theme)
        self._thinking = Segments(
            theme,
            {
                _AS_MODEL: (self.tr("Default"), self.tr("The model’s default")),
                "off": (self.tr("Off"), self.tr("Don’t think first")),
                "short": (self.tr("Short"), self.tr("Think briefly first")),
                "long": (self.tr("Long"), self.tr("Think longer")),
            },
        )

    def _lay_out(self) -> None:
        theme = self._theme
        fields = self._body = QWidget()
        column = self._fields = QVBoxLayout(fields)
        column.setContentsMargins(32, 16, 32, 24)
        column.setSpacing(14)
        column.addWidget(self._problem)
        answers = QWidget()
        FlowLayout(answers).add(self._reload, self._overwrite)
        self._answers = answers
        column.addWidget(answers)
        icons = _named(theme, self.tr("Icon"), self._icons)
        colours = _named(theme, self.tr("Colour"), self._colours)
        column.addLayout(self._line((self._name, 1), (colours, 0)))
        column.addWidget(icons)
        column.addWidget(self._description)
        column.addWidget(_named(theme, self.tr("Instructions"), self._text, self._text_words))
        model = _named(theme, self.tr("Model"), self._model, below=self._model_words)
        temperature = _named(
            theme,
            self.tr("Temperature"),
            self._temperature,
            self._temperature_words,
            below=self._as_model,
        )
        thinking = _named(theme, self.tr("Thinking"), self._thinking)
        column.addLayout(self._line((model, 4), (temperature, 3), (thinking, 0)))
        column.addLayout(self._line((self._tools, 1), (self._skills, 1)))
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(fields)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(0)
        self._row.addWidget(scroll, 1)
        self._row.addWidget(self._edge)
        self._place_trial(is_beside=True)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._head())
        whole.addWidget(hairline())
        whole.addLayout(self._row, 1)

    def _line(self, *parts: tuple[QWidget, int]) -> QBoxLayout:
        """Lay parts out beside each other, each with its share; below each other where narrow."""
        line = QHBoxLayout()
        line.setSpacing(20)
        for part, share in parts:
            line.addWidget(part, share, Qt.AlignmentFlag.AlignTop)
        self._lines.append(line)
        return line

    def _head(self) -> QWidget:
        head = QWidget()
        set_surface(head, "bg")
        hold_size(head, height_px=HEADER_HEIGHT_PX)
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        row.addWidget(self._back)
        row.addWidget(self._title, 1)
        row.addWidget(self._saved)
        row.addWidget(self._undo)
        row.addWidget(self._more)
        return head

    def _connect(self) -> None:
        editor = self._editor
        editor.changed.connect(self._show)
        self._back.clicked.connect(editor.close)
        self._undo.clicked.connect(editor.undo)
        self._more.clicked.connect(self._on_more_clicked)
        self._remove.triggered.connect(editor.remove)
        self._reload.clicked.connect(editor.reload)
        self._overwrite.clicked.connect(editor.overwrite)
        self._name.edited.connect(self._on_name_edited)
        self._description.edited.connect(self._on_description_edited)
        self._text.textChanged.connect(self._on_text_changed)
        self._icons.chosen.connect(self._on_icons_chosen)
        self._colours.chosen.connect(self._on_colours_chosen)
        self._model.chosen.connect(self._on_model_chosen)
        self._temperature.valueChanged.connect(self._on_temperature_changed)
        self._as_model.clicked.connect(self._on_as_model_clicked)
        self._thinking.chosen.connect(self._on_thinking_chosen)
        self._tools.switched.connect(self._on_tools_switched)
        self._skills.switched.connect(self._on_skills_switched)

    def _show(self, view: AgentEditorView) -> None:
        draft = view.draft
        name = draft.display_name
        self._title.setText(one_line(name) or self.tr("New agent"))
        self._saved.setText(self._saved_words(view))
        self._undo.setVisible(view.can_undo)
        self._more.setVisible(view.can_remove)
        self._problem.setText(breakable(one_line(view.problem)))
        self._problem.setVisible(bool(view.problem))
        self._answers.setVisible(view.is_changed_elsewhere)
        # Disabled until the file is read, which would overwrite what was typed before.
        is_read_now = not (self._body.isEnabled() or view.is_reading)
        self._body.setEnabled(not view.is_reading)
        if is_read_now and self.isVisible():
            self._name.setFocus()
        self._name.show_text(name)
        self._description.show_text(draft.description)
        # Only another text: to set the same would move the cursor and forget what can be undone.
        if self._text.toPlainText() != draft.instruction:
            with QSignalBlocker(self._text):
                self._text.setPlainText(draft.instruction)
        self._text_words.setText(view.instruction_words)
        self._icons.show_value(draft.icon if draft.icon in dict(_icon_words()) else "")
        self._icons.show_mark(name, draft.colour)
        self._colours.show_value(draft.colour)
        self._model.offer(view.models)
        self._model.show_value(draft.model or "")
        self._model_words.setText(view.model_words)
        self._show_temperature(draft.temperature)
        self._thinking.show_value(draft.thinking or _AS_MODEL)
        self._tools.show_items(view.tools, view.tools_words)
        self._skills.show_items(view.skills, view.skills_words)
        self._pane.show_mark(Mark(name, draft.icon, draft.colour))

    def _saved_words(self, view: AgentEditorView) -> str:
        match view.state:
            case SaveState.SAVED if view.file:
                return self.tr("Saved in {file}").format(file=one_line(view.file))
            case SaveState.SAVED:
                return self.tr("Included with Parley. Changes are saved to your own copy")
            case SaveState.SAVING:
                return self.tr("Saving…")
            case SaveState.REFUSED:
                return self.tr("Not saved")
            case _:
                return self._missing_words(view.draft) or self.tr("Not saved yet")

    def _missing_words(self, draft: AgentDraft) -> str:
        if not draft.display_name.strip():
            return self.tr("To save, enter a name")
        if not draft.description.strip():
            return self.tr("To save, enter when to use this agent")
        return ""

    def _show_temperature(self, value: float | None) -> None:
        # What is shown was not edited, so nothing is to be saved.
        with QSignalBlocker(self._temperature):
            step = _USUAL_STEP if value is None else round(value / _A_STEP)
            self._temperature.setValue(step)
        words = self.tr("default") if value is None else f"{value:g}"
        self._temperature_words.setText(words)
        self._temperature.setAccessibleDescription(words)
        self._as_model.setVisible(value is not None)

    def _on_more_clicked(self) -> None:
        self._menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def _on_name_edited(self, text: str) -> None:
        self._editor.change(display_name=text)

    def _on_description_edited(self, text: str) -> None:
        self._editor.change(description=text)

    def _on_text_changed(self) -> None:
        self._editor.change(instruction=self._text.toPlainText())

    def _on_icons_chosen(self, icon: str) -> None:
        self._editor.change(icon=icon)

    def _on_colours_chosen(self, colour: str) -> None:
        self._editor.change(colour=colour)

    def _on_model_chosen(self, model: str) -> None:
        self._editor.change(model=model or None)

    def _on_temperature_changed(self, step: int) -> None:
        self._editor.change(temperature=round(step * _A_STEP, 1))

    def _on_as_model_clicked(self) -> None:
        self._editor.change(temperature=None)

    def _on_thinking_chosen(self, thinking: str) -> None:
        self._editor.change(thinking=None if thinking == _AS_MODEL else thinking)

    def _on_tools_switched(self, name: str, is_on: bool) -> None:
        self._editor.switch_tool(name, is_on=is_on)

    def _on_skills_switched(self, name: str, is_on: bool) -> None:
        self._editor.switch_skill(name, is_on=is_on)


class _ItemList(QWidget):
    """Tools or skills with a box each; of many, the first ones and those that are on."""

    switched = Signal(str, bool)
    """A tool or skill was ticked or unticked; arguments: its name, and whether it is ticked."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self._theme = theme
        self._title = title
        self._is_open = False
        self._items: tuple[EditorItem, ...] = ()
        self._boxes: dict[str, CheckBox] = {}
        self._lines: dict[str, QWidget] = {}
        self._words = plain_label("", theme, size="small", ink="ink-2")
        self._card = QFrame()
        set_card(self._card, "plain")
        self._rows = QVBoxLayout(self._card)
        self._rows.setContentsMargins(12, 4, 12, 4)
        self._rows.setSpacing(0)
        self._more = push_button("", "link", theme)
        self._more.setProperty("edge", "left")
        self._more.clicked.connect(self._on_more_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(_named(theme, title, self._card, self._words))
        # In line with the boxes in the card above; to hang out of this widget would cut it.
        column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)

    def show_items(self, items: tuple[EditorItem, ...], words: str) -> None:
        """Show these items, and the words above them."""
        if [item.name for item in items] != [item.name for item in self._items]:
            self._remake(items)
        self._items = items
        self._words.setText(words)
        for item in items:
            box = self._boxes[item.name]
            # Only a click of the person is a choice.
            with QSignalBlocker(box):
                box.setChecked(item.is_on)
        self._show_rows()

    def _remake(self, items: tuple[EditorItem, ...]) -> None:
        for line in self._lines.values():
            line.hide()
            line.deleteLater()
        self._boxes, self._lines = {}, {}
        # Selected items come first, so that they are visible without "show more".
        for item in sorted(items, key=lambda item: not item.is_on):
            box = CheckBox(self._theme, item.title)
            box.toggled.connect(self._on_toggled(item.name))
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 6, 0, 6)
            row.addWidget(box, 1)
            row.addWidget(plain_label(one_line(item.words), self._theme, size="small", ink="ink-2"))
            self._rows.addWidget(line)
            self._boxes[item.name], self._lines[item.name] = box, line

    def _on_toggled(self, name: str) -> Callable[[bool], None]:
        def switch(is_on: bool) -> None:
            self.switched.emit(name, is_on)

        return switch

    def _show_rows(self) -> None:
        lines = list(self._lines.values())
        for number, line in enumerate(lines):
            line.setVisible(self._is_open or number < _FEW_TOOLS)
        hidden = 0 if self._is_open else max(0, len(lines) - _FEW_TOOLS)
        words = QCoreApplication.translate("AgentEditor", "{count} more…").format(count=hidden)
        self._more.setText(words)
        self._more.setAccessibleName(f"{self._title}: {words}")
        self._more.setVisible(hidden > 0)

    def _on_more_clicked(self) -> None:
        self._is_open = True
        self._show_rows()


def _named(
    theme: Theme,
    name: str,
    part: QWidget,
    at_end: QLabel | None = None,
    below: QWidget | None = None,
) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(5)
    head = QHBoxLayout()
    head.addWidget(plain_label(name, theme, size="small", weight=Weight.Medium, ink="ink-2"), 1)
    if at_end:
        head.addWidget(at_end)
    column.addLayout(head)
    column.addWidget(part)
    if below:
        column.addWidget(below, 0, Qt.AlignmentFlag.AlignLeft)
    return whole


def _icon_words() -> list[tuple[str, str]]:
    translate = QCoreApplication.translate
    return [
        ("", translate("AgentEditor", "First letter")),
        ("feather", translate("AgentEditor", "Feather")),
        ("mail", translate("AgentEditor", "Envelope")),
        ("book-open", translate("AgentEditor", "Book")),
        ("calculator", translate("AgentEditor", "Calculator")),
        ("leaf", translate("AgentEditor", "Leaf")),
        ("code-xml", translate("AgentEditor", "Code")),
        ("folder", translate("AgentEditor", "Folder")),
        ("terminal", translate("AgentEditor", "Command line")),
    ]


def _colour_words() -> list[tuple[str, str]]:
    translate = QCoreApplication.translate
    return [
        ("green", translate("AgentEditor", "Green")),
        ("teal", translate("AgentEditor", "Teal")),
        ("blue", translate("AgentEditor", "Blue")),
        ("violet", translate("AgentEditor", "Violet")),
        ("pink", translate("AgentEditor", "Pink")),
        ("orange", translate("AgentEditor", "Orange")),
        ("amber", translate("AgentEditor", "Amber")),
        ("grey", translate("AgentEditor", "Grey")),
    ]
