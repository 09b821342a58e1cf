"""The words of the offline assistant, in Markdown."""

import json
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from local_server.assistant.reply import ReplyRequest, ToolRequest
from local_server.assistant.skills import Skill
from local_server.store.records import Tool, ToolCall

_QUOTE_LINES: Final = 40
_QUOTE_CHARS: Final = 2000
_ECHO_CHARS: Final = 200
_DECLINED: Final = "the user declined"
_FAILED: Final = "error:"
_GREETING: Final = re.compile(r"^(hi|hello|hey|good (morning|afternoon|evening))\b", re.IGNORECASE)
_THANKS: Final = re.compile(r"^(thanks|thank you|cheers)\b", re.IGNORECASE)
_SAMPLE: Final = re.compile(r"\b(markdown|formatting|a table|code block)\b", re.IGNORECASE)
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
_EXAMPLES: Final = {
    "read_file": ("`read notes.md`", "shows you what a file says"),
    "list_folder": ("`list Downloads`", "shows what is in a folder"),
    "write_file": ("`write notes.md: some text`", "writes a file"),
    "run_command": ("`run git status`", "runs a command"),
    "current_time": ("`what time is it`", "tells the time of your computer"),
}
_SAMPLE_TEXT: Final = """\
Here is some of what a reply can hold.

## A heading, with *emphasis*, **strength** and `code`

1. First this,
2. then that:
   - with a detail,
   - and another.

| Part | What it does |
|---|---|
| Sidebar | your conversations |
| Transcript | what was said |
| Composer | what you say next |

```python
def greet(name: str) -> str:
    return f"Hello, {name}!"
```

> A quotation, for words that are somebody else’s.
"""


def before_tool(wanted: ToolRequest) -> str:
    """Say what will be asked for."""
    path = wanted.input.get("path")
    sentences = {
        "read_file": f"I will read {_code(path)} and show you what it says.",
        "list_folder": f"I will look at what is in {_code(path)}.",
        "write_file": f"I will write {_code(path)}, exactly as you dictated it.",
        "run_command": "I will run this command and show you its output.",
        "current_time": "I will look at the clock of your computer.",
    }
    return sentences.get(wanted.name, f"I will use the tool {_code(wanted.name)}.")


def tool_not_offered(name: str, tools: Sequence[Tool]) -> str:
    """Say that a tool cannot be used here, and which can."""
    return (
        f"That needs the tool {_code(name)}, and it is not offered to me here, "
        f"so I cannot do it.\n\n{_offered(tools)}"
    )


def not_understood(reason: str, tools: Sequence[Tool]) -> str:
    """Say why a request for a tool could not be made."""
    return f"I could not make a tool call of that. {reason}\n\n{_offered(tools)}"


def after_tool(call: ToolCall) -> str:
    """Go on with what a tool's result says."""
    result = (call.result or "").strip("\n")
    if result.casefold().startswith(_DECLINED):
        return _after_declined(call, result)
    if result.casefold().startswith(_FAILED):
        return (
            f"{_code(call.name)} did not work. This is what it reported:\n\n"
            f"{_fence(result[len(_FAILED) :].strip(), '')}\n\n"
            "Nothing else was tried. You can correct the request and send it again."
        )
    if not result:
        return f"{_code(call.name)} ended without any output."
    quoted, note = _trimmed(result)
    return f"{_introduction(call)}\n\n{_fence(quoted, _language(call, result))}\n\n{note}"


def with_skill(skill: Skill, message: str) -> str:
    """Give the steps of a skill for what was asked."""
    steps = "\n".join(re.findall(r"^\d+\. .+$", skill.instructions, re.MULTILINE))
    return (
        f"I am using the skill **{skill.display_name}** (version {skill.version}) for this:\n\n"
        f"> {_echo(message)}\n\nIts steps are:\n\n{steps}\n\n"
        "I have no language model, so I can give you the steps but not take them."
    )


def about_itself(request: ReplyRequest) -> str:
    """Answer anything else: say what this is, and what can be tried."""
    message = request.message.strip()
    if _THANKS.match(message):
        return "You are welcome. Is there a file to read, or a folder to look into?"
    if _SAMPLE.search(message):
        return _SAMPLE_TEXT
    name = request.agent.display_name
    if _GREETING.match(message):
        opening = f"Hello! I am **{name}**, played by the built-in assistant."
    else:
        opening = f"You wrote {_measure(message)}:\n\n> {_echo(message)}"
    return (
        f"{opening}\n\n"
        "I am a small program **without a language model**: I work offline, cost nothing and "
        "always answer the same way, but I cannot think about a question. For real answers, "
        "choose a model of an Ollama on this computer, or connect to a service that has one.\n\n"
        f"{_offered(request.tools)}"
    )


def _after_declined(call: ToolCall, result: str) -> str:
    reason = result.partition("Reason:")[2].strip()
    because = f" Your reason: “{_echo(reason)}”" if reason else ""
    return (
        f"You declined {_code(call.name)}, so I did not get to see anything.{because}\n\n"
        "I will leave it at that. Ask for something else whenever you like."
    )


def _introduction(call: ToolCall) -> str:
    path = call.input.get("path")
    sentences = {
        "read_file": f"This is what {_code(path)} says:",
        "list_folder": f"This is in {_code(path)}:",
        "current_time": "The clock of your computer says:",
    }
    return sentences.get(call.name, f"{_code(call.name)} answered:")


def _offered(tools: Sequence[Tool]) -> str:
    names = {tool.name for tool in tools}
    known = [example for name, example in _EXAMPLES.items() if name in names]
    if not names:
        return "No tools are offered to me here. Ask me about **markdown** to see a sample of text."
    lines = ["What you can try:", ""]
    lines += [f"- {example} {meaning}," for example, meaning in known]
    lines += ["- the word *markdown* shows how text looks,", "- or call any tool by its name:"]
    first = min(names) if not known else next(name for name in _EXAMPLES if name in names)
    return "\n".join([*lines, "", _fence(f"/tool {first} {_sample_input(first)}", "text")])


def _sample_input(name: str) -> str:
    samples: dict[str, dict[str, object]] = {
        "read_file": {"path": "notes.md"},
        "list_folder": {"path": "."},
        "write_file": {"path": "notes.md", "content": "some text"},
        "run_command": {"argv": ["git", "status"]},
    }
    return json.dumps(samples.get(name, {}))


def _trimmed(result: str) -> tuple[str, str]:
    lines = result.split("\n")
    quoted = "\n".join(lines[:_QUOTE_LINES])[:_QUOTE_CHARS]
    measure = f"{_count(len(lines), 'line')}, {_count(len(result), 'character')}"
    if quoted == result:
        return quoted, f"That is all of it: {measure}."
    return quoted, f"That is the beginning; the whole has {measure}."


def _language(call: ToolCall, result: str) -> str:
    path = call.input.get("path")
    if call.name == "read_file" and isinstance(path, str):
        return _LANGUAGES.get(PurePath(path).suffix.casefold(), "text")
    return "json" if result[:1] in {"{", "["} else "text"


def _fence(text: str, language: str) -> str:
    """Put text into a code block, with a fence that nothing in the text can close."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}{language}\n{text}\n{marks}"


def _code(value: object) -> str:
    text = " ".join(str(value).split())[:_ECHO_CHARS]
    marks = "``" if "`" in text else "`"
    return f"{marks}{text}{marks}"


def _echo(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= _ECHO_CHARS else f"{line[:_ECHO_CHARS]}…"


def _measure(message: str) -> str:
    return _count(len(message.split()), "word")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
