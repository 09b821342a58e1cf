"""What each executable does last before its own script: it puts its variables in order.

PyInstaller's own beginning sets variables by which our libraries are found, and they would be
handed on to every program that is started: another's would load our libraries instead of its own.
By now they have done their work. Others are dropped since whoever sets them has Qt load code.
"""

import os

_SEARCHED_BY_LOADER = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH")
_STEERING = ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH")
_STEERING_BEGINNINGS = ("_PYI_", "QML")


def restore_library_paths() -> None:
    """Gives the variables of the system's loader back what they were before we began."""
    for name in _SEARCHED_BY_LOADER:
        before = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


def forget_steering() -> None:
    """Drops what has Qt or a program of ours look for its files elsewhere."""
    for name in list(os.environ):
        if name in _STEERING or name.startswith(_STEERING_BEGINNINGS):
            del os.environ[name]


restore_library_paths()
forget_steering()
