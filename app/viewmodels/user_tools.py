"""The user's own tools in the settings: folders of tools, read, checked and allowed.

`UserToolsViewModel` lists and allows them; `UserToolsView` is what widgets show, and `row_of` makes
the text about a folder.
"""

from collections.abc import Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QObject, QTimer, Signal

from app.common.error_messages import ErrorMessage
from app.tasks import TaskOwner
from app.user_tools.user_tools import UserToolFolder, UserTools
from app.viewmodels.i18n import error_handler, localized, name_key, translate_marked
from app.viewmodels.states import Dot
from local_tools.errors import ToolError
from local_tools.user_tools.tool_set import ReadTool, wire_name


@dataclass(frozen=True, slots=True)
class UserToolRow:
    """One tool of a folder. `problem` says why it is not offered."""

    name: str
    description: str
    effect_words: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class UserToolFolderRow:
    """One folder of tools, in a line and in full.

    Attributes:
        package: The package that brought it; empty for a folder of the person's own.
        dot: None while it is off.
        can_allow: It can be allowed as it is shown.
        findings: What is wrong with it, a sentence each.
        shown: Its whole code, or what changed in it.
        shown_title: Which of the two.
        fingerprint: Binds what is allowed to what was shown.
    """

    name: str
    title: str
    words: str
    is_on: bool
    dot: Dot | None
    package: str = ""
    can_allow: bool = False
    problem: str = ""
    tools: tuple[UserToolRow, ...] = ()
    findings: tuple[str, ...] = ()
    shown: str = ""
    shown_title: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class UserToolsView:
    """All folders, and where they lie."""

    folder: str
    rows: tuple[UserToolFolderRow, ...] = ()
    problem: str = ""


def row_of(item: UserToolFolder) -> UserToolFolderRow:
    """Return a folder as the settings show it."""
    faults = [found.words for found in item.findings if found.weight == "fault"]
    notes = [found.words for found in item.findings if found.weight == "note"]
    is_usable = item.state != "unusable"
    return UserToolFolderRow(
        name=item.name,
        title=item.read.manifest.title if item.read else item.name,
        words=_words(item),
        package=item.package,
        is_on=item.state == "on",
        dot={"on": Dot.GOOD, "changed": Dot.WARN, "unusable": Dot.BAD}.get(item.state),
        can_allow=item.state in ("off", "changed"),
        problem="" if is_usable else " ".join(faults[:1]),
        tools=_tools(item),
        findings=tuple(faults + notes),
        shown=item.shown,
        shown_title=_shown_title(item),
        fingerprint=item.fingerprint,
    )


def _words(item: UserToolFolder) -> str:
    translate = QCoreApplication.translate
    if item.state == "unusable":
        return translate("OwnTools", "cannot be used")
    if item.state == "changed":
        return translate("OwnTools", "off: files changed since you allowed them")
    count = len(item.tools) - len(item.refused)
    if item.state == "on":
        return translate("OwnTools", "on: %n tools", "", count)
    return translate("OwnTools", "off: not allowed yet")


def _shown_title(item: UserToolFolder) -> str:
    if item.state == "changed":
        return QCoreApplication.translate("OwnTools", "What changed since you allowed it")
    return QCoreApplication.translate("OwnTools", "All files")


def _tools(item: UserToolFolder) -> tuple[UserToolRow, ...]:
    if item.read is None:
        return ()
    made = {tool.definition.name: tool.definition for tool in item.tools}
    refused = dict(item.refused)
    rows = []
    for read in item.read.tools:
        name = wire_name(item.read.manifest.name, read.declared.name)
        known = made.get(name)
        said = known.description if known else read.declared.description
        problem = read.problem or refused.get(name, "")
        rows.append(UserToolRow(name, said, _effect_words(read), problem))
    return tuple(rows)


def _effect_words(read: ReadTool) -> str:
    translate, said = QCoreApplication.translate, read.declared.effects
    if said.network:
        return translate("Approval", "uses the network")
    if said.read_only:
        return translate("Approval", "only reads")
    return translate("Approval", "acts on this computer")


# An editor writes a file in several steps.
_SETTLED_MS = 300


class UserToolsViewModel(QObject):
    """Shows folders of tools, looks again when one changes, allows them. One for the run.

    Until somebody wants to see them, only what was allowed is looked at.
    """

    changed = Signal(object)
    """The folders, or what is said of them, have changed; argument: a `UserToolsView`."""

    def __init__(self, own: UserTools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._own = own
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._is_shown = False
        for signal in (self._watcher.directoryChanged, self._watcher.fileChanged):
            signal.connect(self._on_watcher_changed)
        self._unsubscribe = own.subscribe(self._on_own_refreshed)
        self.view = UserToolsView(str(own.folder))

    def refresh(self) -> None:
        """Look at all folders again."""
        self._do(self._own.refresh(), "read own tools")

    def begin_showing(self) -> None:
        """Read all folders, and watch them for changes."""
        self._is_shown = True
        self.refresh()

    def end_showing(self) -> None:
        """End watching the folders."""
        self._is_shown = False

    def _on_timer_timeout(self) -> None:
        if self._is_shown:
            self.refresh()
        else:
            self._do(self._own.refresh_allowed(), "read own tools")

    def allow(self, name: str, fingerprint: str) -> None:
        """Allow a folder as it was shown."""
        self._do(self._own.allow(name, fingerprint), f"allow {name}")

    def switch_off(self, name: str) -> None:
        """Offer its tools no longer."""
        self._do(self._own.switch_off(name), f"switch off {name}")

    def install(self, path: str) -> None:
        """Take over the folder or zip file at `path`, switched off."""
        self._do(self._install(Path(path)), "import tools")

    async def _install(self, source: Path) -> None:
        try:
            await self._own.install(source)
        except ToolError as error:
            self._show(replace(self.view, problem=translate_marked("OwnTools", str(error))))

    async def aclose(self) -> None:
        """End what is under way."""
        self._unsubscribe()
        self._watcher.blockSignals(True)
        self._timer.stop()
        await self._tasks.aclose()

    def _do(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._show(replace(self.view, problem=""))
        self._tasks.start(work, name=name)

    def _on_watcher_changed(self, _path: str) -> None:
        self._timer.start()

    def _on_own_refreshed(self) -> None:
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
        # Compared each time: Qt watches a file no longer that an editor has replaced.
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if gone := watched - places:
            self._watcher.removePaths(sorted(gone))
        if new := places - watched:
            self._watcher.addPaths(sorted(new))

    def _show(self, view: UserToolsView) -> None:
        if view != self.view:
            self.view = view
            self.changed.emit(view)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._show(replace(self.view, problem=localized(words)))
