"""The small files that installers are made of, with the product's words and numbers filled in."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from checkout import PACKAGING
from processes import Failed

from installers import product
from installers.payload import Payload

_PLACE: Final = re.compile(r"@([A-Z_]+)@")


def fill(path: str, payload: Payload, **further: str) -> str:
    """Return the text of a file of this folder's neighbours, with `@NAME@` replaced.

    Args:
        path: The file, from `packaging` on ("linux/metainfo.xml.in").
        payload: What is packed.
        further: Values beside those of the product.

    Raises:
        Failed: The file names a place that nothing fills.
    """
    values = {**_values(payload), **further}
    text = Path(PACKAGING, path).read_text(encoding="utf-8")
    unknown = set(_PLACE.findall(text)) - values.keys()
    if unknown:
        raise Failed(f"{path} has places that nothing fills: {', '.join(sorted(unknown))}.")
    if path.endswith(".xml.in"):
        values = {name: escape(value) for name, value in values.items()}
    return _PLACE.sub(lambda match: values[match[1]], text)


def _values(payload: Payload) -> dict[str, str]:
    date = datetime.fromtimestamp(payload.moment, UTC).date()
    return {
        "APP_ID": product.APP_ID,
        "DATE": date.isoformat(),
        "LICENCE": product.LICENCE,
        "MAINTAINER": product.MAINTAINER,
        "NAME": product.NAME,
        "PACKAGE": product.PACKAGE,
        "PUBLISHER": product.PUBLISHER,
        "SUMMARY": product.SUMMARY,
        "TITLE": product.TITLE,
        "VERSION": payload.version,
        "YEAR": str(date.year),
    }
