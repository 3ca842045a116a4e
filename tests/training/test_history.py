from typing import Any

from linnet.training.history import EpochRow, History, StepRow

ROW: dict[str, Any] = {
    "epoch": 1,
    "step": 9,
    "loss": 0.5,
    "learning_rate": 0.1,
    "seconds": 2.0,
    "tokens_per_second": 3.0,
}


def test_a_history_is_what_it_was_when_it_is_read_again() -> None:
    history = History([EpochRow(score=0.7, **ROW)], [StepRow(1, 2.0, 0.1)], best_epoch=1, best_score=0.7)

    assert History.from_dict(history.as_dict()) == history


def test_checkpoints_of_earlier_versions_called_every_score_an_f1() -> None:
    history = History([EpochRow(score=0.7, **ROW)], best_epoch=1, best_score=0.7)
    older = history.as_dict()
    older["best_f1"] = older.pop("best_score")
    older["epochs"][0]["devel_f1"] = older["epochs"][0].pop("score")

    assert History.from_dict(older) == history


def test_rows_call_the_score_what_they_are_told_to() -> None:
    history = History([EpochRow(score=0.7, **ROW)], [StepRow(1, 2.0, 0.1)])

    assert history.rows("devel_f1") == [
        {"step": 1, "loss": 2.0, "learning_rate": 0.1},
        {**ROW, "devel_f1": 0.7, "stage": 1},
    ]
