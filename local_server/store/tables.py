"""The tables, and the number that says which shape of them a database has."""

from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)
from sqlalchemy.types import TypeDecorator

SCHEMA_VERSION: Final = 1
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

metadata = MetaData()


class Moment(TypeDecorator[datetime]):
    """A moment with its zone, kept as microseconds since 1970 so that it sorts everywhere."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Write a moment."""
        del dialect
        return None if value is None else (value - _EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Read a moment."""
        del dialect
        return None if value is None else _EPOCH + timedelta(microseconds=value)


def _sequence() -> Column[int]:
    """A number that grows with each row (SQLite numbers only plain INTEGER keys by itself)."""
    number = BigInteger().with_variant(Integer, "sqlite")
    return Column("seq", number, primary_key=True, autoincrement=True)


def _conversation() -> Column[str]:
    key = ForeignKey("conversations.id", ondelete="CASCADE")
    return Column("conversation_id", String(64), key, nullable=False)


schema_version = Table("schema_version", metadata, Column("version", Integer, nullable=False))

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("hint", String(32), nullable=False),
    Column("project", String(64), nullable=False),
    Column("mode", String(8), nullable=False),
    Column("plan", String(16), nullable=False),
    Column("per_minute", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("revoked_at", Moment),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("project", String(64), nullable=False),
    Column("mode", String(8), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Index("conversations_by_owner", "project", "mode", "updated_at", "id"),
)

messages = Table(
    "messages",
    metadata,
    _sequence(),
    Column("id", String(64), nullable=False, unique=True),
    _conversation(),
    Column("role", String(16), nullable=False),
    Column("content", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Index("messages_by_conversation", "conversation_id", "seq"),
    sqlite_autoincrement=True,
)

tool_calls = Table(
    "tool_calls",
    metadata,
    _sequence(),
    Column("id", String(64), nullable=False, unique=True),
    _conversation(),
    Column("message_id", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("input", Text, nullable=False),
    Column("tools", Text, nullable=False),
    Column("agent_name", Text, nullable=False),
    Column("offset", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("result", Text),
    Column("is_finished", Boolean, nullable=False),
    Column("round", Integer, nullable=False),
    Column("used_skills", Text, nullable=False),
    Column("hand_overs_left", Integer, nullable=False),
    Index("tool_calls_by_conversation", "conversation_id", "seq"),
    sqlite_autoincrement=True,
)
