"""Prepare the environment variables and the locale of the window's process.

`take_out_foreign_variables` removes what a desktop program does not need, and `ensure_utf8_locale`
sets the encoding of text that the system's locale names, which must happen before anything of Qt
starts. The module imports next to nothing.

Shells, editors and pipelines leave keys and passwords of other programs in the environment. A
variable that holds a secret cannot be told by its name, so the list here names what a desktop
program needs: everything else is removed before the application object is made, and neither Qt, nor
a library, nor a child process sees it. Variables that redirect libraries are not on the list
either: TLS libraries write session keys to the file in SSLKEYLOGFILE and trust what is in
SSL_CERT_FILE, and Qt loads plug-ins from QT_PLUGIN_PATH. Proxy and certificates come from our own
settings only.

The removed values stay in memory, and on Linux in `/proc/PID/environ`, which shows the environment
at the start of the process and cannot be cleared without root. The system lets only the same user
read it, and only root once the process is not dumpable (`app.platform.hardening`).
"""

import contextlib
import locale
import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Final

_UTF8: Final = "C.UTF-8"
_WITHOUT_ENCODING: Final = frozenset({"C", "POSIX"})


def ensure_utf8_locale(environ: MutableMapping[str, str]) -> None:
    """Take UTF-8 where no locale is set, or one that this system does not have.

    Called before the application object is made: Qt takes UTF-8 there in any case, and at each
    start complains of a locale that nobody chose. Python settles it likewise for itself (PEP 538),
    but neither where `LC_ALL` is set nor in a frozen program. Language and formats stay what they
    were, and so does an encoding that somebody did choose.
    """
    if sys.platform != "linux":
        return
    found = None
    with contextlib.suppress(locale.Error):
        found = locale.setlocale(locale.LC_CTYPE, "")
    if found and found not in _WITHOUT_ENCODING:
        return
    with contextlib.suppress(locale.Error):
        locale.setlocale(locale.LC_CTYPE, _UTF8)
        if found:
            environ["LC_ALL" if environ.get("LC_ALL") else "LC_CTYPE"] = _UTF8
        # Qt cannot set a locale that the system does not have, and keeps what is set here.


_KEPT: Final = frozenset(
    {
        # Who the user is, their folders and their language.
        *("HOME", "LOGNAME", "USER", "SHELL", "PATH", "PWD", "TMPDIR", "TEMP", "TMP"),
        *("LANG", "LANGUAGE", "LOCPATH", "NLSPATH", "TZ", "TZDIR", "TERM"),
        # The desktop, its input methods, and the way to its other programs.
        *("DISPLAY", "XAUTHORITY", "ICEAUTHORITY", "XMODIFIERS", "XCOMPOSEFILE", "XLOCALEDIR"),
        *("DESKTOP_SESSION", "DESKTOP_STARTUP_ID", "SESSION_MANAGER", "GDMSESSION", "BROWSER"),
        *("SWAYSOCK", "I3SOCK", "NO_AT_BRIDGE", "ACCESSIBILITY_ENABLED", "DRI_PRIME"),
        *("APPIMAGE", "APPDIR", "CONTAINER", "WSL_DISTRO_NAME", "WSL_INTEROP"),
        # The interpreter and the frozen program.
        *("VIRTUAL_ENV", "PYINSTALLER_RESET_ENVIRONMENT", "LD_LIBRARY_PATH"),
        # Set by macOS for each program.
        *("__CF_USER_TEXT_ENCODING", "__CFBUNDLEIDENTIFIER", "COMMAND_MODE", "SECURITYSESSIONID"),
        *("XPC_FLAGS", "XPC_SERVICE_NAME", "MALLOCNANOZONE"),
        # What Windows gives to each program.
        *("ALLUSERSPROFILE", "APPDATA", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)"),
        *("COMMONPROGRAMW6432", "COMPUTERNAME", "COMSPEC", "DRIVERDATA", "HOMEDRIVE", "HOMEPATH"),
        *("LOCALAPPDATA", "LOGONSERVER", "NUMBER_OF_PROCESSORS", "OS", "PATHEXT", "PROGRAMDATA"),
        *("PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "PUBLIC", "SESSIONNAME"),
        *("SYSTEMDRIVE", "SYSTEMROOT", "USERDNSDOMAIN", "USERDOMAIN", "WINDIR"),
        *("USERDOMAIN_ROAMINGPROFILE", "USERNAME", "USERPROFILE"),
    }
)
_KEPT_PREFIXES: Final = (
    *("LC_", "XDG_", "DBUS_", "WAYLAND_", "XKB_", "XCURSOR_", "AT_SPI_", "FLATPAK_"),
    *("QT_", "QSG_", "GTK_", "GDK_", "GIO_", "GSETTINGS_", "IBUS_", "FCITX_"),
    *("KDE_", "GNOME_", "MATE_", "HYPRLAND_", "FONTCONFIG_", "FREETYPE_"),
    # What draws: Mesa, and the makers of graphics cards.
    *("MESA_", "LIBGL_", "GALLIUM_", "EGL_", "__EGL_", "__GL_", "__GLX_", "__NV_"),
    *("VK_DRIVER_", "VK_ICD_", "VK_LAYER_", "VK_LOADER_"),
    *("PYTHON", "DYLD_", "PROCESSOR_"),
)
_STEERING: Final = frozenset({"QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH"})
_STEERING_PREFIXES: Final = ("QT_QUICK_", "QT_QML")

# The variables that this process was started with; a global, as there is one start.
_given: list["GivenVariables"] = []


class GivenVariables(Mapping[str, str]):
    """What a process was started with. Never changed; does not show its values."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._values = dict(environ)

    def __getitem__(self, name: str) -> str:
        # As in `os.environ`: on Windows, names are in capitals however they are asked for.
        return self._values[name.upper() if sys.platform == "win32" else name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"GivenVariables({len(self._values)})"


def take_out_foreign_variables() -> None:
    """Take out of this process what it does not need, before anything of Qt starts or connects."""
    _given.append(GivenVariables(os.environ))
    remove_foreign(os.environ)
    # pydantic would search all installed packages for plugins, and run those in this process.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"


def given_variables() -> Mapping[str, str]:
    """Return all that this process was started with, for those who are to read it."""
    return _given[0] if _given else os.environ


def remove_foreign(environ: MutableMapping[str, str]) -> None:
    """Remove each variable that a desktop program is not known to need."""
    for name in [name for name in environ if not is_kept(name.upper())]:
        del environ[name]


def is_kept(name: str) -> bool:
    """Return whether a variable stays; the name is in capitals."""
    if name in _STEERING or name.startswith(_STEERING_PREFIXES):
        return False
    return name in _KEPT or name.startswith(_KEPT_PREFIXES)
