"""The walk of the self-test where the product refuses what it would ordinarily do."""

import io
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.config.settings import ConnectionSettings, LanguageSettings, Settings, SettingsFile
from app.paths import paths_under
from app.self_test.app_under_test import AppUnderTest
from app.self_test.picture_tour import Screenshots
from app.self_test.report import SelfTestReport
from app.self_test.run import notes_folder
from app.self_test.scenario import Scenario
from app.self_test.scripted_user import ScriptedUser
from tests.support.plugins import LoopBackend

pytestmark = pytest.mark.anyio

_REFUSAL = "No tool gets a folder on this system."


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since a real window is under it."""
    return qt_loop


async def test_self_test_uses_tools_without_a_folder_where_none_gets_one(
    tmp_path: Path, qapp: QApplication
) -> None:
    report, notes = SelfTestReport(io.StringIO(), "1.2", str), tmp_path / "notes"
    program = await _begun(qapp, tmp_path)
    walk = Scenario(program, notes, Screenshots(program, None), no_folders=_REFUSAL)
    try:
        await ScriptedUser(program).until_ready()
        for check in walk.checks():
            if check.check_id in {"allow", "deny", "undo"}:
                await report.make(check)
    finally:
        await program.close()

    told = [(one.check, one.outcome, one.detail) for one in report.results]
    assert told == [
        ("allow", "ok", _REFUSAL),
        ("deny", "ok", _REFUSAL),
        ("undo", "not available", _REFUSAL),
    ]
    assert not any("file" in one.name for one in report.results)
    assert not notes.exists()


def test_pictures_show_a_folder_in_the_home_only_where_there_was_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    pictures, own = tmp_path / "pictures", tmp_path / "Notes"

    with notes_folder(tmp_path / "temporary", None) as without_pictures:
        assert not own.exists()
    with notes_folder(tmp_path / "temporary", pictures) as with_pictures:
        (own / "shopping.md").write_text("bread", encoding="utf-8")
    assert not own.exists()
    own.mkdir()
    with notes_folder(tmp_path / "temporary", pictures) as beside_another:
        pass

    assert own.exists()
    assert (without_pictures, with_pictures) == (beside_another, own)


async def _begun(application: QApplication, folder: Path) -> AppUnderTest:
    """Return the program in English, with its service, as on the second day."""
    paths = paths_under(folder)
    paths.make()
    chosen = Settings(
        language=LanguageSettings(choice="en"), connection=ConnectionSettings(kind="local")
    )
    SettingsFile(paths.settings_file).save(chosen)
    program = AppUnderTest(application, folder, "en")
    await program.show()
    return program
