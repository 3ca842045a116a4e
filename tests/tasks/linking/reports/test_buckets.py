"""Buckets of mistakes."""

from pathlib import Path
from typing import Any

import pytest

from linnet.storage.cells import read_rows
from linnet.tasks.linking.reports.buckets import MEANING, bucket_of, count_buckets, write_mistakes
from tests.tasks.linking.evaluation.test_protocols import document, mention


@pytest.mark.parametrize(
    ("kind", "gold", "parts", "given"),
    [
        (None, ("A",), [("A",)], {}),
        (None, (), [("A",)], {}),
        ("not in the vocabulary", ("A",), [("B",)], {"is_known": False}),
        ("composite", ("A", "B"), [("C",)], {}),
        ("homonym", ("A",), [("B", "A")], {"expanded": "Colds", "matched": ("cold",)}),
        ("abbreviation", ("A",), [("B",)], {"text": "HPTs", "expanded": "HPTs"}),
        ("among the first five", ("A",), [("B", "A")], {}),
        ("not found", ("A",), [("B",)], {}),
    ],
)
def test_a_mistake_is_in_one_bucket(
    kind: str | None, gold: tuple[str, ...], parts: list[tuple[str, ...]], given: dict[str, Any]
) -> None:
    assert bucket_of(mention(gold, *parts, **given)) == kind


def test_mistakes_are_counted_and_written(tmp_path: Path) -> None:
    documents = [document(mention(("A",), ("B",), is_seen=True), mention(("A",), ("A",), start=9))]

    write_mistakes(tmp_path / "mistakes.tsv", documents)

    (row,) = read_rows(tmp_path / "mistakes.tsv")
    assert (row["kind"], row["gold"], row["predicted"], row["seen"]) == ("not found", "A", "B", "seen")
    assert count_buckets(documents) == {**dict.fromkeys(MEANING, 0), "not found": 1}
