"""Tool calls remember the answer of the model that asked for them, as its provider wrote it."""

from alembic.operations import Operations
from sqlalchemy import Column, Text


def upgrade(operations: Operations) -> None:
    """Change a database of shape 2."""
    operations.add_column("tool_calls", Column("origin", Text))
