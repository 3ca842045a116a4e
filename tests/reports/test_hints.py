"""Hints after a training: each names its reason and what to try."""

from typing import Any

import pytest

from linnet.reports.hints import NOTHING_RIGHT, hint_section, nothing_right_hint, training_hints
from linnet.settings.training import TrainSettings

SETTINGS = TrainSettings(data="demo", output="out")


def rows(*scores: float | None, loss: float = 0.1, devel_loss: float | None = 0.2) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for epoch, score in enumerate(scores, 1):
        row = {"epoch": epoch, "step": epoch, "loss": loss, "score": score, "devel_loss": devel_loss, "stage": 1}
        found.append({name: value for name, value in row.items() if value is not None})
    return found


def hints(history: list[dict[str, Any]], **counts: int) -> list[str]:
    return training_hints(history, counts, SETTINGS, unit="mentions")


def hints_of(history: list[dict[str, Any]], counts: dict[str, int] | None = None, **sections: Any) -> str:
    """Return the hints of a run with these settings."""
    settings = TrainSettings.model_validate({"data": "demo", "output": "out", **sections})
    return "\n".join(training_hints(history, counts or {}, settings, unit="mentions"))


def test_a_best_epoch_that_is_the_last_asks_for_more_epochs() -> None:
    assert hints(rows(0.5, 0.7, 0.6, 0.8)) == ["The best epoch is the last of 4: train longer, e.g. `--epochs 8`."]
    assert "rose in each of the last 2 epochs: train longer" in hints(rows(0.5, 0.6, 0.7))[0]


def test_a_devel_score_that_still_rises_is_named_though_an_earlier_epoch_is_better() -> None:
    assert "though an earlier epoch is better: train longer" in hints(rows(0.9, 0.5, 0.6, 0.7))[0]


def test_a_good_training_and_one_that_found_nothing_get_no_hint() -> None:
    assert hints(rows(0.5, 0.9, 0.8, 0.85), X=100) == []
    assert hints(rows(0.0, 0.0)) == []
    assert hints(rows(None, None, devel_loss=None)) == []
    assert hints([]) == []


def test_a_training_loss_far_below_that_of_devel_is_a_sign_of_overfitting() -> None:
    (found,) = hints(rows(0.9, 0.8, loss=0.01, devel_loss=0.5))

    assert "The training loss (0.0100) is far below the devel loss (0.5000)" in found
    assert "`--set selection.patience=2`) only saves time" in found
    assert "fewer epochs" not in found  # the best one is kept, however many there are


def test_signs_that_point_in_opposite_directions_give_one_advice() -> None:
    """Issue 22: a report advised more epochs and fewer epochs at once."""
    (found,) = hints(rows(0.7, 0.8, 0.9, loss=0.01, devel_loss=0.5))

    assert found.startswith(
        "The best epoch is the last of 3, and the devel score rose in each of the last 2 epochs, but "
    )
    assert "fewer epochs" not in found


@pytest.mark.parametrize("scores", [(0.9, 0.8), (0.7, 0.8, 0.9)])  # overfitting alone, and with a best epoch at the end
@pytest.mark.parametrize(
    ("dropout", "advised"), [(None, 0.2), (0.0, 0.1), (0.1, 0.2), (0.15, 0.2), (0.2, 0.3), (0.3, None), (0.5, None)]
)
def test_the_dropout_that_is_advised_is_more_than_that_of_the_run(
    scores: tuple[float, ...], dropout: float | None, advised: float | None
) -> None:
    found = hints_of(rows(*scores, loss=0.01, devel_loss=0.5), optimiser={"dropout": dropout})

    assert ("dropout" in found) == (advised is not None)
    assert advised is None or f"or more dropout (`--set optimiser.dropout={advised:g}`)" in found
    assert "Try more training data" in found


def test_what_the_run_has_already_is_not_advised() -> None:
    overfitted = rows(0.9, 0.8, loss=0.01, devel_loss=0.5)
    counts = {"Disease": 500, "Chemical": 7}

    assert hints_of(overfitted, selection={"patience": 3}).endswith("is kept in any case.")
    assert "--scheme" in hints_of(rows(0.9, 0.8), counts)
    for loss in ({"scheme": "isns"}, {"weights": {"O": 1.0}}):
        assert hints_of(rows(0.9, 0.8), counts, loss=loss).endswith(
            "Annotate more of them, or add a corpus that has them (`--data A+B`)."
        )


def test_rare_labels_are_named_with_their_counts() -> None:
    (found,) = hints(rows(0.9, 0.8), Disease=500, Chemical=7)

    assert found.startswith("Few mentions in train: Chemical (7). ")
    assert "No label has 30 mentions" in hints(rows(0.9, 0.8), Chemical=7)[0]


def test_of_several_stages_the_last_one_counts() -> None:
    first = rows(0.1, 0.2)
    second = [{**row, "stage": 2, "epoch": row["epoch"] + 2} for row in rows(0.9, 0.8)]

    assert hints([*first, *second]) == []


def test_a_report_without_hints_has_no_section() -> None:
    assert list(hint_section([])) == []
    assert list(hint_section(["a", "b"])) == ["## What to try", "- a\n- b"]


def nothing_right(**sections: Any) -> str:
    return nothing_right_hint(TrainSettings.model_validate({"data": "demo", "output": "out", **sections}))


@pytest.mark.parametrize("rate", [5e-5, 3e-4])  # 3e-4 is the default
def test_up_to_the_default_rate_a_training_without_a_right_mention_may_need_a_higher_one(rate: float) -> None:
    assert nothing_right(optimiser={"learning_rate": rate}) == (
        f"N{NOTHING_RIGHT[1:]}. Where mentions are rare, trainings begin like that: more epochs, a higher learning "
        "rate or weights for rare tags (`--scheme isns`) can help."
    )
    assert "more epochs or a higher learning rate can help" in nothing_right(loss={"scheme": "welt"})


@pytest.mark.parametrize(
    "sections",
    [
        {"optimiser": {"learning_rate": 3e-3}},
        {"stages": [{"corpora": ["a"], "learning_rate": 3e-3}, {"corpora": ["a"]}]},
    ],
)
def test_above_the_default_rate_a_training_without_a_right_mention_needs_a_lower_one(sections: dict[str, Any]) -> None:
    found = nothing_right(**sections)

    assert "At 0.003, above the default of 0.0003, try a lower learning rate; see `linnet find-lr`." in found
    assert "higher" not in found
    assert "begin like that: more epochs can help." in nothing_right(**sections, loss={"scheme": "welt"})
