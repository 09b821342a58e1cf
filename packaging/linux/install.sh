#!/bin/sh
# Installs Parley for this user, from the folder that this file lies in; again for a new version.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
prefix=${HOME}/.local
library=$prefix/lib/parley
share=${XDG_DATA_HOME:-$prefix/share}

if [ "$(id -u)" = 0 ]; then
    echo "This installs for one user and is not for root: use the .deb or .rpm instead." >&2
    exit 1
fi

mkdir -p "$prefix/lib" "$prefix/bin" "$share/applications" "$share/icons/hicolor"
# The new version is whole before it takes the place of the old one.
rm -rf "$library.new" "$library.old"
cp -R "$here/lib/parley" "$library.new"
cp "$here/uninstall.sh" "$library.new/uninstall.sh"
if [ -e "$library" ]; then
    mv "$library" "$library.old"
fi
mv "$library.new" "$library"
rm -rf "$library.old"

for name in parley parley-server parley-tools; do
    ln -sf "../lib/parley/$name" "$prefix/bin/$name"
done
cp -R "$here/share/icons/hicolor/." "$share/icons/hicolor/"
# By its whole path: not every desktop looks into ~/.local/bin. It may have a blank in it.
program=$(printf '%s' "$prefix/bin/parley" | sed 's/[\\&|]/\\&/g')
sed -e "s|^Exec=parley|Exec=\"$program\"|" -e "s|^TryExec=parley|TryExec=$program|" \
    "$here/share/applications/parley.desktop" >"$share/applications/parley.desktop"

echo "Parley is installed: $prefix/bin/parley"
command -v bwrap >/dev/null ||
    echo "Install bubblewrap with your package manager: tools run in a sandbox that it makes."
