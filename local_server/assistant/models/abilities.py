"""Find out from its server or its name what a model supports: images, thinking, tools.

Providers list little more than names, so `abilities_of_name` knows the common families of models.
What a server says of a model itself (`Told`) takes precedence.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from local_server.assistant.models.context_windows import OWNERS_HERE, window_of_row
from local_server.assistant.models.ollama_model import window_of


@dataclass(frozen=True)
class Abilities:
    """What a model supports."""

    sees_images: bool = False
    has_thinking: bool = False
    has_tools: bool = True
    always_thinks: bool = False


@dataclass(frozen=True)
class Told:
    """What a server says of one of its models; None means that it does not say.

    Attributes:
        window: How many tokens question and answer may have together.
        runs_here: The server runs it itself, rather than forwarding requests to another one.
    """

    window: int | None = None
    sees_images: bool | None = None
    has_thinking: bool | None = None
    has_tools: bool | None = None
    runs_here: bool | None = None


_THINKING: Final = re.compile(
    r"think|reason|\br1\b|-r1|qwq|magistral|gpt-oss|\bo[134]\b"
    r"|claude-(?:3-7|[a-z]+-[4-9])|gpt-[5-9](?!\S*chat)|gemini-(?:[a-z]+-)*(?:2\.5|[3-9])"
    r"|deepseek-(?:chat|v3\.[1-9]|v[4-9])|grok-(?:3-mini|[4-9])|qwen-?3|glm-(?:4\.[5-9]|[5-9])"
    r"|kimi-k2\.[5-9]|smollm3|nemotron",
    re.IGNORECASE,
)
_NOT_THINKING: Final = re.compile(
    r"non-(?:thinking|reasoning)|qwen-?3\S*(?:coder|instruct)|-instruct-25", re.IGNORECASE
)
# Models whose thinking cannot be turned off.
_ALWAYS_THINKING: Final = re.compile(
    r"\bo[134]\b|gpt-5(?![.\d]|\S*chat)|gpt-oss|gemini-(?:2\.5-pro|3\S*-pro)|grok-3-mini"
    r"|grok-4(?:-0709|-latest)?$|grok-code|deepseek-(?:reasoner|r1)|\br1\b|qwq|magistral"
    r"|minimax-m[12]|(?:qwen-?3|kimi-k2)\S*-thinking|phi-4\S*-reasoning|sonar-reasoning",
    re.IGNORECASE,
)
_SEEING: Final = re.compile(
    r"vision|-vl\b|-vl-|\bvl\b|llava|pixtral|multimodal|omni"
    r"|claude-(?:3|[a-z]+-[4-9])|gpt-4(?:o|\.1|-turbo)|gpt-[5-9]|\bo[134]\b(?!-(?:mini|preview))"
    r"|o4-mini|gemini-(?:[a-z]+-)*(?:1\.5|[2-9])|gemma-?3|llama-?4|grok-[4-9]"
    r"|mistral-(?:small|medium|large)-(?:latest|2[5-9])|qwen-?(?:2\.5|3)-?vl",
    re.IGNORECASE,
)
_WITHOUT_TOOLS: Final = re.compile(
    r"gpt-3\.5-turbo-instruct|\bo1-(?:mini|preview)|chat-latest|chatgpt-4o|gemma-?[123]|llava",
    re.IGNORECASE,
)


def abilities_of_name(name: str) -> Abilities:
    """Return what models of this name are known to do; of an unknown one, that it takes tools."""
    return Abilities(
        sees_images=_SEEING.search(name) is not None,
        has_thinking=_THINKING.search(name) is not None and not _NOT_THINKING.search(name),
        has_tools=_WITHOUT_TOOLS.search(name) is None,
        always_thinks=_ALWAYS_THINKING.search(name) is not None,
    )


def told_by_row(row: dict[str, Any]) -> Told:
    """Read a row of a list of models, as providers, servers and gateways write it."""
    can, takes = row.get("capabilities"), row.get("supported_parameters")
    if isinstance(takes, list):
        # OpenRouter's words.
        shape = row.get("architecture")
        inputs = shape.get("input_modalities") if isinstance(shape, dict) else None
        return Told(
            window_of_row(row),
            "image" in inputs if isinstance(inputs, list) else None,
            "reasoning" in takes,
            "tools" in takes,
        )
    runs_here = True if row.get("owned_by") in OWNERS_HERE else None
    if isinstance(can, list):
        # Ollama's words, also in the lists of servers that speak alike.
        return Told(
            window_of_row(row),
            sees_images="vision" in can or "multimodal" in can,
            has_thinking=True if "thinking" in can else None,
            has_tools=True if "tools" in can or "tool_use" in can else None,
            runs_here=runs_here,
        )
    fields = can if isinstance(can, dict) else {}
    # Mistral says "vision" and "function_calling", LM Studio "vision" and "trained_for_tool_use",
    # Google "thinking".
    tools = _truth(fields.get("function_calling"), fields.get("trained_for_tool_use"))
    thinking = _truth(row.get("thinking"), fields.get("reasoning"))
    return Told(window_of_row(row), _truth(fields.get("vision")), thinking, tools, runs_here)


def told_by_ollama(shown: dict[str, Any]) -> Told:
    """Read what Ollama shows of a model."""
    can, window = shown.get("capabilities"), window_of(shown)
    # Its cloud's models are listed beside those that run here.
    runs_here = not (shown.get("remote_host") or shown.get("remote_model"))
    if not isinstance(can, list):
        return Told(window, runs_here=runs_here)
    return Told(window, "vision" in can, "thinking" in can, "tools" in can, runs_here)


def _truth(*values: object) -> bool | None:
    return next((value for value in values if isinstance(value, bool)), None)
