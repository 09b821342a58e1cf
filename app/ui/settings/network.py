"""`NetworkSection` is the settings section about the proxy and trusted certificate authorities.

`CertificateCard` shows the certificate of an authority: whose it is, its fingerprint, until when
it is valid.
"""

from pathlib import Path
from typing import Final, get_args

from PySide6.QtCore import QCoreApplication, QDir, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QVBoxLayout, QWidget

from app.api.network import ProxyKind
from app.ui.settings.section import SettingsSection, StatusMessage
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.fields import Field
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.surfaces import set_card
from app.ui.widgets.system_dialogs import make_file_dialog
from app.ui.widgets.toggles import Segments
from app.viewmodels.settings.network import AuthorityRow, NetworkView, NetworkViewModel

_PAIRS_IN_A_GROUP: Final = 8


class CertificateCard(QFrame):
    """Shows one certificate, offered or accepted. Made by the section about the network."""

    accepted = Signal()
    """The person has compared the fingerprint, and trusts the authority."""
    declined = Signal()
    """The person does not trust what is offered."""
    removed = Signal()
    """The authority should no longer be trusted."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._name = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._file = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._hash = plain_label("", theme, is_code=True, wraps=True)
        self._hint = plain_label(
            self.tr("Compare this fingerprint with the one you were given."),
            theme,
            size="small",
            ink="warn",
            wraps=True,
        )
        self._accept = push_button(self.tr("Trust certificate"), "secondary", theme)
        self._decline = push_button(self.tr("Cancel"), "quiet", theme)
        self._remove = push_button(
            self.tr("Remove"), "secondary", theme, name=self.tr("Remove certificate")
        )
        self._lay_out(theme)
        self._accept.clicked.connect(self.accepted)
        self._decline.clicked.connect(self.declined)
        self._remove.clicked.connect(self.removed)

    def show_row(self, row: AuthorityRow) -> None:
        """Show this certificate."""
        set_card(self, "chosen" if row.is_offered else "plain")
        for label, words in (
            (self._name, row.name),
            (self._file, row.file),
            (self._words, row.words),
            (self._problem, row.problem),
        ):
            label.setText(one_line(words))
            label.setVisible(bool(words))
        self._hash.setText(_in_groups(one_line(row.fingerprint)))
        for part in (self._hint, self._accept, self._decline):
            part.setVisible(row.is_offered)
        self._remove.setVisible(not row.is_offered)

    def _lay_out(self, theme: Theme) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(4)
        title = self.tr("Fingerprint (SHA-256)")
        caption = plain_label(title, theme, size="small", ink="ink-2")
        for label in (self._name, self._words, self._problem, self._file):
            column.addWidget(label)
        column.addSpacing(4)
        for label in (caption, self._hash, self._hint):
            column.addWidget(label)
        buttons = FlowLayout()
        buttons.add(self._accept, self._decline, self._remove)
        column.addSpacing(4)
        column.addLayout(buttons)


def _in_groups(fingerprint: str) -> str:
    """Return the pairs in lines of their own, where a line can end."""
    pairs = fingerprint.split(":")
    groups = (pairs[at : at + _PAIRS_IN_A_GROUP] for at in range(0, len(pairs), _PAIRS_IN_A_GROUP))
    return "\n".join(":".join(group) for group in groups)


class NetworkSection(SettingsSection):
    """The proxy for connections to services, and a certificate authority trusted in addition.

    An address is used once it is entered. Made by `SettingsSections`.
    """

    tables = ("network",)

    def __init__(self, theme: Theme, network: NetworkViewModel) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Network"), "globe")
        self._network = network
        self._kinds = Segments(
            theme,
            {
                "none": (self.tr("None"), self.tr("No proxy")),
                "system": (self.tr("System"), self.tr("System proxy")),
                "address": (self.tr("Custom"), self.tr("Custom proxy")),
            },
        )
        self._found = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._address = Field(
            theme, self.tr("Proxy address"), placeholder="http://proxy.example.com:3128"
        )
        self._use = push_button(
            self.tr("Use"), "secondary", theme, name=self.tr("Use this proxy address")
        )
        self._address_part = QWidget()
        self._card = CertificateCard(theme)
        self._choose = push_button(
            self.tr("Choose a file…"),
            "secondary",
            theme,
            name=self.tr("Choose a certificate"),
        )
        self._outcome = StatusMessage(theme)
        self._shown: tuple[ProxyKind, str] | None = None
        self._lay_out()
        self._connect()
        self._show(network.view)

    def begin(self) -> None:
        """Look what the system says, and what is in the file now."""
        # So that what was typed and never entered does not stand there as if it held.
        self._shown = None
        self._network.refresh()

    def _lay_out(self) -> None:
        self.add_group(
            self.tr("Proxy"),
            self.tr(
                "Used for services on other computers, never for this one. Changing it "
                "reconnects and stops any reply in progress."
            ),
        )
        self.add_row(self.tr("Proxy"), self._kinds)
        self.column.addWidget(self._found)
        column_of_address = QVBoxLayout(self._address_part)
        column_of_address.setContentsMargins(0, 0, 0, 0)
        column_of_address.addWidget(self._address)
        column_of_address.addWidget(self._use, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self._address_part)
        self.add_group(
            self.tr("Custom certificate"),
            self.tr(
                "Parley trusts the same certificates as your system. If a service in your "
                "company or home needs its own, add it here. Invalid certificates are never "
                "accepted."
            ),
        )
        self.column.addWidget(self._card)
        self._choose_row = self.add_row(self.tr("Certificate file"), self._choose)
        self.column.addWidget(self._outcome)

    def _connect(self) -> None:
        network = self._network
        self._kinds.chosen.connect(self._on_kinds_chosen)
        self._use.clicked.connect(self._on_address_entered)
        self._address.submitted.connect(self._on_address_entered)
        self._choose.clicked.connect(self._on_choose_clicked)
        self._card.accepted.connect(network.accept_authority)
        self._card.declined.connect(network.decline_authority)
        self._card.removed.connect(network.forget_authority)
        network.changed.connect(self._show)

    def _show(self, view: NetworkView) -> None:
        self._address.show_error(one_line(view.proxy_problem))
        # What is chosen and typed here, but not entered yet, outlives news of other things.
        if self._shown != (view.proxy, view.proxy_address):
            self._shown = view.proxy, view.proxy_address
            self._kinds.show_value(view.proxy)
            self._address.set_text(view.proxy_address)
            self._show_kind(view.proxy)
        self._found.setText(one_line(self._system_words(view.system_proxy)))
        self._card.setVisible(view.authority is not None)
        if view.authority:
            self._card.show_row(view.authority)
        self._choose_row.setVisible(view.authority is None or not view.authority.is_offered)
        self._outcome.show_words("", view.authority_problem)

    def _system_words(self, proxy: str | None) -> str:
        if proxy is None:
            return ""
        if proxy:
            return self.tr("The system uses {address}.").format(address=proxy)
        return self.tr("The system uses no proxy.")

    def _show_kind(self, kind: str) -> None:
        self._found.setVisible(kind == "system")
        self._address_part.setVisible(kind == "address")

    def _on_kinds_chosen(self, value: str) -> None:
        [kind] = [one for one in get_args(ProxyKind) if one == value]
        self._show_kind(kind)
        if kind != "address":
            self._network.use_proxy(kind)
        elif self._address.text:
            self._on_address_entered()
        else:
            self._address.setFocus()

    def _on_address_entered(self) -> None:
        self._network.use_proxy("address", self._address.text)

    def _on_choose_clicked(self) -> None:
        dialog = make_file_dialog(self, self.tr("Certificate authority"), QDir.homePath())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        patterns = "*.pem *.crt *.cer *.der"
        dialog.setNameFilters(
            [
                self.tr("Certificates ({patterns})").format(patterns=patterns),
                self.tr("All files ({patterns})").format(patterns="*"),
            ]
        )
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, file: str) -> None:
        self._network.offer_authority(Path(file))
