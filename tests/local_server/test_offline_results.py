"""The offline assistant once a tool has answered: each tool and each outcome in fitting words."""

from dataclasses import replace

import pytest

from tests.support.offline_requests import answered, request, skill, text_of


def _answered(name: str, given: dict[str, object], result: str) -> str:
    return text_of(replace(request("irrelevant"), calls=(answered(name, given, result),)))


def test_file_is_quoted_in_its_language_with_a_fence_that_it_cannot_close() -> None:
    text = _answered("read_file", {"path": "a.md"}, "before\n```\n````\nafter\n")
    assert "\n`````markdown\nbefore\n```\n````\nafter\n`````\n" in text
    assert "4 lines" in text


def test_long_result_is_cut_and_says_so() -> None:
    text = _answered("read_file", {"path": "a.txt"}, "\n".join(f"line {n}" for n in range(1000)))
    assert "line 39\n" in text
    assert "line 40" not in text
    assert "only the beginning: I was given 1,000 lines" in text
    assert "That is all" not in text
    one_line = _answered("run_command", {"argv": ["x"]}, "y" * 100_000)
    assert len(one_line) < 3000


def test_path_that_is_full_of_marks_stays_code() -> None:
    text = _answered("read_file", {"path": "a`b\n# c"}, "x")
    assert "``a`b # c``" in text


_INPUTS: dict[str, dict[str, object]] = {
    "read_file": {"path": "a.txt"},
    "list_folder": {"path": "docs"},
    "write_file": {"path": "CHANGES.md", "content": "x"},
    "run_command": {"argv": ["git", "status"]},
    "current_time": {},
    "search_files": {"query": "TODO"},
    "edit_file": {"path": "a.txt"},
    "move_file": {"source": "a.txt", "destination": "b.txt"},
    "delete_file": {"path": "a.txt"},
    "make_folder": {"path": "docs"},
    "fetch_page": {"url": "https://example.com"},
    "any.thing": {},
}


@pytest.mark.parametrize(
    ("name", "result", "said"),
    [
        ("read_file", "one\n", "This is what `a.txt` says:\n\n```text\none\n```\n\n"
         "That is all I was given: 1 line, 3 characters."),
        ("read_file", "", "There is no text in `a.txt`."),
        ("list_folder", "b/\nc  5 bytes", "This is in `docs`:\n\n```text\nb/\nc  5 bytes\n```"),
        ("list_folder", "docs is empty.", "There is nothing in `docs`: it is empty."),
        ("write_file", "Made CHANGES.md: 38 bytes.",
         "Done: `CHANGES.md` is written. The tool reported: `Made CHANGES.md: 38 bytes.`"),
        ("write_file", "", "Done: `CHANGES.md` is written."),
        ("write_file", "a\nb",
         "Done: `CHANGES.md` is written. This was reported:\n\n```text\na\nb\n```"),
        ("run_command", "Exit code 0.\n\nall fine\n",
         "The command is done. This is its output:\n\n```text\nall fine\n```"),
        ("run_command", "Exit code 0. No output.",
         "The command is done, without any output."),
        ("run_command", "Exit code 3. No output.",
         "The command ended with exit code 3, without any output."),
        ("run_command", "Ended by SIGKILL. No output.",
         "The command has ended. This was reported:\n\n```text\nEnded by SIGKILL. No output.\n```"),
        ("run_command", "\n\n", "The command ended without any output."),
        ("current_time", "2025-01-02T03:04:05+00:00 (Thursday, UTC)",
         "The clock of your computer says: `2025-01-02T03:04:05+00:00 (Thursday, UTC)`"),
        ("search_files", "a.py:1: TODO",
         "This is what the search answered:\n\n```text\na.py:1: TODO\n```"),
        ("search_files", "", "The search found nothing."),
        ("edit_file", "", "Done: `a.txt` is changed."),
        ("move_file", "Moved.", "Done: `a.txt` is moved. The tool reported: `Moved.`"),
        ("delete_file", "", "Done: `a.txt` is deleted."),
        ("make_folder", "", "Done: `docs` is made."),
        ("fetch_page", "hello", "This is what came:\n\n```text\nhello\n```"),
        ("any.thing", "[1]", "`any.thing` answered:\n\n```json\n[1]\n```"),
        ("any.thing", "", "`any.thing` ended without any output."),
    ],
)  # fmt: skip
def test_tool_that_is_done_is_told_in_words_that_fit_it(name: str, result: str, said: str) -> None:
    assert _answered(name, _INPUTS[name], result) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("read_file", "All right, `a.txt` stays unread."),
        ("list_folder", "All right, I will not look into `docs`."),
        ("write_file", "All right, `CHANGES.md` stays as it is."),
        ("run_command", "All right, the command was not run."),
        ("current_time", "All right, I will not look at the clock."),
        ("any.thing", "All right, `any.thing` was not run."),
    ],
)
def test_declined_tool_is_told_in_words_that_fit_it(name: str, said: str) -> None:
    declined = "The user declined to run this tool."
    assert _answered(name, _INPUTS[name], declined) == said
    with_reason = _answered(name, _INPUTS[name], f"{declined} Reason: not today")
    assert with_reason == f"{said} Your reason was: “not today”"


@pytest.mark.parametrize("name", ["write_file", "run_command", "any.thing"])
def test_call_that_the_person_answered_is_not_called_done(name: str) -> None:
    text = _answered(
        name, _INPUTS[name], "The tool was not run. The user answered instead: I did it myself."
    )
    assert text == "All right, nothing was run. Your answer was: “I did it myself.”"


@pytest.mark.parametrize("name", ["read_file", "run_command"])
def test_result_that_was_kept_back_is_not_told_as_what_a_file_says(name: str) -> None:
    text = _answered(
        name, _INPUTS[name], "The tool ran, but the user kept its result back. Reason: private"
    )
    assert text == f"`{name}` ran, and you kept its result back. Your reason was: “private”"


_EDITED = (
    "The user changed the input of this call before allowing it. It ran with this input: {}\n\n{}"
)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("Made b.md: 1 byte.",
         "Done: `b.md` is written. The tool reported: `Made b.md: 1 byte.`"),
        ("Error: it broke", "Writing `b.md` did not work. This was reported:\n\n"
         "```text\nit broke\n```\n\nYou can change the request and try again."),
    ],
)  # fmt: skip
def test_call_that_the_person_changed_is_told_as_it_ran(result: str, said: str) -> None:
    given = '{"content":"y","path":"b.md"}'
    text = _answered("write_file", _INPUTS["write_file"], _EDITED.format(given, result))
    assert text == f"You changed what was run, to:\n\n```json\n{given}\n```\n\n{said}"


def test_changed_input_that_cannot_be_read_is_told_without_a_path() -> None:
    text = _answered("write_file", _INPUTS["write_file"], _EDITED.format("[1]", ""))
    assert text.endswith("Done: the file is written.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("read_file", "Reading `a.txt` did not work"),
        ("list_folder", "Looking into `docs` did not work"),
        ("write_file", "Writing `CHANGES.md` did not work"),
        ("run_command", "Running the command did not work"),
        ("current_time", "Looking at the clock did not work"),
        ("any.thing", "`any.thing` did not work"),
    ],
)
def test_failed_tool_is_told_in_words_that_fit_it(name: str, said: str) -> None:
    text = _answered(name, _INPUTS[name], "Error: it broke")
    assert text.startswith(f"{said}. This was reported:\n\n```text\nit broke\n```\n\n")
    assert _answered(name, _INPUTS[name], "Error:") == f"{said}, and no reason was given."


def test_call_without_a_path_is_told_without_one() -> None:
    assert _answered("write_file", {}, "") == "Done: the file is written."


@pytest.mark.parametrize("name", ["Read", "fs.readTextFile", "mcp__files__read_file"])
def test_tool_of_another_client_is_told_by_what_its_name_says(name: str) -> None:
    text = _answered(name, {"file_path": "a.py"}, "x = 1")
    assert text.startswith("This is what `a.py` says:\n\n```python\nx = 1\n```")


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("The user rejected this call. Reason: no", "stays unread. Your reason was: “no”"),
        (
            "The user has a rule that forbids this, so it was not run and they were not asked.",
            "All right, `a.txt` stays unread.",
        ),
        ("failed: disk", "Reading `a.txt` did not work. This was reported:\n\n```text\ndisk\n"),
        ('{"error": "disk"}', "Reading `a.txt` did not work. This was reported:\n\n```text\ndisk"),
        ('{"errors": []}', "This is what `a.txt` says"),
    ],
)
def test_denial_and_failure_are_known_in_the_words_of_other_clients(result: str, said: str) -> None:
    assert said in _answered("read_file", {"path": "a.txt"}, result)


def test_all_calls_of_the_last_round_are_told_in_order() -> None:
    calls = (
        answered("read_file", {"path": "old"}, "x", 0),
        answered("read_file", {"path": "a"}, "x", 1),
        answered("read_file", {"path": "b"}, "Error: gone", 1),
    )
    text = text_of(replace(request("irrelevant"), calls=calls))
    assert "`old`" not in text
    assert text.index("what `a` says") < text.index("Reading `b` did not work")


def test_steps_of_a_used_skill_are_recalled_after_its_file_was_read() -> None:
    asked = replace(
        request("irrelevant"),
        calls=(answered("read_file", {"path": "a"}, "x"),),
        skills=(skill("notes", "Notes"),),
        used_skills=("notes",),
    )
    assert text_of(asked).endswith("Now the steps of **Notes**, given above, can be taken.")


def test_search_by_command_that_finds_nothing_says_so() -> None:
    nothing = "Exit code 1. No output."
    found = _answered("run_command", {"argv": ["grep", "-rn", "--", "a", "."]}, nothing)
    assert found == _answered("shell", {"cmd": "grep -rn -- a ."}, nothing)
    assert found == "The search found nothing."
    other = _answered("run_command", {"argv": ["false"]}, nothing)
    assert other == "The command ended with exit code 1, without any output."
