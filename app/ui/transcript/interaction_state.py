"""What is special in the rows just now: marked, found, pressed, or where the keyboard is."""

from dataclasses import dataclass

from app.ui.transcript.finding import TranscriptFinder
from app.ui.transcript.hit_targets import ClickFeedback
from app.ui.transcript.navigation import CurrentMessage, TargetFocus
from app.ui.transcript.selection import Selection


@dataclass(frozen=True, slots=True)
class InteractionState:
    """The parts of a view that know it. Made by the view; ends with it."""

    selection: Selection
    focus: TargetFocus
    feedback: ClickFeedback
    finding: TranscriptFinder
    reading: CurrentMessage
