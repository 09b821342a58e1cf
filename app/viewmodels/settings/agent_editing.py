"""The editor of one agent: what is typed, what of it is saved, and Undo.

`AgentEditorViewModel` saves each change a moment later, in the file that it shows, and takes back
one save after the other. What another program or window wrote meanwhile is never overwritten unless
the person says so.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTimer, Signal

from app.api.models import Model, ToolDefinition
from app.common.error_messages import ErrorMessage
from app.common.errors import UserFacingError
from app.service.catalog import (
    AgentDraft,
    AgentFile,
    AgentFileFault,
    AgentNotWritten,
    CatalogEntry,
)
from app.tasks import TaskOwner
from app.viewmodels.i18n import catalog_text, error_handler, localized, translate_marked
from app.viewmodels.settings.agents import Choice, EditorSources, short_path
from local_tools.tool import ToolDefinition as LocalTool

ICONS: Final = ("", "feather", "mail", "book-open", "calculator", "leaf", "code-xml")
"""The marks that an agent may have: icons, and empty for the first letter of its name."""
COLOURS: Final = ("green", "teal", "blue", "violet", "pink", "orange", "amber", "grey")
"""The colours of the marks, by name; each theme has a value of its own for them."""

_SAVE_AFTER_MS: Final = 700
_BYTES_A_TOKEN: Final = 4
_THOUSAND: Final = 1000


_NEW: Final = AgentDraft()


class SaveState(Enum):
    """Whether what is shown is in the file."""

    UNSAVED = "unsaved"
    SAVING = "saving"
    SAVED = "saved"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class EditorItem:
    """A tool or a skill that the agent may have; `words` say what it does, or its version."""

    name: str
    title: str
    words: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class AgentEditorView:
    """An agent as it is edited.

    Attributes:
        is_reading: What is in the file is not known yet, and nothing can be typed.
        file: The file that is written, from the service's folder on; empty before the first save.
        problem: Why it is not saved, a sentence.
        is_changed_elsewhere: Another program or window wrote the file meanwhile; it is not saved
            until the person chooses one of the two.
        model_words: What the model can, in a few words.
    """

    draft: AgentDraft = _NEW
    is_reading: bool = False
    file: str = ""
    state: SaveState = SaveState.UNSAVED
    problem: str = ""
    is_changed_elsewhere: bool = False
    can_undo: bool = False
    can_remove: bool = False
    models: tuple[Choice, ...] = ()
    model_words: str = ""
    instruction_words: str = ""
    tools: tuple[EditorItem, ...] = ()
    tools_words: str = ""
    skills: tuple[EditorItem, ...] = ()
    skills_words: str = ""


@dataclass(frozen=True, slots=True)
class _Step:
    """A save that can be taken back: the text of before, None for no file."""

    path: str
    text: str | None
    draft: AgentDraft


class AgentEditorViewModel(QObject):
    """Edits one agent at a time. Made by the section of a window; `aclose` ends what is under way.

    What was typed is saved at the latest by `close`, and nothing is left before that.
    """

    changed = Signal(object)
    """The agent as it is edited; argument: an `AgentEditorView`."""
    saved = Signal()
    """A file was written, put back or removed."""
    left = Signal()
    """Nothing is edited any more: all is saved, dropped or removed."""

    def __init__(self, sources: EditorSources, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sources = sources
        self._file = AgentFile(draft=AgentDraft())
        self._steps: list[_Step] = []
        self._models: tuple[Model, ...] = ()
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._saving = False
        self._closing = False
        self._pause = QTimer(self, singleShot=True, interval=_SAVE_AFTER_MS)
        self._pause.timeout.connect(self.save)
        self.view = AgentEditorView()

    def open_new(self) -> None:
        """Begin a new agent; a file is made once it has a name and says when to choose it."""
        self._begin(AgentFile(draft=AgentDraft(colour=COLOURS[1])))

    def open(self, name: str) -> None:
        """Read the agent of this name, which may be one that ships."""
        self._begin(AgentFile(draft=AgentDraft(name=name)))
        self._tasks.start(self._read(name), name="read an agent")

    def change(self, **fields: object) -> None:
        """Change fields of the draft, and save it a moment later."""
        draft = self.view.draft.model_copy(update=fields)
        if draft == self.view.draft:
            return
        self._closing = False
        self._show(draft=draft, state=SaveState.UNSAVED)
        # While the file is somebody else's, nothing is saved by itself: the person chooses first.
        if not self.view.is_changed_elsewhere:
            self._pause.start()

    def switch_tool(self, name: str, *, is_on: bool) -> None:
        """Turn a tool of the agent on or off."""
        self.change(tools=_switched(self.view.tools, name, is_on=is_on))

    def switch_skill(self, name: str, *, is_on: bool) -> None:
        """Turn a skill of the agent on or off."""
        self.change(skills=_switched(self.view.skills, name, is_on=is_on))

    def save(self) -> None:
        """Write what is shown now, if it differs from the file."""
        self._pause.stop()
        is_free = not self._saving and not self.view.is_changed_elsewhere
        if is_free and self._is_unsaved and self._is_whole:
            self._saving = True
            self._show(state=SaveState.SAVING, problem="")
            self._tasks.start(self._save(self.view.draft, self._file), name="save an agent")

    def undo(self) -> None:
        """Take the last save back, and with it what was typed since."""
        self._pause.stop()
        if self._steps and not self._saving:
            self._saving = True
            self._tasks.start(self._undo(self._steps[-1]), name="take a save back")

    def overwrite(self) -> None:
        """Write what is shown over what somebody else wrote meanwhile, which can be undone."""
        if self.view.is_changed_elsewhere:
            self._tasks.start(self._overwrite(), name="overwrite an agent")

    def reload(self) -> None:
        """Discard unsaved edits, and load the agent from its file."""
        if name := self.view.draft.name:
            self._begin(AgentFile(draft=AgentDraft(name=name)))
            self._tasks.start(self._read(name), name="read an agent")

    def remove(self) -> None:
        """Remove the agent's file, which can be undone; an included agent is then as it shipped."""
        self._pause.stop()
        if self._file.revision and not self._saving:
            self._saving = True
            self._tasks.start(self._remove(self._file), name="remove an agent")

    def close(self) -> None:
        """Save what was typed last, then leave; asked twice, leave without saving."""
        if self._closing or not self._is_unsaved or self.view.is_changed_elsewhere:
            self.left.emit()
            return
        self._closing = True
        if self._is_whole:
            self.save()
        else:
            words = self.tr(
                "Enter a name and when to use this agent. To discard the agent, go back again."
            )
            self._show(state=SaveState.REFUSED, problem=words)

    async def aclose(self) -> None:
        """Save what was typed last, and end what is under way."""
        self._pause.stop()
        is_left = self._closing or self._saving or self.view.is_changed_elsewhere
        if self._is_unsaved and self._is_whole and not is_left:
            # Nobody is left to be told, and the window has to close.
            with suppress(UserFacingError):
                await self._save(self.view.draft, self._file)
        await self._tasks.aclose()

    @property
    def _is_unsaved(self) -> bool:
        return self.view.draft != self._file.draft

    @property
    def _is_whole(self) -> bool:
        draft = self.view.draft
        return bool(draft.display_name.strip() and draft.description.strip())

    def _begin(self, file: AgentFile) -> None:
        self._pause.stop()
        # What was read or asked for another agent must not arrive in this one.
        self._tasks.cancel()
        self._saving = self._closing = False
        self._file, self._steps = file, []
        self.view = AgentEditorView(draft=file.draft)
        self._show()
        self._tasks.start(self._ask_models(), name="ask for models")

    async def _ask_models(self) -> None:
        self._models = tuple(await self._sources.models())
        self._show()

    async def _read(self, name: str) -> None:
        self._show(is_reading=True)
        try:
            self._file = await self._sources.catalog.read_agent(name)
        finally:
            self._show(is_reading=False)
        self._show(draft=self._file.draft, state=SaveState.SAVED, is_changed_elsewhere=False)

    async def _save(self, draft: AgentDraft, before: AgentFile) -> None:
        try:
            file = await self._sources.catalog.save_agent(draft, before.revision)
        except AgentNotWritten as refusal:
            self._refuse(refusal)
            return
        finally:
            self._saving = False
        # A new path is a new file: undoing its save removes it.
        text = before.text if before.path == file.path else None
        self._steps.append(_Step(file.path, text, before.draft))
        self._file = file
        is_same = self.view.draft == draft
        # What was typed meanwhile stays; only the name comes from the file.
        now = (
            file.draft if is_same else self.view.draft.model_copy(update={"name": file.draft.name})
        )
        self._show(draft=now, state=SaveState.SAVED if is_same else SaveState.UNSAVED)
        self.saved.emit()
        if not is_same:
            self._pause.start()
        elif self._closing:
            self.left.emit()

    async def _undo(self, step: _Step) -> None:
        try:
            catalog = self._sources.catalog
            revision = await catalog.restore_agent(step.path, step.text, self._file.revision)
        except AgentNotWritten as refusal:
            self._refuse(refusal)
            return
        finally:
            self._saving = False
        self._steps.pop()
        path = step.path if step.text is not None else ""
        self._file = AgentFile(draft=step.draft, path=path, revision=revision, text=step.text)
        # Undoing the first save of a new agent removes its file, and keeps what was typed.
        typed = self.view.draft.model_copy(update={"name": ""})
        draft = step.draft if step.draft.name else typed
        self._show(draft=draft, state=SaveState.SAVED if path else SaveState.UNSAVED)
        self.saved.emit()

    async def _overwrite(self) -> None:
        draft = self.view.draft
        now = await self._sources.catalog.read_agent(draft.name)
        self._file = now
        self._show(is_changed_elsewhere=False)
        self.save()

    async def _remove(self, file: AgentFile) -> None:
        try:
            await self._sources.catalog.restore_agent(file.path, None, file.revision)
        except AgentNotWritten as refusal:
            self._refuse(refusal)
            return
        finally:
            self._saving = False
        self.saved.emit()
        self.left.emit()

    def _refuse(self, refusal: AgentNotWritten) -> None:
        self._closing = False
        is_elsewhere = refusal.fault == "changed"
        words = fault_words(refusal.fault, refusal.reason)
        self._show(state=SaveState.REFUSED, problem=words, is_changed_elsewhere=is_elsewhere)

    def _show(self, **changes: object) -> None:
        """Show the draft with all that follows from it."""
        state = changes.get("state", self.view.state)
        if state in (SaveState.SAVED, SaveState.UNSAVED) and not changes.get("problem"):
            elsewhere = changes.get("is_changed_elsewhere", self.view.is_changed_elsewhere)
            changes.setdefault("problem", self.view.problem if elsewhere else "")
        view = replace(self.view, **changes)  # type: ignore[arg-type]  # fields of the view
        draft, sources = view.draft, self._sources
        tools = tuple(sources.tools())
        path = self._file.path if self._file.revision else ""
        view = replace(
            view,
            file=short_path(path, sources.catalog.data) if path else "",
            can_undo=bool(self._steps),
            can_remove=bool(self._file.revision),
            models=_model_choices(self._models, draft.model),
            model_words=_model_words(self._models, draft.model),
            instruction_words=_instruction_words(draft.instruction),
            tools=_tool_items(tools, draft.tools),
            skills=_skill_items(sources.skills(), draft.skills),
        )
        view = replace(
            view,
            tools_words=_tools_words(view.tools, tools),
            skills_words=_share_words(view.skills),
        )
        if view != self.view:
            self.view = view
            self.changed.emit(view)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._saving = self._closing = False
        self._show(state=SaveState.REFUSED, problem=localized(words))


def fault_words(fault: AgentFileFault, reason: str) -> str:
    """Say why an agent is not saved."""
    translate = QCoreApplication.translate
    match fault:
        case "changed":
            return translate(
                "AgentEditor", "Another program changed this file meanwhile. Nothing is saved yet."
            )
        case "name_taken":
            return translate("AgentEditor", "An agent with this name already exists.")
        case "unnamed":
            return translate("AgentEditor", "Enter a name and when to use this agent.")
        case "too_large":
            return translate(
                "AgentEditor",
                "This is too long for an agent’s file: 256 kB at most, and 16 kB without the "
                "instructions.",
            )
        case _:
            words = translate("AgentEditor", "The file cannot be written: {reason}")
            return words.format(reason=reason)


def trial_tools(
    tools: Iterable[LocalTool], chosen: Sequence[str] | None
) -> tuple[ToolDefinition, ...]:
    """Return what a try-out declares: the tools that the agent may ask for."""
    return tuple(
        ToolDefinition.model_validate(
            {"name": d.name, "description": d.description, "input_schema": d.wire_schema()}
        )
        for d in tools
        if chosen is None or d.name in chosen
    )


def tokens_of(text: str) -> int:
    """Estimate the tokens of a text as the service does: one for every four bytes begun."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN)


def _switched(items: Sequence[EditorItem], name: str, *, is_on: bool) -> tuple[str, ...] | None:
    chosen = tuple(item.name for item in items if (is_on if item.name == name else item.is_on))
    return None if len(chosen) == len(items) else chosen


def _tool_items(tools: Sequence[LocalTool], chosen: Sequence[str] | None) -> tuple[EditorItem, ...]:
    items = [
        EditorItem(
            tool.name,
            translate_marked("Tools", tool.title),
            _effect_words(tool),
            chosen is None or tool.name in chosen,
        )
        for tool in tools
    ]
    known = {tool.name for tool in tools}
    missing = QCoreApplication.translate("AgentEditor", "not available")
    items += [EditorItem(name, name, missing, True) for name in chosen or () if name not in known]
    return tuple(items)


def _effect_words(tool: LocalTool) -> str:
    translate = QCoreApplication.translate
    if tool.effects.read_only:
        return translate("AgentEditor", "only reads")
    if tool.needs_network:
        return translate("AgentEditor", "uses the network")
    return translate("AgentEditor", "makes changes")


def _skill_items(
    skills: Iterable[CatalogEntry], chosen: Sequence[str] | None
) -> tuple[EditorItem, ...]:
    return tuple(
        EditorItem(
            skill.name,
            catalog_text(skill.display_name or skill.name),
            skill.version,
            chosen is None or skill.name in chosen,
        )
        for skill in skills
        if skill.is_enabled
    )


def _share_words(items: Sequence[EditorItem]) -> str:
    words = QCoreApplication.translate("AgentEditor", "{count} of {all}")
    return words.format(count=sum(item.is_on for item in items), all=len(items))


def _tools_words(items: Sequence[EditorItem], tools: Sequence[LocalTool]) -> str:
    names = {item.name for item in items if item.is_on}
    tokens = sum(tokens_of(_declared(tool)) for tool in tools if tool.name in names)
    words = QCoreApplication.translate("AgentEditor", "{share} · about {tokens} tokens")
    return words.format(share=_share_words(items), tokens=QLocale().toString(tokens))


def _declared(tool: LocalTool) -> str:
    wire = {"name": tool.name, "description": tool.description, "schema": tool.wire_schema()}
    return json.dumps(wire, ensure_ascii=False)


def _instruction_words(text: str) -> str:
    words = QCoreApplication.translate("AgentEditor", "{words} words · about {tokens} tokens")
    count = QLocale().toString
    return words.format(words=count(len(text.split())), tokens=count(tokens_of(text)))


def _model_choices(models: Sequence[Model], chosen: str | None) -> tuple[Choice, ...]:
    translate = QCoreApplication.translate
    choices = {"": translate("AgentEditor", "The chat’s model")}
    # A model file is chosen by a person for a chat, never by what is written in another file.
    listed = (m for m in models if not (m.list_fault or m.id.startswith("file:")))
    choices |= {model.id: model.display_name or model.id for model in listed}
    if chosen and chosen not in choices:
        words = translate("AgentEditor", "{model} (not available)")
        choices[chosen] = words.format(model=chosen)
    return tuple(choices.items())


def _model_words(models: Sequence[Model], chosen: str | None) -> str:
    found = next((model for model in models if model.id == chosen), None)
    if found is None:
        return ""
    translate = QCoreApplication.translate
    abilities = {
        translate("AgentEditor", "sees images"): "image" in found.input,
        translate("AgentEditor", "thinks"): found.has_thinking,
        translate("AgentEditor", "uses tools"): found.has_tools,
    }
    can = ", ".join(word for word, has in abilities.items() if has)
    window = found.context_window
    size = f"{max(1, round(window / _THOUSAND))}k" if window else ""
    return " · ".join(filter(None, (can, size)))
