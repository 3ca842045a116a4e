"""Interrupted jobs say what they keep."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from linnet.annotation import blocks
from linnet.annotation.annotate import annotate_path
from linnet.annotation.interruption import explain_interrupts
from linnet.annotation.work import Work
from linnet.cli.interrupts import Terminated
from linnet.cli.main import main
from linnet.errors import BadFile
from tests import tiny

TEXTS = [" ".join(word for word, _ in row) for row in tiny.sentences(6, 5)]
NOTHING = (
    "nothing is kept yet, because no block (512 documents, or 300,000 characters) was finished: give the same command"
)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return six documents; blocks have two documents."""
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f"{json.dumps({'id': str(n), 'text': text})}\n" for n, text in enumerate(TEXTS)))
    return path


def interrupting(after: int, error: type[BaseException] = KeyboardInterrupt) -> Callable[[int], None]:
    """Return a watcher that interrupts the job after a number of blocks."""
    left = after

    def watch(_: int) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise error

    return watch


def test_a_job_says_how_many_documents_are_kept_and_goes_on(tmp_path: Path, source: Path) -> None:
    output = tmp_path / "out.jsonl"

    with pytest.raises(KeyboardInterrupt) as first:
        annotate_path(source, model=tiny.trained(), output=output, watcher=interrupting(1))
    n_kept = 2 * len(list(tmp_path.glob("out.jsonl.work/block-*")))
    with pytest.raises(Terminated) as second:
        annotate_path(source, model=tiny.trained(), output=output, watcher=interrupting(1, Terminated), resume=True)
    annotate_path(source, model=tiny.trained(), output=output, resume=True)
    annotate_path(source, model=tiny.trained(), output=tmp_path / "whole.jsonl")

    (said,), (again,) = first.value.__notes__, second.value.__notes__
    assert said.startswith(f"{n_kept} documents are kept in {output}.work: give the same command again with `--resume`")
    assert int(again.partition(" ")[0]) > n_kept
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_resumed_job_keeps_its_number_format(tmp_path: Path, source: Path) -> None:
    output, model = tmp_path / "out.jsonl", tiny.trained()

    with pytest.raises(KeyboardInterrupt):
        annotate_path(source, model=model, output=output, precision="bfloat16", watcher=interrupting(1))
    with pytest.raises(BadFile, match="precision was 'bfloat16', is 'float32'"):
        annotate_path(source, model=model, output=output, precision="float32", resume=True)
    annotate_path(source, model=model, output=output, resume=True)

    for line in output.read_text(encoding="utf-8").splitlines():
        assert json.loads(line)["infons"]["annotated_by"].endswith("; precision bfloat16")


def test_a_job_without_a_finished_block_says_that_nothing_is_kept(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("linnet.annotation.annotate.load_annotator", interrupt)

    with pytest.raises(KeyboardInterrupt) as interrupted:
        annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert interrupted.value.__notes__ == [f"{NOTHING} again"]
    assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]


def test_a_finished_job_says_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt) as interrupted, explain_interrupts(Work(tmp_path / "gone"), what="document"):
        raise KeyboardInterrupt

    assert not hasattr(interrupted.value, "__notes__")


@pytest.mark.parametrize("ending", [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "terminated")])
def test_the_command_ends_a_job_alike_for_both_signals(
    ending: tuple[str, int, str], source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, code, word = ending
    output = source.with_name("out.jsonl")
    kept = Work.keep

    def keep(work: Work, block: object) -> None:
        kept(work, block)  # type: ignore[arg-type]
        os.kill(os.getpid(), getattr(signal, name))

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background ignore it
    monkeypatch.setattr(Work, "keep", keep)
    words = ["annotate", source, "--model", tiny.trained(), "--output", output]
    monkeypatch.setattr(sys, "argv", ["linnet", *map(str, words)])

    with pytest.raises(SystemExit) as ended:
        main()
    signal.signal(signal.SIGINT, before)

    message = capsys.readouterr().err
    assert ended.value.code == code
    assert f"linnet: {word}; " in message
    assert f"kept in {output}.work: give the same command again with `--resume`" in message
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_nothing_is_kept_of_standard_output(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(work: Work, block: object) -> None:
        raise Terminated

    monkeypatch.setattr(Work, "keep", interrupt)
    monkeypatch.setattr(
        sys, "argv", ["linnet", "annotate", str(source), "--model", str(tiny.trained()), "--output", "-"]
    )

    with pytest.raises(SystemExit) as ended:
        main()

    assert (ended.value.code, capsys.readouterr().err) == (143, "linnet: terminated; give the same command again\n")
