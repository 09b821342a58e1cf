"""Tokens that say by their beginning what they are; none is real: they are put together here."""

from typing import Final

import pytest

from local_tools.secrets.scan import find_secrets, masked

pytestmark = pytest.mark.security(30)

_MIXED: Final = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2" * 5
_LOWER: Final = _MIXED.lower()
_UPPER: Final = _MIXED.upper()
_HEX: Final = "0123456789abcdef" * 10
_LETTERS: Final = "aBcDeFgHiJkLmNoPqRsTuVwXyZ" * 2
_UUID: Final = "01234567-89ab-cdef-0123-456789abcdef"

# Beginning, what follows it.
TOKENS: Final = (
    ("api_org_", _LETTERS[:34]),
    ("CLOJARS_", _LOWER[:60]),
    *((f"packagist_{kind}_", _HEX[:68]) for kind in ("ort", "out", "uut", "cut")),
    ("cio", _MIXED[:32]),
    ("xkeysib-", f"{_HEX[:64]}-{_MIXED[:16]}"),
    *((f"duffel_{kind}_", _MIXED[:43]) for kind in ("test", "live")),
    *((kind, _MIXED[:54]) for kind in ("EZAK", "EZTK")),
    ("FLWSECK_TEST-", "0a1b2c3d4e5f"),
    *((f"access-{kind}-", _UUID) for kind in ("sandbox", "development", "production")),
    *((f"shippo_{kind}_", _HEX[:40]) for kind in ("live", "test")),
    *((f"{kind}_", _MIXED[:48]) for kind in ("cfk", "cfut", "cfat")),
    ("v1.0-", f"{_HEX[:24]}-{_HEX[:146]}"),
    ("dp.pt.", _MIXED[:43]),
    ("fo1_", _MIXED[:43]),
    *((f"{kind}_", _MIXED[:160]) for kind in ("fm1a", "fm1r", "fm2")),
    ("HRKU-AA", _MIXED[:58]),
    *((f"pscale_{kind}_", _MIXED[:43]) for kind in ("tkn", "oauth", "pw")),
    ("hvb.", _MIXED[:140]),
    ("sha256~", _MIXED[:43]),
    ("tk-us-", _MIXED[:48]),
    ("AQVN", _MIXED[:36]),
    ("dnkey-", f"{_LOWER[:26]}-{_LOWER[:52]}"),
    ("p8e-", _LOWER[:32]),
    *((kind, _MIXED[:120]) for kind in ("EAAM", "EAAC")),
    *((f"{kind}.", f"{_MIXED[:22]}.{_MIXED[:24]}.{_MIXED[:20]}") for kind in ("pat", "sat")),
    ("pnu_", _MIXED[:36]),
    ("ico-", _MIXED[:32]),
    ("glc_", _MIXED[:80]),
    ("rdme_", _LOWER[:70]),
    ("sntryu_", _HEX[:64]),
    *((f"sgp_{kind}", _HEX[:40]) for kind in ("", "local_", f"{_HEX[:16]}_")),
    ("NRII-", _MIXED[:32]),
    ("NRJS-", _HEX[:19]),
    ("API-", _UPPER[:26]),
    *((f"sm_{kind}_", _MIXED[:16]) for kind in ("aat", "pat", "sat")),
    ("ops_eyJ", _MIXED[:260]),
    ("A3-", f"{_UPPER[:6]}-{_UPPER[:6]}-{_UPPER[:5]}-{_UPPER[:5]}-{_UPPER[:5]}-{_UPPER[:5]}"),
    ("fio-u-", _MIXED[:64]),
    ("tfp_", _MIXED[:59]),
    *((f"s-s4t2{kind}-", _HEX[:64]) for kind in ("ud", "af")),
    ("a1B2c3_", f"{_MIXED[:29]}_mmk"),
    (
        "https://acme.webhook.office.com/webhookb2/",
        f"{_UUID}@{_UUID}/IncomingWebhook/{_HEX[:32]}/{_UUID}",
    ),
)

# Words that begin alike, and tokens of which a part is missing.
ORDINARY: Final = (
    "The CIO of cioffi, ciotola and cioccolatofondentealcacaomagroitaliano was there.",
    "ico-download and favicon: ico-arrowdownleftcircleoutline",
    "See API-DOCUMENTATION, API-GATEWAYCONFIGURATIONBLOCKS and API-12.",
    "pat.example.org, sat.example.org and pat.lastname.firstname.middle",
    "sm_pat_short, sm_sat_ and pscale_tkn_ are prefixes; glc_ and pnu_ too.",
    "cfk_ is followed by 40 characters, as cfut_ and cfat_ are.",
    "access-production-database and access-sandbox-12345678",
    "v1.0-beta and v1.0-0123456789ab",
    "EZTKxyz EZAK EAAMODT EAAC2026",
    "shippo_live_mode = False",
    "A3-SIZE-PAPER-SHEET and A3-2026",
    "sha256~ stands before a token; sha256:deadbeef does not",
    "ops_eyJ and ops_team, tk-us-east-1, hvb.de, fo1_bar, fm2_radio",
    "https://acme.webhook.office.com/webhookb2/ takes messages",
    "packagist_ort_ and CLOJARS_TOKEN, dp.pt. and dnkey-",
)


@pytest.mark.parametrize(("prefix", "rest"), TOKENS, ids=[prefix for prefix, _ in TOKENS])
@pytest.mark.parametrize("line", ["seen {} there", '"{}"', "a\\n{}\\nb", "x {}\n"])
def test_a_token_is_found_by_its_beginning_and_nothing_of_it_is_left(
    prefix: str, rest: str, line: str
) -> None:
    text = line.format(prefix + rest)

    shown = masked(text, find_secrets(text))

    assert rest not in shown
    assert rest[-4:] not in shown
    assert rest[:12] not in shown


@pytest.mark.parametrize("text", ORDINARY)
def test_text_that_only_starts_like_a_token_is_not_masked(text: str) -> None:
    assert find_secrets(text) == ()


@pytest.mark.parametrize("prefix", sorted({prefix for prefix, _ in TOKENS}))
def test_a_hostile_text_of_beginnings_is_looked_through_like_any_other(prefix: str) -> None:
    find_secrets(prefix * (65_536 // len(prefix)))
    find_secrets(f"{prefix}{'a' * 65_536}")
