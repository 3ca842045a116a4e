"""Files of finished blocks are read as they were written, or refused."""

from pathlib import Path
from typing import Any

import pytest

from linnet.annotation.block_files import read_block_file, read_block_header, write_block_file
from linnet.errors import BadFile

ABOUT, ROWS = {"input": "digest \ud800"}, [{"id": "a"}, {"id": "\N{DNA DOUBLE HELIX}"}]


def digest_of(about: Any) -> str:
    return str(about["input"])


def id_of(row: Any, place: str) -> str:
    if row["id"] == "refused":
        raise BadFile(f"{place}: is refused", "correct the file")
    return str(row["id"])


def written(folder: Path) -> Path:
    write_block_file(folder / "block.jsonl", ABOUT, ROWS)
    return folder / "block.jsonl"


def test_a_block_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = written(tmp_path)

    assert read_block_header(path, digest_of) == "digest \ud800"
    assert read_block_file(path, digest_of, id_of) == ("digest \ud800", ["a", "\N{DNA DOUBLE HELIX}"])


def test_a_block_of_an_older_version_does_not_say_how_many_rows_it_has(tmp_path: Path) -> None:
    (tmp_path / "block.jsonl").write_text('{"input": "x"}\n{"id": "a"}\n', encoding="utf-8")

    assert read_block_file(tmp_path / "block.jsonl", digest_of, id_of) == ("x", ["a"])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("", "it has 1 rows, expected 2"),  # cut off at the end of a line
        ('{"id"', "JSONDecodeError"),
        ("{}\n", "KeyError"),
        ("7\n", "TypeError"),
        ("[" * 100_000, "nested too deeply"),
        ('{"id": "refused"}\n', r"block\.jsonl:3: is refused"),
    ],
)
def test_a_damaged_row_is_refused_with_what_to_do(tmp_path: Path, row: str, reason: str) -> None:
    path = written(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:2], row]), encoding="utf-8")

    with pytest.raises(BadFile, match=reason) as bad:
        read_block_file(path, digest_of, id_of)
    assert "remove this file and go on with `--resume`" in bad.value.remedy


def test_a_block_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is not as it was written"):
        read_block_header(tmp_path / "missing.jsonl", digest_of)
