"""Sign announcements of updates, for packagers: `dev.py release`.

    dev.py release key KEY_FILE ADDRESS
    dev.py release sign KEY_FILE ANNOUNCEMENT OUTPUT

`key` makes a private key, which only its owner can read, or takes the one that is there, and writes
`resources/updates.json`, which goes into a build. `sign` reads a JSON file with `version`,
`published`, `expires` (times with their zone), `notes` (plain text) and `link` (https), and writes
the file to put at the address. The private key never belongs into a checkout, and is not made in
this one.
"""

import argparse
import base64
import json
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from checkout import ROOT
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import ValidationError

from app.api.address import AddressRefused, check_base_url
from app.updates.release import (
    FILE_NAME,
    LIMIT_BYTES,
    PURPOSE,
    Announcement,
    ReleaseFault,
    ReleaseRefused,
    read_release,
)

# Before every version that anybody could have.
_FIRST: Final = "0.0"
_HOME: Final = "name a file elsewhere, such as ~/release-key.pem"
_ADDRESS: Final = "The address must begin with https:// and have no user name, ? or #."
_TIME: Final = "is a time with its zone, such as 2030-01-31T12:00:00+00:00"
_NEEDED: Final = {
    "version": "is two to four numbers with dots between, such as 1.2.3",
    "published": _TIME,
    "expires": _TIME,
    "notes": "is a text of at most 8,000 characters",
    "link": "is an https address",
}
_FAULTS: Final = {
    ReleaseFault.EXPIRED: "`expires` is over already",
    ReleaseFault.AHEAD: "`published` lies ahead by more than a day",
    # All else is looked at before.
    ReleaseFault.UNREADABLE: f"`link` {_NEEDED['link']}",
}


class Unusable(Exception):
    """Something given cannot be used; the message says what."""


def take_key(file: Path, address: str) -> dict[str, str]:
    """Read the private key in a file, or make it there; returns what a build is to be given.

    Raises:
        Unusable: the file holds something else, lies in this checkout or cannot be written; or the
            address is none that the program would ask.
    """
    if file.resolve().is_relative_to(ROOT):
        raise Unusable(f"{file} lies in this checkout, from which it would be published: {_HOME}")
    try:
        is_secure = check_base_url(address).startswith("https:")
    except AddressRefused:
        is_secure = False
    if not is_secure:
        raise Unusable(f"{address}: {_ADDRESS}")
    key = _read_key(file) if file.exists() else _make_key(file)
    public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
    return {"address": address, "key": public}


def _make_key(file: Path) -> Ed25519PrivateKey:
    key = Ed25519PrivateKey.generate()
    content = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise Unusable(f"{file}: {error.strerror}") from error
    with os.fdopen(descriptor, "wb") as written:
        written.write(content)
    return key


def _read_key(file: Path) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(_read(file), None)
    except (ValueError, TypeError) as error:
        raise Unusable(f"{file} holds no private key without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise Unusable(f"{file} holds no Ed25519 key")
    return key


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise Unusable(f"{file}: {error.strerror}") from error


def sign(key_file: Path, announcement: Path, now: datetime) -> str:
    """Return the announcement, signed, as it is put at the address.

    Raises:
        Unusable: the key or the announcement cannot be read, or the program would not believe it.
    """
    key = _read_key(key_file)
    signed = json.dumps(_read_announcement(announcement), ensure_ascii=False, sort_keys=True)
    purposed = PURPOSE + signed.encode()
    sealed = {
        "release": base64.b64encode(signed.encode()).decode(),
        "signature": base64.b64encode(key.sign(purposed)).decode(),
    }
    content = json.dumps(sealed, indent=2) + "\n"
    if len(content.encode()) > LIMIT_BYTES:
        raise Unusable(f"{announcement} is larger than {LIMIT_BYTES:,} bytes once it is signed")
    try:
        read_release(content.encode(), key.public_key().public_bytes_raw(), _FIRST, now)
    except ReleaseRefused as refused:
        raise Unusable(f"{announcement}: {_FAULTS[refused.fault]}") from refused
    return content


def _read_announcement(file: Path) -> dict[str, Any]:
    try:
        said = json.loads(_read(file))
    except ValueError as error:
        raise Unusable(f"{file} is no JSON: {error}") from error
    if not isinstance(said, dict) or set(said) != set(_NEEDED):
        raise Unusable(f"{file} needs exactly {', '.join(sorted(_NEEDED))}")
    try:
        Announcement.model_validate_json(json.dumps(said))
    except ValidationError as error:
        names = dict.fromkeys(str(fault["loc"][0]) for fault in error.errors())
        words = "; ".join(f"`{name}` {_NEEDED[name]}" for name in names)
        raise Unusable(f"{file}: {words}") from error
    return said


_NEXT: Final = {
    "key": "The next build takes it along; keep {key} to yourself.",
    "sign": "Publish it at the address that “release key” was given.",
}


def main(arguments: Sequence[str] | None = None, now: datetime | None = None) -> int:
    """Do what the arguments say, at a time of choice in tests; returns the exit code."""
    options = _parse(arguments)
    try:
        if options.verb == "key":
            content = json.dumps(take_key(options.key_file, options.address), indent=2) + "\n"
        else:
            content = sign(options.key_file, options.announcement, now or datetime.now(UTC))
        options.output.write_text(content, encoding="utf-8")
    except (Unusable, OSError) as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"Wrote {options.output}. {_NEXT[options.verb].format(key=options.key_file)}")
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py release", description=__doc__.partition(":")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    key = verbs.add_parser("key", help="make a key or take it, and write what goes into a build")
    key.add_argument("key_file", type=Path)
    key.add_argument("address", help="the https address that announces versions")
    key.add_argument(
        "output", nargs="?", type=Path, default=ROOT / "resources" / FILE_NAME, help=FILE_NAME
    )
    signing = verbs.add_parser("sign", help="sign an announcement")
    signing.add_argument("key_file", type=Path)
    signing.add_argument("announcement", type=Path)
    signing.add_argument("output", type=Path)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
