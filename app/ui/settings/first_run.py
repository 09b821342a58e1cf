"""The page of the first run: choose what Parley connects to.

`FirstRun` offers three ways to begin, none preselected, each a card with its fields and button.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.config.settings import Provider
from app.ui.settings.example_card import ExampleCard
from app.ui.settings.model_download_card import ModelDownloadPart
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, set_role
from app.ui.widgets.buttons import IconLabel, push_button, set_button_text
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.fields import Field
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import hairline, set_card, set_surface, stack
from app.ui.widgets.system_dialogs import make_file_dialog
from app.viewmodels.chat.model_choice import single_model_file
from app.viewmodels.settings.model_download import ModelDownloadViewModel
from app.viewmodels.settings.models import PROVIDER_NAMES, ModelRow
from app.viewmodels.settings.setting_texts import found_line
from app.viewmodels.settings.settings import FirstRunCard, FirstRunView

_COLUMN_PX: Final = 1080
_GAP_PX: Final = 24
# Narrower than this the cards stand below each other.
_THREE_CARDS_PX: Final = 940
_ONE_CARD_PX: Final = 560
_SHOWN_MODELS: Final = 4
_NAMED_PROVIDERS: Final = 4


class WayCard(QFrame):
    """A card for one way to begin: icon, title, a sentence, fields, an error and buttons.

    Made by the first page.
    """

    def __init__(self, theme: Theme, icon: str, title: str, words: str) -> None:
        super().__init__()
        self._wrong = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._wrong.hide()
        self.fields = QVBoxLayout()
        self.fields.setSpacing(10)
        self.buttons = FlowLayout(spacing_px=2)
        set_role(self, QAccessible.Role.Grouping)
        self.setAccessibleName(title)
        head = QHBoxLayout()
        head.setSpacing(11)
        head.addWidget(IconLabel(icon, theme, "ink-2", 20))
        head.addWidget(plain_label(title, theme, size="title", weight=Weight.DemiBold), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 20, 18, 20)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(plain_label(words, theme, size="secondary", ink="ink-2", wraps=True))
        column.addLayout(self.fields)
        column.addStretch(1)
        column.addWidget(self._wrong)
        column.addLayout(self.buttons)
        self.mark(is_meant=False)

    def mark(self, *, is_meant: bool) -> None:
        """Highlight the card as the one that fits the address typed in another card."""
        set_card(self, "chosen" if is_meant else "plain")

    def show_error(self, words: str) -> None:
        """Show why the choice failed; an empty text removes the error."""
        is_other = words != self._wrong.text()
        self._wrong.setText(one_line(words))
        self._wrong.setVisible(bool(words))
        if is_other:
            announce(self, words)


class FoundModelRow(QWidget):
    """Shows a model that was found, with its own button. Made by the list of them."""

    chosen = Signal(str)
    """This model should answer; argument: its id."""

    def __init__(self, theme: Theme, row: ModelRow) -> None:
        super().__init__()
        self._model_id = row.model_id
        name, use = one_line(row.name), self.tr("Use")
        ink: Token = "ink-2" if row.fits else "warn"
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(plain_label(name, theme, size="secondary", elides=True))
        found = found_line(row.server, row.size_bytes, fits=row.fits)
        words.addWidget(plain_label(found, theme, size="small", ink=ink, wraps=True))
        button = push_button(use, "secondary", theme, name=f"{use}: {name}")
        button.clicked.connect(self._on_button_clicked)
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 8, 8)
        line.addLayout(words, 1)
        line.addWidget(button)

    def _on_button_clicked(self) -> None:
        self.chosen.emit(self._model_id)


class FoundModels(QFrame):
    """Lists the models of this computer, each with its own button. Made by the first page."""

    chosen = Signal(str)
    """This model should answer; argument: its id."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: tuple[ModelRow, ...] = ()
        self._shows_all = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setProperty("card", "plain")

    def show_rows(self, rows: Sequence[ModelRow], *, is_possible: bool) -> None:
        """List these models; only while `is_possible` one can be used."""
        if tuple(rows) != self._rows:
            self._rows, self._shows_all = tuple(rows), False
            self._fill()
        for button in self.findChildren(QPushButton):
            button.setEnabled(is_possible)

    @property
    def first_button(self) -> QPushButton | None:
        """The button of the first model; None while there is none."""
        buttons: list[QPushButton] = self.findChildren(QPushButton)
        return next(iter(buttons), None)

    def _fill(self) -> None:
        while item := self._column.takeAt(0):
            if widget := item.widget():
                widget.hide()
                # Out of the children at once, among which buttons are looked for.
                widget.setParent(None)
                widget.deleteLater()
        shown = self._rows if self._shows_all else self._rows[:_SHOWN_MODELS]
        for row in shown:
            if self._column.count():
                self._add(hairline())
            line = FoundModelRow(self._theme, row)
            line.chosen.connect(self.chosen)
            self._add(line)
        if len(self._rows) > len(shown):
            more = push_button(
                self.tr("Show %n more", "", len(self._rows) - len(shown)), "quiet", self._theme
            )
            more.clicked.connect(self._on_more_clicked)
            self._add(hairline())
            self._add(more)
        # New widgets have their size at 100 % until the theme fits them.
        self._theme.fit(self)

    def _add(self, part: QWidget) -> None:
        self._column.addWidget(part)
        part.show()

    def _on_more_clicked(self) -> None:
        self._shows_all = True
        self._fill()


class FirstRun(QWidget):
    """Offers a model on this computer, one by a key, or a project's service; none is chosen.

    What it shows comes through `show_state`. A model file can also be dropped on it. Made by the
    window.
    """

    local_chosen = Signal(str)
    """Talk to the bundled service; argument: the model's id."""
    file_chosen = Signal(object)
    """Talk to the bundled service with the model of a file; argument: its `Path`."""
    key_given = Signal(str, str)
    """List a provider's models; arguments: the provider and the key as typed."""
    hosted_chosen = Signal(str, str)
    """Talk to a hosted project; arguments: address and key as typed."""
    offline_chosen = Signal()
    """Talk to the built-in demonstration assistant."""
    look_requested = Signal()
    """Models should be looked for again."""
    other_address_requested = Signal()
    """A model at an address of its own should be added: the settings take it."""

    def __init__(
        self, theme: Theme, download: ModelDownloadViewModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._download = ModelDownloadPart(theme, download, self.tr("Or download a model"))
        self._view = FirstRunView()
        self._make_model_parts()
        self._make_key_parts()
        self._make_project_parts()
        self._cards: dict[FirstRunCard, WayCard] = {
            "model": self._make_model_card(),
            "key": self._make_key_card(),
            "project": self._make_project_card(),
        }
        self._example = ExampleCard(theme)
        self._demo = push_button(self.tr("Look around first"), "quiet", theme)
        self._demo.setProperty("form", "underlined")
        self._lay_out()
        self._connect()
        self.setAcceptDrops(True)
        self.show_state(self._view)

    def take_focus(self) -> None:
        """Move the keyboard to the first thing that can be chosen."""
        first = self._found.first_button or self._open
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_state(self, view: FirstRunView) -> None:
        """Show what was found, and what is wrong with a choice."""
        before, self._view = self._view, view
        is_free = view.busy is None
        self._found.show_rows(view.found, is_possible=is_free)
        self._found.setVisible(bool(view.found))
        self._found_words.setText(self._words_of_found())
        self._look.setVisible(not view.found and not view.is_looking)
        self._open.setEnabled(is_free)
        self._show_listed(before)
        self._cards["model"].show_error(view.model_error)
        self._key.show_error(view.provider_error)
        self._address.show_error(view.address_error)
        self._project_key.show_error(view.key_error)
        self._address.show_hint(view.recognised)
        for name, card in self._cards.items():
            card.mark(is_meant=name == view.leads_to)
        if view.leads_to and view.leads_to != before.leads_to:
            announce(self, view.recognised)
            self._go_to(view.leads_to)
        self._show_possible()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept what is dragged, if it is a model file."""
        if _model_file_of(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the model file that was dropped."""
        if file := _model_file_of(event):
            event.acceptProposedAction()
            self.file_chosen.emit(file)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the cards beside each other where there is room, else below each other."""
        super().resizeEvent(event)
        self._arrange()

    def _make_model_parts(self) -> None:
        theme = self._theme
        self._found_words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._found = FoundModels(theme)
        self._look = push_button(self.tr("Refresh"), "secondary", theme)
        self._open = push_button(self.tr("Open a model file…"), "link", theme)

    def _make_key_parts(self) -> None:
        theme = self._theme
        self._provider = ChoiceChip(theme, self.tr("Provider"))
        self._provider.offer([(str(name), title) for name, title in PROVIDER_NAMES.items()])
        self._provider.show_choice(self.tr("Choose from %n providers", "", len(PROVIDER_NAMES)))
        self._key = Field(
            theme,
            self.tr("Key"),
            placeholder=self.tr("Paste the key"),
            hint=self.tr(
                "Stored in this computer’s keyring, or only until Parley closes if there is none. "
                "Sent to this provider only."
            ),
            hides=True,
        )
        self._listed = ChoiceChip(theme, self.tr("Model"))
        self._other = push_button(self.tr("Another address…"), "link", theme)
        self._check = push_button("", "secondary", theme)
        self._use_listed = push_button(self.tr("Use this model"), "secondary", theme)

    def _make_project_parts(self) -> None:
        theme = self._theme
        self._address = Field(theme, self.tr("Address"), placeholder="https://")
        self._project_key = Field(
            theme,
            self.tr("Project key"),
            placeholder=self.tr("Paste the key"),
            hint=self.tr(
                "The service’s agents and models appear here. Your files stay on this computer "
                "until you allow a tool call."
            ),
            hides=True,
        )
        self._connect_button = push_button("", "secondary", theme)

    def _make_model_card(self) -> WayCard:
        card = WayCard(
            self._theme,
            "monitor",
            self.tr("A model on this computer"),
            self.tr("What you write stays on this computer. It’s free and works offline."),
        )
        card.fields.addWidget(self._found_words)
        card.fields.addWidget(self._found)
        card.fields.addWidget(self._look, 0, Qt.AlignmentFlag.AlignLeft)
        card.fields.addWidget(hairline())
        card.fields.addWidget(self._download)
        card.buttons.add(self._open, hangs=True)
        return card

    def _make_key_card(self) -> WayCard:
        card = WayCard(
            self._theme,
            "key",
            self.tr("With a key"),
            self.tr("You have an account with a provider and pay for what you use."),
        )
        for chip in (self._provider, self._listed):
            chip.stand_as_field()
        provider = QWidget()
        stack(provider, 5, self._label(self.tr("Provider")), self._provider, self._provider_names())
        card.fields.addWidget(provider)
        card.fields.addWidget(self._key)
        card.fields.addWidget(self._listed)
        card.buttons.add(self._other, hangs=True)
        card.buttons.add_gap()
        card.buttons.add(self._check, self._use_listed)
        return card

    def _make_project_card(self) -> WayCard:
        card = WayCard(
            self._theme,
            "server",
            self.tr("A project’s service"),
            self.tr("Somebody runs Parley’s service for you and gave you an address."),
        )
        card.fields.addWidget(self._address)
        card.fields.addWidget(self._project_key)
        card.buttons.add_gap()
        card.buttons.add(self._connect_button)
        return card

    def _provider_names(self) -> QLabel:
        names = list(PROVIDER_NAMES.values())
        shown, rest = ", ".join(names[:_NAMED_PROVIDERS]), len(names) - _NAMED_PROVIDERS
        words = self.tr("{names} and %n more", "", rest).format(names=shown)
        return plain_label(words, self._theme, size="small", ink="ink-2", wraps=True)

    def _label(self, words: str) -> QLabel:
        return plain_label(words, self._theme, size="small", weight=Weight.Medium, ink="ink-2")

    def _lay_out(self) -> None:
        set_surface(self, "bg")
        # Screen readers do not read the name of a plain widget.
        set_role(self, QAccessible.Role.Grouping)
        self.setAccessibleName(self.tr("How do you want to start?"))
        self._page = QWidget()
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 24, 0, 24)
        column.setSpacing(0)
        column.addStretch(1)
        column.addLayout(self._make_heading())
        column.addSpacing(40)
        self._grid = QGridLayout()
        self._grid.setSpacing(_GAP_PX)
        column.addLayout(self._grid)
        column.addSpacing(20)
        column.addWidget(self._demo, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        frame = QWidget()
        row = QHBoxLayout(frame)
        row.setContentsMargins(24, 0, 24, 0)
        row.addStretch(1)
        # So much more than the stretches beside it that it gets all the width it may have.
        row.addWidget(self._page, 1000)
        row.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(frame)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(self._scroll)
        self._columns = 0
        self._arrange()

    def _make_heading(self) -> QHBoxLayout:
        words = self.tr(
            "Welcome to Parley: you talk with a model of your choice, and nothing on this "
            "computer changes without your approval."
        )
        row = QHBoxLayout()
        row.setSpacing(_GAP_PX * 3)
        title = plain_label(words, self._theme, size="heading", weight=Weight.Bold, wraps=True)
        row.addWidget(title, 1)
        row.addWidget(self._example, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _arrange(self) -> None:
        columns = len(self._cards) if self.width() >= self._theme.px(_THREE_CARDS_PX) else 1
        width = _COLUMN_PX if columns > 1 else _ONE_CARD_PX
        self._page.setMaximumWidth(self._theme.px(width))
        self._example.setVisible(columns > 1)
        if columns == self._columns:
            return
        self._columns = columns
        for place, card in enumerate(self._cards.values()):
            self._grid.addWidget(card, place // columns, place % columns)
            self._grid.setColumnStretch(place, 1 if place < columns else 0)

    def _connect(self) -> None:
        self._found.chosen.connect(self.local_chosen)
        self._look.clicked.connect(self.look_requested)
        self._open.clicked.connect(self._on_open_clicked)
        self._provider.chosen.connect(self._on_provider_chosen)
        self._key.edited.connect(self._show_possible)
        self._key.submitted.connect(self._on_check_clicked)
        self._check.clicked.connect(self._on_check_clicked)
        self._use_listed.clicked.connect(self._on_use_listed_clicked)
        self._other.clicked.connect(self.other_address_requested)
        for field in (self._address, self._project_key):
            field.edited.connect(self._show_possible)
            field.submitted.connect(self._on_connect_button_clicked)
        self._connect_button.clicked.connect(self._on_connect_button_clicked)
        self._demo.clicked.connect(self.offline_chosen)
        self._theme.changed.connect(self._arrange)

    def _words_of_found(self) -> str:
        if self._view.is_looking:
            return self.tr("Looking for models…")
        if self._view.found:
            return self.tr("Found on this computer")
        return self.tr(
            "No models found on this computer. Open a model file (.gguf), or start Ollama or "
            "LM Studio and refresh."
        )

    def _show_listed(self, before: FirstRunView) -> None:
        view = self._view
        if view.provider and view.provider != before.provider:
            self._provider.show_value(view.provider)
        if view.listed != before.listed and view.listed:
            self._listed.offer([(row.model_id, row.name) for row in view.listed])
            self._listed.show_value(view.listed[0].model_id)
            announce(self, self.tr("%n models are listed.", "", len(view.listed)))

    def _show_possible(self) -> None:
        """Enable the buttons whose fields are filled; while one choice is tried, none."""
        busy = self._view.busy
        is_free = busy is None
        self._check.setEnabled(is_free and bool(self._provider.value and self._key.text))
        self._use_listed.setEnabled(is_free)
        is_filled = bool(self._address.text and self._project_key.text)
        # Off while it connects, it would lose the keyboard to whatever is next.
        self._connect_button.setEnabled(is_filled or busy == "project")
        checking, connecting = self.tr("Checking…"), self.tr("Connecting…")
        check = checking if busy == "key" else self.tr("Check and list models")
        set_button_text(self._check, check)
        connect = connecting if busy == "project" else self.tr("Connect")
        set_button_text(self._connect_button, connect)
        has_list = bool(self._view.listed) and self._view.provider == self._provider_value
        self._listed.setVisible(has_list)
        self._use_listed.setVisible(has_list)
        self._check.setVisible(not has_list)

    @property
    def _provider_value(self) -> Provider | None:
        return next((name for name in PROVIDER_NAMES if name == self._provider.value), None)

    def _go_to(self, card: FirstRunCard) -> None:
        if card == "key":
            self._key.setFocus()
        elif card == "model":
            self.take_focus()

    def _on_open_clicked(self) -> None:
        dialog = make_file_dialog(self, self.tr("Open a model file"), "")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Model files (*.gguf)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, name: str) -> None:
        self.file_chosen.emit(Path(name))

    def _on_provider_chosen(self) -> None:
        self._show_possible()
        # The key is what follows; it is pasted without another click.
        self._key.setFocus()

    def _on_check_clicked(self) -> None:
        if self._check.isEnabled() and self._view.busy is None:
            self.key_given.emit(self._provider.value, self._key.text)

    def _on_use_listed_clicked(self) -> None:
        self.local_chosen.emit(self._listed.value)

    def _on_connect_button_clicked(self) -> None:
        is_filled = bool(self._address.text and self._project_key.text)
        if is_filled and self._view.busy is None:
            self.hosted_chosen.emit(self._address.text, self._project_key.text)


def _model_file_of(event: QDropEvent) -> Path | None:
    """Return the one model file that is dragged here; None for anything else."""
    urls = event.mimeData().urls()
    files = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return single_model_file(files) if len(urls) == len(files) else None
