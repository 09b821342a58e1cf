"""The try-out beside the agent editor: questions and replies that are not stored."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from pydantic import JsonValue
from PySide6.QtCore import QObject, Signal

from app.common.error_messages import ErrorMessage
from app.service.agent_trial import AgentTrial, TrialCall
from app.service.catalog import AgentDraft
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized, translate_marked
from app.viewmodels.settings.agent_editing import trial_tools
from app.viewmodels.settings.agents import EditorSources

_TARGET_CHARS: Final = 80


class TrialRowKind(Enum):
    """The kind of a row of the try-out."""

    QUESTION = "question"
    REPLY = "reply"
    CALL = "call"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class TrialRunRow:
    """One row; of a call, `text` is the tool's title and `target` what it is about."""

    kind: TrialRowKind
    text: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class TrialView:
    """The try-out, oldest row first."""

    rows: tuple[TrialRunRow, ...] = ()
    is_asking: bool = False
    problem: str = ""


class AgentTrialViewModel(QObject):
    """Asks the agent that is edited, as it is edited. Made by the section of a window.

    A draft that was changed begins a new conversation. `aclose` ends and deletes what was said.
    """

    changed = Signal(object)
    """The try-out has another row, or another state; argument: a `TrialView`."""

    def __init__(
        self,
        sources: EditorSources,
        draft: Callable[[], AgentDraft],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._sources = sources
        self._draft = draft
        self._asked: AgentDraft | None = None
        self._trial: AgentTrial | None = None
        self._asking: asyncio.Task[None] | None = None
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        # Apart from the questions: to start over cancels those, and must not cancel a deletion.
        self._ends = TaskOwner(error_handler(self._on_task_failed))
        self.view = TrialView()

    def ask(self, question: str) -> None:
        """Ask; a question while a reply comes is not taken."""
        question = question.strip()
        if not question or self.view.is_asking:
            return
        draft = self._draft()
        if not draft.display_name.strip() or not draft.description.strip():
            words = self.tr("Enter a name and when to use this agent, then try it out.")
            self._show(problem=words)
            return
        rows = self.view.rows
        if self._asked not in (None, draft):
            self.start_over()
            note = self.tr("The agent was changed, so this is a new chat.")
            rows = (TrialRunRow(TrialRowKind.NOTE, note),)
        self._asked = draft
        asked = TrialRunRow(TrialRowKind.QUESTION, question)
        self._show(rows=(*rows, asked), is_asking=True, problem="")
        self._asking = self._tasks.start(self._ask(question, draft), name="try an agent out")

    def start_over(self) -> None:
        """Forget what was said, and stop a reply that comes."""
        self._tasks.cancel()
        self._end()
        self._show(rows=(), is_asking=False, problem="")

    async def aclose(self) -> None:
        """End what is under way; nothing is left of it."""
        await self._tasks.aclose()
        if self._trial:
            await self._trial.aclose()
        await self._ends.aclose()

    async def _ask(self, question: str, draft: AgentDraft) -> None:
        trial = self._trial
        if trial is None:
            catalog = self._sources.catalog
            skills = catalog.folder("skills")
            trial = self._trial = AgentTrial(draft, skills, self._sources.launch, catalog.beside)
        tools = trial_tools(self._sources.tools(), draft.tools)
        async with aclosing(trial.ask(question, tools)) as pieces:
            async for piece in pieces:
                self._add(piece)
        if self.view.rows[-1].kind is TrialRowKind.QUESTION:
            self._add(self.tr("(The reply is empty.)"))
        self._show(is_asking=False)

    def _add(self, piece: str | TrialCall) -> None:
        rows = self.view.rows
        if isinstance(piece, TrialCall):
            self._show(rows=(*rows, TrialRunRow(TrialRowKind.CALL, *self._about(piece))))
        elif rows[-1].kind is TrialRowKind.REPLY:
            whole = TrialRunRow(TrialRowKind.REPLY, rows[-1].text + piece)
            self._show(rows=(*rows[:-1], whole))
        else:
            self._show(rows=(*rows, TrialRunRow(TrialRowKind.REPLY, piece)))

    def _about(self, call: TrialCall) -> tuple[str, str]:
        titles = {tool.name: tool.title for tool in self._sources.tools()}
        title = translate_marked("Tools", titles.get(call.tool, call.tool))
        return title, _target(call.input)

    def _show(self, **changes: object) -> None:
        view = replace(self.view, **changes)  # type: ignore[arg-type]  # fields of the view
        if view != self.view:
            self.view = view
            self.changed.emit(view)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        # After a failure, the next question begins a new conversation.
        self._end()
        self._show(is_asking=False, problem=localized(words))

    def _end(self) -> None:
        trial, self._trial, self._asked = self._trial, None, None
        if trial:
            self._ends.start(_end_of(trial, self._asking), name="end a try-out")


async def _end_of(trial: AgentTrial, asking: asyncio.Task[None] | None) -> None:
    """Delete a try-out once nobody asks it any more: it might be about to start."""
    if asking:
        await asyncio.wait([asking])
    await trial.aclose()


def _target(given: Mapping[str, JsonValue]) -> str:
    """Return what a call is about: its first text, else all of its input."""
    first = next((value for value in given.values() if isinstance(value, str)), None)
    text = first if first is not None else json.dumps(given, ensure_ascii=False)
    return " ".join(text.split())[:_TARGET_CHARS]
