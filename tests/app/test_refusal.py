"""The start that cannot be: a sentence, in a window that stays until it is read."""

import asyncio

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.common.shutdown_request import ShutdownRequest
from app.ui.startup_error import StartupErrorPage, show_startup_error

_MUTE = "Parley is already running, but its window does not respond."


class _Watch(QObject):
    """Tells when a window that says why there is no start is on the screen."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.shown = asyncio.get_running_loop().create_future()
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at what is shown, and takes nothing."""
        is_shown = event.type() == QEvent.Type.Show and isinstance(watched, StartupErrorPage)
        if is_shown and not self.shown.done():
            self.shown.set_result(watched)
        return False


@pytest.mark.anyio
async def test_the_sentence_stays_in_a_window_until_that_is_closed(
    qapp: QApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    watch = _Watch(qapp)
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        refused = group.create_task(show_startup_error(qapp, ShutdownRequest(), None))
        window = await watch.shown
        words = window.findChild(QPlainTextEdit).toPlainText()
        assert not refused.done()
        window.close()
    watch.deleteLater()

    assert words == _MUTE
    assert capsys.readouterr().err == f"{_MUTE}\n"


@pytest.mark.anyio
async def test_without_anybody_who_sees_a_window_only_the_sentence_is_said(
    qapp: QApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    ending = ShutdownRequest()

    # Nothing ends it but itself.
    async with asyncio.timeout(20):
        await show_startup_error(qapp, ending, None, has_window=False)

    assert not [one for one in qapp.topLevelWidgets() if isinstance(one, StartupErrorPage)]
    assert not ending.has_begun
    assert capsys.readouterr().err == f"{_MUTE}\n"
