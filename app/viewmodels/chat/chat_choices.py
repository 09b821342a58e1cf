"""The choices for the open chat or the next new one, except its tools.

`ChatChoices` chooses: folder, agent, model, answers and instructions. `ChosenAgents` says who
answers next, and what new chats begin with; `NewChat` is what was chosen for the next one.
"""

from collections.abc import Coroutine, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.api.models import AnswerSettings
from app.chat.session import ConversationSession
from app.chat.workspace import Workspace
from app.tasks import TaskOwner
from app.viewmodels.chat.catalog import AgentRow, auto_agent
from app.viewmodels.chat.model_choice import ChosenModel, ModelOption


class ChosenAgents(QObject):
    """Resolves the agent chosen for a chat among the agents of the service.

    A chat stores its choice itself. Without a choice, or if the service no longer has the agent, it
    is Auto; a new chat has the agent from the settings, if the service has it. Made by
    `ChatChoices`.
    """

    changed = Signal()
    """Another agent answers in the chat that is followed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: ConversationSession | None = None
        self._chosen_for_new: AgentRow | None = None
        self._offered: dict[str | None, AgentRow] | None = None
        self._beginning = ""

    @property
    def now(self) -> AgentRow:
        """The agent that answers the next message."""
        offered, auto = self._offered or {}, auto_agent()
        if self._session is None:
            return self._chosen_for_new or offered.get(self._beginning, auto)
        name = self._session.settings.agent_name
        if name is None:
            return auto
        # Until the service has told of its agents, there is no other name for it.
        unknown = AgentRow(name, name, "") if self._offered is None else auto
        return offered.get(name, unknown)

    @property
    def chosen_for_new(self) -> AgentRow | None:
        """The agent chosen for the next new chat."""
        return self._chosen_for_new

    def follow(self, session: ConversationSession | None) -> None:
        """Follow another chat; None is the new chat."""
        self._session = session

    def choose_for_new(self, agent: AgentRow | None) -> None:
        """Choose the agent of the next new chat; None for the one in the settings."""
        self._chosen_for_new = agent
        self.changed.emit()

    def offer(self, agents: Iterable[AgentRow]) -> None:
        """Set the agents that the service offers."""
        self._offered = {agent.name: agent for agent in agents}
        self.changed.emit()

    def begin_with(self, name: str) -> None:
        """Set the default agent of new chats, by name; empty for Auto."""
        self._beginning = name
        self.changed.emit()

    def forget(self) -> None:
        """Forget all choices, after a change of the profile."""
        self._chosen_for_new = None
        self._offered = None
        self._beginning = ""


@dataclass(frozen=True, slots=True)
class NewChat:
    """The choices for the next new chat; `tools_off` are names of tools."""

    folder: Path | None = None
    answers: AnswerSettings | None = None
    instructions: str = ""
    agent: AgentRow | None = None
    model: ModelOption | None = None
    tools_off: frozenset[str] = frozenset()


class ChatChoices(QObject):
    """Chooses for the chat that is followed, which keeps it, or for the next new one.

    Made by the view model of the chat, whose tasks write down what was chosen.
    """

    changed = Signal()
    """Something else is chosen."""

    def __init__(self, tasks: TaskOwner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.agents = ChosenAgents(self)
        self.agents.changed.connect(self._on_agents_changed)
        self.models = ChosenModel(self)
        self.models.changed.connect(self.changed)
        self._tasks = tasks
        self._workspace: Workspace | None = None
        self._session: ConversationSession | None = None
        self._new_chat = NewChat()
        self.own_instructions = ""
        """The person's own instructions, which agents on this computer get before theirs."""

    @property
    def model(self) -> ModelOption:
        """The model that answers the next message, which may be the agent's own."""
        return self.models.with_agent(self.agents.now.look.model)

    @property
    def folder(self) -> Path | None:
        """The folder that the chat's tools work in."""
        return self._session.settings.folder if self._session else self._new_chat.folder

    @property
    def answers(self) -> AnswerSettings:
        """How answers are to be."""
        chosen = self._session.settings.answers if self._session else self._new_chat.answers
        return chosen or AnswerSettings()

    @property
    def instructions(self) -> str:
        """What the model is told beside its agent's own instructions."""
        session = self._session
        return (session.settings.instructions or "") if session else self._new_chat.instructions

    @property
    def for_new(self) -> NewChat:
        """What was chosen for the next new chat."""
        agent, model = self.agents.chosen_for_new, self.models.chosen_for_new
        return replace(self._new_chat, agent=agent, model=model)

    def show_workspace(self, workspace: Workspace | None) -> None:
        """Use this profile from now on; what was chosen belongs to another."""
        self._workspace = workspace
        self.agents.forget()
        self.models.forget()
        self._new_chat = NewChat()

    def follow(self, session: ConversationSession | None) -> None:
        """Follow another chat; None is the new chat."""
        self._session = session
        self.agents.follow(session)
        self.models.follow(session)

    def choose_all_for_new(self, chosen: NewChat) -> None:
        """Choose everything for the next new chat, as in a window whose place this takes."""
        self._new_chat = chosen
        self.agents.choose_for_new(chosen.agent)
        self.models.choose_for_new(chosen.model)

    def choose_agent(self, agent: AgentRow) -> None:
        """Choose who answers the next messages of this chat."""
        if self._session:
            self._session.settings.choose_agent(agent.name)
            self._tasks.start(self._session.save_agent(), name="choose agent")
        else:
            self.agents.choose_for_new(agent)

    def choose_model(self, model: ModelOption) -> None:
        """Choose the model that answers the next messages of this chat."""
        if self._session:
            self._session.settings.choose_model(model.model or "")
            self._tasks.start(self._session.save_model(), name="choose model")
            self.changed.emit()
        else:
            self.models.choose_for_new(model)

    def choose_model_file(self, opening: Coroutine[object, object, str]) -> None:
        """Choose the model of a file for this chat, once `opening` has made it one of the list."""
        self._tasks.start(self._choose_model_file(opening), name="open a model file")

    def choose_answers(self, answers: AnswerSettings) -> None:
        """Choose how long the model thinks in this chat, how random and how long answers are."""
        if self._session:
            self._session.settings.choose_answers(answers)
            self._tasks.start(self._session.save_answers(), name="choose answers")
        else:
            self._new_chat = replace(self._new_chat, answers=answers)
        self.changed.emit()

    def choose_instructions(self, instructions: str) -> None:
        """Choose what the model is told in this chat beside its agent's own; empty for nothing."""
        if self._session:
            self._session.settings.choose_instructions(instructions)
            self._tasks.start(self._session.save_instructions(), name="choose instructions")
        else:
            self._new_chat = replace(self._new_chat, instructions=instructions)
        self.changed.emit()

    def choose_folder(self, folder: Path | None) -> None:
        """Choose the folder that this chat's tools work in; None for none."""
        if self._session:
            self._tasks.start(self._session.set_folder(folder), name="choose folder")
        else:
            self._new_chat = replace(self._new_chat, folder=folder)
            self.changed.emit()

    async def give_to(
        self, session: ConversationSession, agent: AgentRow, model: ModelOption
    ) -> None:
        """Make what was chosen for the new chat count in `session`, which is that chat.

        Raises:
            UserFacingError: It could not be kept; what was kept so far is chosen no more.
        """
        if self._new_chat.folder:
            await session.set_folder(self._new_chat.folder)
            self._new_chat = replace(self._new_chat, folder=None)
        if agent.name is not None:
            session.settings.choose_agent(agent.name)
            await session.save_agent()
        if model.model is not None:
            session.settings.choose_model(model.model)
            await session.save_model()
        if self._new_chat.answers is not None:
            session.settings.choose_answers(self._new_chat.answers)
            await session.save_answers()
            self._new_chat = replace(self._new_chat, answers=None)
        if self._new_chat.instructions:
            session.settings.choose_instructions(self._new_chat.instructions)
            await session.save_instructions()
            self._new_chat = replace(self._new_chat, instructions="")

    def forget_new(self) -> None:
        """Choose nobody any more for the next new chat: the last one has begun."""
        self.agents.choose_for_new(None)
        self.models.choose_for_new(None)

    def _on_agents_changed(self) -> None:
        self.changed.emit()
        self.recall_model()

    def recall_model(self) -> None:
        """Choose, for a new chat, the model that its agent had last."""
        workspace = self._workspace
        if workspace and self._session is None and not workspace.is_archive:
            work = self.models.recall(workspace.store.conversations, self.agents.now.name)
            self._tasks.start(work, name="recall model")

    async def _choose_model_file(self, opening: Coroutine[object, object, str]) -> None:
        # Read from left to right: the session is the one that was open before the wait.
        session, model = self._session, await opening
        if self._session is session:
            self.choose_model(ModelOption(model, "", ""))
