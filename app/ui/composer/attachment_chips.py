"""Chips of the attached files above the composer's text, each with a button to remove it.

`AttachButton` is the "+" button with a menu of ways to attach something.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.ui.composer.square_button import SquareButton
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, set_tab_order
from app.ui.widgets.buttons import IconLabel, icon_button
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import one_line, plain_label, set_plain_tooltip, short_name
from app.ui.widgets.menus import make_menu
from app.ui.widgets.motion import conceal, reveal
from app.ui.widgets.painting import pixmap_of
from app.ui.widgets.surfaces import RoundedFrame
from app.viewmodels.chat.attached_files import AttachmentChip
from local_tools.attached_file import ContentImage

_RADIUS_PX: Final = 10
_ICON_PX: Final = 20
_NAME_WIDTH_PX: Final = 220
_THUMBNAIL_PX: Final = (46, 34)
_REMOVING_KEYS: Final = frozenset({Qt.Key.Key_Delete, Qt.Key.Key_Backspace})


class AttachButton(SquareButton):
    """The "+" button with its menu. Made by the composer; ends with it."""

    files_requested = Signal()
    """The person wants to choose files."""
    folder_requested = Signal()
    """The person wants to choose a folder for the chat."""
    screenshot_requested = Signal()
    """The person wants to attach what is on the screen."""
    clipboard_requested = Signal()
    """The person wants to attach what is on the clipboard."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            "plus", self.tr("Attach"), theme, kind="secondary", ink="ink-2", parent=parent
        )
        self._menu = make_menu(self, self.tr("Attach"), theme)
        for words, signal in (
            (self.tr("Files…"), self.files_requested),
            (self.tr("Folder…"), self.folder_requested),
            (self.tr("Screenshot…"), self.screenshot_requested),
            (self.tr("From the clipboard"), self.clipboard_requested),
        ):
            action = QAction(words, self)
            action.triggered.connect(signal)
            self._menu.addAction(action)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, -self._menu.sizeHint().height())))


class _FileChip(RoundedFrame):
    """One attached file. Made by `AttachmentChips` for as long as it is attached."""

    removed = Signal(str)
    """The person does not want the file any more; argument: its id."""

    def __init__(self, theme: Theme, chip: AttachmentChip) -> None:
        super().__init__(theme, _RADIUS_PX, line="line-strong")
        self._chip = chip
        name, details = one_line(chip.name), chip.details or self.tr("Reading…")
        shown = plain_label("", theme, size="secondary", ink="ink")
        middle = Qt.TextElideMode.ElideMiddle
        shown.setText(shown.fontMetrics().elidedText(name, middle, theme.px(_NAME_WIDTH_PX)))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(shown)
        words.addWidget(plain_label(details, theme, size="caption", ink="ink-2"))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 6, 6)
        row.setSpacing(10)
        row.addWidget(
            _thumbnail(chip.thumbnail, theme) or IconLabel(chip.icon, theme, "ink-2", _ICON_PX)
        )
        row.addLayout(words)
        self.remove_button = icon_button("x", self.tr("Remove {0}").format(name), theme)
        self.remove_button.clicked.connect(self._on_remove_clicked)
        row.addWidget(self.remove_button)
        self.remove_button.setVisible(bool(chip.attachment_id))
        self.setAccessibleName(f"{name}, {details}")
        set_plain_tooltip(self, chip.name if shown.text() != chip.name else "")

    @property
    def chip(self) -> AttachmentChip:
        """The attachment that is shown."""
        return self._chip

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the file by the keys that delete; the button in it has the keyboard."""
        if event.key() in _REMOVING_KEYS and self._chip.attachment_id:
            self._on_remove_clicked()
        else:
            super().keyPressEvent(event)

    def _on_remove_clicked(self) -> None:
        self.removed.emit(self._chip.attachment_id)


def _thumbnail(image: ContentImage | None, theme: Theme) -> QLabel | None:
    """Return how an image looks as it leaves; None where that is not known."""
    if image is None:
        return None
    pixmap = pixmap_of(image)
    box = QSize(theme.px(_THUMBNAIL_PX[0]), theme.px(_THUMBNAIL_PX[1]))
    # The worker has drawn it for dense screens; with this ratio it fits into the box.
    pixmap.setDevicePixelRatio(max(pixmap.width() / box.width(), pixmap.height() / box.height(), 1))
    label = plain_label("", theme)
    label.setPixmap(pixmap)
    return label


def _count(seen: Counter[AttachmentChip], chip: AttachmentChip) -> int:
    seen[chip] += 1
    return seen[chip]


class AttachmentChips(QWidget):
    """A chip for each attached file; hidden while there is none. Made by the composer."""

    removed = Signal(str)
    """A file is not wanted any more; argument: its id."""
    emptied = Signal()
    """The keyboard was at a chip, and none is left."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._chips: list[_FileChip] = []
        # Still seen while the row folds.
        self._leaving: list[_FileChip] = []
        self._row = FlowLayout(self)
        self._model = ""
        self._hint = plain_label("", theme, size="caption", ink="warn")
        self._hint.setParent(self)
        self._hint.hide()
        self.setAccessibleName(self.tr("Attached files"))
        self.hide()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is attached that could be sent."""
        return not any(chip.chip.attachment_id for chip in self._chips)

    @property
    def is_busy(self) -> bool:
        """Whether a file is still being taken in."""
        return any(not chip.chip.attachment_id for chip in self._chips)

    def show_chips(self, chips: Sequence[AttachmentChip]) -> None:
        """Show these files; those that were there keep their places and the keyboard."""
        self._remove_leaving()
        self._tell_taken_in(chips)
        focused = next((n for n, c in enumerate(self._chips) if c.remove_button.hasFocus()), None)
        # Two files that are being read may have one name.
        before = Counter[AttachmentChip]()
        kept = {(chip.chip, _count(before, chip.chip)): chip for chip in self._chips}
        now = Counter[AttachmentChip]()
        keys = [(chip, _count(now, chip)) for chip in chips]
        self._chips = [kept.pop(key) if key in kept else self._make(key[0]) for key in keys]
        self._leaving = list(kept.values())
        if self._chips:
            self._remove_leaving()
            # Emptied and filled again: this layout takes widgets at its end only.
            while self._row.takeAt(0):
                pass
            self._row.add(*self._chips, self._hint)
        self._show_hint()
        if self._chips:
            reveal(self, self._theme)
        else:
            for gone in self._leaving:
                # A click would remove once more what is removed already.
                gone.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            conceal(self, self._theme, self._remove_leaving)
        set_tab_order(self, *self._chips)
        if focused is not None:
            self._focus_near(focused)

    def _tell_taken_in(self, chips: Sequence[AttachmentChip]) -> None:
        """Have those read out that were being taken in and are attached now."""
        awaited = {chip.chip.name for chip in self._chips if not chip.chip.attachment_id}
        known = {chip.chip.attachment_id for chip in self._chips}
        for chip in chips:
            if chip.attachment_id not in known and chip.name in awaited:
                words = self.tr("Attached: {0}").format(f"{one_line(chip.name)}, {chip.details}")
                announce(self, words)

    def _remove_leaving(self) -> None:
        for gone in self._leaving:
            self._row.removeWidget(gone)
            # At once, as it is deleted only when the event loop gets there.
            gone.hide()
            gone.deleteLater()
        self._leaving = []

    def show_blind_model(self, name: str) -> None:
        """Say of images that the model with this name cannot see them; empty for one that can."""
        if name != self._model:
            self._model = name
            self._show_hint()

    @property
    def hint(self) -> str:
        """What is said of the images; empty where nothing is."""
        has_images = any(chip.chip.icon == "image" for chip in self._chips)
        if not (self._model and has_images):
            return ""
        words = self.tr("{0} can’t see images. It receives only their names.")
        return words.format(short_name(self._model))

    def _show_hint(self) -> None:
        self._hint.setText(self.hint)
        self._hint.setVisible(bool(self.hint))

    def _make(self, chip: AttachmentChip) -> _FileChip:
        made = _FileChip(self._theme, chip)
        made.removed.connect(self.removed)
        made.setParent(self)
        self._theme.fit(made)
        made.show()
        return made

    def _focus_near(self, place: int) -> None:
        if self._chips:
            near = self._chips[min(place, len(self._chips) - 1)]
            near.remove_button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.emptied.emit()
