"""The request that a worker gets: the part of a prepared call that runs.

The same object was shown, hashed and recorded; the worker gets it as JSON.
"""

import hashlib
import json
import os
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from local_tools.errors import ChangedError
from local_tools.paths.beneath import FileSnapshot, Root, opened_root
from local_tools.paths.guarded_path import GuardedPath


@dataclass(frozen=True, slots=True)
class PathArgument:
    """One path parameter: where it leads below the root, and what was there."""

    parameter: str
    parts: tuple[str, ...]
    expected: FileSnapshot


@dataclass(frozen=True, slots=True)
class CommandArgument:
    """One command parameter, its program resolved, and which program that was."""

    parameter: str
    argv: tuple[str, ...]
    expected: FileSnapshot


@dataclass(frozen=True, slots=True)
class CodeArgument:
    """The user's own code that is to run.

    Attributes:
        folder: Where it lies; what runs is a copy whose contents were compared.
        fingerprint: SHA-256 over all its files.
        interpreter: The program that runs it, its path absolute.
        identity: Which program that is, by its contents.
        file: Where the function is that runs.
        preview: Another of the same file, which only shows; empty for none.
        contexts: Its parameters that are given the means to tell how far it is.
        reads: What the interpreter needs to read of its own.
    """

    folder: str
    fingerprint: str
    interpreter: str
    identity: str
    file: str
    function: str
    preview: str = ""
    contexts: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileArgument:
    """One attachment parameter: which file it is, by its contents.

    The contents follow the request on the worker's stdin; no folder is opened for them.
    """

    parameter: str
    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class WorkerRequest:
    """One call, complete. It changes never; its hash binds a decision to it.

    Attributes:
        definition_digest: The worker refuses when its own tool is another one.
        input_text: Canonical JSON of the input.
        root: The one folder the call may touch, if any; the worker's current folder.
        may_use_network: The tool declares that it needs the network, and the card said so.
        code: Code that is not Parley's own; None for what ships.
        file: The one attachment that it reads; None for none.
    """

    tool_name: str
    definition_digest: str
    input_text: str
    timeout_s: float
    root: Root | None
    targets: tuple[PathArgument, ...]
    commands: tuple[CommandArgument, ...]
    may_use_network: bool
    code: CodeArgument | None = None
    file: FileArgument | None = None

    def to_json(self) -> bytes:
        """Return the form that goes to the worker."""
        return json.dumps(
            asdict(self), ensure_ascii=False, sort_keys=True, separators=(",", ":")
        ).encode()

    @classmethod
    def from_json(cls, data: bytes) -> "WorkerRequest":
        """Read it back, in the worker: it is what the program wrote, to the letter.

        Raises:
            ValueError: When it is none; `TypeError` and `KeyError` likewise.
        """
        said: dict[str, Any] = json.loads(data)
        root, code, file = said["root"], said["code"], said["file"]
        said["root"] = None if root is None else Root(**root)
        said["targets"] = tuple(_target(item) for item in said["targets"])
        said["commands"] = tuple(_command(item) for item in said["commands"])
        said["code"] = None if code is None else _code(code)
        said["file"] = None if file is None else FileArgument(**file)
        return cls(**said)

    @property
    def sha256(self) -> str:
        """The hash of all that would run, in hexadecimal."""
        return hashlib.sha256(self.to_json()).hexdigest()


def _target(said: dict[str, Any]) -> PathArgument:
    return PathArgument(said["parameter"], tuple(said["parts"]), FileSnapshot(**said["expected"]))


def _command(said: dict[str, Any]) -> CommandArgument:
    return CommandArgument(said["parameter"], tuple(said["argv"]), FileSnapshot(**said["expected"]))


def _code(said: dict[str, Any]) -> CodeArgument:
    lists = {name: tuple(said[name]) for name in ("contexts", "reads")}
    return CodeArgument(**{**said, **lists})


def open_targets(
    order: WorkerRequest, held: ExitStack, *, enters: bool = False
) -> dict[str, GuardedPath]:
    """Keep the call's folder open, and return the places in it by parameter.

    Whoever runs the call opens it, also in a sandbox: a descriptor from outside would be a way
    out of there, as it leads up to where it was opened.

    Args:
        order: The call.
        held: Keeps the folder open.
        enters: Make it the current one of this process.

    Raises:
        ChangedError: It is another folder than the one that was shown.
    """
    root = order.root
    if root is None:
        return {}
    folder, found = held.enter_context(opened_root(Path(root.path)))
    if found != root:
        raise ChangedError(root.path)
    if enters:
        os.fchdir(folder)
    return {
        item.parameter: GuardedPath(Path(root.path, *item.parts), item.parts, folder, item.expected)
        for item in order.targets
    }
