"""Check what the program needs from the computer.

Each `check_…` is one check: folders, keyring, trusted certificates, Qt's plug-ins, typefaces, and
the sandbox of tools. `rejects_untrusted_certificate` does a TLS handshake in memory with a server
whose certificate is self-signed.
"""

import asyncio
import os
import re
import secrets
import ssl
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from pydantic import SecretStr
from PySide6.QtCore import QByteArray, QCoreApplication, QLibraryInfo, QPluginLoader, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QImage,
    QPainter,
    QRawFont,
)
from PySide6.QtSvg import QSvgRenderer

from app.api.errors import ConnectFailed
from app.api.network import Trust, system_proxy
from app.common.clock import utc_now
from app.config.key_store import Backend, KeyLocation, KeyStore
from app.platform.display import has_screen
from app.self_test.report import CheckFailed, NotAvailable
from app.ui.widgets.fonts import MONO_FAMILY, UI_FAMILY
from app.viewmodels.i18n import translate_marked
from local_tools.sandbox.types import SandboxState

_NAME: Final = "stranger.invalid"
_HASHED: Final = re.compile(r"[0-9a-f]{8}\.\d+")
# A handshake takes two or three turns each way.
_MOST_TURNS: Final = 10


def rejects_untrusted_certificate(context: ssl.SSLContext) -> bool:
    """Tell whether a client with this context refuses a certificate that vouches for itself."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(to_client, to_server, server_hostname=_NAME)
    server = _stranger().wrap_bio(to_server, to_client, server_side=True)
    for _ in range(_MOST_TURNS):
        try:
            # A list: a generator would stop at the client, and the server would never answer.
            if all([_went_on(client), _went_on(server)]):
                return False
        except ssl.SSLCertVerificationError:
            return True
    return False


def count_trust_anchors(context: ssl.SSLContext) -> int | None:
    """Count whom this context trusts; None where only the system knows.

    The context of the system's store says so only of a connection.
    """
    if sys.platform in {"win32", "darwin"}:
        return None
    connection = context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname=_NAME)
    return connection.context.cert_store_stats()["x509_ca"] or _hashed_authorities()


def _hashed_authorities() -> int:
    """Count the authorities in a folder of files, which are read only when one is needed."""
    folder = ssl.get_default_verify_paths().capath
    if not folder:
        return 0
    return sum(bool(_HASHED.fullmatch(path.name)) for path in Path(folder).iterdir())


def _went_on(side: ssl.SSLObject) -> bool:
    """Take a step of the handshake; tell whether it was the last one."""
    try:
        side.do_handshake()
    except ssl.SSLWantReadError:
        return False
    return True


def _stranger() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory(prefix="parley-stranger-") as folder:
        file = Path(folder) / "stranger.pem"
        file.write_bytes(_certificate())
        context.load_cert_chain(file)
    return context


def _certificate() -> bytes:
    """Return a certificate and its key, as PEM, that lasts for an hour and is signed by itself."""
    # Slow to import, and needed by this check only.
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, _NAME)])
    now, hour = utc_now(), timedelta(hours=1)
    made = (
        x509.CertificateBuilder(name, name, key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - hour)
        .not_valid_after(now + hour)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(_NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


translate = QCoreApplication.translate

_NEEDED_BYTES: Final = 4096
_KEYRING_TIMEOUT_S: Final = 5.0
# A reserved name; it is only looked up in the settings of the system's proxy.
_SOMEWHERE: Final = "parley.invalid"

FindBackend = Callable[[], Backend | None]


def check_folders(folders: Iterable[Path]) -> str:
    """Write where the program would keep its own, without making or opening anything of it.

    Where a folder is not there yet, the nearest one above it is written to. What was written has
    no name, or loses it at once.

    Returns:
        The folders that the program uses, whether they are there yet or not.

    Raises:
        CheckFailed: one of them cannot be written, or something else stands in its place.
    """
    wanted = sorted(set(folders))
    for folder in sorted({_begun(folder) for folder in wanted}):
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b" " * _NEEDED_BYTES)
        except OSError as error:
            words = translate("SelfTest", "{folder} is not writable: {reason}")
            raise CheckFailed(words.format(folder=folder, reason=error.strerror)) from error
    return ", ".join(str(folder) for folder in wanted)


async def check_keyring(find_backend: FindBackend) -> str:
    """Keep a key in the system's keyring, read it back, and remove it.

    The key is a random one under a random name: those of the person are not looked at.

    Raises:
        NotAvailable: this system has no keyring.
        CheckFailed: it did not keep the key, or not only until it was removed.
    """
    # A store falls back to memory without a keyring and with a locked one alike.
    found: list[bool] = []

    def find() -> Backend | None:
        backend = find_backend()
        found.append(backend is not None)
        return backend

    origin, key = f"self-test:{secrets.token_hex(8)}", SecretStr(secrets.token_urlsafe(24))
    first = KeyStore(find, timeout_s=_KEYRING_TIMEOUT_S)
    if await first.save(origin, key) is KeyLocation.SESSION:
        raise _not_kept(found)
    # Another store: the first one could have the key in memory only.
    later = KeyStore(find, timeout_s=_KEYRING_TIMEOUT_S)
    try:
        if await later.load(origin) != key:
            raise CheckFailed(translate("SelfTest", "a different key was read"))
    finally:
        await later.forget(origin)
    if await later.load(origin) is not None:
        raise CheckFailed(translate("SelfTest", "the key could not be removed"))
    return translate("SelfTest", "a key was stored, read and removed")


def _not_kept(found: list[bool]) -> CheckFailed | NotAvailable:
    if found and not found[0]:
        return NotAvailable(
            translate("SelfTest", "no keyring is running; keys are stored only until Parley closes")
        )
    return CheckFailed(translate("SelfTest", "the keyring stored nothing; it may be locked"))


async def check_trust(trust: Trust) -> str:
    """Meet an untrusted server, which must be refused; count trust anchors, and name the proxy.

    Nothing leaves the program: that server is made here, and met in memory.

    Raises:
        NotAvailable: the system trusts nobody, so that no hosted project can be reached.
        CheckFailed: that server was trusted, or a variable could lead astray.
    """
    if led := [name for name in os.environ if name.upper().endswith("_PROXY")]:
        words = translate("SelfTest", "these proxy variables may redirect connections: {names}")
        raise CheckFailed(words.format(names=", ".join(led)))
    try:
        context = await trust.context_for(_SOMEWHERE)
    except ConnectFailed as error:
        words = translate("SelfTest", "the system provides no certificates")
        raise CheckFailed(words) from error
    if not await asyncio.to_thread(rejects_untrusted_certificate, context):
        raise CheckFailed(translate("SelfTest", "an unknown certificate was trusted"))
    known = await asyncio.to_thread(count_trust_anchors, context)
    if known == 0:
        words = translate("SelfTest", "this system has no certificates of certificate authorities")
        raise NotAvailable(words)
    return f"{_whom(known)}; {await _proxy_words()}"


def _whom(known: int | None) -> str:
    if known is None:
        return translate("SelfTest", "the system’s certificates are used")
    return translate("SelfTest", "%n certificate authorities of the system", "", known)


async def _proxy_words() -> str:
    """Return whether there is a proxy; which one is nobody's business."""
    if await asyncio.to_thread(system_proxy, _SOMEWHERE):
        return translate("SelfTest", "the system uses a proxy")
    return translate("SelfTest", "the system uses no proxy")


def _begun(folder: Path) -> Path:
    """Return what there is of a folder: itself, or the nearest one above it."""
    # Without following links: nothing can be made below one that leads nowhere.
    place = next(one for one in (folder, *folder.parents) if os.path.lexists(one))
    if not place.is_dir():
        words = translate("SelfTest", "{place} is not a folder")
        raise CheckFailed(words.format(place=place))
    return place


_PATTERN: Final = {"win32": "{name}.dll", "darwin": "lib{name}.dylib"}
# One of these shows windows; `offscreen` shows none.
_WINDOWS_BY: Final = {"win32": ("qwindows",), "darwin": ("qcocoa",)}
_WINDOWS_BY_LINUX: Final = ("qxcb", "qwayland")
# Letters of both languages, what is drawn between them, and code.
_LETTERS: Final = "AaÄäÖöÜüßéſ„“”…–·≤→0123456789(){}[]"
_SIDE_PX: Final = 16
_BLACK_SQUARE: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>'
)


def check_plugins(variables: Mapping[str, str], folder: Path | None = None) -> str:
    """Load what shows windows, and draw an icon; name what shows windows here.

    Args:
        variables: of the environment, which say whether there is a display.
        folder: where what shows windows lies; by default, as Qt says.

    Raises:
        CheckFailed: no window could be shown, or no icon.
        NotAvailable: no window could be shown, and there is no display for one either.
    """
    _draw_icon()
    place = folder or _plugins() / "platforms"
    faults, usable = [], []
    for name in _WINDOWS_BY.get(sys.platform, _WINDOWS_BY_LINUX):
        pattern = _PATTERN.get(sys.platform, "lib{name}.so")
        loader = QPluginLoader(str(place / pattern.format(name=name)))
        if loader.load():
            usable.append(name.removeprefix("q"))
        else:
            faults.append(loader.errorString())
    if not usable and not has_screen(variables):
        words = translate("SelfTest", "there is no display, and windows cannot be shown: {faults}")
        raise NotAvailable(words.format(faults="; ".join(faults)))
    if not usable:
        raise CheckFailed("; ".join(faults))
    words = translate("SelfTest", "display: {platform}; available: {usable}")
    return words.format(platform=QGuiApplication.platformName(), usable=", ".join(usable))


def _plugins() -> Path:
    return Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath))


def check_fonts() -> str:
    """Make sure that both typefaces are loaded, with the letters of our languages.

    Raises:
        CheckFailed: one is missing, or lacks a letter.
    """
    for family in (UI_FAMILY, MONO_FAMILY):
        if family not in QFontDatabase.families():
            words = translate("SelfTest", "the font {family} is missing")
            raise CheckFailed(words.format(family=family))
        raw = QRawFont.fromFont(QFont(family))
        lacking = [letter for letter in _LETTERS if not raw.supportsCharacter(ord(letter))]
        # Qt silently takes another font where one cannot be read; only its name shows it.
        if raw.familyName() != family:
            words = translate("SelfTest", "the font {family} cannot be used; another one is shown")
            raise CheckFailed(words.format(family=family))
        if lacking:
            words = translate("SelfTest", "the font {family} is missing letters: {letters}")
            raise CheckFailed(words.format(family=family, letters=" ".join(lacking)))
    return f"{UI_FAMILY}, {MONO_FAMILY}"


def _draw_icon() -> None:
    image = QImage(_SIDE_PX, _SIDE_PX, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(_BLACK_SQUARE)).render(painter)
    painter.end()
    if image.pixelColor(_SIDE_PX // 2, _SIDE_PX // 2) != QColor(Qt.GlobalColor.black):
        raise CheckFailed(translate("SelfTest", "an icon was not drawn"))


def check_sandbox(state: SandboxState) -> str:
    """Say which sandbox was taken, after forbidden acts were tried inside.

    Raises:
        NotAvailable: none holds, or not all of what it should; the text says why.
    """
    why = " ".join(translate_marked("Tools", reason) for reason in state.reasons)
    if state.is_whole:
        return state.kind
    if state.kind == "none":
        raise NotAvailable(why)
    words = translate("SelfTest", "{kind}, incomplete: {why}")
    raise NotAvailable(words.format(kind=state.kind, why=why))
