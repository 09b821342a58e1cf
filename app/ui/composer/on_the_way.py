"""What the box has given away and still shows, until it is kept."""


class OnTheWay:
    """Tells the messages in the box apart, by where Enter was pressed.

    The first is being kept, the others follow it one by one; what was typed after the last Enter
    is nobody's message yet. Made by the composer; ends with it.
    """

    def __init__(self) -> None:
        self._given: str | None = None
        self._next: list[str] = []

    @property
    def is_keeping(self) -> bool:
        """Whether a message was given away and is not kept yet."""
        return self._given is not None

    def begin(self, text: str) -> None:
        """This message, with which the box begins, was given away."""
        self._given = text

    def add(self, text: str) -> None:
        """Enter was pressed once more while `text` was in the box."""
        before = "".join((self._given or "", *self._next))
        if text.startswith(before):
            rest = text[len(before) :]
        else:
            # The words that are on their way were changed: what is there now is meant.
            self._next.clear()
            rest = text
        if rest.strip():
            self._next.append(rest)

    def end(self, text: str) -> tuple[str, str]:
        """The first message is kept, or nothing was on its way.

        Returns what is left of `text` in the box, and with which message, if any, it now begins
        that is to be given away in its turn.
        """
        given, self._given = self._given or "", None
        rest = text.removeprefix(given)
        if self._next and rest.startswith(self._next[0]):
            return rest, self._next.pop(0)
        self._next.clear()
        return rest, ""

    def stay(self) -> None:
        """None of them goes: all stay in the box."""
        self._given = None
        self._next.clear()

    def end_with_first(self) -> None:
        """Only the first message goes; the box is about to show something else."""
        self._next.clear()
