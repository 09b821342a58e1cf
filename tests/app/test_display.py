"""By which name the desktop knows the windows."""

from pathlib import Path

from app.display import desktop_entry


def test_windows_belong_to_the_entry_of_the_flatpak_only_inside_of_it(tmp_path: Path) -> None:
    around = {"FLATPAK_ID": "org.parley.Parley"}
    inside = tmp_path / ".flatpak-info"
    inside.touch()

    assert desktop_entry(around, inside) == "org.parley.Parley"
    assert desktop_entry({}, inside) == "parley"
    # Started by another program that is a Flatpak.
    assert desktop_entry(around, tmp_path / "nothing") == "parley"
