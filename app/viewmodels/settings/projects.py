"""The projects that can be switched between: listed, renamed, given a colour, removed."""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.common.error_messages import ErrorMessage, explain
from app.common.errors import UserFacingError
from app.config.key_store import KeyLocation, KeyStore
from app.config.settings import LOCAL_PROJECT, ProjectColour, SettingsFile
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel, host_of, key_entry
from app.viewmodels.i18n import error_handler


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """A project that can be switched to; `address` is empty for the bundled service.

    `key_words` say where the key of the project at work is; `needs_key` that nothing can be sent
    before one is given.
    """

    project_id: str
    name: str
    address: str
    colour: ProjectColour
    is_now: bool = False
    is_test: bool = False
    key_words: str = ""
    needs_key: bool = False


class ProjectsViewModel(QObject):
    """Lists the projects, the bundled service first, and changes them.

    One for the run. `delete_data` removes everything that is kept here of one project, and
    nothing elsewhere.
    """

    changed = Signal(object)
    """The projects, or which is at work; argument: a tuple of `ProjectRow`."""
    problem_changed = Signal(object)
    """Why a change does not hold, or that it does; argument: an `ErrorMessage`, or None."""

    def __init__(
        self,
        settings: SettingsFile,
        keys: KeyStore,
        connection: ConnectionViewModel,
        delete_data: Callable[[str], Awaitable[None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._keys = keys
        self._connection = connection
        self._delete_data = delete_data
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self.rows = self._make_rows()
        connection.status_changed.connect(self._on_connection_status_changed)

    @property
    def now(self) -> ProjectRow | None:
        """The project at work."""
        return next((row for row in self.rows if row.is_now), None)

    def switch(self, project_id: str) -> None:
        """Switch to this project."""
        if self.now is None or self.now.project_id != project_id:
            self._start(self._connection.switch(project_id), "switch the project")

    def rename(self, project_id: str, name: str) -> None:
        """Call the project otherwise; an empty name stands for its address."""
        self._change(project_id, name=" ".join(name.split())[:60])

    def recolour(self, project_id: str, colour: ProjectColour) -> None:
        """Give the project another colour."""
        self._change(project_id, colour=colour)

    def remove(self, project_id: str) -> None:
        """Remove the project with its key and with what is kept of it here."""
        self._start(self.remove_now(project_id), "remove a project")

    async def remove_now(self, project_id: str) -> None:
        """Remove the project; the bundled service takes over if it was at work.

        Raises:
            UserFacingError: the settings could not be written, or the data not be deleted.
        """
        await self.forget_key_now(project_id)
        # Before the project goes: while it is listed, a failed deletion can be repeated.
        await self._delete_data(project_id)
        settings = self._settings.current
        self._settings.keep(settings.with_table(settings.projects.without(project_id)))
        self._show()

    def forget_key(self, project_id: str) -> None:
        """Remove the key alone: the project stays, and waits for its key with its chats."""
        self._start(self.forget_key_now(project_id), "remove a key")

    async def forget_key_now(self, project_id: str) -> None:
        """Remove the key; the bundled service takes over if the project was at work.

        Raises:
            UserFacingError: the settings could not be written.
        """
        for project in self._settings.current.hosted:
            if project.id == project_id:
                if project == self._settings.current.hosted_now:
                    await self._connection.switch(LOCAL_PROJECT)
                await self._keys.forget(key_entry(project))

    async def aclose(self) -> None:
        """End what is under way."""
        await self._tasks.aclose()

    def _start(self, work: Coroutine[object, object, None], name: str) -> None:
        self.problem_changed.emit(None)
        self._tasks.start(work, name=name)

    def _change(self, project_id: str, **changed: str) -> None:
        # What an earlier version knew becomes a project by its first change.
        settings = self._settings.current
        projects = settings.projects
        if project_id == LOCAL_PROJECT:
            local = {f"local_{field}": value for field, value in changed.items()}
            projects = projects.model_copy(update=local)
        for project in settings.hosted:
            if project.id == project_id:
                projects = projects.with_project(project.model_copy(update=changed))
        try:
            self._settings.keep(settings.with_table(projects))
        except UserFacingError as error:
            self._on_task_failed(explain(error))
        self._show()

    def _show(self) -> None:
        self.rows = self._make_rows()
        self.changed.emit(self.rows)

    def _make_rows(self) -> tuple[ProjectRow, ...]:
        settings = self._settings.current
        now = settings.hosted_now
        is_test = self._connection.status.is_test
        local = ProjectRow(
            LOCAL_PROJECT,
            settings.projects.local_name or self.tr("Home"),
            "",
            settings.projects.local_colour,
            is_now=settings.connection.kind == "local",
        )
        hosted = (
            ProjectRow(
                project.id,
                project.name or host_of(project.base_url),
                project.base_url,
                project.colour,
                is_now=project == now,
                is_test=project.is_test or (project == now and is_test),
                key_words=self._key_words() if project == now else "",
                needs_key=project == now and self._connection.status.needs_key,
            )
            for project in settings.hosted
        )
        return (local, *hosted)

    def _key_words(self) -> str:
        match self._connection.key_place:
            case KeyLocation.KEYRING:
                return self.tr("The key is stored in this computer’s keyring.")
            case KeyLocation.SESSION:
                return self.tr(
                    "No keyring is available. The key is stored only until Parley closes."
                )
            case None:
                return self.tr("The key is not on this computer.")

    def _on_connection_status_changed(self) -> None:
        self._show()

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.problem_changed.emit(words)
