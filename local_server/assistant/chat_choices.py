"""Reads what a message chooses for its chat: the model, settings and instructions.

Where nobody may choose, these fields are ignored, as any field is that nobody knows.
"""

from dataclasses import replace
from typing import Any, Final

from pydantic import ValidationError

from local_server.assistant.allowances import ProjectAllowance
from local_server.assistant.reply import ModelChoices
from local_server.errors import InvalidRequestError, ModelNotListedError, explain
from local_server.schemas import ChatRequest, SettingsBody
from local_server.store.records import NO_CHANGES, ChoiceChanges, ReplySettings

_MOST_CHARS: Final = 16_000


async def read_changes(request: ChatRequest, allowance: ProjectAllowance) -> ChoiceChanges:
    """Read what a message changes; null goes back to the default (our choice).

    Args:
        request: The message.
        allowance: What its user may choose.

    Raises:
        InvalidRequestError: When a field has another type, or is out of range.
        ModelNotListedError: When the model is not one of those that are listed.
    """
    given = request.model_fields_set
    changes = NO_CHANGES
    if "model" in given and allowance.models is not None:
        changes = replace(changes, model=await _model(request.model, allowance.models))
    if "settings" in given and allowance.has_settings:
        changes = replace(changes, settings=_settings(request.settings))
    if "instructions" in given and allowance.has_settings:
        changes = replace(changes, instructions=_instructions(request.instructions))
    return changes


async def _model(model: Any, models: ModelChoices) -> str | None:
    if model is None:
        return None
    if not isinstance(model, str):
        raise InvalidRequestError("The field “model” is not a text.")
    found = await models.find(model)
    if found is None:
        raise ModelNotListedError
    return found


def _settings(settings: Any) -> ReplySettings:
    try:
        read = SettingsBody.model_validate({} if settings is None else settings)
    except ValidationError as exc:
        raise InvalidRequestError(
            f"The field “settings” does not fit: {explain(exc.errors())}."
        ) from exc
    return ReplySettings(read.temperature, read.max_output_tokens, read.thinking)


def _instructions(instructions: Any) -> str:
    if instructions is None:
        return ""
    if not isinstance(instructions, str):
        raise InvalidRequestError("The field “instructions” is not a text.")
    if len(instructions) > _MOST_CHARS:
        raise InvalidRequestError(
            f"The instructions of a chat have at most {_MOST_CHARS:,} characters; these have "
            f"{len(instructions):,}."
        )
    return instructions.strip()
