"""`MainWindow` is the window itself: its place, its frame and its commands; contents come later.

`opened_window_file` opens the file in which a window keeps its place and size.

Nothing here imports more than Qt, so that the window is on the screen before all that fills it has
been imported.
"""

import contextlib
import logging
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QByteArray, QEvent, QSettings, QSize, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent, QWindow
from PySide6.QtWidgets import QMainWindow, QWidget

from app.ui.commands import Commands
from app.ui.startup_skeleton import ColumnWidths, OpenSides, SavedAppearance
from app.ui.widgets.focus_ring import InputWatch
from app.ui.widgets.screen_fit import ScreenFit
from local_tools.recovery.files import is_no_file, put_aside

log = logging.getLogger(__name__)


def opened_window_file(path: Path) -> QSettings:
    """Open the file; rename a damaged one first, whose content Qt would drop silently.

    Only places and sizes are lost, so the log mentions it and the window does not.
    """
    if _is_damaged(path):
        with contextlib.suppress(OSError):
            log.info("Set aside a damaged window file as %s", put_aside(path).name)
    return _opened(path)


def _is_damaged(path: Path) -> bool:
    """Tell whether the path is no file, or a file in which Qt finds no settings."""
    return is_no_file(path) or (path.exists() and not _opened(path).allKeys())


def _opened(path: Path) -> QSettings:
    return QSettings(str(path), QSettings.Format.IniFormat)


_SIZE: Final = QSize(1360, 860)
_LEAST_SIZE: Final = QSize(720, 480)
# What the first start shows: the sidebar, and the page that asks for a connection.
_FIRST_WIDTHS: Final = ColumnWidths(272, 0)
_SIDE_KEY: Final = "shows_{}"


class Contents(Protocol):
    """What fills a window; `pages` is its widget."""

    pages: QWidget

    def leave_settings(self) -> None:
        """Show the workbench, whatever was shown."""

    def take_focus(self) -> None:
        """Bring the keyboard to where people write."""

    def arrange(self, arrangement: QByteArray) -> None:
        """Make the columns as wide as they were."""

    @property
    def arrangement(self) -> QByteArray:
        """How wide the columns are, for `arrange`."""

    @property
    def sides(self) -> OpenSides:
        """Which sides are shown whenever there is room for them."""

    def show_sides(self, sides: OpenSides) -> None:
        """Show these sides from now on where there is room for them."""

    @property
    def widths(self) -> ColumnWidths:
        """How wide the columns at the sides are."""

    @property
    def panel_tab(self) -> str:
        """Which page of the right panel is shown."""

    def show_panel_tab(self, tab: str) -> None:
        """Show this page of the right panel; an unknown one changes nothing."""

    @property
    def look(self) -> SavedAppearance:
        """The colours that the contents have."""


class MainWindow(QMainWindow):
    """A window at the place where it was last, as large as it was; always within its screen.

    Its geometry is kept in `geometry_file`. Closing the window emits `closed`; with the last one
    the program ends. Until `fill` it shows what `setCentralWidget` is given.
    """

    closed = Signal()
    """The person closed the window."""
    front_changed = Signal()
    """The window came to the front, went behind others, or was put away."""

    def __init__(self, geometry_file: Path) -> None:
        super().__init__()
        self.commands = Commands(self)
        self._geometry = opened_window_file(geometry_file)
        self._contents: Contents | None = None
        self.setWindowTitle(self.tr("Parley"))
        self.resize(_SIZE)
        ScreenFit(self, _LEAST_SIZE)
        kept = self._geometry.value("window")
        if isinstance(kept, QByteArray):
            self.restoreGeometry(kept)

    @property
    def kept_widths(self) -> ColumnWidths:
        """How wide the columns were when the window was closed last."""
        # Numbers come back from the file as text.
        widths = [str(self._geometry.value(name)) for name in ColumnWidths._fields]
        if not all(width.isdecimal() for width in widths):
            return _FIRST_WIDTHS
        return ColumnWidths(*(int(width) for width in widths))

    @property
    def kept_look(self) -> SavedAppearance:
        """In which colours the window was when it was closed last."""
        is_dark, has_high_contrast = map(self._kept_truth, SavedAppearance._fields)
        return SavedAppearance(is_dark, bool(has_high_contrast))

    def fill(self, contents: Contents) -> None:
        """Show `contents` from now on, with the focus in the composer."""
        self._contents = contents
        contents.show_sides(self._kept_sides)
        self.setCentralWidget(contents.pages)
        # Otherwise Qt shows it one turn later, and keys pressed until then would be lost.
        contents.pages.show()
        kept = self._geometry.value("splitter")
        if isinstance(kept, QByteArray):
            contents.arrange(kept)
        contents.show_panel_tab(str(self._geometry.value("panel_tab")))
        contents.take_focus()

    def empty(self) -> None:
        """Remember how the contents are arranged, and take their commands away: others follow."""
        self._keep_arrangement()
        self._contents = None
        self.commands.withdraw()
        self.commands = Commands(self)

    def come_forward(self) -> None:
        """Show the window in front: another start of the program asked for it."""
        # Each in the state that it is in: `showNormal` would end full screen, too.
        if self.isFullScreen():
            self.showFullScreen()
        elif self.isMaximized():
            self.showMaximized()
        elif self.isMinimized():
            self.showNormal()
        else:
            self.show()
        self.raise_()
        self.activateWindow()

    def leave_settings(self) -> None:
        """Show the workbench, whatever was shown."""
        if self._contents:
            self._contents.leave_settings()

    def showEvent(self, event: QShowEvent) -> None:
        """Watch from the first show on whether keys or the pointer are used."""
        super().showEvent(event)
        handle: QWindow | None = self.windowHandle()
        # Hidden and shown again, a window keeps its handle.
        if handle and handle.findChild(InputWatch) is None:
            InputWatch(handle)

    def changeEvent(self, event: QEvent) -> None:
        """Tell when this window comes to the front, or leaves it."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.ActivationChange, QEvent.Type.WindowStateChange):
            self.front_changed.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the geometry, and tell that the window goes."""
        self._geometry.setValue("window", self.saveGeometry())
        self._keep_arrangement()
        # Now: by itself QSettings writes later, and the program may be about to end.
        self._geometry.sync()
        event.accept()
        self.closed.emit()

    def _keep_arrangement(self) -> None:
        if not self._contents:
            return
        self._geometry.setValue("splitter", self._contents.arrangement)
        self._geometry.setValue("panel_tab", self._contents.panel_tab)
        kept = self._contents.widths._asdict() | self._contents.look._asdict()
        for name, is_open in self._contents.sides._asdict().items():
            kept[_SIDE_KEY.format(name)] = is_open
        for name, value in kept.items():
            self._geometry.setValue(name, "" if value is None else value)

    @property
    def _kept_sides(self) -> OpenSides:
        kept = {name: self._kept_truth(_SIDE_KEY.format(name)) for name in OpenSides._fields}
        return OpenSides(**{name: is_open for name, is_open in kept.items() if is_open is not None})

    def _kept_truth(self, name: str) -> bool | None:
        # An INI file has no types: QSettings returns booleans as text.
        return {"true": True, "false": False}.get(str(self._geometry.value(name)).lower())
