"""What lies in a user's home that no tool may read, and what none may change there.

One list for the gate before a call, the file tools and every sandbox. A name that ends in / is a
folder. Sources: the makers' own documentation of where their programs keep keys, profiles and
histories, and which files they run or obey when they start.
"""

import sys
from typing import Final

_KEYS: Final = (
    *(".ssh/", ".gnupg/", ".pki/", ".cert/", ".putty/", ".password-store/", ".age/"),
    *(".config/age/", ".config/sops/", ".local/share/keyrings/", ".local/share/kwalletd/"),
    *(".local/share/python_keyring/", ".config/keepassxc/", ".config/KeePass/", ".config/op/"),
    *(".config/1Password/", ".config/Bitwarden/", ".config/Bitwarden CLI/", ".vnc/"),
    *(".electrum/", ".bitcoin/", ".ethereum/", ".monero/", ".config/Exodus/", ".vault-token"),
    ".ollama/id_ed25519",
)
_CLOUDS: Final = (
    *(".aws/", ".azure/", ".kube/", ".minikube/", ".docker/", ".config/containers/auth.json"),
    *(".config/gcloud/", ".boto", ".gsutil/", ".s3cfg", ".mc/", ".config/rclone/", ".rclone.conf"),
    *(".oci/", ".bluemix/", ".terraform.d/", ".terraformrc", ".pulumi/", ".config/doctl/"),
    *(".config/hcloud/", ".config/scw/", ".config/linode-cli", ".fly/", ".config/netlify/"),
    *(".wrangler/", ".config/.wrangler/", ".cloudflared/", ".config/ngrok/", ".ngrok2/"),
    *(".local/share/com.vercel.cli/", ".config/configstore/", ".config/stripe/"),
    *(".databrickscfg", ".snowsql/", ".snowflake/", ".kaggle/", ".cache/huggingface/token"),
    *(".huggingface/", ".config/github-copilot/", ".codex/", ".claude/", ".claude.json"),
    *(".gemini/", ".anthropic/", ".openai/", ".aider.conf.yml", ".config/openai/"),
)
_DEVELOPMENT: Final = (
    *(".netrc", "_netrc", ".authinfo", ".authinfo.gpg", ".git-credentials"),
    *(
        ".config/git/credentials",
        ".cache/git/",
        ".config/gh/",
        ".config/hub",
        ".config/glab-cli/",
        ".subversion/auth/",
    ),
    *(".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".config/pypoetry/auth.toml"),
    *(".local/share/pypoetry/", ".cargo/credentials", ".cargo/credentials.toml"),
    *(".gem/credentials", ".local/share/gem/credentials", ".bundle/config"),
    *(".composer/auth.json", ".config/composer/auth.json", ".m2/settings.xml"),
    *(".m2/settings-security.xml", ".gradle/gradle.properties", ".ivy2/.credentials"),
    *(".sbt/.credentials", ".nuget/NuGet/NuGet.Config", ".config/NuGet/", ".pgpass", ".my.cnf"),
    *(".mylogin.cnf", ".dockercfg", ".jupyter/", ".local/share/jupyter/runtime/"),
    *(".local/share/DBeaverData/", ".config/filezilla/", ".filezilla/", ".remmina/"),
    *(".config/remmina/", ".local/share/remmina/", ".config/chrome-remote-desktop/"),
)
_BROWSERS: Final = (
    *(".mozilla/", ".config/mozilla/", ".librewolf/", ".waterfox/", ".zen/", ".floorp/"),
    *(".config/google-chrome/", ".config/google-chrome-beta/", ".config/google-chrome-unstable/"),
    *(".config/chromium/", ".config/BraveSoftware/", ".config/microsoft-edge/"),
    *(".config/microsoft-edge-beta/", ".config/microsoft-edge-dev/", ".config/vivaldi/"),
    *(".config/opera/", ".config/yandex-browser/", ".local/share/torbrowser/"),
    *(".local/share/epiphany/", ".local/share/qutebrowser/", ".local/share/falkon/"),
    *(".cache/mozilla/", ".cache/google-chrome/", ".cache/chromium/", ".cache/BraveSoftware/"),
    # What programs of snap and Flatpak keep for themselves, browsers and messengers among them.
    *("snap/", ".var/app/"),
)
_MESSAGES: Final = (
    *(".thunderbird/", ".config/evolution/", ".local/share/evolution/", ".cache/thunderbird/"),
    *(".local/share/geary/", ".config/goa-1.0/", ".config/Signal/"),
    *(
        ".local/share/TelegramDesktop/",
        ".config/Element/",
        ".config/Slack/",
        ".config/discord/",
        ".config/teams/",
    ),
    *(".config/Microsoft/", ".config/skypeforlinux/", ".config/Zulip/", ".config/WhatsApp/"),
    *(".config/Mattermost/", ".local/share/dino/", ".local/share/fractal/", ".purple/"),
    *(".config/hexchat/", ".weechat/", ".config/weechat/", ".irssi/", ".mutt/", ".muttrc"),
    *(".config/mutt/", ".config/neomutt/", ".msmtprc", ".config/msmtp/", ".mbsyncrc"),
    *(".offlineimaprc", ".fetchmailrc", ".getmail/"),
)
_HISTORIES: Final = (
    *(".bash_history", ".zsh_history", ".zhistory", ".histfile", ".sh_history", ".ksh_history"),
    *(".history", ".local/share/fish/fish_history", ".local/state/bash/", ".local/state/zsh/"),
    *(".config/nushell/history.txt", ".config/nushell/history.sqlite3"),
    *(".local/share/powershell/", ".local/share/xonsh/", ".local/share/atuin/", ".config/atuin/"),
    *(".local/share/mcfly/", ".python_history", ".local/state/python_history"),
    *(".ipython/profile_default/history.sqlite", ".node_repl_history", ".irb_history"),
    *(".local/share/irb/", ".pry_history", ".psql_history", ".mysql_history", ".mariadb_history"),
    *(".sqlite_history", ".rediscli_history", ".mongodb/", ".dbshell", ".php_history"),
    *(".lua_history", ".Rhistory", ".octave_hist", ".local/share/octave_hist", ".julia/logs/"),
    *(".ghc/ghci_history", ".scala_history", ".gdb_history", ".lesshst", ".local/state/lesshst"),
    *(".viminfo", ".local/share/nvim/shada/", ".local/state/nvim/shada/", ".wget-hsts"),
    *(".xsession-errors", ".local/share/recently-used.xbel", ".local/share/gvfs-metadata/"),
    *(".local/share/zeitgeist/", ".local/share/klipper/"),
)
_OF_MACOS: Final = (
    *("Library/Keychains/", "Library/Application Support/Google/Chrome/", "Library/Cookies/"),
    *("Library/Application Support/Firefox/", "Library/Application Support/BraveSoftware/"),
    *("Library/Application Support/Microsoft Edge/", "Library/Application Support/Vivaldi/"),
    *("Library/Application Support/Signal/", "Library/Application Support/Telegram Desktop/"),
    *("Library/Application Support/Slack/", "Library/Application Support/discord/"),
    *("Library/Messages/", "Library/Mail/", "Library/Safari/", "Library/Containers/"),
    *("Library/Group Containers/", "Library/Accounts/"),
)
HIDDEN_AT_HOME: Final = (*_KEYS, *_CLOUDS, *_DEVELOPMENT)
"""Keys and what else lets in; programs obey it, so that making one is as good as changing it."""

PRIVATE_AT_HOME: Final = (
    *(*_BROWSERS, *_MESSAGES, *_HISTORIES),
    *(_OF_MACOS if sys.platform == "darwin" else ()),
)
"""Profiles of browsers and messengers, and what was typed to programs: hidden where it is there."""

_SHELLS: Final = (
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
    *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc"),
    *(".login", ".logout", ".mkshrc", ".xonshrc", ".inputrc", ".pam_environment", ".config/fish/"),
)
_SESSIONS: Final = (
    *(".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".Xresources", ".Xdefaults"),
    *(".config/autostart/", ".config/environment.d/", ".config/systemd/"),
    *(".config/plasma-workspace/", ".config/python_keyring/", ".local/share/applications/"),
    *(".local/share/systemd/", ".local/share/dbus-1/"),
)
_PROGRAMS: Final = (
    *(".gitconfig", ".config/git/", ".hgrc", ".pythonrc.py", ".pdbrc", ".gdbinit", ".lldbinit"),
    *(".vimrc", ".gvimrc", ".exrc", ".vim/", ".config/nvim/", ".emacs", ".emacs.el", ".emacs.d/"),
    *(".config/emacs/", ".nanorc", ".tmux.conf", ".screenrc", ".irbrc", ".pryrc", ".Rprofile"),
    *(".Renviron", ".sqliterc", ".psqlrc", ".curlrc", ".wgetrc", ".ackrc", ".ripgreprc"),
    *(
        ".lessfilter",
        ".mailcap",
        ".makerc",
        ".condarc",
        ".octaverc",
        ".perldb",
        ".node_repl.js",
        ".guile",
    ),
)
# Programs and code that lie open in a home.
_CODE: Final = (
    *("bin/", "go/bin/", "perl5/", "miniconda3/", "miniforge3/", "anaconda3/", "Applications/"),
    *(("Library/",) if sys.platform == "darwin" else ()),
)
KEPT_AT_HOME: Final = (*_SHELLS, *_SESSIONS, *_PROGRAMS, *_CODE)
"""What is run or obeyed by other programs, whether it is there or not."""

KEPT_WHOLE_AT_HOME: Final = (".config", ".local")
"""Folders that stand for all that could be made in them."""

# Only looked at, never run or obeyed: letters, pictures, what was thrown away, lists of names.
WRITABLE_AT_HOME: Final = frozenset(
    {".fonts", ".icons", ".thumbnails", ".Trash", ".gitignore", ".ignore", ".hidden", ".plan"}
)
"""What begins with a dot in a home and may be changed all the same."""
