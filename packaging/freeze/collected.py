"""What parley.spec includes in the frozen program and excludes from it."""

import sys
from pathlib import Path, PurePosixPath
from typing import Final

from checkout import ROOT, SETUP

_MODELS_OF_OTHERS: Final = (
    *("bedrock", "bedrock_mantle", "cerebras", "cohere", "crusoe", "github_copilot", "groq"),
    *("huggingface", "mistral", "snowflake", "voyageai", "xai", "zai"),
)
# Parts of Python for developers, for terminals, or for other GUI toolkits.
_EXCLUDED: Final = (
    *("tkinter", "test", "lib2to3", "idlelib", "ensurepip", "venv", "pydoc_data", "curses"),
    *("readline", "setuptools", "pkg_resources", "pip", "_distutils_hack"),
    # Optional dependencies that libraries import if they are installed.
    *("IPython", "numpy", "pandas", "matplotlib", "pytest", "_pytest", "hypothesis"),
    # Parts of Pillow for fonts, colour profiles and unsupported formats.
    *(
        f"PIL.{name}"
        for name in ("_avif", "_imagingcms", "_imagingft", "_imagingtk", "_imagingmath")
    ),
    *("PIL.ImageQt", "PIL.ImageTk"),
    # Needed only by parts of libraries that Parley does not use.
    *("tiktoken", "regex", "lxml.objectify", "lxml.isoschematron", "lxml.html.diff"),
    "lxml.html._difflib",
    *("lxml.doctestcompare", "lxml.usedoctest", "lxml.html.usedoctest", "doctest", "pdb"),
    *("cffi", "pycparser", "distutils", "pydantic_ai.realtime", "pydantic_ai.ui"),
    *(f"pydantic_ai.durable_exec.{name}" for name in ("dbos", "prefect", "temporal")),
    *(f"pydantic_ai.models.{name}" for name in _MODELS_OF_OTHERS),
    *(f"pydantic_ai.providers.{name}" for name in _MODELS_OF_OTHERS),
    *("PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtPdf", "PySide6.QtVirtualKeyboard"),
    *("PySide6.QtDBus",),
    # The databases that the bundled service does not speak to without the extra `cluster`.
    *(f"sqlalchemy.dialects.{name}" for name in ("mssql", "mysql", "oracle", "postgresql")),
    # Command lines of libraries, and the formatting of help texts by typer.
    *("httpx._main", "httpx2._main", "mcp.cli", "pydantic_ai._cli", "rich", "typer.rich_utils"),
    *("pydantic.mypy", "pydantic.v1"),
)
# Needed only to run a server; the MCP SDK, which the window uses, contains one.
_OF_SERVERS: Final = ("click", "requests", "urllib3", "uvicorn", "websockets")
# Libraries that read attached files; only workers, in `parley-tools`, import them.
_OF_WORKERS: Final = ("PIL", "docx", "openpyxl", "pptx", "pypdfium2", "pypdfium2_raw", "xlsxwriter")
_EXCLUDED_BY_PROGRAM: Final = {
    "parley": ("local_tools.cli", "typer", *_OF_SERVERS, *_OF_WORKERS),
    "parley-server": ("pygments",),
    "parley-tools": ("pygments", *_OF_SERVERS),
}
RESOURCES: Final = (
    *("agents", "fonts", "icons", "manual", "mermaid", "self_test", "skills", "themes"),
    *("translations", "unicode"),
)
# Read as text, and handed to the interpreter of a tool.
READ_AS_TEXT: Final = ("local_tools/user_tools/script_runner.py",)
# Packages whose data files are read at run time, such as the fonts of formulas.
WITH_DATA: Final = ("latex2mathml", "ziamath")
WITH_DATA_BY_SYSTEM: Final = {"win32": ("tzdata",)}
# Packages that read their own version from their metadata.
WITH_METADATA: Final = ("pydantic-ai-slim", "genai-prices")
# Our own packages, of which each program gets all modules: some are imported by name at run time,
# where PyInstaller does not find them.
_OWN_PACKAGES: Final = {
    "parley": ("app", "local_tools"),
    "parley-server": ("local_server",),
    "parley-tools": ("local_tools",),
}
# Imported by a name that no import statement has.
_HIDDEN: Final = {
    "parley-server": (
        *("logging.config", "asyncpg", "sqlalchemy.dialects.postgresql.asyncpg"),
        *("httptools", "uvicorn.protocols.http.httptools_impl"),
    ),
}
_UVLOOP: Final = ("uvloop", "uvicorn.loops.uvloop")
_HIDDEN_BY_SYSTEM: Final = {
    ("parley", "linux"): ("jeepney", "jeepney.io.asyncio", "keyring.backends.SecretService"),
    ("parley", "darwin"): ("keyring.backends.macOS",),
    ("parley", "win32"): ("keyring.backends.Windows",),
    ("parley-server", "linux"): (*_UVLOOP, "jeepney", "jeepney.io.asyncio"),
    ("parley-server", "darwin"): _UVLOOP,
}
# Imported by Python itself, once somebody asks for a time zone.
_HIDDEN_EVERYWHERE: Final = {"win32": ("tzdata",)}

# The plugins of Qt that there is a use for, on any system; all others stay out.
_PLUGINS: Final = {
    "iconengines": ("qsvgicon",),
    "imageformats": ("qgif", "qico", "qjpeg", "qsvg", "qwebp"),
    "platforminputcontexts": (
        "composeplatforminputcontextplugin",
        "ibusplatforminputcontextplugin",
    ),
    "platforms": ("qcocoa", "qminimal", "qoffscreen", "qwayland", "qwindows", "qxcb"),
    "platformthemes": ("qxdgdesktopportal",),
    "styles": ("qmacstyle", "qmodernwindowsstyle"),
    "wayland-decoration-client": ("adwaita", "bradient"),
    "wayland-graphics-integration-client": ("qt-plugin-wayland-egl",),
    "wayland-shell-integration": ("xdg-shell",),
    "xcbglintegrations": ("qxcb-egl-integration", "qxcb-glx-integration"),
}
_TRANSLATIONS_OF_QT: Final = ("qtbase_de",)
_UNUSED_QT: Final = (
    *("Qml", "Quick", "Pdf", "VirtualKeyboard", "EglFS", "EglFs", "Sql", "Test", "LabsStyleKit"),
    "WlShellIntegration",
)
# System libraries to include: those that Python's own modules are linked to, whose versions differ
# between systems, and those of the model engine, which few systems have. Libraries that Qt is
# linked to are left to the system, which updates them.
_SYSTEM_LIBRARIES: Final = (
    *("libpython", "libssl", "libcrypto", "libsqlite3", "libffi", "libbz2", "liblzma", "libuuid"),
    *("libexpat", "libmpdec", "libgomp"),
)
# The last one has system packages that dev.py unpacked because it could not install them.
_SYSTEM_FOLDERS: Final = ("/usr/lib", "/lib", "/usr/local/lib", "/opt", SETUP)
# What a package manager notes about how it installed; some of it has paths of this machine.
_NOTES: Final = ("direct_url.json", "uv_cache.json", "RECORD", "INSTALLER", "REQUESTED")


def excluded(program: str) -> list[str]:
    """Return the modules to exclude from a program although they are imported somewhere."""
    return [*_EXCLUDED, *_EXCLUDED_BY_PROGRAM[program]]


def hidden_imports(program: str, system: str = sys.platform) -> list[str]:
    """Return the modules of a program that no import statement names, and all of its own."""
    return [
        *_HIDDEN.get(program, ()),
        *_HIDDEN_BY_SYSTEM.get((program, system), ()),
        *_HIDDEN_EVERYWHERE.get(system, ()),
        *_own_modules(program),
    ]


def _own_modules(program: str) -> list[str]:
    folders = [ROOT / name for name in _OWN_PACKAGES[program]]
    paths = sorted(path.relative_to(ROOT) for folder in folders for path in folder.rglob("*.py"))
    return [
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in paths
        if path.as_posix() not in READ_AS_TEXT
    ]


def is_kept(destination: str, source: str, kind: str, system: str = sys.platform) -> bool:
    """Return whether a file that PyInstaller found belongs into the folder.

    Args:
        destination: Where it would go, relative to the folder of libraries.
        source: Where it is.
        kind: What PyInstaller says that it is.
        system: What `sys.platform` says where it will run.
    """
    place = PurePosixPath(destination.replace("\\", "/"))
    if place.name in _NOTES or (kind == "SYMLINK" and system == "linux"):
        # The libraries know where the others lie.
        return False
    if place.parts[0] == "PySide6":
        return _is_kept_of_qt(place)
    if place.parts[0] == "resources" and place.suffix == ".ts":
        # What translators edit; the program loads what is compiled of it.
        return False
    if system == "linux" and len(place.parts) == 1 and _is_of_system(Path(source)):
        return place.name.startswith(_SYSTEM_LIBRARIES)
    return True


def _is_of_system(source: Path) -> bool:
    """Return whether a file lies among the system's libraries; Python itself may lie there too."""
    return any(source.is_relative_to(folder) for folder in _SYSTEM_FOLDERS)


def _is_kept_of_qt(place: PurePosixPath) -> bool:
    if "qml" in place.parts:
        return False
    if "translations" in place.parts:
        return place.stem in _TRANSLATIONS_OF_QT
    if "plugins" in place.parts[:-2]:
        kind, name = place.parts[-2], place.stem.removeprefix("lib")
        return name in _PLUGINS.get(kind, ())
    name = place.name.removeprefix("lib").removeprefix("Qt6").removeprefix("Qt")
    return not name.startswith(_UNUSED_QT)
