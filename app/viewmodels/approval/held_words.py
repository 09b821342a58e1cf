"""A result that waits for a person, as the dock shows it."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.approvals.queue import ReleaseCard
from app.viewmodels.marked_words import marked_words


@dataclass(frozen=True, slots=True)
class HeldView:
    """A result that would be told to the assistant; an answer names `request_id`, `generation`.

    `masked_text` is what leaves with each secret masked, `text` the whole; the same where there
    are none. `about` is what the tool was about, shown in the typeface of code.
    """

    request_id: str
    generation: int
    question: str
    title: str
    about: str
    words: str
    masked_text: str
    text: str
    secret_count: int


def held_view(card: ReleaseCard) -> HeldView:
    """The card of a result that waits."""
    translate, held = QCoreApplication.translate, card.held
    count = len(held.secrets)
    question = translate("Approval", "This result has %n secrets", "", count)
    words = translate(
        "Approval", "Below is what the assistant would be told. Nothing has left yet."
    )
    if not count:
        question = translate("Approval", "Tell the assistant this result?")
    return HeldView(
        request_id=card.request_id,
        generation=card.generation,
        question=question,
        title=marked_words("Tools", held.title),
        about=held.target,
        words=words,
        masked_text=held.masked_text,
        text=held.text,
        secret_count=count,
    )
