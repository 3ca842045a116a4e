"""Progress of commands goes to standard error."""

import pytest
from rich.progress import Progress

from linnet.cli.display.progress_log import ProgressLog
from linnet.cli.display.watching import Counter, counting, training_bar


def test_counting_prints_nothing_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    with counting("texts") as count:
        count(3)
        count(2)

    assert capsys.readouterr().out == ""


def test_a_training_tells_its_steps_on_standard_error_alone(capsys: pytest.CaptureFixture[str]) -> None:
    with training_bar("F1") as bar:
        bar.begin(10, 0)
        bar.step(1, 0.5, 100.0)

    assert capsys.readouterr().out == ""


def lines_of(*, most: int | None, share: float, n_found: int, n_kept: int = 0) -> str:
    """Return what a log says after two documents of this process, when this share of the input is read."""
    lines: list[str] = []
    clock = iter(range(0, 1000, 5))
    log = ProgressLog(write=lines.append, clock=lambda: float(next(clock)))
    count = Counter(Progress(disable=True), "documents", log, most=most)
    count.find(n_found)
    count.keep(n_kept)
    for each in (share / 2, share):
        count.read(each)
    count.reach(2)
    return lines[-1]


def test_a_job_with_a_limit_counts_to_the_limit() -> None:
    assert lines_of(most=None, share=0.02, n_found=100).startswith("2/about 10,000 documents")
    assert lines_of(most=300, share=0.02, n_found=100).startswith("2/about 300 documents")
    assert lines_of(most=300, share=0.02, n_found=300).startswith("2/300 documents")
    assert lines_of(most=300, share=0.02, n_found=100, n_kept=8).startswith("10/about 300 documents")


def test_an_input_with_less_than_the_limit_counts_to_its_end() -> None:
    assert lines_of(most=300, share=1.0, n_found=20).startswith("2/about 40 documents")
