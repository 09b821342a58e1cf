"""Notices about files of an earlier run, shown at the start: damaged, replaced, or newer ones."""

from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.config.settings import SettingsFile
from app.config.validation import InvalidValue
from app.viewmodels.settings.setting_texts import setting_name
from app.viewmodels.states import BannerView, Dot
from local_tools.recovery.files import PutAside

_MOST_SETTINGS: Final = 3
_VALUE_LIMIT: Final = 40


class KeptFile(Enum):
    """A file of the program in which something of the person's is kept."""

    CHATS = "chats"
    SERVICE = "service"
    CALLS = "calls"
    SETTINGS = "settings"
    SERVERS = "servers"
    FOLDER = "folder"


def start_banner(
    found: Mapping[KeptFile, PutAside | None], settings: SettingsFile
) -> BannerView | None:
    """Return the banner on damaged files and settings not understood; None where all is well.

    `found` says where each damaged file was moved to; None for a file that was not damaged.
    """
    known = {**found, KeptFile.SETTINGS: settings.put_aside}
    in_order = ((file, known.get(file)) for file in KeptFile)
    told = [(file, put_aside) for file, put_aside in in_order if put_aside]
    if len(told) > 1:
        files = "; ".join(_kept_words(file, put_aside) for file, put_aside in told)
        error = UserFacingError(ErrorCode.SEVERAL_PUT_ASIDE, {"files": files})
        return BannerView(Dot.WARN, explain(error))
    if told:
        return _one_put_aside(*told[0])
    return _misread(settings.invalid, settings.backup) if settings.invalid else None


def _one_put_aside(file: KeptFile, put_aside: PutAside) -> BannerView:
    reason = ErrorCode.SALVAGED if put_aside.is_salvaged else ErrorCode.PUT_ASIDE
    values = {"what": _name_of(file), "path": str(put_aside.path)}
    return BannerView(Dot.WARN, explain(UserFacingError(reason, values)))


def _kept_words(file: KeptFile, put_aside: PutAside) -> str:
    words = QCoreApplication.translate("Start", "{what} as {path}")
    return words.format(what=_name_of(file), path=put_aside.path)


def _name_of(file: KeptFile) -> str:
    translate = QCoreApplication.translate
    match file:
        case KeptFile.CHATS:
            return translate("Start", "the chats")
        case KeptFile.SERVICE:
            return translate("Start", "the chats of the local service")
        case KeptFile.CALLS:
            return translate("Start", "the record of tool calls")
        case KeptFile.SETTINGS:
            return translate("Start", "the settings")
        case KeptFile.SERVERS:
            return translate("Start", "the list of tool servers")
        case KeptFile.FOLDER:
            return translate("Start", "one of its folders")


def _misread(invalid: Sequence[InvalidValue], backup: Path | None) -> BannerView:
    named = [_invalid_words(found) for found in invalid[:_MOST_SETTINGS]]
    if more := len(invalid) - len(named):
        named.append(QCoreApplication.translate("Start", "and %n more", "", more))
    values = {"settings": ", ".join(named), "path": str(backup)}
    reason = ErrorCode.SETTINGS_MISREAD_KEPT if backup else ErrorCode.SETTINGS_MISREAD
    return BannerView(Dot.WARN, explain(UserFacingError(reason, values)))


def _invalid_words(found: InvalidValue) -> str:
    """Return the name of a setting with its value; of a table the name alone."""
    name, value = setting_name(found.place), found.value
    if isinstance(value, dict):
        value = value.get("name") or value.get("id") or []
    if isinstance(value, dict | list):
        return name
    said = str(value).lower() if isinstance(value, bool) else str(value)
    shown = said if len(said) <= _VALUE_LIMIT else f"{said[:_VALUE_LIMIT]}…"
    words = QCoreApplication.translate("Start", "{setting} “{value}”")
    return words.format(setting=name, value=shown)
