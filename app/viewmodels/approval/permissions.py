"""The rules of a profile in the settings, where they are tried on past calls and revoked."""

from collections.abc import Awaitable, Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.approvals.rule_simulation import SimulationReport
from app.approvals.rules import FolderScope, HostScope, InputScope, Rule
from app.chat.workspace import RulePermissions, Workspace
from app.common.error_messages import ErrorMessage
from app.tasks import TaskOwner
from app.viewmodels.approval.rule_texts import (
    PermissionsView,
    RuleRow,
    about_words,
    ended_words,
    trial_rows,
    trial_words,
    use_words,
)
from app.viewmodels.i18n import error_handler, translate_marked
from app.viewmodels.preferences import Preferences
from local_tools.diff import change_text
from local_tools.sandbox.types import SandboxState


class PermissionsViewModel(QObject):
    """The rules of the profile at work, and the state of the sandbox. One for the run.

    A revocation can be taken back with the other choices of the settings.
    """

    changed = Signal(object)
    """What is to be shown now; argument: a `PermissionsView`."""

    def __init__(
        self,
        preferences: Preferences,
        sandbox: Callable[[], Awaitable[SandboxState]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._sandbox = sandbox
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._permissions: RulePermissions | None = None
        self._unfollow: Callable[[], None] | None = None
        self._state: SandboxState | None = None
        self._tried = ""
        self._report: SimulationReport | None = None
        self._problem: ErrorMessage | None = None

    @property
    def view(self) -> PermissionsView:
        """What is to be shown now."""
        report = self._report
        return PermissionsView(
            rules=tuple(self._row(rule) for rule in self._rules()),
            tried=self._tried if report else "",
            trial_words=trial_words(report) if report else "",
            trials=trial_rows(report) if report else (),
            sandbox_words=_sandbox_words(self._state),
            sandbox_holds=self._state is not None and self._state.is_whole,
            problem=self._problem,
        )

    def show_workspace(self, workspace: Workspace | None) -> None:
        """Show the rules of this profile from now on."""
        if self._unfollow is not None:
            self._unfollow()
        self._permissions = workspace.permissions if workspace else None
        permissions = self._permissions
        self._unfollow = permissions.rules.subscribe(self._show) if permissions else None
        self.close_trial()

    def look(self) -> None:
        """Read anew what is kept, and what the sandbox holds: the settings are opened."""
        self._problem = None
        self.close_trial()
        self._tasks.start(self._look(), name="look at the rules")

    def try_rule(self, rule_id: str) -> None:
        """Try a rule on earlier calls; tried again, it is shown no longer."""
        if rule_id == self._tried:
            self.close_trial()
            return
        rule, permissions = self._find(rule_id), self._permissions
        if rule is not None and permissions is not None:
            self._tried, self._report = rule_id, None
            self._tasks.start(self._try(permissions, rule), name="try a rule")

    def close_trial(self) -> None:
        """Show no earlier calls."""
        self._tried, self._report = "", None
        self._show()

    def revoke(self, rule_id: str) -> None:
        """Revoke a rule; an ended one is only taken off the list."""
        rule, permissions = self._find(rule_id), self._permissions
        if rule is None or permissions is None:
            return
        if rule_id == self._tried:
            self._tried, self._report = "", None
        self._tasks.start(permissions.rules.revoke(rule_id), name="revoke a rule")
        if rule.ended is None:
            self._preferences.note(lambda: self._restore(permissions, rule))

    async def aclose(self) -> None:
        """End what is under way."""
        if self._unfollow is not None:
            self._unfollow()
        await self._tasks.aclose()

    def _restore(self, permissions: RulePermissions, rule: Rule) -> None:
        self._tasks.start(permissions.rules.restore(rule), name="put a rule back")

    async def _look(self) -> None:
        self._state = await self._sandbox()
        if self._permissions is not None:
            await self._permissions.rules.load()
        self._show()

    async def _try(self, permissions: RulePermissions, rule: Rule) -> None:
        report = await permissions.try_rule(rule)
        if self._tried == rule.rule_id:
            self._report = report
            self._show()

    def _rules(self) -> tuple[Rule, ...]:
        return self._permissions.rules.rules if self._permissions else ()

    def _find(self, rule_id: str) -> Rule | None:
        return next((rule for rule in self._rules() if rule.rule_id == rule_id), None)

    def _row(self, rule: Rule) -> RuleRow:
        home = self._permissions.home if self._permissions else None
        ended = rule.ended
        return RuleRow(
            rule_id=rule.rule_id,
            icon="triangle-alert" if ended else _icon(rule),
            names=", ".join(translate_marked("Tools", tool.title) for tool in rule.tools),
            about=about_words(rule.scope, home) if home else "",
            words=ended_words(rule) if ended else use_words(rule),
            denies=rule.denies,
            is_ended=ended is not None,
            change=_change(rule),
        )

    def _show(self) -> None:
        self.changed.emit(self.view)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._problem = words
        self._show()


def _icon(rule: Rule) -> str:
    match rule.scope:
        case FolderScope():
            return "folder"
        case InputScope():
            return "terminal"
        case HostScope():
            return "globe"
    return "wrench"


def _change(rule: Rule) -> str:
    """Return how the tool differs from what it was when the rule was made."""
    if rule.ended is None or not rule.ended.definition:
        return ""
    name, now = rule.ended.tool, rule.ended.definition
    before = next((tool.definition for tool in rule.tools if tool.name == name), "")
    return change_text(before, now)


def _sandbox_words(state: SandboxState | None) -> str:
    translate = QCoreApplication.translate
    if state is None:
        return translate("Rules", "checking…")
    held = {
        translate("Rules", "files"): state.holds_files and state.holds_places,
        translate("Rules", "network"): state.holds_network,
        translate("Rules", "processes"): state.holds_processes,
    }
    names = ", ".join(name for name, holds in held.items() if holds)
    said = translate("Rules", "restricts access to: {names}").format(names=names)
    if not names:
        said = translate("Rules", "no working sandbox, so every call needs your approval")
    elif not state.is_whole:
        said += " · " + translate("Rules", "incomplete, so every call needs your approval")
    return said
