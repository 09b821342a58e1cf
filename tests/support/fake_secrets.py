"""Secrets of many kinds, none of them real: put together here, so that no scanner finds them."""

from typing import Final

_MIXED: Final = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2"
_HEX: Final = "0123456789abcdef" * 4
_KEY_LINES: Final = f"{_MIXED}\n{_MIXED[::-1]}"


def _private(kind: str) -> str:
    return f"-----BEGIN {kind}-----\n{_KEY_LINES}\n-----END {kind}-----"


# What must not leave, and a line that it stands in.
PLANTED: Final[tuple[tuple[str, str], ...]] = tuple(
    (secret, line.format(secret))
    for secret, line in (
        ("AKIA" + "Q3EXAMPLE7ZYXWV2", "aws_access_key_id = {}"),
        (_MIXED[:40], "aws_secret_access_key = {}"),
        ("ghp_" + _MIXED[:36], "git clone https://x:{}@example.org/a.git"),
        ("github_pat_" + _MIXED[:50], "export GH={}"),
        ("glpat-" + _MIXED[:20], "gitlab: {}"),
        ("xoxb-" + "123456789012-" + _MIXED[:24], "slack {}"),
        ("sk_live_" + _MIXED[:24], "STRIPE={}"),
        ("sk-ant-" + _MIXED[:40], "claude key {}"),
        ("sk-proj-" + _MIXED[:48], '{{"openai": "{}"}}'),
        ("AIza" + _MIXED[:35], "maps={}"),
        ("npm_" + _MIXED[:36], "//packages.example.org/:_authToken={}"),
        ("pypi-AgE" + _MIXED[:60], "password: {}"),
        ("SG." + _MIXED[:22] + "." + _MIXED[:43], "mail {}"),
        ("SK" + _HEX[:32], "twilio {}"),
        ("12345678:AA" + _MIXED[:33], "bot{}"),
        ("hf_" + _MIXED[:34], "model {}"),
        (
            "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _MIXED[:43],
            "Cookie: session={}",
        ),
        (_KEY_LINES, _private("RSA PRIVATE KEY").replace(_KEY_LINES, "{}")),
        (_MIXED[:30], _private("OPENSSH PRIVATE KEY").replace(_KEY_LINES, "{}")),
        ("hunter2!", 'password = "{}"'),
        ("correct horse battery", 'DB_PASSWORD="{}"'),
        ("s3cr3t-Pa55", "postgres://app:{}@db.example/app"),
        (_MIXED[5:45], "Authorization: Bearer {}"),
        (_HEX[:40], "API_KEY={}"),
        ("pk_live_" + _MIXED[:32], "parley {}"),
        ("gho_" + _MIXED[:36], '{{"log": "one\\n{}\\ntwo"}}'),
        ("pa(ss)word{1", "password = '{}'"),
        ("one,two;three", "DB_PASSWORD={}"),
        ("correct horse and battery", "  db_password: {}"),
        ("sesame-open-1", 'if "{}" == api_key:'),
        ("hunter-12", '"{{\\"user\\": \\"ada\\", \\"password\\": \\"{}\\"}}"'),
        ("hunter!42", 'char password[25] = "{}";'),
        ("dXNlcjpwYXNz", "Authorization: Basic {}"),
        (_MIXED[:34] + "/" + _MIXED[10:30], 'x = "{}"'),
        (_KEY_LINES, "{}\n-----END RSA PRIVATE" + " KEY-----"),
    )
)

HARMLESS: Final = (
    "def token(self) -> str:\n    return self._token",
    "password = get_password()",
    "password: ${DB_PASSWORD}",
    "The password is asked for at the start. Tokens are counted.",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "secret: None, api_key=None, token=True",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "https://example.org/a/very/long/path?token_count=12",
    "keys: a, b, c; key: value",
    "PWD=/home/ada/project\nOLDPWD=/home/ada",
    "username, password = auth(password=password, secret=secret, token=token)",
    "You can pass `key=value` to it. Password: the word that you have chosen before.",
    "POSTGRES_PASSWORD_FILE: /run/secrets/database_password",
    "class Secret:\n    token: str\n    password: str | None = None",
    "postgresql://{user}:{password}@host and redis://:${REDIS_PASSWORD}@host",
    ".sk-toggleable__label-arrow-of-estimator { color: red }",
    "tokenize = 'unicode61 remove_diacritics 2'",
    '"integrity": "sha512-z1B2C3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2=="',
    "uuid 123e4567-e89b-12d3-a456-426614174000",
)
