"""How far a job is: the share of the input's bytes that were read, also within a single file."""

import gzip
from pathlib import Path

import pytest

from linnet.annotation.annotate import annotate_path
from linnet.storage.files import open_text, watching_bytes
from tests import tiny

LINE = '{"id": "%d", "text": "ataxia was treated with aspirin and it was no cure for the mice in this trial ."}\n'


def write(path: Path, n_documents: int) -> Path:
    path.write_text("".join(LINE % number for number in range(n_documents)), encoding="utf-8")
    return path


def test_a_single_file_tells_which_share_of_it_is_read(tmp_path: Path) -> None:
    shares: list[float] = []

    annotate_path(
        write(tmp_path / "in.jsonl", 1500),
        model=tiny.trained(),
        output=tmp_path / "out.jsonl",
        input_watcher=shares.append,
    )

    assert len(shares) > 1
    assert shares == sorted(shares)
    assert 0 < shares[0] < 1
    assert shares[-1] == 1.0


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_bytes_are_counted_as_they_stand_on_disk(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"text.txt{suffix}"
    content = b"one line\n" * 50_000
    path.write_bytes(gzip.compress(content) if suffix else content)
    counted: list[int] = []

    with watching_bytes(counted.append), open_text(path) as file:
        n_characters = len(file.read())

    assert n_characters == len(content)
    assert sum(counted) == path.stat().st_size


def test_files_that_nobody_watches_are_not_counted(tmp_path: Path) -> None:
    counted: list[int] = []
    with watching_bytes(counted.append):
        pass

    with open_text(write(tmp_path / "in.jsonl", 3)) as file:
        file.read()

    assert counted == []
