"""The folders of data, settings, logs and shipped resources."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from local_tools.recovery.files import is_no_folder, put_aside

_NAME = "parley"
_NEEDED_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of one run. Nothing is made before `make` is called."""

    data: Path
    config: Path
    logs: Path

    @property
    def store_file(self) -> Path:
        """The database of what this computer remembers."""
        return self.data / "store.db"

    @property
    def ledger_file(self) -> Path:
        """The record of tool calls."""
        return self.data / "ledger.db"

    @property
    def undo_folder(self) -> Path:
        """Copies of what tools changed, so that it can be put back."""
        return self.data / "undo"

    @property
    def previews_folder(self) -> Path:
        """Pages that show blocks of code in the browser, for a day."""
        return self.data / "previews"

    @property
    def release_file(self) -> Path:
        """Which announcement of a version was believed last."""
        return self.data / "release.json"

    @property
    def service_data(self) -> Path:
        """The bundled service's own folder."""
        return self.data / "service"

    @property
    def settings_file(self) -> Path:
        """The settings, in TOML."""
        return self.config / "settings.toml"

    @property
    def own_tools_folder(self) -> Path:
        """The tools that the person wrote or was given, a folder for each set."""
        return self.data / "tools"

    @property
    def allowed_tools_folder(self) -> Path:
        """Copies of what was allowed of them."""
        return self.data / "tools-allowed"

    @property
    def tool_servers_file(self) -> Path:
        """The tool servers that the user has, in JSON."""
        return self.config / "tool-servers.json"

    @property
    def window_file(self) -> Path:
        """Where the window was and how large: geometry only."""
        return self.config / "window.ini"

    @property
    def own_folders(self) -> tuple[Path, ...]:
        """Every folder of the program; no tool is let into any of them."""
        return (self.data, self.config, self.logs)

    @property
    def inner_folders(self) -> tuple[Path, ...]:
        """The folders in the data folder that are made when they are needed first."""
        return (self.undo_folder, self.own_tools_folder, self.allowed_tools_folder)

    def make(self) -> None:
        """Make the folders, readable by their owner only; put aside what stands in their place.

        Raises:
            OSError: one of them cannot be made or written.
        """
        for folder in (self.data, self.config, self.logs):
            if is_no_folder(folder):
                put_aside(folder)
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
            _check_writable(folder)


def _check_writable(folder: Path) -> None:
    """Write as much as a start needs at least: only then a full disk shows."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b" " * _NEEDED_BYTES)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from error


def user_paths() -> Paths:
    """Return the folders that the system gives programs for the user's own files."""
    return Paths(
        data=platformdirs.user_data_path(_NAME, appauthor=False),
        config=platformdirs.user_config_path(_NAME, appauthor=False),
        logs=platformdirs.user_log_path(_NAME, appauthor=False),
    )


def paths_under(folder: Path) -> Paths:
    """Return everything in one folder: for `--data` and for the self-test's own data."""
    return Paths(data=folder / "data", config=folder / "config", logs=folder / "logs")


def resources() -> Path:
    """Return the folder of icons, fonts, themes, agents and skills; the same when frozen."""
    return Path(__file__).resolve().parent.parent / "resources"
