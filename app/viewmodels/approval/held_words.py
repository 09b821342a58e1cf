"""A result that waits for a person, as the dock shows it."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLocale

from app.approvals.gate import HeldResult
from app.approvals.queue import ReleaseCard
from app.viewmodels.marked_words import marked_words
from local_tools.secrets.scan import Secret


@dataclass(frozen=True, slots=True)
class SecretView:
    """One secret: where it stands in the text, `mark` in its place, `words` about it."""

    start: int
    end: int
    mark: str
    words: str


@dataclass(frozen=True, slots=True)
class HeldView:
    """A result that would be told to the assistant; an answer names `request_id`, `generation`.

    `text` is all of it, with nothing masked. `about` is what the tool was about, shown in the
    typeface of code.
    """

    request_id: str
    generation: int
    question: str
    title: str
    about: str
    words: str
    text: str
    secrets: tuple[SecretView, ...] = ()


def held_view(card: ReleaseCard) -> HeldView:
    """The card of a result that waits."""
    translate, held = QCoreApplication.translate, card.held
    count = len(held.secrets)
    question = translate("Approval", "This result has %n secrets", "", count)
    words = translate(
        "Approval",
        "Below is what the assistant would be told, and that something was masked. "
        "Nothing has left yet.",
    )
    if not count:
        question = translate("Approval", "Tell the assistant this result?")
        words = translate(
            "Approval", "Below is what the assistant would be told. Nothing has left yet."
        )
    return HeldView(
        request_id=card.request_id,
        generation=card.generation,
        question=question,
        title=marked_words("Tools", held.title),
        about=held.target,
        words=words,
        text=held.text,
        secrets=_secrets_of(held),
    )


def _secrets_of(held: HeldResult) -> tuple[SecretView, ...]:
    breaks = [at for at, sign in enumerate(held.text) if sign == "\n"] if held.secrets else []
    return tuple(_secret_view(secret, breaks) for secret in held.secrets)


def _secret_view(secret: Secret, breaks: Sequence[int]) -> SecretView:
    translate, count = QCoreApplication.translate, QLocale().toString
    kind = marked_words("Secrets", secret.kind)
    words = translate("Approval", "{kind}, line {line}, {count} characters").format(
        kind=kind[:1].upper() + kind[1:],
        line=count(bisect_right(breaks, secret.start) + 1),
        count=count(secret.end - secret.start),
    )
    mark = translate("Approval", "[masked: {kind}]").format(kind=kind)
    return SecretView(secret.start, secret.end, mark, words)
