"""Progress of commands goes to standard error."""

import pytest

from linnet.cli.display.watching import counting, training_bar


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
