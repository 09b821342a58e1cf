"""Counts that the list needs are kept, and tool calls remember what their reply had come to."""

from alembic.operations import Operations
from sqlalchemy import Column, Integer, String, Text

_COUNT_MESSAGES = """
UPDATE conversations SET message_count = (
    SELECT count(*) FROM messages WHERE messages.conversation_id = conversations.id
)
"""
_COUNT_CONVERSATIONS = """
INSERT INTO owners (project, mode, conversation_count)
SELECT project, mode, count(*) FROM conversations GROUP BY project, mode
"""
# Until now each call was asked for alone.
_NUMBER_ROUNDS = """
UPDATE tool_calls SET round = (
    SELECT count(*) FROM tool_calls AS earlier
    WHERE earlier.message_id = tool_calls.message_id AND earlier.seq < tool_calls.seq
)
"""


def upgrade(operations: Operations) -> None:
    """Change a database of shape 1."""
    _keep_counts(operations)
    _remember_replies(operations)


def _keep_counts(operations: Operations) -> None:
    count = Column("message_count", Integer, nullable=False, server_default="0")
    operations.add_column("conversations", count)
    operations.execute(_COUNT_MESSAGES)
    long, short = String(64), String(8)
    operations.create_table(
        "owners",
        Column("project", long.with_variant(Text(), "postgresql"), primary_key=True),
        Column("mode", short.with_variant(Text(), "postgresql"), primary_key=True),
        Column("conversation_count", Integer, nullable=False),
    )
    operations.execute(_COUNT_CONVERSATIONS)


def _remember_replies(operations: Operations) -> None:
    for column in (
        Column("round", Integer, nullable=False, server_default="0"),
        Column("used_skills", Text, nullable=False, server_default="[]"),
        Column("hand_overs_left", Integer, nullable=False, server_default="0"),
    ):
        operations.add_column("tool_calls", column)
    operations.create_index("tool_calls_by_message", "tool_calls", ["message_id", "seq"])
    operations.execute(_NUMBER_ROUNDS)
