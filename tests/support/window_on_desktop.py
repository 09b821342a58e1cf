"""Shows the windows of the program on a real desktop, and prints where they came to stand.

Run as a program of its own: `python -m tests.support.window_on_desktop FOLDER SCALE_PERCENT`, with
`alone` behind that for an empty window and nothing else.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QApplication, QWidget

from app.composition import Composition
from app.config.settings import AppearanceSettings
from app.event_loop import AppEventLoop
from app.ui.composer.agent_picker import AgentLists, AgentPicker
from app.ui.link_dialog import LinkDialog
from app.ui.main_window import MainWindow
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.system_dialogs import make_file_dialog
from app.viewmodels.chat.catalog import AgentRow
from tests.support.widgets import child
from tests.support.window import built_program

_LOOKS_AGAIN_S: Final = 0.02
# So often in a row it has to be the same: nobody tells when a window manager is done.
_SAME: Final = 8
# A window looks a last time a second after it was shown.
_SAME_FOR_WINDOWS: Final = 60
_MOST_LOOKS: Final = 500
# Qt may read a frame that is half made, and is not told of another one: then it is shown anew.
_SHOWN_ANEW_AFTER: Final = 100
_ADDRESS: Final = "https://someone@xn--80ak6aa92e.example/a/long/path?" + "&and=more" * 40


async def _place_of(window: QWidget) -> dict[str, object]:
    """Where the window is with its frame, and where it may be, when neither changes any more."""
    seen: list[dict[str, object]] = []
    same = _SAME_FOR_WINDOWS if isinstance(window, MainWindow) else _SAME
    for looks in range(_MOST_LOOKS):
        seen.append(
            {
                "kind": type(window).__name__,
                "size": window.size().toTuple(),
                "frame": window.frameGeometry().getRect(),
                "room": window.screen().availableGeometry().getRect(),
            }
        )
        # A list that nobody opened with a click or a key is not painted everywhere.
        is_there = window.windowHandle().isExposed() or isinstance(window, AgentLists)
        # While the window manager puts its frame around it, that may have no size yet.
        is_there = is_there and window.frameGeometry().contains(window.geometry())
        if is_there and seen[-same:] == [seen[-1]] * same:
            break
        if looks and looks % _SHOWN_ANEW_AFTER == 0 and window.frameGeometry().isEmpty():
            window.hide()
            window.show()
        await asyncio.sleep(_LOOKS_AGAIN_S)
    return seen[-1]


async def _show_alone(file: Path) -> None:
    """Show an empty window as the program does before it is filled."""
    window = MainWindow(file)
    window.show()
    sys.stdout.write(json.dumps([await _place_of(window)]))
    window.close()


async def _show(folder: Path, scale_percent: int) -> None:
    async with built_program(folder) as program:
        program.theme.wear(AppearanceSettings(theme="light", scale_percent=scale_percent))
        found = [await _place_of(window) async for window in _windows(program)]
        sys.stdout.write(json.dumps(found))


async def _windows(program: Composition) -> AsyncIterator[QWidget]:
    """Each window is there until the next one is asked for; the first two stay."""
    first = program.window
    first.show()
    yield first
    first.commands["new-window"].action.trigger()
    yield program.windows.all[-1]
    child(first, TranscriptView).link_activated.emit(_ADDRESS, "https://apple.com")
    link = child(first, LinkDialog)
    yield link
    link.reject()
    files = make_file_dialog(first, "Choose a folder", str(Path.home()))
    files.open()
    yield files
    files.reject()
    agents = [AgentRow(f"agent-{n}", f"Agent {n}", "Answers") for n in range(9)]
    program.catalog.agents.replace_all(agents)
    picker = child(first, AgentPicker)
    picker.open()
    popup = child(picker, AgentLists)
    yield popup
    popup.hide()


def main() -> None:
    """Show them, and end."""
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    folder, scale_percent, *alone = sys.argv[1:]
    showing = (
        _show_alone(Path(folder, "window.ini"))
        if alone
        else _show(Path(folder), int(scale_percent))
    )
    with AppEventLoop(application) as loop:
        loop.run_until_complete(showing)


if __name__ == "__main__":
    main()
