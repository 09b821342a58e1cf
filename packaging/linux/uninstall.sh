#!/bin/sh
# Takes away what install.sh brought, and nothing of others. Chats, settings and keys stay.
set -eu

prefix=${HOME}/.local
library=$prefix/lib/parley
share=${XDG_DATA_HOME:-$prefix/share}
was_there=

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
