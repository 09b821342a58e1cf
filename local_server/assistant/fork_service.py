"""The extension `fork`: conversations that begin as a copy of another one, or with a text."""

from dataclasses import dataclass

from local_server.coordination import ConversationLocks
from local_server.errors import ConversationNotFoundError
from local_server.schemas import CreateRequest
from local_server.store.forks import Forks, GivenText
from local_server.store.records import Conversation, Owner


@dataclass(frozen=True)
class ForkService:
    """Makes forks while nothing is written in what they copy.

    One for the life of the application.
    """

    forks: Forks
    locks: ConversationLocks

    async def make(self, owner: Owner, request: CreateRequest) -> Conversation | None:
        """Make what a request asks for, or find it where it was made before.

        Returns:
            The fork; None when the request asks for none.

        Raises:
            ConversationNotFoundError: When the owner has no conversation to copy.
            MessageNotFoundError: When that has no such message.
            ConversationBusyError: When a turn is under way there.
        """
        if request.fork_id is None:
            return None
        made = await self.forks.find(owner, request.fork_id)
        if made is not None:
            return made
        if request.source is None:
            given = [
                GivenText(one.role, one.content, one.created_at) for one in request.messages or ()
            ]
            return await self.forks.begin(owner, request.fork_id, given)
        lock = await self.locks.acquire(owner, request.source)
        try:
            copied = await self.forks.copy(owner, request.fork_id, request.source, request.through)
        finally:
            await lock.release()
        if copied is None:
            raise ConversationNotFoundError
        return copied
