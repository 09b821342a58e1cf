"""The extension `models`: what can be chosen for a chat. Served where it is announced."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from local_server.assistant.reply import ModelChoices, ModelDescription
from local_server.auth import CurrentCaller
from local_server.errors import error_responses
from local_server.schemas import ModelBody, ModelsBody, PriceBody

router = APIRouter()


async def _choices(request: Request) -> ModelChoices:
    choices: ModelChoices = request.app.state.models
    return choices


@router.get("/v1/models", summary="List the models of a chat", responses=error_responses())
async def list_models(
    _caller: CurrentCaller, choices: Annotated[ModelChoices, Depends(_choices)]
) -> ModelsBody:
    """List what the field `model` of a message may be."""
    return ModelsBody(data=[_body(model) for model in await choices.list_models()])


def _body(model: ModelDescription) -> ModelBody:
    price = model.price
    return ModelBody(
        id=model.id,
        display_name=model.display_name,
        provider=model.provider,
        is_default=model.is_default,
        context_window=model.context_window,
        input=["text", "image"] if model.sees_images else ["text"],
        has_tools=model.has_tools,
        has_thinking=model.has_thinking,
        price=price and PriceBody(input=price.input, output=price.output, cached=price.cached),
        state=model.state,
        reason=model.reason,
    )
