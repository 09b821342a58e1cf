"""Read and write the files of agents for an editor, changing only what was edited.

`read_agent_file` reads an agent with all that an editor shows, `save_agent` writes a changed or new
one, and `restore_agent_file` restores an earlier text. Both writers get the revision that the
editor has read, and raise `AgentFileError` if another program has changed the file since.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from local_server.assistant.agents import (
    HIGHEST_TEMPERATURE,
    Agent,
    agent_of,
    display_name_of,
    plain_description,
)
from local_server.assistant.catalog import Listed
from local_server.assistant.front_matter import (
    FILE_LIMIT_BYTES,
    MATTER_LIMIT_CHARS,
    DefinitionError,
    FrontMatter,
    SmallFileError,
    entries_of,
    entry_name,
    parse_front_matter,
    read_small_file,
)
from local_server.store.records import ThinkingLength
from local_tools.recovery.files import write_atomically

AgentFileFault = Literal["changed", "name_taken", "unnamed", "too_large", "not_written"]

_FILE_NAME_CHARS: Final = 40
# Windows opens a device under these names, whatever follows them.
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
_NO_NAME: Final = "agent"
_WIDEST: Final = 1_000_000
_UNSENDABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class AgentFileError(Exception):
    """The file was not written.

    Attributes:
        fault: `changed`: another program wrote it meanwhile. `name_taken`: another agent has this
            name. `unnamed`: name or description says nothing. `too_large`: it would be too large
            to be read. `not_written`: the system refuses, and the message says why.
    """

    def __init__(self, fault: AgentFileFault, message: str = "") -> None:
        super().__init__(message or fault)
        self.fault = fault


class AgentDraft(BaseModel):
    """An agent as an editor shows it.

    Attributes:
        name: The name in requests; empty for a new agent, which gets one from `display_name`.
        tools: None for all; likewise `skills`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = ""
    display_name: str = Field(max_length=200)
    description: str = Field(max_length=4000)
    instruction: str = ""
    model: str | None = Field(default=None, max_length=500)
    temperature: float | None = Field(default=None, ge=0, le=HIGHEST_TEMPERATURE)
    thinking: ThinkingLength | None = None
    tools: tuple[str, ...] | None = Field(default=None, strict=False)
    skills: tuple[str, ...] | None = Field(default=None, strict=False)
    icon: str = Field(default="", max_length=40)
    colour: str = Field(default="", max_length=40)


@dataclass(frozen=True)
class AgentFile:
    """An agent's file.

    Attributes:
        revision: Identifies the contents; empty if the person has no own file of this agent.
        text: The contents; None if the person has no own file of this agent.
    """

    draft: AgentDraft
    path: Path
    revision: str
    text: str | None


def read_agent_file(found: Listed[Agent]) -> AgentFile:
    """Read an agent for an editor. Saving one that ships makes a copy of the person's own.

    Raises:
        AgentFileError: When its file cannot be read now.
    """
    text = _text_at(found.path)
    if text is None:
        raise AgentFileError("changed")
    _, draft = _parsed(found.path, text)
    if found.source == "built-in":
        return AgentFile(draft, found.path, "", None)
    return AgentFile(draft, found.path, revision_of(text), text)


def save_agent(
    draft: AgentDraft, revision: str, known: Iterable[Listed[Agent]], folder: Path
) -> AgentFile:
    """Write an agent, and return it as it can be read now.

    Args:
        draft: Its new contents.
        revision: The revision of the file that was edited; empty if that was none of one's own.
        known: All agents of the project.
        folder: Where new files go; made if it is not there.

    Raises:
        AgentFileError: When it is not written; the file is then as it was.
    """
    listed = {found.item.name: found for found in known}
    draft = _cleaned(draft)
    if not draft.display_name or not draft.description:
        raise AgentFileError("unnamed")
    found = listed.get(draft.name)
    if found is None:
        draft = _changed(draft, name=draft.name or _name_from(draft.display_name))
        if draft.name.casefold() in {name.casefold() for name in listed}:
            raise AgentFileError("name_taken")
    is_own = found is not None and found.source != "built-in"
    before = _text_at(found.path) if found else None
    if (revision_of(before) if is_own and before is not None else "") != revision:
        raise AgentFileError("changed")
    path = found.path if found and is_own else _free_path(folder, draft.name)
    text = agent_text(path, draft, before)
    _write(path, text)
    return AgentFile(draft, path, revision_of(text), text)


def restore_agent_file(path: Path, folders: Iterable[Path], text: str | None, revision: str) -> str:
    """Restore an earlier text of a file, or delete it for None; return the new revision.

    Raises:
        AgentFileError: When it is not the file of that revision, or cannot be written.
    """
    if path.parent not in tuple(folders) or path.suffix != ".md":
        raise AgentFileError("not_written", f"{path} is no agent’s file.")
    now = _text_at(path)
    if (revision_of(now) if now is not None else "") != revision:
        raise AgentFileError("changed")
    if text is not None:
        _write(path, text)
        return revision_of(text)
    try:
        path.unlink(missing_ok=True)
    except OSError as exc:
        raise AgentFileError("not_written", str(exc.strerror)) from exc
    return ""


def revision_of(text: str) -> str:
    """Return the revision of a text, which identifies its contents."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def agent_text(path: Path, draft: AgentDraft, before: str | None) -> str:
    """Return the text of an agent's file; what the draft does not change stays as in the old text.

    Raises:
        AgentFileError: When it would be too large, or would be read as something else.
    """
    matter, was = _parsed(path, before) if before is not None else (None, None)
    entries = _entries(draft, matter, was)
    fields = [line for entry in entries for line in entry]
    text = "\n".join(["---", *fields, "---", draft.instruction, ""])
    is_long = sum(map(len, fields)) > MATTER_LIMIT_CHARS
    if is_long or len(text.encode("utf-8", "replace")) > FILE_LIMIT_BYTES:
        raise AgentFileError("too_large")
    if _parsed(path, text)[1] != draft:
        raise AgentFileError("not_written", "It would be read as something else.")
    return text


def _entries(
    draft: AgentDraft, matter: FrontMatter | None, was: AgentDraft | None
) -> list[list[str]]:
    wanted = {
        "name": draft.name,
        "description": draft.description,
        "model": draft.model,
        "tools": None if draft.tools is None else list(draft.tools),
        "skills": None if draft.skills is None else list(draft.skills),
    }
    changed: dict[str, object] = {
        name: value
        for name, value in wanted.items()
        if was is None or getattr(draft, name) != getattr(was, name)
    }
    given = matter.fields.get("metadata") if matter else None
    metadata = dict(given) if isinstance(given, Mapping) else {}
    ours = {**metadata, **_metadata(draft)}
    kept = {name: value for name, value in ours.items() if value is not None}
    if kept != metadata or matter is None:
        changed["metadata"] = kept or None
    entries = entries_of(matter.lines) if matter else []
    written = [_replaced(entry, changed) for entry in entries]
    there = {entry_name(entry) for entry in entries}
    new = [_entry(name, value) for name, value in changed.items() if name not in there]
    return [*written, *new]


def _replaced(entry: list[str], changed: Mapping[str, object]) -> list[str]:
    name = entry_name(entry)
    return _entry(name, changed[name]) if name in changed else entry


def _entry(name: str, value: object) -> list[str]:
    if value is None:
        return []
    text = yaml.safe_dump({name: value}, allow_unicode=True, sort_keys=False, width=_WIDEST)
    return text.rstrip("\n").split("\n")


def _metadata(draft: AgentDraft) -> dict[str, str | None]:
    temperature = draft.temperature
    shown = None if draft.display_name == display_name_of(draft.name) else draft.display_name
    return {
        "display-name": shown,
        "icon": draft.icon or None,
        "colour": draft.colour or None,
        "temperature": None if temperature is None else f"{temperature:g}",
        "thinking": draft.thinking,
    }


def _draft_of(agent: Agent) -> AgentDraft:
    fields = AgentDraft.model_fields
    return AgentDraft(**{name: value for name, value in asdict(agent).items() if name in fields})


def _cleaned(draft: AgentDraft) -> AgentDraft:
    """Leave out of the texts what no file and no model takes, as a paste may bring it."""
    text = draft.instruction.replace("\r\n", "\n").replace("\r", "\n")
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    temperature = draft.temperature
    return _changed(
        draft,
        display_name=_line(draft.display_name),
        description=plain_description(_line(draft.description)),
        instruction=_UNSENDABLE.sub("", text).strip(),
        temperature=None if temperature is None else round(temperature, 2),
    )


def _line(text: str) -> str:
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    visible = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(visible.split())


def _name_from(display_name: str) -> str:
    """Make a name for programs, which also serves for a file on every system."""
    plain = unicodedata.normalize("NFKC", display_name).casefold()
    words = re.sub(r"[^\w]+", "-", plain)[:_FILE_NAME_CHARS].strip("-_")
    return f"{_NO_NAME}-{words}" if _DEVICES.fullmatch(words) else words or _NO_NAME


def _free_path(folder: Path, name: str) -> Path:
    base = _name_from(name)
    names = (f"{base}.md", *(f"{base}-{number}.md" for number in range(2, 100)))
    free = (folder / one for one in names if one != "readme.md")
    path = next((path for path in free if not path.is_symlink() and not path.exists()), None)
    if path is None:
        raise AgentFileError("name_taken")
    return path


def _parsed(path: Path, text: str) -> tuple[FrontMatter, AgentDraft]:
    """Read a text as the service does.

    Raises:
        AgentFileError: When it is no agent's.
    """
    try:
        matter = parse_front_matter(path, text)
        return matter, _draft_of(agent_of(matter))
    except DefinitionError as exc:
        raise AgentFileError("not_written", str(exc)) from exc


def _text_at(path: Path) -> str | None:
    """Read a file as it is now; None where there is none that can be read."""
    try:
        return read_small_file(path, FILE_LIMIT_BYTES)
    except SmallFileError:
        return None


def _write(path: Path, text: str) -> None:
    try:
        for folder in (path.parent.parent, path.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
        write_atomically(path, text)
    except (OSError, UnicodeEncodeError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "it is not UTF-8 text."
        raise AgentFileError("not_written", str(why)) from exc


def _changed(draft: AgentDraft, **changes: object) -> AgentDraft:
    return draft.model_copy(update=changes)
