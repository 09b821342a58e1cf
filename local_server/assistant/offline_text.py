"""The words of the offline assistant, in Markdown."""

import json
import re
from collections.abc import Sequence
from typing import Final

from local_server.assistant.markdown import code, count, echo, fence
from local_server.assistant.reply import ReplyRequest, ToolRequest
from local_server.assistant.skills import Skill
from local_server.store.records import Tool

_GREETING: Final = re.compile(r"^(hi|hello|hey|good (morning|afternoon|evening))\b", re.IGNORECASE)
_THANKS: Final = re.compile(r"^(thanks|thank you|cheers)\b", re.IGNORECASE)
_SAMPLE: Final = re.compile(r"\b(markdown|formatting|a table|code block)\b", re.IGNORECASE)
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
        "read_file": f"I will read {code(path)} and show you what it says.",
        "list_folder": f"I will look at what is in {code(path)}.",
        "write_file": f"I will write {code(path)}, exactly as you dictated it.",
        "run_command": "I will run this command and show you its output.",
        "current_time": "I will look at the clock of your computer.",
    }
    return sentences.get(wanted.name, f"I will use the tool {code(wanted.name)}.")


def tool_not_offered(name: str, tools: Sequence[Tool]) -> str:
    """Say that a tool cannot be used here, and which can."""
    return (
        f"That needs the tool {code(name)}, and it is not offered to me here, "
        f"so I cannot do it.\n\n{_offered(tools)}"
    )


def not_understood(reason: str, tools: Sequence[Tool]) -> str:
    """Say why a request for a tool could not be made."""
    return f"I could not make a tool call of that. {reason}\n\n{_offered(tools)}"


def with_skill(skill: Skill, message: str) -> str:
    """Give the steps of a skill for what was asked."""
    steps = "\n".join(re.findall(r"^\d+\. .+$", skill.instructions, re.MULTILINE))
    return (
        f"I am using the skill **{skill.display_name}** (version {skill.version}) for this:\n\n"
        f"> {echo(message)}\n\nIts steps are:\n\n{steps}\n\n"
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
        opening = f"You wrote {_measure(message)}:\n\n> {echo(message)}"
    return (
        f"{opening}\n\n"
        "I am a small program **without a language model**: I work offline, cost nothing and "
        "always answer the same way, but I cannot think about a question. For real answers, "
        "choose a model of an Ollama on this computer, or connect to a service that has one.\n\n"
        f"{_offered(request.tools)}"
    )


def _offered(tools: Sequence[Tool]) -> str:
    names = {tool.name for tool in tools}
    known = [example for name, example in _EXAMPLES.items() if name in names]
    if not names:
        return "No tools are offered to me here. Ask me about **markdown** to see a sample of text."
    lines = ["What you can try:", ""]
    lines += [f"- {example} {meaning}," for example, meaning in known]
    lines += ["- the word *markdown* shows how text looks,", "- or call any tool by its name:"]
    first = min(names) if not known else next(name for name in _EXAMPLES if name in names)
    return "\n".join([*lines, "", fence(f"/tool {first} {_sample_input(first)}", "text")])


def _sample_input(name: str) -> str:
    samples: dict[str, dict[str, object]] = {
        "read_file": {"path": "notes.md"},
        "list_folder": {"path": "."},
        "write_file": {"path": "notes.md", "content": "some text"},
        "run_command": {"argv": ["git", "status"]},
    }
    return json.dumps(samples.get(name, {}))


def _measure(message: str) -> str:
    return count(len(message.split()), "word")
