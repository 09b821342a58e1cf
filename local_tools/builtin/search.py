"""Search the text files of a folder."""

from pathlib import Path
from typing import Annotated, Final

from local_tools.builtin.ripgrep import Query, find_ripgrep
from local_tools.builtin.text_search import Finder, FoundLines, SearchOutcome, time_limit
from local_tools.sandbox.protected_paths import protected_paths
from local_tools.tool import ENTERS_HIDDEN, GuardedPath, Input, Output, ToolContext, tool
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_LIMIT_S: Final = 30
_LINES_LIMIT: Final = 1_000


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=_LIMIT_S + 10,
    title="Search files",
    question="Search files on this computer?",
    icon="search",
)
def search_files(
    query: Annotated[
        str, Input(min_length=1, max_length=1_000, title=QT_TRANSLATE_NOOP("Tools", "Search for"))
    ],
    *,
    path: GuardedPath,
    context: ToolContext,
    is_regex: Annotated[
        bool, Input(title=QT_TRANSLATE_NOOP("Tools", "Regular expression"))
    ] = False,
    ignore_case: Annotated[bool, Input(title=QT_TRANSLATE_NOOP("Tools", "Ignore case"))] = False,
    file_pattern: Annotated[
        str, Input(max_length=200, title=QT_TRANSLATE_NOOP("Tools", "File name pattern"))
    ] = "",
    include_hidden: Annotated[
        bool,
        ENTERS_HIDDEN,
        Input(title=QT_TRANSLATE_NOOP("Tools", "Include hidden and ignored files")),
    ] = False,
    max_lines: Annotated[
        int,
        Input(ge=1, le=_LINES_LIMIT, title=QT_TRANSLATE_NOOP("Tools", "Maximum number of lines")),
    ] = 200,
) -> Output:
    """Search the text files in a folder and its subfolders, and return the matching lines.

    Links, and files that are not text (UTF-8) or are larger than 2 MiB, are skipped; so are names
    that begin with a dot or are listed in a .gitignore file, unless they are included. Secrets in
    a line are masked and not searched; a regular expression skips such lines as a whole.

    Args:
        query: The text to look for, within one line.
        path: The folder, or one file; "." is the chat's folder.
        context: Told how far it has come.
        is_regex: The query is a regular expression (Python's); it gets 30 seconds.
        ignore_case: Upper and lower case count as the same.
        file_pattern: Such as "*.py"; empty for all files.
        include_hidden: Do not leave out what begins with a dot or is named by a .gitignore file.
        max_lines: How many lines to return.
    """
    wanted = Query(query, is_regex, ignore_case)
    finder = Finder(
        wanted,
        file_pattern,
        include_hidden=include_hidden,
        max_lines=max_lines,
        # Most sandboxes show nothing of them; where there is none, they are left out all the same.
        places=protected_paths(Path.home()),
    )
    with time_limit(_LIMIT_S, f"The search did not end within {_LIMIT_S} s and was stopped."):
        if path.expected.kind == "file":
            return _told(path, finder.in_file(path))
        return _told(path, finder.in_folder(path, context, find_ripgrep()))


def _told(path: GuardedPath, searched: SearchOutcome) -> Output:
    lines = [_line(found) for found in searched.lines]
    files = "1 file" if searched.file_count == 1 else f"{searched.file_count:,} files"
    head = f"{len(lines):,} {'line' if len(lines) == 1 else 'lines'} in {files} of {path}."
    if not lines:
        head = f"Nothing found in {files} of {path}."
    if searched.has_more:
        head += " There are more; these are the first."
    if searched.skipped_count:
        head += f" Left out, too large or out of reach: {searched.skipped_count:,}."
    if searched.is_cut:
        head += " There are too many files; the rest was not searched."
    return Output("\n".join([head, *lines]))


def _line(found: FoundLines) -> str:
    return f"{found.path}:{found.number}: {found.text}"
