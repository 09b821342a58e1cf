"""The moment from which the service ends what is still open."""

from collections.abc import Callable


class ShutdownEvent:
    """Tells whoever asked for it that the service stops. One for the life of the application."""

    def __init__(self) -> None:
        self._is_set = False
        self._listeners: set[Callable[[], None]] = set()

    def set(self) -> None:
        """Tell everybody, once however often it is called; whoever asks later is told at once."""
        if self._is_set:
            return
        self._is_set = True
        for listener in tuple(self._listeners):
            listener()

    def is_set(self) -> bool:
        """Tell whether the service is stopping."""
        return self._is_set

    @property
    def is_awaited(self) -> bool:
        """Whether somebody goes on until the service stops."""
        return bool(self._listeners) and not self._is_set

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call a listener when the service stops, and now if it does already."""
        self._listeners.add(listener)
        if self._is_set:
            listener()

    def unsubscribe(self, listener: Callable[[], None]) -> None:
        """Call a listener no more."""
        self._listeners.discard(listener)
