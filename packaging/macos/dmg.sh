#!/bin/sh
# dmg.sh APP TITLE TARGET: packs the bundle as a disk image with a link to the Applications folder.
set -eu

app=$1 title=$2 target=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ditto "$app" "$work/$(basename "$app")"
ln -s /Applications "$work/Applications"
rm -f "$target"
hdiutil create -volname "$title" -srcfolder "$work" -fs HFS+ -format ULFO -quiet "$target"
if [ "${SIGNING_IDENTITY:--}" != - ]; then
    codesign --timestamp --sign "$SIGNING_IDENTITY" "$target"
fi
hdiutil verify -quiet "$target"
