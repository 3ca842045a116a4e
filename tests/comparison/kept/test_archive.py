"""The file of kept runs is the same for the same runs, and what is none is refused."""

import gzip
from pathlib import Path

import pytest

from linnet.comparison.kept.archive import Archive, KeptRun, read_archive, write_archive
from linnet.errors import BadFile


def kept(seed: int, gold: str) -> KeptRun:
    return KeptRun({"data": "a"}, {"weighting": "none"}, seed, {"seed": seed}, gold, {"changes": []}, {}, ["{}"], 2.0)


def make_archive(*seeds: int) -> Archive:
    archive = Archive(more={"pretrainings": {"a": 1}})
    digest = archive.add_gold({"tags": ["O"]})
    archive.runs = [kept(seed, digest) for seed in seeds]
    return archive


def test_an_archive_is_read_as_it_was_written(tmp_path: Path) -> None:
    archive = make_archive(1, 2)

    write_archive(tmp_path / "kept.json.gz", archive)

    assert read_archive(tmp_path / "kept.json.gz") == archive


def test_the_order_of_the_runs_does_not_change_the_file(tmp_path: Path) -> None:
    write_archive(tmp_path / "a.gz", make_archive(1, 2, 3))
    write_archive(tmp_path / "b.gz", make_archive(3, 1, 2))

    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_gold_annotations_without_a_run_are_left_out(tmp_path: Path) -> None:
    archive = make_archive(1)
    archive.add_gold({"tags": ["B-X", "O"]})

    write_archive(tmp_path / "kept.json.gz", archive)

    assert len(read_archive(tmp_path / "kept.json.gz").gold) == 1


@pytest.mark.parametrize(
    "content",
    [  # without the time, which would stand in the names of the tests: each process must see the same ones
        b"plain text",
        gzip.compress(b"[]", mtime=0),
        gzip.compress(b"{", mtime=0),
        gzip.compress(b'{"format": 2, "runs": [], "gold": {}}', mtime=0),
        gzip.compress(b'{"format": 1, "runs": [{}], "gold": {}}', mtime=0),
        gzip.compress(b'{"format": 1, "gold": {}}', mtime=0),
        gzip.compress(b'{"format": 1, "runs": [], "gold": {}}', mtime=0)[:-9],
        gzip.compress(b'{"format":1,"gold":{},"runs":[{"place":{},"choice":{},"seed":1,"settings":{},"gold":"x",'
                      b'"predicted":{},"files":{}}]}', mtime=0),
    ],
)  # fmt: skip
def test_what_is_no_file_of_kept_runs_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "kept.json.gz").write_bytes(content)

    with pytest.raises(BadFile, match=r"kept\.json\.gz: kept runs cannot be read"):
        read_archive(tmp_path / "kept.json.gz")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such file"):
        read_archive(tmp_path / "kept.json.gz")
