"""The section of the settings that says whom Parley talks to."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.fields import Field
from app.ui.parts.labels import one_line, plain_label
from app.ui.setup.choice_card import ChoiceCard
from app.ui.setup.model_chooser import ModelChooser
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.states import SettingsView


class ConnectionSection(SettingsSection):
    """The bundled service with its model, or a hosted project with address and key.

    A model takes effect when it is chosen; address and key once the service has accepted them.
    Made by the settings page.
    """

    local_chosen = Signal(str)
    """Talk to the bundled service; argument: the model's id, empty if there is none."""
    hosted_chosen = Signal(str, str)
    """Test this project and talk to it; arguments: address and key as typed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Connection"), "plug")
        self._shown: SettingsView | None = None
        self._models = ModelChooser(theme)
        self._use_local = push_button(self.tr("Use this computer"), "secondary", theme)
        self._address = Field(
            theme, self.tr("Service address"), placeholder="https://service.example.com"
        )
        self._key = Field(theme, self.tr("Project key"), hides=True)
        self._test = push_button(self.tr("Test and use"), "secondary", theme)
        self._result = plain_label("", theme, size="secondary", ink="good", wraps=True)
        self._problem = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._group = QButtonGroup(self)
        self._lay_out(theme)
        self._models.model_chosen.connect(self._on_models_model_chosen)
        self._use_local.clicked.connect(self._on_use_local_clicked)
        for signal in (self._test.clicked, self._address.submitted, self._key.submitted):
            signal.connect(self._on_test_clicked)

    def begin(self) -> None:
        """Opens the card of what is connected."""
        is_hosted = self._shown is not None and self._shown.is_hosted
        (self._hosted if is_hosted else self._local).choose()

    def show_state(self, view: SettingsView) -> None:
        """Shows what holds now, and how the last test went."""
        before, self._shown = self._shown, view
        self._local.tick(view.is_local)
        self._hosted.tick(view.is_hosted)
        if before is None or before.is_hosted != view.is_hosted:
            self.begin()
        if before is None or before.address != view.address:
            self._address.set_text(view.address)
        if before and before.is_checking and view.check_words:
            self._key.set_text("")
        self._models.show_models(view.models, view.model_id)
        self._use_local.setVisible(not view.is_local)
        self._key.show_hint(
            one_line(view.key_words) or self.tr("Kept in this computer’s keyring, never in a file.")
        )
        self._show_test(view)

    def _show_test(self, view: SettingsView) -> None:
        is_hosted = self._hosted.is_chosen
        self._address.show_error(view.address_error if is_hosted else "")
        self._key.show_error(view.key_error if is_hosted else "")
        problem = "" if is_hosted else view.address_error or view.key_error
        for label, words in ((self._problem, problem), (self._result, view.check_words)):
            label.setText(one_line(words))
            label.setVisible(bool(words))
        for button in (self._test, self._use_local):
            button.setEnabled(not view.is_checking)
        set_button_text(
            self._test, self.tr("Testing…") if view.is_checking else self.tr("Test and use")
        )

    def _lay_out(self, theme: Theme) -> None:
        self.add_group(
            self.tr("Where Parley connects"),
            self.tr("A model counts as soon as you choose it, a project once its test succeeds."),
        )
        self._local = ChoiceCard(
            theme,
            self._group,
            icon="monitor",
            title=self.tr("On this computer"),
            words=self.tr("The bundled service, with one of the models found here."),
            body=_body(self._models, self._use_local),
        )
        self._hosted = ChoiceCard(
            theme,
            self._group,
            icon="cloud",
            title=self.tr("A hosted project"),
            words=self.tr("A service somewhere else, with its address and a project key."),
            body=_body(self._address, self._key, self._test),
        )
        for widget in (self._local, self._hosted, self._problem, self._result):
            self.column.addWidget(widget)
        self.column.addStretch(1)

    def _on_models_model_chosen(self, model_id: str) -> None:
        if self._shown and self._shown.is_local:
            self.local_chosen.emit(model_id)

    def _on_use_local_clicked(self) -> None:
        self.local_chosen.emit(self._models.model_id)

    def _on_test_clicked(self) -> None:
        if self._test.isEnabled():
            self.hosted_chosen.emit(self._address.text, self._key.text)


def _body(*widgets: QWidget) -> QWidget:
    body = QWidget()
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 8, 0, 2)
    column.setSpacing(10)
    for widget in widgets:
        fills = isinstance(widget, Field)
        column.addWidget(widget, 0, Qt.AlignmentFlag(0) if fills else Qt.AlignmentFlag.AlignLeft)
    return body
