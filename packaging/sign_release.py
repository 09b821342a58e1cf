"""Signs what an updates address announces, for whoever packages the program.

    .venv/bin/python packaging/sign_release.py key KEY_FILE ADDRESS
    .venv/bin/python packaging/sign_release.py sign KEY_FILE ANNOUNCEMENT OUTPUT

`key` makes a private key, which only its owner can read, and prints what goes into
`resources/updates.json` before a build. `sign` reads a JSON file with `version`, `published`,
`expires` (times with their zone), `notes` (plain text) and `link` (https), and writes the file to
put at the address. The private key never belongs into a checkout, and is not made in this one.
"""

import argparse
import base64
import json
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from checkout import ROOT
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from app.api.address import AddressRefused, check_base_url
from app.updates.release import PURPOSE, ReleaseRefused, read_release

# Before every version that anybody could have.
_FIRST: Final = "0.0"
_HOME: Final = "name a file elsewhere, such as ~/release-key.pem"
_NEEDED: Final = frozenset({"version", "published", "expires", "notes", "link"})


class Unusable(Exception):
    """Something given cannot be used; the message says what."""


def make_key(file: Path, address: str) -> dict[str, str]:
    """Makes a private key in a new file; returns what the build is to be given.

    Raises:
        Unusable: the file is there already, in this checkout, or cannot be written; or the address
            is not https.
    """
    if file.resolve().is_relative_to(ROOT):
        raise Unusable(f"{file} lies in this checkout, from which it would be published: {_HOME}")
    try:
        is_secure = check_base_url(address).startswith("https:")
    except AddressRefused:
        is_secure = False
    if not is_secure:
        raise Unusable(f"{address} is no https address")
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
    public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
    return {"address": address, "key": public}


def sign(key_file: Path, announcement: Path, now: datetime) -> str:
    """Returns the announcement, signed, as it is put at the address.

    Raises:
        Unusable: the key or the announcement cannot be read, or the program would not believe it.
    """
    try:
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        said = json.loads(announcement.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError) as error:
        raise Unusable(str(error)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise Unusable(f"{key_file} holds no Ed25519 key")
    if not isinstance(said, dict) or set(said) != _NEEDED:
        raise Unusable(f"{announcement} needs exactly {', '.join(sorted(_NEEDED))}")
    signed = json.dumps(said, ensure_ascii=False, sort_keys=True).encode()
    sealed = {
        "release": base64.b64encode(signed).decode(),
        "signature": base64.b64encode(key.sign(PURPOSE + signed)).decode(),
    }
    content = json.dumps(sealed, indent=2) + "\n"
    try:
        read_release(content.encode(), key.public_key().public_bytes_raw(), _FIRST, now)
    except ReleaseRefused as refused:
        raise Unusable(f"{announcement} would be refused: {refused.fault.value}") from refused
    return content


def main(arguments: Sequence[str] | None = None, now: datetime | None = None) -> int:
    """Does what the arguments say, at a time of choice in tests; returns the exit code."""
    options = _parse(arguments)
    try:
        if options.verb == "key":
            print(json.dumps(make_key(options.key_file, options.address), indent=2))
        else:
            signed = sign(options.key_file, options.announcement, now or datetime.now(UTC))
            options.output.write_text(signed, encoding="utf-8")
    except (Unusable, OSError) as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    key = verbs.add_parser("key", help="make a key, and print what the build is to be given")
    key.add_argument("key_file", type=Path)
    key.add_argument("address", help="the https address that announces versions")
    signing = verbs.add_parser("sign", help="sign an announcement")
    signing.add_argument("key_file", type=Path)
    signing.add_argument("announcement", type=Path)
    signing.add_argument("output", type=Path)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
