"""The history of a training: epochs are closed, joined over stages, written and read back."""

from typing import Any

from linnet.training.history import EpochRow, History, Measured, StepRow

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


def test_the_score_of_rows_has_the_name_that_is_given() -> None:
    history = History([EpochRow(score=0.7, **ROW)], [StepRow(1, 2.0, 0.1)])

    assert history.rows("devel_f1") == [
        {"step": 1, "loss": 2.0, "learning_rate": 0.1},
        {**ROW, "devel_f1": 0.7, "stage": 1},
    ]


def test_an_epoch_has_the_mean_loss_of_its_updates_and_the_next_one_starts_at_zero() -> None:
    history = History()
    history.add_update(1.0, 10, seconds=2.0)
    history.add_update(2.0, 30, seconds=3.0)

    row = history.close_epoch(1, 2, 0.1, Measured(score=0.7, loss=0.4))

    assert (row.loss, row.tokens_per_second, row.score, row.devel_loss) == (1.5, 8.0, 0.7, 0.4)
    assert history == History(epochs=[row])


def test_values_that_were_not_measured_have_no_name() -> None:
    assert Measured(score=0.7).named("devel_f1") == {"devel_f1": 0.7}
    assert Measured(loss=0.4).named("devel_f1") == {"devel_loss": 0.4}


def test_an_epoch_is_better_with_a_higher_score_or_without_any() -> None:
    history = History([EpochRow(score=None, **ROW)] * 3, best_epoch=1, best_score=0.7)

    assert history.is_better(0.8)
    assert not history.is_better(0.7)
    assert history.is_better(None)
    assert History().is_better(0.0)
    assert history.epochs_since_best() == 2  # what patience is compared with


def test_stages_are_joined_with_epochs_and_steps_that_go_on() -> None:
    first = History([EpochRow(score=0.7, **ROW)], [StepRow(3, 2.0, 0.1)], best_epoch=1, best_score=0.7)
    second = History([EpochRow(score=0.6, **ROW)], [StepRow(2, 1.0, 0.1)], best_epoch=1, best_score=0.6)

    whole = History.join([first, second])

    assert [(row.epoch, row.step, row.stage) for row in whole.epochs] == [(1, 9, 1), (2, 18, 2)]
    assert [row.step for row in whole.steps] == [3, 11]
    assert (whole.best_epoch, whole.best_score) == (2, 0.6)  # of the last stage
