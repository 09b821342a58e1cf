"""`Windows` opens and closes the windows of the program, and knows when the last one is closed."""

import logging
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.chat.session import ConversationSession
from app.common.error_messages import ErrorMessage
from app.platform.instance_channel import ACTIVATION_VARIABLE
from app.tasks import TaskOwner
from app.ui.main_window import MainWindow, opened_window_file
from app.ui.settings.sections import SettingsSections
from app.ui.theme import Theme
from app.ui.widgets.accessible import hold_announcements, told_at_its_end
from app.ui.widgets.screen_fit import fitted, room_of
from app.ui.window_contents import Place, WindowContents
from app.viewmodels.chat.chat_choices import NewChat
from app.viewmodels.chat.revisions import Edit
from app.viewmodels.i18n import error_handler
from app.viewmodels.states import BannerView
from app.viewmodels.window import WindowViewModels

log = logging.getLogger(__name__)

_MOST_WINDOWS: Final = 8
_CHAT_KEY: Final = "chat"
_SHIFT_PX: Final = 32


@dataclass(frozen=True, slots=True)
class _Open:
    """What belongs to an open window; the first one has the number 1."""

    models: WindowViewModels
    contents: WindowContents
    number: int


@dataclass(frozen=True, slots=True)
class _Before:
    """What a window showed before its view models were replaced, to be restored in the new ones.

    It keeps the session alive, so that the chat is shown at once and not read from disk again.
    """

    session: ConversationSession | None
    chosen: NewChat
    is_archive: bool
    place: Place
    edit: Edit | None


class Windows(QObject):
    """Opens further windows beside the first, and knows when the last one is closed.

    What was open at the end is open again at the next start, each at its place: `reopen` does
    that. What a window shows ends when it is closed; the first one itself belongs to whoever made
    it. While `stays()`, the last one is only hidden when it is closed, and what is under way in it
    goes on.
    """

    closed = Signal()
    """The last window was closed, or the person quit."""
    front_changed = Signal()
    """A window came to the front, or the last one that was there is not any more."""
    renewed = Signal()
    """What every window shows was made anew, with other view models."""

    def __init__(
        self,
        theme: Theme,
        make_models: Callable[[bool], WindowViewModels],
        sections: SettingsSections,
        first: MainWindow,
        geometry_file: Path,
        *,
        stays: Callable[[], bool],
    ) -> None:
        super().__init__()
        self._stays = stays
        self._theme = theme
        self._make_models = make_models
        self._sections = sections
        self._file = geometry_file
        self._tasks = TaskOwner(error_handler(_log_failure))
        self._closing: list[Awaitable[None]] = []
        self._open: dict[MainWindow, _Open] = {}
        # The states that renewed windows have not restored yet; a second renewal must restore them.
        self._unshown: dict[MainWindow, _Before] = {}
        self._banner: BannerView | None = None
        self._last_active: MainWindow | None = None
        self._is_ending = False
        self._is_waiting = False
        self.first_models = make_models(True)
        self.first: Final = first
        self._connect(first)
        self._fill(first, self.first_models, 1)

    @property
    def all(self) -> tuple[MainWindow, ...]:
        """The windows that are open, the first one first."""
        return tuple(self._open)

    @property
    def shown_chats(self) -> list[str]:
        """What each open window shows, in the order of `all`; empty for a new chat."""
        return [shown.models.chat.conversation_id for shown in self._open.values()]

    @property
    def is_in_front(self) -> bool:
        """Whether one of the windows is the active window."""
        is_active = QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
        return is_active and any(
            window.isVisible() and not window.isMinimized() for window in self._open
        )

    @property
    def is_put_away(self) -> bool:
        """Whether there are windows, and all of them are minimised or hidden."""
        hidden = [window.isMinimized() or not window.isVisible() for window in self._open]
        return bool(hidden) and all(hidden)

    def models_of(self, window: MainWindow) -> WindowViewModels:
        """Return the view models of an open window."""
        return self._open[window].models

    def show_banner(self, banner: BannerView | None) -> None:
        """Show a banner in every window, also in later ones; None removes it."""
        self._banner = banner
        for shown in self._open.values():
            shown.contents.show_banner(banner)

    def come_forward(self, token: str = "") -> None:
        """Raise the window that was used last.

        Under Wayland that takes the activation token of whoever was clicked: another start of the
        program, or a notification.
        """
        with _activated_by(token):
            self._used_last.come_forward()

    def show_models(self) -> None:
        """Show the settings about models in the window that was used last."""
        self._open[self._used_last].contents.show_models()

    def show_chat(self, conversation_id: str, token: str = "") -> None:
        """Bring the window of this chat to the front; where there is none, the last used shows it.

        `token` is as in `come_forward`.
        """
        with _activated_by(token):
            self._show_chat(conversation_id)

    def _show_chat(self, conversation_id: str) -> None:
        showing = self._showing(conversation_id)
        if showing:
            # If several show it, the one that was used last.
            window = self._used_last if self._used_last in showing else showing[0]
            window.leave_settings()
            window.come_forward()
            return
        window = self._used_last
        if window not in self._open:
            # The program was already quitting when the click came.
            return
        shown = self._open[window]
        shown.models.archive.close()
        shown.models.chat.open(conversation_id)
        window.leave_settings()
        window.come_forward()

    def begin_chat(self) -> None:
        """Bring the window that was used last to the front, with a new chat."""
        window = self._used_last
        window.come_forward()
        window.leave_settings()
        window.commands["new-chat"].action.trigger()

    def open_window(self, conversation_id: str = "") -> None:
        """Open another window with this chat, or with a new one.

        The window that was used last stays as it is, also when it shows this chat; where another
        one shows it, that comes forward.
        """
        others = [window for window in self._showing(conversation_id) if window != self._used_last]
        if others and conversation_id:
            others[0].leave_settings()
            others[0].come_forward()
            return
        taken = {shown.number for shown in self._open.values()}
        free = [number for number in range(2, _MOST_WINDOWS + 1) if number not in taken]
        if free and self._open:
            beside = self._open[self._used_last].contents.sides
            self._open_at(free[0], conversation_id).show_sides(beside)

    def reopen(self) -> None:
        """Open the windows that were open at the end of the last run."""
        for number in range(2, _MOST_WINDOWS + 1):
            kept = self._kept(number).value(_CHAT_KEY)
            if isinstance(kept, str):
                self._open_at(number, kept)
        if len(self._open) > 1:
            self.first.come_forward()

    def renew(self) -> None:
        """Rebuild the contents of every window in the current language.

        Each window shows the same page, chat and place in it, with what was typed there. What runs
        goes on; summaries, copies and exports end before, as they show their outcome in the window.
        """
        if self._is_ending:
            return
        if all(shown.models.is_idle for shown in self._open.values()):
            for window in self._open:
                with told_at_its_end(window):
                    self._renew(window)
            self.renewed.emit()
        elif not self._is_waiting:
            self._is_waiting = True
            self._tasks.start(self._renew_later(), name="renew the windows later")

    async def _renew_later(self) -> None:
        for shown in tuple(self._open.values()):
            await shown.models.finish()
        self._is_waiting = False
        self.renew()

    def close_all(self) -> None:
        """Close every window; which ones there were is kept for the next start."""
        self._is_ending = True
        for window, shown in tuple(self._open.items()):
            if shown.number > 1:
                conversation_id = shown.models.chat.conversation_id
                self._kept(shown.number).setValue(_CHAT_KEY, conversation_id)
            window.close()

    async def aclose(self) -> None:
        """Close every window, and end what is under way in it."""
        self.close_all()
        for task in tuple(self._closing):
            await task
        await self._tasks.aclose()

    def _open_at(self, number: int, conversation_id: str) -> WindowContents:
        beside = self._used_last
        models = self._make_models(False)
        models.show_workspace(models.app.connection.workspace)
        has_place = bool(self._kept(number).value("window"))
        window = MainWindow(self._file_of(number))
        self._connect(window)
        contents = self._fill(window, models, number)
        if not has_place:
            _place_beside(window, beside)
        if conversation_id:
            models.chat.open(conversation_id, is_second_view=True)
        if models.app.connection.workspace:
            models.catalog.load()
        window.come_forward()
        return contents

    def _renew(self, window: MainWindow) -> None:
        before = self._open[window]
        place = before.contents.place
        if window not in self._unshown:
            chat = before.models.chat
            is_archive = before.models.archive.is_open
            edit = chat.revisions.edit
            self._unshown[window] = _Before(
                chat.session, chat.chosen_for_new, is_archive, place, edit
            )
        window.empty()
        before.models.withdraw()
        before.contents.discard()
        models = self._make_models(before.number == 1)
        if before.number == 1:
            self.first_models = models
        self._fill(window, models, before.number).show_place(place)
        change = self._change_models(window, before.models, models, tuple(self._closing))
        self._closing.append(self._tasks.start(change, name="renew a window"))

    async def _change_models(
        self,
        window: MainWindow,
        before: WindowViewModels,
        models: WindowViewModels,
        earlier: Sequence[Awaitable[None]],
    ) -> None:
        """Show what was shown before, once what was typed there is kept."""
        # What an earlier renewal stores of the typed text must be on disk before it is read again.
        for change in earlier:
            await change
        await before.aclose()
        now = self._open.get(window)
        # It may be closed by now, or renewed once more.
        if now is not None and now.models is models:
            _show_again(now, self._unshown.pop(window))
            hold_announcements(window)

    def _fill(self, window: MainWindow, models: WindowViewModels, number: int) -> WindowContents:
        contents = WindowContents(self._theme, models, self._sections, window)
        self._theme.fit(contents.pages)
        self._theme.dress(window)
        window.fill(contents)
        contents.show_banner(self._banner)
        self._open[window] = _Open(models, contents, number)
        contents.window_requested.connect(self.open_window)
        contents.quit_requested.connect(self.close_all)
        models.chat.found_elsewhere.connect(self.show_chat)
        return contents

    def _connect(self, window: MainWindow) -> None:
        """Follow a window; called once for it, however often it gets other contents."""
        window.front_changed.connect(self._on_window_front_changed)
        window.closed.connect(self._on_window_closed)

    def _file_of(self, number: int) -> Path:
        if number == 1:
            return self._file
        return self._file.with_stem(f"{self._file.stem}-{number}")

    def _kept(self, number: int) -> QSettings:
        return opened_window_file(self._file_of(number))

    def _showing(self, conversation_id: str) -> list[MainWindow]:
        shown = zip(self._open, self.shown_chats, strict=True)
        return [window for window, chat in shown if chat == conversation_id]

    @property
    def _used_last(self) -> MainWindow:
        if self._last_active in self._open:
            return self._last_active
        return next(iter(self._open), self.first)

    def _on_window_front_changed(self) -> None:
        active = QApplication.activeWindow()
        if isinstance(active, MainWindow):
            self._last_active = active
        self.front_changed.emit()

    def _on_window_closed(self) -> None:
        window = self.sender()
        if not isinstance(window, MainWindow) or window not in self._open:
            return
        if len(self._open) == 1 and not self._is_ending and self._stays():
            return
        shown = self._open.pop(window)
        self._unshown.pop(window, None)
        shown.models.withdraw()
        if shown.number > 1:
            if not self._is_ending:
                # A window that a person closes is not opened again at the next start.
                self._kept(shown.number).remove(_CHAT_KEY)
            window.deleteLater()
        self._closing.append(self._tasks.start(shown.models.aclose(), name="close a window"))
        if not self._open:
            self.closed.emit()


def _show_again(shown: _Open, before: _Before) -> None:
    """Show in a window what it showed with other view models."""
    models = shown.models
    workspace = models.app.connection.workspace
    models.show_workspace(workspace)
    models.chat.choose_all_for_new(before.chosen)
    conversation_id = before.session.conversation_id if before.session else ""
    if before.is_archive:
        models.archive.open(conversation_id)
        return
    models.chat.open(conversation_id, is_second_view=True)
    shown.contents.scroll_to(before.place)
    if workspace and before.edit:
        models.chat.revisions.resume(workspace, before.edit)
    if workspace:
        models.conversations.refresh()
        models.catalog.load()


def _place_beside(window: MainWindow, other: MainWindow) -> None:
    """Put a window a little below another one, as large, and on its screen as a whole."""
    place = other.normalGeometry().translated(_SHIFT_PX, _SHIFT_PX)
    window.setGeometry(fitted(place, room_of(other)))


@contextmanager
def _activated_by(token: str) -> Iterator[None]:
    """Let windows that are brought forward in the block use this token; empty for none.

    Qt looks for it in the environment.
    """
    is_wayland = QGuiApplication.platformName().startswith("wayland")
    if token and is_wayland:
        os.environ[ACTIVATION_VARIABLE] = token
    try:
        yield
    finally:
        if is_wayland:
            os.environ.pop(ACTIVATION_VARIABLE, None)


def _log_failure(words: ErrorMessage) -> None:
    log.warning("A window did not close cleanly: %s", words.sentence)
