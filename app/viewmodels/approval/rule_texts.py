"""The text of rules: what one covers, for how long, and what it would have allowed.

The view classes are what widgets draw: `RulePageView` with its `TrialRow`s is the page that makes a
rule, `PermissionsView` lists the rules, and `PauseView` is the card of a pause.
"""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.approvals.rule_engine import RuleSuggestion
from app.approvals.rule_simulation import SimulatedVerdict, SimulationReport
from app.approvals.rules import (
    FolderScope,
    HostScope,
    InputScope,
    Rule,
    RuleLifetime,
    RuleScope,
    is_lasting,
)
from app.common.error_messages import ErrorMessage
from app.viewmodels.dates import local_now, short_time
from app.viewmodels.i18n import translate_marked


@dataclass(frozen=True, slots=True)
class TrialRow:
    """An earlier call that a rule was tried on; `remark` says what the rule makes of it."""

    verdict: SimulatedVerdict
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
    trial_words: str
    trials: tuple[TrialRow, ...]
    is_trying: bool
    can_except: bool
    exceptions: tuple[str, ...]
    spans: tuple[tuple[str, str], ...]
    span: str
    problem: ErrorMessage | None = None


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
    trial_words: str = ""
    trials: tuple[TrialRow, ...] = ()
    sandbox_words: str = ""
    sandbox_holds: bool = False
    problem: ErrorMessage | None = None


def span_key(span: RuleLifetime) -> str:
    """Return what a choice of this span is called inside."""
    if span.calls is not None:
        return "calls"
    if span.minutes is not None:
        return "minutes"
    return "chat" if span.conversation_id else "always"


def span_words(span: RuleLifetime) -> str:
    """For how long a rule holds."""
    translate = QCoreApplication.translate
    match span_key(span):
        case "calls":
            return translate("Rules", "For the next %n calls", "", span.calls or 0)
        case "minutes":
            return translate("Rules", "For %n minutes", "", span.minutes or 0)
        case "chat":
            return translate("Rules", "In this chat")
    return translate("Rules", "Until revoked")


def menu_words(scope: RuleScope) -> str:
    """Return what a rule would be about, as one of several."""
    translate = QCoreApplication.translate
    match scope:
        case FolderScope(writes=True):
            return translate("Rules", "Writing in this folder…")
        case FolderScope():
            return translate("Rules", "Reading in this folder…")
        case InputScope():
            return translate("Rules", "Exactly this…")
        case HostScope():
            return translate("Rules", "Any page on this site…")
    return translate("Rules", "Any input…")


def question_words(scope: RuleScope, span: RuleLifetime) -> str:
    """Return the question of the page that makes a rule with this scope for this span."""
    translate = QCoreApplication.translate
    match scope:
        case FolderScope(writes=True):
            what = translate("Rules", "writing in this folder")
        case FolderScope():
            what = translate("Rules", "reading in this folder")
        case InputScope():
            what = translate("Rules", "exactly this")
        case HostScope():
            what = translate("Rules", "pages on this site")
        case _:
            what = translate("Rules", "any input")
    match span_key(span):
        case "calls":
            words = translate("Rules", "Allow {what} for the next %n calls?", "", span.calls or 0)
        case "minutes":
            words = translate("Rules", "Allow {what} for %n minutes?", "", span.minutes or 0)
        case "chat":
            words = translate("Rules", "In this chat, always allow {what}?")
        case _:
            words = translate("Rules", "Always allow {what}?")
    return words.format(what=what)


def page_words(offer: RuleSuggestion, home: Path) -> str:
    """Return what a rule would cover, and what holds all the same."""
    translate = QCoreApplication.translate
    about = about_words(offer.scope, home)
    match offer.scope:
        case FolderScope(writes=True):
            words = translate(
                "Rules", "{tool} inside {about}, new files included. The sandbox enforces this."
            )
            if offer.definition.is_undoable:
                words += " " + translate("Rules", "Every call can be undone.")
        case FolderScope():
            words = translate("Rules", "{tool} inside {about}. The sandbox enforces this.")
        case InputScope():
            words = translate("Rules", "{tool}, exactly: {about}")
        case HostScope():
            words = translate(
                "Rules",
                "{tool} from {about} and wherever it redirects. Addresses can contain text "
                "from this chat.",
            )
        case _ if offer.definition.runs_in == "elsewhere":
            words = translate("Rules", "{tool} with any input, which is sent to its server.")
        case _:
            words = translate("Rules", "{tool} with any input. It cannot read your files.")
    return words.format(tool=translate_marked("Tools", offer.definition.title), about=about)


def trial_words(report: SimulationReport) -> str:
    """On how many calls a rule was tried, how many would have run, and were denied then."""
    translate = QCoreApplication.translate
    words = [
        translate("Rules", "Tried on your last %n calls", "", report.call_count),
        translate("Rules", "%n would have run without asking", "", report.run_count),
    ]
    if report.denied_count:
        words.append(translate("Rules", "you denied %n of these", "", report.denied_count))
    return " · ".join(words)


def trial_rows(report: SimulationReport) -> tuple[TrialRow, ...]:
    """Return the earlier calls with what the rule makes of each, newest first."""
    translate = QCoreApplication.translate
    remarks = {
        SimulatedVerdict.RUNS: translate("Rules", "runs"),
        SimulatedVerdict.RUNS_DENIED: translate("Rules", "you denied this one"),
        SimulatedVerdict.ASKS: translate("Rules", "still asks"),
    }
    return tuple(TrialRow(c.verdict, c.words, remarks[c.verdict]) for c in report.calls)


def about_words(scope: RuleScope, home: Path) -> str:
    """Return what a rule is about, to be shown in the typeface of code."""
    match scope:
        case FolderScope(folder):
            return short_path(folder, home)
        case InputScope(_, shown):
            return shown
        case HostScope(origin):
            return site_words(origin)
    return ""


def use_words(rule: Rule) -> str:
    """Return for how long a rule holds, and how it was used."""
    translate = QCoreApplication.translate
    parts = [_holds_words(rule)]
    if rule.denies:
        return translate("Rules", "denied · {where}").format(where=parts[0])
    if isinstance(rule.scope, FolderScope) and rule.scope.exceptions:
        names = ", ".join(rule.scope.exceptions)
        parts.append(translate("Rules", "except {names}").format(names=names))
    if rule.last_used_at is None:
        parts.append(translate("Rules", "not used yet"))
    else:
        used = translate("Rules", "used %n times", "", rule.use_count)
        time = short_time(rule.last_used_at, local_now())
        parts += [used, translate("Rules", "last used {time}").format(time=time)]
    return " · ".join(parts)


def ended_words(rule: Rule) -> str:
    """Return why a rule holds no longer."""
    translate = QCoreApplication.translate
    reason = rule.ended.reason if rule.ended else ""
    if reason == "program_changed":
        return translate("Rules", "ended: the program it starts has changed")
    return translate("Rules", "ended: the tool has changed")


def short_path(path: str, home: Path) -> str:
    """Return a path with `~` for the user's home."""
    below = Path(path)
    if below != home and below.is_relative_to(home):
        return f"~/{below.relative_to(home)}"
    return path


def site_words(origin: str) -> str:
    """Return a site without the port that goes without saying."""
    for scheme, port in (("https", ":443"), ("http", ":80")):
        if origin.startswith(f"{scheme}://") and origin.endswith(port):
            return origin.removesuffix(port)
    return origin


def _holds_words(rule: Rule) -> str:
    translate, span = QCoreApplication.translate, rule.span
    if is_lasting(rule):
        return translate("Rules", "every chat")
    if span.calls is not None:
        left = translate("Rules", "one chat · {left} of %n calls left", "", span.calls)
        return left.format(left=rule.calls_left)
    if span.minutes is not None:
        return translate("Rules", "one chat · for %n minutes", "", span.minutes)
    return translate("Rules", "one chat")
