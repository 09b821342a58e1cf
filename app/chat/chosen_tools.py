"""Which of the tools a chat goes without."""

from collections.abc import Awaitable, Callable

from app.store.store import ProfileStore


class ChosenTools:
    """The choice of one chat, kept in the store. Made by a session, lives as long.

    `open_first` reads what is kept of the chat, `tell` says that the choice is another one.
    """

    def __init__(
        self,
        store: ProfileStore,
        conversation_id: str,
        open_first: Callable[[], Awaitable[None]],
        tell: Callable[[], None],
    ) -> None:
        self._store = store.marks
        self._conversation_id = conversation_id
        self._open_first = open_first
        self._tell = tell
        self._off: frozenset[str] = frozenset()

    @property
    def off(self) -> frozenset[str]:
        """The names of the tools that are not declared with the next message, nor run."""
        return self._off

    def restore(self, off: frozenset[str]) -> None:
        """This was kept."""
        self._off = off

    async def go_without(self, tools: frozenset[str]) -> None:
        """Go without exactly these tools from now on.

        Raises:
            StoreError: it could not be kept; the old choice stays.
            UserFacingError: the chat was deleted.
        """
        await self._open_first()
        await self._store.set_tools_off(self._conversation_id, tools)
        self._off = tools
        self._tell()
