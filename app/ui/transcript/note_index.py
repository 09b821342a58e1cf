"""Which pieces of a message are notes, and which refer to them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QCoreApplication, QRectF

from app.ui.markdown.blocks import Block, Place, Prose, Table
from app.ui.markdown.note_links import note_numbers_in
from app.ui.transcript.targets import FromNote, Target, ToNote


@dataclass(slots=True)
class NoteIndex:
    """By the numbers of notes: the piece that each begins with, and the first to refer to it."""

    notes: dict[int, int] = field(default_factory=dict)
    marks: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, blocks: Iterable[Block]) -> "NoteIndex":
        """Make the index of the blocks of a message."""
        index = cls()
        for piece, block in enumerate(blocks):
            if block.place.note:
                index.notes[block.place.note] = piece
            if isinstance(block, Prose | Table):
                for number in note_numbers_in(str(block.html)):
                    index.marks.setdefault(number, piece)
        return index

    def complete(self, target: Target, piece: int) -> Target:
        """Return a target of a piece; one that leads to a note knows where both stand."""
        if not isinstance(target.deed, ToNote):
            return target
        number = target.deed.number
        return replace(target, deed=ToNote(number, piece, self.notes.get(number, piece)))

    def is_referred_to(self, place: Place) -> bool:
        """Tell whether a block begins a note that something refers to."""
        return place.note in self.marks

    def way_back(self, place: Place, box: QRectF) -> Target:
        """Return the target that goes back from the note whose marker stands in `box`."""
        words = QCoreApplication.translate("Transcript", "Note {number}: back to the text")
        deed = FromNote(place.note, self.marks[place.note])
        return Target(deed, box, words.format(number=place.note))
