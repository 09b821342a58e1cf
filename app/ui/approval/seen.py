"""Which parts of a long text have been on screen, so that none is allowed unseen."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Seen:
    """The parts of a column, in pixels or characters from its top, that have been on screen."""

    _parts: list[tuple[int, int]] = field(default_factory=list)

    def add(self, top: int, bottom: int) -> None:
        """Note that everything from `top` to before `bottom` was on screen."""
        if bottom <= top:
            return
        apart = []
        for first, last in self._parts:
            if last < top or first > bottom:
                apart.append((first, last))
            else:
                top, bottom = min(top, first), max(bottom, last)
        self._parts = sorted([*apart, (top, bottom)])

    def first_gap(self, height: int) -> int | None:
        """Return where the first unseen part of a column of `height` begins, or None."""
        return self.first_gap_in(0, height)

    def first_gap_in(self, top: int, bottom: int) -> int | None:
        """Return where the first unseen part between these begins, or None."""
        for first, last in self._parts:
            if first > top:
                break
            top = max(top, last)
        return top if top < bottom else None

    def clear(self) -> None:
        """Forget everything: another text, or the same one laid out differently."""
        self._parts.clear()
