"""What is special in the rows just now: marked, found, pressed, or where the keyboard is."""

from dataclasses import dataclass

from app.ui.transcript.feedback import Feedback
from app.ui.transcript.finding import Finding
from app.ui.transcript.reading import Reading
from app.ui.transcript.selection import Selection
from app.ui.transcript.target_focus import TargetFocus


@dataclass(frozen=True, slots=True)
class Marks:
    """The parts of a view that know it. Made by the view; ends with it."""

    selection: Selection
    focus: TargetFocus
    feedback: Feedback
    finding: Finding
    reading: Reading
