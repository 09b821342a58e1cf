"""Parse the code of a folder of tools in a child process with limits.

Parsing hostile code can take gigabytes and minutes even if it is short, so it never happens in the
window's process.
"""

import functools
import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import TypeAdapter

from local_tools.processes import clean_environment
from local_tools.programs import program_of
from local_tools.user_tools.summary import CodeSummary, unreadable

_WALL_LIMIT_S: Final = 15.0
# Of all files of a folder together; files beyond it are not read.
_CODE_LIMIT_BYTES: Final = 4 * 1024 * 1024


def read_code(
    contents: Mapping[str, bytes], wanted: Mapping[str, Iterable[str]]
) -> Mapping[str, CodeSummary]:
    """Summarize the code of a folder. Starts a process and waits: call it in a thread.

    Args:
        contents: The files of the folder, by name.
        wanted: The names of the wanted functions, by file.
    """
    names = [*wanted, *(name for name in contents if name not in wanted)]
    sent: dict[str, str] = {}
    left_bytes = _CODE_LIMIT_BYTES
    for name in names:
        data = contents.get(name)
        if data is not None and name.endswith(".py") and len(data) <= left_bytes:
            sent[name] = data.decode("latin-1")
            left_bytes -= len(data)
    order = {"files": sent, "wanted": {name: sorted(set(some)) for name, some in wanted.items()}}
    try:
        return _summaries().validate_json(_told(json.dumps(order).encode()))
    except (OSError, ValueError, subprocess.SubprocessError):
        # If one file cannot be read, trust none: one author wrote them all.
        return {name: CodeSummary(unreadable(name)) for name in sent}


def _told(order: bytes) -> bytes:
    done = subprocess.run(
        program_of("read-code").argv,
        input=order,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
        timeout=_WALL_LIMIT_S,
        env=clean_environment(os.environ),
    )
    return done.stdout


@functools.cache
def _summaries() -> "TypeAdapter[dict[str, CodeSummary]]":
    return TypeAdapter(dict[str, CodeSummary])
