"""How the archive of modules is packed: small in the folder, and smaller still in an installer.

PyInstaller compresses each module by itself. Thousands of small ones, which are much alike, are
hardly smaller for that, and an installer, which compresses them all at once, gets nothing out of
them any more. So those that compress worst are left as they are, up to a limit.
"""

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from freeze.module_archive import entries, written

# What the folder may grow by; each byte of it takes more than half a byte off the installers.
_MAY_GROW_BYTES: Final = 8 * 1024 * 1024


@dataclass(frozen=True)
class _Module:
    name: str
    kind: int
    packed: bytes
    plain: bytes

    @property
    def growth(self) -> int:
        return len(self.plain) - len(self.packed)


def repack(path: Path, may_grow_bytes: int = _MAY_GROW_BYTES) -> None:
    """Writes the archive anew with the modules plain that gain least by compression."""
    modules = [
        _Module(name, kind, packed, zlib.compress(zlib.decompress(packed), 0) if packed else b"")
        for name, kind, packed in entries(path)
    ]
    plain, grown = set(), 0
    for module in sorted(
        modules, key=lambda item: (item.growth / (len(item.packed) or 1), item.name)
    ):
        grown += module.growth
        if grown > may_grow_bytes:
            break
        plain.add(module.name)
    chosen = (
        (module.name, module.kind, module.plain if module.name in plain else module.packed)
        for module in modules
    )
    path.write_bytes(written(path.read_bytes(), chosen))
