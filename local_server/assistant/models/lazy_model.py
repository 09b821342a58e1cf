"""A model that is made when it is first asked."""

import asyncio
from collections.abc import Callable

from local_server.assistant.models.answer import Answer, Texts, Upstream
from local_server.assistant.models.prompt import Prompt


class LazyModel:
    """Stands for a model that takes long to make, by its libraries or certificates.

    One for the life of the service.
    """

    def __init__(self, label: str, make: Callable[[], Upstream]) -> None:
        """Make one; `make` is called in a thread, at most once."""
        self._label = label
        self._make = make
        self._making: asyncio.Task[Upstream] | None = None

    @property
    def label(self) -> str:
        """What the user knows the model by."""
        return self._label

    def warm_up(self) -> None:
        """Begin to load, without waiting for the end."""
        if self._making is None:
            self._making = asyncio.create_task(asyncio.to_thread(self._make))

    async def window(self) -> int:
        """How many tokens question and answer may have together."""
        return await (await self._made()).window()

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once, and wait until the answer begins.

        Raises:
            UpstreamError: When the model cannot answer.
        """
        return await (await self._made()).ask(prompt, answer)

    async def aclose(self) -> None:
        """Let go of connections."""
        if self._making is None:
            return
        await asyncio.wait([self._making])
        if self._making.exception() is None:
            await self._making.result().aclose()

    async def _made(self) -> Upstream:
        self.warm_up()
        if self._making is None:
            raise RuntimeError("warming up starts the making")
        # Who asked first may leave; the others still want it.
        return await asyncio.shield(self._making)
