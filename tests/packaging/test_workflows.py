"""What the workflows may do, and whose code they run."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from python_version import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")
# What a job may be given at most, and why: to read the sources, to sign what was made.
ALLOWED = {"contents": "read", "id-token": "write", "attestations": "write"}


def jobs_of(path: Path) -> dict[str, Any]:
    """Return the jobs of a workflow by their names."""
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    jobs: dict[str, Any] = workflow["jobs"]
    return jobs


def steps_of(path: Path) -> Iterator[dict[str, Any]]:
    """All steps of a workflow."""
    for job in jobs_of(path).values():
        yield from job["steps"]


def test_there_is_a_workflow_for_the_installers_of_three_systems() -> None:
    (path,) = (path for path in FILES if path.name == "installers.yml")
    systems = {re.split(r"-\d", job["runs-on"])[0] for job in jobs_of(path).values()}
    assert systems == {"ubuntu", "windows", "macos"}


@pytest.mark.security(85)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_action_is_pinned_by_the_hash_of_its_commit(path: Path) -> None:
    used = [step["uses"] for step in steps_of(path) if "uses" in step]
    assert used
    assert [action for action in used if not PINNED.fullmatch(action)] == []
    versions: dict[str, set[str]] = {}
    for action in used:
        name, _, commit = action.partition("@")
        versions.setdefault(name, set()).add(commit)
    assert all(len(commits) == 1 for commits in versions.values())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_job_may_only_do_what_it_says(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["permissions"].items() <= ALLOWED.items(), name
        assert job["timeout-minutes"] <= 60, name
    # What signs runs none of our code.
    signing = [job for job in workflow["jobs"].values() if "id-token" in job["permissions"]]
    used = [step.get("uses", "") for job in signing for step in job["steps"]]
    assert not any("checkout" in action for action in used)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_step_gets_a_secret_or_keeps_the_token(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "secrets." not in text
    assert "pull_request_target" not in text
    for step in steps_of(path):
        if "actions/checkout@" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False
        # Words of others never become part of a script.
        assert "${{" not in step.get("run", "")


def test_on_linux_the_build_may_install_what_it_needs() -> None:
    (path,) = (path for path in FILES if path.name == "installers.yml")
    on_linux = [job for job in jobs_of(path).values() if job["runs-on"].startswith("ubuntu")]
    ran = [step.get("run", "") for job in on_linux for step in job["steps"]]
    lines = [line for text in ran for line in text.splitlines() if "packaging/dev.py" in line]
    assert lines
    # As root, and by the Python of the job, which is not the one of root.
    assert [line for line in lines if not line.startswith('sudo env "PATH=$PATH" python ')] == []


def test_one_python_is_tested_and_frozen_everywhere() -> None:
    shipped = ".".join(map(str, SHIPPED))
    for path in FILES:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["env"]["PYTHON"] == shipped
        made_ready = [step for step in steps_of(path) if "setup-python@" in step.get("uses", "")]
        assert {step["with"]["python-version"] for step in made_ready} == {"${{ env.PYTHON }}"}
    image = (ROOT / "packaging" / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    assert set(re.findall(r"FROM python:([\d.]+)-", image)) == {shipped}


def test_what_is_frozen_on_linux_was_tested_there_first() -> None:
    (path,) = (path for path in FILES if path.name == "installers.yml")
    ran = [step.get("run", "") for step in jobs_of(path)["linux"]["steps"]]
    (tested,) = (at for at, line in enumerate(ran) if line.endswith("packaging/dev.py test"))
    (built,) = (at for at, line in enumerate(ran) if line.endswith("packaging/dev.py build"))
    assert tested < built
