"""Every command reads pipes to their end, from the beginning (issue 27, row 1)."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import text_corpora, tiny
from tests.cli.running import run
from tests.piping import piped, through_fifo

pytestmark = pytest.mark.long

ROWS = "".join(f"cystic\tB-Disease\nfibrosis{number}\tI-Disease\n.\tO\n\n" for number in range(5000))  # 200 kB
MANY = "".join(json.dumps({"id": str(number), "text": "no disease " * 20}) + "\n" for number in range(1000))


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode(), 1)])
@pytest.mark.parametrize(("content", "n_documents"), [(ROWS, 5000), (MANY, 1000)])
def test_convert_reads_all_documents_of_a_pipe(
    pack: object, content: str, n_documents: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with piped(pack(content)) as path:  # type: ignore[operator]
        done = run(capsys, "convert", path, tmp_path / "out.jsonl")

    assert (done.code, done.err) == (0, "")
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) == n_documents


def test_convert_reads_a_named_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with through_fifo(tmp_path / "train.tsv", ROWS.encode()) as path:
        done = run(capsys, "convert", path, tmp_path / "out.jsonl")

    assert (done.code, done.err) == (0, "")
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 5000


def test_a_pipe_in_another_tagging_is_read_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ROWS + "fibrosis\tS-Disease\n\n"

    with piped(rows.replace("I-Disease", "E-Disease").encode()) as path:
        done = run(capsys, "convert", path, tmp_path / "out.jsonl", "--json")

    assert json.loads(done.out)["mentions"] == 5001


def test_stats_and_score_read_pipes(capsys: pytest.CaptureFixture[str]) -> None:
    with piped(ROWS.encode()) as path:
        found = json.loads(run(capsys, "stats", path, "--json").out)
    with piped(ROWS.encode()) as gold, piped(ROWS.encode()) as predicted:
        scores = json.loads(run(capsys, "score", gold, predicted, "--resamples", 0, "--json").out)

    assert found["splits"]["all"]["sentences"] == 5000
    assert scores["strict"]["micro"]["f1"] == 1


def test_a_dash_is_standard_input_for_every_command() -> None:
    command = f"{sys.executable} -m linnet"
    lines = f"{command} convert - - --from conll --to jsonl | {command} convert - - --to conll --lossy"

    done = subprocess.run(
        ["bash", "-c", f"{lines} | {command} score - - --json"], input=ROWS, capture_output=True, text=True, check=False
    )
    counted = subprocess.run(
        [sys.executable, "-m", "linnet", "stats", "-", "--json"], input=ROWS, capture_output=True, text=True, check=True
    )

    assert json.loads(counted.stdout)["splits"]["all"]["sentences"] == 5000
    assert json.loads(done.stdout)["strict"]["micro"]["f1"] == 1  # both sides are the same


def test_annotate_reads_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with piped(MANY.encode()) as path:
        done = run(capsys, "annotate", path, "--model", tiny.trained(), "--output", tmp_path / "out.jsonl", "--json")

    assert json.loads(done.out)["documents"] == 1000


@pytest.mark.parametrize("kind", ["classification", "answering", "inference", "similarity", "relations"])
def test_predict_answers_a_pipe_as_it_answers_the_file(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, model = text_corpora.corpus(kind), text_corpora.trained(kind)
    (test,) = [path for path in folder.iterdir() if path.name.startswith("test.")]

    of_file = run(capsys, "predict", test, "--model", model, "--output", tmp_path / "file.jsonl", "--json")
    with piped(test.read_bytes()) as path:
        of_pipe = run(capsys, "predict", path, "--model", model, "--output", tmp_path / "pipe.jsonl", "--json")

    assert (of_pipe.code, of_pipe.err) == (0, of_file.err)
    assert json.loads(of_pipe.out)["examples"] == json.loads(of_file.out)["examples"]


def test_tags_without_a_label_need_one_in_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with piped(b"fibrosis\tB\n.\tO\n") as path:
        done = run(capsys, "convert", path, tmp_path / "out.jsonl")
    with piped(b"fibrosis\tB\n.\tO\n") as path:
        again = run(capsys, "convert", path, tmp_path / "out.jsonl", "--label", "Disease")

    assert done.code == 2
    assert "--label" in done.err
    assert again.code == 0
