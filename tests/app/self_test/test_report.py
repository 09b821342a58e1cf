"""How a check of the self-test ends, and what is told of it."""

import asyncio
import errno
import io
import json
import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.paths import paths_under
from app.self_test.app_under_test import AppUnderTest
from app.self_test.crash_recovery import CrashRecovery
from app.self_test.picture_tour import Screenshots, make_folder
from app.self_test.report import (
    CHECK_IDS,
    Check,
    CheckFailed,
    CheckId,
    NotAvailable,
    Result,
    SelfTestReport,
    UnknownCheck,
    demand_writable,
    read_ids,
)
from app.self_test.run import SelfTestOptions, conclude, run_self_test
from app.self_test.scenario import Scenario

pytestmark = pytest.mark.anyio


def _report(*required: CheckId) -> SelfTestReport:
    return SelfTestReport(
        io.StringIO(), "1.2", lambda text: text.replace("Ada", "~"), frozenset(required)
    )


def _check(check_id: CheckId, error: BaseException | None = None, detail: str = "") -> Check:
    async def run() -> str:
        if error:
            raise error
        return detail

    return Check(check_id, f"The {check_id}", run)


def _outcomes(report: SelfTestReport) -> list[tuple[str, str]]:
    return [(result.outcome, result.detail) for result in report.results]


async def test_checks_end_well_fail_or_are_not_available_each_with_its_reason() -> None:
    report = _report()
    checks = (
        _check("fonts", detail="Inter"),
        _check("keyring", NotAvailable("no keyring of Ada")),
        _check("trust", CheckFailed("a stranger")),
        _check("window", KeyError("what nobody thought of")),
    )

    went_well = [await report.make(check) for check in checks]

    assert went_well == [True, False, False, False]
    assert _outcomes(report) == [
        ("ok", "Inter"),
        ("not available", "no keyring of ~"),
        ("failed", "a stranger"),
        ("failed", "KeyError: 'what nobody thought of'"),
    ]
    assert not report.is_good


async def test_check_that_takes_too_long_fails_and_is_ended() -> None:
    report, is_ended = _report(), asyncio.Event()

    async def hang() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            is_ended.set()
        return ""

    await report.make(Check("service", "The service", hang, limit_s=0.01))

    assert is_ended.is_set()
    assert _outcomes(report) == [("failed", "not done within 0.01 s")]


async def test_unavailable_check_fails_only_if_required() -> None:
    lenient, strict = _report(), _report("sandbox")
    for report in (lenient, strict):
        await report.make(_check("sandbox", NotAvailable("no bubblewrap")))

    assert lenient.is_good
    assert not strict.is_good
    assert _outcomes(strict) == [("failed", "required but not available: no bubblewrap")]


async def test_report_says_the_same_to_people_and_to_programs(tmp_path: Path) -> None:
    out = io.StringIO()
    report = SelfTestReport(out, "1.2", str, frozenset({"fonts"}))
    await report.make(_check("fonts", detail="Inter"))
    report.pass_over(_check("chats"), "nothing to stand on")
    report.conclude()
    report.write(tmp_path / "report.json")

    lines = out.getvalue().splitlines()
    assert lines[0].startswith("ok ")
    assert lines[0].endswith("The fonts: Inter")
    assert lines[1].startswith("not available ")
    assert "1 not available, none failed" in lines[2].replace("(s)", "")
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (told["ok"], told["version"], told["required"]) == (True, "1.2", ["fonts"])
    assert [(one["check"], one["outcome"]) for one in told["checks"]] == [
        ("fonts", "ok"),
        ("chats", "not available"),
    ]


def test_required_checks_are_read_and_unknown_ones_are_refused_with_those_there_are() -> None:
    assert read_ids("sandbox, keyring") == {"sandbox", "keyring"}
    assert read_ids("") == frozenset()
    with pytest.raises(UnknownCheck, match=f"'luck'.*{', '.join(CHECK_IDS)}"):
        read_ids("sandbox,luck")


async def test_report_that_cannot_be_written_is_said_before_anything_is_tried(
    tmp_path: Path, qapp: QApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    wishes = SelfTestOptions(report_file=tmp_path / "nowhere" / "report.json")

    assert await run_self_test(qapp, paths_under(tmp_path), wishes) == 2

    told = capsys.readouterr()
    why = os.strerror(errno.ENOENT)
    assert told.err == f"{wishes.report_file} cannot be written: {why}.\n"
    assert told.out == ""


async def test_pictures_that_cannot_be_kept_are_said_before_anything_is_tried(
    tmp_path: Path, qapp: QApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    for folder in (tmp_path / "file", tmp_path / "file" / "pictures"):
        wishes = SelfTestOptions(pictures_folder=folder)
        assert await run_self_test(qapp, paths_under(tmp_path), wishes) == 2

        told = capsys.readouterr()
        assert told.err == f"{folder} cannot be written: {os.strerror(errno.ENOTDIR)}.\n"
        assert told.out == ""


def test_folder_for_pictures_is_made_and_stays_empty(tmp_path: Path) -> None:
    for _ in range(2):
        make_folder(tmp_path / "new" / "pictures")

    assert list((tmp_path / "new" / "pictures").iterdir()) == []


def test_report_takes_the_place_of_an_older_one_in_one_step(tmp_path: Path) -> None:
    file, older = tmp_path / "report.json", tmp_path / "older.json"
    file.write_text("the older one", encoding="utf-8")
    older.hardlink_to(file)
    report = _report()
    # A name of a file, as the system gives it when no encoding fits.
    report.results.append(Result("files", "The files", "failed", 1, "nobody built them: \udcff.so"))

    demand_writable(file)
    assert file.read_text(encoding="utf-8") == "the older one"
    assert conclude(report, file) == 1

    assert not json.loads(file.read_text(encoding="utf-8"))["ok"]
    assert older.read_text(encoding="utf-8") == "the older one"
    assert set(tmp_path.iterdir()) == {file, older}


def test_unwritable_report_exits_with_2_and_is_no_failed_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone" / "report.json"

    # Its folder was there at the beginning; the other is a disk that is full by now.
    for file, code in ((gone, errno.ENOENT), (Path("/dev/full"), errno.ENOSPC)):
        assert conclude(_report(), file) == 2
        assert f"{file} cannot be written: {os.strerror(code)}." in capsys.readouterr().err


def test_looking_whether_a_report_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    demand_writable(tmp_path / "report.json")
    demand_writable(Path("/dev/null"))
    with pytest.raises(IsADirectoryError):
        demand_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_program_that_cannot_be_built_fails_its_check_and_is_closed_all_the_same(
    tmp_path: Path, qapp: QApplication
) -> None:
    in_the_way = tmp_path / "program"
    in_the_way.write_text("in the way", encoding="utf-8")
    report, program = _report(), AppUnderTest(qapp, in_the_way, "en")
    walk = Scenario(program, tmp_path / "notes", Screenshots(program, None))

    await report.make(walk.checks()[0])
    await report.make(Check("end", "The end", CrashRecovery(program).end))

    [(outcome, detail), end] = _outcomes(report)
    assert (outcome, end) == ("failed", ("ok", ""))
    assert str(in_the_way) in detail
