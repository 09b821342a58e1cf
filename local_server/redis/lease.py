"""A claim that ends by itself unless it is renewed."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable


class Lease:
    """The right to write in one conversation, for as long as it was last renewed for.

    Made by `RedisClaims.take`; it ends with its release or its loss.

    Attributes:
        key: Where it is kept.
        token: What is kept there as long as the right is this one's.
        lost: Done when the right has passed; never after the release.
    """

    def __init__(self, key: str, give_back: Callable[["Lease"], Awaitable[None]]) -> None:
        self.key = key
        self.token = secrets.token_hex(16)
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._give_back = give_back
        self._giving_back: asyncio.Future[None] | None = None
        self._end: asyncio.TimerHandle | None = None

    @property
    def is_released(self) -> bool:
        """Tell whether the holder has let go of it."""
        return self._giving_back is not None

    @property
    def is_over(self) -> bool:
        """Tell whether it holds nothing any more."""
        return self.is_released or self.lost.done()

    def last_until(self, time: float) -> None:
        """Let it pass at a time of the loop, unless that is moved again before."""
        self._forget_end()
        if not self.is_over:
            self._end = asyncio.get_running_loop().call_at(time, self.lose)

    def lose(self) -> None:
        """Tell the holder that the right has passed."""
        self._forget_end()
        if not self.is_over:
            self.lost.set_result(None)

    async def release(self) -> None:
        """Give the right back; when this returns, the next one may have it."""
        self._forget_end()
        if self._giving_back is None:
            self._giving_back = asyncio.ensure_future(self._give_back(self))
        await asyncio.shield(self._giving_back)

    def _forget_end(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
