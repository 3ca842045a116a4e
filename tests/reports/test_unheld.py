"""The file of gold mentions that tags cannot hold, beside the predictions."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.labels.mention import Mention
from linnet.reports.unheld import read_unheld, unheld_file, write_unheld

NESTED = (Mention(0, 3, "Disease"), Mention(1, 3, "Disease"))
IN_PIECES = (Mention(0, 5, "Disease", ((0, 1), (4, 5))),)


def test_the_file_is_named_after_the_predictions() -> None:
    assert unheld_file(Path("run/predictions-test.tsv")) == Path("run/predictions-test.gold.jsonl")


def test_mentions_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "predictions.tsv"

    write_unheld(path, [(1, NESTED), (3, IN_PIECES)])

    assert read_unheld(path, 4) == [None, NESTED, None, IN_PIECES]


def test_without_a_file_every_sentence_is_held_by_its_tags(tmp_path: Path) -> None:
    assert read_unheld(tmp_path / "predictions.tsv", 2) == [None, None]


def test_the_file_of_an_earlier_model_is_removed_where_there_is_nothing_to_write(tmp_path: Path) -> None:
    path = tmp_path / "predictions.tsv"
    write_unheld(path, [(0, NESTED)])

    write_unheld(path, [])

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("line", ['{"id": "1"}', "[9, []]", "[0, [[0, 1]]]", "[0", "[" * 100_000])
def test_a_line_without_mentions_of_a_sentence_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "predictions.gold.jsonl").write_text(f"[0, []]\n{line}\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"predictions\.gold\.jsonl:2: these are no mentions of a sentence"):
        read_unheld(tmp_path / "predictions.tsv", 2)


def test_an_old_file_that_cannot_be_removed_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "predictions.tsv"
    unheld_file(path).mkdir()  # what no one may remove as a file

    with pytest.raises(BadFile, match=r"predictions\.gold\.jsonl: cannot be written"):
        write_unheld(path, [])
