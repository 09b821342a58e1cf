"""What an updates address announces: believed only when everything speaks for it."""

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import building
import pytest
import sign_release
from checkout import PACKAGING
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from processes import Failed

from app.updates.release import (
    LIMIT_BYTES,
    PURPOSE,
    ReleaseFault,
    ReleaseRefused,
    SourceUnreadable,
    is_newer,
    read_release,
    read_source,
)
from app.updates.update_check import LastTrustedRelease

_NOW = datetime(2030, 1, 10, tzinfo=UTC)
# The same in each run, since it is part of the names of tests.
_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_PUBLIC = _KEY.public_key().public_bytes_raw()


def _said(**other: object) -> dict[str, object]:
    return {
        "version": "0.2.0",
        "published": "2030-01-01T00:00:00+00:00",
        "expires": "2030-02-01T00:00:00+00:00",
        "notes": "Faster.",
        "link": "https://example.org/get",
        **other,
    }


def _sealed(said: object, key: Ed25519PrivateKey = _KEY, purpose: bytes = PURPOSE) -> bytes:
    signed = json.dumps(said).encode()
    return json.dumps(
        {
            "release": base64.b64encode(signed).decode(),
            "signature": base64.b64encode(key.sign(purpose + signed)).decode(),
        }
    ).encode()


def _fault(content: bytes, *, now: datetime = _NOW, running: str = "0.1.0") -> ReleaseFault:
    with pytest.raises(ReleaseRefused) as refused:
        read_release(content, _PUBLIC, running, now)
    return refused.value.fault


def test_signed_valid_and_newer_announcement_is_accepted() -> None:
    release = read_release(_sealed(_said()), _PUBLIC, "0.1.0", _NOW)

    assert (release.version, release.notes) == ("0.2.0", "Faster.")
    assert release.link == "https://example.org/get"
    # One's own version is no news, and no fault either.
    assert read_release(_sealed(_said()), _PUBLIC, "0.2.0", _NOW).version == "0.2.0"


@pytest.mark.parametrize(
    "link",
    [
        "https://example.org",
        "https://example.org/",
        "https://example.org/rel/",
        "https://example.org/get?os=linux&v=0.2.0",
        "https://example.org/new%20one#notes",
        "https://localhost:8899/0.2.0.html",
    ],
)
def test_page_of_a_release_is_opened_as_it_was_written(link: str) -> None:
    assert read_release(_sealed(_said(link=link)), _PUBLIC, "0.1.0", _NOW).link == link


def test_page_of_a_release_does_not_hide_its_host() -> None:
    sealed = _sealed(_said(link="https://exаmple.org:443/get"))

    link = read_release(sealed, _PUBLIC, "0.1.0", _NOW).link

    assert link == "https://xn--exmple-4nf.org/get"
    # Nor is a part of the scheme taken for it.
    assert read_release(_sealed(_said(link="https://s/get")), _PUBLIC, "0.1.0", _NOW).link == (
        "https://s/get"
    )


def test_signature_of_another_key_for_another_purpose_or_of_other_words_is_refused() -> None:
    other = Ed25519PrivateKey.generate()
    changed = json.loads(_sealed(_said()))
    changed["release"] = base64.b64encode(json.dumps(_said(version="9.0")).encode()).decode()

    for content in (
        _sealed(_said(), other),
        _sealed(_said(), purpose=b""),
        json.dumps(changed).encode(),
        json.dumps({**json.loads(_sealed(_said())), "signature": ""}).encode(),
    ):
        assert _fault(content) is ReleaseFault.WRONG_SIGNATURE


def test_expired_future_or_older_announcement_is_refused() -> None:
    month = timedelta(days=31)
    assert _fault(_sealed(_said()), now=_NOW + month) is ReleaseFault.EXPIRED
    assert _fault(_sealed(_said()), now=_NOW - month) is ReleaseFault.AHEAD
    assert _fault(_sealed(_said()), running="0.2.1") is ReleaseFault.OLDER


def test_announcement_older_than_the_last_accepted_one_is_refused() -> None:
    first = datetime(2030, 1, 1, tzinfo=UTC)
    second = timedelta(seconds=1)

    with pytest.raises(ReleaseRefused) as refused:
        read_release(_sealed(_said()), _PUBLIC, "0.1.0", _NOW, first + second)

    assert refused.value.fault is ReleaseFault.REPLAYED
    # The same again, a newer one, and one after a clock that went wrong and was set back.
    for last in (first, first - second, _NOW + timedelta(days=4000)):
        assert read_release(_sealed(_said()), _PUBLIC, "0.1.0", _NOW, last).published == first


def test_last_accepted_announcement_is_stored_per_key(tmp_path: Path) -> None:
    path, published = tmp_path / "release.json", datetime(2030, 1, 1, tzinfo=UTC)
    last = LastTrustedRelease(path)
    assert last.published(_PUBLIC) is None

    last.keep(_PUBLIC, published)

    assert LastTrustedRelease(path).published(_PUBLIC) == published
    # Of a build by somebody else: what that one signs is no older or newer than this.
    assert last.published(b"k" * 32) is None
    assert [item.name for item in tmp_path.iterdir()] == ["release.json"]
    assert path.stat().st_mode & 0o077 == 0
    path.write_text('{"key": "', encoding="utf-8")
    assert last.published(_PUBLIC) is None
    LastTrustedRelease(tmp_path / "nowhere" / "release.json").keep(_PUBLIC, published)


@pytest.mark.parametrize(
    "said",
    [
        [],
        _said(version="newest"),
        _said(version="0.2.0-rc1"),
        _said(version="\u0669.\u0660"),
        _said(published="0001-01-01T00:00:00+23:59"),
        _said(expires="2030-02-01"),
        _said(link="http://example.org/get"),
        _said(link="https://user@example.org/"),
        _said(link="javascript:alert(1)"),
        _said(link="https://example.org/é"),
        _said(link="https://example.org/a b"),
        _said(notes="x" * 9000),
    ],
)
def test_signed_words_that_make_no_sense_are_refused(said: object) -> None:
    assert _fault(_sealed(said)) is ReleaseFault.UNREADABLE


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"release": "?", "signature": "?"}',
        '{"release": "é", "signature": ""}'.encode(),
        b"[" * 60_000,
        b" " * LIMIT_BYTES + _sealed(_said()),
    ],
    ids=["nothing", "a list", "no text", "no bytes", "no ASCII", "deep", "huge"],
)
def test_malformed_or_huge_announcement_is_refused(content: bytes) -> None:
    assert _fault(content) is ReleaseFault.UNREADABLE


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_newer("0.10.0", "0.9.9")
    assert not is_newer("0.2", "0.2.0")
    assert not is_newer("0.1.9", "0.2")


def test_without_a_file_of_the_packager_nobody_is_asked(tmp_path: Path) -> None:
    assert read_source(tmp_path) is None


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("http://example.org/p.json", base64.b64encode(_PUBLIC).decode()),
        ("http://127.0.0.1:8000/p.json", base64.b64encode(_PUBLIC).decode()),
        ("https://example.org/p.json", "c2hvcnQ="),
        ("https://example.org/p.json", "no base64"),
        ("https://example.org/p.json", "éééé"),
        ("nowhere", base64.b64encode(_PUBLIC).decode()),
    ],
)
def test_packagers_file_without_https_or_a_key_counts_for_nothing(
    tmp_path: Path, address: str, key: str
) -> None:
    written = json.dumps({"address": address, "key": key})
    (tmp_path / "updates.json").write_text(written, encoding="utf-8")

    with pytest.raises(SourceUnreadable, match=r"“address” \(https\) and “key”"):
        read_source(tmp_path)


def test_announcement_signed_by_the_packager_is_accepted(
    tmp_path: Path,
) -> None:
    key, said, signed = (tmp_path / name for name in ("key.pem", "said.json", "signed.json"))
    said.write_text(json.dumps(_said()), encoding="utf-8")
    address, written = "https://example.org/parley.json", tmp_path / "updates.json"

    assert sign_release.main(["key", str(key), address, str(written)]) == 0
    assert sign_release.main(["sign", str(key), str(said), str(signed)], _NOW) == 0

    source = read_source(tmp_path)
    assert source is not None
    assert source.url == "https://example.org/parley.json"
    assert read_release(signed.read_bytes(), source.key, "0.1.0", _NOW).version == "0.2.0"
    assert key.stat().st_mode & 0o077 == 0
    # A key that is there is kept, and its public half told again.
    first = key.read_bytes(), written.read_bytes()
    written.unlink()
    assert sign_release.main(["key", str(key), address, str(written)]) == 0
    assert (key.read_bytes(), written.read_bytes()) == first


def test_a_build_refuses_what_the_program_would_not_understand(tmp_path: Path) -> None:
    building.check_update_source(tmp_path)
    (tmp_path / "updates.json").touch()

    with pytest.raises(Failed, match=r"updates\.json cannot be used: make it with"):
        building.check_update_source(tmp_path)

    key = base64.b64encode(_PUBLIC).decode()
    written = json.dumps({"address": "https://example.org/parley.json", "key": key})
    (tmp_path / "updates.json").write_text(written, encoding="utf-8")
    building.check_update_source(tmp_path)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("{", "is no JSON"),
        (json.dumps({"version": "1.0"}), "needs exactly expires, link, notes"),
        ({"version": "0.2.0rc1"}, "`version` is two to four numbers"),
        ({"published": "2030-01-09T00:00:00"}, "`published` is a time with its zone"),
        ({"expires": "2030-01-09T00:00:00Z"}, "`expires` is over already"),
        ({"published": "2031-01-09T00:00:00Z"}, "`published` lies ahead"),
        ({"link": "http://example.org/get"}, "`link` is an https address"),
        ({"link": f"https://example.org/{'x' * 60_000}"}, "is larger than"),
    ],
)
def test_packager_is_told_what_cannot_be_signed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: dict[str, str] | str, fault: str
) -> None:
    key, said, out = tmp_path / "key.pem", tmp_path / "said.json", tmp_path / "out"
    assert sign_release.main(["key", str(key), "https://example.org/", str(tmp_path / "u")]) == 0
    text = words if isinstance(words, str) else json.dumps(_said(**words))
    said.write_text(text, encoding="utf-8")

    assert sign_release.main(["sign", str(key), str(said), str(out)], _NOW) == 1
    assert "said.json" in (told := capsys.readouterr().err)
    assert fault in told
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "address", "fault"),
    [
        (
            "new.pem",
            "http://example.org/",
            "http://example.org/: The address must begin with https://",
        ),
        ("new.pem", "https://example.org/?x=1", "and have no user name, ? or #."),
        ("no/new.pem", "https://example.org/", "No such file or directory"),
        ("words.txt", "https://example.org/", "holds no private key"),
        (str(PACKAGING / "release-key.pem"), "https://example.org/", "name a file elsewhere"),
    ],
)
def test_packager_is_told_which_key_or_address_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, address: str, fault: str
) -> None:
    (tmp_path / "words.txt").write_text("words", encoding="utf-8")
    key, written = tmp_path / name, tmp_path / "updates.json"

    assert sign_release.main(["key", str(key), address, str(written)]) == 1
    assert fault in capsys.readouterr().err
    assert not written.exists()
    assert key.name == "words.txt" or not key.exists()
