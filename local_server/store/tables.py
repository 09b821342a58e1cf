"""The current tables and their schema version.

To change a table, add a step to `local_server.store.migrations` and raise the version. Columns
added later have a default in the database, so that SQLite can add them in place.
"""

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
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

SCHEMA_VERSION: Final = 11
_ESCAPE: Final = "\x1a"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

metadata = MetaData()

schema_version = Table("schema_version", metadata, Column("version", Integer, nullable=False))


class UtcDateTime(TypeDecorator[datetime]):
    """A timezone-aware time, stored as microseconds since 1970 so that every database sorts it."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Convert a time to microseconds."""
        del dialect
        return None if value is None else (value - _EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Convert microseconds to a time in UTC."""
        del dialect
        return None if value is None else _EPOCH + timedelta(microseconds=value)


class NulEscaped(TypeDecorator[str]):
    """Text for PostgreSQL, which cannot store NUL: NUL is escaped as two characters."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Escape NUL."""
        del dialect
        if value is None:
            return None
        return value.replace(_ESCAPE, _ESCAPE + "e").replace("\0", _ESCAPE + "0")

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Unescape NUL."""
        del dialect
        if value is None:
            return None
        return value.replace(_ESCAPE + "0", "\0").replace(_ESCAPE + "e", _ESCAPE)


def _words(length: int | None = None) -> TypeEngine[str]:
    """Make a type for text of any characters; SQLite stores them all as they are."""
    plain = Text() if length is None else String(length)
    return plain.with_variant(NulEscaped(), "postgresql")


def _sequence() -> Column[int]:
    """Make a number that grows with each row: SQLite numbers only plain INTEGER keys by itself."""
    number = BigInteger().with_variant(Integer, "sqlite")
    return Column("seq", number, primary_key=True, autoincrement=True)


def _conversation() -> Column[str]:
    key = ForeignKey("conversations.id", ondelete="CASCADE")
    return Column("conversation_id", _words(64), key, nullable=False)


api_keys = Table(
    "api_keys",
    metadata,
    Column("id", _words(64), primary_key=True),
    Column("hash", _words(64), nullable=False, unique=True),
    Column("hint", _words(32), nullable=False),
    Column("project", _words(64), nullable=False),
    Column("mode", _words(8), nullable=False),
    Column("plan", _words(16), nullable=False),
    Column("per_minute", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("revoked_at", UtcDateTime),
)

owners = Table(
    "owners",
    metadata,
    Column("project", _words(64), primary_key=True),
    Column("mode", _words(8), primary_key=True),
    Column("conversation_count", Integer, nullable=False),
)

permits = Table(
    "permits",
    metadata,
    Column("project", _words(64), primary_key=True),
    Column("models", _words(), nullable=False),
    Column("has_settings", Boolean, nullable=False),
    Column("has_titles", Boolean, nullable=False),
    Column("max_output_tokens", Integer),
    Column("tokens_per_day", BigInteger),
    Column("micro_usd_per_day", BigInteger),
)

spending = Table(
    "spending",
    metadata,
    Column("project", _words(64), primary_key=True),
    Column("day", Integer, primary_key=True),
    Column("tokens", BigInteger, nullable=False),
    Column("micro_usd", BigInteger, nullable=False),
)

reservations = Table(
    "reservations",
    metadata,
    Column("id", _words(64), primary_key=True),
    Column("project", _words(64), nullable=False),
    Column("until", UtcDateTime, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("micro_usd", BigInteger, nullable=False),
    Index("reservations_by_project", "project"),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", _words(64), primary_key=True),
    Column("project", _words(64), nullable=False),
    Column("mode", _words(8), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("message_count", Integer, nullable=False, server_default="0"),
    Column("model", _words()),
    Column("settings", _words(), nullable=False, server_default="{}"),
    Column("instructions", _words(), nullable=False, server_default=""),
    Column("fork_id", _words(64)),
    Column("has_title", Boolean, nullable=False, server_default=false()),
    Index("conversations_by_owner", "project", "mode", "updated_at", "id"),
    Index("conversations_by_fork", "project", "mode", "fork_id", unique=True),
)

messages = Table(
    "messages",
    metadata,
    _sequence(),
    Column("id", _words(64), nullable=False, unique=True),
    _conversation(),
    Column("role", _words(16), nullable=False),
    Column("content", _words(), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("notices", _words(), nullable=False, server_default="[]"),
    Index("messages_by_conversation", "conversation_id", "seq"),
    sqlite_autoincrement=True,
)

tool_calls = Table(
    "tool_calls",
    metadata,
    _sequence(),
    Column("id", _words(64), nullable=False, unique=True),
    _conversation(),
    Column("message_id", _words(64), nullable=False),
    Column("name", _words(), nullable=False),
    Column("input", _words(), nullable=False),
    Column("tools", _words(), nullable=False),
    Column("agent_name", _words(), nullable=False),
    Column("offset", Integer, nullable=False),
    Column("state", _words(16), nullable=False),
    Column("result", _words()),
    Column("is_finished", Boolean, nullable=False),
    Column("round", Integer, nullable=False, server_default="0"),
    Column("used_skills", _words(), nullable=False, server_default="[]"),
    Column("hand_overs_left", Integer, nullable=False, server_default="0"),
    Column("origin", _words()),
    Index("tool_calls_by_conversation", "conversation_id", "seq"),
    Index("tool_calls_by_message", "message_id", "seq"),
    sqlite_autoincrement=True,
)

images = Table(
    "images",
    metadata,
    _conversation(),
    Column("message_id", _words(64), primary_key=True),
    # Empty where the image goes with the message itself.
    Column("call_id", _words(64), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("project", _words(64), nullable=False),
    Column("mode", _words(8), nullable=False),
    Column("name", _words(), nullable=False),
    Column("media_type", _words(64), nullable=False),
    Column("sha256", _words(64), nullable=False),
    Index("images_by_conversation", "conversation_id"),
    Index("images_by_content", "project", "mode", "sha256"),
)

image_contents = Table(
    "image_contents",
    metadata,
    Column("project", _words(64), primary_key=True),
    Column("mode", _words(8), primary_key=True),
    Column("sha256", _words(64), primary_key=True),
    Column("size_bytes", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
