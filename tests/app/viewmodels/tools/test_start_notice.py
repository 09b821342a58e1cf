"""The notice at the start: which file could not be read, or which settings were not understood."""

from pathlib import Path

import pytest

from app.config.settings import SettingsFile
from app.viewmodels.startup_notices import KeptFile, start_banner
from local_tools.recovery.files import PutAside


def _said(tmp_path: Path, text: str) -> str:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    banner = start_banner({}, SettingsFile(path))
    return banner.words.sentence.replace(str(tmp_path), "…") if banner else ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tools]\ncard_minutes = 9999\n", "time before asking again “9999”"),
        ('[projects]\nlocal_colour = "gold"\n', "colour of the local connection “gold”"),
        ("[tray]\nis_shown = 3\n[updates]\nat_start = 3", "tray icon “3”, update check"),
        ("appearance = true\n", "appearance “true”"),
        ('chats = "' + 90 * "x" + '"\n', f"chat order “{40 * 'x'}…”"),
        (
            "appearance = 1\nchats = 1\nmodels = 1\ntools = 1\ntray = 1\n",
            "tray icon “1”, and 2 more.",
        ),
    ],
)
def test_settings_that_are_not_understood_are_named(tmp_path: Path, text: str, said: str) -> None:
    assert said in _said(tmp_path, text)


def test_a_copy_and_a_file_put_aside_are_named(tmp_path: Path) -> None:
    with_copy = _said(tmp_path, '[[projects.hosted]]\nid = "b"\n')
    assert (
        "reset: connection settings “b”. The earlier file was kept as …/settings.before-"
        in with_copy
    )

    put_aside = _said(tmp_path, "[projects")
    assert "could not read the settings and started afresh. What was there was kept as" in put_aside


def test_settings_that_are_understood_say_nothing(tmp_path: Path) -> None:
    assert _said(tmp_path, '[appearance]\ntheme = "dark"\nlater = 3\n') == ""


def test_start_notice_distinguishes_salvaged_from_lost_files(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path / "settings.toml")
    lost, saved = PutAside(Path("/a.db")), PutAside(Path("/b.db"), is_salvaged=True)

    def said(found: dict[KeptFile, PutAside | None]) -> str:
        banner = start_banner(found, settings)
        return banner.words.sentence if banner else ""

    assert said({KeptFile.CALLS: lost}) == (
        "Parley could not read the record of tool calls and started afresh. What was there was "
        "kept as /a.db."
    )
    assert said({KeptFile.CHATS: saved, KeptFile.CALLS: None}) == (
        "Damaged: the chats. Parley recovered what it could and kept the damaged file as /b.db."
    )
    assert "the chats as /b.db; the record of tool calls as /a.db." in said(
        {KeptFile.CALLS: lost, KeptFile.CHATS: saved}
    )
