"""Derived corpora keep the texts and some labels."""

from pathlib import Path

from linnet.corpora.derived import write_derived
from tests.corpora.tiny_table import CHEMICALS, PUBTATOR


def derived(folder: Path, content: bytes, *labels: str) -> bytes:
    (folder / "source").write_bytes(content)
    write_derived(folder / "source", folder / "target", labels)
    return (folder / "target").read_bytes()


def test_mentions_of_other_labels_and_relations_are_left_out(tmp_path: Path) -> None:
    assert derived(tmp_path, PUBTATOR, "ChemicalEntity") == CHEMICALS


def test_without_a_label_only_the_texts_are_left(tmp_path: Path) -> None:
    assert derived(tmp_path, PUBTATOR) == b"7|t|Aspirin and gout\n7|a|Aspirin helps.\n\n"


def test_every_byte_of_the_kept_lines_stays(tmp_path: Path) -> None:
    content = "7|t|ü | t \r\n7|a|\n7\t0\t1\tü\tX\t-\r\n\n8|t|b\n".encode()

    assert derived(tmp_path, content, "X") == content
