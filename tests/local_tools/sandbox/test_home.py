"""A home as the folder of a call: what other programs obey stays, and secrets are not read."""

from pathlib import Path

import pytest

from app.api.events import ToolUse
from app.approvals.policy import Policy, Refusal
from app.approvals.queue import ApprovalRequest
from local_tools.registry import ToolRegistry
from tests.support.confined import (
    Kind,
    changing,
    confined_runner,
    linux_sandboxes,
    looking,
    needs_bubblewrap,
)

pytestmark = pytest.mark.anyio

# Of each kind some: shells, sessions, editors, programs, languages, and code that lies about.
OBEYED = (
    *(".bashrc", ".profile", ".zshenv", ".bash_aliases", ".xprofile", ".pam_environment"),
    *(
        ".config/fish/conf.d/a.fish",
        ".config/autostart/a.desktop",
        ".config/systemd/user/a.service",
    ),
    *(
        ".config/environment.d/a.conf",
        ".local/share/applications/a.desktop",
        ".config/mimeapps.list",
    ),
    *(".vimrc", ".vim/plugin/a.vim", ".config/nvim/init.lua", ".emacs", ".emacs.d/init.el"),
    *(
        ".nanorc",
        ".tmux.conf",
        ".screenrc",
        ".config/Code/User/settings.json",
        ".vscode/tasks.json",
    ),
    *(".gitconfig", ".config/git/config", ".hgrc", ".gdbinit", ".inputrc", ".curlrc", ".wgetrc"),
    *(".pythonrc.py", ".local/lib/python3.11/site-packages/a.pth", ".config/pip/pip.conf"),
    *(
        ".local/lib/python3.11/site-packages/usercustomize.py",
        ".ipython/profile_default/startup/a.py",
    ),
    *(
        ".npmrc",
        ".cargo/config.toml",
        ".cargo/bin/cargo",
        ".rustup/settings.toml",
        ".gradle/init.gradle",
    ),
    *(".m2/extensions.xml", ".irbrc", ".Rprofile", ".perldb", ".oh-my-zsh/custom/a.zsh"),
    *(".local/bin/ls", "bin/ls", "go/bin/gofmt", ".nvm/nvm.sh", ".pyenv/shims/python"),
    *(
        ".mozilla/firefox/a/user.js",
        ".cache/pre-commit/hook",
        ".direnvrc",
        ".config/direnv/direnvrc",
    ),
)
SECRET = (
    *(".ssh/id_ed25519", ".gnupg/private-keys-v1.d/a.key", ".aws/credentials", ".netrc"),
    *(
        "snap/firefox/common/.mozilla/firefox/a/logins.json",
        "snap/chromium/common/chromium/Default/Cookies",
    ),
    *(".var/app/org.mozilla.firefox/.mozilla/firefox/a/key4.db", ".config/Signal/config.json"),
    *(
        ".var/app/org.signal.Signal/config/Signal/config.json",
        ".local/share/TelegramDesktop/tdata/key",
    ),
    *(
        ".config/mozilla/firefox/a/logins.json",
        ".librewolf/a/logins.json",
        ".config/opera/Login Data",
    ),
    *(".codex/auth.json", ".claude/.credentials.json", ".claude.json", ".gemini/oauth_creds.json"),
    *(
        ".cargo/credentials",
        ".cargo/credentials.toml",
        ".m2/settings.xml",
        ".m2/settings-security.xml",
    ),
    *(
        ".gradle/gradle.properties",
        ".composer/auth.json",
        ".gem/credentials",
        ".terraform.d/a.tfrc.json",
    ),
    *(
        ".config/github-copilot/hosts.json",
        ".config/glab-cli/config.yml",
        ".config/Bitwarden/data.json",
    ),
    *(".bash_history", ".zsh_history", ".local/share/fish/fish_history", ".python_history"),
    *(".node_repl_history", ".psql_history", ".mysql_history", ".sqlite_history", ".viminfo"),
    *(".lesshst", ".ipython/profile_default/history.sqlite", ".julia/logs/repl_history.jl"),
    *(".config/discord/Local Storage/a", ".config/Slack/Cookies", ".thunderbird/a/logins.json"),
    *(".electrum/wallets/default_wallet", ".pki/nssdb/key4.db", ".my.cnf", ".muttrc", ".s3cfg"),
)
# The others lie in folders that some program might make in a home at any time.
KNOWN = frozenset(
    (
        *(".bashrc", ".profile", ".zshenv", ".bash_aliases", ".xprofile", ".pam_environment"),
        *(".config", ".local", ".vimrc", ".vim", ".emacs", ".emacs.d", ".nanorc", ".tmux.conf"),
        *(".screenrc", ".gitconfig", ".hgrc", ".gdbinit", ".inputrc", ".curlrc", ".wgetrc"),
        *(".pythonrc.py", ".npmrc", ".irbrc", ".Rprofile", ".perldb", "bin", "go"),
    )
)
MINE = ("notes.txt", "work/main.py", "work/.env.example", ".fonts/a.ttf", ".gitignore")
TRY = """
import os
found = {}
for name in NAMES:
    try:
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "a+") as file:
            file.write("planted")
        found[name] = "written"
    except OSError as exc:
        found[name] = "refused"
"""
READ = """
found = {}
for name in NAMES:
    try:
        with open(name) as file:
            found[name] = file.read()
    except OSError as exc:
        found[name] = ""
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place.resolve()


def fill(home: Path, *names: str) -> None:
    for name in names:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("before", encoding="utf-8")


def texts(home: Path, *names: str) -> dict[str, str]:
    return {
        name: (home / name).read_text(encoding="utf-8") for name in names if (home / name).exists()
    }


def names_in(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()}


@needs_bubblewrap
@pytest.mark.security(91)
async def test_a_command_changes_nothing_in_a_home_that_other_programs_obey(home: Path) -> None:
    fill(home, *OBEYED, *MINE)
    runner = confined_runner("bubblewrap", home)

    tried = await changing(runner, home, f"NAMES = {(*OBEYED, *MINE)!r}\n{TRY}")

    assert [name for name in OBEYED if tried[name] != "refused"] == []
    assert texts(home, *OBEYED) == dict.fromkeys(OBEYED, "before")
    assert [name for name in MINE if tried[name] != "written"] == []


@needs_bubblewrap
@pytest.mark.security(91)
async def test_a_command_makes_nothing_in_a_home_that_other_programs_are_known_to_obey(
    home: Path,
) -> None:
    fill(home, *MINE)
    known = [name for name in OBEYED if name.split("/")[0] in KNOWN]
    runner = confined_runner("bubblewrap", home)

    tried = await changing(runner, home, f"NAMES = {known!r}\n{TRY}")

    assert [name for name in known if tried[name] != "refused"] == []
    assert texts(home, *OBEYED) == {}
    assert names_in(home) == {name.split("/")[0] for name in MINE}


@pytest.mark.parametrize("kind", linux_sandboxes)
@pytest.mark.security(92)
async def test_a_command_reads_no_secret_in_a_home(home: Path, kind: Kind) -> None:
    fill(home, *SECRET, *MINE)
    runner = confined_runner(kind, home)
    script = f"NAMES = {(*SECRET, *MINE)!r}\n{READ}"

    for tried in (await looking(runner, home, script), await changing(runner, home, script)):
        assert {name: text for name, text in tried.items() if text and name in SECRET} == {}
        assert all(tried[name] == "before" for name in MINE)
    assert texts(home, *SECRET) == dict.fromkeys(SECRET, "before")


@pytest.mark.security(91, 92)
@pytest.mark.parametrize("is_there", [True, False])
async def test_check_by_name_refuses_the_same_paths(home: Path, *, is_there: bool) -> None:
    if is_there:
        fill(home, *OBEYED, *SECRET, *MINE)
    registry = ToolRegistry.built_in()
    declared = {item.name: item.digest for item in registry.definitions()}
    policy = Policy(registry, home)

    async def judged(name: str, **given: str) -> object:
        return await policy.judge("c1", ToolUse("call-1", name, given), declared, home)

    for name in (*OBEYED, *SECRET):
        assert isinstance(await judged("write_file", path=name, content="x"), Refusal), name
    for name in SECRET:
        assert isinstance(await judged("read_file", path=f"~/{name}"), Refusal), name
    for name in MINE:
        assert isinstance(await judged("write_file", path=name, content="x"), ApprovalRequest), name


@pytest.mark.security(91)
async def test_a_folder_that_begins_with_a_dot_can_be_picked_and_worked_in(home: Path) -> None:
    fill(home, ".dotfiles/zshrc", ".config/fish/config.fish")
    registry = ToolRegistry.built_in()
    declared = {item.name: item.digest for item in registry.definitions()}
    policy = Policy(registry, home)
    call = ToolUse("call-1", "write_file", {"path": "zshrc", "content": "x"})

    asked = await policy.judge("c1", call, declared, home / ".dotfiles")
    steering = ToolUse("call-1", "write_file", {"path": "config.fish", "content": "x"})
    refused = await policy.judge("c1", steering, declared, home / ".config" / "fish")

    assert isinstance(asked, ApprovalRequest)
    assert isinstance(refused, Refusal)


@needs_bubblewrap
@pytest.mark.security(91)
async def test_links_in_a_home_keep_what_they_lead_to_and_nothing_else(home: Path) -> None:
    fill(home, "dotfiles/foorc", *MINE)
    (home / ".foorc").symlink_to("dotfiles/foorc")
    (home / ".#notes.txt").symlink_to("ada@example.org.123:456")
    (home / ".here").symlink_to(home)
    runner = confined_runner("bubblewrap", home)
    names = ("dotfiles/foorc", "dotfiles/new", ".foorc", *MINE)

    tried = await changing(runner, home, f"NAMES = {names!r}\n{TRY}")

    assert [name for name in names if tried[name] == "refused"] == ["dotfiles/foorc", ".foorc"]
    assert texts(home, "dotfiles/foorc") == {"dotfiles/foorc": "before"}
