"""The file of failures that the jobs of a folder share."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from linnet.annotation.blocks import Failure
from linnet.annotation.error_file import replace_failures, write_failures


def record(folder: Path, output: str, *failures: Failure, part: str = "part") -> None:
    replace_failures(folder / "errors.jsonl", iter(failures), output=output, part=folder / part)


def rows_in(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "errors.jsonl").read_bytes().splitlines()]


def test_failures_of_jobs_that_end_together_are_all_recorded(tmp_path: Path) -> None:
    """Issue 27: 181 of 300 were kept, because each job replaced what it had read before."""

    def end_jobs(worker: int) -> None:
        for number in range(25):
            record(tmp_path, f"{worker}-{number}", Failure("1", "broken"), part=f"part{worker}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(end_jobs, range(4)))

    assert len(rows_in(tmp_path)) == 100


def test_a_job_that_ends_while_the_last_failures_go_away_is_recorded(tmp_path: Path) -> None:
    def end_jobs(worker: int) -> None:
        for number in range(50):
            record(tmp_path, str(worker), *[Failure("1", "x")] * (number % 2), part=f"part{worker}")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(end_jobs, range(2)))

    assert sorted(row["output"] for row in rows_in(tmp_path)) == ["0", "1"]


def test_nothing_is_created_where_nothing_failed(tmp_path: Path) -> None:
    record(tmp_path, "a")
    write_failures(tmp_path / "errors.jsonl", iter(()), output="a")

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"mine", b"mine\n"])
def test_a_file_of_somebody_else_is_not_touched_where_nothing_failed(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "errors.jsonl"
    path.write_bytes(content)
    before = path.stat()

    record(tmp_path, "a")

    assert path.read_bytes() == content
    assert path.stat() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_failures_again_leave_the_file_as_it_is(tmp_path: Path) -> None:
    record(tmp_path, "a", Failure("1", "broken"))
    before = (tmp_path / "errors.jsonl").stat()

    record(tmp_path, "a", Failure("1", "broken"))

    assert (tmp_path / "errors.jsonl").stat().st_mtime_ns == before.st_mtime_ns
    assert len(list(tmp_path.iterdir())) == 1
