#!/bin/sh
# notarise.sh IMAGE: has Apple look at the signed disk image, and fixes the answer to it.
#
# NOTARY_PROFILE names the credentials that "xcrun notarytool store-credentials" put into the
# keychain, so that no secret is in a command line.
set -eu

image=$1

xcrun notarytool submit "$image" --keychain-profile "${NOTARY_PROFILE:?}" --wait
xcrun stapler staple "$image"
xcrun stapler validate "$image"
spctl --assess --type open --context context:primary-signature --verbose=2 "$image"
