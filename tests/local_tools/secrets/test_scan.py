"""Secrets are found in text, and nothing of them is left where they are masked."""

import base64
import json
import re
import urllib.parse

import pytest

from app.approvals.result_review import names_secrets
from local_tools.canonical import LIMIT_BYTES
from local_tools.secrets.files import sounds_secret
from local_tools.secrets.scan import find_secrets, masked
from tests.support.fake_secrets import HARMLESS, PLANTED

pytestmark = pytest.mark.security(30)


@pytest.mark.parametrize(("secret", "line"), PLANTED, ids=[line[:24] for _, line in PLANTED])
def test_a_planted_secret_is_found_and_nothing_of_it_is_left(secret: str, line: str) -> None:
    text = f"# settings\n{line}\nname = parley\n"

    shown = masked(text, find_secrets(text))

    for part in secret.split("\n"):
        assert part not in shown
    assert shown.startswith("# settings\n")
    assert shown.endswith("name = parley\n")


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text_is_not_masked(text: str) -> None:
    assert find_secrets(text) == ()


def test_every_value_of_a_secret_file_is_a_secret() -> None:
    """Our choice: names, comments and headings are told; lines of no known form are not."""
    text = (
        "Exit code 0.\n\n# mine\n[default]\nexport COLOUR=blue\nPORT = 8080\n\nteal all alone\n"
        '{\n  "mail": "ada@example.org",\n}\nNOTE="first\nsecond\nthird" # end\n'
    )

    shown = masked(text, find_secrets(text, is_secret_file=True))

    for hidden in ("blue", "8080", "teal", "ada@", "first", "second", "third"):
        assert hidden not in shown
    for told in ("Exit code 0.", "# mine", "[default]", "COLOUR", "PORT", '"mail"', "NOTE"):
        assert told in shown


def test_a_file_with_secrets_of_no_known_form_is_one_as_a_whole() -> None:
    text = "just some words"
    assert masked(text, find_secrets(text, is_secret_file=True)) == "[masked: file with secrets]"


@pytest.mark.parametrize(
    "text",
    [
        "src/a.py:3: colour = blue\nsrc/.env:1: COLOUR=green\n",
        "src/a.py:3: colour = blue\nmy own/.env:1: COLOUR=green\n",
        "./src/a.py:colour = blue\n./.env:COLOUR=green\n",
        "==> .env <==\nCOLOUR=green\nmore green\n\n==> a.py <==\ncolour = blue\n",
        "diff --git a/src/.env b/src/.env\n--- a/src/.env\n+COLOUR=green\n"
        "diff --git a/a.py b/a.py\n+colour = blue\n",
        "a.py-colour = blue\n.env-COLOUR=green\n.env:SIZE=3\n.env-12-SHADE=green\n",
        "a.py:colour = blue\nid_rsa:green\ncredentials:green\n",
        "diff -r a/.env b/.env\n1c1\n< COLOUR=green\ndiff -r a/b.py b/b.py\n> colour = blue\n",
        "diff --git a.py a.py\n+blue\ndiff --git .env .env\n--- .env\n+++ .env\n--- green\n+green",
        "diff --cc a.py\n++blue\ndiff --cc .env\n--- a/.env\n++COLOUR=green\n",
        "colour = blue\n--- .env\t2024-01-01\n+++ .env\t2024-01-02\n-COLOUR=green\n",
        'diff --git a/a.py b/a.py\n+blue\ndiff --git "a/t\\303/.env" "b/t\\303/.env"\n+green\n',
        f"{':' * 14}\na.py\n{':' * 14}\nblue\n{':' * 14}\n.env\n{':' * 14}\ngreen\n",
        "a.py\n1:colour = blue\n\n.env\n1:COLOUR=green\n2-SHADE=green\n",
    ],
)
def test_lines_of_secret_files_in_a_listing_are_masked(text: str) -> None:
    shown = masked(text, find_secrets(text))
    assert "blue" in shown
    assert "green" not in shown


@pytest.mark.parametrize(
    ("given", "is_secret"),
    [
        ('{"path":"a/.env"}', True),
        ('{"path":"~/.ssh/config"}', True),
        ('{"argv":["cat","./id_rsa"]}', True),
        ('{"command":"cat < .env | sort"}', True),
        ('{"argv":["openssl","rsa","-in","key.pem"]}', True),
        ('{"path":"' + "./" * 400 + '.env"}', True),
        ('{"path":"secrets"}', True),
        ('{"file_path":"my secrets"}', True),
        ('{"paths":["a","credentials"]}', True),
        ('{"command":"' + "echo 1; " * 90 + 'cat .env"}', True),
        ('{"argv":["cat","--file=.env"]}', True),
        ('{"query":"password","text":"my secrets"}', False),
        ('{"path":"src/main.py"}', False),
        ('{"pattern":"password","path":"src"}', False),
        ('{"argv":["grep","-r","token","."]}', False),
        ("no JSON", False),
    ],
)
def test_names_that_sound_secret_are_seen_in_inputs(given: str, is_secret: bool) -> None:
    assert names_secrets(given) is is_secret


_TOKEN = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
_WORDS = "correct horse battery"


@pytest.mark.parametrize(
    "text",
    [
        f"\x1b[01;31m\x1b[Kghp_\x1b[m\x1b[K{_TOKEN[4:]}",
        f"{_TOKEN[:9]}\u200b{_TOKEN[9:20]}\xad{_TOKEN[20:]}",
        "".join(f"{sign}\b{sign}" for sign in _TOKEN),
        "\0".join(_TOKEN),
        "".join(f"\\u{ord(sign):04x}" for sign in _TOKEN),
        "".join(f"%{ord(sign):02X}" for sign in _TOKEN),
        json.dumps({"text": f"token = abc{_TOKEN}\npassword = {_WORDS}\n"}),
        urllib.parse.quote(f"password = {_WORDS}"),
        base64.b64encode(f"a = 1\ntoken = {_TOKEN}\n".encode()).decode(),
        base64.encodebytes(f"a = 1\ntoken = {_TOKEN}\n".encode() * 9).decode(),
        base64.urlsafe_b64encode(f"~~ÿÿ\npassword = {_WORDS}".encode()).decode(),
        base64.b64encode(f"password = {_WORDS}".encode("utf-16")).decode(),
        f"password = {_WORDS}".encode().hex(),
        f"+password: {_WORDS}\n-  password: {_WORDS}\n",
        f"     7\tpassword: {_WORDS}",
        f"notes.txt:7:password: {_WORDS}",
        f"^a1b2c3d (Me 2024-01-01 00:00:00 +0000 1) password: {_WORDS}",
    ],
)
def test_secret_is_found_behind_colours_escapes_and_encodings(text: str) -> None:
    shown = masked(text, find_secrets(text))
    plain = re.sub("\x1b\\[[0-9;]*[mK]|.\b|[\0\xad\u200b]", "", shown)
    said = urllib.parse.unquote(re.sub(r"\\u00(..)", r"%\1", plain))
    assert "[masked: " in shown
    for part in (_TOKEN[12:], "horse", "battery", text[:60]):
        assert part not in said


@pytest.mark.parametrize(
    "name",
    [
        *(".env~", "#.env#", ".#.env", "..env.swp", "id_rsa~", ".netrc.bak", "server.key.old"),
        *("server.key.1", "server.key.gz", "prod.env.local", "vault.kdbx.2024-01-01.bak"),
        *("Copy of server.key", "server.key (1)", "server.key copy", ".pgpass.old.gz"),
    ],
)
def test_a_copy_of_a_file_with_secrets_sounds_like_it(name: str) -> None:
    assert sounds_secret(name)


@pytest.mark.parametrize(
    "name", ["main.py~", "notes.bak", "data.tar.gz", "lib.so.1", "report (1)", "old", ".bak", "~"]
)
def test_a_copy_of_another_file_does_not_sound_secret(name: str) -> None:
    assert not sounds_secret(name)


@pytest.mark.security(103)
@pytest.mark.timeout(25)
@pytest.mark.parametrize(
    "text",
    [
        f"{' ' * 130_000}password{' ' * 130_000}",
        *("--- .env\n" * 29_000, "diff -x .env\n" * 20_000, ".env\n" + "1:\n" * 87_000),
        *("\\n" * 131_072, "\x1b[" * 131_072, "\0" * 262_144, ("A" * 64 + "\n") * 4_000),
        *("cGFzc3dvcmQ9aHVudGVyMjIyMgpwYXNzd29yZA== " * 4_600, "0f" * 131_072),
    ],
)
def test_no_text_takes_long_to_be_looked_through(text: str) -> None:
    find_secrets(text, is_secret_file=True)


@pytest.mark.parametrize(
    "text", ["a" * 262_144, "token" * 52_000, "eyJ" * 87_000, "x:1: " * 52_000, "=" * 262_144]
)
def test_a_hostile_text_is_looked_through_like_any_other(text: str) -> None:
    find_secrets(text, is_secret_file=True)


@pytest.mark.security(103)
@pytest.mark.timeout(25)
@pytest.mark.parametrize(
    "line",
    [
        pytest.param("-----BEGIN PRIVATE KEY-----", marks=pytest.mark.long),
        "-----BEGIN PRIVATE KEY-----\n",
        pytest.param("-----END PRIVATE KEY-----\n", marks=pytest.mark.long),
        "AAAAAAAA\n-----END PRIVATE KEY-----\n",
        "Private-Lines: 1\n",
    ],
)
def test_many_keys_without_an_end_take_no_longer_than_one(line: str) -> None:
    text = line * (LIMIT_BYTES // len(line))
    assert "KEY" not in masked(text, find_secrets(text))


def test_a_key_in_a_key_is_one_and_what_follows_is_another() -> None:
    begin, end = "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----"
    text = f"{begin}a\n{begin}b\n{end} told {begin}c\n{end} told {begin}d"
    shown = masked(text, find_secrets(text))
    assert shown.split(" told ") == ["[masked: private key]"] * 3
