"""Corpora and stages of a multi-task training that do not fit together, found before anything is read."""

from pathlib import Path
from typing import Any

import pytest

from linnet.tasks.ner.corpora.checks import corpora_problems
from tests import tiny
from tests.tasks.ner import several


def problems(**given: Any) -> list[str]:
    return [problem for problem, _ in corpora_problems(tiny.settings(Path("unused"), **several.joint(**given)))]


def test_a_joint_training_has_no_problem() -> None:
    assert problems() == []
    assert list(corpora_problems(tiny.settings(Path("unused")))) == []


@pytest.mark.parametrize(
    ("role", "problem"), [("auxiliary", "no corpus is the target"), ("target", "more than one target: ")]
)
def test_there_is_one_target(role: str, problem: str) -> None:
    (found,) = problems(corpora=[{**each, "role": role} for each in several.members()], data="d")

    assert found.startswith(problem)


def test_every_stage_names_known_corpora_once_and_the_target() -> None:
    found = problems(stages=[{"corpora": ["chemicals", "genes", "chemicals"]}])

    assert [problem.split(",")[0] for problem in found] == [
        "stage 1 names genes",
        "stage 1 names a corpus twice",
        "stage 1 does not learn from the target diseases",
        "no stage learns from diseases",
    ]
