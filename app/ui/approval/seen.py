"""Which parts of a long text have been on screen, so that none is allowed unseen."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Seen:
    """The parts of a column, in pixels from its top, that have been on screen."""

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
        seen_to = 0
        for first, last in self._parts:
            if first > seen_to:
                break
            seen_to = max(seen_to, last)
        return seen_to if seen_to < height else None

    def clear(self) -> None:
        """Forget everything: another text, or the same one laid out differently."""
        self._parts.clear()
