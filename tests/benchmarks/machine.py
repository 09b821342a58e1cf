"""What machine a benchmark ran on, without a name or a path."""

import platform

import psutil


def describe() -> dict[str, str | int]:
    """Say which system, which Python and how many cores."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "cores": psutil.cpu_count() or 1,
    }
