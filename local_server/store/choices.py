"""What was chosen for a conversation, in the columns of its row: model, settings, instructions."""

import json
from dataclasses import asdict
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import BindParameter, Boolean, Column, ColumnElement, Row, bindparam, case

from local_server.store.records import (
    DEFAULT_SETTINGS,
    ChatChoices,
    ChoiceChanges,
    ReplySettings,
    Unchanged,
)
from local_server.store.tables import conversations

_STORED_SETTINGS: Final = TypeAdapter(ReplySettings)
_NO_SETTINGS: Final = "{}"


def _changed(column: Column[Any]) -> ColumnElement[Any]:
    """Write `new_NAME` where `changes_NAME` says so."""
    chosen: BindParameter[Any] = bindparam(f"new_{column.name}", type_=column.type)
    return case((bindparam(f"changes_{column.name}", type_=Boolean), chosen), else_=column)


COLUMNS: Final = (conversations.c.model, conversations.c.settings, conversations.c.instructions)
# For an update; `changed_values` has its parameters.
CHANGED: Final = {column.name: _changed(column) for column in COLUMNS}


def changed_values(changes: ChoiceChanges) -> dict[str, object]:
    """Return the parameters of `CHANGED`."""
    settings = changes.settings
    written = settings if isinstance(settings, Unchanged) else _settings_text(settings)
    new = {"model": changes.model, "settings": written, "instructions": changes.instructions}
    named: dict[str, object] = {}
    for name, value in new.items():
        is_same = isinstance(value, Unchanged)
        named |= {f"changes_{name}": not is_same, f"new_{name}": None if is_same else value}
    return named


def read_choices(row: Row[Any]) -> ChatChoices:
    """Read the choices from a row with all of `COLUMNS`."""
    return ChatChoices(row.model, _settings(row.settings), row.instructions)


def _settings_text(settings: ReplySettings) -> str:
    chosen = {name: value for name, value in asdict(settings).items() if value is not None}
    return json.dumps(chosen)


def _settings(text: str) -> ReplySettings:
    """Read stored settings; none where they are damaged, which must not cost the chat."""
    if text == _NO_SETTINGS:
        return DEFAULT_SETTINGS
    try:
        return _STORED_SETTINGS.validate_json(text)
    except ValidationError:
        return DEFAULT_SETTINGS
