"""Mutation testing: which faults are made, and which of them tests are found not to notice."""

from pathlib import Path

import pytest
from mutation_testing import Mutant, report, run, sample

CODE = """
import logging

log = logging.getLogger(__name__)


def is_adult(age: int) -> bool:
    log.debug("age %s", age)
    return age >= 18


def is_child(age: int) -> bool:
    return age < 13
"""
TESTS = """
from ages import is_adult

def test_child_domain_is_not_its_parent_domain():
    assert not is_adult(3)

def test_a_parent_is_an_adult():
    assert is_adult(40)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a program that is tested in part."""
    root = tmp_path / "tree"
    root.mkdir()
    (root / "ages.py").write_text(CODE, encoding="utf-8")
    (root / "test_ages.py").write_text(TESTS, encoding="utf-8")
    return root


def test_a_sample_is_the_same_for_the_same_seed_and_leaves_log_messages_out(tree: Path) -> None:
    everything = sample(tree, ["ages.py"], seed=1, size=100)
    assert len(everything) == 4
    assert not [mutant for mutant in everything if "log.debug" in mutant.changed_line]
    drawn = [sample(tree, ["ages.py"], seed=seed, size=2) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert any(drawn[0] != other for other in drawn[2:])


def test_faults_that_tests_notice_are_told_from_those_that_they_do_not(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only what is needed: to import every plugin takes longer than all else.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    before = {path.name: path.read_text(encoding="utf-8") for path in tree.iterdir()}
    (wrong,) = [m for m in sample(tree, ["ages.py"], seed=1, size=9) if "age > 18" in m.source]
    never = Mutant("ages.py", 90, CODE.replace("age >= 18", "False"), "", wrong.lines)
    endless = Mutant("ages.py", 91, CODE.replace("log.debug", "exit"), "", wrong.lines)
    unreached = sample(tree, ["ages.py"], seed=1, size=9)[-1]

    results = run(tree, [wrong, never, endless, unreached], ["test_ages.py"])

    assert list(results.values()) == ["survived", "killed", "killed", "no test"]
    assert "+    return age > 18" in report(results)
    assert report(results).endswith("2 of 4 were noticed (50%).")
    assert {path.name: path.read_text(encoding="utf-8") for path in tree.iterdir()} == before
