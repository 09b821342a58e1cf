"""The answer of a model while it is read, and the interface of all models (`Upstream`)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt_builder import Prompt
from local_server.assistant.reply import AnswerUsage, TokenUsage
from local_server.errors import StreamFailureError
from local_server.store.records import Omission, Origin

# `length`: a limit of tokens was reached. `filter`: the provider's content filter stopped it.
Ending = Literal["stop", "calls", "length", "filter"]


@dataclass(frozen=True)
class ContextWindow:
    """How many tokens a model takes, question and answer together.

    Attributes:
        is_assumed: Nobody said so: it is a careful guess.
    """

    tokens: int
    is_assumed: bool = False


# More than any model needs. The parts of calls are kept in memory until the answer ends.
_MOST_CALLS: Final = 128
_MOST_CALL_CHARS: Final = 1024 * 1024


@dataclass(frozen=True)
class WantedCall:
    """A tool call as the model wrote it; nothing about it is checked yet.

    Attributes:
        arguments: Supposed to be JSON, but a model may write anything.
    """

    id: str
    name: str
    arguments: str


class _Call:
    """A tool call of which fragments are still arriving."""

    def __init__(self, id_: str, name: str) -> None:
        self.id = id_
        self.name = name
        self.arguments: list[str] = []


class Answer:
    """All of a model's answer except its text. Made for one question, filled while it is read.

    Attributes:
        ending: Why the model stopped; None until it says so.
        is_over: The provider said that nothing follows.
        omissions: What was left out of the question, in the order of `Omission`.
        origin: The answer as its provider wrote it, where the model has to see that again.
        tokens: What the answer used; None where its provider does not say.
        cost_usd: What it costs; None where nobody knows.
        window: How many tokens question and answer may have together; None before it begins.
        model: The id of the model that is asked.
        failure: Why its end is missing, in words for the user.
        label: The name under which the user knows the model.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Reset everything, for another try."""
        self._begun: list[_Call] = []
        self._open: dict[object, _Call] = {}
        self._call_chars = 0
        self._thoughts: list[str] = []
        self.ending: Ending | None = None
        self.is_over = False
        self.omissions: tuple[Omission, ...] = ()
        self.origin: Origin | None = None
        self.tokens: TokenUsage | None = None
        self.cost_usd: float | None = None
        self.window: ContextWindow | None = None
        self.model: str | None = None
        self.failure: StreamFailureError | None = None
        self.label = ""

    @property
    def calls(self) -> tuple[WantedCall, ...]:
        """The calls so far, in the order in which the model began them."""
        return tuple(
            WantedCall(clean(c.id), clean(c.name), clean("".join(c.arguments))) for c in self._begun
        )

    @property
    def call_count(self) -> int:
        """How many calls there are so far."""
        return len(self._begun)

    @property
    def used(self) -> AnswerUsage | None:
        """What the answer used, as far as that is known; None where it never began."""
        if self.window is None:
            return None
        window = self.window
        return AnswerUsage(
            self.tokens,
            window.tokens,
            self.cost_usd,
            self.model,
            is_window_assumed=window.is_assumed,
        )

    @property
    def has_thoughts(self) -> bool:
        """Whether there are thoughts that were not taken yet."""
        return bool(self._thoughts)

    def add_thought(self, text: object) -> None:
        """Add a fragment of what the model thinks; what is no text is passed over."""
        if isinstance(text, str) and text:
            self._thoughts.append(clean(text))

    def take_thoughts(self) -> str:
        """Remove and return the thoughts since the last time, perhaps none."""
        taken = "".join(self._thoughts)
        self._thoughts.clear()
        return taken

    def add_call(self, index: object, id_: str, name: str, arguments: str) -> None:
        """Add a part of a call, which may hold any of its pieces, and any piece of them.

        Raises:
            UpstreamError: When there are too many of them, or they are too long.
            TypeError: When a piece is no text.
        """
        if not all(isinstance(piece, str) for piece in (id_, name, arguments)):
            raise TypeError("a call is written in texts")
        self._call_chars += len(id_) + len(name) + len(arguments)
        if self._call_chars > _MOST_CALL_CHARS:
            raise UpstreamError("unreadable", "its tool calls are too long")
        call = self._open.get(index)
        if call is None or _is_another(call, id_, name):
            call = self._open[index] = _Call(id_, name)
            self._begun.append(call)
            if len(self._begun) > _MOST_CALLS:
                raise UpstreamError("unreadable", "it asks for too many tools at once")
        call.id = call.id or id_
        call.name = call.name or name
        call.arguments.append(arguments)


def _is_another(call: _Call, id_: str, name: str) -> bool:
    """Return whether a part begins a new call although it has the index of an earlier one.

    Some servers repeat id and name in each part, others give each call the index 0.
    """
    return bool(name and call.name) and (not id_ or id_ != call.id)


def clean(text: str) -> str:
    """Repair halves of surrogate pairs and drop NUL: neither could be stored or sent."""
    if text.isascii() and "\0" not in text:
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "")


class Texts(Protocol):
    """The text of one answer. Whoever asked for it closes it."""

    def __aiter__(self) -> AsyncIterator[str]: ...

    async def __anext__(self) -> str:
        """Return the next text of the answer, possibly empty.

        Raises:
            UpstreamError: When the answer ended early or is malformed.
        """

    async def aclose(self) -> None:
        """Close the connection."""


class Upstream(Protocol):
    """One model, wherever it runs. Made once, for the life of the service."""

    @property
    def id(self) -> str:
        """The id by which it is chosen."""

    @property
    def label(self) -> str:
        """The name under which the user knows it."""

    async def window(self) -> ContextWindow:
        """Return how many tokens question and answer may have together."""

    async def can_choose(self) -> bool:
        """Return whether it can choose the agent; not if it takes no tools or is slow."""

    async def sees_images(self) -> bool:
        """Return whether it can be shown images; yes where that is not known."""

    async def cost_usd(self, tokens: TokenUsage) -> float | None:
        """Return what an answer costs; None where nobody knows the price."""

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once, and wait until the answer begins, whose text the caller reads and closes.

        Raises:
            UpstreamError: When the model cannot answer.
        """

    async def aclose(self) -> None:
        """Close the connections."""
