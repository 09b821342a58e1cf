#!/bin/sh
# Takes away what install.sh brought, and nothing of others. Chats, settings and keys stay.
set -eu

prefix=${HOME}/.local
library=$prefix/lib/parley
share=${XDG_DATA_HOME:-$prefix/share}
was_there=

if [ $# -gt 0 ]; then
    case $1 in
    -h | --help) ;;
    *)
        printf 'uninstall.sh has no option or argument "%s". Nothing was changed.\n' "$1" >&2
        exit 2
        ;;
    esac
    cat <<END
Takes away what install.sh brought. It has no other options.

  $library: the program
  $prefix/bin: parley, parley-server and parley-tools
  $share: its icons and its entry in the menu
  $prefix/share/man/man1: its manual pages

Chats, settings, the log and keys stay.

It ends with 0 when Parley is removed, with 1 when it was not there, and with 2 for an argument that
it does not have.
END
    exit 0
fi

# An installation was cut off between its two moves: the version before lies beside its place.
if [ ! -e "$library" ] && [ -f "$library.old/uninstall.sh" ]; then
    mv "$library.old" "$library"
fi

for name in parley parley-server parley-tools; do
    link=$prefix/bin/$name
    if [ -L "$link" ] && [ "$(readlink "$link")" = "../lib/parley/$name" ]; then
        rm -f "$link"
        was_there=yes
    fi
done
if [ -f "$library/uninstall.sh" ]; then
    was_there=yes
    folders=$(grep '/$' "$library/installed" || true)
    grep -v '/$' "$library/installed" | while read -r file; do
        rm -f "$file"
    done
    rm -rf "$library" "$library.new" "$library.old"
    # Those that were made for it, as far as nobody else has put anything there.
    printf '%s\n' "$folders" | while read -r folder; do
        rmdir "$folder" 2>/dev/null || true
    done
fi

if [ -z "$was_there" ]; then
    echo "Parley is not installed in $prefix. Nothing was changed." >&2
    exit 1
fi
echo "Parley is removed. Chats, settings and the log stay, where there are any, in"
echo "  $share/parley"
echo "  ${XDG_CONFIG_HOME:-$HOME/.config}/parley"
echo "  ${XDG_STATE_HOME:-$prefix/state}/parley"
