"""What a model is asked: one form for all providers, light enough to be trimmed and counted."""

from dataclasses import dataclass
from typing import Any

from local_server.store.records import Tool


@dataclass(frozen=True)
class UserTurn:
    """What the user said, or what the service says in the user's place."""

    text: str


@dataclass(frozen=True)
class AnsweredCall:
    """A tool call with its result. The two are one value, so that nothing can part them."""

    id: str
    name: str
    input: dict[str, Any]
    result: str


@dataclass(frozen=True)
class ModelTurn:
    """What the model said, and the calls that it made with it, all of them answered."""

    text: str
    calls: tuple[AnsweredCall, ...] = ()


Turn = UserTurn | ModelTurn


@dataclass(frozen=True)
class Prompt:
    """One question to a model.

    Attributes:
        earlier: The conversation before the user's latest message, first to last.
        question: That message.
        since: What the reply to it holds already, first to last.
        tools: What the model may ask for.
        choices: With it, the model has to call the only tool, whose argument `name` is one of
            these.
        max_tokens: How long its answer may be; None leaves it to the provider.
    """

    system: str
    earlier: tuple[Turn, ...]
    question: UserTurn
    since: tuple[Turn, ...] = ()
    tools: tuple[Tool, ...] = ()
    choices: tuple[str, ...] = ()
    max_tokens: int | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The whole conversation, first to last."""
        return (*self.earlier, self.question, *self.since)
