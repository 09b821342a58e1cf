"""The disk image for macOS, made on macOS of the bundle that the freezing leaves."""

import os
import platform
from pathlib import Path
from typing import Final

from checkout import PACKAGING
from processes import Failed, run

from installers.product import APP_ID, LICENCE, NAME, PROGRAMS, PUBLISHER, TITLE

_FOLDER: Final = PACKAGING / "macos"
_LEAST_SYSTEM: Final = "13.0"
_LANGUAGES: Final = ("en", "de")


def info(version: str) -> dict[str, object]:
    """What Info.plist says of the bundle."""
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


def make(app: Path, version: str, into: Path) -> Path:
    """Signs the bundle and packs it as a disk image.

    Where NOTARY_PROFILE is set, the image is notarised, too.

    Args:
        app: The bundle, `Parley.app`.
        version: The product's version.
        into: Where the file goes.

    Returns:
        The file.

    Raises:
        Failed: The bundle is not whole, or one of Apple's programs refused it.
    """
    for name in PROGRAMS:
        if not (app / "Contents" / "MacOS" / name).is_file():
            raise Failed(f"{app} has no {name}: python3 packaging/dev.py build makes it.")
    target = into / f"{NAME}-{version}-macos-{platform.machine()}.dmg"
    run(
        ["sh", _FOLDER / "sign.sh", app, _FOLDER / "entitlements.plist"],
        doing="Signing the bundle",
    )
    run(["sh", _FOLDER / "dmg.sh", app, TITLE, target], doing="Making the disk image")
    if os.environ.get("NOTARY_PROFILE"):
        run(["sh", _FOLDER / "notarise.sh", target], doing="Notarising the disk image")
    return target
