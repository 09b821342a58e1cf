"""What the offline assistant says once a tool has answered: for each tool and each outcome."""

import re
from collections.abc import Callable
from pathlib import PurePath
from typing import Final

from local_server.assistant.markdown import code, count, echo, fence
from local_server.store.records import ToolCall

_QUOTE_LINES: Final = 40
_QUOTE_CHARS: Final = 2000
_REPORT_CHARS: Final = 160
_DECLINED: Final = "the user declined"
_FAILED: Final = "error:"
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
    """Go on with what a tool's result says."""
    result = (call.result or "").strip("\n")
    if result.casefold().startswith(_DECLINED):
        return _after_declined(call, result)
    if result.casefold().startswith(_FAILED):
        return _after_failed(call, result[len(_FAILED) :].strip())
    return _DONE.get(call.name, _after_other)(call, result)


def _after_declined(call: ToolCall, result: str) -> str:
    sentences = {
        "read_file": f"{_place(call, 'the file')} stays unread",
        "list_folder": f"I will not look into {_place(call, 'the folder')}",
        "write_file": f"{_place(call, 'the file')} stays as it is",
        "run_command": "the command was not run",
        "current_time": "I will not look at the clock",
    }
    reason = result.partition("Reason:")[2].strip()
    because = f" Your reason was: “{echo(reason)}”" if reason else ""
    return f"All right, {sentences.get(call.name, f'{code(call.name)} was not run')}.{because}"


def _after_failed(call: ToolCall, report: str) -> str:
    subjects = {
        "read_file": f"Reading {_place(call, 'the file')}",
        "list_folder": f"Looking into {_place(call, 'the folder')}",
        "write_file": f"Writing {_place(call, 'the file')}",
        "run_command": "Running the command",
        "current_time": "Looking at the clock",
    }
    failed = f"{subjects.get(call.name, code(call.name))} did not work"
    if not report:
        return f"{failed}, and no reason was given."
    told = _quoted(report, "text")
    return f"{failed}. This was reported:\n\n{told}\n\nYou can change the request and try again."


def _after_reading(call: ToolCall, result: str) -> str:
    place = _place(call, "the file")
    if not result:
        return f"There is no text in {place}."
    path = call.input.get("path")
    suffix = PurePath(path).suffix.casefold() if isinstance(path, str) else ""
    told = f"This is what {place} says:\n\n{_quoted(result, _LANGUAGES.get(suffix, 'text'))}"
    return (
        told if _beginning(result) != result else f"{told}\n\nThat is all of it: {_size(result)}."
    )


def _after_listing(call: ToolCall, result: str) -> str:
    place = _place(call, "the folder")
    # An entry's line ends in its size, its kind or a slash.
    if not result or ("\n" not in result and result.endswith(" is empty.")):
        return f"There is nothing in {place}: it is empty."
    return f"This is in {place}:\n\n{_quoted(result, 'text')}"


def _after_writing(call: ToolCall, result: str) -> str:
    return f"Done: {_place(call, 'the file')} is written.{_reported(result)}"


def _after_running(_call: ToolCall, result: str) -> str:
    if not result:
        return "The command ended without any output."
    ended = _EXIT.fullmatch(result)
    if ended is None:
        return f"The command has ended. This was reported:\n\n{_quoted(result, 'text')}"
    # Not called a failure: some programs say no more than “nothing found” by it.
    is_well = ended["code"] == "0"
    told = "The command is done" if is_well else f"The command ended with exit code {ended['code']}"
    if not ended["output"]:
        return f"{told}, without any output."
    return f"{told}. This is its output:\n\n{_quoted(ended['output'], _kind(ended['output']))}"


def _after_clock(_call: ToolCall, result: str) -> str:
    if not result:
        return "The clock of your computer said nothing."
    return f"The clock of your computer says: {code(result)}"


def _after_other(call: ToolCall, result: str) -> str:
    if not result:
        return f"{code(call.name)} ended without any output."
    return f"{code(call.name)} answered:\n\n{_quoted(result, _kind(result))}"


_DONE: Final[dict[str, Callable[[ToolCall, str], str]]] = {
    "read_file": _after_reading,
    "list_folder": _after_listing,
    "write_file": _after_writing,
    "run_command": _after_running,
    "current_time": _after_clock,
}


def _place(call: ToolCall, otherwise: str) -> str:
    path = call.input.get("path")
    return code(path) if isinstance(path, str) and path.strip() else otherwise


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
