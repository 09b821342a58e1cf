"""The interface of assistants: `ReplyRequest` goes in, pieces of a reply come out."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from local_server.assistant.agents import Agent
from local_server.assistant.skills import Skill
from local_server.store.records import (
    DEFAULT_SETTINGS,
    Message,
    MessageImage,
    Omission,
    Origin,
    PastCall,
    ReplySettings,
    StoredTool,
    ToolCall,
)


@dataclass(frozen=True)
class Text:
    """A fragment of the reply."""

    text: str


@dataclass(frozen=True)
class RequestedToolCall:
    """A request by the assistant to run a declared tool.

    Several may follow each other, in the order in which they are to run; nothing else comes
    after the first.

    Attributes:
        origin: The model's answer with this request, if the model has to see it again unchanged.
    """

    name: str
    input: dict[str, Any]
    origin: Origin | None = None


@dataclass(frozen=True)
class HandOver:
    """A request by an agent that another one continues; nothing of the agent comes after it.

    If it names no colleague, it is not carried out: the same agent is asked once more, with what
    it has said so far and with no colleagues.
    """

    agent_name: str


@dataclass(frozen=True)
class SkillUsed:
    """A skill's instructions belong to the reply from here on, over tool calls too."""

    name: str


@dataclass(frozen=True)
class LeftOutNotice:
    """A paragraph in which the service says what the model was asked without.

    It is text of the reply like any other, but no model reads it again.
    """

    text: str
    omissions: tuple[Omission, ...]


IMAGES_NOT_SEEN: Final = LeftOutNotice(
    "*This model cannot see images, so it has their names alone.*", ("images_not_taken",)
)


@dataclass(frozen=True)
class ThoughtText:
    """A fragment of what the model thinks before it goes on; never part of the reply."""

    text: str


@dataclass(frozen=True)
class TokenUsage:
    """What an answer of a model used, as its provider counted it, in tokens.

    Attributes:
        input: The question, cached tokens included.
        output: The answer, thoughts and tool calls included.
        cached: How many of `input` the provider had seen before.
        cache_write: How many of `input` it keeps for the next question, at a price of their own.
    """

    input: int
    output: int
    cached: int = 0
    cache_write: int = 0


@dataclass(frozen=True)
class AnswerUsage:
    """What one answer of a model used; a reply may take several. None means unknown.

    Attributes:
        context_window: How many tokens question and answer may have together.
        cost_usd: What the provider says that it costs, or what its list of prices says.
        model: The id of the model that answered.
        is_window_assumed: Nobody told the window: it is a careful guess.
    """

    tokens: TokenUsage | None = None
    context_window: int | None = None
    cost_usd: float | None = None
    model: str | None = None
    is_window_assumed: bool = False


Piece = Text | LeftOutNotice | RequestedToolCall | HandOver | SkillUsed | ThoughtText | AnswerUsage


@dataclass(frozen=True)
class AgentChoice:
    """Whom the supervisor chose, and what each answer used that led to it."""

    agent: Agent
    used: tuple[AnswerUsage, ...] = ()


@dataclass(frozen=True)
class TokenPrice:
    """What a model costs, in USD per million tokens; None means unknown."""

    input: float
    output: float
    cached: float | None = None


# Why a server's models are not listed.
ListFault = Literal["key_refused", "no_answer"]


@dataclass(frozen=True)
class ModelDescription:
    """A model that can be chosen for a chat (the extension `models`).

    Attributes:
        id: Identifies it in the list; opaque to clients.
        provider: The name of its provider for users, such as "Anthropic" or "Ollama".
        context_window: How many tokens question and answer may have together.
        always_thinks: Nobody can turn that off.
        price: None is not known.
        reason: Why it is unavailable, as a sentence for the user.
        list_fault: This is no model, but stands for those of a server that does not list them.
    """

    id: str
    display_name: str
    provider: str
    is_default: bool = False
    context_window: int | None = None
    sees_images: bool = False
    has_tools: bool = True
    has_thinking: bool = False
    always_thinks: bool = False
    price: TokenPrice | None = None
    state: Literal["ready", "loadable", "unavailable"] = "ready"
    reason: str | None = None
    list_fault: ListFault | None = None


@dataclass(frozen=True)
class SuggestedTitle:
    """A title for a conversation, one line, and what it took."""

    title: str
    used: AnswerUsage | None = None


class ModelChoices(Protocol):
    """The models that can be chosen for a chat. One for the life of the service."""

    async def list_models(self) -> tuple[ModelDescription, ...]:
        """Return the models, the default first."""

    async def find(self, model: str) -> str | None:
        """Return the id by which the service asks a listed model; None where it is not listed."""

    async def has(self, model: str) -> bool:
        """Return whether this is such an id."""

    def listed_id(self, model: str) -> str | None:
        """Return the id under which a model is listed; None for one that is not to be named."""


@dataclass(frozen=True)
class ReplyRequest:
    """All that a reply is made from.

    Attributes:
        message: The user's latest message.
        history: The conversation up to and with that message, and then the reply so far, if it
            has any text or tool calls.
        tools: What the client declared with that message, as far as the agent may use it.
        past_calls: The tool calls of the replies before that message, in order.
        images: The newest images of the conversation, in order; older ones are named in its texts.
        calls: The tool calls of the reply so far, all of them answered, in order.
        used_skills: The names of the skills that the reply has used so far.
        colleagues: The agents to whom the reply may be handed over.
        model: The id of the model that was chosen for the chat, as `ModelDescription` has it; None
            leaves it to the agent.
        settings: What was chosen for the chat.
        instructions: What the chat adds to the agent's instruction, after it.
    """

    message: str
    history: tuple[Message, ...]
    agent: Agent
    skills: tuple[Skill, ...]
    tools: tuple[StoredTool, ...]
    past_calls: tuple[PastCall, ...] = ()
    images: tuple[MessageImage, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    used_skills: tuple[str, ...] = ()
    colleagues: tuple[Agent, ...] = ()
    model: str | None = None
    settings: ReplySettings = DEFAULT_SETTINGS
    instructions: str = ""

    @property
    def has_new_images(self) -> bool:
        """Whether images came with what the reply goes on from: the message, or results."""
        if self.calls:
            latest = {call.id for call in self.calls if call.round == self.calls[-1].round}
            return any(image.call_id in latest for image in self.images)
        asked = [message.id for message in self.history if message.role == "user"]
        return any(image.message_id in asked[-1:] for image in self.images)

    @property
    def answered(self) -> ToolCall | None:
        """The tool call whose result the reply goes on from; None at its start."""
        return self.calls[-1] if self.calls else None


class Assistant(Protocol):
    """Answers requests. One for the life of the service."""

    async def choose_agent(
        self, message: str, agents: tuple[Agent, ...], model: str | None = None
    ) -> AgentChoice:
        """Choose who answers a message for which nobody was named: the supervisor's choice.

        The model that was chosen for the chat chooses, if there is one.

        Raises:
            StreamFailureError: When no choice can be made, with words for the user.
        """

    async def suggest_title(
        self, message: str, agent: Agent, model: str | None = None
    ) -> SuggestedTitle | None:
        """Suggest a title for a conversation that begins with a message.

        The model that answers as the agent is asked; None where there is none.

        Raises:
            StreamFailureError: When it cannot be asked.
        """

    def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply piece by piece.

        Raises:
            StreamFailureError: When the reply cannot go on, with words for the user.
        """

    async def aclose(self) -> None:
        """Close the connections, once no reply is under way any more."""
