"""The task `ner` is registered, and its methods lead to the modules of its folder."""

from pathlib import Path

import pytest

from linnet.contracts import tasks
from linnet.errors import UnknownName
from linnet.tasks.ner.settings import NerSettings
from linnet.tasks.ner.task import NamedEntityRecognition
from tests import tiny

TASK = NamedEntityRecognition()


def test_the_task_is_registered_with_its_settings() -> None:
    assert isinstance(tasks.get("ner"), NamedEntityRecognition)
    assert TASK.settings is NerSettings


def test_a_tagger_is_trained_in_a_single_run(tmp_path: Path) -> None:
    assert TASK.folds(tiny.settings(tmp_path)) is None  # type: ignore[func-returns-value]
    assert TASK.problems(tiny.settings(tmp_path)) == []


def test_an_unknown_matching_is_refused_before_corpora_are_read(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="stricct"):
        TASK.corpora(tiny.settings(tmp_path, data="nowhere"), "stricct")


@pytest.mark.parametrize(
    ("metric", "title"), [("strict", "strict F1"), ("tokens", "token F1"), ("one_sided", "one sided F1")]
)
def test_tables_call_scores_by_their_matching(metric: str, title: str) -> None:
    assert TASK.metric_title(metric) == title


def test_texts_of_splits_are_those_of_the_documents() -> None:
    found = TASK.texts(tiny.corpus(), files={"test": ["devel.tsv"]})

    assert list(found) == ["test"]
    assert found["test"] == TASK.texts(tiny.corpus(), files=None)["devel"]
