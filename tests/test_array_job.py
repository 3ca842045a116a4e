"""The array of Slurm jobs that the docs show: every file once, whatever the number of jobs, and nothing done twice."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import environment
from tests.test_docs import EXAMPLES

ARTICLE = (
    "<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>Aspirin {pmid}.</ArticleTitle></Article>"
    "</MedlineCitation></PubmedArticle>"
)
BROKEN = ARTICLE.replace("<PMID>{pmid}</PMID>", "")  # is recorded, and the exit code is 3


def write_file(folder: Path, name: str, *articles: str) -> None:
    content = f"<PubmedArticleSet>{''.join(articles)}</PubmedArticleSet>"
    (folder / f"{name}.xml.gz").write_bytes(gzip.compress(content.encode()))


def run_job(folder: Path, number: int, count: int) -> subprocess.CompletedProcess[str]:
    variables = environment({"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": str(count)})
    variables["PATH"] = f"{Path(sys.executable).parent}:{variables['PATH']}"
    words = ["bash", str(EXAMPLES / "array_job.sh"), str(folder / "in"), str(folder / "out")]
    return subprocess.run(words, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_jobs_of_an_array_share_the_files_and_leave_finished_ones_alone(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a", "b", "c"):
        write_file(tmp_path / "in", name, ARTICLE.format(pmid=ord(name)), *[BROKEN] * (name == "a"))

    first = run_job(tmp_path, 0, 2)
    after_first = {each.name for each in (tmp_path / "out").iterdir()}
    second = run_job(tmp_path, 1, 2)
    times = {each: each.stat().st_mtime_ns for each in (tmp_path / "out").glob("*.jsonl.gz")}
    again = run_job(tmp_path, 0, 1)

    assert [done.returncode for done in (first, second, again)] == [0, 0, 0], (first.stderr, second.stderr)
    assert after_first == {"a.jsonl.gz", "c.jsonl.gz", "errors.jsonl"}
    assert {each.name for each in times} == {"a.jsonl.gz", "b.jsonl.gz", "c.jsonl.gz"}
    assert {each: each.stat().st_mtime_ns for each in times} == times
    assert '"98"' in gzip.decompress((tmp_path / "out" / "b.jsonl.gz").read_bytes()).decode()


@pytest.mark.long
def test_a_damaged_file_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a", "b", "c"):
        write_file(tmp_path / "in", name, ARTICLE.format(pmid=ord(name)))
    damaged = tmp_path / "in" / "b.xml.gz"
    damaged.write_bytes(damaged.read_bytes()[:-20])

    done = run_job(tmp_path, 0, 1)

    assert done.returncode == 1
    assert "b.xml.gz" in done.stderr
    assert {"a.jsonl.gz", "c.jsonl.gz"} <= {each.name for each in (tmp_path / "out").iterdir()}


def test_the_directives_of_slurm_stand_before_the_first_command() -> None:
    lines = (EXAMPLES / "array_job.sh").read_text(encoding="utf-8").splitlines()

    first = next(number for number, line in enumerate(lines) if line and not line.startswith("#"))
    assert lines[0] == "#!/usr/bin/env bash"
    assert any(line.startswith("#SBATCH ") for line in lines[:first])
    assert not any(line.startswith("#SBATCH ") for line in lines[first:])
