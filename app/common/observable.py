"""Subscriptions to changes, for layers without Qt; callbacks run on the loop's thread."""

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Subscribers(Generic[P]):
    """The subscribers to one kind of change. Owned by whatever changes; ends with it."""

    def __init__(self) -> None:
        self._callbacks: dict[object, Callable[P, None]] = {}

    def subscribe(self, callback: Callable[P, None]) -> Callable[[], None]:
        """Subscribe, and return what ends the subscription; that may be called twice."""
        # A token of its own, since the same callback may subscribe twice.
        token = object()
        self._callbacks[token] = callback

        def unsubscribe() -> None:
            self._callbacks.pop(token, None)

        return unsubscribe

    def notify(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all subscribers, in the order in which they subscribed."""
        # A copy: what is called may subscribe, or end a subscription.
        for callback in tuple(self._callbacks.values()):
            callback(*args, **kwargs)

    def __bool__(self) -> bool:
        return bool(self._callbacks)
