"""What the offline assistant says of itself and of what it can do, in Markdown."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.offline.actions import (
    Action,
    action_of,
    find_stand_in,
    find_tool,
    told_path,
)
from local_server.assistant.offline.markdown import code, echo, fence
from local_server.assistant.reply import ReplyRequest, ToolRequest
from local_server.store.records import Tool

_GREETING: Final = re.compile(r"^(hi|hello|hey|good (morning|afternoon|evening))\b", re.IGNORECASE)
_THANKS: Final = re.compile(r"^(thanks|thank you|cheers)\b", re.IGNORECASE)
_WHO: Final = re.compile(
    r"^(?:who|what) (?:are|r) you\b|^what(?:['’]s| is) your name\b|^introduce yourself\b"
    r"|^are you (?:(?:a|an|the|really|real) )*"
    r"(?:ai|llm|bot|robot|human|person|program|model|language model|chatgpt|claude|gemini)\b",
    re.IGNORECASE,
)
_SAMPLE: Final = re.compile(r"\b(markdown|formatting|a table|code block)\b", re.IGNORECASE)
_HELP: Final = re.compile(
    r"^(help|what can you (do|help (me |us )?with)|what can i (do|try|ask))\b"
    r"|^how can you help( me| us)?\s*[?.!]*$|^\?+$",
    re.IGNORECASE,
)
_QUOTED_CHARS: Final = 100
_NO_MODEL: Final = "without a language model"
_SEARCH_BY_COMMAND: Final = (
    "No tool for searching is offered to me, so I will search with the command `grep` and show "
    "you its output."
)
_EXAMPLES: Final[Mapping[Action, tuple[str, str]]] = {
    "read": ("`read notes.md`", "shows you what a file says"),
    "list": ("`list Downloads`", "shows what is in a folder"),
    "search": ("`find TODO in src`", "finds words in files"),
    "write": ("`write notes.md: some text`", "writes a file"),
    "edit": ('`replace "old" with "new" in notes.md`', "changes a file"),
    "move": ("`move notes.md to archive/`", "moves or renames a file"),
    "delete": ("`delete notes.md`", "deletes a file"),
    "make": ("`make a folder archive`", "makes a folder"),
    "run": ("`run git status`", "runs a command"),
    "time": ("`what time is it`", "tells the time of your computer"),
    "fetch": ("`fetch https://example.com`", "fetches a page"),
}
_SAMPLE_INPUTS: Final[Mapping[str, dict[str, object]]] = {
    "read_file": {"path": "notes.md"},
    "list_folder": {"path": "."},
    "write_file": {"path": "notes.md", "content": "some text"},
    "run_command": {"argv": ["git", "status"]},
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


def before_tools(wanted: Sequence[ToolRequest], searches: Sequence[ToolRequest] = ()) -> str:
    """Say what will be asked for; `searches` are the commands that stand in for a search."""
    told = [_SEARCH_BY_COMMAND if one in searches else _before_tool(one) for one in wanted]
    if len(told) == 1:
        return told[0]
    listed = [f"{place}. {sentence}" for place, sentence in enumerate(told, start=1)]
    return "\n".join(["One after the other:", "", *listed])


def _before_tool(wanted: ToolRequest) -> str:
    path = code(told_path(wanted.input) or "it")
    query = wanted.input.get("query") or wanted.input.get("pattern")
    sentences: Mapping[Action, str] = {
        "read": f"I will read {path} and show you what it says.",
        "list": f"I will look at what is in {path}.",
        "search": f"I will look for {code(query) if query else 'it'}.",
        "write": f"I will write {path}, exactly as you dictated it.",
        "edit": f"I will change {path} as you said, and nothing else in it.",
        "move": f"I will move {path} to where you said.",
        "delete": f"I will ask to delete {path}.",
        "make": f"I will make the folder {path}.",
        "run": "I will run this command and show you its output.",
        "time": "I will look at the clock of your computer.",
        "fetch": "I will fetch that page and show you what it says.",
    }
    action = action_of(wanted.name)
    return sentences[action] if action else f"I will use the tool {code(wanted.name)}."


def tool_not_offered(name: str, tools: Sequence[Tool]) -> str:
    """Say that a tool cannot be used here, and which can."""
    return (
        f"That needs the tool {code(name)}, and it is not offered to me here, "
        f"so I cannot do it.\n\n{offered(tools)}"
    )


def no_way_to_search(tools: Sequence[Tool]) -> str:
    """Say that nothing here can search, and what could."""
    return (
        "That needs a tool that searches, such as `search_files`, or one that runs commands, such "
        "as `run_command`. Neither is offered to me here, so I cannot do it.\n\n"
        f"{offered(tools)}"
    )


def not_understood(reason: str, tools: Sequence[Tool]) -> str:
    """Say why a request for a tool could not be made."""
    return f"I could not make a tool call of that. {reason}\n\n{offered(tools)}"


def handing_over(agent: Agent) -> str:
    """Say who goes on."""
    return f"I hand over to **{agent.display_name}**."


def cannot_hand_over(name: str, colleagues: Sequence[Agent]) -> str:
    """Say that nobody of that name can go on, and who can."""
    if not colleagues:
        return (
            f"I cannot hand over to {code(name)}: in this reply there is nobody to whom I could. "
            "An agent that was chosen for a message answers it alone."
        )
    listed = ", ".join(f"**{agent.display_name}**" for agent in colleagues)
    return f"I know no agent {code(name)} to hand over to. There is: {listed}."


def taking_over(agent: Agent) -> str:
    """Say that this agent is there now."""
    return f"Here is **{agent.display_name}**, played by the built-in assistant. What shall I do?"


def small_talk(request: ReplyRequest) -> str | None:
    """Answer thanks, greetings, calls for help or for a sample; None when it is none of them."""
    message = request.message.strip()
    name = f"I am **{request.agent.display_name}**, played by the built-in assistant."
    if _HELP.match(message):
        return offered(request.tools) if _has_spoken(request) else _introduced(name, request)
    if _THANKS.match(message):
        return _welcome(request.tools)
    if _SAMPLE.search(message):
        return _SAMPLE_TEXT
    if _GREETING.match(message):
        return _introduced(f"Hello! {name}", request)
    return _introduced(name, request) if _WHO.match(message) else None


def _welcome(tools: Sequence[Tool]) -> str:
    offers: Mapping[Action, str] = {"read": "a file to read", "list": "a folder to look into"}
    wanted = [what for action, what in offers.items() if find_tool(action, tools)]
    return "You are welcome." + (f" Is there {', or '.join(wanted)}?" if wanted else "")


def at_a_loss(request: ReplyRequest) -> str:
    """Answer what is beyond rules: say what this is, at length only the first time."""
    message = request.message.strip()
    quoted = f"> {echo(message, _QUOTED_CHARS)}\n\nThat is beyond me."
    return _introduced(quoted, request)


def _has_spoken(request: ReplyRequest) -> bool:
    return any(message.role == "assistant" for message in request.history)


def _introduced(opening: str, request: ReplyRequest) -> str:
    if _has_spoken(request):
        return (
            f"{opening} I work {_NO_MODEL}. Ask *how do I connect a model?* for real answers, or "
            "*help* for what I can do."
        )
    return (
        f"{opening} I am a small program **{_NO_MODEL}**: I work offline, cost nothing and "
        "always answer the same way, but I cannot think about a question. For real answers, "
        "choose a model that Ollama has on this computer, or connect to a service that has one: "
        f"ask *how do I connect a model?*\n\n{offered(request.tools)}"
    )


def offered(tools: Sequence[Tool]) -> str:
    """List what can be tried."""
    known = [
        example
        for action, example in _EXAMPLES.items()
        if find_tool(action, tools) or find_stand_in(action, tools)
    ]
    lines = ["What you can try:", "", *(f"- {example} {meaning}," for example, meaning in known)]
    lines += [
        "- `15 % of 240`, `days until 24 December` or `5 miles in km` is worked out,",
        "- the word *markdown* shows how text looks" + ("," if tools else "."),
    ]
    if not tools:
        return "\n".join(["No tools are offered to me here.", "", *lines])
    lines.append("- or call any tool by its name:")
    first = _first(tools)
    command = f"/tool {first} {json.dumps(_SAMPLE_INPUTS.get(first, {}))}"
    return "\n".join([*lines, "", fence(command, "text")])


def _first(tools: Sequence[Tool]) -> str:
    """The tool that the example calls: the first that is known, else the first by name."""
    known = (tool.name for action in _EXAMPLES if (tool := find_tool(action, tools)))
    return next(known, min(tool.name for tool in tools))
