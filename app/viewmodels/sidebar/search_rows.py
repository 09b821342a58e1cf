"""The hits of a search as rows: chats whose titles fit, then messages."""

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chat.items import Inserted
from app.store.search import TextHit, TitleHit
from app.viewmodels.rows import Index, RowsModel
from app.viewmodels.sidebar.chat_words import untitled_words
from app.viewmodels.sidebar.search import Results

Hit = TitleHit | TextHit


class HitRows(RowsModel[Hit]):
    """A row a hit; a view that reaches the end asks for more. Made by the list that shows it."""

    more_requested = Signal()
    """The end is in sight, and there are more hits than these."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(hit_text, parent, spoken_of=_spoken)
        self._results = Results()

    def show(self, results: Results) -> None:
        """Shows these results; where they only go on, the rows before stay as they are."""
        hits: tuple[Hit, ...] = (*results.found.titles, *results.found.texts)
        before = len(self._rows)
        is_longer = results.query == self._results.query and hits[:before] == tuple(self._rows)
        self._results = results
        if not (is_longer and before):
            self.replace_all(hits)
        elif len(hits) > before:
            self.mirror(Inserted(before, len(hits) - before), hits)

    def canFetchMore(self, parent: Index) -> bool:
        """Returns whether there are hits that were not asked for yet."""
        return not parent.isValid() and self._results.found.has_more

    def fetchMore(self, parent: Index) -> None:
        """Asks for more."""
        if self.canFetchMore(parent):
            self.more_requested.emit()


def hit_text(hit: Hit) -> str:
    """Returns what the row says: the title that fits, or the surroundings of the words."""
    return hit.title if isinstance(hit, TitleHit) else hit.excerpt.text


def _spoken(hit: Hit) -> str:
    translate = QCoreApplication.translate
    if isinstance(hit, TitleHit):
        count = translate("Chats", "%n messages", "", hit.message_count)
        return f"{hit.title}, {count}"
    title = hit.title or untitled_words()
    return translate("Search", "{words}, in {title}").format(words=hit.excerpt.text, title=title)
