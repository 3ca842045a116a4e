"""The file of a trained linker: every field is checked."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.training.learned import LearnedMention, LearnedMentions
from linnet.tasks.linking.training.linker_file import LINKER, read_linker_file
from linnet.tasks.linking.training.ranker import TrainedRanker, write_ranker
from tests.tasks.linking.corpora import tiny_vocabulary


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[str, Any], Path]:
    """Write a linker in which one field has another value."""
    learned = LearnedMentions.learn([LearnedMention("tumors", "tumor", ("mesh:D010051",), 0)])
    write_ranker(tmp_path, TrainedRanker(tiny_vocabulary(), learned, {"score": 1.0}, nil=0.5))
    path = tmp_path / LINKER

    def change(place: str, value: Any) -> Path:
        values = json.loads(path.read_text(encoding="utf-8"))
        *parents, last = place.split(".")
        inner = values
        for name in parents:
            inner = inner[name]
        inner[last] = value
        path.write_text(json.dumps(values), encoding="utf-8")
        return path

    return change


def test_a_file_that_a_training_wrote_is_read(changed: Callable[[str, Any], Path]) -> None:
    assert read_linker_file(changed("min_score", 0.25))["min_score"] == 0.25


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("vocabulary", None),
        ("vocabulary.path", 5),
        ("vocabulary.hash", None),
        ("min_score", "x"),
        ("min_score", 1.5),
        ("nil", float("nan")),
        ("nil", None),
        ("nil", True),
        ("n_candidates", -1),
        ("n_candidates", 10**9),
        ("n_candidates", 2.5),
        ("meaning", {"encoder": "minilm"}),
        ("meaning", "minilm"),
        ("weights", [1.0]),
        ("weights.score", float("inf")),
        ("weights.score", 10**400),
        ("weights.magic", 1.0),
        ("learned", []),
        ("learned.forms", {"tumor": 1}),
        ("learned.forms", {"tumor": {"mesh:D1": 0}}),
        ("learned.texts", {"tumors": {"mesh:D1": "often"}}),
        ("learned.names", {"mesh:D1": None}),
        ("learned.names", {}),
        ("learned.forms", {"tumor": {"mesh:D1": 1}}),
    ],
)
def test_issue_27_another_value_is_refused_with_its_field(
    changed: Callable[[str, Any], Path], place: str, value: Any
) -> None:
    with pytest.raises(BadFile, match=rf"linker\.json: `{place.split('.')[0]}"):
        read_linker_file(changed(place, value))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"form": 2}', '{"form": 1, "form": 1}', "[" * 100_000])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / LINKER).write_text(text, encoding="utf-8")

    with pytest.raises(BadFile, match=r"linker\.json"):
        read_linker_file(tmp_path / LINKER)
