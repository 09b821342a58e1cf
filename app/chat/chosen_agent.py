"""Who is to answer in a chat."""

from collections.abc import Awaitable, Callable

from app.store.store import ProfileStore


class ChosenAgent:
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
        self._has_chosen = False
        self._name: str | None = None

    @property
    def name(self) -> str | None:
        """Who answers the next message; None lets the service choose."""
        return self._name

    def restore(self, name: str | None) -> None:
        """This was kept; whoever has chosen in the meantime keeps that."""
        if not self._has_chosen:
            self._name = name

    def choose(self, name: str | None) -> None:
        """Let this one answer from now on; it counts at once, and is kept by `keep`."""
        self._has_chosen = True
        self._name = name
        self._tell()

    async def keep(self) -> None:
        """Write the choice down.

        Raises:
            StoreError: it could not be kept; it holds as long as the chat is open.
            UserFacingError: the chat was deleted.
        """
        await self._open_first()
        await self._store.set_agent(self._conversation_id, self._name)
