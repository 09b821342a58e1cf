#!/bin/sh
# Installs Parley for this user, from the folder that this file lies in; again for a new version.
# What somebody else put where it would write is left alone: then nothing is changed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
prefix=${HOME}/.local
library=$prefix/lib/parley
share=${XDG_DATA_HOME:-$prefix/share}
desktop=$share/applications/parley.desktop
icons=$share/icons/hicolor
# Where man looks for the pages of what is in ~/.local/bin, wherever other data is.
manual=$prefix/share/man/man1

if [ $# -gt 0 ]; then
    case $1 in
    -h | --help) ;;
    *)
        printf 'install.sh has no option or argument "%s". Nothing was changed.\n' "$1" >&2
        exit 2
        ;;
    esac
    cat <<END
Installs Parley for you alone, without rights; again for a new version. It has no other options.

  $library: the program, and uninstall.sh, which takes all of this away
  $prefix/bin: parley, parley-server and parley-tools
  $share: its icons and its entry in the menu
  $manual: its manual pages

It ends with 0 when Parley is installed, also where libraries of the system are missing, which it
names; with 1 when it could not be installed, and with 2 for an argument that it does not have.
END
    exit 0
fi

if [ "$(id -u)" = 0 ]; then
    echo "This installs for one user and is not for root: use the .deb or .rpm instead." >&2
    exit 1
fi

refuse() {
    echo "$1 is there already and is not of this Parley. Nothing was changed." >&2
    echo "Move it away first, or start Parley from here: $here/bin/parley" >&2
    exit 1
}

is_there() {
    [ -e "$1" ] || [ -L "$1" ]
}

# Cut off between the two moves below, the one before left the only whole version there.
if ! is_there "$library" && [ -f "$library.old/uninstall.sh" ]; then
    mv "$library.old" "$library"
fi

# What goes into folders that others use, too; one a line.
# What describes it to software centres (share/metainfo) stays here: they read that of programs in
# /usr/share alone, both libappstream and GNOME Software, and nothing of it below a home.
shared_files() {
    (cd "$here/share/icons/hicolor" && find . -type f) | while read -r icon; do
        printf '%s\n' "$icons/${icon#./}"
    done
    for page in "$here"/share/man/man1/*; do
        printf '%s\n' "$manual/${page##*/}"
    done
    printf '%s\n' "$desktop"
}

# The folders that are made for it, this time or by the version before; each ends in a slash and
# comes before the one that it lies in.
own_folders() {
    {
        { shared_files && printf '%s\n' "$library" "$prefix/bin/parley"; } | while read -r file; do
            folder=$(dirname "$file")
            while ! is_there "$folder"; do
                printf '%s/\n' "$folder"
                folder=$(dirname "$folder")
            done
        done
        grep '/$' "$library/installed" 2>/dev/null || true
    } | LC_ALL=C sort -ru
}

if is_there "$library" && [ ! -f "$library/uninstall.sh" ]; then
    refuse "$library"
fi
for name in parley parley-server parley-tools; do
    link=$prefix/bin/$name
    if is_there "$link" && [ "$(readlink "$link")" != "../lib/parley/$name" ]; then
        refuse "$link"
    fi
done
# The version before has a list of what it brought.
shared_files | while read -r file; do
    if is_there "$file" && ! grep -qxF "$file" "$library/installed" 2>/dev/null; then
        refuse "$file"
    fi
done

folders=$(own_folders)
mkdir -p "$prefix/lib" "$prefix/bin" "$share/applications" "$icons" "$manual"
# The new version is whole before it takes the place of the old one.
rm -rf "$library.new"
cp -R "$here/lib/parley" "$library.new"
cp "$here/uninstall.sh" "$library.new/uninstall.sh"
{
    shared_files
    printf '%s\n' "$folders"
} >"$library.new/installed"
rm -rf "$library.old"
if [ -e "$library" ]; then
    mv "$library" "$library.old"
fi
mv "$library.new" "$library"
rm -rf "$library.old"

for name in parley parley-server parley-tools; do
    ln -sf "../lib/parley/$name" "$prefix/bin/$name"
done
cp -R "$here/share/icons/hicolor/." "$icons/"
cp -R "$here/share/man/man1/." "$manual/"
# By its whole path: not every desktop looks into ~/.local/bin. It may have a blank in it.
program=$(printf '%s' "$prefix/bin/parley" | sed 's/[\\&|]/\\&/g')
sed -e "s|^Exec=parley|Exec=\"$program\"|" -e "s|^TryExec=parley|TryExec=$program|" \
    "$here/share/applications/parley.desktop" >"$desktop"

echo "Parley is installed: $prefix/bin/parley"
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*)
    echo "$prefix/bin is not on your PATH, so start it from the menu or by that whole name."
    echo "Many systems put this folder there when you sign in the next time."
    ;;
esac
# With those that it brings, as the program itself finds them. Without ldd nothing is said.
qt=$library/_internal/PySide6
missing=$(LC_ALL=C LD_LIBRARY_PATH=$library/_internal \
    ldd "$qt"/*.so "$qt"/Qt/lib/*.so* "$qt"/Qt/plugins/platforms/*.so 2>/dev/null |
    sed -n 's/^[[:space:]]*\([^[:space:]]*\) => not found.*/\1/p' | sort -u)
if [ -n "$missing" ]; then
    echo "Parley will not start, or show no window, until you install what this system lacks:"
    printf '%s\n' "$missing" | sed 's/^/  /'
    echo "$here/README names the packages."
fi
command -v bwrap >/dev/null ||
    echo "Install bubblewrap with your package manager: tools run in a sandbox that it makes."
