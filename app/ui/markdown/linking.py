"""Which parts of a text use a name that means something else since they were rendered."""

from app.ui.markdown.names import Names, names_in


class Linking:
    """Keeps what each part uses, in the order of the parts. One for a feed; ends with it."""

    def __init__(self) -> None:
        self.names = Names()
        self._uses: list[frozenset[str] | None] = []
        self._meanings: dict[str, str] = {}
        self._unsure: set[int] = set()
        self._due: set[int] = set()

    @property
    def is_due(self) -> bool:
        """Whether some part is to be rendered anew."""
        return bool(self._due)

    def add(self, source: str, names: Names) -> None:
        """Take note of the next part, which was rendered with these names."""
        uses = names_in(source) if "[" in source else frozenset()
        meanings = names.meanings() if uses != frozenset() else {}
        used = uses if uses is not None else meanings.keys() | self._meanings.keys()
        if any(meanings.get(name) != self._meanings.get(name) for name in used):
            self._unsure.add(len(self._uses))
        self._uses.append(uses)

    def define(self, names: Names) -> None:
        """Take note of all that the whole text defines now."""
        meanings, before = names.meanings(), self._meanings
        self.names, self._meanings = names, meanings
        self._due |= self._unsure
        self._unsure.clear()
        if meanings == before:
            return
        changed = {name for name, _ in meanings.items() ^ before.items()}
        for number, uses in enumerate(self._uses):
            if uses is None or not uses.isdisjoint(changed):
                self._due.add(number)

    def next(self) -> int | None:
        """Return the first part that is to be rendered anew; it counts as done then."""
        if not self._due:
            return None
        number = min(self._due)
        self._due.discard(number)
        return number
