"""A person's own tools in the settings: which there are, and what is allowed."""

from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from app.error_text import ErrorText
from app.own_tools.own_tools import OwnTools
from app.tasks import TaskOwner
from app.viewmodels.failures import failure_route, translated
from app.viewmodels.marked_words import marked_words
from app.viewmodels.name_order import name_key
from app.viewmodels.tools.own_tool_states import OwnToolsView
from app.viewmodels.tools.own_tool_words import row_of
from local_tools.errors import ToolError

# An editor writes a file in several steps.
_SETTLED_MS = 300


class OwnToolsViewModel(QObject):
    """Shows folders of tools, looks again when one changes, allows them. One for the run.

    Until somebody wants to see them, only what was allowed is looked at.
    """

    changed = Signal(object)
    """How they stand; argument: an `OwnToolsView`."""

    def __init__(self, own: OwnTools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._own = own
        self._tasks = TaskOwner(failure_route(self._on_task_failed))
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._timer.timeout.connect(self._look_again)
        self._is_shown = False
        for signal in (self._watcher.directoryChanged, self._watcher.fileChanged):
            signal.connect(self._on_watcher_changed)
        self._unsubscribe = own.subscribe(self._on_own_look)
        self.view = OwnToolsView(str(own.folder))

    def look(self) -> None:
        """Looks at all folders again."""
        self._do(self._own.look(), "look at own tools")

    def begin_showing(self) -> None:
        """Somebody wants to see all folders, and whatever changes in them."""
        self._is_shown = True
        self.look()

    def end_showing(self) -> None:
        """Nobody looks at them any more."""
        self._is_shown = False

    def _look_again(self) -> None:
        if self._is_shown:
            self.look()
        else:
            self._do(self._own.look_at_allowed(), "look at own tools")

    def allow(self, name: str, fingerprint: str) -> None:
        """Allows a folder as it was shown."""
        self._do(self._own.allow(name, fingerprint), f"allow {name}")

    def switch_off(self, name: str) -> None:
        """Offers its tools no longer."""
        self._do(self._own.switch_off(name), f"switch off {name}")

    def bring_in(self, path: str) -> None:
        """Takes over the folder or zip file at `path`, switched off."""
        self._do(self._bring_in(Path(path)), "import tools")

    async def _bring_in(self, source: Path) -> None:
        try:
            await self._own.bring_in(source)
        except ToolError as error:
            self._show(replace(self.view, problem=marked_words("OwnTools", str(error))))

    async def aclose(self) -> None:
        """Ends what is under way."""
        self._unsubscribe()
        self._watcher.blockSignals(True)
        self._timer.stop()
        await self._tasks.aclose()

    def _do(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._show(replace(self.view, problem=""))
        self._tasks.start(work, name=name)

    def _on_watcher_changed(self, _path: str) -> None:
        self._timer.start()

    def _on_own_look(self) -> None:
        self._watch()
        rows = tuple(sorted(map(row_of, self._own.sets), key=lambda row: name_key(row.title)))
        self._show(replace(self.view, rows=rows))

    def _watch(self) -> None:
        folder = self._own.folder
        places = {str(folder)} if folder.is_dir() else set[str]()
        for item in self._own.sets:
            place = item.read.folder if item.read else folder / item.name
            if item.read or not item.package:
                places.add(str(place))
            for name in item.read.files.contents if item.read else ():
                places |= {str(place / name), str((place / name).parent)}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if gone := watched - places:
            self._watcher.removePaths(sorted(gone))
        if new := places - watched:
            self._watcher.addPaths(sorted(new))

    def _show(self, view: OwnToolsView) -> None:
        if view != self.view:
            self.view = view
            self.changed.emit(view)

    def _on_task_failed(self, words: ErrorText) -> None:
        self._show(replace(self.view, problem=translated(words)))
