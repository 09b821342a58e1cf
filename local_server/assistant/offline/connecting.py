"""How to connect a model, told by the assistant that has none."""

import re
from typing import Final

_LONGEST_CHARS: Final = 500
_ASKED: Final = re.compile(
    r"\b(?:connect|choose|use|set ?up|add|switch to|install|configure|run)\b.*"
    r"\b(?:models?|llm|ollama|openai|anthropic|claude|gemini|google|gpt|lm studio|llama\S*|vllm)\b"
    r"|\b(?:which|what) models?\b|\blanguage model\b|\bapi key\b|\bbetter answers\b",
    re.IGNORECASE,
)
# What is typed for each, and the words that ask for it.
_WAYS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        r"\bollama\b",
        "**Ollama**, on this computer and free: install it, get a model, then choose it.",
        "ollama pull llama3.2:3b\nparley-server serve --model ollama:llama3.2:3b",
    ),
    (
        r"\bopenai\b|\bgpt\b",
        "**OpenAI**, with a key of your own:",
        "export OPENAI_API_KEY=…\nparley-server serve --model openai:NAME",
    ),
    (
        r"\blm studio\b|\bllama\.?cpp\b|\bvllm\b|\bjan\b|\bcompatible\b|\baddress\b",
        "**Anything that speaks OpenAI’s interface** (LM Studio, llama.cpp, vLLM, Jan):",
        "parley-server serve --model openai:NAME@http://127.0.0.1:1234/v1",
    ),
    (
        r"\banthropic\b|\bclaude\b",
        "**Anthropic**, with a key of your own:",
        "export ANTHROPIC_API_KEY=…\nparley-server serve --model anthropic:NAME",
    ),
    (
        r"\bgoogle\b|\bgemini\b",
        "**Google**, with a key of your own:",
        "export GOOGLE_API_KEY=…\nparley-server serve --model google:NAME",
    ),
)
_IN_THE_WINDOW: Final = (
    "In the window, open **Settings** and choose one of the models that are found on this "
    "computer, such as those that Ollama has while it runs. To use somebody’s hosted service "
    "instead, give its address and your project key."
)
_BY_HAND: Final = "If you start the service yourself, tell it which model answers:"
_FOUND: Final = (
    "`parley-server models` lists what is found on this computer, each as `--model` takes it. A "
    "*test* key is always answered by me, whatever model is chosen."
)


def is_about_connecting(message: str) -> bool:
    """Tell whether somebody wants to know how a model comes here."""
    return len(message) <= _LONGEST_CHARS and _ASKED.search(message) is not None


def how_to_connect(message: str) -> str:
    """Explain it: the way that was asked for, or all of them."""
    asked = [way for way in _WAYS if re.search(way[0], message, re.IGNORECASE)]
    told = [f"{words}\n\n```bash\n{commands}\n```" for _, words, commands in asked or _WAYS]
    return "\n\n".join([_IN_THE_WINDOW, _BY_HAND, *told, _FOUND])
