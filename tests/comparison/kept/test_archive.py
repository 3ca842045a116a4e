"""The file of kept runs is the same for the same runs, and what is none is refused."""

import gzip
import json
from dataclasses import asdict
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
        gzip.compress(b'{"format":1,"gold":{},"runs":[{"place":{},"choice":{},"seed":1,"settings":{},"gold":"x",'
                      b'"predicted":{},"files":{}}]}', mtime=0),
    ],
)  # fmt: skip
def test_what_is_no_file_of_kept_runs_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "kept.json.gz").write_bytes(content)

    with pytest.raises(BadFile, match=r"kept\.json\.gz: kept runs cannot be read"):
        read_archive(tmp_path / "kept.json.gz")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("place", ["a"]),
        ("place", {"data": ["a"]}),
        ("choice", None),
        ("seed", [1]),
        ("seed", "1"),
        ("settings", None),
        ("gold", ["x"]),
        ("predicted", None),
        ("files", {"metrics.json": 1}),
        ("files", {"metrics.json": "\ud800"}),
        ("links", []),
        ("epochs", 5),
        ("epochs", ["{"]),
        ("epochs", ["[1]"]),
        ("seconds", "x"),
        ("seconds", float("nan")),
        ("seconds", -1),
    ],
)
def test_a_run_with_a_field_of_another_kind_is_refused(tmp_path: Path, field: str, value: object) -> None:
    archive = make_archive(1, 2)
    content = {"format": 1, "gold": archive.gold, "runs": [asdict(run) for run in archive.runs]}
    content["runs"][1][field] = value  # type: ignore[index]
    (tmp_path / "kept.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))

    with pytest.raises(BadFile, match=f"kept runs cannot be read .`{field}` of a run is"):
        read_archive(tmp_path / "kept.json.gz")


def test_gold_annotations_that_are_no_object_are_refused(tmp_path: Path) -> None:
    (tmp_path / "kept.json.gz").write_bytes(gzip.compress(b'{"format": 1, "gold": {"x": [1]}, "runs": []}'))

    with pytest.raises(BadFile, match="`gold` is no object of objects"):
        read_archive(tmp_path / "kept.json.gz")


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    write_archive(tmp_path / "kept.json.gz", make_archive(1))
    (tmp_path / "kept.json.gz").write_bytes((tmp_path / "kept.json.gz").read_bytes()[:-9])

    with pytest.raises(BadFile, match=r"kept\.json\.gz: the gzip file is cut off"):
        read_archive(tmp_path / "kept.json.gz")


def test_a_small_file_that_grows_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", "1")
    (tmp_path / "kept.json.gz").write_bytes(gzip.compress(b'{"format": 1' + b" " * 2_000_000))

    with pytest.raises(BadFile, match="longer than 1 MB"):
        read_archive(tmp_path / "kept.json.gz")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such file"):
        read_archive(tmp_path / "kept.json.gz")
