"""Kept predictions that no run has written are refused before anything is written."""

from typing import Any

import pytest

from linnet.tasks.ner.corpora.kept_checks import check_predicted, check_shared

SHARED: dict[str, Any] = {
    "sentences": [2, 1], "documents": [1, 1], "tags": ["B-X", "O"], "gold": [[0, 1], [1, 2]], "unheld": None,
}  # fmt: skip
OWN: dict[str, Any] = {"tags": ["B-Y", "O"], "changes": [[0, 1], [2, 0]]}


def test_what_a_run_has_written_passes() -> None:
    check_shared(SHARED)
    check_shared(SHARED | {"documents": None, "unheld": '[0, [[0, 1, "X", []], [0, 2, "X", []]]]\n'})
    check_predicted(OWN, 3)
    check_predicted({"tags": [], "changes": []}, 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sentences", [2, 0, 1]),
        ("sentences", "ab"),
        ("sentences", [10**11]),
        ("documents", [1]),  # the second sentence would be lost
        ("documents", [10**6]),
        ("tags", [1, 2]),
        ("tags", ["B-X\tY", "O"]),
        ("tags", ["nonsense", "O"]),
        ("tags", None),
        ("gold", [[0, 1], [2, 2]]),
        ("gold", [[0, 10**11]]),
        ("gold", [[0, 1], [1, 1]]),
        ("gold", [[0, 1], [-1, 2]]),
        ("gold", None),
        ("unheld", 5),
        ("unheld", "{{{"),
        ("unheld", '[7, [[0, 1, "X", []]]]\n'),
    ],
)
def test_gold_annotations_of_another_kind_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"`{name}` is"):
        check_shared(SHARED | {name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("changes", [[3, 0]]),
        ("changes", [[0, 0], [3, 0]]),
        ("changes", [[0, 2]]),
        ("changes", [[0, 0], [0, 1]]),  # two tags for one word
        ("changes", [[-1, 0]]),
        ("changes", "abc"),
        ("changes", [[0]]),
        ("changes", None),
        ("tags", ["a b", "O"]),
    ],
)
def test_predictions_of_another_kind_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"`{name}` is"):
        check_predicted(OWN | {name: value}, 3)
