"""The reasons that the service on this computer gives in English, to be shown in other languages.

The service has no languages: its interface carries a sentence. `translate_reason` recognises the
sentences that are ours; what a provider or another service says stays as it came.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from local_tools.translation_marks import QT_TRANSLATE_NOOP

_SAYS: Final = "It says: "
_SAYS_WORDS: Final = QT_TRANSLATE_NOOP("ServiceReason", "It says: {words}")

# Of models, `local_server/assistant/models/failures.py`.
_OF_MODELS: Final = (
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "{model} cannot be reached. Check that its server is running and that the address is "
        "right.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "{model} did not answer in time."),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "{model} does not accept the key. Check the provider’s key and its permissions.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "The account with the provider of {model} has no credit left."
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "The provider does not know {model}, or the address is wrong."
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "The server does not know {model}, or the address is wrong: it usually ends in /v1.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "This message is too long for {model}. Shorten it, or choose a model with a larger "
        "context window.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "The provider’s rate limit for {model} is exceeded. Try again later.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "The provider of {model} is overloaded or has a problem. Try again later.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "{model} refused the request."),
    QT_TRANSLATE_NOOP("ServiceReason", "The provider’s filter kept {model} from answering this."),
    QT_TRANSLATE_NOOP("ServiceReason", "{model} cannot use tools."),
    QT_TRANSLATE_NOOP("ServiceReason", "{model} cannot see images."),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "{model} made two tool calls that could not be read. Rephrase your message, or choose "
        "another model.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "{model} stopped in the middle of its answer."),
    QT_TRANSLATE_NOOP("ServiceReason", "{model} sent an answer that cannot be read."),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "{model} did not answer like a model server. Check the address.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "{model} gave an empty answer."),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "{model} thought, but gave no answer. Ask again, or let it think less.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "{model} cannot answer on this computer."),
)
# Of models in the list, `local_server/model_catalog.py` and `providers.py`.
_OF_LISTED_MODELS: Final = (
    QT_TRANSLATE_NOOP(
        "ServiceReason", "The model’s server does not answer. Start it, then try again."
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "There is no key for {provider}. Add one in the settings."),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "{provider} refused the key. Enter another one in the settings."
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "{provider} did not return its list of models. Check that it can be reached.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "The model {model} needs a key: set {variable}."),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "The model {model} needs the address of your account: set {variable}."
    ),
)
_OF_REPLIES: Final = (
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "The model’s limit for an answer is reached, so this reply is cut off here.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "Answers in this chat have at most {count} tokens, so this one is cut off here.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "This reply would need more than {count} answers from the model, which is the limit. "
        "Send a message to continue.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "The model kept making tool calls that cannot be carried out.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "The reply is longer than the limit of {count} tokens."),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "The reply took longer than {count} seconds, which is the limit."
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "The assistant asked for a tool that is not offered."),
    QT_TRANSLATE_NOOP("ServiceReason", "The assistant asked for too many tools at once."),
    QT_TRANSLATE_NOOP("ServiceReason", "The assistant made a tool call that could not be read."),
    QT_TRANSLATE_NOOP("ServiceReason", "No agent named “{name}” is turned on."),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "No agent is turned on, so nobody can answer. Turn one on.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "Agents cannot be used until catalog.toml can be read. Correct or delete the file.",
    ),
)
# Of `local_server/engine`.
_OF_MODEL_FILES: Final = (
    QT_TRANSLATE_NOOP("ServiceReason", "This is not a model file in the GGUF format."),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "This version of the GGUF format is not supported ({version})."
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "This model file is damaged or was not copied completely."),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "This file belongs to a model and cannot be used by itself."
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "The file is no longer available."),
    QT_TRANSLATE_NOOP("ServiceReason", "The file cannot be read: {cause}."),
    QT_TRANSLATE_NOOP("ServiceReason", "This model file is incomplete: its end is missing."),
    QT_TRANSLATE_NOOP("ServiceReason", "This file is one part of a model. Choose the first part."),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "This file cannot be used for images because it is not a complete projector.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "The model’s file is no longer available: {path}"),
    QT_TRANSLATE_NOOP("ServiceReason", "The model’s file cannot be read: {cause}."),
    QT_TRANSLATE_NOOP("ServiceReason", "The engine took too long to load the model."),
    QT_TRANSLATE_NOOP("ServiceReason", "The engine did not start: its output cannot be read."),
    QT_TRANSLATE_NOOP("ServiceReason", "The engine did not start."),
    QT_TRANSLATE_NOOP("ServiceReason", "The engine cannot be started: {cause}."),
    QT_TRANSLATE_NOOP("ServiceReason", "The engine stopped repeatedly. Try again in a minute."),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "The processor of this computer lacks AVX2, which the engine needs.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "This model has no chat template, so it cannot be used for chats. Choose one that is "
        "made for chats, often with “Instruct” in its name.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "{model} needs {needed} of memory, but only {free} is free. Close other programs, or "
        "choose a smaller model.",
    ),
)
_OF_DOWNLOADS: Final = (
    QT_TRANSLATE_NOOP("ServiceReason", "Enter the repository as OWNER/NAME."),
    QT_TRANSLATE_NOOP("ServiceReason", "HF_ENDPOINT must be an address that begins with https://."),
    QT_TRANSLATE_NOOP("ServiceReason", "{host} does not answer."),
    QT_TRANSLATE_NOOP("ServiceReason", "The disk is full. What was downloaded is kept."),
    QT_TRANSLATE_NOOP("ServiceReason", "The file cannot be written: {cause}."),
    QT_TRANSLATE_NOOP("ServiceReason", "A file named {name} already exists."),
    QT_TRANSLATE_NOOP("ServiceReason", "The file is larger than announced, so it was deleted."),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "The file does not match its announced checksum, so it was deleted."
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "This file is also being downloaded elsewhere. Wait for that, then try again.",
    ),
    QT_TRANSLATE_NOOP(
        "ServiceReason", "{host} stopped sending. What was downloaded is kept; try again."
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "{host} redirects to an address that is not safe."),
    QT_TRANSLATE_NOOP("ServiceReason", "{host} redirects in a loop."),
    QT_TRANSLATE_NOOP(
        "ServiceReason",
        "{host} offers this model only to users with an account who accept its terms. Download "
        "it in your browser, then open the file.",
    ),
    QT_TRANSLATE_NOOP("ServiceReason", "{host} has no such model."),
    QT_TRANSLATE_NOOP("ServiceReason", "{host} is busy. Try again later."),
    QT_TRANSLATE_NOOP("ServiceReason", "{host} refused the request ({status})."),
    QT_TRANSLATE_NOOP("ServiceReason", "The disk has {free} GB left, but {needed} GB are needed."),
)
KNOWN_REASONS: Final = (
    *_OF_MODELS,
    *_OF_LISTED_MODELS,
    *_OF_REPLIES,
    *_OF_MODEL_FILES,
    *_OF_DOWNLOADS,
)
_GAP: Final = re.compile(r"\{(\w+)\}")
# A gap that is a figure, as the service writes it; version numbers and names are none.
_FIGURE: Final = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d)?(?= GB$|$)")
_WITH_FIGURES: Final = frozenset({"count", "free", "needed"})
_GAP_CHARS: Final = 300
# Others may say as much as they like, of thousands of models, and the window waits for each.
_LONGEST_CHARS: Final = 2000
_MOST_SENTENCES: Final = 10


def translate_reason(
    text: str, translate: Callable[[str], str], figure: Callable[[float, int], str] | None = None
) -> str:
    """Return the sentences of `text` as `translate` has them; as it came where one is unknown.

    `figure` writes a number with so many decimals.
    """
    told: list[str] = []
    rest = text.strip() if len(text) <= _LONGEST_CHARS else ""
    forms = [form for form in _forms() if form.words in rest]
    while rest and len(told) < _MOST_SENTENCES:
        if told and rest.startswith(_SAYS):
            told.append(translate(_SAYS_WORDS).format(words=rest.removeprefix(_SAYS)))
            return " ".join(told)
        # A sentence without gaps is it. Else the one that ends first: a gap of another may have
        # swallowed a sentence.
        found = min(filter(None, (form.find_in(rest) for form in forms)), default=None)
        if found is None:
            return text
        values = {name: _figured(name, value, figure) for name, value in found.values.items()}
        told.append(translate(found.template).format_map(values))
        rest = rest[found.end :].lstrip()
    return text if rest or not told else " ".join(told)


def _figured(name: str, value: str, figure: Callable[[float, int], str] | None) -> str:
    found = _FIGURE.match(value) if name in _WITH_FIGURES and figure else None
    if found is None or figure is None:
        return value
    number = float(found[0].replace(",", ""))
    return figure(number, len(found[2] or ".") - 1) + value[found.end() :]


@dataclass(frozen=True, slots=True, order=True)
class _Found:
    """A known sentence at the beginning of a text, which fills its gaps with `values`."""

    has_gaps: bool
    end: int
    template: str = field(compare=False)
    values: dict[str, str] = field(compare=False)


class _Form:
    """Finds one known sentence by `str.find`: a pattern would try far more ways.

    Attributes:
        words: A part of the sentence that is always in it.
    """

    def __init__(self, template: str) -> None:
        self._template = template
        self.words = max(_GAP.sub("\n", template).splitlines(), key=len)
        # Every other part is the name of a gap.
        self._begin, *parts = _GAP.split(template)
        self._gaps = tuple(zip(parts[::2], parts[1::2], strict=True))

    def find_in(self, text: str) -> _Found | None:
        """Find the sentence at the beginning of a text."""
        if not text.startswith(self._begin):
            return None
        end, values = len(self._begin), dict[str, str]()
        for number, (name, after) in enumerate(self._gaps, start=1):
            start, most = end, end + _GAP_CHARS + len(after)
            end = text.find(after, start + 1, most)
            while end >= 0 and number == len(self._gaps) and not _ends(text, end + len(after)):
                end = text.find(after, end + 1, most)
            values[name] = text[start:end]
            # Not beyond the end of a sentence or a line.
            if end < 0 or ". " in values[name] or "\n" in values[name]:
                return None
            end += len(after)
        return _Found(bool(values), end, self._template, values) if _ends(text, end) else None


def _ends(text: str, end: int) -> bool:
    return end == len(text) or text[end].isspace()


@cache
def _forms() -> tuple[_Form, ...]:
    return tuple(map(_Form, KNOWN_REASONS))
