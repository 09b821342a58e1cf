"""Specification 4.6 and 4.7: the agents and skills of a project, as bare arrays.

Also `GET /v1/models` (extension `models`): the models that a project may choose for a chat.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from local_server.assistant.allowances import Allowances
from local_server.assistant.catalog import Catalog, Catalogs
from local_server.assistant.reply import ModelChoices, ModelDescription
from local_server.auth import CurrentCaller
from local_server.errors import NotFoundError, error_responses
from local_server.schemas import (
    ALWAYS,
    ANNOUNCE_HEADER,
    AgentBody,
    ModelBody,
    ModelsBody,
    PriceBody,
    SkillBody,
    announcement,
)

router = APIRouter()


async def _catalog(request: Request, caller: CurrentCaller) -> Catalog:
    catalogs: Catalogs = request.app.state.catalogs
    return await catalogs.of(caller.owner.project)


CatalogDep = Annotated[Catalog, Depends(_catalog)]


@router.get("/v1/agents", summary="List the enabled agents", responses=error_responses())
async def list_agents(
    request: Request, caller: CurrentCaller, response: Response, catalog: CatalogDep
) -> list[AgentBody]:
    """Answer specification 4.6; the header `Parley-Extensions` announces the extensions."""
    allowances: Allowances = request.app.state.allowances
    allowance = await allowances.of(caller.owner)
    response.headers[ANNOUNCE_HEADER] = announcement((*allowance.extensions, *ALWAYS))
    return [
        AgentBody(
            name=agent.name,
            display_name=agent.display_name,
            description=agent.description,
            is_default=agent.is_default,
            is_enabled=agent.is_enabled,
        )
        for agent in catalog.agents
    ]


@router.get("/v1/skills", summary="List the enabled skills", responses=error_responses())
async def list_skills(catalog: CatalogDep) -> list[SkillBody]:
    """Answer specification 4.7."""
    return [
        SkillBody(
            name=skill.name,
            display_name=skill.display_name,
            description=skill.description,
            version=skill.version,
            author=skill.author,
        )
        for skill in catalog.skills
    ]


async def _choices(request: Request, caller: CurrentCaller) -> ModelChoices:
    allowances: Allowances = request.app.state.allowances
    models = (await allowances.of(caller.owner)).models
    if models is None:
        # The same words as for an unknown path, since the extension is not announced.
        raise NotFoundError("There is nothing at this path.")
    return models


@router.get(
    "/v1/models",
    summary="List the models of a chat",
    responses=error_responses(NotFoundError),
    response_model_exclude_unset=True,
)
async def list_models(choices: Annotated[ModelChoices, Depends(_choices)]) -> ModelsBody:
    """List the allowed values of a message's field `model`; 404 if the project may not choose."""
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
        **({"always_thinks": True} if model.always_thinks else {}),
        **({"list_fault": model.list_fault} if model.list_fault else {}),
    )
