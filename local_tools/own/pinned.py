"""What runs is what was allowed: a copy of the user's code, its contents compared."""

import shutil
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from local_tools.errors import ChangedError, explain_os_error
from local_tools.order import OrderedCode
from local_tools.own.files import read_files


def copied_code(code: OrderedCode, held: ExitStack) -> str:
    """Copy the code to where nobody else writes; the copy goes with `held`.

    Raises:
        ToolError: It is not what was allowed, or cannot be read or copied.
    """
    files = read_files(Path(code.folder))
    if files.fingerprint != code.fingerprint:
        raise ChangedError(f"The code in {code.folder}")
    copy = tempfile.mkdtemp(prefix="parley-code-")
    held.callback(partial(shutil.rmtree, copy, ignore_errors=True))
    try:
        files.write_to(Path(copy))
    except OSError as exc:
        raise explain_os_error(exc, copy) from exc
    return copy
