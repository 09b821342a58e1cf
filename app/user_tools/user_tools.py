"""Register the user's own tools that are allowed and unchanged since.

`UserTools` reads the folder of tools and registers them. `ApprovedSnapshots` keeps a copy of every
file as it was when the user allowed it; a tool's folder counts as allowed while its files equal the
copy, byte for byte.
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from local_tools.diff import change_text
from local_tools.errors import ToolError
from local_tools.registry import ToolRegistry
from local_tools.threads import run_in_thread
from local_tools.tool import AnyTool
from local_tools.user_tools.folder_check import CheckFinding, check_folder
from local_tools.user_tools.folder_files import MANIFEST, FolderFiles, read_files
from local_tools.user_tools.install import install_tools
from local_tools.user_tools.manifest import find_interpreter
from local_tools.user_tools.packages import PackagedTools
from local_tools.user_tools.tool_set import ShowOrder, ToolSet


class ApprovedSnapshots:
    """The copies of allowed files, in a folder of the program that no tool can open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, name: str) -> bool:
        """Return whether anything was allowed of the folder of that name."""
        return (self._folder / name).is_dir()

    def find(self, name: str) -> FolderFiles | None:
        """Return what was allowed of the folder of that name; None when nothing was."""
        place = self._folder / name
        if not place.is_dir():
            return None
        try:
            return read_files(place)
        except ToolError:
            return None

    def keep(self, name: str, files: FolderFiles) -> None:
        """Keep a copy in the place of the one before.

        Raises:
            UserFacingError: It cannot be kept; then nothing is allowed.
        """
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Made beside and renamed: after a kill, what counts as allowed is a whole copy or none.
            made = Path(tempfile.mkdtemp(dir=self._folder, prefix=".new-"))
            try:
                files.write_to(made)
                self._drop(name)
                made.rename(self._folder / name)
            finally:
                shutil.rmtree(made, ignore_errors=True)
        except OSError as exc:
            raise UserFacingError(ErrorCode.CHOICE_NOT_KEPT) from exc

    def forget(self, name: str) -> None:
        """Allow nothing of that folder any more.

        Raises:
            UserFacingError: The copy is still there.
        """
        try:
            self._drop(name)
        except OSError as exc:
            raise UserFacingError(ErrorCode.CHOICE_NOT_KEPT) from exc

    def _drop(self, name: str) -> None:
        if (self._folder / name).exists():
            shutil.rmtree(self._folder / name)


OwnState: TypeAlias = Literal["off", "on", "changed", "unusable"]

SETS_LIMIT: Final = 100
# More than anybody reads before they allow it.
CODE_LIMIT_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class UserToolFolder:
    """The current state of one folder of tools.

    Attributes:
        name: The folder's name; `package-NAME` for one that a Python package brought.
        package: That package and its version; empty for the user's own folder.
        state: `changed`: it was allowed, and its files have changed since.
        shown: Its whole code, or what changed in it since it was allowed.
        findings: What is wrong with it.
        refused: Why some of its tools are not offered, by their names.
    """

    name: str
    state: OwnState
    read: ToolSet | None = None
    tools: tuple[AnyTool, ...] = ()
    shown: str = ""
    findings: tuple[CheckFinding, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    package: str = ""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the files as they were read, which an approval is for; or empty."""
        return self.read.files.fingerprint if self.read is not None else ""


class UserTools:
    """Reads the folder of tools and registers what is allowed. Made by the program.

    Nothing of any folder is imported or run here. `refresh` finds out how they stand now.
    """

    def __init__(
        self,
        folder: Path,
        allowed: ApprovedSnapshots,
        registry: ToolRegistry,
        show: ShowOrder | None,
        packages: Callable[[], Sequence[PackagedTools]] = lambda: (),
    ) -> None:
        """Take where the tools lie.

        Args:
            folder: With one folder in it for each set of tools.
            allowed: What was allowed of them.
            registry: Where those that are allowed are offered.
            show: Runs the previews of tools.
            packages: Finds what packages bring; called in a thread.
        """
        self.folder: Final = folder
        self._allowed = allowed
        self._registry = registry
        self._show = show
        self._packages = packages
        self._sets: tuple[UserToolFolder, ...] = ()
        self._sources: set[str] = set()
        self._observers: list[Callable[[], None]] = []
        self._turn = asyncio.Lock()

    @property
    def sets(self) -> tuple[UserToolFolder, ...]:
        """The folders, by name."""
        return self._sets

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` each time after the folders were read; returns what ends that."""
        self._observers.append(on_change)
        return lambda: self._observers.remove(on_change)

    async def refresh(self) -> None:
        """Find out how all folders stand, and offer what is allowed."""
        async with self._turn:
            await self._refresh()

    async def refresh_allowed(self) -> None:
        """Offer what is allowed; a folder of which nothing was allowed is not even opened."""
        async with self._turn:
            await self._refresh(only_allowed=True)

    async def allow(self, name: str, fingerprint: str) -> None:
        """Allow a folder as it was shown; one that has changed since is only shown again.

        Raises:
            UserFacingError: It could not be kept.
        """
        async with self._turn:
            # Read again: files may have changed since they were shown, and the window not told yet.
            await self._refresh()
            found = next((item for item in self._sets if item.name == name), None)
            if found is None or found.read is None or found.fingerprint != fingerprint:
                return
            if found.state != "unusable":
                await run_in_thread(self._allowed.keep, name, found.read.files)
                await self._refresh()

    async def install(self, source: Path) -> str:
        """Take a folder or a zip file over, switched off. Returns its name.

        Raises:
            ToolError: It is not taken; the message says why.
        """
        async with self._turn:
            name = await run_in_thread(install_tools, source, self.folder)
            await self._refresh()
            return name

    async def switch_off(self, name: str) -> None:
        """Offer the tools of a folder no longer; its files stay.

        Raises:
            UserFacingError: It could not be kept.
        """
        async with self._turn:
            await run_in_thread(self._allowed.forget, name)
            await self._refresh()

    async def _refresh(self, *, only_allowed: bool = False) -> None:
        sets = await run_in_thread(lambda: tuple(self._read_all(only_allowed=only_allowed)))
        offered = {item.read.source: item for item in sets if item.state == "on" and item.read}
        for source in self._sources - offered.keys():
            self._registry.replace(source, ())
        refused = {
            source: self._registry.replace(source, item.tools) for source, item in offered.items()
        }
        self._sources = set(offered)
        self._sets = tuple(_with_refused(item, refused) for item in sets)
        for tell in tuple(self._observers):
            tell()

    def _read_all(self, *, only_allowed: bool) -> Iterator[UserToolFolder]:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            entries = sorted(self.folder.iterdir())
        except OSError:
            return
        folders = [e for e in entries if e.is_dir() and not e.name.startswith(".")]
        for folder in folders[:SETS_LIMIT]:
            if not only_allowed or self._allowed.has(folder.name):
                yield self._read(folder)
        for package in self._packages()[:SETS_LIMIT]:
            if not only_allowed or self._allowed.has(f"package-{package.name}"):
                yield self._read_package(package)

    def _read_package(self, found: PackagedTools) -> UserToolFolder:
        """Read the code of a package like the user's own; it runs where it is installed."""
        if found.folder is None:
            problem = (CheckFinding("fault", found.problem),)
            name = f"package-{found.name}"
            return UserToolFolder(name, "unusable", findings=problem, package=found.package)
        item = self._read(found.folder, found.name, sys.executable)
        return replace(item, package=found.package)

    def _read(self, folder: Path, packaged: str = "", own_interpreter: str = "") -> UserToolFolder:
        name = f"package-{packaged}" if packaged else folder.name
        checked = check_folder(folder, own_interpreter)
        read = checked.read
        if read is not None and packaged:
            read = replace(read, kind="package")
        problem = "It is a link." if folder.is_symlink() else _unusable(packaged or name, read)
        tools: tuple[AnyTool, ...] = ()
        if read is not None and not problem:
            try:
                interpreter = find_interpreter(own_interpreter or read.manifest.interpreter)
                tools = read.make_tools(interpreter, self._show)
            except ToolError as exc:
                # The check often finds the same: it is listed once.
                problem = str(exc)
        findings = checked.findings
        if problem and all(finding.words != problem for finding in findings):
            findings = (CheckFinding("fault", problem), *findings)
        if read is None or problem:
            return UserToolFolder(name, "unusable", read, findings=findings)
        before = self._allowed.find(name)
        state = _state(read.files, before)
        shown = "" if state == "on" else shown_change(read.files, before)
        return UserToolFolder(name, state, read, tools, shown, findings)


def shown_change(now: FolderFiles, before: FolderFiles | None) -> str:
    """Return all files with their text, or for a folder that was allowed, what became of each."""
    parts = list(_parts(now, before))
    return "\n\n".join(parts)


def _parts(now: FolderFiles, before: FolderFiles | None) -> Iterator[str]:
    old = {} if before is None else before.contents
    # The manifest first: it says what the other files are for.
    names = sorted(now.contents.keys() | old.keys(), key=lambda name: (name != MANIFEST, name))
    for name in names:
        if name not in now.contents:
            yield f"── {name} ──\n(gone)"
        elif name not in old:
            yield f"── {name} ──\n{_text(now.contents[name])}"
        elif now.contents[name] != old[name]:
            change = change_text(_text(old[name]), _text(now.contents[name]))
            yield f"── {name} ──\n{change}"


def _text(data: bytes) -> str:
    """Return a file as text, or a sentence about one that is none."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"({len(data):,} bytes that are no text)"
    return text if "\0" not in text else f"({len(data):,} bytes that are no text)"


def _unusable(name: str, read: ToolSet | None) -> str:
    if read is None:
        return ""
    if read.problems:
        return read.problems[0]
    if read.manifest.name != name:
        return f"Rename it to “{read.manifest.name}”, as its manifest has it."
    code = sum(len(data) for file, data in read.files.contents.items() if file.endswith(".py"))
    if code > CODE_LIMIT_BYTES:
        return f"Its code has {code:,} bytes, more than anybody reads before allowing it."
    return ""


def _state(now: FolderFiles, before: FolderFiles | None) -> OwnState:
    if before is None:
        return "off"
    return "on" if before.fingerprint == now.fingerprint else "changed"


def _with_refused(item: UserToolFolder, refused: dict[str, dict[str, str]]) -> UserToolFolder:
    if item.state != "on" or item.read is None:
        return item
    found = tuple(refused.get(item.read.source, {}).items())
    return replace(item, refused=found)
