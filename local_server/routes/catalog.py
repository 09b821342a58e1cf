"""Specification 4.6 and 4.7: the agents and skills of a project, as bare arrays."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from local_server.assistant.allowances import Allowances
from local_server.assistant.catalog import Catalog, Catalogs
from local_server.auth import CurrentCaller
from local_server.errors import error_responses
from local_server.extensions import ALWAYS, ANNOUNCE_HEADER, announcement
from local_server.schemas import AgentBody, SkillBody

router = APIRouter()


async def _catalog(request: Request, caller: CurrentCaller) -> Catalog:
    catalogs: Catalogs = request.app.state.catalogs
    return await catalogs.of(caller.owner.project)


CatalogDep = Annotated[Catalog, Depends(_catalog)]


@router.get("/v1/agents", summary="List the enabled agents", responses=error_responses())
async def list_agents(
    request: Request, caller: CurrentCaller, response: Response, catalog: CatalogDep
) -> list[AgentBody]:
    """Answer specification 4.6, and announce the extensions."""
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
