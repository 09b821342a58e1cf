"""What is drawn of rules: the page on which one is made, those that there are, a pause."""

from dataclasses import dataclass
from typing import Literal

from app.error_text import ErrorText


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A past call that a rule was tried on.

    `runs` would have run; `denied` would have run, too, though the person denied it then.
    """

    kind: Literal["runs", "denied", "asks"]
    words: str
    remark: str


@dataclass(frozen=True, slots=True)
class RulePageView:
    """The page on which a rule is made of the call that waits.

    `spans` are for how long it may hold, as keys with words; `span` is the key of the one chosen.
    While `is_trying` the trials are those of an earlier state. `problem` says why it was not kept.
    """

    request_id: str
    generation: int
    question: str
    effect_words: str
    words: str
    tried_words: str
    run_words: str
    trials: tuple[TrialRow, ...]
    is_trying: bool
    can_except: bool
    exceptions: tuple[str, ...]
    spans: tuple[tuple[str, str], ...]
    span: str
    problem: ErrorText | None = None


@dataclass(frozen=True, slots=True)
class PauseView:
    """A reply has made many calls; an answer names `request_id` and `generation`."""

    request_id: str
    generation: int
    question: str
    words: str


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule in the settings: `names` of tools, then what it is about, then how it is used.

    `about` is shown in the typeface of code. Of an ended rule `words` say why, and `change` is
    how its tool differs from what it was, as a diff; empty when that cannot be said.
    """

    rule_id: str
    icon: str
    names: str
    about: str
    words: str
    denies: bool = False
    is_ended: bool = False
    change: str = ""


@dataclass(frozen=True, slots=True)
class PermissionsView:
    """The rules in the settings.

    `tried` is the rule whose trials are shown, empty when none is; `sandbox_words` say what holds
    where calls run, and `sandbox_holds` whether that is everything.
    """

    rules: tuple[RuleRow, ...] = ()
    tried: str = ""
    tried_words: str = ""
    run_words: str = ""
    trials: tuple[TrialRow, ...] = ()
    sandbox_words: str = ""
    sandbox_holds: bool = False
    problem: ErrorText | None = None
