"""Approval cards for tests of widgets, and a clock that stands still until it is told."""

from dataclasses import replace

from app.approvals.rule_simulation import SimulatedVerdict
from app.viewmodels.approval.call_texts import CardView
from app.viewmodels.approval.rule_texts import PauseView, RulePageView, TrialRow

DIFF = """@@ lines 1–3 @@
 # Changes
-made export faster (3x)
+Exporting a large project takes a third of the time.
"""

SHORT_CARD = CardView(
    request_id="call-1",
    generation=1,
    question="Run a program on this computer?",
    effect_words="runs a program",
    tool_name="run_command",
    source_words="included with Parley",
    facts=(("Command", "/usr/bin/git status"), ("Folder", "/home/ada/notes")),
    preview_kind="none",
    preview_text="",
    sandbox_words="its own process; not sandboxed yet",
    position=1,
    total=1,
)

RULE_CARD = replace(
    SHORT_CARD,
    rules=("Writing in this folder…", "Exactly this…"),
    input_text='{\n  "argv": ["git", "status"]\n}',
)
RULE = RulePageView(
    request_id="call-1",
    generation=1,
    question="Allow writing in this folder for 15 minutes?",
    effect_words="changes files",
    words="Write file inside ~/Projects/notes, new files included. The sandbox enforces this.",
    trial_words="Tried on your last 37 calls · 6 would have run without asking",
    trials=(
        TrialRow(SimulatedVerdict.RUNS, "write_file CHANGES.md", "runs"),
        TrialRow(SimulatedVerdict.RUNS, "write_file drafts/may.md", "runs"),
        TrialRow(SimulatedVerdict.RUNS_DENIED, "write_file private/keys.md", "you denied this one"),
        TrialRow(SimulatedVerdict.ASKS, "write_file ../taxes/2025.ods", "still asks"),
    ),
    is_trying=False,
    can_except=True,
    exceptions=("private",),
    spans=(("chat", "In this chat"), ("minutes", "For 15 minutes")),
    span="minutes",
)
PAUSE = PauseView(
    "pause#25",
    7,
    "Continue after 25 tool calls?",
    "This reply has used tools many times. It waits.",
)


def another_card(number: int) -> CardView:
    """Return a card that is shown like the short one, for another call."""
    return replace(SHORT_CARD, request_id=f"call-{number}", generation=number)


def long_card(lines: int) -> CardView:
    """Return a card with an input of that many lines, which does not fit into the dock."""
    text = "\n".join(f"line {number}" for number in range(lines))
    facts = (("Words", text),)
    return replace(SHORT_CARD, request_id="long", generation=1000 + lines, facts=facts)


class StillClock:
    """A monotonic clock, moved by hand."""

    def __init__(self) -> None:
        self._now = 1000.0

    def __call__(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds
