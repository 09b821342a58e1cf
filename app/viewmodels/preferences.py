"""Change the plain choices of the settings: applied at once, saved, undoable."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.common.errors import UserFacingError
from app.config.settings import Settings, SettingsFile, SettingsTable


class Preferences(QObject):
    """The settings that do not depend on what Parley is connected to.

    A choice that cannot be written holds until the program ends, and `problem` says so: why it
    was not kept, or None. One for the run.
    """

    changed = Signal(object)
    """A setting has changed; argument: the `Settings`."""
    problem_changed = Signal(object)
    """Why a choice was not kept, or that it was; argument: the `ErrorMessage`, or None."""

    def __init__(self, file: SettingsFile, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._changes: list[tuple[str, Callable[[], None]]] = []
        self.problem: ErrorMessage | None = None

    @property
    def current(self) -> Settings:
        """The settings as they are now."""
        return self._file.current

    @property
    def can_undo(self) -> bool:
        """Whether there is a choice of this run to take back."""
        return bool(self._changes)

    @property
    def subjects(self) -> tuple[str, ...]:
        """What was chosen in this run, oldest first: tables and fields ("appearance.theme")."""
        return tuple(subject for subject, _ in self._changes)

    def change(self, table: SettingsTable) -> None:
        """Replace a table of the settings, such as `AppearanceSettings`, and keep it on disk."""
        before = self.current.table_like(table)
        if table != before:
            subject = self.current.subject_of(table)
            self._changes.append((subject, partial(self._put, before)))
            self._put(table)

    def note(self, take_back: Callable[[], None], subject: str = "tools.rule") -> None:
        """Note a choice made elsewhere, which `take_back` undoes; `subject` names it."""
        self._changes.append((subject, partial(self._take_back, take_back)))
        self.changed.emit(self.current)

    def undo(self, subject: str = "") -> None:
        """Take back the last choice that was not taken back yet: of this subject, if given.

        What was chosen later in the same table of the settings goes with it.
        """
        subjects = self.subjects
        if subjects and subject in ("", *subjects):
            last = max(at for at, name in enumerate(subjects) if subject in ("", name))
            _, take_back = self._changes.pop(last)
            take_back()

    def _take_back(self, take_back: Callable[[], None]) -> None:
        take_back()
        self.changed.emit(self.current)

    def _put(self, table: SettingsTable) -> None:
        settings = self.current.with_table(table)
        try:
            self._file.save(settings)
        except OSError:
            self._file.use_unsaved(settings)
            self._show_problem(explain(UserFacingError(ErrorCode.SETTINGS_NOT_KEPT)))
        else:
            self._show_problem(None)
        self.changed.emit(settings)

    def _show_problem(self, problem: ErrorMessage | None) -> None:
        self.problem = problem
        self.problem_changed.emit(problem)
