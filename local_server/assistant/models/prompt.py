"""What a model is asked: one form for all providers, light enough to be trimmed and counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from local_server.store.records import Origin, Tool


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
    origin: Origin | None = None


Turn = UserTurn | ModelTurn


@dataclass(frozen=True)
class Extra:
    """What a model is offered beside its instruction, and can do without where there is no room.

    Attributes:
        text: What it is told of that.
        tools: What it may ask the service for, to use it.
    """

    kind: Literal["skills", "colleagues"]
    text: str
    tools: tuple[Tool, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """One question to a model.

    Attributes:
        system: The instruction; empty leaves it out.
        earlier: The conversation before the user's latest message, first to last.
        question: That message.
        since: What the reply to it holds already, first to last.
        tools: What the model may ask the client for.
        extras: What else it is offered; where there is no room, the first is left out first.
        choices: With it, the model has to call the only tool, whose argument `name` is one of
            these.
        max_tokens: How long its answer may be; None leaves it to the provider.
    """

    system: str
    earlier: tuple[Turn, ...]
    question: UserTurn
    since: tuple[Turn, ...] = ()
    tools: tuple[Tool, ...] = ()
    extras: tuple[Extra, ...] = ()
    choices: tuple[str, ...] = ()
    max_tokens: int | None = None

    @property
    def instructions(self) -> str:
        """All that the model is told before the conversation."""
        return "\n\n".join(text for text in (self.system, *(e.text for e in self.extras)) if text)

    @property
    def declared(self) -> tuple[Tool, ...]:
        """All that the model may ask for."""
        return (*self.tools, *(tool for extra in self.extras for tool in extra.tools))

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The whole conversation, first to last, neighbouring turns of the user as one.

        A message that was not answered is followed by another, which the templates of some models
        (Gemma's) refuse.
        """
        return _joined((*self.earlier, self.question, *self.since))


def _joined(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    joined: list[Turn] = []
    for turn in turns:
        last = joined[-1] if joined else None
        if isinstance(turn, UserTurn) and isinstance(last, UserTurn):
            joined[-1] = UserTurn(f"{last.text}\n\n{turn.text}")
        else:
            joined.append(turn)
    return tuple(joined)
