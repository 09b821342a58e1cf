"""Collect the facts on an approval card: determined by the program, never taken from the model.

`facts_of` lists them; `ownership_of` determines who owns a program and who else may change it.
"""

import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from local_tools.canonical import CanonicalInput, canonical_text, frozen_json
from local_tools.command_lines import command_text, real_program
from local_tools.errors import explain_os_error
from local_tools.execution.worker_request import CommandArgument, FileArgument, WorkerRequest
from local_tools.paths.beneath import Root
from local_tools.paths.resolve import ResolvedPath
from local_tools.schema import Inputs
from local_tools.tool import AnyTool, CommandLine, Fact, FactKind, GuardedPath
from local_tools.translation_marks import QT_TRANSLATE_NOOP
from local_tools.web.fetching import WebAddress


@dataclass(frozen=True, slots=True)
class Ownership:
    """The owner of a file, and whether others may change it.

    Attributes:
        owner: The account's name, or its number if it has no name; empty on Windows.
        is_open_to_others: Somebody but its owner and the administrator may change the file, or
            put another one in its place.
    """

    owner: str
    is_open_to_others: bool


def ownership_of(path: str) -> Ownership:
    """Return the ownership of the file at an absolute path; links are followed.

    Raises:
        ToolError: When there is no file.
    """
    real = Path(os.path.realpath(path))
    try:
        file, folder = real.stat(), real.parent.stat()
    except OSError as exc:
        raise explain_os_error(exc, path) from exc
    if sys.platform == "win32":
        return Ownership("", is_open_to_others=False)
    is_replaceable = _lets_others_write(folder) and not folder.st_mode & stat.S_ISVTX
    return Ownership(_name(file.st_uid), _lets_others_write(file) or is_replaceable)


def _lets_others_write(status: os.stat_result) -> bool:
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and not _is_own_group(status)


def _is_own_group(status: os.stat_result) -> bool:
    """Return whether the group is the owner's alone, as many systems make one for each user."""
    import grp  # noqa: PLC0415 - there is none on Windows

    try:
        group = grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    owner = _name(status.st_uid)
    return group.gr_name == owner and set(group.gr_mem) <= {owner}


def _name(number: int) -> str:
    import pwd  # noqa: PLC0415 - there is none on Windows

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


_HASH_CHARS: Final = 16
_PATH: Final = QT_TRANSLATE_NOOP("Tools", "Path")
TOO_LARGE: Final = Fact(
    QT_TRANSLATE_NOOP("Tools", "After the call"),
    QT_TRANSLATE_NOOP(
        "Tools",
        "the folder is too large to check for files that other programs would run, so the "
        "call will fail",
    ),
    FactKind.REMARK,
)
"""Says before the call that the check of the folder after it will fail."""
_COMMAND: Final = QT_TRANSLATE_NOOP("Tools", "Command")
_PLACE: Final = QT_TRANSLATE_NOOP("Tools", "Location")
_FILE: Final = QT_TRANSLATE_NOOP("Tools", "File")
_OUTSIDE: Final = Fact(
    _PLACE, QT_TRANSLATE_NOOP("Tools", "outside this chat’s folder"), FactKind.REMARK
)
_NO_FOLDER: Final = Fact(
    _PLACE, QT_TRANSLATE_NOOP("Tools", "no folder is chosen for this chat"), FactKind.REMARK
)
_NEW_FILE: Final = Fact(_FILE, QT_TRANSLATE_NOOP("Tools", "does not exist yet"), FactKind.REMARK)
_HARD_LINK: Final = Fact(
    _FILE, QT_TRANSLATE_NOOP("Tools", "has another name elsewhere (a hard link)"), FactKind.REMARK
)
_OPEN_TO_OTHERS: Final = Fact(
    _FILE,
    QT_TRANSLATE_NOOP("Tools", "other users of this computer may change this program"),
    FactKind.REMARK,
)
_ONLY_TOLD: Final = QT_TRANSLATE_NOOP("Tools", "nothing is done, and the assistant is told why")


@dataclass(frozen=True, slots=True)
class CallParts:
    """The parts of a call, as far as they could be determined; mappings are keyed by parameter.

    `has_folder`: a folder is chosen for the chat.
    """

    tool: AnyTool
    given: CanonicalInput
    has_folder: bool
    file: FileArgument | None = None
    root: Root | None = None
    paths: Mapping[str, ResolvedPath] = field(default_factory=dict)
    targets: Mapping[str, GuardedPath] = field(default_factory=dict)
    commands: Mapping[str, CommandLine] = field(default_factory=dict)


def facts_of(
    parts: CallParts, order: WorkerRequest, carried: str | None, problem: str = ""
) -> Iterator[Fact]:
    """Yield every value of the call in full, except the one that the preview shows.

    Args:
        parts: The call.
        order: The request that would run, with the resolved program of each command.
        carried: The parameter whose exact value the preview shows, if any.
        problem: Why nothing can run; if given, some parts may be missing. Empty otherwise.
    """
    signature = parts.tool.signature
    shown = signature.json_values(parts.given)
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Tool"), parts.tool.definition.name, FactKind.TOOL)
    yield from parts.tool.standing
    yield from _problem_facts(parts, shown, problem) if problem else _remarks(parts)
    for name, path in parts.paths.items():
        label = signature.title(name) if len(parts.paths) > 1 else _PATH
        yield Fact(label, str(path.absolute), _path_kind(signature, name))
        yield from _place_facts(parts, name, shown.get(name))
    if parts.file is not None:
        label = QT_TRANSLATE_NOOP("Tools", "Attachment")
        yield Fact(label, parts.file.name, FactKind.ATTACHMENT)
        yield Fact(label, f"SHA-256 {parts.file.sha256[:_HASH_CHARS]}…")
    for item in order.commands:
        yield from _command_facts(parts.commands[item.parameter], shown[item.parameter])
        yield from _program_facts(item)
    if parts.commands and parts.root is not None:
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Folder"), parts.root.path)
    for name in signature.names("address"):
        yield from _address_facts(str(shown[name]))
    for name in signature.plain_names(parts.given):
        # What nobody asked for and is off or empty changes nothing.
        is_off = name not in parts.given.value and (shown[name] is False or shown[name] == "")
        if name != carried and not is_off:
            yield Fact(signature.title(name), _value_text(shown[name]))


def _remarks(parts: CallParts) -> Iterator[Fact]:
    """Yield what the tool itself finds remarkable about the call."""
    if parts.tool.note is None:
        return
    given = parts.tool.arguments(parts.given, parts.targets, parts.commands, None)
    remark = parts.tool.note(**given)
    if remark is not None:
        yield remark


def _problem_facts(parts: CallParts, shown: Mapping[str, object], problem: str) -> Iterator[Fact]:
    """Yield why nothing can run, and the paths and commands of which nothing could be found out."""
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Not possible"), problem)
    yield Fact(QT_TRANSLATE_NOOP("Tools", "If allowed"), _ONLY_TOLD, FactKind.REMARK)
    signature = parts.tool.signature
    for name in signature.names("command", "shell"):
        asked = shown[name]
        words = [str(item) for item in asked] if isinstance(asked, list) else None
        label = signature.title(name) if words is None else _COMMAND
        value = _value_text(asked) if words is None else command_text(words)
        yield Fact(label, value, FactKind.COMMAND)
    for name in signature.names("target", "destination"):
        if name not in parts.paths:
            kind = _path_kind(signature, name)
            yield Fact(signature.title(name), _value_text(shown[name]), kind)


def _path_kind(signature: Inputs, name: str) -> FactKind:
    return FactKind.VALUE if name in signature.names("destination") else FactKind.PATH


def _place_facts(parts: CallParts, name: str, asked: object) -> Iterator[Fact]:
    """Yield what is remarkable about a path, and how it was asked for unless that ends it."""
    path, target = parts.paths[name], parts.targets.get(name)
    if not path.is_inside_folder:
        yield _OUTSIDE if parts.has_folder else _NO_FOLDER
    if target is not None and target.expected.kind == "absent":
        yield _NEW_FILE
    if target is not None and target.expected.link_count > 1:
        yield _HARD_LINK
    if asked is not None and not _ends_with(str(path.absolute), str(asked)):
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Requested path"), _value_text(asked))


def _command_facts(line: CommandLine, asked: object) -> Iterator[Fact]:
    """Write the whole command unambiguously; its program as asked for unless that ends the path."""
    if not isinstance(asked, list):
        yield Fact(_COMMAND, str(asked), FactKind.COMMAND)
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Shell"), real_program(line.argv[0]))
        return
    yield Fact(_COMMAND, command_text(line.argv), FactKind.COMMAND)
    if (real := real_program(line.argv[0])) != line.argv[0]:
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Program"), real)
    if not _ends_with(line.argv[0], str(asked[0])):
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Requested program"), _value_text(asked[0]))


def _program_facts(command: CommandArgument) -> Iterator[Fact]:
    """Yield whose program it is and the beginning of its hash; the order has the whole hash."""
    expected, found = command.expected, ownership_of(command.argv[0])
    # Large programs are told by their last change instead.
    sha256 = f"SHA-256 {expected.sha256[:_HASH_CHARS]}…" if expected.sha256 else ""
    which = sha256 or f"{expected.size_bytes:,} B"
    yield Fact(
        QT_TRANSLATE_NOOP("Tools", "Program file"), ", ".join(filter(None, (found.owner, which)))
    )
    if found.is_open_to_others:
        yield _OPEN_TO_OTHERS


def _address_facts(asked: str) -> Iterator[Fact]:
    """Yield the address as it is asked for, in ASCII, and the one host that is asked."""
    address = WebAddress.parse(asked)
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Address"), address.text, FactKind.ADDRESS)
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Host"), address.host)
    yield Fact(
        QT_TRANSLATE_NOOP("Tools", "Network"),
        QT_TRANSLATE_NOOP(
            "Tools",
            "contacts only this host, follows no redirects to others, and sends no cookies or keys",
        ),
        FactKind.REMARK,
    )
    if address.text != asked:
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Requested address"), _value_text(asked))


def _ends_with(path: str, asked: str) -> bool:
    """Return whether the path ends with what was asked for."""
    return path == asked or path.endswith(f"/{asked}")


def _value_text(value: object) -> str:
    """Return a value so that no two read alike: text as it is, unless it reads as another value."""
    if isinstance(value, str) and not _reads_as_json(value):
        return value
    return canonical_text(frozen_json(value))


def _reads_as_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True
