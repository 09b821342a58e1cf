"""What `parley-server projects` does."""

from dataclasses import dataclass
from typing import Final

from local_server.assistant.catalog_overrides import ProjectNameError, check_project_name
from local_server.assistant.models.providers import ModelId, UnknownModelError
from local_server.commands.backend_choice import with_data
from local_server.commands.options import CommandError
from local_server.settings import utc_now
from local_server.store.opening import ServiceStore, StoreAddress
from local_server.store.records import Permit, Spent

_MICRO: Final = 1_000_000


@dataclass(frozen=True)
class _Row:
    project: str
    permit: Permit
    spent: Spent


async def allow(where: StoreAddress, project: str, permit: Permit) -> str:
    """Allow a project this, in place of what it was allowed before; returns it in words.

    Raises:
        CommandError: When a model or the project has no possible name, or there are no data.
    """
    try:
        check_project_name(project)
        for model in permit.models:
            ModelId.read(model)
    except (ProjectNameError, UnknownModelError) as exc:
        raise CommandError(str(exc)) from exc
    await with_data(where, lambda store: store.permits.put(project, permit))
    return f"{project}: {_in_words(permit)}"


async def forbid(where: StoreAddress, project: str) -> None:
    """Allow a project nothing any more.

    Raises:
        CommandError: When it was allowed nothing, or there are no data.
    """
    if not await with_data(where, lambda store: store.permits.remove(project)):
        raise CommandError(f"The project {project} was allowed nothing.")


async def list_permits(where: StoreAddress) -> str:
    """Write what each project is allowed, and what it used today (UTC), as lines.

    Raises:
        CommandError: When there are no data.
    """
    lines = []
    for row in await with_data(where, _rows):
        line = f"{row.project}: {_in_words(row.permit)}"
        if row.permit.has_ceiling:
            usd = row.spent.micro_usd / _MICRO
            line += f"; used today: {row.spent.tokens:,} tokens, {usd:.4f} USD"
        lines.append(line)
    return "\n".join(lines) or "No project is allowed anything."


async def report_permits(where: StoreAddress) -> list[dict[str, object]]:
    """List for programs what `list_permits` does.

    Raises:
        CommandError: When there are no data.
    """
    return [_report(row) for row in await with_data(where, _rows)]


async def _rows(store: ServiceStore) -> list[_Row]:
    today = utc_now().date()
    return [
        _Row(project, permit, await store.permits.spent(project, today))
        for project, permit in (await store.permits.list()).items()
    ]


def _in_words(permit: Permit) -> str:
    choices = [f"the models {', '.join(permit.models)}"] if permit.models else []
    choices += ["settings and instructions"] if permit.has_settings else []
    choices += ["titles"] if permit.has_titles else []
    ceilings = []
    if permit.max_output_tokens is not None:
        ceilings.append(f"{permit.max_output_tokens:,} tokens an answer")
    if permit.tokens_per_day is not None:
        ceilings.append(f"{permit.tokens_per_day:,} tokens a day")
    if permit.micro_usd_per_day is not None:
        ceilings.append(f"{permit.micro_usd_per_day / _MICRO:g} USD a day")
    words = ", ".join(choices) or "no choices"
    return f"{words}; at most {', '.join(ceilings)}" if ceilings else words


def _report(row: _Row) -> dict[str, object]:
    permit = row.permit
    usd = permit.micro_usd_per_day
    return {
        "project": row.project,
        "models": list(permit.models),
        "settings": permit.has_settings,
        "titles": permit.has_titles,
        "max_output_tokens": permit.max_output_tokens,
        "tokens_per_day": permit.tokens_per_day,
        "usd_per_day": None if usd is None else usd / _MICRO,
        "used_today": {
            "tokens": row.spent.tokens,
            "usd": row.spent.micro_usd / _MICRO,
        },
    }
