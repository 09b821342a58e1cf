"""Where a key may be sent, what may be a key, and what other software left in our surroundings."""

import pytest

from app.api.address import (
    AddressFault,
    AddressRefused,
    KeyFault,
    KeyRefused,
    check_api_key,
    check_base_url,
)

_ACCEPTED = {
    "https://example.com": "https://example.com",
    "https://example.com/": "https://example.com",
    "  https://example.com\n": "https://example.com",
    "\ufeffhttps://example.com\u200b": "https://example.com",
    "HTTPS://Example.COM": "https://example.com",
    "https://example.com:443": "https://example.com",
    "https://example.com:8443": "https://example.com:8443",
    "https://example.com/a/service/": "https://example.com/a/service",
    "https://b\u00fccher.example": "https://xn--bcher-kva.example",
    "https://\u0435xample.com": "https://xn--xample-2of.com",
    "https://192.0.2.7": "https://192.0.2.7",
    "https://[2001:DB8::1]": "https://[2001:db8::1]",
    "https://[2001:db8::1]:8443/x": "https://[2001:db8::1]:8443/x",
    "https://localhost.evil": "https://localhost.evil",
    "http://127.0.0.1:8422": "http://127.0.0.1:8422",
    "http://127.0.0.1:80": "http://127.0.0.1",
    "http://127.8.9.10:1": "http://127.8.9.10:1",
    "http://[::1]:8422": "http://[::1]:8422",
    "http://localhost:8422": "http://127.0.0.1:8422",
    "http://LOCALHOST": "http://127.0.0.1",
    "https://LOCALHOST:8443/a": "https://localhost:8443/a",
}

_REFUSED = {
    "": AddressFault.EMPTY,
    "   ": AddressFault.EMPTY,
    "example.com": AddressFault.NO_SCHEME,
    "example.com:443": AddressFault.NO_SCHEME,
    "//example.com": AddressFault.NO_SCHEME,
    "ftp://example.com": AddressFault.NO_SCHEME,
    "file:///etc/passwd": AddressFault.NO_SCHEME,
    "javascript:alert(1)": AddressFault.NO_SCHEME,
    "https:example.com": AddressFault.NO_SCHEME,
    "https:/example.com": AddressFault.NO_SCHEME,
    "127.0.0.1:8498": AddressFault.NO_SCHEME_LOOPBACK,
    "localhost:8498/api": AddressFault.NO_SCHEME_LOOPBACK,
    "[::1]:8498": AddressFault.NO_SCHEME_LOOPBACK,
    "ftp://127.0.0.1": AddressFault.NO_SCHEME,
    "https://": AddressFault.BAD_HOST,
    "https:///path": AddressFault.BAD_HOST,
    "http://example.com": AddressFault.NOT_SECURE,
    "http://localhost.evil": AddressFault.NOT_SECURE,
    "http://127.0.0.1.evil": AddressFault.NOT_SECURE,
    "http://evil.localhost": AddressFault.NOT_SECURE,
    "http://10.0.0.1": AddressFault.NOT_SECURE,
    "http://192.168.1.1:8422": AddressFault.NOT_SECURE,
    "http://0.0.0.0": AddressFault.NOT_SECURE,
    "http://169.254.169.254": AddressFault.NOT_SECURE,
    "http://[::]": AddressFault.NOT_SECURE,
    "http://[::ffff:127.0.0.1]": AddressFault.NOT_SECURE,
    "http://[fe80::1]": AddressFault.NOT_SECURE,
    "http://2130706433": AddressFault.BAD_HOST,
    "http://0x7f000001": AddressFault.BAD_HOST,
    "http://0x7f.0.0.1": AddressFault.BAD_HOST,
    "http://0177.0.0.1": AddressFault.BAD_HOST,
    "http://127.1": AddressFault.BAD_HOST,
    "https://user@example.com": AddressFault.HAS_USER,
    "https://user:secret@example.com": AddressFault.HAS_USER,
    "https://example.com@evil.example": AddressFault.HAS_USER,
    "http://127.0.0.1@evil.example": AddressFault.HAS_USER,
    "https://@example.com": AddressFault.HAS_USER,
    "https://example.com\\@evil.example": AddressFault.BAD_CHARACTER,
    "https:\\\\example.com": AddressFault.BAD_CHARACTER,
    "http://127.0.0.1\\.evil": AddressFault.BAD_CHARACTER,
    "https://exa mple.com": AddressFault.BAD_CHARACTER,
    "https://example.com/a b": AddressFault.BAD_CHARACTER,
    "https://exam\tple.com": AddressFault.BAD_CHARACTER,
    "https://exam\nple.com": AddressFault.BAD_CHARACTER,
    "https://example.com\r\nX-Evil: 1": AddressFault.BAD_CHARACTER,
    "https://example.com\x00": AddressFault.BAD_CHARACTER,
    "https://exam\u00adple.com": AddressFault.BAD_CHARACTER,
    "https://exam\u202eple.com": AddressFault.BAD_CHARACTER,
    "https://exam\u200bple.com": AddressFault.BAD_CHARACTER,
    "https://" + "a" * 3000 + ".com": AddressFault.BAD_CHARACTER,
    "https://example.com//evil.example": AddressFault.BAD_PATH,
    "https://example.com/../x": AddressFault.BAD_PATH,
    "https://example.com/a/./b": AddressFault.BAD_PATH,
    "https://example.com/%2e%2e/x": AddressFault.BAD_PATH,
    "https://example.com/?x=1": AddressFault.BAD_PATH,
    "https://example.com?": AddressFault.BAD_PATH,
    "https://example.com#x": AddressFault.BAD_PATH,
    "https://exam%70le.com": AddressFault.BAD_HOST,
    "https://example..com": AddressFault.BAD_HOST,
    "https://.example.com": AddressFault.BAD_HOST,
    "https://example.com.": AddressFault.BAD_HOST,
    "https://-example.com": AddressFault.BAD_HOST,
    "https://ex*mple.com": AddressFault.BAD_HOST,
    "https://[::1": AddressFault.BAD_BRACKETS,
    "http://[::1:8422/path": AddressFault.BAD_BRACKETS,
    "http://::1": AddressFault.BAD_BRACKETS,
    "http://::1]:8422": AddressFault.BAD_BRACKETS,
    "https://[::1]x": AddressFault.BAD_BRACKETS,
    "https://[::1]]": AddressFault.BAD_BRACKETS,
    "https://[::1%25eth0]": AddressFault.BAD_HOST,
    "https://[v1.x]": AddressFault.BAD_HOST,
    "https://example.com:0": AddressFault.BAD_PORT,
    "https://example.com:65536": AddressFault.BAD_PORT,
    "https://example.com:port": AddressFault.BAD_PORT,
    "https://example.com:-1": AddressFault.BAD_PORT,
}


@pytest.mark.security(60)
@pytest.mark.parametrize("text", _ACCEPTED)
def test_an_address_that_a_key_may_go_to_is_shown_as_it_is_used(text: str) -> None:
    assert check_base_url(text) == _ACCEPTED[text]


@pytest.mark.security(60)
@pytest.mark.parametrize("text", _REFUSED)
def test_an_address_that_a_key_must_not_go_to_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(AddressRefused) as caught:
        check_base_url(text)
    assert caught.value.fault is _REFUSED[text]


@pytest.mark.security(60)
def test_sixty_addresses_and_more_are_classified() -> None:
    assert len(_ACCEPTED) + len(_REFUSED) >= 60


@pytest.mark.security(60)
@pytest.mark.parametrize("text", _ACCEPTED)
def test_an_accepted_address_is_accepted_again_unchanged(text: str) -> None:
    shown = check_base_url(text)
    assert check_base_url(shown) == shown


@pytest.mark.security(66)
@pytest.mark.parametrize(
    "pasted",
    [
        "pk_live_abc",
        " pk_live_abc ",
        "pk_live_abc\n",
        "\r\npk_live_abc\r\n",
        "\tpk_live_abc\t",
        "\ufeffpk_live_abc",
        "\u00a0pk_live_abc\u00a0",
        "\u200bpk_live_abc\u200b\n",
        "\u2028pk_live_abc",
        " \ufeff \u00a0pk_live_abc\u2003",
    ],
)
def test_quotes_and_blanks_around_a_pasted_key_are_removed(pasted: str) -> None:
    assert check_api_key(pasted).get_secret_value() == "pk_live_abc"


@pytest.mark.security(66)
@pytest.mark.parametrize(
    ("pasted", "fault"),
    [
        ("", KeyFault.EMPTY),
        (" \n\ufeff", KeyFault.EMPTY),
        ("pk_live_a\nbc", KeyFault.HAS_SPACE),
        ("pk_live_a bc", KeyFault.HAS_SPACE),
        ("pk_live_a\u00a0bc", KeyFault.HAS_SPACE),
        ("pk_live_a\u200bbc", KeyFault.HAS_SPACE),
        ("pk_live_a\x00bc", KeyFault.HAS_SPACE),
        ("pk_live_a\x7fbc", KeyFault.HAS_SPACE),
        ("pk_live_\u0430bc", KeyFault.NOT_ASCII),
        ("pk_live_abc…", KeyFault.NOT_ASCII),
        ("pk_live_\ud800", KeyFault.NOT_ASCII),
        ("x" * 5000, KeyFault.TOO_LONG),
    ],
)
def test_invalid_key_is_refused_with_a_reason_that_does_not_quote_it(
    pasted: str, fault: KeyFault
) -> None:
    with pytest.raises(KeyRefused) as caught:
        check_api_key(pasted)
    assert caught.value.fault is fault
    assert "pk_live" not in repr(caught.value)


def test_a_checked_key_does_not_show_itself() -> None:
    key = check_api_key("pk_live_abc")
    assert "abc" not in f"{key} {key!r}"
