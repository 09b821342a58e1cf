"""What the palette offers for what was typed, in groups, the best first."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final, TypeVar

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from app.chat.conversations import ConversationRow
from app.store.search import Found, TextHit, TitleHit
from app.store.words import Marks, fold
from app.ui.commands import Command
from app.ui.palette.fuzzy import Fit, fit
from app.ui.parts.key_text import key_text
from app.ui.parts.labels import one_line, short_name
from app.ui.sidebar.search_delegate import where_words
from app.viewmodels.chat.states import AgentRow, SkillRow
from app.viewmodels.dates import short_time
from app.viewmodels.sidebar.chat_words import count_words, size_words, title_words
from app.viewmodels.sidebar.search import Results

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


class Group(Enum):
    """What an entry is; each group stands under a caption of its own."""

    CHATS = "chats"
    TEXTS = "texts"
    SKILLS = "skills"
    AGENTS = "agents"
    ACTIONS = "actions"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the palette. `key` is the same whenever the same thing is offered."""

    group: Group
    key: str
    text: str
    hint: str
    icon: str
    target: Target
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """Everything that there is to choose from now."""

    chats: Sequence[ConversationRow]
    results: Results
    skills: Sequence[SkillRow]
    agents: Sequence[AgentRow]
    commands: Sequence[Command]


class Entries:
    """Chooses and orders the entries; knows which were used last. One for the window's life."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._used: list[str] = []

    def note_use(self, entry: Entry) -> None:
        """From now on this entry stands before those that fit no better."""
        if entry.key in self._used:
            self._used.remove(entry.key)
        self._used.insert(0, entry.key)

    def of(self, typed: str, offer: Offer) -> tuple[Entry, ...]:
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

    def _chats(self, typed: str, offer: Offer) -> list[Entry]:
        rows = (row for row in offer.chats[:_LETTERED_ROWS] if row.title)
        by_letters = self._fitting(typed, map(self._chat, rows))
        known = {entry.key for entry in by_letters}
        titles = map(self._title, _found(typed, offer).titles)
        by_words = [entry for entry in titles if entry.key not in known]
        return [*by_letters, *by_words][:_MOST_TITLES]

    def _fitting(self, typed: str, entries: Iterable[Entry]) -> list[Entry]:
        fitting: list[tuple[Fit, int, int, Entry]] = []
        for number, entry in enumerate(entries):
            found = fit(typed, entry.text)
            if found is not None:
                fitting.append((found, self._rank(entry), number, entry))
        fitting.sort(key=lambda one: (one[0].pieces, one[1], one[0].start, one[2]))
        return [_marked(entry, found.marks) for found, _, _, entry in fitting]

    def _by_use(self, entries: Iterable[Entry]) -> list[Entry]:
        return sorted(entries, key=self._rank)

    def _rank(self, entry: Entry) -> int:
        return self._used.index(entry.key) if entry.key in self._used else len(self._used)

    def _chat(self, row: ConversationRow) -> Entry:
        hint, key = self._dated(row.updated_at, size_words(row)), f"chat {row.conversation_id}"
        return Entry(Group.CHATS, key, title_words(row), hint, "message-square", row)

    def _title(self, hit: TitleHit) -> Entry:
        imported = QCoreApplication.translate("Search", "imported")
        size = imported if hit.is_archived else count_words(hit.message_count)
        hint, key = self._dated(hit.updated_at, size), f"chat {hit.conversation_id}"
        return Entry(Group.CHATS, key, hit.title, hint, "message-square", hit, hit.marks)

    def _text(self, hit: TextHit) -> Entry:
        where = where_words(hit, _WHERE_LIMIT)
        hint = f"{where} · {short_time(hit.said_at, self._now())}" if hit.said_at else where
        key = f"message {hit.conversation_id} {hit.message_id}"
        text, marks = hit.excerpt.text, hit.excerpt.marks
        return Entry(Group.TEXTS, key, text, hint, "message-square", hit, marks)

    def _dated(self, moment: datetime | None, words: str) -> str:
        return f"{short_time(moment, self._now())} · {words}" if moment else words


def caption_of(group: Group) -> str:
    """Return the words above a group."""
    translate = QCoreApplication.translate
    return {
        Group.CHATS: translate("Palette", "Chats"),
        Group.TEXTS: translate("Palette", "In the chats"),
        Group.SKILLS: translate("Palette", "Skills"),
        Group.AGENTS: translate("Palette", "Agents"),
        Group.ACTIONS: translate("Palette", "Actions"),
    }[group]


def _found(typed: str, offer: Offer) -> Found:
    return offer.results.found if offer.results.query == typed.strip() else Found()


def _begins(text: str, typed: str) -> bool:
    """Whether the text begins with all that was typed, as whole words."""
    wanted, folded = fold(typed.strip()), fold(text)
    after = folded[len(wanted) : len(wanted) + 1]
    return bool(wanted) and folded.startswith(wanted) and not after.isalnum()


def _skill(row: SkillRow) -> Entry:
    version = short_name(row.version)
    return Entry(Group.SKILLS, f"skill {row.name}", row.display_name, version, "sparkles", row)


def _agent(row: AgentRow) -> Entry:
    hint = one_line(row.description, 60)
    return Entry(Group.AGENTS, f"agent {row.name}", row.display_name, hint, "bot", row)


def _action(command: Command) -> Entry:
    keys = next(iter(command.action.shortcuts()), QKeySequence())
    text = command.action.text()
    icon = command.icon or _PLAIN_ICON
    return Entry(Group.ACTIONS, f"do {command.name}", text, key_text(keys), icon, command)


def _marked(entry: Entry, marks: Marks) -> Entry:
    return Entry(entry.group, entry.key, entry.text, entry.hint, entry.icon, entry.target, marks)
