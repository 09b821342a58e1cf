"""A start with something damaged: said where it is seen, and nothing is thrown away."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton

from app.config.settings import AppearanceSettings
from app.paths import paths_under
from app.self_test.ui_driver import click, find
from app.ui.notice_bar import NoticeBar
from tests.support.fake_service import FakeService
from tests.support.widgets import label_texts
from tests.support.window import hosted_program, running_program

_DAMAGED = b"this was a database once " * 999


@pytest.mark.anyio
async def test_a_damaged_store_is_kept_and_mentioned_also_once_the_service_is_ready(
    tmp_path: Path,
) -> None:
    paths = paths_under(tmp_path)
    paths.make()
    paths.store_file.write_bytes(_DAMAGED)

    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        [aside] = paths.data.glob("store.damaged-*.db")
        [bar] = [bar for bar in person.window.findChildren(NoticeBar) if bar.isVisible()]
        assert str(aside) in bar.accessibleName()
        assert aside.read_bytes() == _DAMAGED


@pytest.mark.anyio
async def test_settings_that_cannot_be_written_are_said_where_they_were_changed(
    tmp_path: Path,
) -> None:
    async with running_program(tmp_path) as person:
        program, settings_file = person.program, paths_under(tmp_path).settings_file
        settings_file.unlink(missing_ok=True)
        settings_file.mkdir()

        person.window.commands["settings"].action.trigger()
        program.preferences.change(AppearanceSettings(theme="dark"))
        said = " ".join(label_texts(person.window))
        click(find(person.window, QAbstractButton, "Back to the chat"))
        program.setup.use_offline()
        first_run = program.setup.first_run_changed
        await person.sees(
            lambda: bool(program.setup.first_run.model_error),
            "the first-run page shows an error of the model",
            first_run,
        )

        assert "lasts only until Parley closes" in said
        assert program.theme.is_dark
        assert "nothing was changed" in program.setup.first_run.model_error
        assert "nothing was changed" in " ".join(label_texts(person.window))
        assert program.connection.workspace is None


@pytest.mark.anyio
async def test_result_of_an_earlier_check_is_cleared_when_the_settings_reopen(
    tmp_path: Path,
) -> None:
    async with running_program(tmp_path) as person:
        setup = person.program.setup
        setup.use_hosted("ftp://service.example.com", "key")
        said = setup.settings.address_error

        setup.look_for_models()

        assert said
        assert setup.settings.address_error == ""


@pytest.mark.anyio
async def test_damaged_settings_are_mentioned_on_the_first_page(tmp_path: Path) -> None:
    paths = paths_under(tmp_path)
    paths.make()
    paths.settings_file.write_bytes(_DAMAGED)

    async with running_program(tmp_path) as person:
        [bar] = [bar for bar in person.window.findChildren(NoticeBar) if bar.isVisible()]
        assert "settings.damaged-" in bar.accessibleName()
        assert find(person.window, QAbstractButton, "Look around first").isVisible()
