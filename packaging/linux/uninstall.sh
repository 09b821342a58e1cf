#!/bin/sh
# Takes away what install.sh brought, and nothing of others. Chats, settings and keys stay.
set -eu

prefix=${HOME}/.local
library=$prefix/lib/parley
share=${XDG_DATA_HOME:-$prefix/share}

for name in parley parley-server parley-tools; do
    link=$prefix/bin/$name
    if [ -L "$link" ] && [ "$(readlink "$link")" = "../lib/parley/$name" ]; then
        rm -f "$link"
    fi
done
if [ -f "$library/uninstall.sh" ]; then
    while read -r file; do
        rm -f "$file"
    done <"$library/installed"
    rm -rf "$library"
fi
echo "Parley is removed. Its data stays in $share/parley and ${XDG_CONFIG_HOME:-$HOME/.config}/parley."
