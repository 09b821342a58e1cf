"""What is worth knowing of the files of an earlier run, when a later one begins."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.error_text import Reason, explain
from app.errors import UserFacingError
from app.misfits import Misfit
from app.settings import SettingsFile
from app.viewmodels.states import BannerView, Dot
from app.viewmodels.tools.change_words import setting_words

_MOST_SETTINGS: Final = 3
_VALUE_LIMIT: Final = 40


def start_banner(
    store: Path | None, settings: SettingsFile, servers: Path | None
) -> BannerView | None:
    """What was put aside, or is not understood of the settings; None where all is well.

    `store` and `servers` are where those files are now, if they could not be read.
    """
    translate = QCoreApplication.translate
    if store:
        return _aside(translate("Start", "the chats"), store)
    if settings.put_aside:
        return _aside(translate("Start", "the settings"), settings.put_aside)
    if settings.misfits:
        return _misread(settings.misfits, settings.copy)
    return _aside(translate("Start", "the list of tool servers"), servers) if servers else None


def _aside(what: str, path: Path) -> BannerView:
    values = {"what": what, "path": str(path)}
    return BannerView(Dot.WARN, explain(UserFacingError(Reason.PUT_ASIDE, values)))


def _misread(misfits: Sequence[Misfit], copy: Path | None) -> BannerView:
    named = [_misfit_words(misfit) for misfit in misfits[:_MOST_SETTINGS]]
    if more := len(misfits) - len(named):
        named.append(QCoreApplication.translate("Start", "and %n more", "", more))
    values = {"settings": ", ".join(named), "path": str(copy)}
    reason = Reason.SETTINGS_MISREAD_KEPT if copy else Reason.SETTINGS_MISREAD
    return BannerView(Dot.WARN, explain(UserFacingError(reason, values)))


def _misfit_words(misfit: Misfit) -> str:
    """Which setting it is and, of a plain value, what is written there; of a table its name."""
    name, value = setting_words(misfit.place), misfit.value
    if isinstance(value, dict):
        value = value.get("name") or value.get("id") or []
    if isinstance(value, dict | list):
        return name
    said = str(value).lower() if isinstance(value, bool) else str(value)
    shown = said if len(said) <= _VALUE_LIMIT else f"{said[:_VALUE_LIMIT]}…"
    words = QCoreApplication.translate("Start", "{setting} “{value}”")
    return words.format(setting=name, value=shown)
