from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.models.published.relabelling import Relabelling, has_bare_tags, has_no_names, read_labels, rename_tags


def write(folder: Path, text: str) -> Path:
    path = folder / "labels.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_labels_are_read_in_their_order(tmp_path: Path) -> None:
    assert read_labels(write(tmp_path, "B\nI\nO\n\n")) == ("B", "I", "O")


def test_o_comes_first_where_a_labels_file_leaves_it_out(tmp_path: Path) -> None:
    assert read_labels(write(tmp_path, "B-X\nI-X\n")) == ("O", "B-X", "I-X")


def test_many_labels_take_no_time(tmp_path: Path) -> None:
    """Issue 27: the time grew with the square of their number; 50,000 took a minute."""
    assert len(read_labels(write(tmp_path, "".join(f"B-{number}\n" for number in range(50_000))))) == 50_001


@pytest.mark.parametrize(("text", "message"), [("", "names no labels"), ("B\nB\nO\n", "B more than once")])
def test_labels_files_that_cannot_be_meant_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        read_labels(write(tmp_path, text))


def test_placeholders_and_bare_tags_are_told_apart() -> None:
    assert has_no_names(("LABEL_0", "LABEL_1"))
    assert has_no_names(())
    assert not has_no_names(("O", "B-X"))
    assert has_bare_tags(("B", "I", "O"))
    assert not has_bare_tags(("B-X", "I-X", "O"))


def test_only_bare_tags_get_the_label(tmp_path: Path) -> None:
    assert rename_tags(("B", "O"), Relabelling(label="Gene"), n_outputs=2, folder=tmp_path) == ("B-Gene", "O")
    assert rename_tags(("B-X", "O"), Relabelling(label="Gene"), n_outputs=2, folder=tmp_path) == ("B-X", "O")
