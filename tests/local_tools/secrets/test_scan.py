"""Secrets are found in text, and nothing of them is left where they are masked."""

import pytest

from app.approvals.gate import names_secrets
from local_tools.canonical import LIMIT_BYTES
from local_tools.secrets.scan import find_secrets, masked
from tests.support.planted import HARMLESS, PLANTED

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
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert find_secrets(text) == ()


def test_every_value_of_a_file_with_secrets_is_one() -> None:
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
    ],
)
def test_what_is_told_of_a_file_with_secrets_among_others_is_masked(text: str) -> None:
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
        ('{"query":"password","text":"my secrets/.env"}', False),
        ('{"path":"src/main.py"}', False),
        ('{"pattern":"password","path":"src"}', False),
        ('{"argv":["grep","-r","token","."]}', False),
        ("no JSON", False),
    ],
)
def test_names_that_sound_secret_are_seen_in_inputs(given: str, is_secret: bool) -> None:
    assert names_secrets(given) is is_secret


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
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----\n",
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
