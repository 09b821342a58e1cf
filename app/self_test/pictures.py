"""Pictures of the window at work, light and dark, as the README shows them."""

import asyncio
import errno
import os
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.self_test.checks import CheckFailed
from app.self_test.own_program import OwnProgram
from app.self_test.report import demand_room
from app.settings import Appearance, ThemeChoice

_THEMES: Final[tuple[ThemeChoice, ...]] = ("light", "dark")


class Pictures:
    """Takes pictures into a folder; without one, takes none."""

    def __init__(self, program: OwnProgram, folder: Path | None) -> None:
        self._program = program
        self._folder = folder

    async def take(self, name: str) -> None:
        """Takes the window in both themes, as NAME-light.png and NAME-dark.png.

        Raises:
            CheckFailed: a picture could not be written.
        """
        if self._folder is None:
            return
        theme = self._program.now.theme
        for choice in _THEMES:
            theme.wear(Appearance(theme=choice))
            # One turn of the loop, so that whatever follows the theme has done so.
            await asyncio.sleep(0)
            path = self._folder / f"{name}-{choice}.png"
            if not self._program.now.window.grab().save(str(path)):
                words = QCoreApplication.translate("SelfTest", "{path} could not be written")
                raise CheckFailed(words.format(path=path))
        theme.wear(Appearance(theme="light"))


def make_folder(folder: Path) -> None:
    """Makes the folder for pictures unless it is there, and makes sure that they can be kept in it.

    Raises:
        OSError: They cannot.
    """
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    folder.mkdir(parents=True, exist_ok=True)
    demand_room(folder)
