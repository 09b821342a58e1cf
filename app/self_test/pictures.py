"""Pictures of the window at work, light and dark, as the README shows them."""

import asyncio
from pathlib import Path
from typing import Final

from app.composition import Composition
from app.self_test.report import CheckFailed
from app.settings import ThemeChoice

_THEMES: Final[tuple[ThemeChoice, ...]] = ("light", "dark")


class Pictures:
    """Takes pictures into a folder; without one, takes none."""

    def __init__(self, composition: Composition, folder: Path | None) -> None:
        self._composition = composition
        self._folder = folder

    async def take(self, name: str) -> None:
        """Takes the window in both themes, as NAME-light.png and NAME-dark.png.

        Raises:
            CheckFailed: a picture could not be written.
        """
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        theme = self._composition.theme
        for choice in _THEMES:
            theme.choose(choice)
            # One turn of the loop, so that whatever follows the theme has done so.
            await asyncio.sleep(0)
            path = self._folder / f"{name}-{choice}.png"
            if not self._composition.window.grab().save(str(path)):
                raise CheckFailed(f"{path} could not be written")
        theme.choose("light")
