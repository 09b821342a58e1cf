"""Settings: kept as the user chose them, whatever the file looks like."""

from pathlib import Path

import pytest
from pydantic import BaseModel, PositiveInt, model_validator

from app.config.settings import (
    AgentSettings,
    AppearanceSettings,
    ChatListSettings,
    ConnectionSettings,
    Project,
    ProjectSettings,
    Settings,
    SettingsFile,
)
from app.config.validation import validate_leniently


def test_saved_settings_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    chosen = Settings(
        appearance=AppearanceSettings(theme="dark"),
        connection=ConnectionSettings(kind="hosted", base_url="https://chat.example.org"),
    )

    SettingsFile(path).save(chosen)

    assert SettingsFile(path).current == chosen


def test_without_a_file_nothing_is_decided(tmp_path: Path) -> None:
    assert SettingsFile(tmp_path / "settings.toml").current.connection.kind == "undecided"


def test_comments_and_unknown_keys_survive_a_save(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('# mine\n[appearance]\ntheme = "light"\nlater = 3\n', encoding="utf-8")

    SettingsFile(path).save(Settings(appearance=AppearanceSettings(theme="dark")))

    text = path.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "later = 3" in text
    assert 'theme = "dark"' in text


@pytest.mark.parametrize(
    "content",
    [
        b'[appearance\ntheme = "da',
        b"\xff\xfe\x00",
        b"a = " + b"[" * 100_000,
    ],
    ids=["half", "not text", "deep"],
)
def test_an_unreadable_file_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)

    file = SettingsFile(path)

    assert file.current == Settings()
    assert file.put_aside is not None
    assert file.put_aside.path.read_bytes() == content


@pytest.mark.parametrize(
    ("text", "place", "value"),
    [
        ("[tools]\ncard_minutes = 9999\n", ("tools", "card_minutes"), 9999),
        ('[network]\nproxy = "pigeon"\n', ("network", "proxy"), "pigeon"),
        ("[updates]\nat_start = 3\n", ("updates", "at_start"), 3),
        ("appearance = 3\n", ("appearance",), 3),
        ('[models]\nadded = "all"\n', ("models", "added"), "all"),
        ('[connection]\nkind = "cloud"\n', ("connection", "kind"), "cloud"),
        ('[connection]\nkind = "hosted"\n', ("connection",), None),
        ('[connection]\nkind = "hosted"\nbase_url = "http://[chat"\n', ("connection",), None),
        ('[connection]\nkind = "hosted"\nbase_url = "http://a.example"\n', ("connection",), None),
        ('[connection]\nkind = "hosted"\nproject = "gone"\n', ("connection",), None),
        ('[connection]\nkind = "hosted"\nproject = 3\n', ("connection",), None),
        ('[network]\nproxy = "address"\nproxy_address = "?"\n', ("network",), None),
    ],
)
def test_wrong_value_falls_back_alone_and_stays_in_the_file(
    tmp_path: Path, text: str, place: tuple[str, ...], value: object
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(f'{text}[chats]\norder = "oldest"\n', encoding="utf-8")

    file = SettingsFile(path)
    [found] = file.invalid
    assert file.current == Settings(chats=ChatListSettings(order="oldest"))
    assert (found.place, file.put_aside) == (place, None)
    assert found.value == value or value is None
    file.save(file.current.with_table(ChatListSettings()))

    assert text.strip() in path.read_text(encoding="utf-8")
    assert [found.place for found in SettingsFile(path).invalid] == [place]


@pytest.mark.parametrize(
    "wrong",
    [
        '[[projects.hosted]]\nid = "b"\nbase_url = "http://b.example"\n',
        '[[projects.hosted]]\nid = "b"\nbase_url = 3\n',
        '[[projects.hosted]]\nid = "b"\n',
        '[[projects.hosted]]\nid = "a"\nbase_url = "https://b.example"\n',
        '[[projects.hosted]]\nid = "local"\nbase_url = "https://b.example"\n',
    ],
    ids=["not secure", "no text", "no address", "twice", "ours"],
)
def test_a_copy_is_kept_of_a_project_that_the_next_write_would_lose(
    tmp_path: Path, wrong: str
) -> None:
    path = tmp_path / "settings.toml"
    kept = '[[projects.hosted]]\nid = "{0}"\nbase_url = "https://{0}.example"\n'
    text = kept.format("a") + wrong + kept.format("c")
    path.write_text(text, encoding="utf-8")

    file = SettingsFile(path)
    assert [found.place for found in file.invalid] == [("projects", "hosted", 1)]
    assert [project.id for project in file.current.hosted] == ["a", "c"]
    assert SettingsFile(path).backup == file.backup
    file.save(file.current)

    assert file.backup is not None
    assert file.backup.read_text(encoding="utf-8") == text
    again = SettingsFile(path)
    assert (again.invalid, again.backup, again.current) == ((), None, file.current)


def test_each_invalid_project_is_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    project = '[[projects.hosted]]\nid = "{0}"\nbase_url = "{1}"\n'
    addresses = {
        "a": "http://a.example",
        "b": "https://b.example",
        "c": "?",
        "d": "",
        "e": "https://e.example",
    }
    path.write_text("".join(project.format(*item) for item in addresses.items()), encoding="utf-8")

    file = SettingsFile(path)

    assert [project.id for project in file.current.hosted] == ["b", "e"]
    values = [found.value for found in file.invalid]
    assert [value["id"] for value in values if isinstance(value, dict)] == ["a", "c", "d"]
    assert all(found.is_item for found in file.invalid)


def test_many_faults_take_one_more_look_at_the_document_not_one_each() -> None:
    looks = list[int]()

    class Numbers(BaseModel):
        numbers: tuple[PositiveInt, ...]
        size: int = 3

        @model_validator(mode="before")
        @classmethod
        def _look(cls, data: dict[str, object]) -> dict[str, object]:
            looks.append(len(looks))
            return data

    values = [1, -1, "x", 2, *[-2] * 500, 3]
    found, invalid = validate_leniently({"numbers": values, "size": "large"}, Numbers)

    assert (found.numbers, found.size, len(looks)) == ((1, 2, 3), 3, 2)
    assert [one.value for one in invalid[:2]] == [-1, "x"]
    assert (len(invalid), invalid[-1].place) == (503, ("size",))


def test_first_of_several_projects_with_one_id_is_used(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    project = '[[projects.hosted]]\nid = "{0}"\nname = "{1}"\nbase_url = "https://a.example"\n'
    ids = ["a", "a", "b", "a", "local", "b"]
    path.write_text(
        "".join(project.format(id_, number) for number, id_ in enumerate(ids)), encoding="utf-8"
    )

    file = SettingsFile(path)

    assert [(one.id, one.name) for one in file.current.hosted] == [("a", "0"), ("b", "2")]
    assert [found.place[-1] for found in file.invalid] == [1, 3, 4, 5]


def test_nothing_is_sent_past_a_proxy_that_is_not_understood(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    text = (
        '[connection]\nkind = "hosted"\nproject = "a"\n[network]\nproxy = "pigeon"\n'
        '[[projects.hosted]]\nid = "a"\nbase_url = "https://a.example"\n'
        "[updates]\nat_start = true\n"
    )
    path.write_text(text, encoding="utf-8")

    file = SettingsFile(path)
    assert [found.place for found in file.invalid] == [("network", "proxy")]
    assert file.current.connection.kind == "undecided"
    assert not file.current.updates.at_start
    file.save(file.current.with_table(ChatListSettings(order="oldest")))

    after = path.read_text(encoding="utf-8")
    assert 'kind = "hosted"\nproject = "a"' in after
    assert "at_start = true" in after
    assert 'proxy = "pigeon"' in after


def test_value_of_a_newer_version_stays_in_the_file_until_it_is_changed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        '[appearance]\ntheme = "sepia"\ncontrast = "high"\n[language]\nchoice = "fr"\n',
        encoding="utf-8",
    )

    file = SettingsFile(path)
    appearance = file.current.appearance
    assert (appearance.theme, appearance.contrast) == ("system", "high")
    file.save(file.current.with_table(appearance.model_copy(update={"contrast": "normal"})))

    assert file.put_aside is None
    text = path.read_text(encoding="utf-8")
    assert 'theme = "sepia"' in text
    assert 'choice = "fr"' in text
    assert SettingsFile(path).current == file.current

    for theme in ("dark", "system"):
        appearance = appearance.model_copy(update={"theme": theme})
        file.save(file.current.with_table(appearance))
        assert f'theme = "{theme}"' in path.read_text(encoding="utf-8")


def test_colour_of_a_newer_version_falls_back_alone_and_stays_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        '[projects]\nlocal_colour = "gold"\n'
        '[[projects.hosted]]\nid = "a"\nname = "A"\nbase_url = "https://a.example"\n'
        'colour = "teal"\n'
        '[[projects.hosted]]\nid = "b"\nbase_url = "https://b.example"\ncolour = "pink"\n',
        encoding="utf-8",
    )

    file = SettingsFile(path)
    projects = file.current.projects
    assert file.put_aside is None
    assert (projects.local_colour, projects.hosted[0].name) == ("green", "A")
    assert [project.colour for project in projects.hosted] == ["blue", "blue"]
    b = projects.hosted[1]
    file.save(file.current.with_table(projects.without("a")))
    file.save(file.current.with_table(projects.without("a").with_project(b)))
    assert 'colour = "pink"' in path.read_text(encoding="utf-8")

    red = b.model_copy(update={"colour": "red"})
    file.save(file.current.with_table(projects.without("a").with_project(red)))
    text = path.read_text(encoding="utf-8")
    assert "pink" not in text
    assert 'local_colour = "gold"' in text
    assert SettingsFile(path).current == file.current


def test_unknown_keys_of_a_project_survive_a_change_of_it(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        '[[projects.hosted]]\nid = "a"\nbase_url = "https://a.example"\nlater = 3\n'
        '[[projects.hosted]]\nid = "b"\nbase_url = "https://b.example"\nlater = 4\n',
        encoding="utf-8",
    )

    file = SettingsFile(path)
    projects = file.current.projects
    named = projects.hosted[1].model_copy(update={"name": "B"})
    file.save(file.current.with_table(projects.without("a").with_project(named)))

    text = path.read_text(encoding="utf-8")
    assert text.count("[[projects.hosted]]") == 1
    assert "later = 4" in text
    assert "later = 3" not in text
    assert SettingsFile(path).current == file.current


@pytest.mark.parametrize("wrong_id", ["[]", "{ a = 1 }", "3"])
def test_project_whose_id_is_no_text_does_not_hinder_a_save(tmp_path: Path, wrong_id: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        f'[[projects.hosted]]\nid = {wrong_id}\nbase_url = "https://a.example"\n', encoding="utf-8"
    )
    file = SettingsFile(path)
    added = Project(id="b", base_url="https://b.example")
    chosen = file.current.model_copy(update={"projects": file.current.projects.with_project(added)})

    file.save(chosen)

    assert SettingsFile(path).current == chosen


def test_unsaved_setting_is_written_with_the_next_change(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    file = SettingsFile(path)
    file.save(Settings())

    file.use_unsaved(Settings(appearance=AppearanceSettings(theme="dark")))
    file.save(file.current.with_table(ChatListSettings(order="oldest")))

    assert SettingsFile(path).current == file.current
    assert file.current.appearance.theme == "dark"


def test_agent_for_new_chats_that_is_no_name_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('[agents.new_chats]\nlocal = 3\nother = "writer"\n', encoding="utf-8")

    file = SettingsFile(path)
    assert (file.put_aside, file.current.agents.new_chats) == (None, {"other": "writer"})
    file.save(file.current.with_table(AgentSettings()))

    assert "local = 3" in path.read_text(encoding="utf-8")


def test_a_folder_in_the_place_of_the_file_is_put_aside_with_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.mkdir()
    (path / "mine.txt").write_text("words", encoding="utf-8")

    file = SettingsFile(path)
    file.save(Settings(appearance=AppearanceSettings(theme="dark")))

    assert file.put_aside is not None
    assert (file.put_aside.path / "mine.txt").read_text(encoding="utf-8") == "words"
    assert SettingsFile(path).current.appearance.theme == "dark"


@pytest.mark.parametrize("spoilt", ["[appearance", "appearance = 3\n"], ids=["broken", "no table"])
def test_a_file_that_was_spoilt_meanwhile_does_not_hinder_a_save(
    tmp_path: Path, spoilt: str
) -> None:
    path = tmp_path / "settings.toml"
    file = SettingsFile(path)
    path.write_text(spoilt, encoding="utf-8")

    file.save(Settings(appearance=AppearanceSettings(theme="dark")))

    assert SettingsFile(path).current.appearance.theme == "dark"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b'\xef\xbb\xbf[appearance]\ntheme = "dark"\n')

    assert SettingsFile(path).current.appearance.theme == "dark"


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    file = SettingsFile(path)
    file.save(Settings(appearance=AppearanceSettings(theme="dark")))
    path.unlink()
    path.mkdir()

    with pytest.raises(OSError, match="settings"):
        file.save(Settings())

    assert file.current.appearance.theme == "dark"
    assert [child.name for child in tmp_path.iterdir()] == ["settings.toml"]


def _with_projects(path: Path) -> bytes:
    office = Project(id="office", name="The office", base_url="https://service.invalid")
    settings = Settings(
        connection=ConnectionSettings(kind="hosted", project="office"),
        projects=ProjectSettings(hosted=(office,)),
        appearance=AppearanceSettings(theme="dark"),
    )
    SettingsFile(path).save(settings)
    return path.read_bytes()


def test_one_wrong_byte_costs_no_more_than_a_letter(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    damaged = _with_projects(path).replace(b"The office", b"The \xffoffice")
    path.write_bytes(damaged)

    file = SettingsFile(path)

    assert file.put_aside is not None
    assert file.put_aside.is_salvaged
    assert file.put_aside.path.read_bytes() == damaged
    assert [project.name for project in file.current.hosted] == ["The \ufffdoffice"]
    assert file.current.appearance.theme == "dark"
    assert file.current.connection.kind == "hosted"
    assert SettingsFile(path).current == file.current
    assert SettingsFile(path).put_aside is None


def test_the_tables_around_a_damaged_one_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(_with_projects(path).replace(b"[tools]", b"[tools]\nhalf = "))

    file = SettingsFile(path)

    assert [project.id for project in file.current.hosted] == ["office"]
    assert file.current.appearance.theme == "dark"


def test_nobody_is_reached_by_damaged_settings_unasked(tmp_path: Path) -> None:
    """Who was to be reached through a proxy may be what is damaged."""
    path = tmp_path / "settings.toml"
    path.write_bytes(_with_projects(path).replace(b"[network]", b"[network]\nhalf = "))

    SettingsFile(path)
    file = SettingsFile(path)

    assert file.current.connection.kind == "undecided"
    assert [project.id for project in file.current.hosted] == ["office"]
