"""The projects that can be switched between: listed, renamed, given a colour, removed."""

from collections.abc import Awaitable, Callable, Coroutine

from PySide6.QtCore import QObject, Signal

from app.error_text import ErrorText, Reason, explain
from app.errors import UserFacingError
from app.key_store import KeyStore
from app.settings import LOCAL_PROJECT, ProjectColour, Settings, SettingsFile
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel, host_of, key_entry
from app.viewmodels.failures import failure_route
from app.viewmodels.states import ProjectRow


class ProjectsViewModel(QObject):
    """Lists the projects, the bundled service first, and changes them.

    One for the run. `delete_data` removes everything that is kept here of one project, and
    nothing elsewhere.
    """

    changed = Signal(object)
    """The projects, or which is at work; argument: a tuple of `ProjectRow`."""
    problem_changed = Signal(object)
    """Why a change does not hold, or that it does; argument: an `ErrorText`, or None."""

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
        self._tasks = TaskOwner(failure_route(self._on_task_failed))
        self.rows = self._make_rows()
        connection.status_changed.connect(self._on_connection_status_changed)

    @property
    def now(self) -> ProjectRow | None:
        """The project at work."""
        return next((row for row in self.rows if row.is_now), None)

    def switch(self, project_id: str) -> None:
        """Talks to this project from now on."""
        if self.now is None or self.now.project_id != project_id:
            self._start(self._connection.switch(project_id), "switch the project")

    def rename(self, project_id: str, name: str) -> None:
        """Calls the project otherwise; an empty name stands for its address."""
        self._change(project_id, name=" ".join(name.split())[:60])

    def recolour(self, project_id: str, colour: ProjectColour) -> None:
        """Gives the project another colour."""
        self._change(project_id, colour=colour)

    def remove(self, project_id: str, *, is_data_deleted: bool) -> None:
        """Removes the project with its key, and on demand what is kept of it here."""
        self._start(
            self.remove_now(project_id, is_data_deleted=is_data_deleted), "remove a project"
        )

    async def remove_now(self, project_id: str, *, is_data_deleted: bool) -> None:
        """Removes the project; the bundled service takes over if it was at work.

        Raises:
            UserFacingError: the settings could not be written, or the data not be deleted.
        """
        removed = [project for project in self._settings.current.hosted if project.id == project_id]
        for project in removed:
            if self.now and self.now.project_id == project_id:
                await self._connection.switch(LOCAL_PROJECT)
            settings = self._settings.current
            self._save(settings.with_section(settings.projects.without(project_id)))
            await self._keys.forget(key_entry(project))
            if is_data_deleted:
                await self._delete_data(project_id)
        self._show()

    async def aclose(self) -> None:
        """Ends what is under way."""
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
            self._save(settings.with_section(projects))
        except UserFacingError as error:
            self._on_task_failed(explain(error))
        self._show()

    def _save(self, settings: Settings) -> None:
        try:
            self._settings.save(settings)
        except OSError as error:
            raise UserFacingError(Reason.CHOICE_NOT_KEPT) from error

    def _show(self) -> None:
        self.rows = self._make_rows()
        self.changed.emit(self.rows)

    def _make_rows(self) -> tuple[ProjectRow, ...]:
        settings = self._settings.current
        now = settings.hosted_now
        is_test = self._connection.status.is_test
        local = ProjectRow(
            LOCAL_PROJECT,
            settings.projects.local_name or self.tr("Home project"),
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
                is_test=project == now and is_test,
            )
            for project in settings.hosted
        )
        return (local, *hosted)

    def _on_connection_status_changed(self) -> None:
        self._show()

    def _on_task_failed(self, words: ErrorText) -> None:
        self.problem_changed.emit(words)
