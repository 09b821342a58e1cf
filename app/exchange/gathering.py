"""A whole chat from what is kept here and what the service has. Nothing is changed by it."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from app.api.errors import NotFound
from app.api.models import ConversationDetail
from app.chat.call_facts import CallFacts
from app.chat.history import followers_of
from app.chat.reconcile import USER, Match, match_turns, merge_reply
from app.chat.titles import title_from
from app.chat.workspace import Workspace
from app.errors import UserFacingError
from app.exchange.whole_chat import Call, HandedOver, Part, Role, WholeChat, WholeMessage, Words
from app.store.rows import KeptMessage, KeptTurn, PieceKind, ReplyPiece

log = logging.getLogger(__name__)

_NOTHING_KNOWN = CallFacts()
_PAGE_SIZE: Final = 100


class ChatGatherer:
    """Reads the chats of one profile, whole. Made for one export; holds nothing open.

    The service is asked first. Once it could not be asked, the rest comes from what is kept here.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._asks_service = True

    async def gather(self, conversation_id: str) -> WholeChat:
        """Read one chat.

        Raises:
            NotFound: it is gone there, and nothing of it is kept here.
            StoreError: what is kept here cannot be read.
        """
        store = self._workspace.store
        kept = await store.conversations.get(conversation_id)
        gone: NotFound | None = None
        try:
            messages = told = await self._ask(conversation_id)
        except NotFound as exc:
            messages = told = None
            gone = exc
        if messages is None:
            messages = await store.messages.of_conversation(conversation_id)
        turns = await store.turns.of_conversation(conversation_id)
        if gone and not messages and not turns:
            raise gone
        calls = await self._workspace.calls(conversation_id)
        known = await self._known(conversation_id, turns)
        # Of a long chat this takes longer than the window may wait.
        whole = await asyncio.to_thread(_whole, messages, turns, known, calls)
        is_complete = told is not None or 0 < kept.message_count <= len(messages)
        return WholeChat(
            conversation_id, kept.title or _made_title(whole), kept.updated_at, whole, is_complete
        )

    async def all_ids(self) -> tuple[str, ...]:
        """The ids of all chats of the profile, or of those known here if the service is away."""
        ids: dict[str, None] = {}
        try:
            while True:
                page = await self._workspace.client.list_conversations(_PAGE_SIZE, len(ids))
                known = len(ids)
                ids.update(dict.fromkeys(summary.id for summary in page.data))
                if len(ids) == known or len(ids) >= page.meta.total:
                    break
        except UserFacingError as exc:
            log.info("An export takes the chats that are known here: %s", exc.reason)
        ids.update(dict.fromkeys(row.conversation_id for row in self._workspace.conversations.rows))
        return tuple(ids)

    async def _ask(self, conversation_id: str) -> tuple[KeptMessage, ...] | None:
        if not self._asks_service:
            return None
        try:
            detail = await self._workspace.client.get_conversation(conversation_id)
        except NotFound:
            # That one alone is gone: the others can still be asked for.
            raise
        except UserFacingError as exc:
            log.info("An export goes on with what is kept here: %s", exc.reason)
            self._asks_service = False
            return None
        return _kept(detail)

    async def _known(
        self, conversation_id: str, turns: Iterable[KeptTurn]
    ) -> dict[str, frozenset[str]]:
        messages = self._workspace.store.messages
        return {
            turn.turn_id: await messages.known_ids(conversation_id, turn.known_upto)
            for turn in turns
            if turn.known_upto is not None and turn.user_message_id is None
        }


def _kept(detail: ConversationDetail) -> tuple[KeptMessage, ...]:
    return tuple(KeptMessage(m.id, m.role.value, m.content, m.created_at) for m in detail.messages)


def _made_title(messages: Sequence[WholeMessage]) -> str:
    return title_from(next((m.text for m in messages if m.role == "user"), ""))


def _whole(
    messages: Sequence[KeptMessage],
    turns: Sequence[KeptTurn],
    known: Mapping[str, frozenset[str]],
    calls: Mapping[str, CallFacts],
) -> tuple[WholeMessage, ...]:
    matches = match_turns(messages, turns, known)
    return tuple(_all_messages(messages, turns, matches, calls))


def _all_messages(
    messages: Sequence[KeptMessage],
    turns: Sequence[KeptTurn],
    matches: Mapping[str, Match],
    calls: Mapping[str, CallFacts],
) -> Iterable[WholeMessage]:
    """Yield what the service has in its order, and behind each turn ours that it does not have."""
    by_message = {match.user.message_id: turn_id for turn_id, match in matches.items()}
    by_id = {turn.turn_id: turn for turn in turns}
    unsent = followers_of(turns, matches)
    told: set[str] = set()
    for message in messages:
        turn_id = by_message.get(message.message_id)
        if turn_id is not None:
            yield from _exchange_of(by_id[turn_id], matches[turn_id], calls)
            told |= {reply.message_id for reply in matches[turn_id].reply}
            yield from _never_arrived(unsent.get(turn_id, ()), calls)
        elif message.message_id not in told:
            yield _as_told(message)
    yield from _never_arrived(unsent.get("", ()), calls)


def _exchange_of(
    turn: KeptTurn, match: Match, calls: Mapping[str, CallFacts]
) -> Iterable[WholeMessage]:
    user = match.user
    yield WholeMessage(user.message_id, "user", user.created_at, (Words(turn.text),))
    times = {reply.message_id: reply.created_at for reply in match.reply}
    first = match.reply[0].created_at if match.reply else turn.created_at
    pieces = merge_reply(turn.pieces, match.reply)
    for message_id, group in groupby(pieces, key=lambda piece: piece.message_id):
        parts = tuple(_part(piece, calls) for piece in group)
        yield WholeMessage(message_id, "assistant", times.get(message_id, first), parts)


def _never_arrived(
    turns: Iterable[KeptTurn], calls: Mapping[str, CallFacts]
) -> Iterable[WholeMessage]:
    for turn in turns:
        yield WholeMessage("", "user", turn.created_at, (Words(turn.text),), is_delivered=False)
        if turn.pieces:
            parts = tuple(_part(piece, calls) for piece in turn.pieces)
            yield WholeMessage("", "assistant", turn.created_at, parts)


def _as_told(message: KeptMessage) -> WholeMessage:
    role: Role = "user" if message.role == USER else "assistant"
    return WholeMessage(message.message_id, role, message.created_at, (Words(message.text),))


def _part(piece: ReplyPiece, calls: Mapping[str, CallFacts]) -> Part:
    match piece.kind:
        case PieceKind.TEXT:
            return Words(piece.text, piece.agent_name, piece.agent_display_name)
        case PieceKind.HANDOVER:
            return HandedOver(piece.text, piece.agent_name, piece.agent_display_name)
        case PieceKind.CALL:
            return _call(piece, calls.get(piece.call_id, _NOTHING_KNOWN))


def _call(piece: ReplyPiece, facts: CallFacts) -> Call:
    return Call(
        call_id=piece.call_id,
        tool_name=piece.text,
        title=facts.title or piece.title or piece.text,
        target=facts.target or piece.target,
        state=facts.state,
        decided_by=facts.decided_by,
        input_text=facts.input_text,
        output_text=facts.output_text,
        duration_ms=facts.duration_ms,
    )
