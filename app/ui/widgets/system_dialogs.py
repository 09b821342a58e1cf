"""These functions open what the system provides: file dialogs, programs and the file manager.

`make_file_dialog` asks for a file or a folder; where the system has no such dialog, Qt's own is
shown, with our icons and buttons. `open_by_system` is the one call that has the
system open something: an address, a file or a folder. `open_folder` is the one way in which
folders of this computer are opened: in its own file manager.
"""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, QEvent, QFileInfo, QObject, QSize, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QIcon,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QCompleter,
    QFileDialog,
    QHeaderView,
    QPushButton,
    QSplitter,
    QToolButton,
    QTreeView,
    QWidget,
)

from app.paths import resources
from app.platform.hardening import umask_as_given
from app.ui.widgets.accessible import hold_announcements
from app.ui.widgets.icons import Icons
from app.ui.widgets.screen_fit import ScreenFit

_SIZE: Final = QSize(820, 520)
_PLACES_PX: Final = 160
_GAP_PX: Final = 8
_ICON_SIZE: Final = QSize(18, 18)
_CHEVRON_PX: Final = 14
_CHEVRON_INSET_PX: Final = 9
# By the names that Qt has for the buttons.
_TOOL_ICONS: Final = {
    "backButton": "arrow-left",
    "forwardButton": "arrow-right",
    "toParentButton": "arrow-up",
    "newFolderButton": "folder-plus",
}
# Two ways to list files are one too many.
_TOOLS_LEFT_OUT: Final = ("listModeButton", "detailModeButton")


class _Chevron(QWidget):
    """Draws the arrow of a combo box, which the style sheet leaves out; ends with the box."""

    def __init__(self, box: QComboBox, icon: QIcon) -> None:
        super().__init__(box)
        self._icon = icon
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        box.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the end of the box."""
        if isinstance(event, QResizeEvent):
            side, room = _CHEVRON_PX, event.size()
            top = (room.height() - side) // 2
            self.setGeometry(room.width() - side - _CHEVRON_INSET_PX, top, side, side)
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the arrow."""
        self._icon.paint(QPainter(self), self.rect())


class _OwnLooks(QObject):
    """Gives Qt's own dialog our icons and buttons; the system's has no widgets. Ends with it."""

    def __init__(self, dialog: QFileDialog) -> None:
        super().__init__(dialog)
        # Files keep Qt's icons: others would be drawn in the thread that reads folders.
        self._icons = Icons(resources() / "icons")
        palette = dialog.palette()
        ink = palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.Text)
        faint = palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        dialog.setViewMode(QFileDialog.ViewMode.Detail)
        dialog.resize(_SIZE)
        for tool in dialog.findChildren(QToolButton):
            tool.setHidden(tool.objectName() in _TOOLS_LEFT_OUT)
            tool.setIconSize(_ICON_SIZE)
            if name := _TOOL_ICONS.get(tool.objectName()):
                tool.setIcon(self._icons.icon(name, ink, faint, 1.0))
        for view in dialog.findChildren(QAbstractItemView):
            view.setIconSize(_ICON_SIZE)
        for box in dialog.findChildren(QComboBox):
            _Chevron(box, self._icons.icon("chevron-down", ink, faint, 1.0))
        for table in dialog.findChildren(QTreeView):
            head = table.header()
            # Each as wide as it needs, and the names have what is left: nothing is cut.
            head.setStretchLastSection(False)
            head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for splitter in dialog.findChildren(QSplitter):
            splitter.setSizes([_PLACES_PX, _SIZE.width() - _PLACES_PX])
        if layout := dialog.layout():
            layout.setSpacing(_GAP_PX)
        self._dialog = dialog
        dialog.installEventFilter(self)
        for completer in dialog.findChildren(QCompleter):
            if (names := completer.popup()) is not None:
                names.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Dress the buttons, which the dialog makes anew for each mode that is set.

        A click on one counts though names to complete what was typed are shown, too.
        """
        if watched is not self._dialog:
            return self._clicks_beside(watched, event) or super().eventFilter(watched, event)
        if event.type() is QEvent.Type.Show:
            for button in self._dialog.findChildren(QPushButton):
                # Some desktops put icons on the buttons of dialogs.
                button.setIcon(QIcon())
                button.setProperty("kind", "primary" if button.isDefault() else "secondary")
                button.style().unpolish(button)
                button.style().polish(button)
        return super().eventFilter(watched, event)

    def _clicks_beside(self, names: QObject, event: QEvent) -> bool:
        """Press a button that is clicked beside the list of names; Qt would only hide the list."""
        if (
            not isinstance(names, QWidget)
            or not isinstance(event, QMouseEvent)
            or event.type() is not QEvent.Type.MouseButtonPress
        ):
            return False
        button = QApplication.widgetAt(event.globalPosition().toPoint())
        if not isinstance(button, QPushButton) or not self._dialog.isAncestorOf(button):
            return False
        names.hide()
        button.click()
        return True


def make_file_dialog(parent: QWidget, title: str, start: str) -> QFileDialog:
    """Return a dialog that begins in `start`, fits its screen, and is deleted when it ends.

    It begins in the home folder if `start` is missing. The caller sets the mode and opens it.
    """
    # Of a missing folder, Qt would put the name into the field for a file.
    folder = start if QFileInfo(start).isDir() else QDir.homePath()
    dialog = QFileDialog(parent, title, folder)
    if dialog.findChildren(QPushButton):
        _OwnLooks(dialog)
    ScreenFit(dialog)
    # What comes of the choice is to be heard once the keyboard is back in the window.
    dialog.filesSelected.connect(lambda: hold_announcements(parent.window()))
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def open_by_system(url: QUrl) -> bool:
    """Open it in the program that the system has for it; false when there is none."""
    # That program may be our child process, and its files need not be as private as ours.
    with umask_as_given():
        return QDesktopServices.openUrl(url)


def open_folder(folder: Path) -> None:
    """Show a folder in the system's file manager.

    Only for folders that the program or the person chose: what else is opened from outside goes
    through `allowed_link` first.
    """
    open_by_system(QUrl.fromLocalFile(str(folder)))
