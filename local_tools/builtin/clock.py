"""What time it is."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from local_tools.errors import named
from local_tools.tool import ToolError, tool


@tool(read_only=True, destructive=False, open_world=False, timeout_s=10, title="Current time")
def current_time(time_zone: str = "") -> str:
    """Tell the current date and time.

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
