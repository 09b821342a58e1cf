"""The store, as the commands of operators use it, also while a service runs on it."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from local_server.commands.options import CommandError
from local_server.settings import utc_now
from local_server.store.database import DatabaseError
from local_server.store.opening import ServiceStore, StoreAddress, has_data

Result = TypeVar("Result")


async def with_data(
    where: StoreAddress, act: Callable[[ServiceStore], Awaitable[Result]]
) -> Result:
    """Use what is there, and make nothing in a folder that was mistyped.

    Raises:
        CommandError: When there are no data, or they cannot be used.
    """
    if not has_data(where):
        raise CommandError(f"There is no data in {where}.")
    return await with_store(where, act)


async def with_store(
    where: StoreAddress, act: Callable[[ServiceStore], Awaitable[Result]]
) -> Result:
    """Use a store, which is made where there is none.

    Raises:
        CommandError: When it cannot be used.
    """
    try:
        store = await ServiceStore.open(where, utc_now)
        try:
            return await act(store)
        finally:
            await store.aclose()
    except DatabaseError as exc:
        raise CommandError(str(exc)) from exc
