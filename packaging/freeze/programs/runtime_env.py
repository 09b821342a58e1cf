"""Clean the environment variables; the first thing each executable does.

PyInstaller's bootloader and hooks set variables by which the bundled libraries are found. They are
no longer needed, and child processes would inherit them and load these libraries instead of their
own. Others are removed because they make Qt load plug-ins from elsewhere.
"""

import os
import sys

_LOADER_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH")
_STEERING = ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH")
_STEERING_PREFIXES = ("_PYI_", "QML")
# The file that this process runs, also once another one has taken its path.
_OWN_EXECUTABLE = "/proc/self/exe"


def restore_library_paths() -> None:
    """Restore the variables of the dynamic loader to their values before the start."""
    for name in _LOADER_PATHS:
        before = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


def drop_steering_variables() -> None:
    """Drop what makes Qt or a program of ours look for its files elsewhere."""
    for name in list(os.environ):
        if name in _STEERING or name.startswith(_STEERING_PREFIXES):
            del os.environ[name]


def keep_own_modules() -> None:
    """Read modules from the executable that runs, whatever an update puts in its place.

    PyInstaller opens the executable by its path for each module anew. A package manager replaces
    the file while the program runs; what is imported late would be read from another version.
    Nothing is done where there is no /proc, as in some sandboxes and on other systems.
    """
    if getattr(sys, "frozen", False) and os.path.exists(_OWN_EXECUTABLE):  # noqa: PTH110 - see below
        # pathlib would have to be read from the archive first.
        import pyimod02_importers  # noqa: PLC0415 - only there when frozen

        pyimod02_importers.pyz_archive._filename = _OWN_EXECUTABLE  # noqa: SLF001


restore_library_paths()
drop_steering_variables()
keep_own_modules()
