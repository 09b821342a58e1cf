"""The Markdown texts of the demo: its introduction, help, and the results of tools."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.reply import ReplyRequest, RequestedToolCall
from local_server.assistant.skills import Skill
from local_server.store.records import StoredTool, ToolCall

_ECHO_CHARS: Final = 200
_QUOTE_LINES: Final = 40
_QUOTE_CHARS: Final = 2_000
_FAILED: Final = re.compile(r"(?:error|failed|failure)\s*:\s*", re.IGNORECASE)
_DECLINED: Final = re.compile(
    r"the (?:user|person) (?:has )?(?:declined|denied|rejected|refused|a rule that forbids)",
    re.IGNORECASE,
)
_PLAIN_EXAMPLES: Final[Mapping[str, tuple[str, str]]] = {
    "read_file": ("read notes.md", "shows what a file says"),
    "list_folder": ("list Downloads", "shows what is in a folder"),
    "search_files": ("find TODO in src", "finds a word in files"),
    "write_file": ("write notes.md: some text", "writes a file"),
    "run_command": ("run git status", "runs a command"),
}
SHOWCASE: Final = """\
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

The circle of radius $r$ has the area

$$A = \\pi r^2$$

> A quotation, for words that are somebody else’s.
"""


def introduce(request: ReplyRequest, greeting: str = "") -> str:
    """Explain what this is and how to choose a model: at length only in a chat's first reply."""
    name = f"{greeting}I am **{request.agent.display_name}**, played by the demo"
    if _has_spoken(request):
        return (
            f"{name}, a demo **without a language model**. Choose a model in **Settings** for "
            "real answers, or ask for *help* to see what can be tried here."
        )
    return (
        f"{name}. It is a demo **without a language model**: it works offline and follows fixed "
        "rules, so it cannot think about a question.\n\n"
        "Parley is a program for chats with AI assistants. They can use tools on your computer, "
        "such as reading a file, and you decide about each call before it runs.\n\n"
        "For real answers, choose a model under **Settings**, **Models**: one that runs on this "
        "computer or one of a provider whose key you have. Or connect to a hosted project. If you "
        "started the service yourself, `parley-server models` lists what `--model` takes.\n\n"
        f"{_list_examples(request)}"
    )


def help_for(request: ReplyRequest) -> str:
    """List what can be tried, and before that what this is, unless it was said."""
    return _list_examples(request) if _has_spoken(request) else introduce(request)


def announce_calls(wanted: Sequence[RequestedToolCall]) -> str:
    """Announce which tools will be asked for."""
    names = list(dict.fromkeys(_code(one.name) for one in wanted))
    return f"I will use {' and '.join(names)} and show you what comes back."


def say_not_offered(name: str, request: ReplyRequest) -> str:
    """Explain that a tool cannot be used here, and what can be tried."""
    return (
        f"That needs the tool {_code(name)}, and it is not offered to me here, so I cannot do it."
        f"\n\n{_list_examples(request)}"
    )


def say_cannot_hand_over(name: str, colleagues: Sequence[Agent]) -> str:
    """Explain that nobody of that name can go on, and who can."""
    if not colleagues:
        return (
            "I cannot hand over: in this reply there is nobody to whom I could. An agent that was "
            "chosen for a message answers it alone."
        )
    listed = ", ".join(_code(agent.name) for agent in colleagues)
    unknown = f"I know no agent {_code(name)} to hand over to. " if name else ""
    return f"{unknown}The form is `/agent NAME …`, with one of these names: {listed}."


def describe_skill(skill: Skill) -> str:
    """Announce that a skill is used, and what it is for."""
    return (
        f"I am using the skill **{skill.display_name}** (version {skill.version}):\n\n"
        f"> {_line(skill.description)}\n\n"
        "A language model would follow its instructions now. I have none."
    )


def describe_result(call: ToolCall) -> str:
    """Describe what came back from a tool: it failed, was declined, or answered."""
    result = (call.result or "").strip("\n")
    name = _code(call.name)
    if _DECLINED.match(result):
        return f"All right, {name} was not run: “{_line(result)}”"
    failed = _FAILED.match(result)
    if failed is not None:
        report = result[failed.end() :]
        quoted = f" This was reported:\n\n{_quote(report)}\n\n" if report else " "
        return f"{name} did not work.{quoted}You can change the request and try again."
    if not result:
        return f"{name} ended without any output."
    return f"This came back from {name}:\n\n{_quote(result)}"


def _fence(text: str, language: str) -> str:
    """Put text into a code block, with a fence that nothing in the text can close."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}{language}\n{text}\n{marks}"


def _code(text: str) -> str:
    """Put the beginning of a text into a line, as code."""
    marks = "``" if "`" in text else "`"
    return f"{marks}{_line(text)}{marks}"


def _has_spoken(request: ReplyRequest) -> bool:
    return any(message.role == "assistant" for message in request.history)


def _list_examples(request: ReplyRequest) -> str:
    """List what can be tried with the tools, agents and skills of a request."""
    offered = {tool.name for tool in request.tools}
    examples = [
        f"- `{example}` {meaning}"
        for name, (example, meaning) in _PLAIN_EXAMPLES.items()
        if name in offered
    ]
    examples.append("- *markdown* shows how text looks")
    if request.colleagues:
        example = f"/agent {request.colleagues[0].name} hello"
        examples.append(f"- {_code(example)} hands over to another agent")
    if request.skills:
        examples.append(f"- {_code(request.skills[0].display_name)} uses the skill of this name")
    listed = "\n".join(["What you can try:", "", *examples])
    if not request.tools:
        return f"{listed}\n\nNo tools are offered to me here."
    command = _command(min(request.tools, key=lambda tool: _rank(tool, request.tools)))
    return f"{listed}\n- `/tool` calls any tool by its name:\n\n{_fence(command, 'text')}"


def _rank(tool: StoredTool, tools: Sequence[StoredTool]) -> tuple[bool, int]:
    """Put the tools of plain requests first: people can tell what they do."""
    return tool.name not in _PLAIN_EXAMPLES, tools.index(tool)


def _command(tool: StoredTool) -> str:
    required = tool.input_schema.get("required")
    names = required if isinstance(required, list) else []
    return f"/tool {tool.name} {json.dumps({str(name): '…' for name in names}, ensure_ascii=False)}"


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _ECHO_CHARS else f"{line[:_ECHO_CHARS]}…"


def _quote(text: str) -> str:
    shown = "\n".join(text.split("\n")[:_QUOTE_LINES])[:_QUOTE_CHARS]
    if shown == text:
        return _fence(text, "text")
    size = f"{text.count(chr(10)) + 1:,} lines, {len(text):,} characters"
    return f"{_fence(shown, 'text')}\n\nThat is only the beginning: I was given {size}."
