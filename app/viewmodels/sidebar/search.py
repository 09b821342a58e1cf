"""Search chats while the user types.

`SearchViewModel` searches, and `HitRows` has the hits as rows: chats whose titles fit, then
messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app.chat.items import Inserted
from app.common.error_messages import ErrorMessage
from app.store.search import FIRST_HITS, ChatSearch, SearchResults, TextHit, TitleHit
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler
from app.viewmodels.rows import Index, RowsModel
from app.viewmodels.sidebar.conversation_list import untitled_words

# A fast typist's keys are this far apart: what is typed in one go is looked for once.
_PAUSE_MS: Final = 60


@dataclass(frozen=True, slots=True)
class Results:
    """What was found for `query`; both are empty when nothing is looked for."""

    query: str = ""
    found: SearchResults = field(default_factory=SearchResults)

    @property
    def count(self) -> int:
        """How many hits are here."""
        return len(self.found.titles) + len(self.found.texts)


class SearchViewModel(QObject):
    """Finds chats by their titles and by what is kept of them.

    What was typed last is what is found: an answer to anything before it is dropped. One for each
    place where people type; `show` points it at other profiles, `aclose` ends what is under way.
    """

    results_changed = Signal(object)
    """The results have changed; argument: the `Results`."""
    failed = Signal(object)
    """The search did not work; argument: the `ErrorMessage`."""
    hit_opened = Signal(str, str, str)
    """A chat should open; arguments: its id, the id of the message to show or of its turn (empty:
    none in particular), and the words to look for in it."""
    archived_opened = Signal(str, str, str)
    """The same for an imported chat."""

    def __init__(self, search: ChatSearch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._search = search
        self._profiles: tuple[str, ...] = ()
        self._query = ""
        self._limit = FIRST_HITS
        self._results = Results()
        self._tasks = TaskOwner(error_handler(self._fail))
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._start)

    @property
    def results(self) -> Results:
        """What was found last."""
        return self._results

    def show(self, profiles: Sequence[str]) -> None:
        """Look in these profiles from now on; what was found in others goes."""
        self._profiles = tuple(profiles)
        self._tasks.cancel()
        self._announce(Results())
        self.refresh()

    def search(self, query: str) -> None:
        """Look for chats with all these words once nothing more is typed for a moment."""
        self._query = query.strip()
        self._limit = FIRST_HITS
        self._tasks.cancel()
        if self._query:
            self._timer.start()
        else:
            self._timer.stop()
            self._announce(Results())

    def find_more(self) -> None:
        """Look for as many hits again."""
        if self._results.found.has_more:
            self._limit += FIRST_HITS
            self._start()

    def refresh(self) -> None:
        """Repeat the search, since chats may have changed."""
        if self._query and not self._timer.isActive():
            self._start()

    def choose(self, hit: TitleHit | TextHit) -> None:
        """Open the chat of a hit, at its message if it has one."""
        opened = self.archived_opened if hit.is_archived else self.hit_opened
        if isinstance(hit, TextHit):
            opened.emit(hit.conversation_id, hit.message_id or hit.turn_id, self._results.query)
        else:
            opened.emit(hit.conversation_id, "", "")

    async def aclose(self) -> None:
        """End what is still under way."""
        self._timer.stop()
        await self._tasks.aclose()

    def _start(self) -> None:
        self._tasks.cancel()
        self._tasks.start(self._find(self._query, self._limit), name="search")

    async def _find(self, query: str, limit: int) -> None:
        found = await self._search.find(query, self._profiles, limit)
        self._announce(Results(query, found))

    def _fail(self, words: ErrorMessage) -> None:
        # Forgotten, so that the same hits, found again, are announced in place of the failure.
        self._results = Results()
        self.failed.emit(words)

    def _announce(self, results: Results) -> None:
        if results != self._results:
            self._results = results
            self.results_changed.emit(results)


Hit = TitleHit | TextHit


class HitRows(RowsModel[Hit]):
    """One row for each hit; a view at the end asks for more. Made by the list that shows it."""

    more_requested = Signal()
    """The end is in sight, and there are more hits than these."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(hit_text, parent, spoken_of=_spoken)
        self._results = Results()

    def show(self, results: Results) -> None:
        """Show these results; where they only go on, the rows before stay as they are."""
        hits: tuple[Hit, ...] = (*results.found.titles, *results.found.texts)
        before = len(self._rows)
        is_longer = results.query == self._results.query and hits[:before] == tuple(self._rows)
        self._results = results
        if not (is_longer and before):
            self.replace_all(hits)
        elif len(hits) > before:
            self.mirror(Inserted(before, len(hits) - before), hits)

    def canFetchMore(self, parent: Index) -> bool:
        """Return whether there are hits that were not asked for yet."""
        return not parent.isValid() and self._results.found.has_more

    def fetchMore(self, parent: Index) -> None:
        """Ask for more."""
        if self.canFetchMore(parent):
            self.more_requested.emit()


def hit_text(hit: Hit) -> str:
    """Return what the row says: the title that fits, or the surroundings of the words."""
    return hit.title if isinstance(hit, TitleHit) else hit.excerpt.text


def _spoken(hit: Hit) -> str:
    translate = QCoreApplication.translate
    if isinstance(hit, TitleHit):
        count = translate("Chats", "%n messages", "", hit.message_count)
        return f"{hit.title}, {count}"
    title = hit.title or untitled_words()
    return translate("Search", "{words}, in {title}").format(words=hit.excerpt.text, title=title)
