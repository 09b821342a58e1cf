"""What `parley-server keys` does."""

from dataclasses import dataclass
from typing import Final

from local_server.assistant.catalog_overrides import ProjectNameError, check_project_name
from local_server.auth import ENTERPRISE, KEY_PREFIX, PLANS, hash_key, make_key
from local_server.commands.backend_choice import with_data, with_store
from local_server.commands.options import CommandError
from local_server.store.opening import ServiceStore, StoreAddress, has_data
from local_server.store.records import KeyRecord, Mode, Owner

_HINT_CHARS: Final = 12


@dataclass(frozen=True)
class MadeKey:
    """A new key, shown once, and the id to revoke it by.

    Attributes:
        is_first: Whether there was no data before; the name of the folder may then be mistyped.
    """

    key: str
    key_id: str
    is_first: bool


async def create_key(
    where: StoreAddress, project: str, mode: Mode, plan: str, per_minute: int | None
) -> MadeKey:
    """Make a key for a project.

    Raises:
        CommandError: When the project has no possible name, or plan and limit do not fit together.
    """
    try:
        check_project_name(project)
    except ProjectNameError as exc:
        raise CommandError(str(exc)) from exc
    limit = _per_minute(plan, per_minute)
    key = make_key(mode)
    digest, hint = hash_key(key.encode()), f"{key[:_HINT_CHARS]}…"

    async def add(store: ServiceStore) -> str:
        return await store.keys.add(Owner(project, mode), digest, hint, plan, limit)

    is_first = not has_data(where)
    return MadeKey(key, await with_store(where, add), is_first)


async def list_keys(where: StoreAddress) -> str:
    """Write all keys as lines, oldest first.

    Raises:
        CommandError: When there are no data.
    """
    rows = await with_data(where, lambda store: store.keys.list())
    return "\n".join(_line(row) for row in rows) or "There are no keys yet."


async def report_keys(where: StoreAddress) -> list[dict[str, str | int | None]]:
    """List all keys for programs, oldest first.

    Raises:
        CommandError: When there are no data.
    """
    return [_report(row) for row in await with_data(where, lambda store: store.keys.list())]


async def revoke_key(where: StoreAddress, key_id: str) -> None:
    """Make a key invalid.

    Raises:
        CommandError: When no valid key has this id, the key itself is given, or there are no data.
    """
    if key_id.startswith(KEY_PREFIX):
        raise CommandError("Name the key by its id, as “keys list” shows it, not by itself.")
    if not await with_data(where, lambda store: store.keys.revoke(key_id)):
        raise CommandError(f"There is no valid key with the id {key_id}.")


def _per_minute(plan: str, per_minute: int | None) -> int:
    if plan == ENTERPRISE:
        if per_minute is None:
            raise CommandError("The plan enterprise needs its limit: --requests-per-minute N.")
        return per_minute
    if plan not in PLANS:
        raise CommandError(f"There is no plan {plan}; there are free, pro and enterprise.")
    if per_minute is not None:
        raise CommandError(
            f"The plan {plan} has its own limit; --requests-per-minute is for enterprise."
        )
    return PLANS[plan]


def _line(row: KeyRecord) -> str:
    made = row.created_at.date().isoformat()
    ended = f"revoked {row.revoked_at.date().isoformat()}" if row.revoked_at else "valid"
    owner = f"{row.owner.project}/{row.owner.mode}"
    return f"{row.id}  {row.hint}  {owner}  {row.plan} ({row.per_minute} a minute)  {made}  {ended}"


def _report(row: KeyRecord) -> dict[str, str | int | None]:
    return {
        "id": row.id,
        "hint": row.hint,
        "project": row.owner.project,
        "mode": row.owner.mode,
        "plan": row.plan,
        "requests_per_minute": row.per_minute,
        "created_at": row.created_at.isoformat(),
        "revoked_at": row.revoked_at.isoformat() if row.revoked_at else None,
    }
