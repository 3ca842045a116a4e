"""Settings of other tasks are refused for tasks about texts, all together and before anything is read."""

from pathlib import Path
from typing import Any

import pytest

from linnet.tasks.texts.checks import refused_settings, text_problems
from tests import text_corpora


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"format": "conll"}, "format"),
        ({"label": "Disease"}, "label"),
        ({"window": {"all_subwords": True}}, "window.all_subwords"),
        ({"selection": {"matching": "fair"}}, "selection.matching"),
        ({"files": {"train": "a.tsv"}}, "files"),
        ({"text": {"folds": True}}, "text.folds"),
        ({"train_on": "train_dev", "text": {"devel_share": 0.3}}, "text.devel_share"),
    ],
)
def test_what_has_no_effect_is_refused(tmp_path: Path, given: dict[str, Any], name: str) -> None:
    settings = text_corpora.settings("classification", tmp_path, **given)

    (problem,) = refused_settings(settings)

    assert name in problem.problem


def test_ordinary_settings_have_no_problem(tmp_path: Path) -> None:
    assert text_problems(text_corpora.settings("classification", tmp_path)) == []


def test_a_loss_that_cannot_work_is_found_without_a_corpus(tmp_path: Path) -> None:
    settings = text_corpora.settings("classification", tmp_path, loss={"name": "crf"}, format="conll")

    assert len(text_problems(settings)) == 2
