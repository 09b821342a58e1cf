"""From a chat that another program wrote down to the rows that the archive keeps of it."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, get_args

from app.chat.titles import title_from
from app.exchange.dialects.reading import ForeignChat, Origin
from app.exchange.labels import Labels
from app.exchange.markdown import call_markdown
from app.exchange.whole_chat import Call, HandedOver, WholeMessage, Words
from app.store.archive import ArchivedChat, ArchivedReply
from app.store.rows import KeptConversation, KeptMessage, PieceKind, ReplyPiece

_ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)
_DIGEST_CHARS: Final = 32


def archived(chat: ForeignChat, labels: Labels) -> ArchivedChat:
    """Make the rows of a chat; the same chat gets the same ids each time."""
    # What a message is divided into may be named as another message is.
    whole = tuple(_with_ids(_one_run_each(_with_ids(chat.messages), labels)))
    chat_id = f"{chat.origin}-{_digest(chat.origin_id or _all_words(whole))}"
    messages = tuple(
        KeptMessage(m.message_id, m.role, m.text, m.created_at) for m in whole if m.text
    )
    title = chat.title or title_from(next((m.text for m in messages if m.role == "user"), ""))
    conversation = KeptConversation(chat_id, title, len(messages), chat.updated_at)
    return ArchivedChat(conversation, messages, tuple(_replies(chat_id, whole)))


def origin_of_chat(chat_id: str) -> Origin | None:
    """Tell where a chat of the archive came from."""
    return next((origin for origin in _ORIGINS if chat_id.startswith(f"{origin}-")), None)


def _with_ids(messages: Iterable[WholeMessage]) -> Iterator[WholeMessage]:
    """Give every message an id of its own; hostile files repeat them."""
    seen = set[str]()
    for number, message in enumerate(messages):
        id_ = message.message_id or f"#{number}"
        while id_ in seen:
            id_ = f"{id_}#{number}"
        seen.add(id_)
        yield replace(message, message_id=id_)


def _one_run_each(messages: Iterator[WholeMessage], labels: Labels) -> Iterator[WholeMessage]:
    """Divide messages at hand-overs, so that each has one run of words by one agent."""
    for message in messages:
        run: list[str] = []
        count = 0
        first = Words("")
        for part in message.parts:
            if isinstance(part, HandedOver):
                yield _run_of(message, count, first, run)
                yield replace(message, message_id=f"{message.message_id}>{count}", parts=(part,))
                count, run, first = count + 1, [], Words("", *_agent_of(part))
                continue
            if isinstance(part, Words) and first.agent_name is None:
                first = part
            run.append(call_markdown(part, labels) if isinstance(part, Call) else part.text)
        yield _run_of(message, count, first, run)


def _agent_of(part: HandedOver) -> tuple[str | None, str | None]:
    return (part.agent_name, part.agent_display_name)


def _run_of(message: WholeMessage, count: int, first: Words, run: list[str]) -> WholeMessage:
    id_ = f"{message.message_id}/{count}" if count else message.message_id
    words = replace(first, text="\n\n".join(text for text in run if text))
    return replace(message, message_id=id_, parts=(words,))


def _replies(chat_id: str, messages: Sequence[WholeMessage]) -> Iterator[ArchivedReply]:
    """Who answered, for each message of the user that has a time."""
    for said, behind in _exchanges(messages):
        pieces = tuple(_pieces(behind))
        if pieces and said.text and said.created_at is not None:
            user = KeptMessage(said.message_id, "user", said.text, said.created_at)
            turn_id = _digest(f"{chat_id} {said.message_id}")
            yield ArchivedReply(turn_id, user, said.created_at, pieces)


def _exchanges(
    messages: Sequence[WholeMessage],
) -> Iterator[tuple[WholeMessage, Sequence[WholeMessage]]]:
    """Each message of the user, with what was said before the next one."""
    asked = [at for at, message in enumerate(messages) if message.role == "user"]
    for at, end in pairwise([*asked, len(messages)]):
        yield messages[at], messages[at + 1 : end]


def _pieces(messages: Sequence[WholeMessage]) -> Iterator[ReplyPiece]:
    for message in messages:
        part = message.parts[0]
        agent = (part.agent_name, part.agent_display_name) if not isinstance(part, Call) else ()
        if isinstance(part, HandedOver):
            yield ReplyPiece(PieceKind.HANDOVER, part.from_display_name, "", *agent)
        elif message.text:
            # The words stand in the message; here is only who wrote them.
            yield ReplyPiece(PieceKind.TEXT, "", message.message_id, *agent)


def _all_words(messages: Sequence[WholeMessage]) -> str:
    return "\0".join(message.text for message in messages)


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:_DIGEST_CHARS]
