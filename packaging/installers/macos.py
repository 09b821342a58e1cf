"""Make the disk image for macOS, on macOS, from the frozen bundle."""

import os
import platform
import shutil
from pathlib import Path
from typing import Final

from checkout import PACKAGING
from processes import Failed, run

from installers import licences
from installers.payload import Payload
from installers.product import APP_ID, LICENCE, NAME, PROGRAMS, PUBLISHER, TITLE

_FOLDER: Final = PACKAGING / "macos"
# As the wheels of Qt for Python in the lock ask for ("macosx_14_0").
_LEAST_SYSTEM: Final = "14.0"
_LANGUAGES: Final = ("en", "de")


def info(version: str) -> dict[str, object]:
    """Return the contents of the bundle's Info.plist."""
    return {
        "CFBundleDevelopmentRegion": _LANGUAGES[0],
        "CFBundleDisplayName": TITLE,
        "CFBundleExecutable": NAME,
        "CFBundleIconFile": f"{NAME}.icns",
        "CFBundleIdentifier": APP_ID,
        "CFBundleInfoDictionaryVersion": "6.0",
        "CFBundleLocalizations": list(_LANGUAGES),
        "CFBundleName": TITLE,
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": _LEAST_SYSTEM,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": f"{PUBLISHER}, {LICENCE}",
        "NSPrincipalClass": "NSApplication",
        "NSRequiresAquaSystemAppearance": False,
        "NSSupportsAutomaticGraphicsSwitching": True,
    }


def file_name(version: str) -> str:
    """Return what the disk image of a version is called."""
    return f"{NAME}-{version}-macos-{platform.machine()}.dmg"


def pack(payload: Payload, target: Path) -> None:
    """Sign the bundle and pack it as a disk image (see `forms.Form`); needs Apple's programs.

    The bundle is what lies beside the frozen folder, which it was made of. Where NOTARY_PROFILE
    is set, the image is notarised, too.
    """
    app = payload.folder.parent / f"{TITLE}.app"
    for name in PROGRAMS:
        if not (app / "Contents" / "MacOS" / name).is_file():
            raise Failed(f"{app} has no {name}: python3 packaging/dev.py build makes it.")
    # The bundle was made before there was such a file; it is signed with it.
    shutil.copy(payload.folder / licences.FILE, app / "Contents" / "Resources")
    run(
        ["sh", _FOLDER / "sign.sh", app, _FOLDER / "entitlements.plist"],
        doing="Signing the bundle",
    )
    run(["sh", _FOLDER / "dmg.sh", app, TITLE, target], doing="Making the disk image")
    if os.environ.get("NOTARY_PROFILE"):
        run(["sh", _FOLDER / "notarise.sh", target], doing="Notarising the disk image")
