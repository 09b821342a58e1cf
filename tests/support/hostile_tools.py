"""Tools that misbehave in every way a tool can."""

import asyncio
import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from local_tools.registry import ToolRegistry
from local_tools.tool import GuardedPath, Output, ToolContext, ToolError, tool


@tool(timeout_s=30)
def chatty() -> str:
    """Print where the frames go."""
    sys.stdout.write("\x00\x00\x00\x05hello")
    sys.stdout.flush()
    os.write(1, b"\xff\xfe not a frame")
    subprocess.run(["/bin/echo", "from a child"], check=True)
    return "done"


@tool(timeout_s=30)
def mutters() -> str:
    """Print and leave it in Python's buffer."""
    sys.stdout.write("muttered\n")
    return "done"


@tool(timeout_s=1)
def hangs() -> str:
    """Never end."""
    threading.Event().wait()
    return "never"


@tool(timeout_s=1)
def hangs_deaf() -> str:
    """Never end, whatever signal comes that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    threading.Event().wait()
    return "never"


@tool(timeout_s=22)
def leaves_children(context: ToolContext, orphan_id: str, *, hangs: bool) -> str:
    """Start children in sessions of their own, one of them an orphan, and tell their ids."""
    script = "sleep 600 & echo $!"
    plain = subprocess.Popen(["sleep", "600"])
    detached = subprocess.Popen(["sleep", "600"], start_new_session=True)
    orphan = subprocess.run(
        ["setsid", "sh", "-c", f"{script} >{orphan_id}"], check=True, stdout=subprocess.DEVNULL
    )
    assert orphan.returncode == 0
    ids = [plain.pid, detached.pid, int(Path(orphan_id).read_text())]
    context.progress(0, None, json.dumps(ids))
    if hangs:
        threading.Event().wait()
    return "done"


@tool(timeout_s=30)
def waits_for_ever(context: ToolContext, *, with_child: bool) -> str:
    """Tell the ids of this process and of a detached child, then wait."""
    pids = [os.getpid()]
    if with_child:
        pids.append(subprocess.Popen(["sleep", "600"], start_new_session=True).pid)
    context.progress(0, None, json.dumps(pids))
    threading.Event().wait()
    return "never"


@tool(timeout_s=30)
def segfaults() -> str:
    """Read where nothing is."""
    ctypes.string_at(0)
    return "never"


@tool(timeout_s=30)
def vanishes(code: int) -> str:
    """End the process without a word."""
    os._exit(code)


@tool(timeout_s=30)
def raises() -> str:
    """Fail in a way nobody foresaw."""
    raise KeyError("unforeseen")


@tool(timeout_s=30)
def complains() -> str:
    """Fail in a foreseen way."""
    raise ToolError("That does not work on Sundays.")


@tool(timeout_s=30)
def huge(size: int) -> str:
    """Return a lot."""
    return "ä" * size


@tool(timeout_s=30)
def half_text() -> Output:
    """Return text that has no UTF-8 form."""
    return Output("a\ud800b")


@tool(timeout_s=30)
def surroundings(path: GuardedPath) -> dict[str, object]:
    """Tell what this process was given."""
    links = [item for item in Path("/proc/self/fd").iterdir() if item.is_symlink()]
    return {
        "environment": sorted(os.environ),
        "descriptors": sorted(str(item.readlink()) for item in links),
        "current": str(Path.cwd()),
        "has_own_session": os.getsid(0) == os.getppid(),
        "isolated": bool(sys.flags.isolated),
        "path": str(path),
    }


@tool(timeout_s=30)
async def counts(context: ToolContext, steps: int) -> str:
    """Report progress."""
    for number in range(steps):
        context.progress(number, steps, f"step {number}")
        await asyncio.sleep(0)
    return f"counted {steps}"


def registry() -> ToolRegistry:
    """All of the above."""
    return ToolRegistry(
        (
            chatty,
            complains,
            counts,
            half_text,
            hangs,
            hangs_deaf,
            huge,
            leaves_children,
            mutters,
            raises,
            segfaults,
            surroundings,
            vanishes,
            waits_for_ever,
        )
    )
