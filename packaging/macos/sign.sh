#!/bin/sh
# sign.sh APP ENTITLEMENTS: signs every program and library in the bundle, from the inside out.
#
# SIGNING_IDENTITY names the certificate ("Developer ID Application: … (TEAM)"). Without one, the
# bundle gets the signature that Apple's processors ask for at least ("ad hoc"), which Gatekeeper
# does not trust: whoever downloads it has to allow it in the system settings.
set -eu

app=$1 entitlements=$2
identity=${SIGNING_IDENTITY:--}

sign() {
    if [ "$identity" = - ]; then
        # Without a team, the hardened runtime would refuse our own libraries.
        codesign --force --sign - "$@"
    else
        codesign --force --timestamp --options runtime --sign "$identity" "$@"
    fi
}

find "$app/Contents/Frameworks" -type f \( -name '*.dylib' -o -name '*.so' \) -print |
    while IFS= read -r library; do
        sign "$library"
    done
find "$app/Contents/Frameworks" -type d -name '*.framework' -prune -print |
    while IFS= read -r framework; do
        sign "$framework"
    done
for name in parley-server parley-tools parley; do
    sign --entitlements "$entitlements" "$app/Contents/MacOS/$name"
done
sign --entitlements "$entitlements" "$app"
codesign --verify --strict --verbose=2 "$app"
