#!/bin/sh
# Takes away what install.sh brought. Chats, settings and keys stay.
set -eu

prefix=${HOME}/.local
share=${XDG_DATA_HOME:-$prefix/share}

rm -f "$prefix/bin/parley" "$prefix/bin/parley-server" "$prefix/bin/parley-tools"
rm -f "$share/applications/parley.desktop"
find "$share/icons/hicolor" -path '*/apps/parley.*' -delete 2>/dev/null || true
rm -rf "$prefix/lib/parley"
echo "Parley is removed. Its data stays in $share/parley and ${XDG_CONFIG_HOME:-$HOME/.config}/parley."
