"""The network settings: proxy, and a certificate authority of the user's own."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, Signal

from app.api.address import AddressFault, AddressRefused, check_proxy_address
from app.api.ca_certificate import (
    CaCertificate,
    CaCertificateFault,
    CaCertificateRefused,
    PinnedCaCertificate,
    read_ca_certificate,
    read_chosen,
)
from app.api.network import ProxyKind, system_proxy
from app.common.clock import utc_now
from app.common.error_messages import ErrorMessage
from app.config.settings import NetworkSettings, Settings
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel, host_of
from app.viewmodels.i18n import error_handler, localized
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.setting_texts import address_words


@dataclass(frozen=True, slots=True)
class AuthorityRow:
    """The certificate of an authority: accepted, or offered and to be compared.

    `name` is what it calls itself, empty where the file cannot be read; `words` say until when it
    is valid, `problem` why it does not count.
    """

    name: str
    file: str
    fingerprint: str
    words: str
    problem: str = ""
    is_offered: bool = False


@dataclass(frozen=True, slots=True)
class NetworkView:
    """How services are reached; `proxy_problem` belongs to the address as it was typed.

    `system_proxy` is what the system uses: empty for none, None until it was asked.
    """

    proxy: ProxyKind
    proxy_address: str
    proxy_problem: str = ""
    system_proxy: str | None = None
    authority: AuthorityRow | None = None
    authority_problem: str = ""


@dataclass(frozen=True, slots=True)
class NetworkSources:
    """What is asked of the system, each in a thread; tests give their own."""

    read: Callable[[Path], CaCertificate] = read_ca_certificate
    find_proxy: Callable[[str], str | None] = system_proxy


class NetworkViewModel(QObject):
    """Changes how services are reached. A change holds at once, by connecting anew.

    An authority is offered first, with its fingerprint, and counts once it is accepted. One for
    the run.
    """

    changed = Signal(object)
    """The choices, or what is said of them, have changed; argument: a `NetworkView`."""

    def __init__(
        self,
        preferences: Preferences,
        connection: ConnectionViewModel,
        sources: NetworkSources | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._connection = connection
        self._sources = sources or NetworkSources()
        self._known = preferences.current.network
        self._offered: PinnedCaCertificate | None = None
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self.view = _view_of(self._known)
        preferences.changed.connect(self._on_preferences_changed)

    def refresh(self) -> None:
        """Read what the system says and what is in the file now; drop earlier faults."""
        self._offered = None
        self._show(replace(_view_of(self._known), system_proxy=self.view.system_proxy))
        self._tasks.start(self._refresh(), name="look at the network")

    def use_proxy(self, kind: ProxyKind, address: str = "") -> None:
        """Use no proxy, the system's, or the one at an address as typed."""
        chosen: dict[str, object] = {"proxy": kind}
        if kind == "address":
            try:
                chosen["proxy_address"] = check_proxy_address(address)
            except AddressRefused as error:
                self._show(replace(self.view, proxy_problem=_proxy_words(error.fault)))
                return
        self._show(replace(self.view, proxy_problem=""))
        self._change(chosen)

    def offer_authority(self, file: Path) -> None:
        """Read the certificate in a file, so that it can be compared and accepted."""
        self._tasks.start(self._offer(file), name="read a certificate")

    def accept_authority(self) -> None:
        """Trust the certificate that was offered, from the next connection on."""
        offered, self._offered = self._offered, None
        if offered:
            self._change(
                {
                    "authority_file": str(offered.path),
                    "authority_fingerprint": offered.fingerprint,
                }
            )

    def decline_authority(self) -> None:
        """Drop the certificate that was offered."""
        self.refresh()

    def forget_authority(self) -> None:
        """Trust the system's authorities alone, from the next connection on."""
        self._change({"authority_file": "", "authority_fingerprint": ""})

    async def aclose(self) -> None:
        """End what is under way."""
        self._preferences.changed.disconnect(self._on_preferences_changed)
        await self._tasks.aclose()

    def _change(self, chosen: dict[str, object]) -> None:
        now = self._preferences.current.network.model_dump()
        self._preferences.change(NetworkSettings.model_validate({**now, **chosen}))

    async def _refresh(self) -> None:
        project = self._preferences.current.hosted_now
        host = host_of(project.base_url) if project else ""
        found = await asyncio.to_thread(self._sources.find_proxy, host)
        self._show(replace(self.view, system_proxy=found or ""))
        await self._show_authority()

    async def _offer(self, file: Path) -> None:
        try:
            authority = await asyncio.to_thread(self._sources.read, file)
        except CaCertificateRefused as error:
            self._show(replace(self.view, authority_problem=_authority_words(error.fault)))
            return
        self._offered = PinnedCaCertificate(file, authority.fingerprint)
        row = _row_of(file, authority, is_offered=True)
        self._show(replace(self.view, authority=row, authority_problem=""))

    async def _show_authority(self) -> None:
        """Show what is in the chosen file now, unless another one is offered meanwhile."""
        known = self._known
        if not known.authority_file or self._offered:
            return
        chosen = PinnedCaCertificate(Path(known.authority_file), known.authority_fingerprint)
        try:
            row = _row_of(chosen.path, await asyncio.to_thread(read_chosen, chosen))
        except CaCertificateRefused as error:
            row = _lost_row(chosen, _authority_words(error.fault))
        # Another file may have been chosen while this one was read.
        if known == self._known and not self._offered:
            self._show(replace(self.view, authority=row))

    def _show(self, view: NetworkView) -> None:
        self.view = view
        self.changed.emit(view)

    def _on_preferences_changed(self, settings: Settings) -> None:
        if settings.network == self._known:
            return
        self._known = settings.network
        self.refresh()
        # The bundled service is reached without proxy and TLS.
        if settings.connection.kind == "hosted":
            self._connection.retry()

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._show(replace(self.view, authority_problem=localized(words)))


def _view_of(network: NetworkSettings) -> NetworkView:
    file = network.authority_file
    row = AuthorityRow("", file, network.authority_fingerprint, "") if file else None
    return NetworkView(network.proxy, network.proxy_address, authority=row)


def _row_of(file: Path, authority: CaCertificate, *, is_offered: bool = False) -> AuthorityRow:
    until = authority.valid_until.astimezone().date()
    date = QLocale().toString(
        QDate(until.year, until.month, until.day), QLocale.FormatType.LongFormat
    )
    translate = QCoreApplication.translate
    is_valid = authority.is_valid_at(utc_now())
    words = translate("Network", "Valid until {date}") if is_valid else ""
    problem = "" if is_valid else translate("Network", "Not currently valid (expiry date: {date})")
    return AuthorityRow(
        name=authority.subject or translate("Network", "No name"),
        file=str(file),
        fingerprint=authority.fingerprint,
        words=words.format(date=date),
        problem=problem.format(date=date),
        is_offered=is_offered,
    )


def _lost_row(chosen: PinnedCaCertificate, problem: str) -> AuthorityRow:
    return AuthorityRow("", str(chosen.path), chosen.fingerprint, "", problem)


def _proxy_words(fault: AddressFault) -> str:
    if fault is AddressFault.EMPTY:
        return QCoreApplication.translate("Network", "Enter the proxy address.")
    if fault is AddressFault.NO_SCHEME:
        return QCoreApplication.translate(
            "Network", "The proxy address must begin with http:// or https://."
        )
    if fault is AddressFault.BAD_PATH:
        return QCoreApplication.translate("Network", "Remove everything after the port.")
    return address_words(fault)


def _authority_words(fault: CaCertificateFault) -> str:
    translate = QCoreApplication.translate
    return {
        CaCertificateFault.UNREADABLE: translate(
            "Network", "The file cannot be read, so this certificate is not used."
        ),
        CaCertificateFault.NO_CERTIFICATE: translate(
            "Network", "The file contains no certificate."
        ),
        CaCertificateFault.SEVERAL: translate(
            "Network", "The file contains several certificates. Choose a file with only one."
        ),
        CaCertificateFault.NO_AUTHORITY: translate(
            "Network", "This is not the certificate of a certificate authority (CA)."
        ),
        CaCertificateFault.CHANGED: translate(
            "Network",
            "The file now contains a different certificate, which is not trusted. Choose the "
            "file again if this is correct.",
        ),
    }[fault]
