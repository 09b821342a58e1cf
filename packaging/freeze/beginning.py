"""What each executable does first: it finds its modules in the archive that all three share."""

import os
import sys

import pyimod01_archive
import pyimod02_importers

# What PyInstaller gives an executable is an archive of its own; ours are empty.
_MODULES = "modules.pyz"

sys.dont_write_bytecode = True
_PATH = f"{sys._MEIPASS}{os.sep}{_MODULES}"  # type: ignore[attr-defined] # noqa: SLF001
pyimod02_importers.pyz_archive = pyimod01_archive.ZlibArchiveReader(_PATH, check_pymagic=True)
# The finders made so far look into the empty one.
sys.path_importer_cache.clear()
