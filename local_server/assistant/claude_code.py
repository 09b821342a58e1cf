"""What people's Claude Code agents mean by the names that they use.

Such an agent names models and tools of another program. Where we have the tool, it is meant;
where we have not, the name stays and matches nothing.
"""

from collections.abc import Iterable
from typing import Final

from local_server.assistant.front_matter import FrontMatter

# From what they call a tool to what clients of this service call theirs.
_TOOLS: Final = {
    "Read": ("read_file",),
    "Write": ("write_file",),
    "Edit": ("write_file",),
    "MultiEdit": ("write_file",),
    "LS": ("list_folder",),
    "Glob": ("list_folder", "search_files"),
    "Grep": ("search_files",),
    "Bash": ("run_command",),
}
_EVERY_TOOL: Final = "*"


def our_tools(names: Iterable[str] | None) -> tuple[str, ...] | None:
    """Translate an agent's tools; None is all of them, as in their files.

    `Bash(git log)` names a tool with a condition. It counts as the tool: what a call may do is
    decided where it runs, by the user.
    """
    if names is None:
        return None
    known = [name.partition("(")[0].strip() for name in names]
    if _EVERY_TOOL in known:
        return None
    ours = (_TOOLS.get(name, (name,)) for name in known)
    return tuple(dict.fromkeys(name for several in ours for name in several))


def our_model(matter: FrontMatter) -> str | None:
    """Read the model of an agent; None for `inherit` and for what names no provider."""
    value = matter.fields.get("model")
    if not isinstance(value, str):
        return None
    model = value.strip()
    is_ours = model.isprintable() and (":" in model or model == "offline")
    return model if is_ours else None


def plain_description(text: str) -> str:
    """Read the line ends that such a program spells out where a description holds examples."""
    return " ".join(text.replace("\\n", " ").split()) if "<example>" in text else text
