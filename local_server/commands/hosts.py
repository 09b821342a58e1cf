"""Where `parley-server serve` may answer, and by which names it may be asked."""

import ipaddress
import re
from collections.abc import Sequence
from typing import Final

from local_server.commands.options import CommandError

_NAME: Final = re.compile(
    r"([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?"
)


def address_to_bind(host: str, allowed_hosts: Sequence[str]) -> str:
    """Check where to answer, and return it as an address.

    Beyond this computer the names by which the service is asked must be given, since a page of
    the web could otherwise ask it by a name of its own (DNS rebinding).

    Raises:
        CommandError: When it is no address, or one beyond this computer without names.
    """
    for name in allowed_hosts:
        if not _NAME.fullmatch(name):
            raise CommandError(
                f"“{name}” is no value of a Host header; give NAME or NAME:PORT, exactly as "
                "clients send it."
            )
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise CommandError(f"“{host}” is no address of this computer.") from None
    if not (address.is_loopback or allowed_hosts):
        raise CommandError(
            f"On {host} other computers could reach the service, which speaks plain HTTP: put a "
            "proxy with TLS in front of it, and give the names by which clients ask it, with "
            "--allowed-host NAME[:PORT] for each."
        )
    return str(address)
