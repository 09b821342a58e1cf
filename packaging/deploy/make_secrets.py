"""Make the secrets of a deployment, each in a file of its own; existing ones stay.

Run it once, beside compose.yaml: `python3 make_secrets.py`. The certificate is yours to add.
"""

import os
import secrets
import sys
from pathlib import Path

_REDIS_SETTINGS = """\
requirepass {password}
maxmemory 256mb
maxmemory-policy noeviction
save ""
appendonly no
"""


def make_secrets(folder: Path) -> list[str]:
    """Write the missing secrets to a folder; return the names of the written files.

    The folder is private (0700). The files in it are world-readable, since each container has a
    different user.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    database, redis = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    groups = (
        {
            "database_password": database,
            "database_url": f"postgresql+asyncpg://parley:{database}@database:5432/parley",
        },
        {
            "redis_settings": _REDIS_SETTINGS.format(password=redis),
            "redis_url": f"redis://:{redis}@redis:6379/0",
        },
    )
    written = []
    for group in groups:
        # Two files with one password are made together or not at all.
        if not any((folder / name).exists() for name in group):
            for name, text in group.items():
                _write(folder / name, text)
                written.append(name)
    return written


def _write(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(file.fileno(), 0o444)
        file.write(text)


if __name__ == "__main__":
    made = make_secrets(Path(__file__).resolve().parent / "secrets")
    sys.stdout.write(
        "".join(f"made secrets/{name}\n" for name in made) or "all secrets are there\n"
    )
