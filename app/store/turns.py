"""The table of turns: each accepted message with its state and its reply or failure."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import TypeAlias
from uuid import uuid4

from app.api.events import PieceKind, Usage, read_usage
from app.store.attachments import assign, read_attachments
from app.store.conversation_versions import finish_version
from app.store.database import StoreTable, storable
from app.store.records import ReplyPiece, StoredAttachment, StoredFailure, StoredTurn, TurnState

_INSERT = (
    "INSERT INTO turns (turn_id, profile, conversation_id, text, agent_name, state, created_at,"
    " words_length, sequence) VALUES (?, ?, ?, ?, ?, ?, ?, ?,"
    " (SELECT coalesce(max(sequence), 0) + 1 FROM turns)) RETURNING sequence"
)
_SELECT = (
    "SELECT turn_id, sequence, text, agent_name, state, created_at, known_upto, user_message_id,"
    " failure, declared, words_length, usage, model FROM turns"
    " WHERE profile = ? AND conversation_id = ? ORDER BY sequence"
)
_SELECT_PIECES = (
    "SELECT turn_id, kind, pieces.text, message_id, pieces.agent_name, agent_display_name, call_id,"
    " title, target, seconds FROM pieces JOIN turns USING (turn_id)"
    " WHERE profile = ? AND conversation_id = ? ORDER BY turn_id, position"
)
_SELECT_LABELS = (
    "SELECT conversation_id, call_id, title, target FROM pieces JOIN turns USING (turn_id)"
    # All ids as one value: SQLite limits how many a statement can have.
    " WHERE profile = ? AND call_id <> '' AND call_id IN (SELECT value FROM json_each(?))"
)
_REPLACE = (
    "UPDATE turns SET state = ?, failure = ?, known_upto = ?, declared = ?, user_message_id = ?,"
    " usage = ?, model = ? WHERE turn_id = ?"
)
_PUT_PIECE = (
    "INSERT OR REPLACE INTO pieces (turn_id, position, kind, text, message_id, agent_name,"
    " agent_display_name, call_id, title, target, seconds)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_TurnRow: TypeAlias = (
    "tuple[str, int, str, str | None, str, str, int | None, str | None, str | None, str,"
    " int | None, str | None, str]"
)
_Pieces: TypeAlias = dict[str, list[ReplyPiece]]
_Attached: TypeAlias = dict[str, list[StoredAttachment]]


class TurnTable(StoreTable):
    """The turns of one profile. Each change is on disk when its method returns."""

    async def add(
        self,
        conversation_id: str,
        text: str,
        agent_name: str | None,
        attachments: Sequence[StoredAttachment] = (),
        words_length: int | None = None,
        *,
        fork_id: str = "",
    ) -> StoredTurn:
        """Store an accepted message.

        The draft's attachments become the message's. With `fork_id`, the message finishes that
        version, in the same transaction.
        """
        turn_id, now, text = uuid4().hex, self._now(), storable(text)

        def work(connection: sqlite3.Connection) -> int:
            where = (turn_id, self._profile, conversation_id)
            values = (text, agent_name, TurnState.QUEUED.value, now.isoformat(), words_length)
            rows = connection.execute(_INSERT, (*where, *values))
            number = int(rows.fetchone()[0])
            assign(connection, turn_id, conversation_id, attachments)
            if fork_id:
                finish_version(connection, self._profile, fork_id, turn_id)
            return number

        sequence = await self._database.write(work)
        return StoredTurn(
            turn_id,
            conversation_id,
            sequence,
            text,
            agent_name,
            TurnState.QUEUED,
            now,
            words_length=words_length,
            attachments=tuple(replace(item, turn_id=turn_id) for item in attachments),
        )

    async def of_conversation(self, conversation_id: str) -> tuple[StoredTurn, ...]:
        """Return all turns of a conversation with their replies, oldest first."""

        def work(connection: sqlite3.Connection) -> tuple[StoredTurn, ...]:
            where = (self._profile, conversation_id)
            pieces = _read_pieces(connection, where)
            attached: _Attached = {}
            for item in read_attachments(connection, *where):
                attached.setdefault(item.turn_id or "", []).append(item)
            rows = connection.execute(_SELECT, where)
            return tuple(_kept(conversation_id, row, pieces, attached) for row in rows)

        return await self._database.read(work)

    async def labels(self, call_ids: Sequence[str]) -> dict[tuple[str, str], tuple[str, str]]:
        """Return title and target of calls, as their rows show them, by conversation and call."""
        parameters = (self._profile, json.dumps(list(call_ids)))
        return await self._database.read(
            lambda c: {
                (row[0], row[1]): (row[2], row[3]) for row in c.execute(_SELECT_LABELS, parameters)
            }
        )

    async def advance(
        self, turn_id: str, state: TurnState, failure: StoredFailure | None = None
    ) -> None:
        """Store the state of a message."""
        sql = "UPDATE turns SET state = ?, failure = ? WHERE turn_id = ?"
        await self._update(sql, state.value, _failure_text(failure), turn_id)

    async def begin(
        self, turn_id: str, known_upto: int, declared: Mapping[str, str], model: str = ""
    ) -> None:
        """Store that a message is about to be sent; messages up to `known_upto` were known.

        `model` is the display name of the model that is to answer.
        """
        sql = (
            "UPDATE turns SET state = ?, failure = NULL, known_upto = ?, declared = ?, model = ?"
            " WHERE turn_id = ?"
        )
        tools, model = json.dumps(dict(declared)), storable(model)
        await self._update(sql, TurnState.SENDING.value, known_upto, tools, model, turn_id)

    async def set_usage(self, turn_id: str, usage: Usage, model: str) -> None:
        """Store the usage of the reply so far, and the display name of the model that answered."""
        sql = "UPDATE turns SET usage = ?, model = ? WHERE turn_id = ?"
        await self._update(sql, _usage(usage), storable(model), turn_id)

    async def requeue(self, turn_id: str) -> None:
        """Move an undelivered message to the end of the queue.

        `known_upto` of its first sending stays, since that request may still arrive late.
        """
        sql = (
            "UPDATE turns SET state = ?, failure = NULL, declared = '{}',"
            " sequence = (SELECT max(sequence) + 1 FROM turns) WHERE turn_id = ?"
        )
        await self._update(sql, TurnState.QUEUED.value, turn_id)

    async def swap(self, first: str, second: str) -> None:
        """Swap two waiting messages in the queue."""
        sql = (
            # The sum of both less one's own is the other's; in one step, no cut leaves two alike.
            "UPDATE turns SET sequence = (SELECT sum(sequence) FROM turns WHERE turn_id IN (?, ?))"
            " - sequence WHERE turn_id IN (?, ?)"
        )
        await self._update(sql, first, second, first, second)

    async def keep_pieces(self, turn_id: str, pieces: Mapping[int, ReplyPiece]) -> None:
        """Store pieces of a reply at their positions; other pieces stay."""
        rows = [(turn_id, position, *_piece_row(piece)) for position, piece in pieces.items()]
        await self._database.change(_PUT_PIECE, *rows)

    async def replace(self, turn: StoredTurn) -> None:
        """Replace everything stored of a message, unless it was deleted meanwhile."""
        known = (turn.known_upto, json.dumps(dict(turn.declared)), turn.user_message_id)
        told = (_usage(turn.usage), storable(turn.model))
        values = (turn.state.value, _failure_text(turn.failure), *known, *told, turn.turn_id)
        rows = [(turn.turn_id, at, *_piece_row(piece)) for at, piece in enumerate(turn.pieces)]

        def work(connection: sqlite3.Connection) -> None:
            if connection.execute(_REPLACE, values).rowcount:
                connection.execute("DELETE FROM pieces WHERE turn_id = ?", (turn.turn_id,))
                connection.executemany(_PUT_PIECE, rows)

        await self._database.write(work)

    async def remove(self, turn_id: str) -> None:
        """Delete a withdrawn message."""
        await self._database.change("DELETE FROM turns WHERE turn_id = ?", (turn_id,))

    async def _update(self, sql: str, *values: str | int | None) -> None:
        await self._database.change(sql, values)


def _read_pieces(connection: sqlite3.Connection, where: tuple[str, str]) -> _Pieces:
    pieces: _Pieces = {}
    for turn_id, kind, *rest in connection.execute(_SELECT_PIECES, where):
        pieces.setdefault(turn_id, []).append(ReplyPiece(PieceKind(kind), *rest))
    return pieces


def _piece_row(piece: ReplyPiece) -> tuple[str | float | None, ...]:
    return (
        piece.kind.value,
        storable(piece.text),
        storable(piece.message_id),
        piece.agent_name and storable(piece.agent_name),
        piece.agent_display_name and storable(piece.agent_display_name),
        storable(piece.call_id),
        storable(piece.title),
        storable(piece.target),
        piece.seconds,
    )


def _usage(usage: Usage | None) -> str | None:
    return json.dumps(asdict(usage)) if usage is not None else None


def _failure_text(failure: StoredFailure | None) -> str | None:
    if failure is None:
        return None
    return json.dumps({"reason": failure.reason, "values": dict(failure.values)})


def _kept(conversation_id: str, row: _TurnRow, pieces: _Pieces, attached: _Attached) -> StoredTurn:
    turn_id, sequence, text, agent_name, state, created_at = row[:6]
    known_upto, user_message_id, failure, declared, words_length, usage, model = row[6:]
    return StoredTurn(
        turn_id,
        conversation_id,
        sequence,
        text,
        agent_name,
        TurnState(state),
        datetime.fromisoformat(created_at),
        known_upto,
        user_message_id,
        StoredFailure(**json.loads(failure)) if failure is not None else None,
        json.loads(declared),
        tuple(pieces.get(turn_id, ())),
        read_usage(json.loads(usage)) if usage is not None else None,
        model,
        words_length=words_length,
        attachments=tuple(item for item in attached.get(turn_id, ()) if not item.call_id),
        call_images=tuple(item for item in attached.get(turn_id, ()) if item.call_id),
    )
