"""Check for updates, if the user has allowed it, and show the answer."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, Signal

from app.api.errors import AnswerFault, ApiError, ConnectCause, ConnectFailed, UnexpectedAnswer
from app.common.error_messages import ErrorMessage
from app.config.settings import UpdateSettings
from app.tasks import TaskOwner
from app.updates.release import (
    Release,
    ReleaseFault,
    ReleaseRefused,
    SourceUnreadable,
    UpdateSource,
    is_newer,
    read_source,
)
from app.updates.update_check import LastTrustedRelease, Look
from app.viewmodels.i18n import error_handler, localized
from app.viewmodels.preferences import Preferences
from app.viewmodels.states import BannerView, Dot
from local_tools.translation_marks import QT_TRANSLATE_NOOP

log = logging.getLogger(__name__)

translate = QCoreApplication.translate


class UpdateState(Enum):
    """What is known of newer versions, or why nothing is."""

    UNSET = "unset"
    """Nobody set an address, so nobody is asked."""
    DAMAGED = "damaged"
    """What the packager set cannot be read, so nobody is asked."""
    IDLE = "idle"
    LOOKING = "looking"
    CURRENT = "current"
    NEWER = "newer"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class UpdateView:
    """What is known of newer versions.

    `words` say it in a sentence or two. `notes` and `link` belong to the newer version; both are
    text of whoever signs versions.
    """

    state: UpdateState
    words: str
    notes: str = ""
    link: str = ""


class UpdatesViewModel(QObject):
    """Looks for newer versions when a person says so, or at each start once a person chose that.

    Nothing is downloaded and nothing is installed. What a check at the start finds is a `notice`
    for the window, until a person dismisses it: then none comes of this version again. One for the
    run; `begin` and `check` need a running loop.

    Args:
        preferences: say whether to look at each start.
        resources: where the packager may have put an address.
        running: returns the version that asks.
        look: asks.
        trusted: keeps of which version a person does not want to be told again.
    """

    changed = Signal(object)
    """The answer or its words have changed; argument: an `UpdateView`."""
    notice_changed = Signal(object)
    """The notice for the window came or went; argument: the `BannerView`, or None."""

    def __init__(
        self,
        preferences: Preferences,
        resources: Path,
        running: Callable[[], str],
        look: Look,
        trusted: LastTrustedRelease,
    ) -> None:
        super().__init__()
        self._preferences = preferences
        self._running = running
        self._look = look
        self._trusted = trusted
        self.notice: BannerView | None = None
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._resources = resources
        self._release: Release | None = None
        self._source, self.view = _source_in(resources)
        preferences.changed.connect(self._on_preferences_changed)

    @property
    def host(self) -> str:
        """The host that would be asked; empty for none."""
        return self._source.host if self._source else ""

    @property
    def is_at_start(self) -> bool:
        """Whether to look for newer versions at each start."""
        return self._preferences.current.updates.at_start

    def begin(self) -> None:
        """Look once at the start, if the person chose that."""
        if self.is_at_start:
            self._check(is_start=True)

    def translate(self) -> None:
        """Say what is known in another language; of a check that failed, nothing any more."""
        if self.view.state is UpdateState.LOOKING:
            self._show(_looking())
        elif self._release and self.view.state in {UpdateState.CURRENT, UpdateState.NEWER}:
            self._show(self._view_of(self._release))
        else:
            self._show(_source_in(self._resources)[1])

    def check(self) -> None:
        """Ask for a newer version now, once."""
        self._check(is_start=False)

    def dismiss_notice(self) -> None:
        """Take the notice away; of its version none comes again."""
        if self.notice and self._source:
            self._trusted.dismiss(self._source.key, str(self.notice.words.values["version"]))
            self._show_notice(None)

    def choose_at_start(self, is_at_start: bool) -> None:
        """Choose whether to ask at each start."""
        self._preferences.change(UpdateSettings(at_start=is_at_start))

    async def aclose(self) -> None:
        """End what is under way."""
        self._preferences.changed.disconnect(self._on_preferences_changed)
        await self._tasks.aclose()

    def _check(self, *, is_start: bool) -> None:
        if self._source and self.view.state is not UpdateState.LOOKING:
            self._show(_looking())
            self._tasks.start(self._ask(self._source, is_start), name="look for a newer version")

    async def _ask(self, source: UpdateSource, is_start: bool) -> None:
        try:
            release = await self._look(source, self._running())
        except ReleaseRefused as refused:
            _log_failed(source, refused.fault.value)
            self._show(UpdateView(UpdateState.FAILED, _fault_words(refused.fault)))
        except ApiError as error:
            _log_failed(source, error.reason)
            words = _packager_words(error, source.host)
            if not words:
                raise
            self._show(UpdateView(UpdateState.FAILED, words))
        else:
            self._release = release
            self._show(self._view_of(release))
            if is_start and self.view.state is UpdateState.NEWER:
                self._tell(source, release.version)

    def _tell(self, source: UpdateSource, version: str) -> None:
        if not self._trusted.is_dismissed(source.key, version):
            words = ErrorMessage(_AVAILABLE, {"version": version})
            self._show_notice(BannerView(Dot.GOOD, words, "updates"))

    def _show_notice(self, notice: BannerView | None) -> None:
        self.notice = notice
        self.notice_changed.emit(notice)

    def _view_of(self, release: Release) -> UpdateView:
        if not is_newer(release.version, self._running()):
            words = translate("Updates", "Parley is up to date.")
            return UpdateView(UpdateState.CURRENT, words)
        words = translate(
            "Updates",
            "Version {version} ({date}) is available. Nothing was downloaded. Its page "
            "describes how to install it.",
        )
        local = release.published.astimezone()
        day = QDate(local.year, local.month, local.day)
        date = QLocale().toString(day, QLocale.FormatType.LongFormat)
        text = words.format(version=release.version, date=date)
        return UpdateView(UpdateState.NEWER, text, release.notes, release.link)

    def _on_preferences_changed(self) -> None:
        self.changed.emit(self.view)

    def _show(self, view: UpdateView) -> None:
        self.view = view
        self.changed.emit(view)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._show(UpdateView(UpdateState.FAILED, localized(words)))


_AVAILABLE: Final = QT_TRANSLATE_NOOP("ErrorMessage", "Version {version} is available.")


def _log_failed(source: UpdateSource, reason: str) -> None:
    log.info("The check for updates at %s failed: %s", source.host, reason)


def _looking() -> UpdateView:
    return UpdateView(UpdateState.LOOKING, translate("Updates", "Checking…"))


def _source_in(resources: Path) -> tuple[UpdateSource | None, UpdateView]:
    try:
        source = read_source(resources)
    except SourceUnreadable:
        words = translate("Updates", "The update address included with Parley is damaged.")
        return None, UpdateView(UpdateState.DAMAGED, words)
    if source is None:
        words = translate("Updates", "No update address is set.")
        return None, UpdateView(UpdateState.UNSET, words)
    return source, UpdateView(UpdateState.IDLE, "")


def _packager_words(error: ApiError, host: str) -> str:
    """Return words for errors whose usual words ask to check the address: this is the packager's.

    Empty for what is said of every address alike.
    """
    words = ""
    if isinstance(error, UnexpectedAnswer) and error.fault is AnswerFault.UNREADABLE:
        words = translate(
            "Updates",
            "The update server {host} did not answer properly. Try again later.",
        )
    elif isinstance(error, ConnectFailed) and error.cause is ConnectCause.DNS:
        words = translate(
            "Updates",
            "The update server {host} was not found. Check your network, or try again later.",
        )
    return words.format(host=host)


def _fault_words(fault: ReleaseFault) -> str:
    words = {
        ReleaseFault.UNREADABLE: translate(
            "Updates", "The update information could not be read, so it was ignored."
        ),
        ReleaseFault.WRONG_SIGNATURE: translate(
            "Updates",
            "The update information is not signed by the publisher of Parley, so it was ignored.",
        ),
        ReleaseFault.EXPIRED: translate(
            "Updates", "The update information has expired. Try again later."
        ),
        ReleaseFault.AHEAD: translate(
            "Updates", "The update information is dated in the future. Check this computer’s clock."
        ),
        ReleaseFault.OLDER: translate(
            "Updates", "The update information names an older version, so it was ignored."
        ),
        ReleaseFault.REPLAYED: translate(
            "Updates",
            "The update information is older than what was received before, so it was ignored.",
        ),
    }
    return words[fault]
