"""The request to a worker: the part of a prepared call that runs.

This same object is hashed and recorded; the worker gets it as JSON.
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
    """One path parameter: its place below the root, and what was there when it was shown."""

    parameter: str
    parts: tuple[str, ...]
    expected: FileSnapshot


@dataclass(frozen=True, slots=True)
class CommandArgument:
    """One command parameter: its resolved program, and that program's identity."""

    parameter: str
    argv: tuple[str, ...]
    expected: FileSnapshot


@dataclass(frozen=True, slots=True)
class CodeArgument:
    """A function of the user's own code that is to run.

    Attributes:
        folder: Its folder; what runs is a copy whose hash was compared.
        fingerprint: SHA-256 over all its files.
        interpreter: The absolute path of the interpreter.
        identity: The hash of the interpreter's file.
        file: The file of the function.
        preview: The name of a preview function in the same file; empty for none.
        contexts: The names of parameters that get a context, to report progress.
        reads: Paths that the interpreter itself has to read.
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
    """One attachment parameter, identified by the hash of its contents.

    The contents follow the request on the worker's stdin; no folder is opened for them.
    """

    parameter: str
    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class WorkerRequest:
    """One complete call; immutable. The hash of it binds a decision to this call.

    Attributes:
        definition_digest: The worker refuses the call if its own tool has another digest.
        input_text: Canonical JSON of the input.
        root: The one folder the call may touch, if any; the worker's current folder.
        may_use_network: The tool needs the network, and the card said so.
        code: The user's own code to run; None for built-in tools.
        file: The attachment that it reads; None for none.
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
        """Return the request as it is sent to the worker."""
        return json.dumps(
            asdict(self), ensure_ascii=False, sort_keys=True, separators=(",", ":")
        ).encode()

    @classmethod
    def from_json(cls, data: bytes) -> "WorkerRequest":
        """Parse the request in the worker.

        Raises:
            ValueError: When the data is not a request; also `TypeError` and `KeyError`.
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
        """SHA-256 of the whole request, in hexadecimal."""
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
    """Open the call's folder, and return the places in it by parameter.

    The process that runs the call opens the folder itself, also in a sandbox: an inherited
    descriptor would be a way out of the sandbox.

    Args:
        order: The call.
        held: Closes the folder in the end.
        enters: Also make it the current folder of this process.

    Raises:
        ChangedError: The folder is not the one that was shown.
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
