"""What the offline assistant says once a tool has answered: for each tool and each outcome."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from local_server.assistant.offline.actions import Action, action_of, told_path
from local_server.assistant.offline.markdown import code, count, echo, fence
from local_server.json_text import JsonTextError, parse_json
from local_server.store.records import ToolCall

_QUOTE_LINES: Final = 40
_QUOTE_CHARS: Final = 2000
_REPORT_CHARS: Final = 160
_LONGEST_REPORT_CHARS: Final = 16 * 1024
_DECLINED: Final = re.compile(
    r"the (?:user|person) (?:has )?(?:declined|denied|rejected|refused|a rule that forbids)",
    re.IGNORECASE,
)
# Told in place of a result, and before the result of an input that the person changed.
_KEPT_BACK: Final = re.compile(r"the tool ran, but the user kept its result back", re.IGNORECASE)
_ANSWERED: Final = re.compile(r"the tool was not run\. the user answered instead:", re.IGNORECASE)
_EDITED: Final = re.compile(
    r"the user changed the input of this call before allowing it\. "
    r"it ran with this input: (?P<input>[^\n]*)(?:\n\n|\Z)",
    re.IGNORECASE,
)
# Lines below what a tool has said, about what the person has kept of that.
_NOTES: Final = re.compile(
    r"(?:(?:^|\n)\[(?:(?P<masked>\d+) secrets? in this result (?:was|were) masked on the user's "
    r"computer|The user sent only a part of this result: (?P<part>[\d,]+ of [\d,]+ characters))\]"
    r")+\Z"
)
_LONGEST_NOTES_CHARS: Final = 400
_FAILED: Final = re.compile(r"(?:error|failed|failure)\s*:\s*", re.IGNORECASE)
_EXIT: Final = re.compile(
    r"Exit code (?P<code>\d+)\.(?: No output\.|\n\n(?P<output>.+))?", re.DOTALL
)
_LANGUAGES: Final = {
    ".css": "css",
    ".html": "html",
    ".js": "javascript",
    ".json": "json",
    ".md": "markdown",
    ".py": "python",
    ".sh": "bash",
    ".toml": "toml",
    ".yaml": "yaml",
    ".yml": "yaml",
}


def after_tool(call: ToolCall) -> str:
    """Go on with what a tool's result says, and with what the person has kept of it."""
    result = (call.result or "").strip("\n")
    kept = _NOTES.search(result, max(0, len(result) - _LONGEST_NOTES_CHARS))
    if kept is None:
        return _after_result(call, result)
    told = _after_result(call, result[: kept.start()].rstrip("\n"))
    notes = []
    if kept["masked"]:
        many = int(kept["masked"])
        notes.append(f"{count(many, 'secret')} in it {'was' if many == 1 else 'were'} masked.")
    if kept["part"]:
        notes.append(f"You sent only a part of it: {kept['part']}.")
    return f"{told}\n\n{' '.join(notes)}"


def _after_result(call: ToolCall, result: str) -> str:
    if _DECLINED.match(result):
        return _after_declined(call, result)
    if _KEPT_BACK.match(result):
        return f"{code(call.name)} ran, and you kept its result back.{_because(result)}"
    answered = _ANSWERED.match(result)
    if answered is not None:
        return _after_answered(result[answered.end() :])
    edited = _EDITED.match(result)
    if edited is not None:
        return _after_edited(call, edited["input"], result[edited.end() :])
    report = _failure(result)
    if report is not None:
        return _after_failed(call, report)
    action = action_of(call.name)
    return _DONE[action](call, result) if action else _after_other(call, result)


def _failure(result: str) -> str | None:
    """What a result reports as a failure; None when it reports none."""
    match = _FAILED.match(result)
    if match is not None:
        return result[match.end() :].strip()
    if not result.startswith("{") or len(result) > _LONGEST_REPORT_CHARS:
        return None
    try:
        report = parse_json(result)
    except JsonTextError:
        return None
    error = report.get("error") if isinstance(report, dict) else None
    return error if isinstance(error, str) else None


def _after_declined(call: ToolCall, result: str) -> str:
    place = _place(call, "the file")
    sentences: Mapping[Action, str] = {
        "read": f"{place} stays unread",
        "list": f"I will not look into {_place(call, 'the folder')}",
        "search": "nothing was looked for",
        "write": f"{place} stays as it is",
        "edit": f"{place} stays as it is",
        "move": f"{place} stays where it is",
        "delete": f"{place} stays",
        "make": "no folder was made",
        "run": "the command was not run",
        "time": "I will not look at the clock",
        "fetch": "the page was not fetched",
    }
    action = action_of(call.name)
    told = sentences[action] if action else f"{code(call.name)} was not run"
    return f"All right, {told}.{_because(result)}"


def _because(result: str) -> str:
    reason = result.partition("Reason:")[2].strip()
    return f" Your reason was: “{echo(reason)}”" if reason else ""


def _after_answered(answer: str) -> str:
    return f"All right, nothing was run. Your answer was: “{echo(answer.strip())}”"


def _after_edited(call: ToolCall, given: str, result: str) -> str:
    """Speak of what ran, which is not what was asked for."""
    told = f"You changed what was run, to:\n\n{_quoted(given, 'json')}"
    return f"{told}\n\n{after_tool(replace(call, input=_read(given), result=result))}"


def _read(given: str) -> dict[str, object]:
    try:
        read = parse_json(given)
    except JsonTextError:
        return {}
    return read if isinstance(read, dict) else {}


def _after_failed(call: ToolCall, report: str) -> str:
    place = _place(call, "the file")
    subjects: Mapping[Action, str] = {
        "read": f"Reading {place}",
        "list": f"Looking into {_place(call, 'the folder')}",
        "search": "The search",
        "write": f"Writing {place}",
        "edit": f"Changing {place}",
        "move": f"Moving {place}",
        "delete": f"Deleting {place}",
        "make": "Making the folder",
        "run": "Running the command",
        "time": "Looking at the clock",
        "fetch": "Fetching the page",
    }
    action = action_of(call.name)
    failed = f"{subjects[action] if action else code(call.name)} did not work"
    if not report:
        return f"{failed}, and no reason was given."
    told = _quoted(report, "text")
    return f"{failed}. This was reported:\n\n{told}\n\nYou can change the request and try again."


def _after_reading(call: ToolCall, result: str) -> str:
    place = _place(call, "the file")
    if not result:
        return f"There is no text in {place}."
    suffix = PurePath(told_path(call.input) or "").suffix.casefold()
    told = f"This is what {place} says:\n\n{_quoted(result, _LANGUAGES.get(suffix, 'text'))}"
    if _beginning(result) != result:
        return told
    return f"{told}\n\nThat is all I was given: {_size(result)}."


def _after_listing(call: ToolCall, result: str) -> str:
    place = _place(call, "the folder")
    # An entry's line ends in its size, its kind or a slash.
    if not result or ("\n" not in result and result.endswith(" is empty.")):
        return f"There is nothing in {place}: it is empty."
    return f"This is in {place}:\n\n{_quoted(result, 'text')}"


def _after_searching(_call: ToolCall, result: str) -> str:
    if not result:
        return "The search found nothing."
    return f"This is what the search answered:\n\n{_quoted(result, _kind(result))}"


def _after_fetching(_call: ToolCall, result: str) -> str:
    if not result:
        return "The page came without any text."
    return f"This is what came:\n\n{_quoted(result, _kind(result))}"


def _done(what: str, otherwise: str = "the file") -> Callable[[ToolCall, str], str]:
    def told(call: ToolCall, result: str) -> str:
        return f"Done: {_place(call, otherwise)} {what}.{_reported(result)}"

    return told


def _after_running(call: ToolCall, result: str) -> str:
    if not result:
        return "The command ended without any output."
    ended = _EXIT.fullmatch(result)
    if ended is None:
        return f"The command has ended. This was reported:\n\n{_quoted(result, 'text')}"
    # Not called a failure: some programs say no more than “nothing found” by it.
    is_well = ended["code"] == "0"
    told = "The command is done" if is_well else f"The command ended with exit code {ended['code']}"
    if not ended["output"] and ended["code"] == "1" and _is_grep(call):
        return "The search found nothing."
    if not ended["output"]:
        return f"{told}, without any output."
    return f"{told}. This is its output:\n\n{_quoted(ended['output'], _kind(ended['output']))}"


def _is_grep(call: ToolCall) -> bool:
    given = call.input.values()
    return any(
        one[:1] == ["grep"] or str(one).startswith("grep ")
        for one in given
        if isinstance(one, list | str)
    )


def _after_clock(_call: ToolCall, result: str) -> str:
    if not result:
        return "The clock of your computer said nothing."
    return f"The clock of your computer says: {code(result)}"


def _after_other(call: ToolCall, result: str) -> str:
    if not result:
        return f"{code(call.name)} ended without any output."
    return f"{code(call.name)} answered:\n\n{_quoted(result, _kind(result))}"


_DONE: Final[Mapping[Action, Callable[[ToolCall, str], str]]] = {
    "read": _after_reading,
    "list": _after_listing,
    "search": _after_searching,
    "write": _done("is written"),
    "edit": _done("is changed"),
    "move": _done("is moved"),
    "delete": _done("is deleted"),
    "make": _done("is made", "the folder"),
    "run": _after_running,
    "time": _after_clock,
    "fetch": _after_fetching,
}


def _place(call: ToolCall, otherwise: str) -> str:
    path = told_path(call.input)
    return code(path) if path else otherwise


def _reported(result: str) -> str:
    if not result:
        return ""
    if "\n" in result or len(result) > _REPORT_CHARS:
        return f" This was reported:\n\n{_quoted(result, 'text')}"
    return f" The tool reported: {code(result)}"


def _quoted(text: str, language: str) -> str:
    """Quote text, and say so where it is only the beginning of what came."""
    shown = _beginning(text)
    if shown == text:
        return fence(text, language)
    return f"{fence(shown, language)}\n\nThat is only the beginning: I was given {_size(text)}."


def _beginning(text: str) -> str:
    return "\n".join(text.split("\n")[:_QUOTE_LINES])[:_QUOTE_CHARS]


def _size(text: str) -> str:
    lines = text.count("\n") + 1
    return f"{count(lines, 'line')}, {count(len(text), 'character')}"


def _kind(text: str) -> str:
    return "json" if text[:1] in {"{", "["} else "text"
