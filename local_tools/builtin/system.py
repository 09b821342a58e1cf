"""Tell the time, and describe this computer without naming it or its user."""

import os
import platform
import shutil
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from local_tools.errors import named
from local_tools.tool import ToolError, tool


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=10,
    title="Current time",
    question="Share the time with the assistant?",
    icon="clock",
)
def current_time(time_zone: str = "") -> str:
    """Return the current date and time.

    Args:
        time_zone: A name such as "Europe/Berlin" or "UTC"; empty for this computer's own zone.
    """
    now = datetime.now(UTC)
    if not time_zone:
        local = now.astimezone()
        return f"{local.isoformat(timespec='seconds')} ({local:%A}, {local.tzname()})"
    try:
        there = now.astimezone(ZoneInfo(time_zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ToolError(
            f"“{named(time_zone)}” is not a time zone that this computer knows."
        ) from None
    return f"{there.isoformat(timespec='seconds')} ({there:%A}, {time_zone})"


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=10,
    title="System information",
    question="Share system information with the assistant?",
)
def system_information() -> str:
    """Return the operating system, processor, memory and free disk space of this computer.

    The names of the computer and its user are left out.
    """
    import psutil  # noqa: PLC0415 - no other tool needs it

    # In a sandbox the topmost folder lies in memory; the system's programs are on its disk.
    place = next(path for path in (Path("/usr"), Path(Path.cwd().anchor)) if path.is_dir())
    memory, disk = psutil.virtual_memory(), shutil.disk_usage(place)
    known = (
        ("System", _system()),
        ("Machine", platform.machine()),
        ("Processors", str(os.cpu_count() or "unknown")),
        ("Memory", f"{_gib(memory.total)}, {_gib(memory.available)} available"),
        ("System disk", f"{_gib(disk.total)}, {_gib(disk.free)} free"),
    )
    return "\n".join(f"{name}: {value}" for name, value in known)


def _system() -> str:
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        name = ""
    kernel = f"{platform.system()} {platform.release()}"
    return f"{name} ({kernel})" if name else kernel


def _gib(size_bytes: int) -> str:
    return f"{size_bytes / 1024**3:.1f} GiB"
