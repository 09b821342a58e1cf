"""Which assistant answers whom."""

from dataclasses import dataclass

from local_server.assistant.reply import Assistant
from local_server.store.records import Owner


@dataclass(frozen=True)
class Assistants:
    """The assistants of one run. Whoever made them closes them.

    Attributes:
        live: Answers live keys.
        test: Answers test keys, always the same way and at no cost (our choice).
    """

    live: Assistant
    test: Assistant

    def of(self, owner: Owner) -> Assistant:
        """Find the assistant that answers this owner."""
        return self.test if owner.mode == "test" else self.live

    async def aclose(self) -> None:
        """Let go of what the assistants hold, once no reply is under way any more."""
        await self.live.aclose()
        await self.test.aclose()
