"""`SettingsFoot` at the foot of the picker changes answer settings and instructions of a chat."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.api.models import AnswerSettings
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.toggles import Segments, Slider

_SLIDER_PX: Final = 116
_SLIDER_HEIGHT_PX: Final = 20
_STEPS: Final = 20
_A_STEP: Final = 0.1
_USUAL_STEP: Final = 10
_LENGTHS: Final = (500, 1000, 2000, 4000, 8000)


class SettingsFoot(QWidget):
    """Offers the chat settings that the service supports, or says why not. Made by the picker."""

    chosen = Signal(object)
    """Somebody chose; argument: the `AnswerSettings` of the chat."""
    instructions_requested = Signal()
    """The instructions of the chat should be changed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers = AnswerSettings()
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._make_temperature(theme)
        self._make_thinking(theme)
        self._make_length(theme)
        self._instructions = push_button(
            self.tr("Add instructions to this chat…"), "quiet", theme, icon="pencil"
        )
        self._instructions.clicked.connect(self.instructions_requested)
        here = plain_label(self.tr("In this chat"), theme, size="small", weight=Weight.Medium)
        self._choices = QWidget()
        flow = FlowLayout(self._choices, spacing_px=12)
        flow.add(here, self._temperature, self._thinking, self._length, self._instructions)
        column = QVBoxLayout(self)
        # In line with the names in the lists above.
        column.setContentsMargins(12, 4, 8, 6)
        column.setSpacing(4)
        column.addWidget(self._choices)
        column.addWidget(self._words, 0, Qt.AlignmentFlag.AlignTop)

    def show_answers(
        self,
        answers: AnswerSettings,
        *,
        can_set: bool | None,
        has_thinking: bool,
        always_thinks: bool = False,
    ) -> None:
        """Show the chosen reply settings; enabled if the service supports them.

        `can_set` is None while nobody knows, as the service still starts or is not reached.
        """
        self._answers = answers
        words = ""
        if can_set is None:
            words = self.tr("Settings for this chat appear here when the service is ready.")
        elif not can_set:
            words = self.tr(
                "This service does not support settings or instructions for individual chats."
            )
        elif not has_thinking:
            words = self.tr("This model is not known to think before it answers.")
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self._choices.setVisible(bool(can_set))
        # Nobody can choose what the model does not let anybody choose.
        self._choice.offer("off", is_offered=not always_thinks)
        is_vain = always_thinks and answers.thinking == "off"
        self._choice.show_value("" if is_vain else answers.thinking)
        self._always.setVisible(always_thinks)
        self._show_temperature(answers.temperature)
        length = answers.max_output_tokens
        self._longest.show_value("" if length is None else str(length))

    def show_instructions(self, *, has_some: bool) -> None:
        """Show whether the chat has instructions of its own."""
        words = self.tr("Add instructions to this chat…")
        if has_some:
            words = self.tr("Change the instructions of this chat…")
        self._instructions.setText(words)
        self._instructions.setAccessibleName(words)

    def _make_temperature(self, theme: Theme) -> None:
        self._slider = Slider(_STEPS, self.tr("Temperature"))
        hold_size(self._slider, width_px=_SLIDER_PX, height_px=_SLIDER_HEIGHT_PX)
        self._slider.valueChanged.connect(self._on_slider_value_changed)
        self._value = plain_label("", theme, size="small")
        self._as_model = push_button(
            self.tr("Default"), "quiet", theme, name=self.tr("The model’s default temperature")
        )
        self._as_model.clicked.connect(self._on_as_model_clicked)
        parts = (self._slider, self._value, self._as_model)
        self._temperature = _group(theme, self.tr("Temperature"), *parts)

    def _make_thinking(self, theme: Theme) -> None:
        self._choice = Segments(
            theme,
            {
                "": (self.tr("Default"), self.tr("The model’s default")),
                "off": (self.tr("Off"), self.tr("Does not think before it answers")),
                "short": (self.tr("Short"), self.tr("Thinks briefly before it answers")),
                "long": (self.tr("Long"), self.tr("Thinks at length before it answers")),
            },
        )
        self._choice.show_value("")
        self._choice.chosen.connect(self._on_choice_chosen)
        self._always = plain_label(self.tr("always thinks"), theme, size="small", ink="ink-2")
        self._thinking = _group(theme, self.tr("Thinking"), self._choice, self._always)

    def _make_length(self, theme: Theme) -> None:
        self._longest = ChoiceChip(theme, self.tr("Maximum length"))
        count = QLocale().toString
        lengths = [(str(one), self.tr("{0} tokens").format(count(one))) for one in _LENGTHS]
        self._longest.offer([("", self.tr("Default")), *lengths])
        self._longest.chosen.connect(self._on_longest_chosen)
        self._length = _group(theme, self.tr("Maximum length"), self._longest)

    def _show_temperature(self, value: float | None) -> None:
        # Showing a value is no choice of the person.
        with QSignalBlocker(self._slider):
            self._slider.setValue(_USUAL_STEP if value is None else round(value / _A_STEP))
        words = self.tr("Default") if value is None else QLocale().toString(value, "f", 1)
        self._value.setText(words)
        self._slider.setAccessibleDescription(words)
        self._as_model.setVisible(value is not None)

    def _on_slider_value_changed(self, step: int) -> None:
        self._choose(replace(self._answers, temperature=round(step * _A_STEP, 1)))

    def _on_as_model_clicked(self) -> None:
        self._choose(replace(self._answers, temperature=None))

    def _on_choice_chosen(self, thinking: str) -> None:
        self._choose(replace(self._answers, thinking=thinking))

    def _on_longest_chosen(self, length: str) -> None:
        most = int(length) if length else None
        self._choose(replace(self._answers, max_output_tokens=most))

    def _choose(self, answers: AnswerSettings) -> None:
        self._answers = answers
        self._show_temperature(answers.temperature)
        self.chosen.emit(answers)


def _group(theme: Theme, name: str, *parts: QWidget) -> QWidget:
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(plain_label(name, theme, size="small", ink="ink-2"))
    for part in parts:
        row.addWidget(part)
    return whole
