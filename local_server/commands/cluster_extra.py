"""The packages of the extra `cluster`, which not every installation has."""

from importlib.util import find_spec
from typing import Final

from local_server.commands.options import CommandError

_PACKAGES: Final = ("asyncpg", "greenlet", "prometheus_client", "redis")


def require_cluster(option: str) -> None:
    """Refuse an option whose packages are not installed.

    Raises:
        CommandError: When one of them is missing; the message says what to install.
    """
    if any(find_spec(name) is None for name in _PACKAGES):
        raise CommandError(
            f"{option} needs packages that are not installed here. "
            "Install Parley with its extra “cluster”: in a checkout, pip install '.[cluster]'."
        )
