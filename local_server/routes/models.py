"""The extension `models`: what can be chosen for a chat, by those who may."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from local_server.assistant.allowances import Allowances
from local_server.assistant.reply import ModelChoices, ModelDescription
from local_server.auth import CurrentCaller
from local_server.errors import NotFoundError, error_responses
from local_server.schemas import ModelBody, ModelsBody, PriceBody

router = APIRouter()


async def _choices(request: Request, caller: CurrentCaller) -> ModelChoices:
    allowances: Allowances = request.app.state.allowances
    models = (await allowances.of(caller.owner)).models
    if models is None:
        raise NotFoundError("There is nothing at this path.")
    return models


@router.get(
    "/v1/models", summary="List the models of a chat", responses=error_responses(NotFoundError)
)
async def list_models(choices: Annotated[ModelChoices, Depends(_choices)]) -> ModelsBody:
    """List what the field `model` of a message may be, where the project may choose one."""
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
