"""The last lines of jobs over documents, and their exit code."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

from linnet.cli.display.finished_jobs import count_documents, exit_if_failed


@dataclass
class Done:
    documents: int
    kept_documents: int = 0


def test_documents_that_were_kept_are_named() -> None:
    assert count_documents(Done(1)) == "1 document"
    assert count_documents(Done(1100, 512)) == "1,100 documents (512 of them kept from before)"


def test_failures_end_with_code_3_and_say_where_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as recorded:
        exit_if_failed(2, tmp_path / "out.jsonl")
    with pytest.raises(typer.Exit):
        exit_if_failed(1, None)
    (tmp_path / "parts").mkdir()
    with pytest.raises(typer.Exit):
        exit_if_failed(3, tmp_path / "parts")

    beside, unknown, inside = capsys.readouterr().err.splitlines()
    assert recorded.value.exit_code == 3
    assert beside == f"note: 2 documents failed, see {tmp_path / 'errors.jsonl'}"
    assert unknown == "note: 1 document failed"
    assert inside == f"note: 3 documents failed, see {tmp_path / 'parts' / 'errors.jsonl'}"


def test_a_job_without_failures_goes_on() -> None:
    exit_if_failed(0, Path("out.jsonl"))
