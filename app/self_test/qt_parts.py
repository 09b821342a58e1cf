"""What of Qt and of its plug-ins the window needs: platforms, icons, typefaces."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QCoreApplication, QLibraryInfo, QPluginLoader, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QImage,
    QPainter,
    QRawFont,
)
from PySide6.QtSvg import QSvgRenderer

from app.display import has_screen
from app.self_test.checks import CheckFailed, NotAvailable
from app.ui.parts.fonts import MONO_FAMILY, UI_FAMILY

translate = QCoreApplication.translate

_PATTERN: Final = {"win32": "{name}.dll", "darwin": "lib{name}.dylib"}
# One of these shows windows; `offscreen` shows none.
_WINDOWS_BY: Final = {"win32": ("qwindows",), "darwin": ("qcocoa",)}
_WINDOWS_BY_LINUX: Final = ("qxcb", "qwayland")
# Letters of both languages, what is drawn between them, and code.
_LETTERS: Final = "AaÄäÖöÜüßéſ„“”…–·≤→0123456789(){}[]"
_SIDE_PX: Final = 16
_BLACK_SQUARE: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>'
)


def check_plugins(variables: Mapping[str, str], folder: Path | None = None) -> str:
    """Loads what shows windows, and draws an icon; names what shows windows here.

    Args:
        variables: of the environment, which say whether there is a display.
        folder: where what shows windows lies; by default, as Qt says.

    Raises:
        CheckFailed: no window could be shown, or no icon.
        NotAvailable: no window could be shown, and there is no display for one either.
    """
    _draw_icon()
    place = folder or _plugins() / "platforms"
    faults, usable = [], []
    for name in _WINDOWS_BY.get(sys.platform, _WINDOWS_BY_LINUX):
        pattern = _PATTERN.get(sys.platform, "lib{name}.so")
        loader = QPluginLoader(str(place / pattern.format(name=name)))
        if loader.load():
            usable.append(name.removeprefix("q"))
        else:
            faults.append(loader.errorString())
    if not usable and not has_screen(variables):
        words = translate("SelfTest", "no display is here, and nothing to show windows: {faults}")
        raise NotAvailable(words.format(faults="; ".join(faults)))
    if not usable:
        raise CheckFailed("; ".join(faults))
    words = translate("SelfTest", "shown by {platform}; windows by {usable}")
    return words.format(platform=QGuiApplication.platformName(), usable=", ".join(usable))


def _plugins() -> Path:
    return Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath))


def check_fonts() -> str:
    """Makes sure that both typefaces are loaded, with the letters of our languages.

    Raises:
        CheckFailed: one is missing, or lacks a letter.
    """
    for family in (UI_FAMILY, MONO_FAMILY):
        if family not in QFontDatabase.families():
            words = translate("SelfTest", "there is no typeface {family}")
            raise CheckFailed(words.format(family=family))
        raw = QRawFont.fromFont(QFont(family))
        lacking = [letter for letter in _LETTERS if not raw.supportsCharacter(ord(letter))]
        if raw.familyName() != family or lacking:
            words = translate("SelfTest", "{family} lacks letters: {letters}")
            raise CheckFailed(words.format(family=family, letters=" ".join(lacking)))
    return f"{UI_FAMILY}, {MONO_FAMILY}"


def _draw_icon() -> None:
    image = QImage(_SIDE_PX, _SIDE_PX, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(_BLACK_SQUARE)).render(painter)
    painter.end()
    if image.pixelColor(_SIDE_PX // 2, _SIDE_PX // 2) != QColor(Qt.GlobalColor.black):
        raise CheckFailed(translate("SelfTest", "an icon was not drawn"))
