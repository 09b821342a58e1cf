"""The Markdown texts of the demo: its introduction, help, and the results of tools."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.demo.languages import SHOWCASE, Language, language_of, name_in, say
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
    "read_attachment": ("read page 2 of offer.pdf", "reads a file that you attached"),
    "search_files": ("find TODO in src", "finds a word in files"),
    "write_file": ("write notes.md: some text", "writes a file"),
    "run_command": ("run git status", "runs a command"),
}


def introduce(request: ReplyRequest, *, is_greeted: bool = False) -> str:
    """Explain what this is and how to choose a model: at length only in a chat's first reply."""
    language = language_in(request)
    greeting = say(language, "Hello! ") if is_greeted else ""
    agent = name_in(language, request.agent.display_name)
    if _has_spoken(request):
        return say(
            language,
            "{greeting}I am **{agent}**, played by the demo, a small program **without a language "
            "model**. Choose a model in **Settings** for real answers, or ask for *help* to see "
            "what you can try.",
            greeting=greeting,
            agent=agent,
        )
    return say(
        language,
        "{greeting}I am **{agent}**, played by the demo. It is a small program **without a "
        "language model**: it works offline and follows fixed rules, so it cannot think about a "
        "question.\n\n"
        "Parley is a program for chats with AI assistants. They can use tools on your computer, "
        "such as reading a file, and you decide about each call before it runs.\n\n"
        "For real answers, choose a model under **Settings**, **Models**: one that runs on this "
        "computer, or one of a provider whose key you have. Or connect to a service. If you "
        "started the service yourself, `parley-server models` lists what `--model` takes.\n\n"
        "{examples}",
        greeting=greeting,
        agent=agent,
        examples=_list_examples(request),
    )


def help_for(request: ReplyRequest) -> str:
    """List what can be tried, and before that what this is, unless it was said."""
    return _list_examples(request) if _has_spoken(request) else introduce(request)


def show_markdown(request: ReplyRequest) -> str:
    """Show the kinds of text that a reply can have."""
    return say(language_in(request), SHOWCASE)


def announce_calls(wanted: Sequence[RequestedToolCall], language: Language) -> str:
    """Announce which tools will be asked for."""
    names = say(language, " and ").join(dict.fromkeys(_code(one.name) for one in wanted))
    return say(language, "I will use {names} and show you what comes back.", names=names)


def say_not_offered(name: str, request: ReplyRequest) -> str:
    """Explain that a tool cannot be used here, and what can be tried."""
    return say(
        language_in(request),
        "That needs the tool {name}, which is not offered to me here.\n\n{examples}",
        name=_code(name),
        examples=_list_examples(request),
    )


def say_cannot_hand_over(name: str, colleagues: Sequence[Agent], language: Language) -> str:
    """Explain that nobody of that name can go on, and who can."""
    if not colleagues:
        return say(
            language,
            "I cannot hand over: there is nobody else in this reply. An agent that was chosen for "
            "a message answers it alone.",
        )
    unknown = "I know no agent {name} to hand over to. "
    return say(
        language,
        "{unknown}The form is `/agent NAME …`, with one of these names: {names}.",
        unknown=say(language, unknown, name=_code(name)) if name else "",
        names=", ".join(_code(agent.name) for agent in colleagues),
    )


def describe_skill(skill: Skill, language: Language) -> str:
    """Announce that a skill is used, and what it is for."""
    return say(
        language,
        "I am using the skill **{skill}** (version {version}):\n\n> {description}\n\n"
        "A language model would follow its instructions now. I have none.",
        skill=skill.display_name,
        version=skill.version,
        description=_line(skill.description),
    )


def describe_result(call: ToolCall, language: Language) -> str:
    """Describe what came back from a tool: it failed, was declined, or answered."""
    result = (call.result or "").strip("\n")
    name = _code(call.name)
    if _DECLINED.match(result):
        declined = "All right, {name} was not run: “{result}”"
        return say(language, declined, name=name, result=_line(result))
    failed = _FAILED.match(result)
    if failed is not None:
        report = _quote(result[failed.end() :], language) if result[failed.end() :] else ""
        reported = " This was reported:\n\n{report}\n\n"
        return say(
            language,
            "{name} did not work.{report}You can change the request and try again.",
            name=name,
            report=say(language, reported, report=report) if report else " ",
        )
    if not result:
        return say(language, "{name} ended without any output.", name=name)
    came = "This came back from {name}:\n\n{result}"
    return say(language, came, name=name, result=_quote(result, language))


def language_in(request: ReplyRequest) -> Language:
    """Return the language that the chat is in: that of the message, or else of those before."""
    earlier = (message.content for message in request.history[::-1] if message.role == "user")
    return language_of((request.message, *earlier))


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
    language, offered = language_in(request), {tool.name for tool in request.tools}
    examples = [
        f"- `{say(language, example)}` {say(language, meaning)}"
        for name, (example, meaning) in _PLAIN_EXAMPLES.items()
        if name in offered
    ]
    examples.append(say(language, "- *markdown* shows how text looks"))
    if request.colleagues:
        command = _code(f"/agent {request.colleagues[0].name} hello")
        words = "- {command} hands over to another agent"
        examples.append(say(language, words, command=command))
    if request.skills:
        words = "- {skill} uses the skill of this name"
        examples.append(say(language, words, skill=_code(request.skills[0].display_name)))
    listed = "\n".join([say(language, "What you can try:"), "", *examples])
    if not request.tools:
        words = "{examples}\n\nNo tools are offered to me here."
        return say(language, words, examples=listed)
    command = _command(min(request.tools, key=lambda tool: _rank(tool, request.tools)))
    words = "{examples}\n- `/tool` calls any tool by its name:\n\n{command}"
    return say(language, words, examples=listed, command=_fence(command, "text"))


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


def _quote(text: str, language: Language) -> str:
    shown = "\n".join(text.split("\n")[:_QUOTE_LINES])[:_QUOTE_CHARS]
    if shown == text:
        return _fence(text, "text")
    return say(
        language,
        "{beginning}\n\nThat is only the beginning of {lines} lines, {letters} characters.",
        beginning=_fence(shown, "text"),
        lines=f"{text.count(chr(10)) + 1:,}",
        letters=f"{len(text):,}",
    )
