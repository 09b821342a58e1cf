"""Commands, paths and addresses that look like one that was allowed and do something else.

What was allowed: `git status`, `ls -l`, `find . -name *.py`, `sed -n 1p a.txt` and
`rg word` in the chat's folder, reading in that folder, and pages of https://example.org.
"""

from collections.abc import Iterator
from typing import Any, Final

ALLOWED: Final[tuple[tuple[str, ...], ...]] = (
    ("git", "status"),
    ("ls", "-l"),
    ("find", ".", "-name", "*.py"),
    ("sed", "-n", "1p", "a.txt"),
    ("grep", "word", "a.txt"),
)
ORIGIN: Final = "https://example.org:443"

# What a shell would make of it; to a program each is just one argument.
_TAILS: Final = (
    *("&& id", "; id", "| sh", "|| id", "& id", "\nid", "\r\nid", "$(id)", "`id`", "<(id)"),
    *(">(id)", "> /tmp/x", ">> ~/.ssh/authorized_keys", "2>&1", "< /etc/passwd", "<<< x"),
    *("${IFS}id", "$IFS", "$'\\n'id", "\\\nid", "{id,}", "*", "?", "~", "~root", "#", "!!"),
    *("\u00a0", "\u2003", "\u200b", "\u202e", "\u3164", "\ufeff", "\u0007", "\u001b[2K"),
    *("--", "-", "-c", "-e", "-x", "--exec", "--config=/tmp/x", "@/tmp/x", "=", ""),
)
_WRAPPERS: Final[tuple[tuple[str, ...], ...]] = (
    ("env",),
    ("env", "-i"),
    ("env", "GIT_PAGER=id"),
    ("timeout", "5"),
    ("nice",),
    ("nohup",),
    ("setsid",),
    ("stdbuf", "-oL"),
    ("xargs",),
    ("xargs", "-I{}"),
    ("time",),
    ("busybox",),
    ("sudo",),
    ("sh", "-c"),
    ("bash", "-c"),
    ("bash", "-lc"),
    ("dash", "-c"),
    ("python3", "-c"),
    ("perl", "-e"),
    ("awk",),
    ("script", "-c"),
    ("watch",),
    ("ssh", "localhost"),
    ("flock", "/tmp/x"),
    ("chroot", "/"),
    ("unshare",),
    ("sh",),
    ("bash", "-x"),
    ("find", ".", "-exec"),
    ("tee",),
)
_OWN_WAYS: Final[tuple[tuple[str, ...], ...]] = (
    ("git", "-c", "core.pager=id", "status"),
    ("git", "-c", "core.fsmonitor=id", "status"),
    ("git", "-c", "alias.status=!id", "status"),
    ("git", "--exec-path=/tmp", "status"),
    ("git", "--git-dir=/tmp/x", "status"),
    ("git", "-C", "/", "status"),
    ("git", "--work-tree=/", "status"),
    ("git", "--config-env=core.pager=X", "status"),
    ("git", "-p", "status"),
    ("git", "status", "--porcelain"),
    ("git", "status", "."),
    ("git", "Status"),
    ("git", "st\u0430tus"),
    ("git", "show", "--output=/tmp/x"),
    ("git", "push", "--force"),
    ("git", "clone", "ext::sh -c id"),
    ("git", "diff", "--ext-diff"),
    ("git", "log", "--textconv"),
    ("git", "grep", "-O/tmp/x", "a"),
    ("git", "config", "--global", "core.pager", "id"),
    ("git", "submodule", "foreach", "id"),
    ("git", "rebase", "-x", "id"),
    ("git", "bisect", "run", "id"),
    ("git", "archive", "--exec=id"),
    ("git",),
    ("git", " status"),
    ("git", "status "),
    ("git ", "status"),
    ("git status",),
    ("/usr/bin/git", "status"),
    ("./git", "status"),
    ("git", "", "status"),
    ("git", "status", "status"),
    ("status", "git"),
    ("find", ".", "-name", "*.py", "-exec", "id", ";"),
    ("find", ".", "-name", "*.py", "-execdir", "id", "+"),
    ("find", ".", "-name", "*.py", "-delete"),
    ("find", ".", "-name", "*.py", "-fprintf", "/tmp/x", "a"),
    ("find", ".", "-name", "*.py", "-ok", "id", ";"),
    ("find", "/", "-name", "*.py"),
    ("find", "..", "-name", "*.py"),
    ("find", ".", "-name", "*"),
    ("find", "-L", ".", "-name", "*.py"),
    ("sed", "-n", "1e id", "a.txt"),
    ("sed", "-n", "1w /tmp/x", "a.txt"),
    ("sed", "-n", "s/a/id/e", "a.txt"),
    ("sed", "-i", "1p", "a.txt"),
    ("sed", "-n", "-i", "1p", "a.txt"),
    ("sed", "-f", "a.txt"),
    ("sed", "-n", "1p", "/etc/passwd"),
    ("sed", "-n", "1p;1e id", "a.txt"),
    ("sed", "-n", "$p", "a.txt"),
    ("sed", "-n", "1p", "a.txt", "b.txt"),
    ("grep", "-f", "/etc/passwd", "a.txt"),
    ("grep", "-r", "word", "/"),
    ("grep", "--file=/etc/passwd", "a.txt"),
    ("grep", "word", "../a.txt"),
    ("grep", "word"),
    ("rg", "--pre", "id", "word"),
    ("rg", "--pre=id", "word", "a.txt"),
    ("rg", "--hostname-bin=id", "word"),
    ("rg", "--search-zip", "word"),
    ("ls", "-la"),
    ("ls", "-l", "/"),
    ("ls", "-l", ".."),
    ("ls", "-l", "--hyperlink"),
    ("ls", "-L"),
    ("ls", "-\u217c"),
    ("\uff4c\uff53", "-l"),
    ("l\u0455", "-l"),
    ("LS", "-l"),
    ("ls.exe", "-l"),
    ("ls", "\u2212l"),
    ("ls", "\u2010l"),
)
_PATHS: Final = (
    *("../a.txt", "/etc/passwd", "~/.ssh/id_rsa", "~root/a", "notes/../../a", "./../a.txt"),
    *("/proc/self/environ", "/dev/mem", "file:///etc/passwd", "\\\\host\\a", "C:a.txt", "a\x00b"),
    *("../notes-evil/a.txt", "../notes2/a.txt", "/", "~", "..", "link", "link/a.txt", ".env"),
    *("sub/.env", ".ENV", ".env.local", "id_rsa", "secrets.txt", "server.key", ".npmrc"),
    *("/proc/self/cwd/../a", "/tmp", "//etc/passwd", "/./etc/passwd", "~/a.txt", "~/.bashrc"),
)
_ADDRESSES: Final = (
    *("http://example.org/", "https://example.org:444/", "https://example.org.evil.net/"),
    *(
        "https://evil.net/?https://example.org/",
        "https://evil.net#example.org",
        "https://a.example.org",
    ),
    *(
        "https://example.org@evil.net/",
        "https://user:pw@example.org/",
        "https://example.org\\@evil.net/",
    ),
    *(
        "https://ex\u0430mple.org/",
        "https://example.or",
        "https://example.organic/",
        "//example.org/",
    ),
    *(
        "https://127.0.0.1/",
        "https://0x7f.1/",
        "https://[::1]/",
        "ftp://example.org/",
        "file:///etc",
    ),
    *(
        "https://example.org%2eevil.net/",
        "https://xn--exmple-4nf.org/",
    ),
    *("https://example\u3002org.evil.net/", "https://example.org\t.evil.net/", "javascript:1"),
)
_OTHER_TOOLS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("write_file", {"path": "a.txt", "content": "x"}),
    ("edit_file", {"path": "a.txt", "old_text": "word", "new_text": "x"}),
    ("move_file", {"path": "a.txt", "new_path": "b.txt"}),
    ("delete_file", {"path": "a.txt"}),
    ("open_file", {"path": "a.txt"}),
    ("read_clipboard", {}),
    ("write_clipboard", {"text": "x"}),
    ("take_note", {"text": "x"}),
    ("Read_file", {"path": "a.txt"}),
    ("re\u0430d_file", {"path": "a.txt"}),
    ("read_file ", {"path": "a.txt"}),
    ("list_folder", {"path": "sub/../.."}),
)


def bypasses() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return calls that no rule covers, each as the name of the tool and the input."""
    for argv in _commands():
        yield "run_command", {"argv": list(argv)}
    for argv in ALLOWED:
        yield "run_shell", {"command": " ".join(argv)}
        yield "run_command", {"argv": list(argv), "timeout_s": 61}
    for path in _PATHS:
        yield "read_file", {"path": path}
    for address in _ADDRESSES:
        yield "fetch_page", {"address": address}
    yield from _OTHER_TOOLS


def _commands() -> Iterator[tuple[str, ...]]:
    yield from _OWN_WAYS
    for argv in ALLOWED:
        for tail in _TAILS:
            yield (*argv, tail)
        yield (*argv[:-1], f"{argv[-1]};id")
        yield (*argv[:-1], f"{argv[-1]} ")
    for wrapper in _WRAPPERS:
        for argv in ALLOWED[:2]:
            yield (*wrapper, *argv)
            yield (*wrapper, " ".join(argv))


def many_bypasses() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every allowed command in every wrapper and with every tail: some thousands."""
    for wrapper in _WRAPPERS:
        for argv in ALLOWED:
            for tail in _TAILS:
                yield "run_command", {"argv": [*wrapper, *argv, tail]}
