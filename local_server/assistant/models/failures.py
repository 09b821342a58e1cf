"""The failures of models, and the sentences that tell users about them."""

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from local_server.store.records import ReplySettings

FailureKind = Literal[
    "unreachable",
    "slow",
    "key",
    "credit",
    "unknown_model",
    "unknown_path",
    "too_long",
    "rate_limited",
    "overloaded",
    "refused",
    "filtered",
    "no_tools",
    "no_images",
    "bad_call",
    "broken_off",
    "unreadable",
    "no_stream",
    "empty",
    "only_thoughts",
    "not_started",
]

_SENTENCES: Final[dict[FailureKind, str]] = {
    "unreachable": "{model} cannot be reached. Check that its server is running and that the "
    "address is right.",
    "slow": "{model} did not answer in time.",
    "key": "{model} does not accept the key. Check the provider’s key and its permissions.",
    "credit": "The account with the provider of {model} has no credit left.",
    "unknown_model": "The provider does not know {model}, or the address is wrong.",
    "unknown_path": "The server does not know {model}, or the address is wrong: it usually ends "
    "in /v1.",
    "too_long": "This message is too long for {model}. Shorten it, or choose a model with a larger "
    "context window.",
    "rate_limited": "The provider’s rate limit for {model} is exceeded. Try again later.",
    "overloaded": "The provider of {model} is overloaded or has a problem. Try again later.",
    "refused": "{model} refused the request.",
    "filtered": "The provider’s filter kept {model} from answering this.",
    "no_tools": "{model} cannot use tools.",
    "no_images": "{model} cannot see images.",
    "bad_call": "{model} made two tool calls that could not be read. Rephrase your message, or "
    "choose another model.",
    "broken_off": "{model} stopped in the middle of its answer.",
    "unreadable": "{model} sent an answer that cannot be read.",
    "no_stream": "{model} did not answer like a model server. Check the address.",
    "empty": "{model} gave an empty answer.",
    "only_thoughts": "{model} thought, but gave no answer. Ask again, or let it think less.",
    "not_started": "{model} cannot answer on this computer.",
}
# Another try may succeed, of this model or of another.
_PASSING: Final = frozenset({"unreachable", "slow", "rate_limited", "overloaded"})
# What is wrong with the question is wrong with it for every model.
_FINAL: Final = frozenset({"filtered"})
# What the provider says of these would tell the user nothing more.
_SAID_IN_FULL: Final = frozenset({"bad_call", "too_long"})
# The detail of these is a sentence of ours, so it is not introduced by "It says:".
_OWN_WORDS: Final = frozenset({"not_started"})
_DETAIL_CHARS: Final = 200
# What looks like a key, wherever a provider repeats it: a known beginning, or a long run.
_SECRETS: Final = re.compile(
    r"(?i)\b(?:sk|pk|rk|gsk|xai|aiza)[-_a-z0-9*]{8,}|(?<![\w/.-])[-_a-z0-9*]{28,}(?![\w/])"
)

_BY_WORDS: Final[tuple[tuple[str, FailureKind], ...]] = (
    (r"insufficient_quota|billing|credit|payment", "credit"),
    (r"fail(ed|ure)? to parse (the )?(input|(tool|function).{0,5}call)", "bad_call"),
    (r"context.{0,3}(length|window|size)|too.long|too.many.tokens|maximum.{0,20}token", "too_long"),
    (
        r"tools?\b.{0,40}not.{0,3}support|not support.{0,20}(tool|function)|--jinja"
        r"|no endpoints.{0,20}support tool|function calling is not enabled",
        "no_tools",
    ),
    (
        r"image.{0,30}(not|n't).{0,5}support|not support.{0,30}(image|vision|multimodal)|mmproj"
        r"|no endpoints.{0,20}support image|not a (multimodal|vision) model",
        "no_images",
    ),
    (r"rate.?limit|too.many.requests|resource_exhausted", "rate_limited"),
    (r"overload|unavailable|capacity|internal|server_error|api_error|time.?d?.?out", "overloaded"),
    (r"authenti|api.key|permission|unauthori", "key"),
    (r"not_found|no such model|unknown model", "unknown_model"),
    (r"content.(filter|policy)|safety|moderation", "filtered"),
)
Setting = Literal["temperature", "max_output_tokens", "thinking"]
# How providers name the settings of a chat where they refuse them, in the order of `Omission`. One
# that names several may take the others: thinking without a temperature, a length without thinking.
_SETTINGS: Final[tuple[tuple[Setting, re.Pattern[str]], ...]] = (
    ("temperature", re.compile(r"(?i)temperature")),
    ("thinking", re.compile(r"(?i)reasoning|thinking|\bthink\b|chat_template_kwargs")),
    (
        "max_output_tokens",
        re.compile(r"(?i)max_?(completion_?|output_?|new_?)?tokens|output tokens|num_predict"),
    ),
)
# A question can be refused in these ways for a setting; the words may fit another kind, too.
_MAY_BE_OF_SETTING: Final = frozenset({"refused", "too_long", "overloaded", "unknown_model"})

# llama.cpp's server says both in fields of their own, others in a sentence only (OpenAI, vLLM).
_QUESTION_WORDS: Final = re.compile(
    r"(?:request \(|resulted in |requested |has |too long: |token count \()(\d{2,9})"
    r"(?: (?:input )?tokens|\))"
)
_WINDOW_WORDS: Final = re.compile(
    r"(?:context (?:length|size|window)\D{0,20}|tokens > |tokens allowed \()(\d{2,9})"
)


@dataclass(frozen=True)
class CountedTokens:
    """What a provider counted when it refused a question as too long; None if it does not say."""

    question: int | None = None
    window: int | None = None


class UpstreamError(Exception):
    """A model gave no answer, or not a whole one.

    Attributes:
        kind: Why.
        detail: What the provider said about it, cut and without anything like a key.
        retry_after_s: How long the provider asks to wait; None when it does not say.
        counted: How many tokens there were and may be, of a question that was too long, as far
            as the provider says.
    """

    def __init__(
        self,
        kind: FailureKind,
        detail: str = "",
        retry_after_s: float | None = None,
        counted: "CountedTokens | None" = None,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = redacted(detail)
        self.retry_after_s = retry_after_s
        self.counted = counted or CountedTokens()

    @property
    def is_passing(self) -> bool:
        """Whether the same question may be answered a little later."""
        return self.kind in _PASSING

    @property
    def is_final(self) -> bool:
        """Whether no other model should be asked either."""
        return self.kind in _FINAL

    def sentence(self, label: str) -> str:
        """Return the failure in words for the user, as one sentence or two."""
        sentence = _SENTENCES[self.kind].format(model=label)
        if self.kind in _OWN_WORDS:
            return f"{sentence} {self.detail}"
        tells_more = self.detail and self.kind not in _SAID_IN_FULL
        return f"{sentence} It says: {self.detail}" if tells_more else sentence


def refused_settings(failure: UpstreamError, settings: ReplySettings) -> tuple[Setting, ...]:
    """Find the settings of a chat that a provider refuses; of several it names, one at a time.

    Where it refuses without a word about any of them, it may mean all.
    """
    chosen = [name for name, _ in _SETTINGS if getattr(settings, name) is not None]
    if failure.kind not in _MAY_BE_OF_SETTING or not chosen:
        return ()
    for name, words in _SETTINGS:
        if name in chosen and words.search(failure.detail):
            return (name,)
    return tuple(chosen) if failure.kind == "refused" else ()


def redacted(text: str) -> str:
    """Make a provider's words fit to be shown: one line, short, without secrets."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return cut(_SECRETS.sub("[hidden]", line))


def cut(line: str) -> str:
    """Shorten a line to what a sentence can hold."""
    return line if len(line) <= _DETAIL_CHARS else f"{line[:_DETAIL_CHARS]}…"


def kind_of_words(text: str, otherwise: FailureKind) -> FailureKind:
    """Find the kind of a failure by a provider's own words, which all are in English."""
    found = (kind for words, kind in _BY_WORDS if re.search(words, text, re.IGNORECASE))
    return next(found, otherwise)


def counted_tokens(error: Any) -> CountedTokens:
    """Find the numbers in what a provider says of a question that is too long."""
    fields = error if isinstance(error, dict) else {}
    text = str(fields.get("message", "")) if fields else str(error)
    question, window = _QUESTION_WORDS.search(text), _WINDOW_WORDS.search(text)
    return CountedTokens(
        _count(fields.get("n_prompt_tokens")) or (int(question[1]) if question else None),
        _count(fields.get("n_ctx")) or (int(window[1]) if window else None),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
