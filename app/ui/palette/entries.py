"""`PaletteEntries` chooses what the palette offers for the typed letters, in groups, best first.

`fuzzy_match` says how well a few letters fit a text.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final, TypeVar

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from app.chat.conversation_rows import ConversationRow
from app.store.search import SearchResults, TextHit, TitleHit
from app.store.search_terms import Marks, fold
from app.ui.commands import Command
from app.ui.sidebar.search_pane import where_words
from app.ui.widgets.labels import one_line, short_name
from app.ui.widgets.menus import key_text
from app.viewmodels.chat.catalog import AgentRow, SkillRow
from app.viewmodels.dates import short_time
from app.viewmodels.sidebar.conversation_list import count_words, size_words, title_words
from app.viewmodels.sidebar.search import Results

# The ways to place letters are tried out: more of them would take long.
_MOST_LETTERS: Final = 40
_MOST_CHARS: Final = 120
_WORD_START: Final = re.compile(r"(?<![^\W_])[^\W_]|(?<=[^\W\d_])\d|[^\w\s]")


@dataclass(frozen=True, slots=True)
class FuzzyMatch:
    """How letters fit a text: the fewer pieces, and the nearer to the beginning, the better."""

    pieces: int
    start: int
    marks: Marks


def fuzzy_match(letters: str, text: str) -> FuzzyMatch | None:
    """Say how `letters` fit `text`; None when they do not.

    They stand in the text in their order, in pieces that each begin a word: "rel" fits "Release
    notes" and "Restart the local service". Words may come in another order; blanks, case and
    accents do not count.
    """
    words = fold(letters[:_MOST_LETTERS]).split()
    folded = fold(text[:_MOST_CHARS])
    places = _Places("".join(words), folded).find()
    if places is None and len(words) > 1:
        places = _each(words, folded)
    if places is None:
        return None
    marks = _joined(places)
    return FuzzyMatch(len(marks), marks[0][0] if marks else 0, marks)


def _each(words: list[str], text: str) -> tuple[int, ...] | None:
    """Return where the letters of each word stand, when the words come in another order."""
    places: set[int] = set()
    for word in words:
        found = _Places(word, text).find()
        if found is None:
            return None
        places.update(found)
    return tuple(sorted(places))


class _Places:
    """Where the letters stand: of all ways, one with the fewest pieces, and then the first."""

    def __init__(self, wanted: str, text: str) -> None:
        self._wanted = wanted
        self._text = text
        self._starts = [found.start() for found in _WORD_START.finditer(text)]
        # Without it, the same letters would be tried from the same place again and again.
        self._known: dict[tuple[int, int], tuple[int, ...] | None] = {}

    def find(self) -> tuple[int, ...] | None:
        """Return the place of each letter."""
        # Not -1, or the first character would count as the next one of a piece.
        return self._best(0, -2)

    def _best(self, number: int, after: int) -> tuple[int, ...] | None:
        """Return the places of the letters from `number` on, where the one before is at `after`."""
        if number == len(self._wanted):
            return ()
        key = (number, after)
        if key not in self._known:
            ways = (self._from(number, place) for place in self._candidates(number, after))
            found = [way for way in ways if way is not None]
            self._known[key] = min(
                found, key=lambda way: (_piece_count(way, after), way), default=None
            )
        return self._known[key]

    def _from(self, number: int, place: int) -> tuple[int, ...] | None:
        rest = self._best(number + 1, place)
        return None if rest is None else (place, *rest)

    def _candidates(self, number: int, after: int) -> list[int]:
        letter = self._wanted[number]
        places = [start for start in self._starts if start > after]
        if number and after + 1 not in places:
            places.append(after + 1)
        return [at for at in places if self._text[at : at + 1] == letter]


def _piece_count(places: tuple[int, ...], after: int) -> int:
    before = (after, *places)
    return sum(place != last + 1 for last, place in zip(before, places, strict=False))


def _joined(places: tuple[int, ...]) -> Marks:
    marks: list[tuple[int, int]] = []
    for place in places:
        if marks and marks[-1][1] == place:
            marks[-1] = (marks[-1][0], place + 1)
        else:
            marks.append((place, place + 1))
    return tuple(marks)


Target = ConversationRow | TitleHit | TextHit | SkillRow | AgentRow | Command

_FIRST_CHATS: Final = 5
_MOST_TITLES: Final = 5
_MOST_TEXTS: Final = 4
_MOST_OTHERS: Final = 5
# Rows of the sidebar that are looked through letter by letter; the search knows them all.
_LETTERED_ROWS: Final = 500
_WHERE_LIMIT: Final = 40
_PLAIN_ICON: Final = "chevron-right"

Row = TypeVar("Row")


class PaletteGroup(Enum):
    """What an entry is; each group stands under a caption of its own."""

    CHATS = "chats"
    TEXTS = "texts"
    SKILLS = "skills"
    AGENTS = "agents"
    ACTIONS = "actions"


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One line of the palette. `key` is the same whenever the same thing is offered."""

    group: PaletteGroup
    key: str
    text: str
    hint: str
    icon: str
    target: Target
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class PaletteOffer:
    """Everything that there is to choose from now."""

    chats: Sequence[ConversationRow]
    results: Results
    skills: Sequence[SkillRow]
    agents: Sequence[AgentRow]
    commands: Sequence[Command]


class PaletteEntries:
    """Chooses and orders the entries; knows which were used last. One for the window's life."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._used: list[str] = []

    def note_use(self, entry: PaletteEntry) -> None:
        """From now on this entry stands before those that fit no better."""
        if entry.key in self._used:
            self._used.remove(entry.key)
        self._used.insert(0, entry.key)

    def of(self, typed: str, offer: PaletteOffer) -> tuple[PaletteEntry, ...]:
        """Return what fits; without letters, the last chats and everything that can be done.

        Actions whose names begin with the words that were typed stand first: whoever types them
        means to do that. What was only said somewhere stands last.
        """
        actions = self._fitting(typed, map(_action, offer.commands))
        if not typed.strip():
            chats = self._by_use(map(self._chat, offer.chats[:_LETTERED_ROWS]))
            return (*chats[:_FIRST_CHATS], *actions)
        skills = self._fitting(typed, map(_skill, offer.skills))
        agents = self._fitting(typed, map(_agent, offer.agents))
        actions = actions[:_MOST_OTHERS]
        is_meant = any(_begins(entry.text, typed) for entry in actions)
        return (
            *(actions if is_meant else ()),
            *self._chats(typed, offer),
            *skills[:_MOST_OTHERS],
            *agents[:_MOST_OTHERS],
            *(() if is_meant else actions),
            *map(self._text, _found(typed, offer).texts[:_MOST_TEXTS]),
        )

    def _chats(self, typed: str, offer: PaletteOffer) -> list[PaletteEntry]:
        rows = (row for row in offer.chats[:_LETTERED_ROWS] if row.title)
        by_letters = self._fitting(typed, map(self._chat, rows))
        known = {entry.key for entry in by_letters}
        titles = map(self._title, _found(typed, offer).titles)
        by_words = [entry for entry in titles if entry.key not in known]
        return [*by_letters, *by_words][:_MOST_TITLES]

    def _fitting(self, typed: str, entries: Iterable[PaletteEntry]) -> list[PaletteEntry]:
        fitting: list[tuple[FuzzyMatch, int, int, PaletteEntry]] = []
        for number, entry in enumerate(entries):
            found = fuzzy_match(typed, entry.text)
            if found is not None:
                fitting.append((found, self._rank(entry), number, entry))
        fitting.sort(key=lambda one: (one[0].pieces, one[1], one[0].start, one[2]))
        return [_marked(entry, found.marks) for found, _, _, entry in fitting]

    def _by_use(self, entries: Iterable[PaletteEntry]) -> list[PaletteEntry]:
        return sorted(entries, key=self._rank)

    def _rank(self, entry: PaletteEntry) -> int:
        return self._used.index(entry.key) if entry.key in self._used else len(self._used)

    def _chat(self, row: ConversationRow) -> PaletteEntry:
        hint, key = self._dated(row.updated_at, size_words(row)), f"chat {row.conversation_id}"
        return PaletteEntry(PaletteGroup.CHATS, key, title_words(row), hint, "message-square", row)

    def _title(self, hit: TitleHit) -> PaletteEntry:
        imported = QCoreApplication.translate("Search", "imported")
        size = imported if hit.is_archived else count_words(hit.message_count)
        hint, key = self._dated(hit.updated_at, size), f"chat {hit.conversation_id}"
        return PaletteEntry(
            PaletteGroup.CHATS, key, hit.title, hint, "message-square", hit, hit.marks
        )

    def _text(self, hit: TextHit) -> PaletteEntry:
        where = where_words(hit, _WHERE_LIMIT)
        hint = f"{where} · {short_time(hit.said_at, self._now())}" if hit.said_at else where
        key = f"message {hit.conversation_id} {hit.message_id}"
        text, marks = hit.excerpt.text, hit.excerpt.marks
        return PaletteEntry(PaletteGroup.TEXTS, key, text, hint, "message-square", hit, marks)

    def _dated(self, moment: datetime | None, words: str) -> str:
        return f"{short_time(moment, self._now())} · {words}" if moment else words


def caption_of(group: PaletteGroup) -> str:
    """Return the words above a group."""
    translate = QCoreApplication.translate
    return {
        PaletteGroup.CHATS: translate("Palette", "Chats"),
        PaletteGroup.TEXTS: translate("Palette", "Messages"),
        PaletteGroup.SKILLS: translate("Palette", "Skills"),
        PaletteGroup.AGENTS: translate("Palette", "Agents"),
        PaletteGroup.ACTIONS: translate("Palette", "Actions"),
    }[group]


def _found(typed: str, offer: PaletteOffer) -> SearchResults:
    # The search answers later: until then its results are those of fewer letters.
    return offer.results.found if offer.results.query == typed.strip() else SearchResults()


def _begins(text: str, typed: str) -> bool:
    """Return whether the text begins with all that was typed, as whole words."""
    wanted, folded = fold(typed.strip()), fold(text)
    after = folded[len(wanted) : len(wanted) + 1]
    return bool(wanted) and folded.startswith(wanted) and not after.isalnum()


def _skill(row: SkillRow) -> PaletteEntry:
    version = short_name(row.version)
    return PaletteEntry(
        PaletteGroup.SKILLS, f"skill {row.name}", row.display_name, version, "sparkles", row
    )


def _agent(row: AgentRow) -> PaletteEntry:
    hint = one_line(row.description, 60)
    return PaletteEntry(
        PaletteGroup.AGENTS, f"agent {row.name}", row.display_name, hint, "bot", row
    )


def _action(command: Command) -> PaletteEntry:
    keys = next(iter(command.action.shortcuts()), QKeySequence())
    text = command.action.text()
    icon = command.icon or _PLAIN_ICON
    return PaletteEntry(
        PaletteGroup.ACTIONS, f"do {command.name}", text, key_text(keys), icon, command
    )


def _marked(entry: PaletteEntry, marks: Marks) -> PaletteEntry:
    return PaletteEntry(
        entry.group, entry.key, entry.text, entry.hint, entry.icon, entry.target, marks
    )
