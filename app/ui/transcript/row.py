"""What every kind of row can do: be measured, painted, asked, selected in and copied."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Set
from dataclasses import dataclass

from PySide6.QtCore import QPointF

from app.chat.items import Item
from app.ui.transcript.brush import Brush
from app.ui.transcript.colourist import Colourist
from app.ui.transcript.formula_drawer import FormulaDrawer
from app.ui.transcript.look import Look
from app.ui.transcript.placed_box import PlacedBox
from app.ui.transcript.slide import Slide
from app.ui.transcript.spots import Selected, Spot
from app.ui.transcript.targets import Target


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What rows need of the view they are in; `clock` counts seconds like `time.monotonic`."""

    look: Look
    colourist: Colourist
    clock: Callable[[], float]
    formulas: FormulaDrawer


class Row(ABC):
    """One item, laid out at the width of the column.

    Made when its item comes near the window, let go when it is far from it. `height` may change
    in `show`, `set_width`, `set_open`, `settle` and `advance` and with `wrapped`, and only there.
    """

    height: int = 0

    @abstractmethod
    def show(self, item: Item) -> bool:
        """Show another state of the same item; False if this kind of row cannot."""

    @abstractmethod
    def set_width(self, width: int) -> None:
        """Lay out at this width."""

    @abstractmethod
    def paint(self, brush: Brush) -> None:
        """Paint the visible band, the row's top left corner at the origin."""

    @property
    def has_more(self) -> bool:
        """Whether work is left over: the item is too long to be shown at once."""
        return False

    def advance(self) -> None:  # noqa: B027 - Most rows leave nothing over.
        """Do a bounded bit of the work that is left over."""

    def settle(self, _top: float, _bottom: float) -> None:  # noqa: B027 - Most come whole.
        """Lay out what lies in this band, which will be seen."""

    def set_open(self, _is_open: bool) -> None:  # noqa: B027 - Most do not open.
        """Open or close a row that can be opened."""

    @property
    def wrapped(self) -> Set[int]:
        """The pieces of code whose long lines are broken; those of others are left whole."""
        return frozenset()

    @wrapped.setter
    def wrapped(self, _pieces: Set[int]) -> None:
        return  # Most rows have no code.

    def slide_at(self, _point: QPointF) -> Slide | None:
        """Return what moves the block at a point sideways, if it is wider than its place."""
        return None

    def targets(self) -> list[Target]:
        """Return what can be pressed, in the order of reading."""
        return []

    def spot_at(self, _point: QPointF) -> Spot | None:
        """Return the place in the text nearest to `point`, or None in a row without text."""
        return None

    def word_at(self, _spot: Spot) -> Selected | None:
        """Return the word around a place."""
        return None

    def all_selected(self) -> Selected | None:
        """Return all of the text of the row."""
        return None

    @property
    def piece_count(self) -> int:
        """How many pieces of text the row has now; spots name them by number."""
        return 0

    def box_of(self, _piece: int) -> PlacedBox | None:
        """Return the text of a piece, laid out; None where there is none, as in a rule."""
        return None

    def text(self, _selected: Selected) -> str:
        """Return what is marked, as it is shown."""
        return ""

    @property
    @abstractmethod
    def shown_text(self) -> str:
        """All that the row says, as it is shown."""

    @property
    def source_text(self) -> str:
        """What the row was made from: Markdown for a reply."""
        return self.shown_text
