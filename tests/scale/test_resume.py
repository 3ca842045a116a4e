"""Does a killed job go on where it was, to the same bytes, and only if it is the same job?"""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.scale import blocks
from linnet.scale.annotate import annotate_path
from linnet.scale.work import Work
from tests import tiny

TEXTS = [" ".join(word for word, _ in row) for row in tiny.sentences(11, 5)]
# a job with blocks of two documents that kills itself after so many of them
PROGRAM = """
import os, signal, sys
from linnet.scale import blocks
from linnet.scale.annotate import annotate_path
blocks.MOST_DOCUMENTS = 2
source, model, output, last = sys.argv[1:]
n_done = 0
def watch(number):
    global n_done
    n_done += 1
    if n_done == int(last):
        os.kill(os.getpid(), signal.SIGKILL)
annotate_path(source, model=model, output=output, watcher=watch)
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    path = tmp_path / "in.jsonl"
    lines = [json.dumps({"id": str(number), "text": text}) for number, text in enumerate(TEXTS)]
    path.write_text("\n".join([*lines[:4], "broken", *lines[4:]]) + "\n", encoding="utf-8")
    return path


def killed_after(n_blocks: int, source: Path, output: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(source), str(tiny.trained()), str(output), str(n_blocks)]
    assert subprocess.run(command, check=False, capture_output=True).returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("n_blocks", "suffix"),
    [
        (1, ".jsonl"),
        (4, ".xml"),
        pytest.param(4, ".jsonl", marks=pytest.mark.slow),
        pytest.param(1, ".xml", marks=pytest.mark.slow),
    ],
)
def test_a_killed_job_ends_with_the_bytes_of_an_uninterrupted_one(
    tmp_path: Path, source: Path, suffix: str, n_blocks: int
) -> None:
    whole, output = tmp_path / f"whole{suffix}", tmp_path / f"out{suffix}"
    expected = annotate_path(source, model=tiny.trained(), output=whole)

    killed_after(n_blocks, source, output)
    assert not output.exists()
    assert len(list(Work.beside(output).folder.glob("block-*"))) >= n_blocks
    done = annotate_path(source, model=tiny.trained(), output=output, resume=True)

    assert output.read_bytes() == whole.read_bytes()
    assert not Work.beside(output).folder.exists()
    assert (done.documents, done.mentions, done.tokens, done.failures) == (
        *(expected.documents, expected.mentions, expected.tokens, 1),
    )


def test_an_interrupted_job_is_neither_replaced_nor_mixed_with_another(tmp_path: Path, source: Path) -> None:
    output = tmp_path / "out.jsonl"
    killed_after(2, source, output)

    with pytest.raises(BadFile, match="a job for this output was interrupted"):
        annotate_path(source, model=tiny.trained(), output=output)
    with pytest.raises(BadFile, match="from was '', is 'jsonl'"):
        annotate_path(source, model=tiny.trained(), output=output, source_format="jsonl", resume=True)
    with pytest.raises(BadSetting, match="exclude each other"):
        annotate_path(source, model=tiny.trained(), output=output, resume=True, overwrite=True)

    done = annotate_path(source, model=tiny.trained(), output=output, overwrite=True)
    assert done.documents == len(TEXTS)


def test_an_output_that_is_there_is_refused(tmp_path: Path, source: Path) -> None:
    (tmp_path / "out.jsonl").write_text("precious", encoding="utf-8")

    with pytest.raises(BadFile, match="is there already"):
        annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == "precious"


def test_what_came_before_a_broken_file_is_kept_and_the_mended_one_goes_on(tmp_path: Path, source: Path) -> None:
    document = "<document><id>{}</id><passage><offset>0</offset><text>{}</text></passage></document>"
    documents = [document.format(number, text) for number, text in enumerate(TEXTS)]
    broken = f"<collection>{''.join(documents[:7])}<document><id>"
    path = tmp_path / "in.xml"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(BadFile, match=r"in\.xml") as refused:
        annotate_path(path, model=tiny.trained(), output=tmp_path / "out.jsonl")
    assert "go on with `--resume`" in refused.value.remedy

    path.write_text(f"<collection>{''.join(documents)}</collection>", encoding="utf-8")
    resumed = annotate_path(path, model=tiny.trained(), output=tmp_path / "out.jsonl", resume=True)
    annotate_path(path, model=tiny.trained(), output=tmp_path / "whole.jsonl")

    assert resumed.documents == len(TEXTS)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
