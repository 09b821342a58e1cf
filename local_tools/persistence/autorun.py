"""The names of files and folders that other programs run or obey automatically.

Listed are those that take effect when a folder is entered, opened, or used with an everyday command
of a version control system: settings with commands, hooks, tool servers. Not listed are files that
run only by a command that names them (a `Makefile`, the scripts of a `package.json`), since they
are the project itself, and instructions for assistants (`AGENTS.md`), which are text.

Sources: git-config(1), githooks(5), hgrc(5), and the documentation of direnv, mise, pre-commit,
lefthook, husky, Visual Studio Code, the editors of JetBrains, Zed, Neovim, Helix, Cursor, Claude
Code, OpenCode, Codex, Gemini, Kiro, Roo Code, Windsurf and Amazon Q on settings of a project.
"""

import unicodedata
from collections.abc import Collection, Mapping
from typing import Final

REPOSITORY: Final = ".git"
HOOKS: Final = "hooks"

# Never made in a folder by a call: programs that have the folder open obey them at once.
NEVER_MADE_FILES: Final = (".mcp.json", ".envrc")
NEVER_MADE_FOLDERS: Final = (".vscode", ".cursor", ".claude", ".idea")

OBEYED_FILES: Final = frozenset({*NEVER_MADE_FILES, "opencode.json", "opencode.jsonc"})
OBEYED_FOLDERS: Final = frozenset(
    {
        *NEVER_MADE_FOLDERS,
        *(".husky", ".lefthook", ".direnv", ".mise"),
        *(".helix", ".opencode"),
        *(".zed", ".windsurf", ".codex", ".gemini", ".kiro", ".roo", ".amazonq"),
    }
)
# Subfolders with working copies: files in them are not obeyed merely because of the parent folder.
WORK_FOLDERS: Final[Mapping[str, str]] = {".claude": "worktrees"}
# Before it uses a new one of these, a program asks or must be set up for it; a changed one it uses
# without asking. Fetched projects contain them, so a new one is nothing unusual.
OBEYED_ONCE_KNOWN: Final = frozenset(
    {
        ".pre-commit-config.yaml",
        *(
            f"{dot}lefthook{local}.{kind}"
            for dot in ("", ".")
            for local in ("", "-local")
            for kind in ("yml", "yaml", "toml", "json")
        ),
        *("mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml"),
        *(".nvim.lua", ".nvimrc", ".exrc"),
    }
)
# The files of a Git repository that Git obeys, wherever the repository lies.
OBEYED_IN_REPOSITORY: Final = frozenset({"config", "config.worktree", "commondir", HOOKS})
# The same for Mercurial, Sapling and Jujutsu, by the name of their folder.
OBEYED_IN_STORE: Final[Mapping[str, frozenset[str]]] = {
    ".hg": frozenset({"hgrc", "hgrc-not-shared", "sharedpath"}),
    ".sl": frozenset({"config", "hgrc", "sharedpath"}),
    ".jj": frozenset({"repo", "config.toml", "workspace-config.toml"}),
}

# The folder of a stopped rebase, with the steps that `git rebase --continue` takes.
REBASE: Final = "rebase-merge"
REBASE_STEPS: Final = "git-rebase-todo"

_UNSEEN: Final = "Cf"
_HALF_WITH_HEAD: Final = ("objects", "commondir")
_HALF_WITHOUT_HEAD: Final = frozenset({"objects", "refs"})


def plain(name: str) -> str:
    """Normalize a name as case-insensitive file systems do.

    Some of them also ignore invisible characters.
    """
    if name.isascii():
        return name.lower()
    seen = (char for char in name if unicodedata.category(char) != _UNSEEN)
    return unicodedata.normalize("NFD", "".join(seen)).casefold()


def is_repository(names: Collection[str]) -> bool:
    """Return whether a folder with these (normalized) entries is a Git repository or part of one.

    A linked worktree's part has HEAD and, in `commondir`, the path of the part with the settings.
    """
    if "head" in names:
        return any(name in names for name in _HALF_WITH_HEAD)
    return set(names) >= _HALF_WITHOUT_HEAD
